"""Figures of rounds measured in turn, as rows of one table."""

from collections.abc import Callable, Iterator, Sequence
from statistics import quantiles
from typing import NamedTuple

from benchmarks.places import Place, Spent


class Run(NamedTuple):
    """What a benchmark is given: the arenas, this one first, a bot and a parent in C, rounds."""

    places: Sequence[Place]
    bot: str
    parent: str
    rounds: int

    def in_turn(self) -> Iterator[Sequence[Place]]:
        """The arenas of each round, every other time in the opposite order."""
        for number in range(self.rounds):
            yield self.places[:: -1 if number % 2 else 1]


class Row(NamedTuple):
    """A line of the table: what was measured, its figure at each place, and how these compare."""

    what: str
    figures: tuple[str, ...]


Rows = Iterator[Row]

Times = dict[str, list[Spent]]
"""By the names of the places, what something took in each round."""


def walls(spent: Sequence[Spent]) -> list[float]:
    """Seconds by the clock."""
    return [each.wall_s for each in spent]


def cpus(spent: Sequence[Spent]) -> list[float]:
    """Seconds of processor time, or none at all where they are not known."""
    return [each.cpu_s for each in spent if each.cpu_s is not None]


def compared(what: str, times: Times, shown: Callable[[Sequence[Spent]], str]) -> Row:
    """A row with the figure of each place and, of two, how much faster the first is."""
    spent = list(times.values())
    figures = [shown(each) for each in spent]
    return Row(what, (*figures, relative(*spent)) if len(spent) > 1 else tuple(figures))


def relative(spent: Sequence[Spent], base: Sequence[Spent]) -> str:
    """How much faster than the base something is, also by processor time where that is known."""
    text = ratio(walls(spent), walls(base))
    if cpus(spent) and cpus(base):
        text += f", by processor time {low(cpus(base)) / low(cpus(spent)):.2f}"
    return text


def took(spent: Sequence[Spent]) -> str:
    """Milliseconds, in words."""
    wall, cpu = f"{1e3 * low(walls(spent)):.1f} ms by the clock", cpus(spent)
    return f"{1e3 * low(cpu):.1f} ms of processor time, {wall}" if cpu else wall


def ratio(times: Sequence[float], base: Sequence[float]) -> str:
    """How much faster than the base something is: of lower quartiles, and of single rounds."""
    each = [other / mine for mine, other in zip(times, base, strict=True)]
    return f"{low(base) / low(times):.2f} ({min(each):.2f} to {max(each):.2f})"


def low(values: Sequence[float]) -> float:
    """The lower quartile: disturbed little by the machine's neighbours, and no lucky round."""
    return quantiles(values, n=4, method="inclusive")[0] if len(values) > 1 else values[0]


def line(row: Row, columns: int) -> str:
    """A row of a table in Markdown, with this many figures."""
    return "| " + " | ".join([row.what, *row.figures, *[""] * (columns - len(row.figures))]) + " |"
