"""A tournament in a record: its pairings made anew, its ranking beside the bots' strengths."""

from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest

from arena.league.terms import TournamentTerms
from arena.league.tournament import Ranked, Tournament, TournamentState
from arena.record.store import Store
from arena.stats.figures import Standing
from arena.stats.room import RoomTable, chance_of_the_best, room_strengths


class RankedTournament:
    """A stored tournament, and what its tables say of the bots' strengths."""

    def __init__(self, store: Store, terms: TournamentTerms) -> None:
        self._faults = store.faults()
        self._terms = terms
        self._tournament = Tournament(terms, store.seeds()[-1], store.outlines())
        self._ranking = self._tournament.ranking()
        field = {bot: place for place, bot in enumerate(self._tournament.field)}
        self._matches = [it for played in self._tournament.played for it in played.values()]
        tables = [
            RoomTable(
                match.first,
                tuple(field[bot] for bot in match.bots),
                tuple(stakes / match.deals for stakes in match.stakes),
            )
            for match in self._matches
            if match.deals and not match.disqualified
        ]
        self._found = room_strengths(tables, len(field), terms.tournament.same_deals)

    @property
    def sets(self) -> int:
        """The number of tables in all rounds."""
        return len(self._tournament.rounds[-1].tables) * len(self._terms.blocks)

    @property
    def sets_played(self) -> int:
        """The number of tables that have been played."""
        return len(self._matches)

    @property
    def over(self) -> bool:
        """Whether all rounds are over."""
        return self._tournament.over

    def state(self) -> TournamentState:
        """Return how far it is, the ranking, and what the first rank is worth."""
        form, deals = self._terms.tournament, self._terms.blocks[0][1]
        wins = None
        if self._found is not None:
            wins = chance_of_the_best(self._found, form.rounds, deals, form.points, form.fours)
        return TournamentState(
            form.rounds,
            len(self._tournament.rounds) - bool(self._tournament.remaining()),
            deals,
            tuple(self._ranking),
            wins,
        )

    def standings(self) -> list[Standing]:
        """Return the bots in the order of the ranking, with their strengths."""
        games, out = Counter[str](), Counter[str]()
        for match in self._matches:
            games.update(dict.fromkeys(match.bots, match.deals))
            out.update(match.bots[seat] for seat in match.disqualified)
        return [self._standing(line, games[line.bot], out[line.bot]) for line in self._ranking]

    def _standing(self, line: Ranked, games: int, out: int) -> Standing:
        strength, interval = None, None
        if self._found is not None:
            place = self._tournament.field.index(line.bot)
            value, half = float(self._found.values[place]), float(self._found.half[place])
            strength, interval = round(value, 6), (round(value - half, 6), round(value + half, 6))
        return Standing(
            rank=line.rank,
            bot=line.bot,
            stakes_per_deal=round(line.stakes / games, 6) if games else None,
            ci95=None,
            elo=None,
            elo_pm=None,
            elo_bound=None,
            games=games,
            sets=sum(it is not None and it.table is not None for it in line.results),
            void_sets=0,
            faults=dict(sorted(self._faults.get(line.bot, {}).items())),
            ranks=None,
            strength=strength,
            strength_ci95=interval,
            part=1,
            disqualified=out,
        )


def ranking_row(
    line: Ranked, standing: Standing, rounds: int
) -> dict[str, str | int | float | None]:
    """Return a bot's line in a tournament as plain values; a round to come has none."""
    low, high = standing.strength_ci95 or (None, None)
    results = [None if it is None else it.points for it in line.results]
    return {
        "rank": line.rank,
        "bot": line.bot,
        "points": line.points,
        "stakes": line.stakes,
        "strength": standing.strength,
        "strength_low": low,
        "strength_high": high,
        "games": standing.games,
        "faults": sum(standing.faults.values()),
        "disqualified": standing.disqualified,
        **{
            f"round_{number}": points
            for number, points in zip_longest(range(1, rounds + 1), results)
        },
    }


def pairing_flaws(store: Store, terms: TournamentTerms) -> Iterator[str]:
    """Yield the rounds with tables that their pairing, made anew, does not have, in words."""
    matches = list(store.outlines())
    tournament = Tournament(terms, store.seeds()[-1], matches)
    paired = {
        (spec.first, spec.seats)
        for number in range(len(tournament.rounds))
        for spec in tournament.matches(number)
    }
    others = {match.first for match in matches if (match.first, match.bots) not in paired}
    for number, (first, _) in enumerate(terms.blocks, 1):
        if first in others:
            yield f"the tables of round {number} are not those of its pairing"
