"""Leagues that a site holds beside its own: who plays, that all of it is played, what is shown."""

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.base.errors import ArenaError
from arena.base.refusals import Conflict, Missing, Refusal
from arena.engine.runner import Interrupted
from arena.record.audit import ledger_flaws
from arena.record.paths import record_path
from arena.record.store import Store
from arena.record.summary import summarize
from arena.site.config import Site, read_site
from arena.site.holding import hold_league, play_due, show_record
from arena.site.life import Life
from arena.site.processes import make_folders
from arena.site.publish.held import HeldPages
from arena.site.registry.file import Registry
from arena.site.registry.held import (
    HeldLeague,
    drop_held,
    due_league,
    held_leagues,
    note_held,
)
from arena.site.registry.invitations import accept, invite
from arena.tasks.asked_league import ask_league
from arena.tasks.open_league import resume_open
from tests.site.test_player import Short
from tests.support.records import small_record
from tests.support.whole_site import write_site

CUP = 'format = "tournament"\nrounds = 2\ndeals = 3\nsandbox.level = "none"\n'
CALENDAR = "final = 3\nfinal_deals = 10\nclose_at = 2020-01-01T12:00:00\n"


@pytest.fixture(name="site")
def _site(tmp_path: Path) -> Site:
    site = read_site(write_site(tmp_path, "abcde", CALENDAR))
    make_folders(site)
    return site


@pytest.fixture(name="registry")
def _registry(site: Site) -> Iterator[Registry]:
    with closing(Registry.open(site.registry)) as registry:
        yield registry


def held(site: Site, registry: Registry, name: str = "cup", **keys: object) -> Path:
    """Hold a tournament from now on; its file."""
    file = site.path.with_name("cup.toml")
    file.write_text(CUP)
    given: dict[str, object] = {"at": 0.0, "best": None, **keys}
    hold_league(site, registry, HeldLeague(name, **given), file)  # type: ignore[arg-type]
    return site.held_file(name)


def begin(site: Site) -> None:
    """Let the bots of the site's league come."""
    with resume_open(ask_league(site.league)) as league:
        league.begin()
        next(league.jobs())


def play(site: Site, registry: Registry, life: Life) -> None:
    play_due(site, registry, life)


