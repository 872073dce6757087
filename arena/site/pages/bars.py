"""Figures of a league's pages as SVG: intervals side by side, and strengths over time.

Horizontal positions are shares of the width, so that a figure can be read on a phone, too. Colours
come from the style sheet, by class: the pages' policy allows no styles on elements.
"""

from collections.abc import Callable, Iterable, Sequence
from math import ceil, floor, log10
from typing import Final

import msgspec
from markupsafe import Markup

from arena.base.harmless import harmless
from arena.site.documents.bot import PastMoment
from arena.site.documents.league import CrosstableDocument
from arena.site.pages.words import PageWords
from arena.stats.figures import Gap, HeadToHead, Standing

_Interval = tuple[float, float] | None

_SHADES: Final = ((0.999, 3), (0.975, 2), (0.8, 1))
"""The probability of being better that each shade of the crosstable takes, the darkest first."""


COLOURS: Final = 8
DASHES: Final = 5
"""The kinds of dashes: `COLOURS` times `DASHES` bots have lines that differ, by their order."""

_LABEL: Final = 17


class Axis(msgspec.Struct, frozen=True):
    """An axis of stakes per deal: its bounds and the round numbers between them."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def across(self, value: float) -> str:
        """Return a value's position as a share of the width; what is outside lies at the edge."""
        share = (value - self.low) / (self.high - self.low)
        return f"{min(max(share, 0.0), 1.0) * 100:.2f}%"


def axis_of(values: Iterable[float], steps: int = 4) -> Axis:
    """Return an axis with round bounds around some values and zero, and about `steps` steps."""
    found = [0.0, *values]
    least, most = min(found), max(found)
    rough = max((most - least) / steps, 0.05)
    unit = 10.0 ** floor(log10(rough))
    step = next(unit * factor for factor in (1, 2, 5, 10) if unit * factor >= rough)
    first, last = floor(least / step), ceil(most / step)
    last = max(last, first + 1)
    return Axis(first * step, last * step, tuple(each * step for each in range(first, last + 1)))


class Measure(msgspec.Struct, frozen=True):
    """The figure that orders a table: the head of its column, and its values in a bot's line.

    `of` returns the value, its interval and the ranks that it leaves open; `ranks` says when they
    hold. Both texts are messages.
    """

    head: str
    ranks: str
    of: Callable[[Standing], tuple[float | None, _Interval, tuple[int, int] | None]]


SO_FAR: Final = Measure(
    "column-strength",
    "ranks-at-all-looks",
    lambda line: (line.strength, line.anytime_ci95, line.anytime_ranks),
)
AT_END: Final = Measure(
    "column-strength",
    "ranks-open",
    lambda line: (line.strength, line.strength_ci95, line.ranks),
)
STAKES: Final = Measure(
    "column-stakes", "ranks-open", lambda line: (line.stakes_per_deal, line.ci95, line.ranks)
)


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


class Track(msgspec.Struct, frozen=True):
    """A bot's strengths after some numbers of sets; `intervals` has one for each, or none."""

    bot: str
    sets: tuple[int, ...]
    strengths: tuple[float, ...]
    intervals: tuple[tuple[float, float], ...] = ()


def past_track(bot: str, moments: Sequence[PastMoment]) -> Track:
    """Return the strengths of a version over time, as far as they had intervals."""
    known = [(each, each.interval) for each in moments if each.interval is not None]
    return Track(
        bot,
        tuple(each.sets for each, _ in known),
        tuple(each.strength for each, _ in known),
        tuple(interval for _, interval in known),
    )


def field_tracks(found: CrosstableDocument) -> list[Track]:
    """Return the strengths of all bots over time, from where one of them had an interval."""
    shown = [point for point in found.growth if set(point.plus_minus) != {None}]
    tracks = []
    for place, bot in enumerate(found.bots):
        way = [(each.each, each.strengths[place]) for each in shown]
        known = [(sets, value) for sets, value in way if value is not None]
        if known:
            sets, values = zip(*known, strict=True)
            tracks.append(Track(bot, sets, values))
    return tracks


