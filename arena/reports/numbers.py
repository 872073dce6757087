"""Figures of a league in a few characters, for terminals and pages alike; a dash for none."""

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from arena.stats.figures import Company, Gap, Proportion, Role, Share

if TYPE_CHECKING:
    from arena.league.tournament import RoundResult

MINUS: Final = "\N{MINUS SIGN}"
NONE: Final = "\N{EN DASH}"

_BETWEEN: Final = re.compile(r"(?<=\d)-(?=\d)")

# The least probability that is written in three decimals
_LEAST = 0.0005


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


def part_of(line: Role, contract: str) -> str:
    """The share of a bot's declared games that were of a contract, in percent."""
    total = sum(line.contracts.values())
    return f"{line.contracts.get(contract, 0) / total * 100:.0f}" if total else "-"


def chance(value: float) -> str:
    """A probability; the smallest ones are only bounded."""
    return "< 0.001" if value < _LEAST else f"{value:.3f}"


def faults_text(faults: Mapping[str, int]) -> str:
    """Faults by kind."""
    return ", ".join(f"{count} {kind}" for kind, count in faults.items()) or "none"


def big_points(value: float) -> str:
    """Big points, which are whole but where bots share places."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def round_text(result: "RoundResult | None") -> str:
    """The big points of a round in a few characters; nothing as long as it is being played."""
    if result is None:
        return ""
    if result.table is None:
        return f"-{big_points(result.points)}-"
    return "out" if result.place is None else big_points(result.points)


def _give_or_take(value: float, plus_minus: float | None) -> str:
    return f"{value:+z.2f}" + ("" if plus_minus is None else f"±{plus_minus:.2f}")
