"""The end of an open league's season: its final among the best, its last secret, its seal."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.league.final import finalists
from arena.record.facts import read_season
from arena.record.summary import table_before_final
from arena.record.swap import settle_swap
from arena.tasks.field import AskedLeague
from arena.tasks.league_run import Jobs
from arena.tasks.open_league import OpenLeague, open_ledger


class SeasonEnd(OpenLeague):
    """An open league that plays its orders, then its final, and draws nothing more."""

    def runs(self, timed: bool = True, fixed: bool = False) -> Iterator[Jobs]:
        yield from super().runs(timed, fixed)
        self.tell(close_season(self))
        yield from super().runs(timed, fixed)
        self.tell(seal_season(self))


@contextmanager
def resume_season_end(
    asked: AskedLeague, level: IsolationLevel | None = None
) -> Iterator[SeasonEnd]:
    """An open league whose season ends, or is closed already. Raises `ArenaError`."""
    with open_ledger(asked, level) as (roster, ledger):
        league = SeasonEnd(roster, asked, ledger, orders=0)
        league.resume()
        yield league


def close_season(league: OpenLeague) -> str:
    """Freeze the field, and order the final among the best of the live table; say who they are.

    All orders must be stored. Nothing changes in a season that is closed already. Raises
    `ArenaError` if there is nobody for a final.
    """
    ledger, store = league.ledger, league.store
    if ledger.field.season is not None:
        return f"season {ledger.field.season} is closed; its final goes on"
    league.look()  # so that no bot is in the final that has withdrawn
    season = read_season(store.facts())
    final = finalists(ledger.terms, ledger.field, table_before_final(store, ledger.draw.ledger))
    if not final:
        what = "too few bots have played, or too few of different authors, for a table of the final"
        raise ArenaError(Mistake(what, str(store.path), "play on with arena league"))
    ledger.close(season, final)
    league.take_up()
    return f"season {season} is closed; its final is between {', '.join(final)}"


def seal_season(league: OpenLeague) -> str:
    """Show the secret of the final's deals, and end the season for good; say so.

    All orders must be stored. If nobody else reads the record, its file is complete from now on.
    """
    league.ledger.seal()
    with suppress(MachineError):  # else done as the next season begins
        settle_swap(league.store)
    return f"season {league.ledger.field.season} is over; its record is sealed"
