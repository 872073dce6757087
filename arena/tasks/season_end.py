"""The end of an open league's season: its final among the best, its last secret, its seal."""

from collections.abc import Sequence
from contextlib import suppress

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.league.final import finalists
from arena.record.summary import table_before_final
from arena.tasks.next_season import settle_record
from arena.tasks.open_ledger import OpenLedger


def best_bots(ledger: OpenLedger) -> Sequence[str]:
    """The bots that a final would have now, the best first; empty if there are too few."""
    table = table_before_final(ledger.store, ledger.draw.ledger)
    return finalists(ledger.config, ledger.field, table)


def close_season(ledger: OpenLedger) -> str:
    """Freeze the field, and order the final among the best of the live table; say who they are.

    All orders must be stored. Nothing changes in a season that is closed already. Raises
    `ArenaError` if there is nobody for a final.
    """
    store = ledger.store
    if ledger.field.season is not None:
        return f"season {ledger.field.season} is closed; its final goes on"
    season, final = store.facts().season, tuple(best_bots(ledger))
    if not final:
        what = "too few bots have played, or too few of different authors, for a table of the final"
        raise ArenaError(Mistake(what, str(store.path), "play on with arena league"))
    ledger.close(season, final)
    return f"season {season} is closed; its final is between {', '.join(final)}"


def seal_season(ledger: OpenLedger) -> str:
    """Show the secret of the final's deals, and end the season for good; say so.

    All orders must be stored. If nobody else reads the record, its file is complete from now on.
    """
    ledger.seal()
    with suppress(MachineError):  # else done as the next season begins
        settle_record(ledger.store)
    return f"season {ledger.field.season} is over; its record is sealed"
