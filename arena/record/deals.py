"""Finds stored deals, and makes travellers: the sheets of one deal with its results everywhere.

The word is from bridge: the sheet that travels with a deal from table to table. A league deals for
each lineup anew, so a deal is known by its number and its lineup. In a tournament all tables of a
size share a deal, so their bots together stand for a lineup. Nothing on the sheet is private to a
bot: it shows what all seats get at the end of a deal.
"""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import chain, groupby

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.words import deal_name, deal_names, deal_number, is_or_are
from arena.league.config import TournamentConfig
from arena.league.played import StakesBySeat, Traveller, TravellerLine
from arena.league.terms import Terms
from arena.match.record import Results
from arena.match.wire import FaultShown, Result
from arena.record.matches import ReplayedMatch, check_bot
from arena.record.store import Store
from arena.stats.figures import HandGap, HandSpread, Lineup
from arena.stats.hands import hand_gaps, hand_spreads
from arena.stats.sets import Block
from arena.zole.deal import Seat, active_seats

_Hand = tuple[Lineup, int, int]
"""A lineup, the league's number of a deal, and a seat."""


class DealLines(msgspec.Struct, frozen=True):
    """The deals shown, the largest spread first, of `deals` in all; `void` more are left out."""

    deals: int
    void: int
    lines: tuple[HandSpread, ...]


class HandLine(HandGap, frozen=True, kw_only=True):
    """A bot's gap with a hand, and its faults there by kind."""

    faults: dict[str, int]


class HandLines(msgspec.Struct, frozen=True):
    """The bot's hands that are shown, the largest gap first, of `hands` in all.

    The hands of `void` deals are left out.
    """

    bot: str
    hands: int
    void: int
    lines: tuple[HandLine, ...]


def list_deals(store: Store, most: int) -> DealLines:
    """Return the `most` deals with the largest spreads."""
    blocks = store.blocks()
    return _deal_lines(blocks, hand_spreads(blocks, most))


def list_hands(store: Store, bot: str, most: int, best: bool) -> HandLines:
    """Return a bot's worst hands, or its best. Raises `ArenaError` if no bot has this name."""
    check_bot(bot, store.terms().bots, str(store.path))
    blocks = [block for block in store.blocks() if bot in block.lineup]
    hands, gaps = hand_gaps(blocks, bot, most, best)
    faults = _faults(store, bot)
    lines = tuple(
        HandLine(
            **msgspec.structs.asdict(each),
            faults=faults.get((each.lineup, each.deal, each.seat), {}),
        )
        for each in gaps
    )
    return HandLines(bot, hands, _void(blocks), lines)


def _deal_lines(blocks: Sequence[Block], spreads: Sequence[HandSpread]) -> DealLines:
    deals = sum(block.deals for block in blocks if block.games is not None)
    return DealLines(deals, _void(blocks), tuple(spreads))


def _void(blocks: Sequence[Block]) -> int:
    return sum(block.deals for block in blocks if block.games is None)


def _faults(store: Store, bot: str) -> dict[_Hand, Counter[str]]:
    count: dict[_Hand, Counter[str]] = {}
    for match in store.played():
        for entry in match.faults:
            seat, kind = entry.fault.seat, entry.fault.kind
            if match.seats[seat] == bot:
                hand = match.lineup, match.first + entry.deal, seat
                count.setdefault(hand, Counter())[kind] += 1
    return count


def replay_command(league: str, match: int, deal: int, seat: Seat | None = None) -> str:
    """Return the command that replays a deal. `league` names it in the command."""
    words = ["arena", "replay", league, str(match), "--deal", str(deal_number(deal))]
    return shlex.join(words if seat is None else [*words, "--seat", str(seat)])


def find_tables(store: Store, deal: int, bots: Sequence[str] = ()) -> dict[Lineup, list[int]]:
    """Return by lineup the stored matches with a deal at which all of some bots sit.

    Raises `ArenaError` if there is none; its remedy lists what there is.
    """
    terms = store.terms()
    for bot in bots:
        check_bot(bot, terms.bots, str(store.path))
    tables = store.matches_with(deal)
    if isinstance(terms.config, TournamentConfig) and terms.config.same_deals:
        tables = _rooms(tables)
    found = {lineup: each for lineup, each in tables.items() if set(bots) <= set(lineup)}
    if found:
        return found
    place = str(store.path)
    if tables:
        what = f"{', '.join(bots)} did not meet in {deal_name(deal)}"
        raise ArenaError(Mistake(what, place, "name bots of one table, or none to see all"))
    played = max((each.first + each.deals for each in store.outlines()), default=0)
    there = f"there {is_or_are(played)} {deal_names(0, played)}" if played else "none is played yet"
    raise ArenaError(Mistake(f"there is no {deal_name(deal)}", place, there))


