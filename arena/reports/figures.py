"""Figures of a report as SVG: intervals side by side, and strengths over time."""

from collections.abc import Sequence
from html import escape
from math import ceil, floor, log10

from arena.stats.over_time import Point

_COLOURS = 8
_WIDTH, _LEFT, _RIGHT = 720, 56, 150


def draw_intervals(lines: Sequence[tuple[str, float, tuple[float, float] | None]]) -> str:
    """Means with their intervals, a line for each bot: name, stakes per deal, bounds."""
    if not lines:
        return ""
    ends = [end for _, mean, bounds in lines for end in (mean, *(bounds or ()))]
    low, high, ticks = _axis(ends)
    height = 22 * len(lines) + 30
    parts = [_frame(height, "Stakes per deal with 95 % intervals")]
    parts += _grid(low, high, ticks, height - 24)
    for row, (name, mean, bounds) in enumerate(lines):
        y = 22 * row + 16
        if bounds:
            begin, end = (_across(bound, low, high) for bound in bounds)
            parts.append(f'<line class="bar" x1="{begin:.1f}" x2="{end:.1f}" y1="{y}" y2="{y}"/>')
        parts.append(f'<circle class="dot" cx="{_across(mean, low, high):.1f}" cy="{y}" r="4"/>')
        parts.append(f'<text x="{_WIDTH - _RIGHT + 8}" y="{y + 4}">{escape(_short(name))}</text>')
    return "".join((*parts, "</svg>"))


def draw_growth(points: Sequence[Point], names: Sequence[str], order: Sequence[int]) -> str:
    """Strengths over sets, a line for each of the bots in `order`, their numbers in the field."""
    shown = [point for point in points if any(point.plus_minus[bot] is not None for bot in order)]
    values = [value for point in shown for bot in order if (value := point.strengths[bot])]
    if len(shown) < 2 or not values:
        return ""
    low, high, ticks = _axis(values)
    last = shown[-1].each
    height = max(260, 14 * len(order) + 40)
    parts = [_frame(height, "Strengths over time")]
    parts += _grid(low, high, ticks, height - 24, upright=True)
    ends: list[tuple[float, int]] = []
    for bot in order:
        places = [
            (_LEFT + point.each / last * (_WIDTH - _LEFT - _RIGHT), _up(value, low, high, height))
            for point in shown
            if (value := point.strengths[bot]) is not None
        ]
        if places:
            path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            parts.append(f'<polyline class="line c{bot % _COLOURS}" points="{path}"/>')
            ends.append((places[-1][1], bot))
    y = 0.0
    for end, bot in sorted(ends):
        y = max(end + 4, y + 13)
        name = escape(_short(names[bot]))
        place = f'x="{_WIDTH - _RIGHT + 8}" y="{y:.1f}"'
        parts.append(f'<text class="t{bot % _COLOURS}" {place}>{name}</text>')
    foot = f"sets of each table, up to {last:,}"
    parts.append(f'<text class="faint" x="{_LEFT}" y="{height - 4}">{foot}</text>')
    return "".join((*parts, "</svg>"))


def _frame(height: int, title: str) -> str:
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" aria-label="{escape(title)}">'
        f"<title>{escape(title)}</title>"
    )


def _grid(
    low: float, high: float, ticks: Sequence[float], height: int, upright: bool = False
) -> list[str]:
    """Lines and figures of the axis of stakes, across or, `upright`, from below to above."""
    parts: list[str] = []
    for tick in ticks:
        kind = "zero" if abs(tick) < 1e-9 else "grid"
        word = f"{tick:+.10g}" if kind == "grid" else "0"
        if upright:
            y = _up(tick, low, high, height + 24)
            ends = f'x1="{_LEFT}" x2="{_WIDTH - _RIGHT}" y1="{y:.1f}" y2="{y:.1f}"'
            place = f'x="{_LEFT - 6}" y="{y + 4:.1f}" text-anchor="end"'
        else:
            x = _across(tick, low, high)
            ends = f'x1="{x:.1f}" x2="{x:.1f}" y1="0" y2="{height}"'
            place = f'x="{x:.1f}" y="{height + 16}" text-anchor="middle"'
        parts.append(f'<line class="{kind}" {ends}/><text class="faint" {place}>{word}</text>')
    return parts


def _axis(values: Sequence[float]) -> tuple[float, float, list[float]]:
    """Round bounds around some values and zero, and about five round steps between them."""
    least, most = min(0.0, *values), max(0.0, *values)
    rough = (most - least) / 5 or 0.1
    unit = 10.0 ** floor(log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    first = floor(least / step)
    last = max(first + 1, ceil(most / step))
    return first * step, last * step, [number * step for number in range(first, last + 1)]


def _across(value: float, low: float, high: float) -> float:
    return _LEFT + (value - low) / (high - low) * (_WIDTH - _LEFT - _RIGHT)


def _up(value: float, low: float, high: float, height: int) -> float:
    return (height - 24) - (value - low) / (high - low) * (height - 36)


def _short(name: str) -> str:
    return name if len(name) <= 20 else name[:19] + "…"
