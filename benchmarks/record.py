"""A record of a million deals: how long it takes to open, to resume and to rank it.

Run it from the project's folder: `.venv/bin/python -m benchmarks.record`. The matches are one that
was really played, stored again and again by the arena's own writer with other payments.
"""

import argparse
import tempfile
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
from arena.tasks.season import open_season
from benchmarks.league import league_of
from benchmarks.speed import build, match_of

BOTS = tuple("abcdefgh")
"""Eight bots have 56 tables, each in six seatings."""


def main() -> None:
    """Make the record, then print seconds for each use and bytes for each deal."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--deals", type=int, default=1_000_000, help="deals of the record")
    chosen = options.parse_args()
    tables = list(combinations(BOTS, 3))
    deals = -(-chosen.deals // (6 * len(tables)))
    with tempfile.TemporaryDirectory() as folder:
        bot = build("bot", folder)
        job = match_of(Path(bot), deals, choose_isolation())
        played = play_match(job)
        home = Path(folder, "league")
        home.mkdir()
        path = league_of(bot, BOTS, deals, home)
        with open_season(path, 7) as season:
            began = perf_counter()
            for spec in season.remaining():
                season.store.add(spec, other(played, hash((spec.lineup, spec.seating))))
            made = perf_counter() - began
            stored = len(tables) * 6 * deals
        size = record_path(path).stat().st_size
        print(
            f"{stored:,} deals stored in {made:.1f} s, {size / stored:.0f} bytes each in the file"
        )
        print(f"log: {len(played.log) / deals:.0f} bytes a deal, compressed")
        timed("open and resume", lambda: resumed(path))
        store = Store.open(record_path(path))
        timed("rank (arena standings)", lambda: summarize(store))
        timed("rank and analyse (arena standings --all)", lambda: summarize_fully(store))
        store.close()


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
    with open_season(path, 7) as season:
        assert not season.remaining()


def timed(what: str, action: object) -> None:
    assert callable(action)
    began = perf_counter()
    action()
    print(f"{what}: {perf_counter() - began:.2f} s")


if __name__ == "__main__":
    main()
