"""Stored matches of a league's record or an exported log, each ready to be replayed."""

import gzip
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.files import read_file
from arena.league.format import MOST_DEALS
from arena.league.ledger import Ordered, read_line
from arena.league.plans import Orders, match_plan, misfit
from arena.league.played import MatchOutline
from arena.league.schedule import MatchSpec
from arena.league.terms import Terms
from arena.match.commands import MatchPlan, PlayedDeal
from arena.match.log import Unfaithful, logged_deal, read_log
from arena.match.logged import Replayed, play_again, play_verified, verify
from arena.match.record import MatchRecord, Results
from arena.match.replay import SeenMatch, seen_deals
from arena.match.wire import Limits
from arena.record.paths import record_path
from arena.record.rows import outline_match
from arena.record.store import Store
from arena.zole.deal import flaw
from arena.zole.rules import Rules, contradictions


def check_bot(bot: str, known: Collection[str], place: str) -> None:
    """Raise `ArenaError` for a bot that is not `known`; `place` is where it was named."""
    if bot not in known:
        remedy = f"there are {', '.join(sorted(known))}"
        raise ArenaError(Mistake(f"no bot is called {bot} here", place, remedy))


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


class StoredMatch(msgspec.Struct, frozen=True, kw_only=True):
    """A match, its plan and its record. `first` is the league's number of the match's deal 0.

    `again` is the match replayed from its log and compared with the record. `terms` are the
    league's, None for an exported log.
    """

    league: str | None
    number: int
    bots: tuple[str, ...]
    first: int
    plan: MatchPlan
    record: MatchRecord
    again: Replayed
    terms: Terms | None = None

    @property
    def deals(self) -> tuple[PlayedDeal, ...]:
        """The deals as played, in order."""
        return self.again.deals


class Matches:
    """All matches of a league's record or of an exported log. Each is verified when it is read."""

    def __init__(self, path: Path, own: bool = False) -> None:
        """Raises `ArenaError` if the file is missing or is neither. `own`: see `Store.open`."""
        if not path.exists():
            raise ArenaError(Mistake("there is no such file", str(path)))
        self.path = path
        self._store: Store | None = None
        self._exported: list[_ExportedMatch] = []
        if path.suffix in (".toml", ".db") or path.is_dir():
            self.path = record_path(path)
            self._store = Store.open(self.path, own=own)
        else:
            self._exported = list(_exported(path))

    def close(self) -> None:
        """Close the record, if it is one."""
        if self._store is not None:
            self._store.close()

    def outlines(self) -> list[MatchOutline]:
        """Return all matches without their logs."""
        if self._store is not None:
            return list(self._store.outlines())
        return [each.outline for each in self._exported]

    def results(self) -> Iterator[tuple[int, tuple[str, ...], Results]]:
        """Yield number, bots by seat and results of every match, without verifying them."""
        if self._store is not None:
            for number, spec, record in self._store.matches():
                yield number, spec.seats, record.results
        else:
            for match in self.read():
                yield match.number, match.bots, match.record.results

    def read(self, number: int | None = None) -> Iterator[StoredMatch]:
        """Yield every match in full, or one. Raises `ArenaError` if one was tampered with."""
        if self._store is not None:
            yield from self._stored(self._store, number)
        else:
            for each in self._exported:
                if number in (None, each.head.match):
                    yield _match(each.head, each.log)

    def with_faults(self) -> Iterator[StoredMatch]:
        """Yield the matches with faults, in full."""
        if self._store is not None:
            yield from self._stored(self._store, faulty=True)
        else:
            for each in self._exported:
                if each.outline.faults:
                    yield _match(each.head, each.log)

    def find(self, number: int | None) -> StoredMatch:
        """Return the match with this number, or the only one there is. Raises `ArenaError`."""
        found = None if number is None else next(self.read(number), None)
        if found is not None:
            return found
        numbers = self._numbers()
        if number is None and len(numbers) == 1:
            return self.find(numbers[0])
        what = "which match?" if number is None else f"there is no match {number}"
        known = f"they are {numbers[0]} to {numbers[-1]}" if numbers else "there is none yet"
        remedy = f"{known}; arena replay {self.path} lists them"
        raise ArenaError(Mistake(what, str(self.path), remedy))

    def league(self) -> Store:
        """Return the record of the league. Raises `ArenaError` for an exported log."""
        if self._store is None:
            raise ArenaError(
                Mistake("this is a log, not a league", str(self.path), "name a league")
            )
        return self._store

    def _numbers(self) -> Sequence[int]:
        if self._store is not None:
            return self._store.numbers()
        return sorted(each.head.match for each in self._exported)

    def _stored(
        self, store: Store, number: int | None = None, faulty: bool = False
    ) -> Iterator[StoredMatch]:
        terms, seeds, orders = store.terms(), store.seeds(), store.fold().orders
        for found, spec, record in store.matches(number, faulty):
            try:
                plan = _plan(terms, seeds, spec, orders)
                again = play_verified(plan, record)
            except Unfaithful as error:
                raise _damaged(self.path, found, error) from None
            yield StoredMatch(
                league=terms.name,
                number=found,
                bots=spec.seats,
                first=spec.first,
                plan=plan,
                record=record,
                again=again,
                terms=terms,
            )


def _orders(store: Store) -> Orders:
    """Return the orders of a ledger even if it has flaws, which are for `ledger_flaws` to tell."""
    with store.reading():
        entries = [read_line(line.text).entry for line in store.ledger()]
    return {(it.lineup, it.first): it for it in entries if isinstance(it, Ordered)}


def verify_all(store: Store) -> Iterator[tuple[int, MatchSpec, str | None]]:
    """Replay every stored match; yield each with the reason why it is false, or None."""
    terms, seeds, orders = store.terms(), store.seeds(), _orders(store)
    for number, spec, record in store.matches():
        try:
            verify(_plan(terms, seeds, spec, orders), record)
        except Unfaithful as error:
            yield number, spec, str(error)
        else:
            yield number, spec, None


def _plan(terms: Terms, seeds: Sequence[str], spec: MatchSpec, orders: Orders) -> MatchPlan:
    """Return the plan of a stored match. Raises `Unfaithful` if it is no match of its league."""
    wrong = misfit(terms, seeds, spec, orders)
    if wrong is not None:
        raise Unfaithful(wrong)
    return match_plan(terms, seeds, spec)


def seen(match: StoredMatch) -> SeenMatch:
    """Return a match as people view it, private words included."""
    return SeenMatch(
        match.league,
        match.number,
        match.bots,
        match.plan.rules,
        match.record.isolation,
        tuple(seen_deals(match.again)),
        match.record.stderr,
    )


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
            raise _damaged(path, head.match, error) from None
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
    _, lines = read_log(log)
    if len(lines) > MOST_DEALS:
        raise Unfaithful(f"it has more than {MOST_DEALS} deals")
    deals = tuple(map(logged_deal, lines))
    for number, deal in enumerate(deals):
        wrong = flaw(deal)
        if wrong or deal.players != head.rules.players:
            raise Unfaithful(f"deal {number}: {wrong or 'not the players of the rules'}")
    plan = MatchPlan(
        head.rules, head.limits, head.max_faults, deals, head.seeds, head.session, head.people
    )
    again = play_again(plan, log, head.payments)
    record = again.record(head.stderr, head.isolation)
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


def _damaged(path: Path, number: int, error: Unfaithful) -> ArenaError:
    return ArenaError(Mistake(f"match {number} is not what was played: {error}", str(path)))
