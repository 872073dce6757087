"""Reads one thing of a record or an exported log, and closes the file again."""

import gzip
from contextlib import closing
from pathlib import Path

import msgspec

from arena.league.schedule import MatchSpec
from arena.match.log import LoggedDeal
from arena.record.exported import open_matches
from arena.record.matches import StoredMatch
from arena.record.store import Store


def find_match(path: Path, number: int | None) -> StoredMatch:
    """The match with this number, or the only one there is. Raises `ArenaError`."""
    with closing(open_matches(path)) as matches:
        return matches.find(number)


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
    return [first, *((deal.deal, deal.hands, [step[:2] for step in deal.steps]) for deal in deals)]
