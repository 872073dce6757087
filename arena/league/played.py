"""The games of a league as plain values: matches, and deals in all their seatings."""

import msgspec

from arena.match.wire import FaultShown, Result
from arena.stats.figures import Lineup, Standing
from arena.zole.deal import Seat
from arena.zole.state import Game


class MatchOutline(msgspec.Struct, frozen=True, kw_only=True):
    """A stored match without its log: its number, seats, deals and results.

    `deals` counts those played from `first` on; `stakes` are their sums by seat; `disqualified` are
    seats.
    """

    match: int
    bots: tuple[str, ...]
    first: int
    deals: int
    stakes: tuple[int, ...]
    faults: int
    disqualified: tuple[int, ...]
    decisions: int
    isolation: str


class TravellerLine(msgspec.Struct, frozen=True, kw_only=True):
    """A deal in one seating, and its result once its cards may be shown.

    `deal` is its number within the match, `bots` and `payments`, which are stakes, are by seat;
    `fault` is the last one. A `forfeited` deal was ended by it. `replay` is the command that shows
    the game, for readers who have the league's file.
    """

    match: int
    deal: int
    bots: tuple[str, ...]
    contract: Game | None
    declarer: Seat | None
    payments: tuple[int, ...]
    fault: FaultShown | None
    forfeited: bool
    replay: str = ""
    result: Result | None = None


class StakesBySeat(msgspec.Struct, frozen=True):
    """A bot's mean stakes with each seat's cards, None where it had no game, and over all games."""

    bot: str
    by_seat: tuple[float | None, ...]
    mean: float | None


class Traveller(msgspec.Struct, frozen=True, kw_only=True):
    """The sheet of a deal: the cards, a line for each seating, and each bot's stakes.

    `deal` is the league's number; hands are by seat, empty for a seat that sits out. `seatings` is
    the number to be played. `cut_short` are matches that ended before the deal; `disqualified`
    counts the matches each bot was disqualified from, and any makes the set void. If it
    `has_pools`, stakes depend on what was in them before the deal, too. As long as the cards may
    not be shown, hands and talon are empty, and the lines have no result.
    """

    league: str
    deal: int
    lineup: Lineup
    dealer: Seat
    active: tuple[Seat, ...]
    hands: tuple[tuple[str, ...], ...] = ()
    talon: tuple[str, ...] = ()
    seatings: int
    lines: tuple[TravellerLine, ...]
    stakes: tuple[StakesBySeat, ...]
    cut_short: tuple[int, ...]
    disqualified: dict[str, int]
    has_pools: bool


class SetsAndStandings(msgspec.Struct, frozen=True, kw_only=True):
    """The `sets` that are to be played, over all lineups, and the `standings` that they give.

    `sets_played` are complete and count, `sets_void` do not. `equal_schedule` is whether any two
    bots that met did so equally often, so that plain means are fair.
    """

    sets: int
    sets_played: int
    sets_void: int
    equal_schedule: bool
    standings: list[Standing]


class SeasonFinal(SetsAndStandings, frozen=True, kw_only=True):
    """The final of an open league's season, from the sets of the final alone.

    Any two bots that meet do so on equally many deals, a number fixed beforehand.
    """

    season: int
