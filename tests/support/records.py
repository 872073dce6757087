"""Reads one thing of a record, and makes small records."""

import gzip
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec

from arena.league.schedule import MatchSpec
from arena.match.log import LoggedDeal
from arena.match.replay import SeenMatch
from arena.record.export import whole_log
from arena.record.matches import ReplayedMatch
from arena.record.matches import find_match as match_of
from arena.record.paths import record_path
from arena.record.pulled import keep_match, read_logs
from arena.record.store import Store
from tests.support.stored_league import stored_league


def find_match(path: Path, number: int | None) -> ReplayedMatch:
    """The match with this number, or the only one there is. Raises `ArenaError`."""
    with closing(Store.open(record_path(path))) as store:
        return match_of(store, number)


def at(match: SeenMatch, deal: int, ply: int) -> SeenMatch:
    """One deal of a match up to a number of its moments, as somebody may look at it.

    Bots write to stderr at any time, so it is there only at the very end.
    """
    whole = match.deals[deal]
    over = ply == len(whole.moments)
    result = whole.result if over else None
    seen = msgspec.structs.replace(whole, moments=whole.moments[:ply], result=result)
    stderr = match.stderr if over and deal == len(match.deals) - 1 else ()
    return msgspec.structs.replace(match, deals=(seen,), stderr=stderr)


def record_of_logs(path: Path, logs: str) -> Path:
    """A record of some exported logs."""
    for match in read_logs(logs.encode(), "logs"):
        keep_match(path, match)
    return path


def record_of(match: ReplayedMatch, folder: Path) -> Path:
    """A record of one match, private words included."""
    path = folder / "one.db"
    path.unlink(missing_ok=True)
    return record_of_logs(path, whole_log(match, private=True))


def timeless_matches(record: Path) -> list[tuple[MatchSpec, object]]:
    """Every match of a record but for the times in its log."""
    with closing(Store.open(record)) as store:
        return [
            (spec, (match.results.payments, match.results.courses, _timeless(match.log)))
            for _, spec, match in store.matches()
        ]


def _timeless(log: bytes) -> list[object]:
    first, *lines = gzip.decompress(log).splitlines()
    deals = [msgspec.json.decode(line, type=LoggedDeal) for line in lines]
    return [first, *((deal.deal, deal.cards, [step[:2] for step in deal.steps]) for deal in deals)]


def small_record(folder: Path) -> Path:
    """A record as small as can be with faults, a void match and submissions, and its league."""
    path = stored_league(folder).with_suffix(".db")
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        for statement in (
            "DELETE FROM logs WHERE match > 3",
            "DELETE FROM matches WHERE id > 3",
            "PRAGMA journal_mode=DELETE",
            "PRAGMA page_size=512",
            "VACUUM",
        ):
            sql.execute(statement)
    return path
