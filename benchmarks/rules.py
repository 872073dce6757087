"""Pure deals per second of every ruleset, relative to the default preset."""

import random
from collections.abc import Callable
from time import perf_counter

from arena.zole.deal import from_deck, shuffled
from arena.zole.play import apply, legal, start
from arena.zole.rules import Rules, preset, preset_names
from arena.zole.scoring import Pools, settle
from benchmarks.figures import Row, Rows, Run, low

DEALS = 400
DECKS = [shuffled(f"speed {number}") for number in range(DEALS)]


def measure(run: Run) -> Rows:
    """Play the same decks by chance under each ruleset in turn, round by round."""
    rulesets = {name: preset(name) for name in preset_names()}
    rulesets["pagat, 5 players"] = preset("pagat", {"players": 5})
    rulesets["pagat, pools"] = preset("pagat", {"all_pass": "pool", "pools": {"enabled": True}})
    times: dict[str, list[float]] = {name: [] for name in rulesets}
    for _ in range(run.rounds):
        for name, rules in rulesets.items():
            times[name].append(seconds_of(rules))
    default = low(times["pagat"])
    others = ", ".join(f"{name} {default / low(spent):.2f}" for name, spent in times.items())
    yield Row("pure rules by chance, no bots", (f"{DEALS / default:,.0f} deals a second",))
    yield Row("the same by presets, relative to pagat", (others,))


def seconds_of(rules: Rules, clock: Callable[[], float] = perf_counter) -> float:
    """All decks played by chance, from the dealt cards to the payments, the shuffle not counted."""
    chance = random.Random(1)
    began = clock()
    for number, deck in enumerate(DECKS):
        state = start(rules, from_deck(deck, rules, number % rules.players))
        while state.phase != "over":
            choices = legal(state)
            state = apply(state, choices[int(chance.random() * len(choices))])
        settle(state, Pools())
    return clock() - began
