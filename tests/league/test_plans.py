"""What is left to play in a league, and with which of its seeds."""

import msgspec

from arena.league.plans import match_key, remaining, scheduled
from tests.league.test_terms import terms


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
