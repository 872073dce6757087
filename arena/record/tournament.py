"""A tournament in a record: its ranking, recomputed from the stored matches, and its pairings."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import zip_longest

from arena.league.terms import Terms
from arena.league.tournament import Ranked, Tournament
from arena.record.store import Store
from arena.stats.figures import Standing


def tournament_standings(
    tournament: Tournament, faults: Mapping[str, dict[str, int]]
) -> list[Standing]:
    """Return the bots in the order of the ranking.

    They have no strengths: tables are paired by results, so no interval would be reliable.
    """
    games, out = Counter[str](), Counter[str]()
    for match in tournament.matches:
        games.update(dict.fromkeys(match.bots, match.deals))
        out.update(match.bots[seat] for seat in match.disqualified)
    return [
        Standing(
            rank=line.rank,
            bot=line.bot,
            stakes_per_deal=round(line.stakes / games[line.bot], 6) if games[line.bot] else None,
            games=games[line.bot],
            sets=sum(it is not None and it.table is not None for it in line.results),
            faults=dict(sorted(faults.get(line.bot, {}).items())),
            part=1,
            disqualified=out[line.bot],
        )
        for line in tournament.ranking()
    ]


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
        for spec in tournament.pairings(number)
    }
    others = {match.first for match in matches if (match.first, match.bots) not in paired}
    for number, (first, _) in enumerate(terms.blocks, 1):
        if first in others:
            yield f"the tables of round {number} are not those of its pairing"
