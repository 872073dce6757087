"""Figures and moments in a few characters, as pages print them; a dash for none."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote

import msgspec
from markupsafe import Markup

from arena.base.words import in_words
from arena.reports import numbers
from arena.reports.numbers import NONE, in_print
from arena.stats.figures import Proportion, Share

TIMES: Final = "\N{MULTIPLICATION SIGN}"

_UNITS: Final = {"s": "s", "mib": "MiB"}
"""How the units are written that a limit's name may end in."""


def printed_signed(value: float | None, places: int = 2) -> str:
    """A number of stakes with its sign."""
    return in_print(numbers.signed(value, places))


def printed_half(interval: tuple[float, float] | None, places: int = 2) -> str:
    """Half an interval, nothing for none."""
    return numbers.half(interval, places)


def printed_share(found: Share) -> Markup:
    """A mean of stakes with half its interval, which is smaller."""
    value, *interval = in_print(numbers.share(found)).partition("±")
    return Markup("{}<small>{}</small>").format(value, "".join(interval))


def printed_portion(found: Proportion) -> Markup:
    """A share in percent with the ends of its interval, which are smaller."""
    value, _, ends = in_print(numbers.portion(found)).partition(" (")
    sign = "" if value == NONE else " %"
    return Markup("{}{}<small>{}</small>").format(value, sign, ends.rstrip(")"))


def stakes(value: int) -> str:
    """Whole stakes with their sign; 0 has none."""
    return in_print(f"{value:+d}") if value else "0"


def number(value: int) -> str:
    """A number with its thousands apart, as all pages of the arena write it."""
    return f"{value:,}"


def printed_ranks(found: tuple[int, int] | None) -> str:
    """The best and the worst rank that the sets leave open."""
    return in_print(numbers.ranks(found))


def percent(share: float | None) -> str:
    """A share of 1 in percent. What is not quite all, or nothing, is not written as that."""
    if share is None:
        return NONE
    if 0 < share < 0.01:
        return "<1 %"
    return ">99 %" if 0.99 < share < 1 else f"{share:.0%}".replace("%", " %")


def seconds(value: float) -> str:
    """A time in three digits, or to the microsecond."""
    if value >= 0.9995:
        return f"{value:.2f} s" if value < 9.995 else f"{value:.1f} s"
    milliseconds = value * 1000
    places = 3 if milliseconds < 0.9995 else 2 if milliseconds < 9.995 else 1
    return f"{milliseconds:.{places if milliseconds < 99.95 else 0}f} ms"


def how_long(length_s: float) -> str:
    """How long something takes, in its two largest units: `2 d 4 h`, `3 h 20 min`, `40 s`."""
    minutes, left = divmod(max(0, round(length_s)), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    if days:
        return f"{days} d {hours} h" if hours else f"{days} d"
    if hours:
        return f"{hours} h {minutes} min" if minutes else f"{hours} h"
    return f"{minutes} min" if minutes else f"{left} s"


def moment_text(at: float) -> str:
    """A day and a time, in UTC: `22 Nov, 14:03`."""
    when = datetime.fromtimestamp(at, UTC)
    return f"{when.day} {when:%b, %H:%M}"


def iso(at: float) -> str:
    """A moment as a machine reads it."""
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds")


def deals_text(first: int, count: int) -> str:
    """Deals from the first on, by their numbers."""
    return f"deal {first}" if count == 1 else f"deals {first}{NONE}{first + count - 1}"


def printed_faults(found: Mapping[str, int]) -> str:
    """Faults by kind, the commonest first."""
    order = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{count} {TIMES} {in_words(kind)}" for kind, count in order)


def names_text(names: Sequence[str]) -> str:
    """Names with commas and an `and`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def bytes_text(size: int) -> str:
    """A size in KiB or MiB."""
    return f"{size / (1 << 20):.1f} MiB" if size >= 1 << 20 else f"{max(1, size >> 10)} KiB"


def bdi(text: str) -> Markup:
    """A text of a stranger, which turns no others."""
    return Markup("<bdi>{}</bdi>").format(text)


def path(name: str) -> str:
    """A name as one part of an address."""
    return quote(name, safe="")


def limit_text(key: str, value: str) -> tuple[str, str]:
    """What a limit is of, and how much that is: `move_s` of 60 is a move of 60 s."""
    name, _, ending = key.rpartition("_")
    unit = _UNITS.get(ending)
    return (in_words(key), value) if unit is None else (in_words(name), f"{value} {unit}")


class _Answer(msgspec.Struct):
    """What is read of the answer to a challenge."""

    stakes: dict[str, int]
    games: dict[str, int] = {}


def challenge_text(answer: str) -> str:
    """What a challenge came to, bot by bot; what is no result is a sentence already."""
    try:
        found = msgspec.json.decode(answer, type=_Answer)
    except msgspec.DecodeError:
        return answer
    most = max(found.games.values(), default=0)
    made = ", ".join(f"{bot} {stakes(sum_)}" for bot, sum_ in found.stakes.items())
    return f"{made} in {most} games" if most else made
