"""A record of a million deals: how long it takes to open, to resume and to rank it.

The matches are one that was really played, stored again and again by the arena's own writer with
other payments.
"""

import tempfile
from collections.abc import Callable
from itertools import combinations
from pathlib import Path
from time import perf_counter

import msgspec
import numpy as np

from arena.engine.worker import play_match
from arena.match.record import MatchRecord
from arena.record.paths import record_path
from arena.record.store import Store
from arena.record.summary import summarize, summarize_fully
from arena.sandbox.isolation import choose_isolation
from arena.tasks.closed_league import resume_closed
from arena.tasks.league_request import request_league
from benchmarks.figures import Row, Rows, Run
from benchmarks.leagues import league_of
from benchmarks.speed import match_of

BOTS = tuple("abcdefgh")
"""Eight bots have 56 tables, each in six seatings."""
DEALS = 1_000_000
"""So many, or a few more."""


def measure(run: Run) -> Rows:
    """Make the record, then time each use of it."""
    tables = list(combinations(BOTS, 3))
    deals = -(-DEALS // (6 * len(tables)))
    played = play_match(match_of(Path(run.bot), deals, choose_isolation()))
    with tempfile.TemporaryDirectory() as folder:
        path = league_of(run.bot, BOTS, deals, Path(folder))
        with resume_closed(request_league(path, 7)) as season:
            for spec in season.remaining():
                season.store.add(spec, other(played, hash((spec.lineup, spec.seating))))
        stored = len(tables) * 6 * deals
        size = record_path(path).stat().st_size / stored
        yield Row("a deal's log, compressed", (f"{len(played.log) / deals:.0f} bytes",))
        open_s = timed(lambda: resumed(path))
        store = Store.open(record_path(path))
        rank_s = timed(lambda: summarize(store))
        analyse_s = timed(lambda: summarize_fully(store))
        store.close()
    yield Row(
        f"a record of {stored:,} deals: open and resume, rank, rank and analyse",
        (f"{open_s:.1f} s, {rank_s:.1f} s, {analyse_s:.1f} s; {size:.0f} bytes a deal",),
    )


def other(played: MatchRecord, seed: int) -> MatchRecord:
    """The match with the payments of its deals in another order."""
    results = played.results
    order = np.random.default_rng(abs(seed)).permutation(len(results.payments))
    results = msgspec.structs.replace(
        results,
        payments=tuple(results.payments[place] for place in order),
        courses=tuple(results.courses[place] for place in order),
    )
    return msgspec.structs.replace(played, results=results)


def resumed(path: Path) -> None:
    with resume_closed(request_league(path, 7)) as season:
        assert not season.remaining()


def timed(action: Callable[[], object]) -> float:
    began = perf_counter()
    action()
    return perf_counter() - began
