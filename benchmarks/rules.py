"""Pure deals per second of every ruleset, as a share of the default preset's, in one run.

Run it from the project's folder: `.venv/bin/python -m benchmarks.rules`.
"""

import random
from statistics import median
from time import perf_counter

from arena.zole.deal import from_deck, shuffled
from arena.zole.play import apply, legal, start
from arena.zole.rules import Rules, preset, preset_names
from arena.zole.scoring import Pools, settle

ROUNDS, DEALS = 7, 400
DECKS = [shuffled(f"speed {number}") for number in range(DEALS)]


def main() -> None:
    """Play the same decks by chance under each ruleset in turn, round by round."""
    rulesets = {name: preset(name) for name in preset_names()}
    rulesets["pagat, 5 players"] = preset("pagat", {"players": 5})
    rulesets["pagat, pools"] = preset("pagat", {"all_pass": "pool", "pools": {"enabled": True}})
    speeds: dict[str, list[float]] = {name: [] for name in rulesets}
    for _ in range(ROUNDS):
        for name, rules in rulesets.items():
            speeds[name].append(deals_per_second(rules))
    default = speeds["pagat"]
    print("rules               ratio   deals/s")
    for name, found in speeds.items():
        ratio = median(one / base for one, base in zip(found, default, strict=True))
        print(f"{name:18s}   {ratio:.2f}   {median(found):7,.0f}")


def deals_per_second(rules: Rules) -> float:
    """Whole deals by chance, from the dealt cards to the payments, the shuffle not counted."""
    chance = random.Random(1)
    began = perf_counter()
    for number, deck in enumerate(DECKS):
        state = start(rules, from_deck(deck, rules, number % rules.players))
        while state.phase != "over":
            choices = legal(state)
            state = apply(state, choices[int(chance.random() * len(choices))])
        settle(state, Pools())
    return DEALS / (perf_counter() - began)


if __name__ == "__main__":
    main()
