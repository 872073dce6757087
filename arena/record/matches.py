"""Stored matches of a league, each ready to be replayed."""

import shlex
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.league.config import OpenConfig
from arena.league.ledger import Ordered, order_seed, read_line
from arena.league.plans import Orders, match_plan, misfit
from arena.league.played import MatchOutline
from arena.league.schedule import MatchSpec
from arena.league.terms import Terms
from arena.match.commands import MatchPlan, PlayedDeal
from arena.match.log import Unfaithful
from arena.match.logged import Replayed, play_again, verify
from arena.match.record import MatchRecord, Results
from arena.match.replay import SeenMatch, seen_deal
from arena.record.facts import read_seeds
from arena.record.paths import record_path
from arena.record.store import Store


def check_bot(bot: str, known: Collection[str], place: str) -> None:
    """Raise `ArenaError` for a bot that is not `known`; `place` is where it was named."""
    if bot not in known:
        remedy = f"there are {', '.join(sorted(known))}"
        raise ArenaError(Mistake(f"no bot is called {bot} here", place, remedy))


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


class Matches(ABC):
    """Matches that were stored at a `path`. Each is verified when it is read."""

    path: Path

    @abstractmethod
    def close(self) -> None:
        """Close the file, if it is open."""

    @abstractmethod
    def league(self) -> Store:
        """Return the record of the league. Raises `ArenaError` if there is none."""

    @abstractmethod
    def outlines(self) -> list[MatchOutline]:
        """Return all matches without their logs."""

    @abstractmethod
    def results(self) -> Iterator[tuple[int, tuple[str, ...], Results]]:
        """Yield number, bots by seat and results of every match, without verifying them."""

    @abstractmethod
    def read(self, number: int | None = None) -> Iterator[StoredMatch]:
        """Yield every match in full, or one. Raises `ArenaError` if one was tampered with."""

    @abstractmethod
    def with_faults(self) -> Iterator[StoredMatch]:
        """Yield the matches with faults, in full."""

    @abstractmethod
    def numbers(self) -> Sequence[int]:
        """Return the numbers of all matches, in ascending order."""

    def find(self, number: int | None) -> StoredMatch:
        """Return the match with this number, or the only one there is. Raises `ArenaError`."""
        found = None if number is None else next(self.read(number), None)
        if found is not None:
            return found
        numbers = self.numbers()
        if number is None and len(numbers) == 1:
            return self.find(numbers[0])
        what = "which match?" if number is None else f"there is no match {number}"
        known = f"they are {numbers[0]} to {numbers[-1]}" if numbers else "there is none yet"
        command = shlex.join(("arena", "replay", str(self.path)))
        remedy = f"{known}; {command} lists them"
        raise ArenaError(Mistake(what, str(self.path), remedy))


class LeagueMatches(Matches):
    """The matches of a league's record."""

    def __init__(self, path: Path, own: bool = False) -> None:
        """Open the record of a league. Raises `ArenaError`; `own`: see `Store.open`."""
        self.path = record_path(path)
        self._store = Store.open(self.path, own=own)

    def close(self) -> None:
        """Close the record."""
        self._store.close()

    def league(self) -> Store:
        """Return the record itself."""
        return self._store

    def outlines(self) -> list[MatchOutline]:
        """Return all matches without their logs."""
        return list(self._store.outlines())

    def results(self) -> Iterator[tuple[int, tuple[str, ...], Results]]:
        """Yield number, bots by seat and results of every match, without verifying them."""
        for number, spec, record in self._store.matches():
            yield number, spec.seats, record.results

    def read(self, number: int | None = None) -> Iterator[StoredMatch]:
        """Yield every match in full, or one. Raises `ArenaError` if one was tampered with."""
        return self._verified(number)

    def with_faults(self) -> Iterator[StoredMatch]:
        """Yield the matches with faults, in full."""
        return self._verified(faulty=True)

    def numbers(self) -> Sequence[int]:
        """Return the numbers of all matches, in ascending order."""
        return self._store.numbers()

    def _verified(self, number: int | None = None, faulty: bool = False) -> Iterator[StoredMatch]:
        store = self._store
        terms, seeds, orders = store.terms(), store.seeds(), store.fold().orders
        for found, spec, record in store.matches(number, faulty):
            try:
                plan = _plan(terms, seeds, spec, orders)
                again = play_again(plan, record.log, record.results)
            except Unfaithful as error:
                raise damaged(self.path, found, error) from None
            yield StoredMatch(
                league=terms.config.name,
                number=found,
                bots=spec.seats,
                first=spec.first,
                plan=plan,
                record=record,
                again=again,
                terms=terms,
            )


def _orders(store: Store) -> tuple[Orders, Sequence[str]]:
    """Return the orders and seeds of a league even if its ledger has flaws.

    These are for `ledger_flaws` to tell.
    """
    seeds = read_seeds(store.facts())
    if not isinstance(store.terms().config, OpenConfig):
        return {}, seeds
    with store.reading():
        lines = [(line.hash, read_line(line.text).entry) for line in store.ledger()]
    ordered = [(hashed, it) for hashed, it in lines if isinstance(it, Ordered)]
    orders = {(it.lineup, it.first): it for _, it in ordered}
    return orders, [order_seed(seeds[0], hashed) for hashed, _ in ordered]


def verify_all(store: Store) -> Iterator[tuple[int, MatchSpec, str | None]]:
    """Replay every stored match; yield each with the reason why it is false, or None."""
    terms, (orders, seeds) = store.terms(), _orders(store)
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
        tuple(map(seen_deal, match.deals)),
        match.record.stderr,
    )


def damaged(path: Path, number: int, error: Unfaithful) -> ArenaError:
    """Return the mistake that a match is not what was played."""
    return ArenaError(Mistake(f"match {number} is not what was played: {error}", str(path)))
