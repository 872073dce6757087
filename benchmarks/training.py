"""Decisions a second of the game for programs that learn, beside the pure rules and other games.

Every game is played by chance, with its observations and masks made at each decision. The games of
cards that PettingZoo brings along are measured where `pip install 'pettingzoo[classic]'` was run.
"""

import random
from collections.abc import Callable
from importlib import import_module
from time import process_time
from typing import Any

import numpy as np

from arena.training.environment import env
from arena.training.tables import Tables
from arena.zole.deal import from_deck, shuffled
from arena.zole.play import apply, legal, start
from arena.zole.rules import preset
from benchmarks.figures import Row, Rows, Run, low, ratio

SECONDS = 0.5
"""How long each is measured in a round, at least."""

COUNTS = (1, 64, 4096)

PURE = "pure rules by chance"

GAMES = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6", "hanabi_v5")


def measure(run: Run) -> Rows:
    """Play each for a while, round by round."""
    players: dict[str, Callable[[], int]] = {
        PURE: pure_rules(),
    }
    for count in COUNTS:
        players[f"tables, N = {count}"] = tables(count)
        players[f"tables, N = {count}, masks without observations"] = tables(count, seeing=False)
    players["the environment for PettingZoo"] = environment(env())
    for name in GAMES:
        game = classic(name)
        if game is None:
            yield Row(f"PettingZoo's own {name}", ("not installed",))
        else:
            players[f"PettingZoo's own {name}"] = environment(game)
    times: dict[str, list[float]] = {name: [] for name in players}
    for number in range(run.rounds):
        for name in list(players)[:: -1 if number % 2 else 1]:
            times[name].append(seconds_each(players[name]))
    for name, spent in times.items():
        figure = f"{1 / low(spent):,.0f} decisions a second"
        yield Row(name, (f"{figure}; {ratio(spent, times[PURE])} of the pure rules",))


def seconds_each(play: Callable[[], int]) -> float:
    """Seconds of processor time for a decision."""
    began, decisions = process_time(), 0
    while (spent := process_time() - began) < SECONDS:
        decisions += play()
    return spent / decisions


def pure_rules() -> Callable[[], int]:
    """Deals by the pure rules: the legal actions as values, one chosen, the next state."""
    rules, chance = preset(), random.Random(1)
    decks = [shuffled(f"training {number}") for number in range(100)]

    def play() -> int:
        state, decisions = start(rules, from_deck(chance.choice(decks), rules, 0)), 0
        while state.phase != "over":
            choices = legal(state)
            state = apply(state, choices[int(chance.random() * len(choices))])
            decisions += 1
        return decisions

    return play


def tables(count: int, seeing: bool = True) -> Callable[[], int]:
    """A step at each of some tables."""
    dealt = Tables(preset(), count, seed=1)
    chance = np.random.default_rng(1)
    wishes = chance.integers(1, 256, (7, count, 64), np.uint8)
    steps = 0

    def play() -> int:
        nonlocal steps
        steps += 1
        if seeing:
            dealt.observations()
        dealt.step((wishes[steps % len(wishes)] * dealt.masks()).argmax(axis=1))
        dealt.payments()
        dealt.redeal()
        return count

    return play


def environment(game: Any) -> Callable[[], int]:
    """A whole episode of an environment."""
    chance = random.Random(1)
    game.reset(seed=1)

    def play() -> int:
        game.reset()
        decisions = 0
        for _ in game.agent_iter():
            seen, _, ended, cut, info = game.last()
            if ended or cut:
                game.step(None)
                continue
            mask = seen["action_mask"] if "action_mask" in seen else info["action_mask"]
            game.step(int(chance.choice(np.flatnonzero(mask))))
            decisions += 1
        return decisions

    return play


def classic(name: str) -> Any:
    """A game of PettingZoo's, or None where what it needs is not installed."""
    try:
        return import_module(f"pettingzoo.classic.{name}").env()
    except ImportError:
        return None
