"""Figures of a report as SVG: intervals side by side, and strengths over time.

Places across are shares of the width and letters keep their size, so a figure is as readable on a
phone as on a wide screen. Colours, dashes and margins are the page's, by class.
"""

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10
from typing import Final

import msgspec

from arena.base.harmless import harmless
from arena.stats.figures import Point

COLOURS: Final = 8
DASHES: Final = 5
"""So many bots times colours have lines that differ; the order decides who gets which."""

_ROW: Final = 34
_FOOT: Final = 28
_LABEL: Final = 17
_NOTHING: Final = 1e-9
"""Stakes per deal that count as no difference."""


class Interval(msgspec.Struct, frozen=True):
    """A bot's estimate in stakes per deal, and its 95 % interval where there is one."""

    bot: str
    value: float
    bounds: tuple[float, float] | None


def draw_intervals(lines: Sequence[Interval], title: str) -> str:
    """Estimates with their intervals, a row for each bot; nothing without bots."""
    if not lines:
        return ""
    low, high, ticks = _axis([end for line in lines for end in (line.value, *(line.bounds or ()))])
    height = _ROW * len(lines) + _FOOT
    parts = [_frame("forest", height, title)]
    for tick in ticks:
        x = _across(tick, low, high)
        kind = _kind(tick)
        parts.append(f'<line class="{kind}" x1="{x}" x2="{x}" y1="0" y2="{height - _FOOT}"/>')
        parts.append(
            f'<text class="tick" x="{x}" y="{height - 8}" text-anchor="middle">{_word(tick)}</text>'
        )
    for row, line in enumerate(lines):
        y = _ROW * row + _ROW // 2
        parts.append(f"<g><title>{escape(line.bot)}</title>")
        parts.append(
            f'<text class="name" x="0" dx="-12" y="{y + 5}" text-anchor="end">'
            f"{escape(_short(line.bot))}</text>"
        )
        if line.bounds:
            begin, end = (_across(bound, low, high) for bound in line.bounds)
            parts.append(f'<line class="bar" x1="{begin}" x2="{end}" y1="{y}" y2="{y}"/>')
        x = _across(line.value, low, high)
        parts.append(f'<circle class="dot" cx="{x}" cy="{y}" r="3.5"/></g>')
    return "".join((*parts, "</svg>"))


def draw_growth(points: Sequence[Point], names: Sequence[str], order: Sequence[int]) -> str:
    """Strengths over sets, a line for each of the bots in `order`, their numbers in the field."""
    shown = [point for point in points if any(point.plus_minus[bot] is not None for bot in order)]
    found = (point.strengths[bot] for point in shown for bot in order)
    values = [value for value in found if value is not None]
    if len(shown) < 2 or not values:
        return ""
    low, high, ticks = _axis(values)
    last = shown[-1].each
    room = max(280, 24 * len(order))
    parts = [_frame("growth", room + _FOOT, "Strength in stakes per deal over the sets")]
    for tick in ticks:
        at = f"{_up(tick, low, high, room):.1f}"
        parts.append(f'<line class="{_kind(tick)}" x1="0" x2="100%" y1="{at}" y2="{at}"/>')
        parts.append(
            f'<text class="tick" x="0" dx="-8" y="{at}" dy="4" text-anchor="end">'
            f"{_word(tick)}</text>"
        )
    parts.append(f'<text class="tick" x="0" y="{room + 20}">0</text>')
    foot = f"{last:,} sets of each table"
    parts.append(f'<text class="tick" x="100%" y="{room + 20}" text-anchor="end">{foot}</text>')
    parts.append(
        f'<svg width="100%" height="{room}" viewBox="0 0 1000 {room}" preserveAspectRatio="none">'
    )
    ends: list[tuple[float, int]] = []
    for place, bot in enumerate(order):
        path = [
            (point.each / last * 1000, _up(value, low, high, room))
            for point in shown
            if (value := point.strengths[bot]) is not None
        ]
        if path:
            line = " ".join(f"{x:.1f},{y:.1f}" for x, y in path)
            parts.append(f'<polyline class="{line_class(place)}" points="{line}"/>')
            ends.append((path[-1][1], place))
    parts.append('</svg><svg class="labels" x="100%">')
    ends.sort()
    heights = _spread([end for end, _ in ends], room - 4)
    for (end, place), y in zip(ends, heights, strict=True):
        name = names[order[place]]
        parts.append(
            f"<g><title>{escape(name)}</title>"
            f'<path class="{line_class(place)}" d="M2 {end:.1f} L10 {y:.1f} H32"/>'
            f'<text class="name" x="38" y="{y + 4:.1f}">{escape(_short(name))}</text></g>'
        )
    return "".join((*parts, "</svg></svg>"))


def line_class(place: int) -> str:
    """The classes of the line of a bot by its place in the order."""
    return f"line c{place % COLOURS} d{place // COLOURS % DASHES}"


def _frame(kind: str, height: int, title: str) -> str:
    return f'<svg class="{kind}" height="{height}" role="img" aria-label="{escape(title)}">'


def _kind(tick: float) -> str:
    return "zero" if abs(tick) < _NOTHING else "grid"


def _word(tick: float) -> str:
    return "0" if abs(tick) < _NOTHING else f"{tick:+.10g}".replace("-", "\N{MINUS SIGN}")


def _axis(values: Sequence[float]) -> tuple[float, float, list[float]]:
    """Round bounds around some values and zero, and about five round steps between them."""
    least, most = min(0.0, *values), max(0.0, *values)
    rough = (most - least) / 5
    if rough < _NOTHING:  # all are tied, but for the last bits of sums
        rough = 0.1
    unit = 10.0 ** floor(log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    first = floor(least / step)
    last = max(first + 1, ceil(most / step))
    return first * step, last * step, [number * step for number in range(first, last + 1)]


def _across(value: float, low: float, high: float) -> str:
    return f"{(value - low) / (high - low) * 100:.2f}%"


def _up(value: float, low: float, high: float, height: int) -> float:
    return 8 + (height - 16) * (high - value) / (high - low)


def _spread(heights: Sequence[float], lowest: float) -> list[float]:
    """Heights from above, moved by as little as it takes until each label has a line.

    Labels that touch are moved as one, around the mean of where they wanted to be.
    """
    groups: list[tuple[float, int]] = []
    for height in heights:
        middle, count = height, 1
        while groups and groups[-1][0] + (groups[-1][1] + count) * _LABEL / 2 > middle:
            other, number = groups.pop()
            middle = (middle * count + other * number) / (count + number)
            count += number
        half = (count - 1) * _LABEL / 2
        groups.append((min(max(middle, 8 + half), lowest - half), count))
    return [
        middle + (number - (count - 1) / 2) * _LABEL
        for middle, count in groups
        for number in range(count)
    ]


def _short(name: str) -> str:
    """A name as a label has room for it."""
    shown = harmless(name)
    return shown if len(shown) <= 16 else shown[:15] + "…"