def _rooms(tables: Mapping[Lineup, Sequence[int]]) -> dict[Lineup, list[int]]:
    rooms: dict[Lineup, list[int]] = {}
    for _, lineups in groupby(sorted(tables, key=len), len):
        room = list(lineups)
        numbers = chain.from_iterable(tables[lineup] for lineup in room)
        rooms[tuple(sorted(chain.from_iterable(room)))] = list(numbers)
    return rooms


def deal_command(league: str, deal: int, lineup: Lineup) -> str:
    """Return the command that shows a traveller. `league` names it in the command."""
    return shlex.join(("arena", "deal", league, str(deal_number(deal)), *lineup))


class Seating(msgspec.Struct, frozen=True):
    """A deal as one match has it: its line, None if the match ended before, and its cards.

    `disqualified` are the bots that the match disqualified.
    """

    match: int
    disqualified: tuple[str, ...]
    line: TravellerLine | None
    dealer: Seat | None


def seating(
    match: int,
    bots: tuple[str, ...],
    results: Results,
    number: int,
    forfeits: bool,
    replay: str = "",
    result: Result | None = None,
) -> Seating:
    """Return a match's deal of a number; only its `result` has its cards.

    `forfeits` is whether a fault ends a deal, `replay` is the command that replays it.
    """
    out = tuple(sorted({bots[seat] for seat in results.disqualified}))
    if number >= len(results.payments):
        return Seating(match, out, None, None)
    course = results.courses[number]
    faults = [each.fault for each in results.faults if each.deal == number]
    line = TravellerLine(
        match=match,
        deal=number,
        bots=bots,
        contract=course.contract,
        declarer=course.declarer,
        payments=results.payments[number],
        fault=FaultShown(faults[-1].seat, faults[-1].kind) if faults else None,
        forfeited=bool(faults) and forfeits,
        replay=replay,
        result=result,
    )
    return Seating(match, out, line, course.dealer)


def seating_with_cards(match: ReplayedMatch, deal: int, league: str | None) -> Seating:
    """Return the league's deal of a number as a match has it.

    `league` names the league in commands; with None the line has no command.
    """
    number, forfeits = deal - match.first, match.plan.rules.conduct.on_fault == "forfeit"
    result = match.deals[number].result if number < len(match.deals) else None
    command = "" if league is None else replay_command(league, match.number, number)
    results = match.record.results
    return seating(match.number, match.bots, results, number, forfeits, command, result)


def traveller(terms: Terms, lineup: Lineup, deal: int, seatings: Sequence[Seating]) -> Traveller:
    """Return the sheet of a deal, with its cards if the seatings have them.

    Raises `ArenaError` if every match ended before it.
    """
    lines = [each.line for each in seatings if each.line is not None]
    dealer = next((each.dealer for each in seatings if each.dealer is not None), None)
    if dealer is None:
        what = f"every match of {', '.join(lineup)} ended before {deal_name(deal)}"
        raise ArenaError(Mistake(what, terms.config.name, "a bot was disqualified in it"))
    players, result = len(lines[0].payments), lines[0].result
    return Traveller(
        league=terms.config.name,
        deal=deal,
        lineup=lineup,
        dealer=dealer,
        active=active_seats(players, dealer),
        hands=() if result is None else result.hands,
        talon=() if result is None else result.talon,
        seatings=terms.games_of(lineup),
        lines=tuple(lines),
        stakes=tuple(_stakes(lines, bot, players) for bot in lineup),
        cut_short=tuple(each.match for each in seatings if each.line is None),
        disqualified=dict(Counter(bot for each in seatings for bot in each.disqualified)),
        has_pools=terms.config.rules.pools.enabled,
    )


def _stakes(lines: Sequence[TravellerLine], bot: str, players: int) -> StakesBySeat:
    by_seat = [
        [line.payments[seat] for line in lines if line.bots[seat] == bot] for seat in range(players)
    ]
    return StakesBySeat(bot, tuple(map(_mean, by_seat)), _mean([*chain.from_iterable(by_seat)]))


def _mean(paid: Sequence[int]) -> float | None:
    return sum(paid) / len(paid) if paid else None
