"""Fetches the logs of an author's matches from a site into a record, each time the new ones."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from arena.base.errors import ArenaError, Mistake
from arena.base.refusals import Busy, OverQuota
from arena.record.matches import ReplayedMatch
from arena.record.pulled import keep_match, last_pulled, read_logs
from arena.site.api import Pulled
from arena.site.client.client import LONGEST_WAIT_S, Pending, Remote

_TOGETHER: Final = 4
"""The number of logs that are asked for at once: a site lets few requests wait."""

_PATIENCE: Final = 120
"""The number of times that a log which is not cut yet is asked for."""


def new_matches(remote: Remote, record: Path, most: int) -> Pulled:
    """Return the newest of one's own matches that a record lacks. Raises `ArenaError`."""
    return remote.get(f"pull?after={last_pulled(record, remote.address)}&most={most}", Pulled)


def pull(remote: Remote, record: Path, numbers: Sequence[int]) -> Iterator[ReplayedMatch]:
    """Store matches of a site in a record, and yield each once it is there.

    The oldest come first, so that an interrupted pull can be repeated. Raises `ArenaError`, also
    for a match that is not what was played.
    """
    for begin in range(0, len(numbers), _TOGETHER):
        together = numbers[begin : begin + _TOGETHER]
        logs = _fetched(remote, together)
        for number in together:
            found = list(read_logs(logs[number], f"{remote.address}/matches/{number}"))
            if [match.number for match in found] != [number]:
                what = f"the site sent another log than that of match {number}"
                raise ArenaError(Mistake(what, remote.address))
            keep_match(record, found[0], remote.address)
            yield found[0]


def _fetched(remote: Remote, numbers: Sequence[int]) -> dict[int, bytes]:
    """Return logs by match, as soon as the site has cut them. Raises `ArenaError`."""
    logs: dict[int, bytes] = {}
    for _ in range(_PATIENCE):
        wait_s = 0.0
        for number in numbers:
            if number in logs:
                continue
            try:
                logs[number] = remote.fetch(f"matches/{number}/log")
            except Pending as pending:
                wait_s = max(wait_s, pending.wait_s)
            except (OverQuota, Busy) as busy:
                if busy.wait_s is None:
                    raise
                wait_s = max(wait_s, min(busy.wait_s, LONGEST_WAIT_S))
                break  # others would be refused, too
        if len(logs) == len(numbers):
            return logs
        remote.sleep(wait_s)
    what = f"the site has not made {len(numbers) - len(logs)} logs yet"
    raise ArenaError(Mistake(what, remote.address, "try again later"))
