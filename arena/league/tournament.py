"""A tournament's rounds and standing, both of which follow from its terms, seed and matches."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import partial
from itertools import groupby

import msgspec

from arena.league.config import TournamentConfig
from arena.league.pairing import Pairing, draw_number, pair
from arena.league.played import MatchOutline
from arena.league.schedule import MatchSpec
from arena.league.terms import Terms


class RoundResult(msgspec.Struct, frozen=True):
    """What a round brought a bot: its `table`, from 1, or None for a bye, its place there, points.

    `points` are big points, `stakes` the small ones. A bot that was disqualified has no place.
    """

    table: int | None
    place: int | None
    points: float
    stakes: int


class Ranked(msgspec.Struct, frozen=True):
    """A bot's line in a tournament: rank, big points, small points, and its results by round.

    Rank goes by big points, then by small points, then by the big points of the last round.
    """

    rank: int
    bot: str
    points: float
    stakes: int
    results: tuple[RoundResult | None, ...]


class TournamentState(msgspec.Struct, frozen=True):
    """A tournament's progress and ranking.

    `rounds` are all its rounds, of `deals` each, `played` those that are over.
    """

    rounds: int
    played: int
    deals: int
    ranking: tuple[Ranked, ...]


class Tournament:
    """A tournament as far as it has been played.

    `rounds` are the pairings of the rounds that are over and of the next one, or of all if it is
    over; `played` are by round the stored matches of these pairings, by their bots' seats.
    """

    def __init__(self, terms: Terms, seed: str, matches: Iterable[MatchOutline]) -> None:
        assert isinstance(terms.config, TournamentConfig)
        self.terms: Terms = terms
        self.config: TournamentConfig = terms.config
        self.field: tuple[str, ...] = tuple(bot for bot in terms.bots if bot in terms.field)
        self.rounds: list[Pairing] = []
        self.played: list[dict[tuple[str, ...], MatchOutline]] = []
        self._seed = seed
        self._totals = {bot: (Fraction(), 0, Fraction()) for bot in self.field}
        self._results: dict[str, list[RoundResult | None]] = {bot: [] for bot in self.field}
        stored = {(match.first, match.bots): match for match in matches}
        for first, _ in terms.blocks:
            pairing = self._pair()
            found = {table: stored.get((first, table)) for table in pairing.tables}
            self.rounds.append(pairing)
            self.played.append({table: it for table, it in found.items() if it is not None})
            self._count(pairing, self.played[-1])
            if None in found.values():
                break

    @property
    def sets(self) -> int:
        """The number of tables in all rounds."""
        return len(self.rounds[-1].tables) * len(self.terms.blocks)

    @property
    def matches(self) -> list[MatchOutline]:
        """The stored matches, round by round."""
        return [match for played in self.played for match in played.values()]

    @property
    def over(self) -> bool:
        """Whether all matches of all rounds are stored."""
        return not self.remaining() and len(self.rounds) == len(self.terms.blocks)

    def remaining(self) -> list[MatchSpec]:
        """The matches of the round under way that are not stored."""
        number = len(self.rounds) - 1
        return [it for it in self.pairings(number) if it.seats not in self.played[number]]

    def pairings(self, number: int) -> list[MatchSpec]:
        """The matches that are due in one of the `rounds`, the first being 0."""
        first, deals = self.terms.blocks[number]
        found: list[MatchSpec] = []
        for seats in self.rounds[number].tables:
            lineup = tuple(sorted(seats))
            seating = self.config.seats_of(lineup).index(seats)
            found.append(MatchSpec(lineup, first, deals, seating, seats))
        return found

    def ranking(self) -> list[Ranked]:
        """The bots by rank; those that are level share one, and come by name."""
        found: list[Ranked] = []
        by_total = sorted(sorted(self.field), key=self._totals.__getitem__, reverse=True)
        for (points, stakes, _), level in groupby(by_total, key=self._totals.__getitem__):
            rank = len(found) + 1
            found += (
                Ranked(rank, bot, float(points), stakes, tuple(self._results[bot])) for bot in level
            )
        return found

    def state(self) -> TournamentState:
        """The progress and the ranking."""
        played = len(self.rounds) - bool(self.remaining())
        rounds, ranking = len(self.terms.blocks), tuple(self.ranking())
        return TournamentState(rounds, played, self.config.deals, ranking)

    def _pair(self) -> Pairing:
        number = len(self.rounds)
        draw_seed = f"zole round 1\n{self._seed}\n{number}"
        order = self.field
        if number or self.config.first_round == "lot":
            by_lot = sorted(order, key=partial(draw_number, draw_seed))
            order = tuple(sorted(by_lot, key=self._totals.__getitem__, reverse=True))
        apart = self.config.apart == "author"
        people = frozenset(self.terms.authors.items()) if apart else None
        return pair(order, tuple(self.rounds), people, self.config.fours, draw_seed)

    def _count(self, pairing: Pairing, played: dict[tuple[str, ...], MatchOutline]) -> None:
        middle = Fraction(self.config.points[1])
        gained = {bot: (middle, RoundResult(None, None, float(middle), 0)) for bot in pairing.byes}
        for number, table in enumerate(pairing.tables, 1):
            if table in played:
                gained |= _gained(number, played[table], self.config.points)
        for bot in self.field:
            points, result = gained.get(bot, (Fraction(), None))
            self._results[bot].append(result)
            if result is not None:
                before, stakes, _ = self._totals[bot]
                self._totals[bot] = (before + points, stakes + result.stakes, points)


def _gained(
    table: int, match: MatchOutline, points: Sequence[float]
) -> dict[str, tuple[Fraction, RoundResult]]:
    """The big points and results of a table: equal bots share; a disqualified bot gets nothing."""
    found: dict[str, tuple[Fraction, RoundResult]] = {}
    seats = sorted(range(len(match.bots)), key=lambda seat: -match.stakes[seat])
    places = iter(range(1, len(seats) + 1))
    staying = (seat for seat in seats if seat not in match.disqualified)
    for stakes, level in groupby(staying, key=match.stakes.__getitem__):
        equals = list(level)
        shared = [next(places) for _ in equals]
        worth = sum((Fraction(points[place - 1]) for place in shared), Fraction()) / len(equals)
        for seat in equals:
            found[match.bots[seat]] = worth, RoundResult(table, shared[0], float(worth), stakes)
    for seat in match.disqualified:
        found[match.bots[seat]] = Fraction(), RoundResult(table, None, 0.0, match.stakes[seat])
    return found
