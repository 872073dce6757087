"""Makes travellers: a traveller is one deal of a league with its result in each seating.

The word is from bridge: the sheet that travels with a deal from table to table. A league deals for
each lineup anew, so a deal is known by its number and its lineup. In a tournament all tables of a
size share a deal, so their bots together stand for a lineup. Nothing on the sheet is private to a
bot: it shows what all seats are told at the end of a deal.
"""

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.words import are, deal_name, deal_names, deal_number
from arena.league.config import TournamentConfig
from arena.league.played import StakesBySeat, Traveller, TravellerLine
from arena.league.terms import Terms
from arena.match.commands import PlayedDeal
from arena.record.deals import replay_command
from arena.record.matches import StoredMatch, check_bot
from arena.record.store import Store
from arena.stats.figures import Lineup
from arena.zole.deal import Seat, active_seats
from arena.zole.rules import Rules


def find_tables(store: Store, deal: int, bots: Sequence[str] = ()) -> dict[Lineup, list[int]]:
    """Return by lineup the stored matches with a deal at which all of some bots sit.

    Raises `ArenaError` if there is none; its remedy tells what there is.
    """
    terms = store.terms()
    for bot in bots:
        check_bot(bot, terms.bots, str(store.path))
    tables = store.matches_with(deal)
    config = terms.config
    if isinstance(config, TournamentConfig) and config.same_deals:
        tables = _rooms(tables)
    found = {lineup: each for lineup, each in tables.items() if set(bots) <= set(lineup)}
    if found:
        return found
    place = str(store.path)
    if tables:
        remedy = "name bots that sit at one table, or none to see them all"
        what = f"{', '.join(bots)} did not meet in {deal_name(deal)}"
        raise ArenaError(Mistake(what, place, remedy))
    played = max((each.first + each.deals for each in store.outlines()), default=0)
    if not played:
        raise ArenaError(Mistake("no deal is played yet", place))
    there = f"there {are(played)} {deal_names(0, played)}"
    raise ArenaError(Mistake(f"there is no {deal_name(deal)}", place, there))


def _rooms(tables: Mapping[Lineup, Sequence[int]]) -> dict[Lineup, list[int]]:
    """Return the tables of each size as one."""
    bots: dict[int, list[str]] = {}
    numbers: dict[int, list[int]] = {}
    for lineup, found in tables.items():
        bots.setdefault(len(lineup), []).extend(lineup)
        numbers.setdefault(len(lineup), []).extend(found)
    return {tuple(sorted(bots[size])): numbers[size] for size in sorted(bots)}


def deal_command(league: str, deal: int, lineup: Lineup) -> str:
    """Return the command that shows a traveller. `league` is the name by which it is found."""
    return shlex.join(("arena", "deal", league, str(deal_number(deal)), *lineup))


class Travellers:
    """Gathers the sheets of some deals from their matches, each read once, in any order.

    `deals` are the numbers of the matches of each. `league` is the name by which commands find the
    league; with None the sheets have none.
    """

    def __init__(
        self, terms: Terms, deals: Mapping[tuple[Lineup, int], Sequence[int]], league: str | None
    ) -> None:
        self._terms = terms
        self._league = league
        self._matches = {deal: sorted(numbers) for deal, numbers in deals.items()}
        self._seen: dict[tuple[int, int], _Seating] = {}

    @property
    def left(self) -> list[int]:
        """The numbers of the matches that are still to be seen."""
        unseen = (
            number
            for (_, deal), numbers in self._matches.items()
            for number in numbers
            if (number, deal) not in self._seen
        )
        return list(dict.fromkeys(unseen))

    def see(self, match: StoredMatch) -> None:
        """Take from a match the deals that are gathered, if it has any."""
        out = tuple(sorted({match.bots[seat] for seat in match.record.results.disqualified}))
        for (_, deal), numbers in self._matches.items():
            if match.number in numbers:
                games = match.again.deals
                number = deal - match.first
                game = games[number] if number < len(games) else None
                self._seen[match.number, deal] = _Seating(match.number, match.bots, out, game)

    def sheets(self) -> list[Traveller]:
        """Return the sheets of the deals, once all their matches are seen.

        Raises `ArenaError` where every match ended before its deal.
        """
        return [
            self._sheet(lineup, deal, [self._seen[number, deal] for number in numbers])
            for (lineup, deal), numbers in self._matches.items()
        ]

    def _sheet(self, lineup: Lineup, deal: int, seatings: Sequence["_Seating"]) -> Traveller:
        terms = self._terms
        games = [(each, each.game) for each in seatings if each.game is not None]
        if not games:
            what = f"every match of {', '.join(lineup)} ended before {deal_name(deal)}"
            raise ArenaError(Mistake(what, terms.config.name, "a bot was disqualified in it"))
        lines = [_line(each, game, terms.config.rules, self._league) for each, game in games]
        dealt, result = games[0][1].deal, games[0][1].result
        out = Counter(bot for each in seatings for bot in each.disqualified)
        cut_short = [each.match for each in seatings if each.game is None]
        sheet = sheet_without_cards(terms, lineup, deal, dealt.dealer, lines, cut_short, out)
        return msgspec.structs.replace(sheet, hands=result.hands, talon=result.talon)


def sheet_without_cards(
    terms: Terms,
    lineup: Lineup,
    deal: int,
    dealer: Seat,
    lines: Sequence[TravellerLine],
    cut_short: Sequence[int],
    disqualified: Mapping[str, int],
) -> Traveller:
    """Return a sheet as it is before its cards may be shown."""
    players = len(lines[0].payments)
    return Traveller(
        league=terms.config.name,
        deal=deal,
        lineup=lineup,
        dealer=dealer,
        active=active_seats(players, dealer),
        seatings=terms.games_of(lineup),
        lines=tuple(lines),
        stakes=tuple(_stakes(lines, bot, players) for bot in lineup),
        cut_short=tuple(cut_short),
        disqualified=dict(disqualified),
        pools=terms.config.rules.pools.enabled,
    )


class _Seating(msgspec.Struct, frozen=True):
    """A deal as one match has it: `game` is None if the match ended before. `bots` are by seat."""

    match: int
    bots: tuple[str, ...]
    disqualified: tuple[str, ...]
    game: PlayedDeal | None


def _line(seating: _Seating, game: PlayedDeal, rules: Rules, league: str | None) -> TravellerLine:
    result = game.result
    command = ""
    if league is not None:
        command = replay_command(league, seating.match, game.number)
    return TravellerLine(
        match=seating.match,
        deal=game.number,
        bots=seating.bots,
        contract=result.contract,
        declarer=result.declarer,
        discards=result.discards,
        points=result.points,
        tricks=result.tricks,
        level=result.level,
        payments=result.payments,
        fault=result.fault,
        forfeited=result.fault is not None and rules.conduct.on_fault == "forfeit",
        replay=command,
    )


def _stakes(lines: Sequence[TravellerLine], bot: str, players: int) -> StakesBySeat:
    by_seat = [
        [line.payments[seat] for line in lines if line.bots[seat] == bot] for seat in range(players)
    ]
    every = [paid for seat in by_seat for paid in seat]
    return StakesBySeat(bot, tuple(map(_mean, by_seat)), _mean(every))


def _mean(paid: Sequence[int]) -> float | None:
    return sum(paid) / len(paid) if paid else None
