"""Exported logs of matches: their headers, and a file of them read as matches."""

import gzip
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.files import read_file
from arena.base.words import deal_name
from arena.league.config import MOST_DEALS
from arena.league.played import MatchOutline
from arena.match.commands import MatchPlan
from arena.match.log import Unfaithful, logged_deal, read_log
from arena.match.logged import play_again
from arena.match.record import Results
from arena.match.wire import Limits
from arena.record.matches import LeagueMatches, Matches, StoredMatch, damaged
from arena.record.rows import outline_match
from arena.record.store import Store
from arena.zole.deal import flaw
from arena.zole.rules import Rules, contradictions


class LogHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of an exported log: a match without its deals.

    `log` is the number of the format, `first` the league's number of the match's deal 0, `seeds`
    are the `hello.seed` of each seat, `payments` stakes by deal and seat; `people` are the seats
    that persons have, with limits of their own.
    """

    log: int = 1
    league: str | None
    match: int
    bots: tuple[str, ...]
    first: int
    rules: Rules
    limits: Limits
    max_faults: int
    session: int | None
    seeds: tuple[int, ...]
    isolation: str
    payments: tuple[tuple[int, ...], ...]
    disqualified: tuple[int, ...]
    stderr: tuple[str, ...]
    people: dict[int, Limits] = {}


_LARGEST_EXPORT: Final = 256 << 20
"""The most bytes that a file of exported logs may have."""

_LONGEST_HEAD: Final = 16 << 20
"""The most bytes that a match's first line may have: the payments of 200,000 deals are 4 MiB."""

_HEAD: Final = b'{"log":'
"""The first bytes of a match in an exported log."""


def header(match: StoredMatch) -> LogHeader:
    """Return the first line of a match's exported log."""
    plan, record = match.plan, match.record
    return LogHeader(
        league=match.league,
        match=match.number,
        bots=match.bots,
        first=match.first,
        rules=plan.rules,
        limits=plan.limits,
        max_faults=plan.max_faults,
        session=plan.session,
        seeds=plan.seeds,
        isolation=record.isolation,
        payments=record.results.payments,
        disqualified=record.results.disqualified,
        stderr=record.stderr,
        people=dict(plan.people),
    )


class _ExportedMatch(msgspec.Struct, frozen=True):
    """A match of an exported log that proved sound, kept in little memory: `log` is compressed."""

    head: LogHeader
    log: bytes
    outline: MatchOutline


class ExportedMatches(Matches):
    """The matches of an exported log, which is read and verified as a whole."""

    def __init__(self, path: Path) -> None:
        """Raises `ArenaError` if the file is no log, or one of its matches was tampered with."""
        self.path = path
        self._all = list(_exported(path))

    def close(self) -> None:
        """Nothing is open."""

    def league(self) -> Store:
        """Raises `ArenaError`: a log has no league."""
        raise ArenaError(Mistake("this is a log, not a league", str(self.path), "name a league"))

    def outlines(self) -> list[MatchOutline]:
        """Return all matches without their logs."""
        return [each.outline for each in self._all]

    def results(self) -> Iterator[tuple[int, tuple[str, ...], Results]]:
        """Yield number, bots by seat and results of every match."""
        for match in self.read():
            yield match.number, match.bots, match.record.results

    def read(self, number: int | None = None) -> Iterator[StoredMatch]:
        """Yield every match in full, or one."""
        for each in self._all:
            if number in (None, each.head.match):
                yield _match(each.head, each.log)

    def with_faults(self) -> Iterator[StoredMatch]:
        """Yield the matches with faults, in full."""
        for each in self._all:
            if each.outline.faults:
                yield _match(each.head, each.log)

    def numbers(self) -> Sequence[int]:
        """Return the numbers of all matches, in ascending order."""
        return sorted(each.head.match for each in self._all)


def open_matches(path: Path) -> Matches:
    """Open a league's record or an exported log. Raises `ArenaError` if the file is neither."""
    if not path.exists():
        raise ArenaError(Mistake("there is no such file", str(path)))
    is_league = path.suffix in (".toml", ".db") or path.is_dir()
    return LeagueMatches(path) if is_league else ExportedMatches(path)


def _exported(path: Path) -> Iterator[_ExportedMatch]:
    """Yield the matches of an exported log. Raises `ArenaError` with the place of the mistake."""
    data, begin = read_file(path, _LARGEST_EXPORT), 0
    if not data.startswith(_HEAD):
        what = "this is neither a league (.toml, .db) nor a log"
        raise ArenaError(Mistake(what, str(path), "arena export LEAGUE logs writes one"))
    while begin < len(data):
        end = data.find(b"\n" + _HEAD, begin) + 1 or len(data)
        lines = data.find(b"\n", begin, end) + 1 or end
        try:
            if lines - begin > _LONGEST_HEAD:
                raise ValueError(f"it has more than {_LONGEST_HEAD >> 20} MiB")
            head = msgspec.json.decode(data[begin:lines], type=LogHeader)
            wrong = _flaw(head)
            if wrong is not None:
                raise ValueError(wrong)
        except (ValueError, RecursionError) as error:
            number = data.count(b"\n", 0, begin) + 1
            raise ArenaError(
                Mistake(f"not the header of a log: {error}", f"{path}:{number}")
            ) from None
        try:
            log = gzip.compress(memoryview(data)[lines:end], 1, mtime=0)
            yield _ExportedMatch(head, log, _outline(_match(head, log)))
        except Unfaithful as error:
            raise damaged(path, head.match, error) from None
        begin = end


def _flaw(head: LogHeader) -> str | None:
    """Return why no log can begin with this line, or None."""
    players = head.rules.players
    for _, what, _ in contradictions(head.rules):
        return what
    if head.log != 1 or head.match < 0 or head.first < 0 or not all(head.bots):
        return "it has numbers or names that no log has"
    if not len(head.bots) == len(head.seeds) == players or len(head.stderr) not in (0, players):
        return f"it does not have {players} seats"
    if len(head.payments) > MOST_DEALS or any(len(paid) != players for paid in head.payments):
        return "its payments are not those of a match"
    if (head.session is not None and head.session < 1) or head.max_faults < 1:
        return "it has a limit below 1"
    if not all(0 <= seed < 1 << 53 for seed in head.seeds):
        return "it has seeds beyond those of the protocol"
    return None


def _match(head: LogHeader, log: bytes) -> StoredMatch:
    """Return an exported match. Raises `Unfaithful` if its log and header disagree."""
    deals = tuple(map(logged_deal, read_log(log)[1]))
    if len(deals) > MOST_DEALS:
        raise Unfaithful(f"it has more than {MOST_DEALS} deals")
    for number, deal in enumerate(deals):
        wrong = flaw(deal)
        if wrong or deal.players != head.rules.players:
            what = wrong or "not the players of the rules"
            raise Unfaithful(f"{deal_name(number)}: {what}")
    plan = MatchPlan(
        head.rules, head.limits, head.max_faults, deals, head.seeds, head.session, head.people
    )
    again = play_again(plan, log)
    record = again.record(log, head.stderr, head.isolation)
    if (record.results.payments, record.results.disqualified) != (head.payments, head.disqualified):
        raise Unfaithful("the results in the header differ from those of the log")
    return StoredMatch(
        league=head.league,
        number=head.match,
        bots=head.bots,
        first=head.first,
        plan=plan,
        record=record,
        again=again,
    )


def _outline(match: StoredMatch) -> MatchOutline:
    return outline_match(
        match.number, match.bots, match.first, match.record.results, match.record.isolation
    )
