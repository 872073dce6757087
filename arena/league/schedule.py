"""The schedule of a league: its matches by table, seating and deals, and its seed."""

import hashlib
import secrets
from collections.abc import Mapping, Sequence
from itertools import combinations, permutations
from math import comb
from typing import Final

from arena.bots.names import name_key
from arena.stats.figures import DealRun, Lineup
from arena.zole.deal import Deal, deal_text, first_dealer, from_deck, shuffled
from arena.zole.rules import Rules

MOST_TABLES: Final = 1_000_000
"""The most tables that the bots of a league may form: some 180 bots in trios, 1,400 in pairs."""


class MatchSpec(DealRun, frozen=True):
    """One seating of a lineup over some deals.

    `seats` are bot names by seat; `seating` numbers the seatings of the lineup, `seed` the seeds of
    the league: once a seed has been shown, new deals come from a new one.
    """

    seating: int
    seats: tuple[str, ...]
    seed: int = 0


def too_many(bots: int, players: int, mirror: bool = False) -> bool:
    """Whether a number of bots forms more tables than are ever listed."""
    return comb(bots, 2 if mirror else players) > MOST_TABLES


def lineups(
    bots: tuple[str, ...],
    players: int,
    always: tuple[str, ...] = (),
    mirror: bool = False,
    authors: Mapping[str, str] | None = None,
) -> list[Lineup]:
    """A round robin: every table that the bots can form; two bots at a table of three mirror.

    A gauntlet has only those tables at which certain bots `always` sit; a `mirror` league has every
    pair of bots in mirror. With the bots' `authors`, those of one author never share a table.
    """
    size = 2 if players == 3 and (mirror or len(bots) == 2) else players
    people = {bot: name_key(author) for bot, author in (authors or {}).items()}
    others = sorted(set(bots) - set(always))
    places = size - len(always)
    if places < 0 or not set(always) <= set(bots):
        return []
    tables = (tuple(sorted((*always, *rest))) for rest in combinations(others, places))
    return sorted(
        table for table in tables if authors is None or len({people[bot] for bot in table}) == size
    )


def seatings(lineup: Lineup, players: int, some: int | None = None) -> list[tuple[str, ...]]:
    """Ways to seat a lineup: all of them, or the first `some`, which must divide by `players`.

    They come round by round: an order of the bots round the table, turned through every seat, so
    that any whole number of rounds seats every bot everywhere equally often; then the order's
    mirror image, so that two rounds give every bot the same neighbours on either side. Two bots at
    a table of three mirror: each sits twice against one of the other, in every seat.
    """
    if len(lineup) < players:
        first, second = lineup
        crews = ((first, first, second), (first, second, second))
        return [seats for crew in crews for seats in sorted(set(permutations(crew)))]
    rounds: list[tuple[str, ...]] = []
    for rest in permutations(lineup[1:]):
        if rest not in rounds:
            rounds += [rest, rest[::-1]]
    every = [
        tuple((lineup[0], *rest)[(seat - turn) % players] for seat in range(players))
        for rest in rounds
        for turn in range(players)
    ]
    return every[:some]


def new_seed() -> str:
    """A secret seed: 256 bits as 64 hexadecimal digits."""
    return secrets.token_hex(32)


def commitment(seed: str) -> str:
    """The SHA-256 of a seed, which is published while the seed is secret."""
    return hashlib.sha256(seed.encode()).hexdigest()


def league_deals(
    rules: Rules, seed: str, lineup: Lineup, first: int, deals: int, session: int | None = None
) -> list[Deal]:
    """Deals of a lineup, from a seed, as `protocol/deals.md` specifies them.

    `session` is the number of deals after which a new session begins, with a new first dealer.
    """
    table = "\n".join(sorted(set(lineup)))
    found: list[Deal] = []
    for number in range(first, first + deals):
        began, since = divmod(number, session) if session else (0, number)
        dealer = first_dealer(rules, f"zole dealer 1\n{seed}\n{table}\n{began}")
        deck = shuffled(f"zole deal 1\n{seed}\n{table}\n{number}")
        found.append(from_deck(deck, rules, (dealer + since) % rules.players))
    return found


def seat_seeds(rules: Rules, seed: str, deals: list[Deal]) -> tuple[int, ...]:
    """`hello.seed` of each seat: the same for any bot that sits there on these deals."""
    text = "\n".join(map(deal_text, deals))
    digest = hashlib.sha256(text.encode()).hexdigest()
    return tuple(
        int.from_bytes(
            hashlib.sha256(f"zole seat 1\n{seed}\n{digest}\n{seat}".encode()).digest()[:8], "big"
        )
        >> 11
        for seat in range(rules.players)
    )


_MANY: Final = 1 << 32
"""A number larger than the pairs of a table can ever have met."""


def draw_tables(
    tables: Sequence[Lineup], number: int, drawn: Sequence[Lineup] = ()
) -> list[Lineup]:
    """A sample of `number` tables, all of one size, in the order in which they are drawn.

    Each draw takes the table whose bots have sat least so far; among equals the one whose pairs
    have met least, then the first by the hash of its names. So no bot sits two times more than
    another if the tables allow it, pairs are nearly as even, and the same tables always give the
    same sample.

    Tables `drawn` before stay as long as their bots do. If bots have come since and `number`
    leaves no room, more are drawn until each newcomer sits as often as the least seated of the
    others.
    """
    import numpy as np  # a site's pages know matches and draw no tables

    candidates = sorted(tables, key=_hash)
    there = set(candidates)
    chosen = [table for table in drawn if table in there]
    kept = set(chosen)
    names = sorted({bot for table in candidates for bot in table})
    place = {bot: number for number, bot in enumerate(names)}
    seats = np.array([[place[bot] for bot in table] for table in candidates], np.int64)
    free = np.array([table not in kept for table in candidates], bool)
    used = np.zeros(len(names), np.int64)
    met = np.zeros((len(names), len(names)), np.int64)

    def count(table: Sequence[int]) -> None:
        used[np.array(table)] += 1
        met[np.ix_(table, table)] += 1

    for table in chosen:
        count([place[bot] for bot in table])
    new = (used == 0) & bool(chosen)
    share = int(used[~new].min()) if chosen else 0
    while free.any():
        able = free
        if len(chosen) >= number:
            able = free & (new & (used < share))[seats].any(axis=1)
        if not able.any():
            break
        pairs = met[seats[:, :, None], seats[:, None, :]].sum(axis=(1, 2))
        cost = used[seats].sum(axis=1) * _MANY + pairs
        best = int(np.where(able, cost, np.iinfo(np.int64).max).argmin())
        free[best] = False
        chosen.append(candidates[best])
        count(seats[best].tolist())
    return chosen


def _hash(table: Lineup) -> bytes:
    return hashlib.sha256("\n".join(table).encode()).digest()
