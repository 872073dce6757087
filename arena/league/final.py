"""The final of an open league's season: its bots, its tables, and the orders of its matches."""

from collections.abc import Iterator, Sequence

from arena.league.config import OpenConfig
from arena.league.fold import LedgerFold
from arena.league.ledger import Ordered
from arena.league.schedule import lineups
from arena.stats.figures import Lineup, Standing


def finalists(config: OpenConfig, ledger: LedgerFold, table: Sequence[Standing]) -> tuple[str, ...]:
    """The bots of the final, best first: the best of those that are drawn, by the live table.

    If these have fewer authors than a table needs, the best bots of further authors join them.
    Empty if too few bots, or bots of too few authors, have played.
    """
    drawn = set(ledger.drawn)
    ranked = [line.bot for line in table if line.bot in drawn and line.sets]
    persons = ledger.persons(config.apart == "author")
    found: list[str] = []
    for bot in ranked:
        seated = {persons[other] for other in found}
        few = len(seated) < config.rules.players
        if len(found) < config.final or (few and persons[bot] not in seated):
            found.append(bot)
    return tuple(found) if final_tables(config, ledger, found) else ()


def final_tables(config: OpenConfig, ledger: LedgerFold, final: Sequence[str]) -> list[Lineup]:
    """Every table of the finalists, except tables of house bots alone."""
    persons = ledger.persons(config.apart == "author")
    if len(final) < config.rules.players:
        return []  # two bots would meet in mirror
    tables = lineups(
        tuple(final), config.rules.players, authors={bot: persons[bot] for bot in final}
    )
    return [table for table in tables if not all(ledger.bots[bot].house for bot in table)]


def final_orders(
    config: OpenConfig, ledger: LedgerFold, final: Sequence[str], known: int
) -> Iterator[Ordered]:
    """The orders of a final: all tables take turns until each has all.

    `known` is the number of the last match that is stored.
    """
    tables = final_tables(config, ledger, final)
    number, deals = len(ledger.orders), config.order_deals
    for begin in range(0, config.final_deals, deals):
        some = min(deals, config.final_deals - begin)
        for lineup in tables:
            number += 1
            first = ledger.deals_of(lineup) + begin
            yield Ordered(number, lineup, first, some, known, "final")
