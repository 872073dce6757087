"""Trains a small network to play Zole by playing against itself, and writes it as a bot.

    arena new mybot --lang learned
    python mybot/train.py mybot --seed 1

The method is Deep Monte Carlo: at many tables at once the network plays all seats, mostly the
action that it values most and now and then any other; then the value of each action taken is drawn
towards the stakes that its seat was paid at the end of the deal. Nothing is taught but the rules.
With a `--share` it meets a pool of opponents at this many of the tables: rules of thumb, and itself
as it was at earlier checkpoints.

The bot's folder gets the adapter, the weights and a manifest. Beside it, `mybot.training/` keeps
`curve.jsonl`, a line for each checkpoint, `past-1.npz` and so on, the earlier selves,
`checkpoint.npz`, from which the same command goes on, and `before.npz`, the weights that the bot
had. With the same arguments the same numbers come out on the same machine, interrupted or not.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from bisect import bisect
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # for matrices this small more cost time

import numpy as np
from numpy.typing import NDArray

from arena.base.installation import shipped
from arena.training.actions import ACTIONS
from arena.training.observation import LARGEST_NUMBERS, OBSERVATION_SIZE
from arena.training.policies import Pool, by_chance, choose_actions
from arena.training.tables import Tables
from arena.zole.rules import Rules, preset

try:
    from examples.thumbs import thumbs
except ImportError:  # run as a file, its folder is where Python looks
    from thumbs import thumbs  # type: ignore[import-not-found,no-redef]

Floats = NDArray[np.float32]
Numbers = NDArray[np.intp]

SAMPLES = shipped("sample_bots")
ADAPTER = "player.py"
WEIGHTS = "weights.npz"
MANIFEST = """\
name = "{name}"
version = "1"
author = "me"
run = ["python3", "player.py", "weights.npz"]
deterministic = true
"""

TABLES = 512
"""Tables at which deals are played at once, and deals between two rounds of learning."""
BATCH = 1024
"""Decisions from which a step is learned."""
UNITS = (128, 128)
"""Units of the network's layers."""
EXPLORES = 0.03
"""The share of decisions taken by chance at first; at the end, `LAST` of that."""
LAST = 0.05
SILENT = 60
"""About as many of the inputs are not zero at once."""
SCALE: Floats = (1 / LARGEST_NUMBERS).astype(np.float32)


class Decisions(NamedTuple):
    """What was decided: observations, actions, and the stakes that the deals paid for them."""

    seen: NDArray[np.int8]
    actions: Numbers
    stakes: Floats


class Network:
    """The value of each action in stakes, by layers of rectified units; steps are Adam's."""

    def __init__(self, random: np.random.Generator) -> None:
        sizes = (OBSERVATION_SIZE, *UNITS, len(ACTIONS))
        self.arrays: list[Floats] = []
        for layer, (inputs, outputs) in enumerate(pairwise(sizes)):
            spread = np.sqrt(2 / (inputs if layer else SILENT))
            weights = random.standard_normal((inputs, outputs), np.float32) * np.float32(spread)
            self.arrays += [weights, np.zeros(outputs, np.float32)]
        self.means = [np.zeros_like(array) for array in self.arrays]
        self.squares = [np.zeros_like(array) for array in self.arrays]
        self.steps = 0

    def layers(self, seen: NDArray[np.int8]) -> list[Floats]:
        """The inputs and what each layer makes of them; the last are the values by action."""
        found: list[Floats] = [seen * SCALE]
        for weights, bias in zip(self.arrays[::2], self.arrays[1::2], strict=True):
            sums = found[-1] @ weights + bias
            found.append(np.maximum(sums, 0, out=sums) if len(bias) != len(ACTIONS) else sums)
        return found

    def best(self, seen: NDArray[np.int8], masks: NDArray[np.bool_]) -> Numbers:
        """The allowed action of the greatest value, by row."""
        actions: Numbers = np.where(masks, self.layers(seen)[-1], -np.inf).argmax(axis=1)
        return actions

    def learn(self, batch: Decisions, rate: float) -> float:
        """Take a step towards the stakes of a batch; return the mean squared error before it."""
        layers = self.layers(batch.seen)
        rows = np.arange(len(batch.actions))
        errors = layers[-1][rows, batch.actions] - batch.stakes
        slope = np.zeros_like(layers[-1])
        slope[rows, batch.actions] = errors / len(rows)
        slopes: list[Floats] = []
        for layer in reversed(range(len(layers) - 1)):
            below = layers[layer]
            slopes += [slope.sum(axis=0), below.T @ slope]
            if layer:
                slope = slope @ self.arrays[2 * layer].T * (below > 0)
        self._descend(slopes[::-1], rate)
        return float((errors**2).mean())

    def _descend(self, slopes: list[Floats], rate: float) -> None:
        """Kingma and Ba, Adam: A Method for Stochastic Optimization, 2015, algorithm 1."""
        self.steps += 1
        rate *= float(np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps))
        moments = zip(self.arrays, slopes, self.means, self.squares, strict=True)
        for array, slope, mean, square in moments:
            mean += np.float32(0.1) * (slope - mean)
            square += np.float32(0.001) * (slope**2 - square)
            array -= np.float32(rate) * mean / (np.sqrt(square) + np.float32(1e-8))

    def save(self, path: Path) -> None:
        """Write the weights as the adapter reads them, in half precision."""
        named = {f"{'wb'[place % 2]}{place // 2}": each for place, each in enumerate(self.arrays)}
        named["w0"] = named["w0"] * SCALE[:, None]  # the adapter gives it whole numbers
        halves = {name: np.atleast_2d(each).astype("<f2") for name, each in named.items()}
        np.savez(path, allow_pickle=False, **halves)

    def load(self, path: Path) -> None:
        """Take over weights that were saved."""
        with np.load(path) as file:
            named = {name: file[name].astype(np.float32) for name in file.files}
        named["w0"] /= SCALE[:, None]
        for place, array in enumerate(self.arrays):
            found = named[f"{'wb'[place % 2]}{place // 2}"]
            self.arrays[place] = found.reshape(array.shape)


