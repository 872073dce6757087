"""What the sandbox costs, by level: the start and end of a match of three, and each decision."""

import sys
from collections import defaultdict

from arena.base.errors import MachineError
from arena.base.isolation_levels import ISOLATION_LEVELS, IsolationLevel
from arena.sandbox.isolation import Isolation, choose_isolation
from benchmarks.figures import Row, Rows, Run, Times, compared, relative, took

DEALS = 1000
STARTS = 10


def measure(run: Run) -> Rows:
    """A match of one deal, nearly all start and end, and decisions without start and end."""
    levels = [level for level, _ in available()]
    starts: dict[str, Times] = {level: defaultdict(list) for level in levels}
    decided: dict[str, Times] = {level: defaultdict(list) for level in levels}
    for places in run.in_turn():
        for level in levels:
            for place in places:
                start = place.play(run.bot, 1, level=level, times=STARTS)
                starts[level][place.name].append(start.spent)
                whole = place.play(run.bot, DEALS, level=level)
                decided[level][place.name].append(whole.spent.less(start.spent))
    for level in levels:
        yield compared(f"a match of one deal, {worded(level)}", starts[level], took)
    for level in levels:
        if level != "none":
            figures = map(relative, decided[level].values(), decided["none"].values())
            yield Row(f"decisions in {level}, relative to no sandbox", tuple(figures))


def worded(level: IsolationLevel) -> str:
    """A level as the table names it."""
    return "no sandbox" if level == "none" else level


def available() -> list[tuple[IsolationLevel, Isolation]]:
    """The levels that this machine holds, the weakest first."""
    found: list[tuple[IsolationLevel, Isolation]] = []
    for level in reversed(ISOLATION_LEVELS):
        try:
            found.append((level, choose_isolation(level)))
        except MachineError as error:
            print(f"{level} is left out: {error.mistakes[0]}", file=sys.stderr)
    return found
