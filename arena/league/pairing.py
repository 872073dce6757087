"""The pairing of a tournament's round: tables of three and four, by standing and history."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, permutations
from typing import Final

import msgspec

from arena.league.config import MOST_ROUNDS

NEIGHBOURS: Final = 24
"""The distance in the standing up to which bots change places."""

_STARTS: Final = 16
"""The number of first seatings from which the search begins."""


class Pairing(msgspec.Struct, frozen=True):
    """The tables of a round, the strongest first, by seat; and the bots that have a bye."""

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]


@lru_cache(maxsize=MOST_ROUNDS)
def pair(
    order: tuple[str, ...],
    before: tuple[Pairing, ...],
    authors: frozenset[tuple[str, str]] | None,
    tables_of_four: bool,
    draw_seed: str,
) -> Pairing:
    """The next round of bots in `order` of standing, the best first, after the rounds `before`.

    As few bots as possible meet again, or meet a bot of the same author, where `authors` has each
    bot with its own; then tables of four go to bots that have sat at one least; then neighbours in
    the standing meet. If the number of bots is not a multiple of three, there are tables of four if
    `tables_of_four` is true and there are bots enough, else byes for the lowest bots that have had
    fewest. Each bot takes the seat that it has had least. `draw_seed` decides all else, so equal
    arguments lead to equal rounds.

    Neighbours are seated together, then any two bots change places if that makes the round
    cheaper, until no change does. Of several such searches, which begin with bots shuffled among
    their neighbours, the cheapest round is taken. Rounds are kept, for those who watch a tournament
    asks for the same ones again and again.
    """
    spare = len(order) % 3
    byes: tuple[str, ...] = ()
    if not tables_of_four or len(order) < 4 * spare:
        byes_before = Counter(bot for each in before for bot in each.byes)
        upwards = [*reversed(order)]
        byes = tuple(sorted(upwards, key=byes_before.__getitem__)[:spare])
        spare = 0
    field = [bot for bot in order if bot not in byes]
    costs = _Costs(field, before, None if authors is None else dict(authors))
    rounds = [_improved(start, costs) for start in _starts(field, spare, costs, draw_seed)]
    best = min(rounds, key=costs.of_round)
    seats = Counter(
        (bot, seat) for each in before for table in each.tables for seat, bot in enumerate(table)
    )
    tables = ([field[place] for place in table] for table in sorted(map(sorted, best)))
    return Pairing(tuple(_seated(table, seats, draw_seed) for table in tables), byes)


class _Costs:
    """The costs of a round's tables; bots are numbered by their place in the standing.

    `pairs[i][j]` is the squared distance of two bots; a meeting that they had before, or an author
    that they share, outweighs all distances and turns of a round. `at_four[i]` is the cost of a bot
    at a table of four: each turn ahead of the others outweighs the distances of a table.
    """

    def __init__(
        self, field: Sequence[str], before: Sequence[Pairing], authors: Mapping[str, str] | None
    ) -> None:
        size = len(field)
        tables = [table for each in before for table in each.tables]
        met = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
        if authors is not None:
            pairs = combinations(sorted(field), 2)
            met.update(pair for pair in pairs if authors[pair[0]] == authors[pair[1]])
        fours_before = Counter(bot for table in tables if len(table) == 4 for bot in table)
        least = min(map(fours_before.__getitem__, field))
        turn = 3 * size**2
        meeting = turn * size * (len(before) + 1)
        self.at_four = [turn * (fours_before[bot] - least) for bot in field]
        self.pairs = [
            [
                met[min(one, two), max(one, two)] * meeting + (i - j) ** 2
                for j, two in enumerate(field)
            ]
            for i, one in enumerate(field)
        ]

    def of_round(self, tables: Sequence[Sequence[int]]) -> int:
        """The cost of all tables."""
        turns = sum(self.at_four[bot] for table in tables if len(table) == 4 for bot in table)
        pairs = (pair for table in tables for pair in combinations(table, 2))
        return turns + sum(self.pairs[one][two] for one, two in pairs)


def _starts(
    field: Sequence[str], fours: int, costs: _Costs, draw_seed: str
) -> Iterator[list[list[int]]]:
    """First seatings: neighbours together, at first as they stand, then shuffled a little.

    The `fours` tables of four have the lowest of those bots that have sat at them least.
    """
    for number in range(_STARTS):
        near = NEIGHBOURS if number else 1
        key = [
            place + draw_number(f"{draw_seed}\n{number}", bot) % near
            for place, bot in enumerate(field)
        ]
        places = sorted(range(len(field)), key=key.__getitem__)
        upwards = [*reversed(places)]
        due = sorted(upwards, key=costs.at_four.__getitem__)[: 4 * fours]
        rest = [place for place in places if place not in due]
        yield [
            *(due[first : first + 4] for first in range(0, len(due), 4)),
            *(rest[first : first + 3] for first in range(0, len(rest), 3)),
        ]


def _improved(tables: list[list[int]], costs: _Costs) -> list[list[int]]:
    """The tables after all changes of places that make them cheaper."""
    table_of = {bot: table for table in tables for bot in table}
    near = [pair for pair in combinations(sorted(table_of), 2) if pair[1] - pair[0] <= NEIGHBOURS]
    changed = True
    while changed:
        changed = False
        for one, two in near:
            table, other = table_of[one], table_of[two]
            if table is not other and _cost_of_swap(costs, one, table, two, other) < 0:
                table[table.index(one)], other[other.index(two)] = two, one
                table_of[one], table_of[two] = other, table
                changed = True
    return tables


def _cost_of_swap(costs: _Costs, one: int, table: list[int], two: int, other: list[int]) -> int:
    before, after = costs.pairs[one], costs.pairs[two]
    change = 0
    for bot in table:
        if bot != one:
            change += after[bot] - before[bot]
    for bot in other:
        if bot != two:
            change += before[bot] - after[bot]
    if len(table) != len(other):
        turn = costs.at_four[two] - costs.at_four[one]
        change += turn if len(table) == 4 else -turn
    return change


def _seated(
    bots: Sequence[str], seat_counts: Mapping[tuple[str, int], int], draw_seed: str
) -> tuple[str, ...]:
    """The bots of a table in the seats that they have had least."""

    def cost(seats: tuple[str, ...]) -> tuple[int, int]:
        often = sum(seat_counts[bot, seat] for seat, bot in enumerate(seats))
        return often, draw_number(draw_seed, "\n".join(seats))

    return min(permutations(bots), key=cost)


def draw_number(draw_seed: str, names: str) -> int:
    """The number below 2^32 that some names draw."""
    return int.from_bytes(hashlib.sha256(f"{draw_seed}\n{names}".encode()).digest()[:4], "big")