def growth(words: PageWords, tracks: Sequence[Track], of: str) -> Markup:
    """Return a figure of strengths as sets came in: one with its interval, or several with names.

    It is empty if there are less than two moments. `of` is the message that counts the sets.
    """
    if max((len(track.sets) for track in tracks), default=0) < 2:
        return Markup("")
    ends = [end for track in tracks for each in track.intervals for end in each]
    axis = axis_of([*ends, *(value for track in tracks for value in track.strengths)])
    last = max(track.sets[-1] for track in tracks)
    sets = words.say(of, count=last)
    height = max(200, 24 * len(tracks)) if tracks[1:] else 200

    def up(value: float) -> float:
        return (axis.high - value) / (axis.high - axis.low) * (height - 20) + 10

    def points(sets: Sequence[int], values: Iterable[float]) -> str:
        found = zip(sets, values, strict=True)
        return " ".join(f"{each / last * 1000:.1f},{up(value):.1f}" for each, value in found)

    grid = Markup("").join(
        Markup(
            '<line class="{kind}" x1="0" x2="100%" y1="{y}" y2="{y}"/>'
            '<text x="0" dx="-8" y="{y}" dy="4" text-anchor="end">{word}</text>'
        ).format(
            kind="zero" if abs(tick) < 1e-9 else "grid",
            y=f"{up(tick):.1f}",
            word=tick_word(words, tick),
        )
        for tick in axis.ticks
    )
    drawn = Markup("")
    for place, track in enumerate(tracks):
        if track.intervals:
            lows, highs = zip(*track.intervals, strict=True)
            band = f"{points(track.sets, highs)} {points(track.sets[::-1], lows[::-1])}"
            drawn += Markup('<polygon points="{}"/>').format(band)
        line = points(track.sets, track.strengths)
        kind = line_class(place) if tracks[1:] else "line"
        drawn += Markup('<polyline class="{}" points="{}"/>').format(kind, line)
    return Markup(
        '<svg class="growth{many}" height="{room}" role="img" aria-label="{told}">{grid}'
        '<svg width="100%" height="{height}" viewBox="0 0 1000 {height}"'
        ' preserveAspectRatio="none">{drawn}</svg>'
        '<text x="0" y="{foot}">0</text>'
        '<text x="100%" y="{foot}" text-anchor="end">{sets}</text>{labels}</svg>'
    ).format(
        many=" many" if tracks[1:] else "",
        room=height + 22,
        height=height,
        told=words.say("growth-over", sets=sets),
        grid=grid,
        drawn=drawn,
        foot=height + 16,
        sets=sets,
        labels=_labels(tracks, up, height) if tracks[1:] else "",
    )


def line_class(place: int) -> str:
    """Return the classes of a bot's line, by its place in the order."""
    return f"line c{place % COLOURS} d{place // COLOURS % DASHES}"


def _labels(tracks: Sequence[Track], up: Callable[[float], float], height: int) -> Markup:
    """Return the names beside the ends of lines, each connected with its line."""
    ends = sorted((up(track.strengths[-1]), place) for place, track in enumerate(tracks))
    heights = _spread([end for end, _ in ends], height - 4)
    return Markup('<svg class="labels" x="100%">{}</svg>').format(
        Markup("").join(
            Markup(
                '<g><title>{name}</title><path class="{kind}" d="M2 {end:.1f} L10 {y:.1f} H32"/>'
                '<text class="name" x="38" y="{text:.1f}">{short}</text></g>'
            ).format(
                name=tracks[place].bot,
                kind=line_class(place),
                end=end,
                y=y,
                text=y + 4,
                short=_short(tracks[place].bot),
            )
            for (end, place), y in zip(ends, heights, strict=True)
        )
    )


def _spread(heights: Sequence[float], lowest: float) -> list[float]:
    """Return heights from above, moved by as little as it takes until each label has a line.

    Labels that touch are moved as one, around the mean of the heights they wanted.
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
    """Return a name as short as a label must be."""
    shown = harmless(name)
    return shown if len(shown) <= 16 else shown[:15] + "…"


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
