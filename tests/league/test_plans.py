"""What is left to play in a league, and with which of its seeds."""

import msgspec

from arena.league.ledger import Ordered
from arena.league.terms import Orders, match_key, misfit, remaining, scheduled
from tests.league.test_terms import open_terms, terms


def test_what_was_begun_keeps_its_seed_and_all_else_has_the_last() -> None:
    league = terms(bots={name: name for name in "abcd"})
    begun, *_ = scheduled(league)
    others = remaining({match_key(begun): 1}, league, ("first", "second", "third"))
    assert match_key(begun) not in map(match_key, others)
    assert {spec.seed for spec in others if spec.lineup == begun.lineup} == {1}
    assert {spec.seed for spec in others if spec.lineup != begun.lineup} == {2}


def test_a_later_run_of_deals_of_a_lineup_has_the_last_seed() -> None:
    league = terms()
    begun = scheduled(league)
    longer = msgspec.structs.replace(league, blocks=(*league.blocks, (league.deals, 5)))
    others = remaining(dict.fromkeys(map(match_key, begun), 0), longer, ("first", "second"))
    assert {(spec.first, spec.seed) for spec in others} == {(league.deals, 1)}


ORDERS: Orders = {
    (("a", "b", "c"), first): Ordered(number, ("a", "b", "c"), first, 10, 0, "table")
    for number, first in ((1, 0), (2, 10))
}
SEEDS = ("1" * 64, "2" * 64)


def test_in_an_open_league_the_matches_of_its_orders_are_left() -> None:
    league = open_terms()
    assert remaining({}, league, SEEDS) == []
    first, *others = remaining({}, league, SEEDS, ORDERS)
    assert [(spec.first, spec.deals, spec.seed) for spec in others] == [
        *[(0, 10, 0)] * 5,
        *[(10, 10, 1)] * 6,
    ]
    assert remaining({match_key(first): 0}, league, SEEDS, ORDERS) == others


def test_every_match_of_an_open_league_fits_an_order() -> None:
    league = open_terms()
    spec, *_ = scheduled(league, ORDERS)
    assert misfit(league, SEEDS, spec, ORDERS) is None
    for other in ({"first": 20}, {"deals": 9}, {"seed": 1}):
        changed = msgspec.structs.replace(spec, **other)
        assert misfit(league, SEEDS, changed, ORDERS) == "it belongs to no order of this league"
    assert misfit(league, SEEDS, spec) == "it belongs to no order of this league"
    turned = msgspec.structs.replace(spec, seats=spec.seats[::-1])
    assert misfit(league, SEEDS, turned, ORDERS) == "its bots sit in no seating of this league"
    assert misfit(league, SEEDS[:0], spec, ORDERS) is not None
