"""The texts of pages in a language, and the figures that they draw: intervals side by side, as SVG.

Horizontal positions are shares of the width, so that a figure can be read on a phone, too. Colours
come from the style sheet, by class: the pages' policy allows no styles on elements.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from math import ceil, floor, log10
from typing import Any, Final
from urllib.parse import quote

import msgspec
from markupsafe import Markup, escape

from arena.base.words import deal_number
from arena.reports import tables
from arena.reports.language import Language, Phrase, Value
from arena.reports.tables import NONE, Column, Measure, in_print
from arena.stats.figures import Gap, HeadToHead, Role, Standing

TIMES: Final = "\N{MULTIPLICATION SIGN}"

# The messages that the script of all pages shows; others are at the element that shows them.
_BY_SCRIPTS: Final = ("copied", "copy-by-hand", "hash-is-right", "hash-is-wrong")

# The blanks that languages have within numbers; pages hold no others than spaces as they are.
_BLANKS: Final = {0xA0: "&nbsp;", 0x202F: "&#8239;"}


class PageWords:
    """The texts of pages in a language."""

    def __init__(self, language: Language) -> None:
        self.language = language

    def say(self, message: str, /, **values: Value) -> Markup:
        """Return a message. It may have tags; in its values they are escaped, but for `Markup`."""
        safe = {
            name: str(escape(value)) if isinstance(value, str) else value
            for name, value in values.items()
        }
        return Markup(self.language.say(message, **safe).translate(_BLANKS))

    def said(self, phrase: Phrase) -> Markup:
        """Return a message that comes with its values."""
        values = {
            name: Markup("; ").join(map(self.said, value)) if isinstance(value, tuple) else value
            for name, value in phrase.values.items()
        }
        return self.say(phrase.message, **values)

    def script_words(self) -> str:
        """Return the messages of the script of all pages as JSON."""
        said = {message: self.language.say(message) for message in _BY_SCRIPTS}
        return msgspec.json.encode(said).decode()

    def figure(self, text: str) -> str:
        """Return a figure as it is printed, with the language's sign before decimals."""
        return in_print(text).replace(".", self.language.point)

    def printed_signed(self, value: float | None, places: int = 2) -> str:
        """Return a number of stakes with its sign."""
        return self.figure(tables.signed(value, places))

    def printed_half(self, interval: tuple[float, float] | None, places: int = 2) -> str:
        """Return half of an interval, nothing for none."""
        return self.figure(tables.half(interval, places))

    def heading(self, column: Column[Any]) -> Markup:
        """Return the heading of a table's column; English if the language has no message for it."""
        kind, _, rest = column.key.partition("_")
        if kind == "game":
            return self.say("game", game=rest)
        if kind == "round":
            number = self.say("round-number", round=int(rest))
            return Markup('<abbr title="{}">{}.</abbr>').format(number, rest)
        message = f"column-{column.key.replace('_', '-')}"
        return self.say(message) if self.language.has(message) else Markup(escape(column.heading))

    def cell(self, column: Column[Any], row: object) -> Markup:
        """Return a figure or text of a table, with what follows ± or stands in brackets small."""
        found = column.text(row)
        if column.wraps:
            return bdi(str(found))
        if isinstance(found, int):
            return self.number(found)
        value, *small = re.split(r" \(|\)|(?=±)", self.figure(str(found)))
        return (
            Markup("{}<small>{}</small>").format(value, "".join(small)) if small else escape(value)
        )

    def stakes(self, value: int) -> str:
        """Return whole stakes with their sign; 0 has none."""
        return in_print(f"{value:+d}") if value else "0"

    def number(self, value: int) -> Markup:
        """Return a number with its thousands separated."""
        return Markup(self.language.number(value).translate(_BLANKS))

    def seconds(self, value: float) -> str:
        """Return a time in three digits, or to the microsecond."""
        if value >= 0.9995:
            return self.figure(f"{value:.2f} s" if value < 9.995 else f"{value:.1f} s")
        milliseconds = value * 1000
        places = 3 if milliseconds < 0.9995 else 2 if milliseconds < 9.995 else 1
        return self.figure(f"{milliseconds:.{places if milliseconds < 99.95 else 0}f} ms")

    def how_long(self, length_s: float) -> Markup:
        """Return a duration in its two largest units: `2 d 4 h`, `3 h 20 min`, `40 s`."""
        minutes, left = divmod(max(0, round(length_s)), 60)
        hours, minutes = divmod(minutes, 60)
        days, hours = divmod(hours, 24)
        counted = {"days": days, "hours": hours, "minutes": minutes, "seconds": left}
        largest = next((place for place, count in enumerate(counted.values()) if count), 3)
        shown = [*counted.items()][largest : largest + (2 if largest < 2 else 1)]
        said = [self.say(f"length-{unit}", count=count) for unit, count in shown if count]
        return Markup(" ").join(said or [self.say("length-seconds", count=0)])

    def time(self, at: float, mark: str = "", dated: bool = False) -> Markup:
        """Return a moment in UTC, without its year unless `dated`, as an element with a mark."""
        when = datetime.fromtimestamp(at, UTC)
        day = f"{self.language.date(when)}, {when:%H:%M}" if dated else None
        text = self.say("moment-utc", moment=day or self.language.day_and_time(when))
        iso = when.isoformat(timespec="seconds")
        return Markup('<time datetime="{}"{}>{}</time>').format(iso, Markup(mark), text)

    def deals_text(self, first: int, count: int) -> Markup:
        """Return the numbers of `count` deals from the first on."""
        begin, end = deal_number(first), deal_number(first + count - 1)
        return self.say("deals-numbered", count=count, first=str(begin), last=str(end))

    def deal_name(self, deal: int) -> Markup:
        """Return the name of a deal."""
        return self.say("deal-number", deal=str(deal_number(deal)))

    def printed_faults(self, found: Mapping[str, int]) -> Markup:
        """Return faults by kind, the commonest first."""
        order = sorted(found.items(), key=lambda item: (-item[1], item[0]))
        return Markup(", ").join(
            Markup("{} {} {}").format(count, TIMES, self.say("fault-kind", kind=kind))
            for kind, count in order
        )


