"""A tournament in a record: its ranking, recomputed from the stored matches, and its pairings."""

from collections import Counter
from collections.abc import Iterator
from itertools import zip_longest

from arena.league.terms import Terms
from arena.league.tournament import Ranked, Tournament, TournamentState
from arena.record.store import Store
from arena.stats.figures import Standing


class RankedTournament:
    """The ranking of a stored tournament."""

    def __init__(self, store: Store, terms: Terms) -> None:
        self._faults = store.faults()
        self._terms = terms
        self._tournament = Tournament(terms, store.seeds()[-1], store.outlines())
        self._ranking = self._tournament.ranking()
        self._matches = [it for played in self._tournament.played for it in played.values()]

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
        """Return the progress and the ranking."""
        return TournamentState(
            len(self._terms.blocks),
            len(self._tournament.rounds) - bool(self._tournament.remaining()),
            self._terms.blocks[0][1],
            tuple(self._ranking),
        )

    def standings(self) -> list[Standing]:
        """Return the bots in the order of the ranking.

        They have no strengths: tables are paired by results, so no interval would be reliable.
        """
        games, out = Counter[str](), Counter[str]()
        for match in self._matches:
            games.update(dict.fromkeys(match.bots, match.deals))
            out.update(match.bots[seat] for seat in match.disqualified)
        return [self._standing(line, games[line.bot], out[line.bot]) for line in self._ranking]

    def _standing(self, line: Ranked, games: int, out: int) -> Standing:
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
            strength=None,
            strength_ci95=None,
            part=1,
            disqualified=out,
        )


def ranking_row(
    line: Ranked, standing: Standing, rounds: int
) -> dict[str, str | int | float | None]:
    """Return a bot's line in a tournament as plain values; a round to come has none."""
    results = [None if it is None else it.points for it in line.results]
    return {
        "rank": line.rank,
        "bot": line.bot,
        "points": line.points,
        "stakes": line.stakes,
        "stakes_per_deal": standing.stakes_per_deal,
        "games": standing.games,
        "faults": sum(standing.faults.values()),
        "disqualified": standing.disqualified,
        **{
            f"round_{number}": points
            for number, points in zip_longest(range(1, rounds + 1), results)
        },
    }


def pairing_flaws(store: Store, terms: Terms) -> Iterator[str]:
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
