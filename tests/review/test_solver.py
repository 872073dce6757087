"""The solver finds what trying everything finds, what a player finds, and what `sampler` finds."""

import random
import re
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from arena.base.errors import MachineError
from arena.base.installation import how_to_install
from arena.review.solver import Solver
from arena.zole import play
from arena.zole.cards import INDEX, mask, members, points
from arena.zole.deal import Deal, from_deck, shuffled
from arena.zole.rules import Contract, preset
from arena.zole.scoring import Pools
from arena.zole.state import Discard, Game, Play, State, turn_of
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

KINDS = (*CONTRACTS, None)


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


def test_a_seat_may_leave_its_sure_tricks_for_later(solver: Solver) -> None:
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
    starts += [dealt_anew(dice, first) for _ in range(2)]
    lines = [line(dice, start) for start in starts]
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


# Positions whose answer a player can find by thought. In each only one card is right. Seat 0 is
# forehand, and the declarer unless the title says otherwise. By pagat's payments.


class Position(msgspec.Struct, frozen=True):
    """Hands by seat, cards on the table from seat `leader` on, and what the right card is worth.

    `made` are the card points of seat 0 so far, `tricks` those taken by each seat. `stakes` and
    `points` come from the right card, `else_stakes` from the best of the others.
    """

    title: str
    hands: tuple[str, str, str]
    right: str
    stakes: int
    else_stakes: int
    points: int | None
    made: int = 0
    tricks: tuple[int, int, int] = (2, 2, 2)
    table: str = ""
    leader: int = 0
    contract: Game = "ordinary"


POSITIONS = [
    Position(
        "endplay: a lost trump throws seat 1 in, which must lead away from the ten",
        ("AS KS 7D", "TS 9S 8D", "9H 9C KH"),
        right="7D",
        made=40,
        tricks=(2, 2, 1),
        points=65,
        stakes=2,
        else_stakes=-4,
    ),
    Position(
        "a trump is drawn before the ace, which would be trumped",
        ("QC AC", "7D 9H", "TC 9S"),
        right="QC",
        made=45,
        points=69,
        stakes=2,
        else_stakes=-4,
    ),
    Position(
        "what is lost anyway is lost with the worthless trump",
        ("JD 7D", "QC 9H", "9C KS"),
        right="7D",
        made=59,
        points=61,
        stakes=2,
        else_stakes=-4,
    ),
    Position(
        "a defender gives the ten to its partner's sure trick",
        ("JD", "TH 9H", "9C"),
        table="QC 7D",
        leader=2,
        right="TH",
        made=50,
        points=68,
        stakes=2,
        else_stakes=-1,
    ),
    Position(
        "a defender keeps the ten from the declarer's ace",
        ("AS 9H", "KH", "TS KS"),
        table="9S",
        leader=1,
        right="KS",
        made=45,
        points=60,
        stakes=2,
        else_stakes=-1,
    ),
    Position(
        "a defender trumps over with the low trump and keeps the queen for the declarer's",
        ("QS", "QC 8D", "AS"),
        table="TC 7D",
        leader=2,
        right="8D",
        made=50,
        points=70,
        stakes=2,
        else_stakes=-1,
    ),
    Position(
        "small solo: the nine is led, and the king goes on the suit that comes back",
        ("KC 9S", "TC 9C", "AS 9H"),
        right="9S",
        tricks=(0, 3, 3),
        contract="small_solo",
        points=0,
        stakes=12,
        else_stakes=-14,
    ),
    Position(
        "table: the nine ducks, and the ace goes on a suit that nobody follows",
        ("AS 9S", "9C KC", "9H"),
        table="TS",
        leader=2,
        right="9S",
        tricks=(2, 2, 2),
        contract="table",
        points=None,
        stakes=2,
        else_stakes=-4,
    ),
    Position(
        "table: the ace that would take the last trick is thrown away now",
        ("AS 9C", "KS", "9S"),
        table="9H TH",
        leader=1,
        right="AS",
        tricks=(2, 2, 2),
        contract="table",
        points=None,
        stakes=2,
        else_stakes=-4,
    ),
]


def state_of(position: Position) -> State:
    """The state; cards laid before are taken as they are told, and nobody's discard matters."""
    table = tuple(INDEX[name] for name in position.table.split())
    hands = tuple(mask(INDEX[name] for name in hand.split()) for hand in position.hands)
    order = tuple((position.leader + place) % 3 for place in range(3))
    return State(
        rules=preset(),
        deal=Deal(2, (0, 0, 0), (0, 1)),
        active=(0, 1, 2),
        phase="play",
        turn=order[len(table)],
        hands=hands,
        tricks=position.tricks,
        points=(position.made, 0, 0),
        order=order,
        trick=table,
        completed=sum(position.tricks),
        declarer=None if position.contract == "table" else 0,
        contract=position.contract,
    )


@pytest.mark.parametrize("position", POSITIONS, ids=lambda each: each.title)
def test_only_the_right_card_is_best(solver: Solver, position: Position) -> None:
    state = state_of(position)
    found = solver.each(state)
    first, second, *_ = sorted(found, key=lambda each: -each[1])
    assert first == (1 << INDEX[position.right], position.stakes)
    assert second[1] == position.else_stakes
    assert card_points(solver, state, Pools())[found.index(first)] == position.points


def test_two_lone_tens_are_discarded_to_take_every_trick(solver: Solver) -> None:
    hands = "QC QS QH QD JC JS JH JD", "AS KS 9S AH KH 9H AD TD", "AC TC KC 9C KD 9D 8D 7D"
    deal = Deal(
        2,
        tuple(mask(INDEX[name] for name in hand.split()) for hand in hands),
        (INDEX["TS"], INDEX["TH"]),
    )
    found = solver.each(declared(preset(), deal, 0, "ordinary"))
    best, stakes = max(found, key=lambda each: each[1])
    assert (members(best), stakes) == ((INDEX["TS"], INDEX["TH"]), 6)
    # A ten that is kept falls to its ace in the last trick, with another ace or ten: 88 points.
    assert sorted(each for _, each in found)[-2:] == [2, 6]


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


def position_text(state: State) -> str:
    """A position with a declarer as the driver reads it."""
    assert state.declarer is not None
    active = state.active
    numbers = (
        *(state.hands[seat] for seat in active),
        active.index(state.declarer),
        active.index(turn_of(state)),
        state.rules.play.tricks - state.completed,
        len(state.trick),
        *state.trick,
    )
    return " ".join(map(str, numbers))


@pytest.mark.slow
def test_the_solver_and_the_sampler_find_the_same_points(tmp_path: Path) -> None:
    need("g++")
    source, program = tmp_path / "driver.cpp", tmp_path / "driver"
    source.write_text(DRIVER)
    subprocess.run(("g++", "-std=c++17", "-O2", f"-I{SAMPLER}", "-o", program, source), check=True)
    dice, solver = random.Random(1), Solver()
    states = [any_ending(dice, any_rules(dice), "ordinary", 8) for _ in range(600)]
    states += [any_ending(dice, any_rules(dice), "solo", 8) for _ in range(600)]
    given = "".join(f"{position_text(state)}\n" for state in states)
    said = subprocess.run(program, input=given, capture_output=True, text=True, check=True).stdout
    for state, more in zip(states, map(int, said.split()), strict=True):
        assert state.declarer is not None
        made = state.points[state.declarer] + points(state.discards) + more
        values = card_points(solver, state, Pools())
        best = max(each for each in values if each is not None)
        assert best == (made if state.turn == state.declarer else 120 - made)
