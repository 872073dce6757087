"""The final of an open league's season: its bots, its tables, and the orders of its matches."""

from collections.abc import Iterator, Sequence

from arena.league.field import Field
from arena.league.ledger import Ordered
from arena.league.schedule import lineups
from arena.league.terms import OpenTerms
from arena.stats.figures import Lineup, Standing


def finalists(terms: OpenTerms, field: Field, table: Sequence[Standing]) -> tuple[str, ...]:
    """The bots of the final, best first: the best of those that are drawn, by the live table.

    If these have fewer authors than a table needs, the best bots of further authors join them.
    Empty if too few bots, or bots of too few authors, have played.
    """
    drawn = set(field.drawn)
    ranked = [line.bot for line in table if line.bot in drawn and line.sets]
    persons = field.persons(terms.open.apart)
    found: list[str] = []
    for bot in ranked:
        seated = {persons[other] for other in found}
        few = len(seated) < terms.rules.players
        if len(found) < terms.open.final or (few and persons[bot] not in seated):
            found.append(bot)
    return tuple(found) if final_tables(terms, field, found) else ()


def final_tables(terms: OpenTerms, field: Field, final: Sequence[str]) -> list[Lineup]:
    """Every table of the finalists, except tables of house bots alone."""
    persons = field.persons(terms.open.apart)
    if len(final) < terms.rules.players:
        return []  # two bots would meet in mirror
    tables = lineups(
        tuple(final), terms.rules.players, authors={bot: persons[bot] for bot in final}
    )
    return [table for table in tables if not all(field.bots[bot].house for bot in table)]


def final_orders(
    terms: OpenTerms, field: Field, final: Sequence[str], known: int, deals: int
) -> Iterator[Ordered]:
    """The orders of a final, of `deals` deals each: all tables take turns until each has all.

    `known` is the number of the last match that is stored.
    """
    tables = final_tables(terms, field, final)
    number = field.orders
    for begin in range(0, terms.open.final_deals, deals):
        some = min(deals, terms.open.final_deals - begin)
        for lineup in tables:
            number += 1
            first = field.deals_of(lineup) + begin
            yield Ordered(number, lineup, first, some, known, "final")
