"""Figures of a site's pages as SVG: intervals beside one another, a version's way through time.

Places across are shares of the width, so that a figure is as readable on a phone; colours are the
style's, by class, since the pages' policy allows no style of an element's own.
"""

from collections.abc import Callable, Iterable, Sequence
from math import ceil, floor, log10
from typing import Final

import msgspec
from markupsafe import Markup

from arena.site.documents.bot import PastMoment
from arena.site.pages.words import MINUS
from arena.stats.figures import Gap, HeadToHead, Standing

_Interval = tuple[float, float] | None

_SHADES: Final = ((0.999, 3), (0.975, 2), (0.8, 1))
"""How sure it must be who is better for a shade of the crosstable, the darkest first."""


class Axis(msgspec.Struct, frozen=True):
    """An axis of stakes per deal: its bounds and the round numbers between them."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def across(self, value: float) -> str:
        """Where a value is, as a share of the width; what is outside lies at the edge."""
        share = (value - self.low) / (self.high - self.low)
        return f"{min(max(share, 0.0), 1.0) * 100:.2f}%"


def axis_of(values: Iterable[float], steps: int = 4) -> Axis:
    """Round bounds around some values and zero, and about so many steps between them."""
    found = [0.0, *values]
    least, most = min(found), max(found)
    rough = max((most - least) / steps, 0.05)
    unit = 10.0 ** floor(log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    first, last = floor(least / step), ceil(most / step)
    last = max(last, first + 1)
    return Axis(first * step, last * step, tuple(each * step for each in range(first, last + 1)))


class Measure(msgspec.Struct, frozen=True):
    """What a table is ordered by: how its column is called, and its parts of a bot's line.

    These are a value, its interval and the ranks that it leaves open; `looks` says when they hold.
    """

    head: str
    looks: str
    of: Callable[[Standing], tuple[float | None, _Interval, tuple[int, int] | None]]


SO_FAR: Final = Measure(
    "strength",
    ", at all looks together",
    lambda line: (line.strength, line.anytime_ci95, line.anytime_ranks),
)
AT_END: Final = Measure(
    "strength", "", lambda line: (line.strength, line.strength_ci95, line.ranks)
)


def table_axis(lines: Sequence[Standing], by: Measure) -> Axis:
    """An axis for the values of a table.

    Of bots that hardly played, whose intervals are much wider than most, it leaves the ends out.
    """
    found = [(value, interval) for value, interval, _ in map(by.of, lines) if value is not None]
    known = [(value, *interval) for value, interval in found if interval is not None]
    widths = sorted(high - low for _, low, high in known)
    most = 1.5 * widths[len(widths) // 2] if widths else 0.0
    lows = [max(low, value - most) for value, low, _ in known]
    highs = [min(high, value + most) for value, _, high in known]
    return axis_of([*(value for value, _ in found), *lows, *highs])


def around(gap: Gap) -> _Interval:
    """The interval of a gap."""
    half = gap.plus_minus
    return None if half is None else (gap.stakes - half, gap.stakes + half)


def gap_axis(pairs: Iterable[HeadToHead]) -> Axis:
    """An axis for how much more a bot made than each other, with the intervals."""
    known = [each.met for each in pairs if each.met is not None]
    return axis_of([end for gap in known for end in around(gap) or (gap.stakes,)])


def shade(gap: Gap) -> str:
    """The class of how sure it is who of two is better."""
    sure = 0.5 if gap.los is None else gap.los
    step = next((number for least, number in _SHADES if max(sure, 1 - sure) > least), None)
    return "" if step is None else f"{'ahead' if sure > 0.5 else 'behind'}-{step}"


def scale(axis: Axis) -> Markup:
    """The numbers of an axis, to stand above its bars."""
    marks = Markup("").join(
        Markup('<text class="{}" x="{}" y="15" text-anchor="{}">{}</text>').format(
            _kind(tick, axis), axis.across(tick), _anchor(tick, axis), tick_word(tick)
        )
        for tick in axis.ticks
    )
    return Markup('<svg class="scale" width="100%" height="20" aria-hidden="true">{}</svg>').format(
        marks
    )


def bar(axis: Axis, value: float | None, interval: _Interval) -> Markup:
    """A value and its interval, in a row of a table whose numbers say the same."""
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


def growth(moments: Sequence[PastMoment]) -> Markup:
    """Where a version stood as its sets came in, with its interval; nothing for less than two."""
    shown = [each for each in moments if each.interval is not None]
    if len(shown) < 2:
        return Markup("")
    ends = [end for each in shown for end in (each.interval or ())]
    axis, last, height = axis_of(ends), shown[-1].sets, 200

    def up(value: float) -> str:
        return f"{(axis.high - value) / (axis.high - axis.low) * (height - 20) + 10:.1f}"

    def along(sets: int) -> str:
        return f"{sets / last * 1000:.1f}"

    lines = Markup("").join(
        Markup(
            '<line class="{kind}" x1="0" x2="100%" y1="{y}" y2="{y}"/>'
            '<text x="0" dx="-8" y="{y}" dy="4" text-anchor="end">{word}</text>'
        ).format(kind="zero" if abs(tick) < 1e-9 else "grid", y=up(tick), word=tick_word(tick))
        for tick in axis.ticks
    )
    there = [f"{along(each.sets)},{up(each.interval[1])}" for each in shown if each.interval]
    back = [f"{along(each.sets)},{up(each.interval[0])}" for each in shown if each.interval]
    middle = [f"{along(each.sets)},{up(each.strength)}" for each in shown]
    return Markup(
        '<svg class="growth" height="{room}" role="img" aria-label="{told}">{lines}'
        '<svg width="100%" height="{height}" viewBox="0 0 1000 {height}"'
        ' preserveAspectRatio="none"><polygon points="{band}"/><polyline points="{line}"/></svg>'
        '<text x="0" y="{foot}">0</text>'
        '<text x="100%" y="{foot}" text-anchor="end">{last} sets</text></svg>'
    ).format(
        room=height + 22,
        height=height,
        told=f"Strength from {shown[0].strength:+.2f} to {shown[-1].strength:+.2f} over the sets",
        lines=lines,
        band=" ".join(there + back[::-1]),
        line=" ".join(middle),
        foot=height + 16,
        last=last,
    )


def tick_word(tick: float) -> str:
    """A round number of an axis."""
    return "0" if abs(tick) < 1e-9 else f"{tick:+.6g}".replace("-", MINUS)


def _kind(tick: float, axis: Axis) -> str:
    """Whether a number is one of those that stay where there is little room."""
    return "kept" if tick in (axis.low, axis.high) or abs(tick) < 1e-9 else "between"


def _anchor(tick: float, axis: Axis) -> str:
    if tick == axis.ticks[0]:
        return "start"
    return "end" if tick == axis.ticks[-1] else "middle"