class Plan(NamedTuple):
    """How a run learns: this many rounds, at first with steps of this rate, against a pool.

    The rate falls to `LAST` of that. At a `share` of the tables one seat is the network's.
    """

    rounds: int
    rate: float = 1e-3
    share: float = 0.0
    pool: Pool = Pool()


def play(
    network: Network,
    rules: Rules,
    count: int,
    explores: float,
    random: np.random.Generator,
    plan: Plan | None = None,
) -> Decisions:
    """Deals in which the network plays: every decision of its own in which there was a choice."""
    tables = Tables(rules, count, random)
    pool, share = (plan.pool, plan.share) if plan else (Pool(), 0.0)
    sitting = pool.seat(count, rules.players, share, random) if share else None
    seen, rows, seats, taken = [], [], [], []
    while not tables.over.all():
        due = np.flatnonzero(~tables.over)
        if sitting is not None:
            others = due[sitting[due, tables.seats[due]] > 0]
            if len(others):
                tables.step(
                    choose_actions(tables, (network.best, *pool.policies), sitting, others), others
                )
                continue
        masks = tables.masks(due)
        looks = tables.observations(due)
        actions = network.best(looks, masks)
        tries = np.flatnonzero(random.random(len(due)) < explores)
        actions[tries] = by_chance(masks[tries], random)
        choice = np.flatnonzero(masks.sum(axis=1) > 1)
        seen.append(looks[choice])
        rows.append(due[choice])
        seats.append(tables.seats[due[choice]])
        taken.append(actions[choice])
        tables.step(actions, due)
    paid = tables.payments()[np.concatenate(rows), np.concatenate(seats)]
    return Decisions(np.concatenate(seen), np.concatenate(taken), paid.astype(np.float32))


def batches(decisions: Decisions, random: np.random.Generator) -> Iterator[Decisions]:
    """The decisions in batches, shuffled; what fills none is left out."""
    order = random.permutation(len(decisions.actions))
    for start in range(0, len(order) - BATCH + 1, BATCH):
        rows = order[start : start + BATCH]
        seen, actions, stakes = decisions
        yield Decisions(seen[rows], actions[rows], stakes[rows])


def train(network: Network, rules: Rules, seed: int, first: int, last: int, plan: Plan) -> float:
    """Play and learn rounds `first` to `last`; return the mean squared error.

    What a round does follows from the seed, its number, the network and the pool alone.
    """
    errors = []
    for number in range(first, last):
        random = np.random.default_rng((seed, number))
        left = max(LAST, 1 - number / plan.rounds)
        decisions = play(network, rules, TABLES, EXPLORES * left, random, plan)
        errors += [network.learn(batch, plan.rate * left) for batch in batches(decisions, random)]
    return float(np.mean(errors))


def against_chance(network: Network, rules: Rules, count: int, seed: int) -> float:
    """Stakes a deal of the network where all others play by chance."""
    random = np.random.default_rng(seed)
    tables = Tables(rules, count, random)
    own = np.arange(count) // rules.players % rules.players  # dealers go round with the tables
    while not tables.over.all():
        due = np.flatnonzero(~tables.over)
        masks = tables.masks(due)
        actions = by_chance(masks, random)
        mine = np.flatnonzero(tables.seats[due] == own[due])
        actions[mine] = network.best(tables.observations(due[mine]), masks[mine])
        tables.step(actions, due)
    return float(tables.payments()[np.arange(count), own].mean())


def in_a_match(bot: Path, opponent: Path, rules: str, deals: int) -> float:
    """Stakes a deal of a bot in a match with another, played by the arena: both mirrored."""
    bots = (str(bot), str(opponent))
    terms = ("--rules", rules, "--deals", str(deals), "--seed", "1", "--json")
    command = (sys.executable, "-m", "arena", "match", *bots, *terms)
    done = subprocess.run(command, check=True, capture_output=True)
    first, _ = json.loads(done.stdout)["totals"]
    return float(first["stakes_per_deal"])