def percent(share: float | None) -> str:
    """Return a share of 1 in percent; what is not quite nothing or all is `<1 %` or `>99 %`."""
    if share is None:
        return NONE
    if 0 < share < 0.01:
        return "<1 %"
    return ">99 %" if 0.99 < share < 1 else f"{share:.0%}".replace("%", " %")


def replay_path(match: int, deal: int) -> str:
    """Return the path of a match's replay, at a deal of it."""
    return f"/matches/{match}/replay#deal={deal_number(deal)}"


def bdi(text: str) -> Markup:
    """Return untrusted text so that its direction of writing changes nothing around it."""
    return Markup("<bdi>{}</bdi>").format(text)


def english(text: str) -> Markup:
    """Return a text of the arena that is English for everybody."""
    return Markup('<span lang="en">{}</span>').format(text)


def path(name: str) -> str:
    """Return a name as one part of an address."""
    return quote(name, safe="")


# The hands, and the declared games, from which a style can be told.
_STYLE_HANDS: Final = 100
_STYLE_GAMES: Final = 30

# The ratio to everybody's share from which a bot does something often.
_OFTEN: Final = 1.2


def style_of(own: Role, everybody: Role) -> Phrase | None:
    """Return how a bot declares, compared with everybody; None for one that hardly played."""
    games, all_games = sum(own.contracts.values()), sum(everybody.contracts.values())
    if own.declares.of < _STYLE_HANDS or games < _STYLE_GAMES:
        return None
    solos = everybody.contracts.get("solo", 0) / all_games
    return Phrase(
        "style",
        {
            "declares": _frequency(own.declares.value or 0.0, everybody.declares.value or 0.0),
            "solo": _frequency(own.contracts.get("solo", 0) / games, solos) if solos else "none",
        },
    )


def _frequency(own: float, usual: float) -> str:
    return "often" if own > usual * _OFTEN else "rarely" if own * _OFTEN < usual else "usual"


_Interval = tuple[float, float] | None

# The probability of being better that each shade of the crosstable takes, the darkest first.
_SHADES: Final = ((0.999, 3), (0.975, 2), (0.8, 1))


class Axis(msgspec.Struct, frozen=True):
    """An axis of stakes per deal: its bounds and the round numbers between them."""

    low: float
    high: float
    ticks: tuple[float, ...]

    def across(self, value: float) -> str:
        """Return a value's position as a share of the width; a value outside is at the edge."""
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
    half = gap.pm
    return None if half is None else (gap.stakes_per_deal - half, gap.stakes_per_deal + half)


def gap_axis(pairs: Iterable[HeadToHead]) -> Axis:
    """Return an axis for the gaps between pairs of bots, with their intervals."""
    known = [each.met for each in pairs if each.met is not None]
    return axis_of([end for gap in known for end in around(gap) or (gap.stakes_per_deal,)])


def shade(gap: Gap) -> str:
    """Return the class for how sure it is who of two is better; "" for hardly."""
    sure = 0.5 if gap.los is None else gap.los
    step = next((number for least, number in _SHADES if max(sure, 1 - sure) > least), None)
    return "" if step is None else f"{'ahead' if sure > 0.5 else 'behind'}-{step}"
