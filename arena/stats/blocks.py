"""Stored matches gathered into runs of deals that were played in every seating."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from arena.stats.figures import Lineup
from arena.stats.floats import Floats, Ints
from arena.stats.sets import SetBlock


class Played(msgspec.Struct, frozen=True):
    """The part of a stored match that standings need.

    `payments` are stakes, deals by seats; fewer than `deals` if a bot was disqualified.
    `courses` are dealer, declarer or -1, and contract by its number in `GAMES` or -1, one row a
    deal; `disqualified` are seats.
    """

    lineup: Lineup
    seating: int
    first: int
    deals: int
    payments: npt.NDArray[np.int16]
    courses: npt.NDArray[np.int8]
    disqualified: tuple[int, ...]


class Games(msgspec.Struct, frozen=True):
    """The games of complete sets, their first axes being seatings and deals.

    The last axis of `payments` are seats, of `courses` the three numbers of `Played`; `columns`,
    seatings by seats, has the place in the lineup of the bot that sat there. `session` deals make a
    set.
    """

    payments: npt.NDArray[np.int16]
    courses: npt.NDArray[np.int8]
    columns: Ints
    session: int


class Block(msgspec.Struct, frozen=True):
    """All seatings of a lineup over the same deals, from `first` on.

    `stakes` and `games` are None if the sets are void; `disqualified` is the number of matches that
    each bot was disqualified from.
    """

    lineup: Lineup
    first: int
    deals: int
    seatings: int
    sets: int
    stakes: SetBlock | None
    games: Games | None
    disqualified: dict[str, int]


MIRROR: Final = 9 / 8
"""The factor by which a gap at a table of three is larger than the gap that a mirror shows.

In a mirror a bot also sits against copies of itself. If it makes as many stakes a deal as its
strength is above the mean of the seats, a strength larger by d makes d / 3 in each of two seats and
2 d / 3 in the third, 4 d / 9 on average, and the other bot as much less: a gap of 8 d / 9.
"""


def complete_blocks(
    played: Iterable[Played],
    bots: Sequence[str],
    seats_of: Callable[[Lineup], list[tuple[str, ...]]],
    session: int = 1,
) -> list[Block]:
    """The lineups' runs of deals that have been played in every seating, in a fixed order.

    `seats_of` gives a lineup's seatings; a set is `session` deals in all of them. Raises
    `ValueError` for matches that are not those of a league.
    """
    together: dict[tuple[Lineup, int], list[Played]] = {}
    for match in played:
        together.setdefault((match.lineup, match.first), []).append(match)
    place = {bot: number for number, bot in enumerate(bots)}
    blocks: list[Block] = []
    for (lineup, first), group in sorted(together.items(), key=lambda item: item[0]):
        seats = seats_of(lineup)
        if len(group) < len(seats):
            continue
        group.sort(key=lambda match: match.seating)
        if [match.seating for match in group] != list(range(len(seats))):
            raise ValueError("a run of deals has a seating twice, or one that does not exist")
        deals = group[0].deals
        block = Block(lineup, first, deals, len(seats), deals // session, None, None, {})
        out = Counter(seats[match.seating][seat] for match in group for seat in match.disqualified)
        if out:
            blocks.append(msgspec.structs.replace(block, disqualified=dict(out)))
            continue
        games = Games(
            np.stack([match.payments for match in group]),
            np.stack([match.courses for match in group]),
            np.array([[lineup.index(bot) for bot in row] for row in seats], np.int64),
            session,
        )
        stakes = SetBlock(tuple(place[bot] for bot in lineup), _stakes(games))
        blocks.append(msgspec.structs.replace(block, stakes=stakes, games=games))
    return blocks


def _stakes(games: Games) -> Floats:
    """Each bot's mean stakes over the games it played in each set, sets by bots of the lineup.

    Those of a mirror are put on the scale of tables at which no bot meets itself.
    """
    sits = np.eye(games.columns.max() + 1)[games.columns]
    by_deal = np.tensordot(games.payments, sits, axes=((0, 2), (0, 1)))
    by_set = by_deal.reshape(-1, games.session, sits.shape[2]).sum(axis=1)
    scale = MIRROR if sits.shape[2] < games.columns.shape[1] else 1.0
    return np.asarray(by_set * scale / (sits.sum(axis=(0, 1)) * games.session), np.float64)
