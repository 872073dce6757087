"""The solver finds what trying everything finds, by the arena's own rules."""

import random
import re
import sys

import msgspec
import pytest

from arena.base.errors import MachineError
from arena.base.installation import how_to_install
from arena.review.solver import Solver
from arena.zole import play
from arena.zole.cards import mask, members
from arena.zole.deal import from_deck, shuffled
from arena.zole.rules import Contract, preset
from arena.zole.scoring import Pools
from arena.zole.state import Discard, Play, State
from arena.zole.tricks import first_lead
from tests.support.open_hands import (
    CONTRACTS,
    any_deal,
    any_ending,
    any_pools,
    any_rules,
    by_brute_force,
    card_points,
    declared,
    retold,
)

KINDS = (*CONTRACTS, None)


@pytest.fixture(scope="module")
def solver() -> Solver:
    pytest.importorskip("wasmtime", reason="the extra [review] is not installed")
    return Solver()


def compare(solver: Solver, seed: int, most: int) -> None:
    """One ending of a random contract and ruleset, at most so many tricks before its end."""
    dice = random.Random(seed)
    rules = any_rules(dice)
    state = any_ending(dice, rules, KINDS[seed % len(KINDS)], most)
    if dice.random() < 0.7:
        state = retold(dice, state)
    pools = any_pools(dice, rules)
    found = solver.each(state, pools)
    assert tuple(Play(cards.bit_length() - 1) for cards, _ in found) == play.legal(state)
    stakes = [stakes for _, stakes in found]
    both = zip(stakes, card_points(solver, state, pools), strict=True)
    assert list(both) == by_brute_force(state, pools)
    assert state.turn is not None
    assert solver.value(state, state.turn, pools) == max(stakes)


@pytest.mark.parametrize(("tricks", "endings"), [(1, 500), (2, 60)])
def test_every_card_of_an_ending_is_worth_what_brute_force_finds(
    solver: Solver, tricks: int, endings: int
) -> None:
    for seed in range(endings):
        compare(solver, seed, tricks)


def test_nobody_has_to_take_the_tricks_it_is_sure_of(solver: Solver) -> None:
    """Where fewer points pay more, defenders gain by leading their highest club later."""
    compare(solver, 3491, 3)


@pytest.mark.slow
@pytest.mark.parametrize("block", range(4))
def test_every_card_of_thousands_of_endings(solver: Solver, block: int) -> None:
    for seed in range(1000 * (block + 1), 1000 * (block + 1) + 500):
        compare(solver, seed, 3)


@pytest.mark.parametrize("contract", KINDS)
def test_a_deal_is_worth_the_best_card_of_every_player(
    solver: Solver, contract: Contract | None
) -> None:
    dice = random.Random(str(contract))
    state = any_deal(dice, any_rules(dice), contract)
    seat = state.active[0] if state.declarer is None else state.declarer
    while state.phase == "play":
        after = [play.apply(state, action) for action in play.legal(state)]
        if after[0].phase == "over":
            break
        best = max if state.turn == seat else min
        assert solver.value(state, seat) == best(solver.value(each, seat) for each in after)
        state = dice.choice(after)


@pytest.mark.parametrize("contract", KINDS)
def test_what_is_known_of_a_deal_changes_no_later_answer(
    solver: Solver, contract: Contract | None
) -> None:
    dice = random.Random(str(contract))
    rules = [preset("pagat", {"scoring": {"ordinary": rows, "solo": rows}}) for rows in ROWS]
    first = any_ending(dice, rules[0], contract, 5)
    starts = [msgspec.structs.replace(first, rules=each) for each in rules]
    starts += [dealt_anew(dice, first) for _ in range(2)]
    lines = [line(dice, start) for start in starts]
    other = any_ending(dice, rules[0], None if contract else "solo", 1)
    known = {}
    for states in lines:
        for state in states:
            solver.each(other)  # then nothing is known of this deal from before
            known[id(state)] = solver.each(state)
    states = lines[0]
    for _ in range(150):
        states = dice.choice((states, states, *lines))
        state = dice.choice(states)
        assert solver.each(state) == known[id(state)]


ROWS = [3, 1, 2, -4, -2, -3], [1, 3, 2, -2, -4, -3]
"""Payments by which more points are not always better."""


def dealt_anew(dice: random.Random, state: State) -> State:
    """The same cards in other hands."""
    cards = [card for hand in state.hands for card in members(hand)]
    dice.shuffle(cards)
    hands = [mask(cards.pop() for _ in members(hand)) for hand in state.hands]
    return msgspec.structs.replace(state, hands=tuple(hands))


def line(dice: random.Random, state: State) -> list[State]:
    """All states of a deal played on by chance."""
    states = []
    while state.phase == "play":
        states.append(state)
        state = play.apply(state, dice.choice(play.legal(state)))
    return states


@pytest.mark.parametrize("seed", range(12))
def test_the_talon_takes_the_second_trick_and_forehand_leads(solver: Solver, seed: int) -> None:
    dice = random.Random(seed)
    state = any_deal(dice, preset("lzsf", {"play": {"tricks": 3}}), None)
    hands = [mask(members(hand & ~1)[:4]) for hand in state.hands]
    deal = msgspec.structs.replace(state.deal, talon=(state.deal.talon[0], 0))  # the highest trump
    state = msgspec.structs.replace(
        state, deal=deal, hands=tuple(hands), completed=1, talon_tricks=1
    )
    assert [stakes for _, stakes in solver.each(state)] == [
        stakes for stakes, _ in by_brute_force(state, Pools())
    ]


def test_discards_are_worth_the_plays_after_them(solver: Solver) -> None:
    rules = preset()
    deal = from_deck(shuffled("discards 11"), rules, 0)
    state = declared(rules, deal, 1, "ordinary")
    found = solver.each(state)
    assert tuple(Discard(cards) for cards, _ in found) == play.legal(state)
    for cards, stakes in found:
        assert solver.value(play.apply(state, Discard(cards)), 1) == stakes
    assert solver.value(state, 1) == max(stakes for _, stakes in found)


def test_a_table_game_is_worth_to_each_seat_what_it_is_sure_of(solver: Solver) -> None:
    rules = preset("lzsf")
    dealt = play.start(rules, from_deck(shuffled("table"), rules, 1))
    state = first_lead(msgspec.structs.replace(dealt, contract="table"))
    assert sum(solver.value(state, seat) for seat in range(3)) <= 0


def test_without_wasmtime_one_is_told_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    with pytest.raises(MachineError, match=re.escape(how_to_install("review"))):
        Solver()
