"""What an open league's table says holds as often as it says, under the league's own draw.

Stakes come in sixths, are correlated within a deal, have heavier tails than the normal distribution
and spread differently for each bot. Bots leave and come while the league is played.
"""

import hashlib
from collections.abc import Iterator
from functools import cache

import msgspec
import numpy as np
import pytest

from arena.league.config import OpenConfig
from arena.league.ledger import (
    Committed,
    Dated,
    Entry,
    Joined,
    Left,
    Line,
    Ordered,
)
from arena.league.open_draw import OpenDraw
from arena.league.outcomes import StoredOutcome
from arena.league.schedule import commitment, seatings
from arena.stats.sets import Floats, SetBlock, league_sets
from arena.stats.standings import rank_ranges
from arena.stats.strengths import (
    Strengths,
    anytime_plus_minus,
    gap_between,
    plus_minus,
    relative_to,
    select,
    strengths,
)
from arena.zole.rules import preset

FIRST = 8
COMING = {100: 8, 400: 9}
"""The order at which each newcomer comes."""

LEAVING = {300: 2, 600: 8}
"""The order at which each of those leaves."""

BOTS = FIRST + len(COMING)
SETS = 10
SPREAD = np.array([0.9, 1.0, 1.1, 1.3, 1.6, 1.0, 1.2, 0.8, 1.5, 1.0])
TRUE = np.array([0.5, 0.3, 0.1, 0.1, 0.0, -0.1, -0.3, -0.6, 0.2, -0.2])

Table = tuple[int, ...]


AT = "2026-01-01T00:00:00+00:00"


@cache
def schedule(seed: int, orders: int) -> tuple[Table, ...]:
    """The tables that the league draws, one after another is played."""
    draw, line = (
        OpenDraw(OpenConfig(rules=preset())),
        hashlib.sha256(str(seed).encode()).hexdigest(),
    )

    def append(entry: Entry) -> None:
        nonlocal line
        line = hashlib.sha256(line.encode() + msgspec.json.encode(entry)).hexdigest()
        text = msgspec.json.encode(Dated(AT, entry)).decode()
        draw.apply(Line(draw.ledger.read + 1, text, line))

    def join(bot: int) -> None:
        append(Joined(str(bot), f"{bot:064d}", f"author of {bot}", False))

    append(Committed(commitment("one")))
    for bot in range(FIRST):
        join(bot)
    tables: list[Table] = []
    for number in range(orders):
        if number in LEAVING:
            append(Left(str(LEAVING[number]), "withdrawn"))
        if number in COMING:
            join(COMING[number])
        lineup = draw.next_table()
        assert lineup is not None
        first = draw.ledger.deals_of(lineup)
        append(Ordered(number + 1, lineup, first, SETS, draw.known, "table"))
        for seats in seatings(lineup, 3):
            draw.stored(StoredOutcome(lineup, first, SETS, draw.known + 1, seats, (), (1.0,) * 3))
        tables.append(tuple(int(bot) for bot in lineup))
    return tuple(tables)


def looks(
    tables: tuple[Table, ...], true: Floats, seed: int
) -> Iterator[tuple[int, list[SetBlock]]]:
    """All sets so far after some orders, and the number of the last of these."""
    chance, sets = np.random.default_rng(seed), list[SetBlock]()
    for number, table in enumerate(tables):
        sets.append(SetBlock(table, drawn(chance, table, true)))
        if number < 50 or number % 5 == 4:
            yield number, sets


def drawn(chance: np.random.Generator, table: Table, true: Floats) -> Floats:
    """The sets of an order: strengths less their mean, and luck that others pay for."""
    luck = chance.standard_t(5, size=(SETS, 3)) * SPREAD[list(table)] * 0.8
    luck[:, 1] += 0.4 * luck[:, 0]
    raw = np.round((true[list(table)] + luck) * 6) / 6
    return np.asarray(raw - raw.mean(axis=1, keepdims=True))


def field_at(number: int) -> list[int]:
    """Who plays after an order."""
    gone = {bot for when, bot in LEAVING.items() if when <= number}
    here = {bot for when, bot in COMING.items() if when <= number}
    return [bot for bot in range(BOTS) if bot not in gone and (bot < FIRST or bot in here)]


def estimates(seed: int, orders: int, true: Floats) -> Iterator[tuple[int, list[int], Strengths]]:
    for number, found in looks(schedule(seed % 4, orders), true, seed):
        field = field_at(number)
        estimate = relative_to(strengths(league_sets(found, BOTS)), field)
        yield number, field, select(estimate, field)


def relative_truth(estimate: Strengths, field: list[int]) -> Floats:
    """The true strengths, relative to the mean that the estimates are relative to."""
    known = msgspec.structs.replace(estimate, values=TRUE[field].copy())
    return relative_to(known, range(len(field))).values


def shares(leagues: int, orders: int, at: tuple[int, ...]) -> tuple[float, float, float]:
    """How often intervals of one bot hold at fixed orders, those of gaps, and how often all
    intervals of one bot that hold at all looks did so at every look of a league.
    """
    single: list[bool] = []
    double: list[bool] = []
    always: list[bool] = []
    for league in range(leagues):
        held = [True] * BOTS
        for number, field, estimate in estimates(league, orders, TRUE):
            truth = relative_truth(estimate, field)
            for place, bot in enumerate(field):
                error = abs(float(estimate.values[place]) - truth[place])
                wide = anytime_plus_minus(estimate, place)
                held[bot] &= wide is None or error <= wide
                if number in at:
                    half = plus_minus(estimate, place)
                    single += [] if half is None else [bool(error <= half)]
            if number in at:
                for place in range(1, len(field)):
                    gap = gap_between(estimate, 0, place)
                    if gap is not None and gap.plus_minus is not None:
                        apart = gap.stakes - (truth[0] - truth[place])
                        double.append(bool(abs(apart) <= gap.plus_minus))
        always += held
    return float(np.mean(single)), float(np.mean(double)), float(np.mean(always))


def wrongly_apart(leagues: int, orders: int) -> float:
    """In how many leagues of equal bots the table ever told two of them apart."""
    wrong = 0
    for league in range(leagues):
        wrong += any(
            ranks is not None and ranks != (1, int((estimate.part == part).sum()))
            for _, _, estimate in estimates(league, orders, np.zeros(BOTS))
            for ranks, part in zip(rank_ranges(estimate, anytime=True), estimate.part, strict=True)
        )
    return wrong / leagues


def test_a_short_league_keeps_equal_bots_together_at_every_look() -> None:
    assert wrongly_apart(2, 60) == 0


@pytest.mark.slow
def test_intervals_under_the_open_draw_hold_as_often_as_they_say() -> None:
    single, double, always = shares(100, 500, (59, 109, 149, 299, 409, 499))
    assert 0.93 <= single <= 0.97
    assert 0.93 <= double <= 0.97
    assert always >= 0.95


@pytest.mark.slow
def test_a_thousand_looks_seldom_tell_equal_bots_apart() -> None:
    assert wrongly_apart(100, 1000) <= 0.04
