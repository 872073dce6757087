"""The end of a season. Matches are made up here; tests/cli/test_season.py plays real ones."""

import os
import random
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import pytest

from arena.league.ledger import Closed, Line, Ordered, Sealed
from arena.league.terms import MatchKey
from arena.record.audit import ledger_flaws
from arena.record.store import Store
from arena.record.summary import summarize, table_before_final
from arena.tasks.asked_league import ask_league
from arena.tasks.open_league import OpenLeague, resume_open
from tests.support.command import run
from tests.tasks.test_open_league import (
    entries_of,
    ladder,
    opened,
    play,
    submit,
    withdraw,
    write_bot,
)

FINAL = "final = 3\nfinal_deals = 20\n"
ABC = ("a", "b", "c")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A league of three bots, in which an order was played and one is under way."""
    path = ladder(tmp_path, "abc", FINAL)
    with opened(path) as league:
        play(league, 1)
        league.most_orders = 2
        next(league.jobs())
    return path


@contextmanager
def ending(path: Path) -> Iterator[OpenLeague]:
    with resume_open(ask_league(path), ends=True) as league:
        league.begin()
        yield league


def test_a_final_is_ordered_whole_once_all_else_is_played(path: Path) -> None:
    with ending(path) as league:
        assert len(play(league, 0)) == 6
        assert league.close() == "season 1 is closed; its final is between a, b, c"
        *_, closed, first, second = entries_of(path)
        assert closed == Closed(1, ABC)
        assert first == Ordered(3, ABC, 20, 10, 12, "final")
        assert second == Ordered(4, ABC, 30, 10, 12, "final")
        assert league.close() == "season 1 is closed; its final goes on"
        assert len(play(league, 0)) == 12
        assert entries_of(path)[-1] == second


def test_who_withdraws_before_the_close_is_not_in_the_final(tmp_path: Path) -> None:
    path = ladder(tmp_path, "abc", "final = 4\nfinal_deals = 10\n")
    with opened(path):
        submit(path, write_bot(tmp_path / "mine"))
    with opened(path) as league:
        play(league, 6)
        assert all(line.sets for line in table_before_final(league.store, league.ledger))
    with ending(path) as league:
        withdraw(path, "mine")
        assert league.close().startswith("season 1 is closed; its final is between ")
        [closed] = [entry for entry in entries_of(path) if isinstance(entry, Closed)]
        assert sorted(closed.final) == ["a", "b", "c"]


def test_a_closed_season_goes_on_to_its_end_and_is_sealed(path: Path) -> None:
    with ending(path) as league:
        play(league, 0)
        league.close()
    ladder(path.parent, "abcd", FINAL)  # a bot that comes too late
    with opened(path) as league:
        assert league.ends
        assert len(play(league, 0)) == 12
        assert league.close() == "season 1 is closed; its final goes on"
        assert league.seal() == "season 1 is over; its record is sealed"
        assert not {"d"} & league.ledger.bots.keys()
    with closing(Store.open(path.with_suffix(".db"))) as store:
        assert list(ledger_flaws(store)) == []
        summary = summarize(store)
    assert entries_of(path)[-1] == Sealed(1, "7")
    assert summary.final is not None
    assert (summary.complete, summary.sets_played) == (True, 40)
    assert (summary.final.season, summary.final.sets, summary.final.sets_played) == (1, 20, 20)
    assert [line.sets for line in summary.final.standings] == [20] * 3
    done = run("standings", path)
    assert done.stdout.startswith("Final of season 1: 20 of 20 sets\n")
    assert "ladder: 40 sets so far" in done.stdout


def test_a_final_between_others_than_the_best_is_found(tmp_path: Path) -> None:
    path = ladder(tmp_path, "abcd", FINAL)
    with opened(path) as league:
        play(league, 4)
        best = league.best_bots()
        other = (*best[:2], *({*"abcd"} - {*best}))
        league.best_bots = lambda: other  # type: ignore[method-assign]
        league.close()
        before = len(entries_of(path)) - 3
        assert list(ledger_flaws(league.store)) == [
            f"after line {before} of the ledger: the final is not between the best by the table"
            " before it"
        ]


def test_a_season_killed_at_any_moment_goes_on_with_nothing_lost_or_doubled(
    tmp_path: Path,
) -> None:
    path = ladder(tmp_path, "abcd", f"width = 0.01\n{FINAL}")
    lines: list[Line] = []
    matches: dict[MatchKey, int] = {}
    dice = random.Random(1)
    with opened(path) as league:
        play(league, 4)  # so that there are enough for a final
    for ends in (False, False, False, True, True):
        kill_after(dice.uniform(0.05, 0.25), partial(_play_on, path, ends))
        with closing(Store.open(path.with_suffix(".db"))) as store:
            assert list(ledger_flaws(store)) == []
            assert store.ledger()[: len(lines)] == lines
            assert matches.items() <= store.stored().items()
            lines, matches = store.ledger(), store.stored()
    _play_on(path, ends=True)
    with closing(Store.open(path.with_suffix(".db"))) as store:
        assert list(ledger_flaws(store)) == []
        assert matches.items() <= store.stored().items()
        assert len(store.stored()) == 6 * len(store.fold().orders)
        assert store.sealed() == 1


def _play_on(path: Path, ends: bool) -> None:
    """Play a league without an end, or its season to the end if it is not over."""
    if not ends:
        with opened(path) as league:
            while True:
                play(league, None, out="d")  # benched before long
    with closing(Store.open(path.with_suffix(".db"))) as store:
        if store.sealed() is not None:
            return
    with ending(path) as league:
        play(league, 0)
        league.close()
        play(league, 0)
        league.seal()


def kill_after(seconds: float, act: Callable[[], None]) -> None:
    """Do something in a process that is killed after so long, or fails the test."""
    child = os.fork()
    if child == 0:
        try:
            act()
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.waitstatus_to_exitcode(status) in (-signal.SIGKILL, 0)
