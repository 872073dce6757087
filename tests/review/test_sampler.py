"""Two independent searches agree: the solver and that of the sample bot `sampler`."""

import random
import subprocess
from pathlib import Path

import pytest

from arena.review.solver import Solver
from arena.zole.cards import points
from arena.zole.scoring import Pools
from arena.zole.state import State, turn_of
from tests.support.needs import need
from tests.support.open_hands import any_ending, any_rules, card_points

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


def line(state: State) -> str:
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
    given = "".join(f"{line(state)}\n" for state in states)
    said = subprocess.run(program, input=given, capture_output=True, text=True, check=True).stdout
    for state, more in zip(states, map(int, said.split()), strict=True):
        assert state.declarer is not None
        made = state.points[state.declarer] + points(state.discards) + more
        values = card_points(solver, state, Pools())
        best = max(each for each in values if each is not None)
        assert best == (made if state.turn == state.declarer else 120 - made)
