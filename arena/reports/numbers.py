"""Figures of a league in a few characters, for terminals and pages alike; a dash for none."""

import re
from collections.abc import Mapping, Sequence
from typing import Final

from arena.base.words import count
from arena.stats.company import Company
from arena.stats.figures import SIGNIFICANCE, Circle, Gap, Misfit, Proportion, Role, Share

MINUS: Final = "\N{MINUS SIGN}"
NONE: Final = "\N{EN DASH}"

_BETWEEN: Final = re.compile(r"(?<=\d)-(?=\d)")

_TOLD = 5
"""The number of circles, or of pairs of authors, that a sentence names."""


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


def disqualified(counts: Mapping[str, int], matches: int) -> str:
    """The bots that were disqualified, and in how many of some matches."""
    (bot, out), *others = counts.items()
    first = f"{bot} was disqualified in {out} of {count(matches, 'match')}"
    return ", ".join((first, *(f"{bot} in {out}" for bot, out in others)))


def circles_text(found: Sequence[Circle]) -> str:
    """The bots that beat each other in a circle, in a sentence."""
    if not found:
        return "No circle: there are no three bots of which each surely beats the next."
    told = (f"{one} beats {other} beats {third} beats {one}" for one, other, third in found[:_TOLD])
    more = f"; and {len(found) - _TOLD} more" if len(found) > _TOLD else ""
    return f"Bots that beat each other in a circle, each gap beyond luck: {'; '.join(told)}{more}."


def company_text(found: Sequence[Company]) -> str:
    """A sentence on authors that gave each other more than strengths, style and luck explain."""
    told = [f"{each.giver} to {each.taker}" for each in found if each.improbable]
    if not told:
        return "No author's bots gave another's more than their strengths, style and luck explain."
    more = f"; and {len(told) - _TOLD} more" if len(told) > _TOLD else ""
    return (
        "More than strengths, style and luck explain was given by the bots of"
        f" {'; '.join(told[:_TOLD])}{more}. One honest league in a hundred has such a pair: see"
        " their deals before you judge."
    )


def misfit_text(found: Misfit) -> str:
    """A sentence on whether one strength for each bot explains the results."""
    if found.chance is None:
        return f"Whether one strength for each bot explains the results is not tested: {found.why}."
    test = (
        f"(chance {chance(found.chance)}, F {found.f:.2f} with {found.directions} and {found.free}"
        " degrees)"
    )
    if found.chance >= SIGNIFICANCE:
        return f"One strength for each bot explains the results, up to luck {test}."
    return (
        f"One strength for each bot does not explain the results {test}: how much a bot wins also"
        " depends on whom it meets, beyond how strong they are. The order is that of the average."
    )


def chance(value: float) -> str:
    """A probability; the smallest ones are only bounded."""
    return "< 0.001" if value < 0.0005 else f"{value:.3f}"


def _give_or_take(value: float, plus_minus: float | None) -> str:
    return f"{value:+z.2f}" + ("" if plus_minus is None else f"±{plus_minus:.2f}")
