"""Figures of a league in a few characters, for terminals and pages alike; a dash for none."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from arena.reports.language import Saying
from arena.stats.figures import Company, Gap, Proportion, Role, Share

MINUS: Final = "\N{MINUS SIGN}"
NONE: Final = "\N{EN DASH}"

_BETWEEN: Final = re.compile(r"(?<=\d)-(?=\d)")

_TOLD = 5
"""The number of pairs of authors that a sentence names."""

_LEAST = 0.0005
"""The least probability that is written in three decimals."""


def in_print(figure: str) -> str:
    """A figure as it is printed: with a minus sign, and an en dash between numbers or alone."""
    return NONE if figure == "-" else _BETWEEN.sub(NONE, figure).replace("-", MINUS)


def ranks(found: tuple[int, int] | None) -> str:
    """The best and the worst rank that the sets leave open."""
    if found is None:
        return "-"
    return str(found[0]) if found[0] == found[1] else f"{found[0]}-{found[1]}"


def signed(value: float | None, places: int = 3) -> str:
    """Stakes per deal."""
    return "-" if value is None else f"{value:+z.{places}f}"


def bounds(interval: tuple[float, float] | None) -> str:
    """An interval as its two ends."""
    return "-" if interval is None else f"{interval[0]:+z.3f} to {interval[1]:+z.3f}"


def with_half(value: float | None, interval: tuple[float, float] | None) -> str:
    """A number and half its interval, for tables that have no room for the interval itself."""
    return signed(value) + half(interval)


def half(interval: tuple[float, float] | None, places: int = 3) -> str:
    """Half an interval, nothing for none."""
    return "" if interval is None else f"±{(interval[1] - interval[0]) / 2:.{places}f}"


def gap(found: Gap | Company) -> str:
    """The difference of two bots' stakes a deal."""
    return _give_or_take(found.stakes, found.plus_minus)


def portion(found: Proportion) -> str:
    """A share in percent, with its interval."""
    if found.value is None:
        return "-"
    value = f"{found.value * 100:.0f}"
    if found.ci95 is None:
        return value
    low, high = (f"{end * 100:.0f}" for end in found.ci95)
    return f"{value} ({low}-{high})"


def share(found: Share) -> str:
    """Stakes per deal in some role."""
    return "-" if found.value is None else _give_or_take(found.value, found.plus_minus)


def contracts(lines: Sequence[Role]) -> list[str]:
    """Contracts that were declared besides ordinary games."""
    found = {contract for line in lines for contract in line.contracts}
    return sorted(found - {"ordinary"})


def part_of(line: Role, contract: str) -> str:
    """The share of a bot's declared games that were of a contract, in percent."""
    total = sum(line.contracts.values())
    return f"{line.contracts.get(contract, 0) / total * 100:.0f}" if total else "-"


def disqualified(counts: Mapping[str, int], matches: int) -> tuple[Saying, ...]:
    """The bots that were disqualified, and in how many of some matches."""
    return tuple(
        Saying("disqualified-in", {"bot": bot, "out": out, "count": matches})
        for bot, out in counts.items()
    )


def company_text(found: Sequence[Company]) -> Saying:
    """A sentence on authors that gave each other more than strengths, style and luck explain."""
    told = tuple(
        Saying("company-pair", {"giver": each.giver, "taker": each.taker})
        for each in found
        if each.improbable
    )
    if not told:
        return Saying("no-company")
    return Saying("company", {"pairs": told[:_TOLD], "more": max(0, len(told) - _TOLD)})


def chance(value: float) -> str:
    """A probability; the smallest ones are only bounded."""
    return "< 0.001" if value < _LEAST else f"{value:.3f}"


def _give_or_take(value: float, plus_minus: float | None) -> str:
    return f"{value:+z.2f}" + ("" if plus_minus is None else f"±{plus_minus:.2f}")
