"""The matches of a league by its terms: all of them, those that are left, and the plan of each."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import msgspec

from arena.league.ledger import Ordered
from arena.league.schedule import MatchSpec, league_deals, matches, seat_seeds
from arena.league.terms import OpenTerms, Terms
from arena.match.commands import MatchPlan
from arena.stats.figures import Lineup
from arena.zole.deal import Deal
from arena.zole.rules import Rules

MatchKey = tuple[Lineup, int, int]
"""The identity of a match in its league: lineup, seating, first deal."""

Orders = Mapping[tuple[Lineup, int], Ordered]
"""The orders of an open league by lineup and first deal; no other league has any."""


def match_key(spec: MatchSpec) -> MatchKey:
    return spec.lineup, spec.seating, spec.first


def order_matches(terms: Terms, order: Ordered) -> list[MatchSpec]:
    """The matches of an order, in every seating."""
    return [
        MatchSpec(order.lineup, number, seats, order.first, order.deals, order.order - 1)
        for number, seats in enumerate(terms.seats_of(order.lineup))
    ]


def scheduled(terms: Terms, orders: Orders | None = None, seed: int = 0) -> list[MatchSpec]:
    """Every match of a closed league, with this seed; of an open league those of its orders."""
    if isinstance(terms, OpenTerms):
        return [spec for order in (orders or {}).values() for spec in order_matches(terms, order)]
    tables = terms.lineups
    return [
        msgspec.structs.replace(spec, seed=seed)
        for first, deals in terms.blocks
        for spec in matches(tables, terms.rules.players, first, deals, terms.seatings)
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
    if isinstance(terms, OpenTerms):
        order = (orders or {}).get((spec.lineup, spec.first))
        if order is None or (spec.deals, spec.seed) != (order.deals, order.order - 1):
            return "it belongs to no order of this league"
    elif (spec.first, spec.deals) not in terms.blocks:
        return "it is not a match of this league"
    players = terms.rules_at(spec.lineup).players
    if len(spec.lineup) not in terms.sizes or len(spec.seats) != players:
        return "it is not a match of this league"
    seats = terms.seats_of(spec.lineup)
    if not 0 <= spec.seating < len(seats) or seats[spec.seating] != spec.seats:
        return "its bots sit in no seating of this league"
    if not 0 <= spec.seed < len(seeds):
        return "it was played with a seed that the league does not have"
    return None


def match_plan(terms: Terms, seeds: Sequence[str], spec: MatchSpec) -> MatchPlan:
    """The plan of a match in a league with these seeds."""
    rules, seed = terms.rules_at(spec.lineup), seeds[spec.seed]
    table = tuple(sorted(terms.dealt_to(spec.lineup)))
    deals, of_seats = _dealt(rules, seed, table, spec.first, spec.deals, terms.session)
    people = terms.people_at(spec.seats)
    return MatchPlan(rules, terms.limits, terms.max_faults, deals, of_seats, terms.session, people)


@lru_cache(maxsize=2)
def _dealt(
    rules: Rules, seed: str, table: Lineup, first: int, deals: int, session: int | None
) -> tuple[tuple[Deal, ...], tuple[int, ...]]:
    """The deals of a table and the seeds of its seats, which all its seatings have in common."""
    dealt = league_deals(rules, seed, table, first, deals, session)
    return tuple(dealt), seat_seeds(rules, seed, dealt)
