"""The reviewer of a site: which tables it reviews, and what it leaves for the publisher."""

import os
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.league.ledger import Ordered
from arena.league.terms import match_plan, order_matches
from arena.record.store import Store
from arena.review.summary import BotReview
from arena.site import reviews as reviews_module
from arena.site.config import Site, read_site
from arena.site.life import Life
from arena.site.processes import make_folders
from arena.site.reviews import Reviewer, read_reviews, review_played
from arena.tasks import review as task
from arena.tasks.review import ReviewRequest
from tests.support.made_up import ByChance
from tests.support.open_record import Opened, play_scripted


@pytest.fixture(name="site")
def _site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """A site that reviews one table of each bot, by a solver that solves nothing."""
    monkeypatch.setattr(task, "solver_here", ByChance)
    monkeypatch.setattr(reviews_module, "WORLDS", 8)
    monkeypatch.setattr(reviews_module, "_SHARE", 1)
    (tmp_path / "site.toml").write_text('league = "ladder.toml"\nreview_tables = 1\n')
    site = read_site(tmp_path / "site.toml")
    make_folders(site)
    return site


@pytest.fixture(name="league")
def _league(tmp_path: Path) -> Iterator[Opened]:
    league = Opened(tmp_path / "ladder.db", "abcd")
    with closing(league.store):
        yield league


def play(league: Opened, order: Ordered, matches: slice = slice(None)) -> None:
    """Play some of the matches of an order."""
    for spec in list(order_matches(league.terms, order))[matches]:
        record = play_scripted(match_plan(league.terms, league.seeds, spec))
        league.store.add(spec, msgspec.structs.replace(record, held_s=(0.5,) * 3))
        for outcome in league.store.outcomes(after=league.draw.known):
            league.draw.stored(outcome)


def found_in(site: Site, league: Opened) -> dict[str, BotReview]:
    assert read_reviews(site, "of another record") == {}
    return read_reviews(site, league.store.facts().identity)


def test_complete_tables_are_reviewed_as_long_as_a_bot_has_too_few(
    site: Site, league: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def missing(store: Store, what: ReviewRequest, *_: object) -> Iterator[Any]:
        asked.extend(what.matches or ())
        yield from ()

    monkeypatch.setattr(reviews_module, "missing", missing)
    monkeypatch.setattr(reviews_module, "reviewed", lambda *_: ())
    with closing(Reviewer(site, Life(site, "reviews"))) as reviewer:
        for _ in range(3):
            league.go_on(1)
            reviewer.go_on()
        orders = league.store.fold().orders
    assert asked[:6] == [1, 2, 3, 4, 5, 6]
    tables = [{*lineup} for lineup, _ in orders]
    assert len(asked) == 6 * (2 if len(tables[0] | tables[1]) == 4 else 3)


@pytest.mark.slow
def test_one_table_of_each_bot_is_reviewed_once_it_is_complete(
    site: Site, league: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Reviewer(site, Life(site, "reviews"))) as reviewer:
        first = league.order()
        play(league, first, slice(5))
        reviewer.go_on()
        assert found_in(site, league) == {}
        play(league, first, slice(5, 6))
        reviewer.go_on()
        found = found_in(site, league)
        assert set(found) == {*first.lineup}
        assert all(each.all.loss.of > 0 for each in found.values())
        second = league.order()
        assert not {*second.lineup} <= {*first.lineup}
        play(league, second)
        reviewer.go_on()
        both = found_in(site, league)
        assert set(both) == {*"abcd"}
        monkeypatch.setattr(reviews_module, "review_each", None)  # nothing is computed any more
        play(league, league.order())
        reviewer.go_on()
    (site.folder / "reviews.json").unlink()
    with closing(Reviewer(site, Life(site, "reviews"))) as again:
        again.go_on()
    assert found_in(site, league) == both


def test_without_a_solver_the_site_is_told_to_be_mended(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> None:
        raise MachineError(Mistake("a review needs wasmtime"))

    monkeypatch.setattr(reviews_module, "Solver", missing)
    monkeypatch.setattr(os, "nice", lambda _: 0)
    with pytest.raises(ArenaError, match="wasmtime") as told:
        review_played(site, Life(site, "reviews"))
    assert told.value.exit_code == 2