def test_a_site_that_is_stopped_while_a_held_league_plays_has_not_crashed(
    site: Site, registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    Short(site.path).play()
    held(site, registry)

    def stopped(*_: object, **__: object) -> None:
        raise Interrupted(143)

    monkeypatch.setattr("arena.site.holding.run", stopped)
    Short(site.path).play()
    assert [each.state for each in held_leagues(registry)] == ["playing"]


def bots_of(path: Path) -> dict[str, str]:
    """The bots of a record with their authors."""
    with closing(Store.open(record_path(path))) as store:
        return store.terms().authors


def test_a_league_is_held_before_the_season_ends_and_its_pages_are_shown(
    site: Site, registry: Registry
) -> None:
    for name in ("a and son", "b and son"):
        accept(registry, invite(registry, name, team="Blue"))
    cup = held(site, registry)
    said = Short(site.path).play()
    assert said.index("cup is over") < said.index("season 1 is over; its record is sealed")
    assert [each.state for each in held_leagues(registry)] == ["over"]
    assert bots_of(cup) == {
        "a": "Blue",
        "b": "Blue",
        **{bot: f"{bot} and son" for bot in "cde"},
    }
    with closing(Store.open(record_path(cup))) as store:
        assert summarize(store).complete
        assert list(ledger_flaws(store)) == []
        table = [line.bot for line in summarize(store).standings]
        assert store.dates() is not None
    pages = HeldPages(site, registry, Life(site, "publisher"))
    pages.look()
    [shown] = pages.shown
    assert (shown.name, shown.state, shown.bots) == ("cup", "over", 5)
    assert {bot for bot, rank in shown.best.items() if rank == 1} <= {*table[:3]}
    assert next(iter(shown.best)) == table[0]
    folder = site.league_pages / "cup"
    for tag, words in (("en", "All leagues of this site"), ("lv", "Visas šīs vietnes līgas")):
        assert words in (folder / tag / "index.html").read_text()
    assert json.loads((folder / "standings.json").read_bytes())["complete"]
    assert (folder / "standings.csv").read_text().count("\n") == 6
    made = (folder / "en" / "index.html").stat().st_mtime_ns
    HeldPages(site, registry, Life(site, "publisher")).look()
    assert (folder / "en" / "index.html").stat().st_mtime_ns == made  # nothing was made anew


def test_a_league_that_waits_is_told_by_its_title(site: Site, registry: Registry) -> None:
    cup = held(site, registry, at=9e9)
    cup.write_text(f'name = "Little cup"\n{CUP}')
    pages = HeldPages(site, registry, Life(site, "publisher"))
    pages.look()
    assert [(each.name, each.title) for each in pages.shown] == [("cup", "Little cup")]


def test_only_the_best_play(site: Site, registry: Registry) -> None:
    begin(site)
    some = held(site, registry, "some", best=3)
    play(site, registry, Life(site, "league"))
    assert len(bots_of(some)) == 3


def test_a_league_that_cannot_be_held_says_why_and_holds_up_nobody(
    site: Site, registry: Registry
) -> None:
    begin(site)
    held(site, registry, best=2)
    play(site, registry, Life(site, "league"))
    [found] = held_leagues(registry)
    assert found.state == "failed"
    assert found.why == "a tournament needs 3 bots or more, here are 2"
    assert due_league(registry) is None


def test_a_league_that_was_begun_goes_on_after_a_kill(site: Site, registry: Registry) -> None:
    begin(site)
    cup = held(site, registry)

    class Killed(BaseException):
        pass

    class Deadly(Life):
        def __init__(self, beats: int) -> None:
            super().__init__(site, "league")
            self.left = beats

        def beat(self, doing: str, ended: bool = False) -> None:
            self.left -= 1
            if not self.left:
                raise Killed

    beats, stored = 1, 0
    while any(each.state != "over" for each in held_leagues(registry)):
        try:
            play(site, registry, Deadly(beats))
        except Killed:
            beats += 3
            with closing(Store.open(record_path(cup))) as store:
                assert len(store.stored()) >= stored
                stored = len(store.stored())
    with closing(Store.open(record_path(cup))) as store:
        assert summarize(store).complete
        assert list(ledger_flaws(store)) == []


def test_what_cannot_be_held_is_refused(site: Site, registry: Registry, tmp_path: Path) -> None:
    for name in ("Cup", "../cup", "", "season-1"):
        with pytest.raises(Refusal):
            held(site, registry, name)
    for text, why in (('format = "open"\n', "never ends"), ('bots = ["a"]\n', "by bots of the")):
        (tmp_path / "x.toml").write_text(text)
        with pytest.raises(ArenaError, match=why):
            hold_league(site, registry, HeldLeague("x", 0, None), tmp_path / "x.toml")
    held(site, registry)
    with pytest.raises(Conflict):
        held(site, registry)
    drop_held(registry, "cup")
    with pytest.raises(Missing):
        drop_held(registry, "cup")
    record_path(site.held_file("cup")).touch()
    with pytest.raises(ArenaError, match="files of an earlier league"):
        held(site, registry)


def test_a_league_that_failed_leaves_its_name_free(site: Site, registry: Registry) -> None:
    held(site, registry)
    note_held(registry, "cup", "failed", "too few bots")
    held(site, registry)
    assert [each.state for each in held_leagues(registry)] == ["waiting"]


def test_a_record_of_elsewhere_and_past_seasons_are_shown(
    site: Site, registry: Registry, tmp_path: Path
) -> None:
    record = small_record(tmp_path)
    show_record(site, registry, HeldLeague("spring", 9.0, None, "over"), record)
    record.rename(site.league.with_name("ladder.season-1.db"))
    site.league.with_name("ladder.season-x.db").write_bytes(b"")
    pages = HeldPages(site, registry, Life(site, "publisher"))
    pages.look()
    assert [each.name for each in pages.shown] == ["spring", "season-1"]
    assert all(each.has_pages for each in pages.shown)
    assert (pages.version, due_league(registry)) == (1, None)
    pages.look()
    assert pages.version == 1