class Run:
    """A run on disk: a bot that gets better, the curve, and what is needed to go on.

    It begins by chance, or with the weights of another bot.
    """

    def __init__(self, bot: Path, seed: int, begins: Path | None = None) -> None:
        self.bot = bot
        self.kept = bot.with_name(f"{bot.name}.training")
        self.network = Network(np.random.default_rng(seed))
        self.pool = Pool([thumbs])
        self.pasts = 0
        if begins is not None:
            self.network.load(begins / WEIGHTS)
        self.round = 0
        self.seconds = self.processor_seconds = 0.0
        bot.mkdir(parents=True, exist_ok=True)
        self.kept.mkdir(exist_ok=True)
        if not (bot / "bot.toml").exists():
            (bot / "bot.toml").write_text(MANIFEST.format(name=bot.name))
        if not (bot / ADAPTER).exists():
            shutil.copy(SAMPLES / "learned" / ADAPTER, bot)
        if (self.kept / "checkpoint.npz").exists():
            self._go_on()
        elif (bot / WEIGHTS).exists():
            before = shutil.copy(bot / WEIGHTS, self.kept / "before.npz")
            print(f"the weights that were there are kept: {before}", file=sys.stderr)

    def keep(self, told: dict[str, float]) -> None:
        """Write the bot, a line of the curve, and the checkpoint last."""
        self.network.save(self.bot / WEIGHTS)
        with (self.kept / "curve.jsonl").open("a") as curve:
            curve.write(json.dumps(told) + "\n")
        network = self.network
        moments = (*network.arrays, *network.means, *network.squares)
        numbers = (
            *(self.round, network.steps, self.pasts + 1),
            *(self.seconds, self.processor_seconds),
        )
        self._remember()
        np.savez(self.kept / "new.npz", np.array(numbers), *moments, allow_pickle=False)
        (self.kept / "new.npz").replace(self.kept / "checkpoint.npz")

    def _remember(self) -> None:
        """Add the bot as it is now to the pool."""
        self.pasts += 1
        shutil.copy(self.bot / WEIGHTS, self.kept / f"past-{self.pasts}.npz")
        self._meet(self.pasts)

    def _meet(self, number: int) -> None:
        past = Network(np.random.default_rng(0))
        past.load(self.kept / f"past-{number}.npz")
        self.pool.add(past.best)

    def _go_on(self) -> None:
        with np.load(self.kept / "checkpoint.npz") as file:
            numbers, *moments = file.values()
        self.round, self.network.steps, self.pasts = map(int, numbers[:3])
        self.seconds, self.processor_seconds = map(float, numbers[3:])
        for number in range(1, self.pasts + 1):
            self._meet(number)
        third = len(moments) // 3
        parts = (moments[start : start + third] for start in range(0, 3 * third, third))
        self.network.arrays, self.network.means, self.network.squares = parts


def main() -> None:
    """Train as the command line says, and tell each checkpoint."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("bot", type=Path, help="the bot's folder, made or gone on with")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rules", default="pagat", help="a preset")
    parser.add_argument("--rounds", type=int, default=4000, help=f"each of {TABLES} deals")
    parser.add_argument("--checkpoints", type=int, default=10)
    parser.add_argument("--deals", type=int, default=100, help="against careful; 0 saves the time")
    parser.add_argument("--rate", type=float, default=1e-3, help="how far a step goes at first")
    parser.add_argument("--share", type=float, default=0, help="of tables with other opponents")
    parser.add_argument("--begin", type=Path, help="a bot's folder, whose weights it begins with")
    arguments = parser.parse_args()
    run = Run(arguments.bot.resolve(), arguments.seed, arguments.begin)
    rules, rounds = preset(arguments.rules), arguments.rounds
    plan = Plan(rounds, arguments.rate, arguments.share, run.pool)
    every = -(-rounds // arguments.checkpoints)
    ends = sorted({1, *range(every, rounds, every), rounds})
    for last in ends[bisect(ends, run.round) :]:
        began, busy = time.monotonic(), time.process_time()
        error = train(run.network, rules, arguments.seed, run.round, last, plan)
        run.round = last
        run.seconds += time.monotonic() - began
        run.processor_seconds += time.process_time() - busy
        run.network.save(run.bot / WEIGHTS)
        told = {
            "deals": last * TABLES,
            "steps": run.network.steps,
            "seconds": round(run.seconds, 1),
            "processor_seconds": round(run.processor_seconds, 1),
            "error": round(error, 3),
        }
        told["random"] = round(against_chance(run.network, rules, 3000, seed=0), 2)
        if arguments.deals:
            careful = in_a_match(run.bot, SAMPLES / "careful", arguments.rules, arguments.deals)
            told["careful"] = round(careful, 2)
        run.keep(told)
        print(json.dumps(told), flush=True)


if __name__ == "__main__":
    main()
