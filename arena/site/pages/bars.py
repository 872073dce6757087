"""Figures of a league's pages as SVG: intervals side by side.

Horizontal positions are shares of the width, so that a figure can be read on a phone, too. Colours
come from the style sheet, by class: the pages' policy allows no styles on elements.
"""

from collections.abc import Iterable, Sequence
from math import ceil, floor, log10
from typing import Final

import msgspec
from markupsafe import Markup

from arena.reports.columns import Measure
from arena.site.pages.words import PageWords
from arena.stats.figures import Gap, HeadToHead, Standing

_Interval = tuple[float, float] | None

_SHADES: Final = ((0.999, 3), (0.975, 2), (0.8, 1))
"""The probability of being better that each shade of the crosstable takes, the darkest first."""


class Axis(msgspec.Struct, frozen=True):
    """An axis of stakes per deal: its bounds and the round numbers between them."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def across(self, value: float) -> str:
        """Return a value's position as a share of the width; what is outside lies at the edge."""
        share = (value - self.low) / (self.high - self.low)
        return f"{min(max(share, 0.0), 1.0) * 100:.2f}%"


def axis_of(values: Iterable[float]) -> Axis:
    """Return an axis with round bounds around some values and zero, and about four steps."""
    found = [0.0, *values]
    least, most = min(found), max(found)
    rough = max((most - least) / 4, 0.05)
    unit = 10.0 ** floor(log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    first, last = floor(least / step), ceil(most / step)
    last = max(last, first + 1)
    return Axis(first * step, last * step, tuple(each * step for each in range(first, last + 1)))


def table_axis(lines: Sequence[Standing], by: Measure) -> Axis:
    """Return an axis for the values of a table.

    Intervals much wider than most, of bots that have hardly played, are cut off.
    """
    found = [(value, interval) for value, interval, _ in map(by.of, lines) if value is not None]
    known = [(value, *interval) for value, interval in found if interval is not None]
    widths = sorted(high - low for _, low, high in known)
    most = 1.5 * widths[len(widths) // 2] if widths else 0.0
    lows = [max(low, value - most) for value, low, _ in known]
    highs = [min(high, value + most) for value, _, high in known]
    return axis_of([*(value for value, _ in found), *lows, *highs])


def around(gap: Gap) -> _Interval:
    """Return the interval of a gap."""
    half = gap.plus_minus
    return None if half is None else (gap.stakes - half, gap.stakes + half)


def gap_axis(pairs: Iterable[HeadToHead]) -> Axis:
    """Return an axis for the gaps between pairs of bots, with their intervals."""
    known = [each.met for each in pairs if each.met is not None]
    return axis_of([end for gap in known for end in around(gap) or (gap.stakes,)])


def shade(gap: Gap) -> str:
    """Return the class for how sure it is who of two is better; "" for hardly."""
    sure = 0.5 if gap.los is None else gap.los
    step = next((number for least, number in _SHADES if max(sure, 1 - sure) > least), None)
    return "" if step is None else f"{'ahead' if sure > 0.5 else 'behind'}-{step}"


def scale(words: PageWords, axis: Axis) -> Markup:
    """Return the numbers of an axis, to stand above its bars."""
    marks = Markup("").join(
        Markup('<text class="{}" x="{}" y="15" text-anchor="{}">{}</text>').format(
            _kind(tick, axis), axis.across(tick), _anchor(tick, axis), tick_word(words, tick)
        )
        for tick in axis.ticks
    )
    return Markup('<svg class="scale" width="100%" height="20" aria-hidden="true">{}</svg>').format(
        marks
    )


def bar(axis: Axis, value: float | None, interval: _Interval) -> Markup:
    """Return a value with its interval, for a row of a table whose numbers say the same."""
    parts = [
        Markup('<line class="{}" x1="{x}" x2="{x}" y1="0" y2="100%"/>').format(
            "zero" if abs(tick) < 1e-9 else "grid", x=axis.across(tick)
        )
        for tick in axis.ticks
    ]
    if interval is not None:
        parts.append(
            Markup('<line class="range" x1="{}" x2="{}" y1="50%" y2="50%"/>').format(
                *map(axis.across, interval)
            )
        )
    if value is not None:
        parts.append(
            Markup('<circle class="dot" cx="{}" cy="50%" r="4"/>').format(axis.across(value))
        )
    return Markup('<svg class="bar" width="100%" height="100%" aria-hidden="true">{}</svg>').format(
        Markup("").join(parts)
    )


def tick_word(words: PageWords, tick: float) -> str:
    """Return a round number of an axis as text."""
    return "0" if abs(tick) < 1e-9 else words.figure(f"{tick:+.6g}")


def _kind(tick: float, axis: Axis) -> str:
    """Return the class of a number on an axis: `kept` if it stays where room is short."""
    return "kept" if tick in (axis.low, axis.high) or abs(tick) < 1e-9 else "between"


def _anchor(tick: float, axis: Axis) -> str:
    if tick == axis.ticks[0]:
        return "start"
    return "end" if tick == axis.ticks[-1] else "middle"
