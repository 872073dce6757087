"""Formats figures and moments as pages print them, in a few characters; a dash for none."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote

import msgspec
from markupsafe import Markup

from arena.base.words import deal_names, deal_number, in_words
from arena.reports import numbers
from arena.reports.numbers import NONE, in_print
from arena.stats.figures import Proportion, Share

TIMES: Final = "\N{MULTIPLICATION SIGN}"

_UNITS: Final = {"s": "s", "mib": "MiB"}
"""The units that a limit's name may end in, as they are written."""


def printed_signed(value: float | None, places: int = 2) -> str:
    """Return a number of stakes with its sign."""
    return in_print(numbers.signed(value, places))


def printed_half(interval: tuple[float, float] | None, places: int = 2) -> str:
    """Return half of an interval, nothing for none."""
    return numbers.half(interval, places)


def printed_share(found: Share) -> Markup:
    """Return a mean of stakes with half of its interval in small print."""
    value, *interval = in_print(numbers.share(found)).partition("±")
    return Markup("{}<small>{}</small>").format(value, "".join(interval))


def printed_portion(found: Proportion) -> Markup:
    """Return a share in percent with the ends of its interval in small print."""
    value, _, ends = in_print(numbers.portion(found)).partition(" (")
    sign = "" if value == NONE else " %"
    return Markup("{}{}<small>{}</small>").format(value, sign, ends.rstrip(")"))


def stakes(value: int) -> str:
    """Return whole stakes with their sign; 0 has none."""
    return in_print(f"{value:+d}") if value else "0"


def number(value: int) -> str:
    """Return a number with its thousands separated, as on all pages of the arena."""
    return f"{value:,}"


def printed_ranks(found: tuple[int, int] | None) -> str:
    """Return the best and the worst rank that the sets leave open."""
    return in_print(numbers.ranks(found))


def percent(share: float | None) -> str:
    """Return a share of 1 in percent; what is not quite nothing or all is `<1 %` or `>99 %`."""
    if share is None:
        return NONE
    if 0 < share < 0.01:
        return "<1 %"
    return ">99 %" if 0.99 < share < 1 else f"{share:.0%}".replace("%", " %")


def seconds(value: float) -> str:
    """Return a time in three digits, or to the microsecond."""
    if value >= 0.9995:
        return f"{value:.2f} s" if value < 9.995 else f"{value:.1f} s"
    milliseconds = value * 1000
    places = 3 if milliseconds < 0.9995 else 2 if milliseconds < 9.995 else 1
    return f"{milliseconds:.{places if milliseconds < 99.95 else 0}f} ms"


def how_long(length_s: float) -> str:
    """Return a duration in its two largest units: `2 d 4 h`, `3 h 20 min`, `40 s`."""
    minutes, left = divmod(max(0, round(length_s)), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h" if hours else f"{days} d"
    if hours:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    return f"{minutes} min" if minutes else f"{left} s"


def moment_text(at: float) -> str:
    """Return a day and a time, in UTC: `22 Nov, 14:03`."""
    when = datetime.fromtimestamp(at, UTC)
    return f"{when.day} {when:%b, %H:%M}"


def iso(at: float) -> str:
    """Return a moment as a machine reads it, in ISO 8601."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def deals_text(first: int, count: int) -> str:
    """Return the numbers of `count` deals from the first on."""
    return deal_names(first, count, NONE)


def replay_path(match: int, deal: int) -> str:
    """Return the path of a match's replay, at a deal of it."""
    return f"/matches/{match}/replay#deal={deal_number(deal)}"


def printed_faults(found: Mapping[str, int]) -> str:
    """Return faults by kind, the commonest first."""
    order = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{count} {TIMES} {in_words(kind)}" for kind, count in order)


def names_text(names: Sequence[str]) -> str:
    """Return names, joined by commas and `and`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def bytes_text(size: int) -> str:
    """Return a size in KiB or MiB."""
    return f"{size / (1 << 20):.1f} MiB" if size >= 1 << 20 else f"{max(1, size >> 10)} KiB"


def bdi(text: str) -> Markup:
    """Return a stranger's text so that its direction of writing changes nothing around it."""
    return Markup("<bdi>{}</bdi>").format(text)


def path(name: str) -> str:
    """Return a name as one part of an address."""
    return quote(name, safe="")


def limit_text(key: str, value: str) -> tuple[str, str]:
    """Return a limit's name and its amount: `move_s` of 60 is `move` and `60 s`."""
    name, _, ending = key.rpartition("_")
    unit = _UNITS.get(ending)
    return (in_words(key), value) if unit is None else (in_words(name), f"{value} {unit}")


class _Answer(msgspec.Struct):
    """The part of a challenge's answer that is shown."""

    stakes: dict[str, int]
    games: dict[str, int] = {}


def challenge_text(answer: str) -> str:
    """Return the result of a challenge, bot by bot; an answer in words stays as it is."""
    try:
        found = msgspec.json.decode(answer, type=_Answer)
    except msgspec.DecodeError:
        return answer
    most = max(found.games.values(), default=0)
    made = ", ".join(f"{bot} {stakes(sum_)}" for bot, sum_ in found.stakes.items())
    return f"{made} in {most} games" if most else made
