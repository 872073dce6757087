"""The matches of a league by its terms: all of them, those that are left, and the plan of each."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from arena.league.config import LeagueConfig, MatchConfig, OpenConfig
from arena.league.ledger import Ordered
from arena.league.schedule import MatchSpec, league_deals, seat_seeds
from arena.league.terms import Terms
from arena.match.commands import MatchPlan
from arena.match.wire import Limits
from arena.stats.figures import Lineup
from arena.zole.deal import Deal, Seat
from arena.zole.notation import read_deal
from arena.zole.rules import Rules

MatchKey = tuple[Lineup, int, int]
"""The identity of a match in its league: lineup, seating, first deal."""

Orders = Mapping[tuple[Lineup, int], Ordered]
"""The orders of an open league by lineup and first deal; no other league has any."""


def match_key(spec: MatchSpec) -> MatchKey:
    return spec.lineup, spec.seating, spec.first


def set_matches(
    terms: Terms, lineup: Lineup, first: int, deals: int, seed: int = 0
) -> list[MatchSpec]:
    """The matches of a lineup over the deals from `first` on, one in each seating."""
    return [
        MatchSpec(lineup, first, deals, number, seats, seed)
        for number, seats in enumerate(terms.config.seats_of(lineup))
    ]


def order_matches(terms: Terms, order: Ordered) -> list[MatchSpec]:
    """The matches of an order, in every seating."""
    return set_matches(terms, order.lineup, order.first, order.deals, order.order - 1)


def scheduled(terms: Terms, orders: Orders | None = None, seed: int = 0) -> list[MatchSpec]:
    """Every match of a closed league, with this seed; of an open league those of its orders."""
    if isinstance(terms.config, OpenConfig):
        return [spec for order in (orders or {}).values() for spec in order_matches(terms, order)]
    tables = terms.lineups
    return [
        spec
        for first, deals in terms.blocks
        for lineup in tables
        for spec in set_matches(terms, lineup, first, deals, seed)
    ]


def remaining(
    stored: Mapping[MatchKey, int],
    terms: Terms,
    seeds: Sequence[str],
    orders: Orders | None = None,
) -> list[MatchSpec]:
    """The matches that are scheduled but not stored; `stored` has the number of each match's seed.

    Sets that have begun keep their seed; all others get the last, or that of their order.
    """
    begun = {(lineup, first): seed for (lineup, _, first), seed in stored.items()}
    return [
        msgspec.structs.replace(spec, seed=begun.get((spec.lineup, spec.first), spec.seed))
        for spec in scheduled(terms, orders, len(seeds) - 1)
        if match_key(spec) not in stored
    ]


def misfit(
    terms: Terms, seeds: Sequence[str], spec: MatchSpec, orders: Orders | None = None
) -> str | None:
    """The reason why a match is not one of a league with these seeds and orders; None if it is."""
    if not set(spec.lineup) <= terms.bots.keys():
        return "it is not a match of this league"
    if isinstance(terms.config, OpenConfig):
        order = (orders or {}).get((spec.lineup, spec.first))
        if order is None or (spec.deals, spec.seed) != (order.deals, order.order - 1):
            return "it belongs to no order of this league"
    elif (spec.first, spec.deals) not in terms.blocks:
        return "it is not a match of this league"
    players = terms.config.rules_at(spec.lineup).players
    if len(spec.lineup) not in terms.config.sizes or len(spec.seats) != players:
        return "it is not a match of this league"
    seats = terms.config.seats_of(spec.lineup)
    if not 0 <= spec.seating < len(seats) or seats[spec.seating] != spec.seats:
        return "its bots sit in no seating of this league"
    if not 0 <= spec.seed < len(seeds):
        return "it was played with a seed that the league does not have"
    return None


def match_plan(terms: Terms, seeds: Sequence[str], spec: MatchSpec) -> MatchPlan:
    """The plan of a match in a league with these seeds."""
    config, seed = terms.config, seeds[spec.seed]
    rules = config.rules_at(spec.lineup)
    if isinstance(config, MatchConfig) and config.given:
        deals, of_seats = _given(rules, seed, config.given)
    else:
        table = tuple(sorted(config.dealt_to(spec.lineup)))
        deals, of_seats = _dealt(rules, seed, table, spec.first, spec.deals, config.session)
    return plan_of(config, spec, deals, of_seats)


def plan_of(
    config: LeagueConfig, spec: MatchSpec, deals: Sequence[Deal] = (), seeds: tuple[int, ...] = ()
) -> MatchPlan:
    """The plan of a match over some deals, with the seeds of the seats."""
    people: dict[Seat, Limits] = {}
    if isinstance(config, MatchConfig):
        seated = enumerate(spec.seats)
        people = {seat: config.people[bot] for seat, bot in seated if bot in config.people}
    rules, limits = config.rules_at(spec.lineup), config.match_limits
    return MatchPlan(rules, limits, config.max_faults, deals, seeds, config.session, people)


@lru_cache(maxsize=2)
def _given(
    rules: Rules, seed: str, texts: tuple[str, ...]
) -> tuple[tuple[Deal, ...], tuple[int, ...]]:
    """Deals that are given, and the seeds of the seats."""
    deals = [read_deal(text, rules.players) for text in texts]
    return tuple(deals), seat_seeds(rules, seed, deals)


@lru_cache(maxsize=2)
def _dealt(
    rules: Rules, seed: str, table: Lineup, first: int, deals: int, session: int | None
) -> tuple[tuple[Deal, ...], tuple[int, ...]]:
    """The deals of a table and the seeds of its seats, which all its seatings have in common."""
    dealt = league_deals(rules, seed, table, first, deals, session)
    return tuple(dealt), seat_seeds(rules, seed, dealt)
