"""Stored matches of a record, each replayed from its log and compared with what was stored."""

import shlex
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

from msgspec.structs import astuple, replace

from arena.base.errors import ArenaError, Mistake
from arena.base.words import deal_name
from arena.league.config import OpenConfig
from arena.league.fold import LedgerFold
from arena.league.schedule import MatchSpec
from arena.league.terms import Orders, Terms, match_plan, mismatch, plan_of
from arena.match.commands import MatchPlan
from arena.match.log import LogMismatch, read_log
from arena.match.logged import Replayed, play_again, verify
from arena.match.record import MatchRecord
from arena.match.replay import SeenMatch, seen_deal
from arena.record.store import Store
from arena.zole.deal import Deal, read_deal


def check_bot(bot: str, known: Collection[str], place: str) -> None:
    """Raise `ArenaError` for a bot that is not `known`; `place` is where it was named."""
    if bot not in known:
        remedy = f"there are {', '.join(sorted(known))}"
        raise ArenaError(Mistake(f"no bot is called {bot} here", place, remedy))


class ReplayedMatch(Replayed, frozen=True, kw_only=True):
    """A match replayed from its log, and its `record` as it is stored.

    `league` is the league's name, None outside one; `number` the match's in it, from 1; `bots`
    those that play, by seat. `first` is the league's number of the match's deal 0.
    """

    league: str | None
    number: int
    bots: tuple[str, ...]
    first: int
    record: MatchRecord

    @property
    def plan(self) -> MatchPlan:
        """The plan that the match was played by."""
        return self.match.plan


def stored_matches(
    store: Store, number: int | None = None, faulty: bool = False
) -> Iterator[ReplayedMatch]:
    """Yield the matches of a record: all, only one, or only those with faults.

    Raises `ArenaError` if one was tampered with.
    """
    terms, orders = store.terms(), store.fold().orders
    seeds = store.seeds() if store.facts().seeds else ()
    for found, spec, record in store.matches(number, faulty):
        try:
            plan = _plan(terms, seeds, spec, record, orders)
            again = play_again(plan, record.log, record.results)
        except LogMismatch as error:
            what = f"match {found} is not what was played: {error}"
            raise ArenaError(Mistake(what, str(store.path))) from None
        yield ReplayedMatch(
            *astuple(again),
            league=terms.config.name,
            number=found,
            bots=spec.seats,
            first=spec.first,
            record=record,
        )


def find_match(store: Store, number: int | None) -> ReplayedMatch:
    """Return the match with this number, or the only one there is. Raises `ArenaError`."""
    found = None if number is None else next(stored_matches(store, number), None)
    if found is not None:
        return found
    numbers = store.numbers()
    if number is None and len(numbers) == 1:
        return find_match(store, numbers[0])
    what = "name a match" if number is None else f"there is no match {number}"
    known = f"there are {numbers[0]} to {numbers[-1]}" if numbers else "there is none yet"
    command = shlex.join(("arena", "replay", str(store.path)))
    raise ArenaError(Mistake(what, str(store.path), f"{known}; {command} lists them"))


def verify_all(store: Store) -> Iterator[tuple[int, MatchSpec, str | None]]:
    """Replay every stored match; yield each with the reason why it is false, or None."""
    terms, (orders, seeds) = store.terms(), _orders(store)
    for number, spec, record in store.matches():
        try:
            verify(_plan(terms, seeds, spec, record, orders), record)
        except LogMismatch as error:
            yield number, spec, str(error)
        else:
            yield number, spec, None


def logged_plan(plan: MatchPlan, log: bytes) -> MatchPlan:
    """Return a plan with the deals and the seats' seeds in a log. Raises `LogMismatch`."""
    start, lines = read_log(log)
    deals: list[Deal] = []
    for number, line in enumerate(lines):
        try:
            deals.append(read_deal(line.cards, plan.rules.players))
        except (ValueError, RecursionError) as error:
            raise LogMismatch(f"{deal_name(number)}: {error}") from None
    if len(start.seeds) != plan.rules.players:
        raise LogMismatch("the log does not have the seats' seeds")
    return replace(plan, deals=tuple(deals), seeds=start.seeds)


def seen(match: ReplayedMatch) -> SeenMatch:
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


def _orders(store: Store) -> tuple[Orders, Sequence[str]]:
    """Return the orders and seeds of a league even if its ledger has flaws.

    `ledger_flaws` reports these.
    """
    facts = store.facts()
    ledger = LedgerFold(facts.terms.config.rules.players)
    with store.reading():
        for line in store.ledger():
            with suppress(LookupError):
                ledger.apply(line)
    is_open = isinstance(facts.terms.config, OpenConfig)
    return ledger.orders, ledger.seeds(facts.seeds[0]) if is_open else facts.seeds


def _plan(
    terms: Terms, seeds: Sequence[str], spec: MatchSpec, record: MatchRecord, orders: Orders
) -> MatchPlan:
    if not seeds:  # a record of logs
        rules = replace(terms.config.rules, players=len(spec.seats))
        return logged_plan(plan_of(replace(terms.config, rules=rules), spec), record.log)
    wrong = mismatch(terms, seeds, spec, orders)
    if wrong is not None:
        raise LogMismatch(wrong)
    return match_plan(terms, seeds, spec)
