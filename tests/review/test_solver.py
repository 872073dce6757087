"""The solver finds what trying everything finds, and what `sampler` finds."""

import random
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import msgspec
import pytest

from arena.base.errors import MachineError
from arena.base.installation import how_to_install
from arena.review.solver import Solver
from arena.zole import play
from arena.zole.cards import mask, members, points
from arena.zole.deal import from_deck, shuffled
from arena.zole.rules import Contract, preset
from arena.zole.scoring import Pools
from arena.zole.state import Discard, Play, State, turn_of
from tests.support.needs import need
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
from tests.support.present import present

KINDS = (*CONTRACTS, None)


def compare(solver: Solver, seed: int, most: int) -> None:
    """One ending of a random contract and ruleset, at most so many tricks before its end."""
    dice = random.Random(seed)
    rules = any_rules(dice)
    state = any_ending(dice, rules, KINDS[seed % len(KINDS)], most)
    state = retold(dice, state) if dice.random() < 0.7 else state
    pools = any_pools(dice, rules)
    found = solver.each(state, pools)
    stakes = [stakes for _, stakes in found]
    assert tuple(Play(cards.bit_length() - 1) for cards, _ in found) == play.legal(state)
    both = zip(stakes, card_points(solver, state, pools), strict=True)
    assert list(both) == by_brute_force(state, pools)
    assert solver.value(state, turn_of(state), pools) == max(stakes)


@pytest.mark.parametrize(
    ("seeds", "tricks"),
    [
        (range(500), 1),
        (range(60), 2),
        ([3491], 3),  # defenders gain by leading their highest club later: fewer points pay more
        *(
            pytest.param(range(first, first + 500), 3, marks=pytest.mark.slow)
            for first in (1000, 2000, 3000, 4000)
        ),
    ],
)
def test_every_card_of_an_ending_is_worth_what_brute_force_finds(
    solver: Solver, seeds: Iterable[int], tricks: int
) -> None:
    for seed in seeds:
        compare(solver, seed, tricks)


@pytest.mark.parametrize("contract", KINDS)
def test_a_deal_is_worth_the_best_card_of_every_player(
    solver: Solver, contract: Contract | None
) -> None:
    dice = random.Random(str(contract))
    state = any_deal(dice, any_rules(dice), contract)
    seat = state.active[0] if state.declarer is None else state.declarer
    *states, _ = line(dice, state)
    for each in states:
        best = max if each.turn == seat else min
        after = (play.apply(each, action) for action in play.legal(each))
        assert solver.value(each, seat) == best(solver.value(one, seat) for one in after)


@pytest.mark.parametrize("contract", KINDS)
def test_what_is_known_of_a_deal_changes_no_later_answer(
    solver: Solver, contract: Contract | None
) -> None:
    dice = random.Random(str(contract))
    rules = [preset("pagat", {"scoring": {"ordinary": rows, "solo": rows}}) for rows in ROWS]
    first = any_ending(dice, rules[0], contract, 5)
    starts = [msgspec.structs.replace(first, rules=each) for each in rules]
    lines = [line(dice, start) for start in (*starts, *(dealt_anew(dice, first) for _ in "12"))]
    other = any_ending(dice, rules[0], None if contract else "solo", 1)
    known = {}
    for state in (state for states in lines for state in states):
        solver.each(other)  # then nothing is known of this deal from before
        known[id(state)] = solver.each(state)
    states = lines[0]
    for _ in range(150):
        states = dice.choice((states, states, *lines))
        state = dice.choice(states)
        assert solver.each(state) == known[id(state)]


# Payments by which more points are not always better.
ROWS = [3, 1, 2, -4, -2, -3], [1, 3, 2, -2, -4, -3]


def dealt_anew(dice: random.Random, state: State) -> State:
    cards = [card for hand in state.hands for card in members(hand)]
    dice.shuffle(cards)
    hands = [mask(cards.pop() for _ in members(hand)) for hand in state.hands]
    return msgspec.structs.replace(state, hands=tuple(hands))


def line(dice: random.Random, state: State) -> list[State]:
    states = []
    while state.phase == "play":
        states.append(state)
        state = play.apply(state, dice.choice(play.legal(state)))
    return states


@pytest.mark.parametrize("seed", range(12))
def test_the_talon_takes_the_second_trick_and_forehand_leads(solver: Solver, seed: int) -> None:
    state = any_deal(random.Random(seed), preset("lzsf", {"play": {"tricks": 3}}), None)
    hands = tuple(mask(members(hand & ~1)[:4]) for hand in state.hands)
    deal = msgspec.structs.replace(state.deal, talon=(state.deal.talon[0], 0))  # the highest trump
    state = msgspec.structs.replace(state, deal=deal, hands=hands, completed=1, talon_tricks=1)
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


def test_the_error_without_wasmtime_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    with pytest.raises(MachineError, match=re.escape(how_to_install("review"))):
        Solver()


SAMPLER = Path(__file__).parents[2] / "sample_bots/sampler"
DRIVER = """
#include <iostream>
#include "game.hpp"
// A line has the hands, the declarer, who plays next, tricks left, and the cards on the table.
int main() {
    Solver solver;
    Set hands[3];
    int declarer, seat, tricks, laid;
    while (std::cin >> hands[0] >> hands[1] >> hands[2] >> declarer >> seat >> tricks >> laid) {
        Trick trick;
        for (int i = 0, card; i < laid && std::cin >> card; ++i)
            trick.add((seat - laid + i + 3) % 3, card, POINTS);
        solver.start(hands, declarer, 0, POINTS);
        Set left = hands[0] | hands[1] | hands[2];
        std::cout << solver.value(left, trick, seat, tricks, 30) << std::endl;
    }
}
"""


@pytest.mark.slow
def test_the_solver_and_the_sampler_find_the_same_points(tmp_path: Path) -> None:
    need("g++")
    source, program = tmp_path / "driver.cpp", tmp_path / "driver"
    source.write_text(DRIVER)
    subprocess.run(("g++", "-std=c++17", "-O2", f"-I{SAMPLER}", "-o", program, source), check=True)
    dice, solver = random.Random(1), Solver()
    kinds: tuple[Contract, ...] = ("ordinary", "solo")
    states = [any_ending(dice, any_rules(dice), kind, 8) for kind in kinds for _ in range(600)]
    given = ""
    for state in states:
        places = [state.active.index(present(seat)) for seat in (state.declarer, state.turn)]
        left = state.rules.play.tricks - state.completed
        hands = [state.hands[seat] for seat in state.active]
        given += " ".join(map(str, (*hands, *places, left, len(state.trick), *state.trick))) + "\n"
    said = subprocess.run(program, input=given, capture_output=True, text=True, check=True).stdout
    for state, more in zip(states, map(int, said.split()), strict=True):
        made = state.points[present(state.declarer)] + points(state.discards) + more
        best = max(each for each in card_points(solver, state, Pools()) if each is not None)
        assert best == (made if state.turn == state.declarer else 120 - made)
