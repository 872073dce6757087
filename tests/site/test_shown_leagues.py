"""Leagues that a site shows beside its own: their pages, their tables, and the list of them."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.base.errors import ArenaError
from arena.base.refusals import Missing, Refusal
from arena.site.config import Site, read_site
from arena.site.published import shown_leagues
from arena.site.registry import Registry
from arena.site.registry.organiser import audit
from arena.site.report import hide_league, show_league
from tests.support.open_record import Opened
from tests.support.records import small_record
from tests.support.whole_site import write_site


@pytest.fixture(name="site")
def _site(tmp_path: Path) -> Site:
    return read_site(write_site(tmp_path))


@pytest.fixture(name="registry")
def _registry(site: Site) -> Iterator[Registry]:
    with closing(Registry.open(site.registry)) as registry:
        yield registry


def test_a_record_is_shown_in_each_language_and_as_tables(
    site: Site, registry: Registry, played_league: Path
) -> None:
    record = played_league.with_suffix(".db")
    shown = show_league(site, registry, record, "spring")
    assert shown_leagues(site) == (shown,)
    assert (shown.bots, shown.ended is not None) == (3, True)
    assert next(iter(shown.best.values())) == 1
    folder = site.league_pages / "spring"
    for tag, words in (("en", "All leagues of this site"), ("lv", "Visas šīs vietnes līgas")):
        assert words in (folder / tag / "index.html").read_text()
    assert json.loads((folder / "standings.json").read_bytes())["complete"]
    assert (folder / "standings.csv").read_text().count("\n") == 4
    assert show_league(site, registry, record, "spring") == shown
    assert [each.what for each in audit(registry)] == ["shows a league"] * 2


def test_a_league_that_goes_on_is_listed_before_those_that_are_over(
    site: Site, registry: Registry, played_league: Path, tmp_path: Path
) -> None:
    for name in ("ladder.season-1", "a"):
        show_league(site, registry, played_league.with_suffix(".db"), name)
    league = Opened(tmp_path / "open.db")
    league.play(league.order())
    league.store.close()
    show_league(site, registry, tmp_path / "open.db", "now")
    assert [each.name for each in shown_leagues(site)] == ["now", "a", "ladder.season-1"]
    assert [each.ended is None for each in shown_leagues(site)] == [True, False, False]


def test_a_hidden_league_leaves_nothing(site: Site, registry: Registry, tmp_path: Path) -> None:
    show_league(site, registry, small_record(tmp_path), "spring")
    hide_league(site, registry, "spring")
    assert shown_leagues(site) == ()
    assert list(site.league_pages.iterdir()) == []
    for name in ("spring", "..", "", "../published"):
        with pytest.raises(Missing):
            hide_league(site, registry, name)


def test_what_cannot_be_shown_leaves_nothing(
    site: Site, registry: Registry, tmp_path: Path
) -> None:
    record = small_record(tmp_path)
    for name in ("Cup", "../cup", "", ".", "..", "-x"):
        with pytest.raises(Refusal):
            show_league(site, registry, record, name)
    with pytest.raises(ArenaError):
        show_league(site, registry, tmp_path / "nowhere.db", "cup")
    assert not site.league_pages.exists()
