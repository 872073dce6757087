"""The matches of a league that are worth a look, and why."""

from collections.abc import Iterable, Sequence
from typing import Final

from arena.league.played import MatchOutline
from arena.match.record import DealFault
from arena.reports.language import Saying
from arena.reports.numbers import in_print

MOST_FAULTS: Final = 4
MOST_SWINGS: Final = 3


def highlights(
    matches: Sequence[MatchOutline],
    faults: dict[str, dict[str, int]],
    first_faults: Iterable[tuple[int, str, DealFault]],
) -> dict[int, tuple[Saying, ...]]:
    """The reasons to look at matches, by number, the most worthwhile first.

    These are matches with the first of the most frequent kinds of fault, those in which a bot won
    or lost most stakes, and the last. `faults` counts them by bot and kind.
    """
    found: dict[int, list[Saying]] = {}
    begun: dict[tuple[str, str], int] = {}
    for number, bot, entry in first_faults:
        begun.setdefault((bot, entry.fault.kind), number)
    counted = sorted(begun, key=lambda key: (-faults[key[0]][key[1]], key))
    for bot, kind in counted[:MOST_FAULTS]:
        told = Saying("look-first-fault", {"bot": bot, "count": faults[bot][kind], "kind": kind})
        found.setdefault(begun[bot, kind], []).append(told)
    played = [match for match in matches if match.deals]
    swings = sorted(played, key=lambda match: (-max(map(abs, match.stakes)), match.match))
    for match in swings[:MOST_SWINGS]:
        seat = max(range(len(match.stakes)), key=lambda seat: abs(match.stakes[seat]))
        stakes = in_print(f"{match.stakes[seat]:+d}")
        told = Saying("look-swing", {"bot": match.bots[seat], "stakes": stakes})
        found.setdefault(match.match, []).append(told)
    if played:
        found.setdefault(played[-1].match, []).append(Saying("look-last"))
    return {match: tuple(why) for match, why in found.items()}
