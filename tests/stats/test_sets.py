"""Sets, hands and roles: results of matches counted by hand on small sets."""

import re
from collections.abc import Callable, Iterable, Sequence
from math import sqrt
from pathlib import Path

import msgspec
import numpy as np
import pytest

from arena.league.schedule import seatings
from arena.stats.figures import HandGap, HandSpread, Lineup, Role, SeatLine, Share
from arena.stats.hands import hand_gaps, hand_spreads
from arena.stats.roles import roles, seat_table
from arena.stats.sets import (
    EPSILON,
    MIRROR,
    Block,
    Floats,
    Played,
    complete_blocks,
    dense_ranks,
    round_noise,
    zero_small,
)
from arena.zole.state import GAMES
from tests.support.present import present

NAMES = ("a", "b", "c")
SEATS = seatings(NAMES, 3)


def played(
    seating: int,
    payments: Sequence[tuple[int, ...]],
    courses: Sequence[tuple[int, int, int]] | None = None,
    lineup: Lineup = NAMES,
    out: tuple[int, ...] = (),
    deals: int = 0,
) -> Played:
    """A match over the deals from 0 on; courses are an ordinary game of seat 0, dealt by 2."""
    of_deals = courses or [(2, 0, 0)] * len(payments)
    return Played(
        lineup,
        0,
        deals or len(payments),
        seating,
        np.array(payments, np.int16).reshape(-1, len(seats_of(lineup)[0])),
        np.array(of_deals, np.int8).reshape(-1, 3),
        out,
    )


def seats_of(lineup: Lineup) -> list[tuple[str, ...]]:
    return seatings(lineup, max(3, len(lineup)))


def gathered(matches: Iterable[Played], session: int = 1) -> list[Block]:
    """The blocks of matches of bots that are called a to e."""
    return complete_blocks(matches, "abcde", seats_of, session)


def stakes_of(matches: Iterable[Played], session: int = 1) -> Floats:
    """The stakes of the only block, by set and bot."""
    [block] = gathered(matches, session)
    return present(block.stakes).stakes


def paying(
    lineup: Lineup,
    pays: Callable[[str, tuple[str, ...]], int],
    courses: Sequence[tuple[int, int, int]] | None = None,
) -> list[Played]:
    """A deal in all seatings of a lineup; `pays` by bot and all that sit at the table."""
    return [
        played(number, [tuple(pays(bot, row) for bot in row)], courses, lineup)
        for number, row in enumerate(seats_of(lineup))
    ]


def test_a_bots_stakes_are_the_mean_over_its_seats_in_a_set_which_is_a_session() -> None:
    """Every bot sat in every seat; deals that lack a seating do not count."""
    payments = [(6, -3, -3), (0, 0, 0), (-2, 1, 1), (2, -1, -1)]
    matches = [played(number, payments) for number in range(6)]
    [block], [halves] = gathered(matches), gathered(matches, session=2)
    assert (block.deals, block.seatings, block.sets, halves.sets) == (4, 6, 4, 2)
    assert stakes_of(matches).tolist() == [[0, 0, 0]] * 4
    assert stakes_of(matches, session=2).tolist() == [[0, 0, 0]] * 2
    assert present(halves.games).payments.shape == (6, 4, 3)
    assert gathered(matches[:5]) == []


@pytest.mark.parametrize("step", [1, -1])
def test_seatings_may_come_in_any_order(step: int) -> None:
    """A bot wins wherever it sits; the others lose."""
    matches = paying(NAMES, lambda bot, _: 4 if bot == "b" else -2)
    assert stakes_of(matches[::step]).tolist() == [[-2, 4, -2]]


def test_a_disqualification_voids_all_sets_of_the_deals_and_is_named() -> None:
    matches = [played(number, [(0, 0, 0)] * 3) for number in range(5)]
    [block] = gathered([*matches, played(5, [(0, 0, 0)], out=(1,), deals=3)])
    assert (block.stakes, block.games, block.sets) == (None, None, 3)
    assert block.disqualified == {SEATS[5][1]: 1}


def test_two_bots_of_a_mirror_sit_in_nine_seats_each() -> None:
    matches = paying(
        ("a", "b"), lambda bot, row: 2 * row.count("b") if bot == "a" else -2 * row.count("a")
    )
    made = (2 * 3 * 2 + 4 * 3) / 9 * MIRROR
    assert stakes_of(matches)[0] == pytest.approx([made, -made])


@pytest.mark.parametrize("lineup", [("a", "b"), NAMES])
def test_a_mirror_shows_the_same_gap_as_a_table_of_three(lineup: Lineup) -> None:
    """Each bot makes by how much its strength is above the mean of those at the table."""
    strength = {"a": 5, "b": -4, "c": 2}
    matches = paying(lineup, lambda bot, row: 3 * strength[bot] - sum(strength[it] for it in row))
    [stakes] = stakes_of(matches)
    assert stakes[0] - stakes[1] == pytest.approx(27)


def test_noise_is_rounded_away_shares_a_rank_and_never_leaves_a_negative_zero() -> None:
    small = np.array([-EPSILON / 2, 2 * EPSILON])
    assert zero_small(small).tolist() == [0, 2 * EPSILON]
    assert zero_small(small, size=4.0).tolist() == [0, 0]
    assert str(round_noise(-1e-13)) == "0.0"
    assert round(round_noise(1 / 128 - 1e-13), 6) == round(1 / 128, 6)
    assert dense_ranks(np.array([0.1, 0.3, 0.1 + 1e-15, -2.0])).tolist() == [1, 0, 1, 2]
    assert dense_ranks(np.array([])).size == 0


ORDINARY, TABLE = GAMES.index("ordinary"), GAMES.index("table")

SHEET = {
    "abc": ((4, -2, -2), (2, 0, ORDINARY)),
    "cab": ((-4, 2, 2), (2, 0, ORDINARY)),
    "bca": ((-2, 4, -2), (2, 1, ORDINARY)),
    "acb": ((8, -4, -4), (2, 0, ORDINARY)),
    "bac": ((0, 0, 0), (2, -1, TABLE)),
    "cba": ((4, -2, -2), (2, 0, ORDINARY)),
}
"""A deal in its six seatings, as in docs/replays.md: stakes by seat, and the course.

Seat 0 holds the good hand. a makes 4 and 8 with it, c loses 4 and makes 4, b passes: -2 and 0.
"""


def one_deal(before: int = 0, out: str | None = None) -> list[Block]:
    """The sheet's deal after some deals that were thrown in; `out` is disqualified in one match."""
    return gathered(
        [
            played(
                number,
                [(0, 0, 0)] * before + [SHEET["".join(seats)][0]],
                [(2, -1, GAMES.index("thrown_in"))] * before + [SHEET["".join(seats)][1]],
                out=(seats.index(out),) if out is not None and number == 3 else (),
            )
            for number, seats in enumerate(SEATS)
        ]
    )


def test_a_bots_hands_are_compared_with_what_the_others_made_of_the_same_cards() -> None:
    """b: -1, -2 and -1 by seat. The others: a 6 and c 0; a 1 and c 0; a -2 and c -1.

    Those that are equally bad stay in the order of deals and seats; all are counted.
    """
    worst = (
        HandGap(NAMES, 0, 0, -1, 3, -4, 2, 0, 4, 4),
        HandGap(NAMES, 0, 1, -2, 0.5, -2.5, 2, 0, 4, 1),
        HandGap(NAMES, 0, 2, -1, -1.5, 0.5, 2, 0, 4, 0),
    )
    assert hand_gaps(one_deal(), "b") == (3, worst)
    assert hand_gaps(one_deal(), "b", best=True) == (3, worst[::-1])
    for bot in NAMES:
        [block], (_, found) = one_deal(), hand_gaps(one_deal(), bot)
        made = present(block.stakes).stakes[0, NAMES.index(bot)] * 3  # in a game with each hand
        assert sum(gap.gap for gap in found) == pytest.approx(1.5 * made), bot
    hands, gaps = hand_gaps(one_deal(before=2), "b", most=8)
    even = [(deal, seat) for deal in (0, 1) for seat in (0, 1, 2)]
    assert (hands, [(each.deal, each.seat) for each in gaps]) == (9, [(2, 0), (2, 1), *even])


def test_the_spread_of_a_deal_is_that_of_its_most_different_hand() -> None:
    widest = HandSpread(NAMES, 1, 0, "b", -1, "a", 6, 7)
    assert hand_spreads(one_deal(before=1), most=1) == (widest,)
    assert [each.spread for each in hand_spreads(one_deal(before=1))] == [7, 0]


@pytest.mark.parametrize(
    "blocks",
    [one_deal(out="c"), gathered([played(0, [(4, -2, -2)])]), []],
    ids=["void", "one seating", "nothing"],
)
def test_void_sets_and_those_still_lacking_a_seating_are_left_out(blocks: list[Block]) -> None:
    assert hand_gaps(blocks, "b") == hand_gaps(one_deal(), "e") == (0, ())
    assert hand_spreads(blocks) == ()


def test_in_a_mirror_each_bot_has_three_games_with_a_hand() -> None:
    """a makes 3 in every game and pays nobody; what b sits beside does not matter."""
    gaps = hand_gaps(gathered(paying(("a", "b"), lambda bot, _: 3 if bot == "a" else -3)), "b")[1]
    found = [(gap.stakes, gap.others, gap.games, gap.other_games) for gap in gaps]
    assert found == [(-3, 3, 3, 3)] * 3


@pytest.mark.parametrize(("players", "dealer", "held"), [(4, 1, "023"), (5, 0, "124")])
def test_seats_that_sit_out_have_no_hand(players: int, dealer: int, held: str) -> None:
    lineup = tuple("abcde"[:players])
    rows = seatings(lineup, players, players)
    matches = [
        played(number, [tuple(9 if bot == "a" else -1 for bot in row)], [(dealer, -1, -1)], lineup)
        for number, row in enumerate(rows)
    ]
    blocks = complete_blocks(matches, lineup, lambda _: rows)
    hands, gaps = hand_gaps(blocks, "a")
    assert (hands, {f"{gap.seat}" for gap in gaps}) == (3, {*held})
    assert [(gap.gap, gap.other_games) for gap in gaps] == [(10, players - 1)] * 3
    assert hand_spreads(blocks)[0].spread == 10


def test_the_example_of_the_page_is_this_one() -> None:
    page = (Path(__file__).parents[2] / "docs" / "replays.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w \w \w) \| (.+) \| (\S+) (\S+) (\S+) \|$", page, re.MULTILINE)
    found = {
        seats.replace(" ", ""): (
            tuple(int(paid.replace("\N{MINUS SIGN}", "-")) for paid in stakes),
            declarer.removeprefix("seat "),
        )
        for seats, declarer, *stakes in rows
    }
    assert found == {
        seats: (stakes, "nobody" if seat < 0 else str(seat))
        for seats, (stakes, (_, seat, _)) in SHEET.items()
    }


ORDINARY, SOLO, TABLE, THROWN_IN = map(GAMES.index, ("ordinary", "solo", "table", "thrown_in"))
T_9 = 2.2621572
"""Student's t of 9 degrees of freedom, at 97.5 %."""


def a_declares() -> list[Block]:
    """Ten deals: `a` declares and wins 4 in six of them, loses 8 at solo in two; then the table,
    where `b` pays, and a deal that is thrown in. The dealer is seat 2.
    """
    matches = []
    for number, seats in enumerate(SEATS):
        a, b = seats.index("a"), seats.index("b")
        won, lost, table = (
            tuple(alone if seat == place else others for seat in range(3))
            for place, alone, others in ((a, 4, -2), (a, -8, 4), (b, -4, 2))
        )
        payments = [won] * 6 + [lost] * 2 + [table, (0, 0, 0)]
        courses = [(2, a, ORDINARY)] * 6 + [(2, a, SOLO)] * 2 + [(2, -1, TABLE), (2, -1, THROWN_IN)]
        matches.append(played(number, payments, courses))
    return gathered(matches)


def role_of(bot: str | None, blocks: list[Block]) -> Role:
    return next(each for each in roles(blocks, NAMES) if each.bot == bot)


def values(role: Role | SeatLine) -> list[tuple[float | None, int]]:
    """The value and the number of games of each share, in the order of fields."""
    shares = (it for it in msgspec.structs.astuple(role) if isinstance(it, Share))
    return [(share.value, share.of) for share in shares]


def test_each_role_has_its_own_stakes() -> None:
    """In turn: declares, wins, as declarer, as defender, at the table, sitting out, in a solo."""
    a, b, c, every = roles(a_declares(), NAMES)
    assert [each.bot for each in (a, b, c, every)] == ["a", "b", "c", None]
    assert (a.contracts, b.contracts) == ({"ordinary": 36, "solo": 12}, {})
    none = (None, 0)
    declarer, defender = ((6 * 4 - 2 * 8) / 8, 48), ((6 * -2 + 2 * 4) / 8, 48)
    assert values(a) == [(0.8, 60), (0.75, 48), declarer, none, (2, 6), none, (-8, 12)]
    assert values(b) == [(0, 60), none, none, defender, (-4, 6), none, none]
    third = pytest.approx(0.8 / 3)
    stakes = [(1, 48), (-0.5, 96), (0, 18), none, (-8, 12)]
    assert values(every) == [(third, 180), (0.75, 48), *stakes]


def test_the_interval_of_a_role_is_that_of_the_ratio_by_sets_and_of_a_share_wilsons() -> None:
    """The textbook's form of the bound: a share as far from its estimate as t errors of its own.

    A share of all is as certain as its sets, not its hands, are many.
    """
    totals = np.array([24.0] * 6 + [-48.0] * 2 + [0, 0])
    counts = np.array([6.0] * 8 + [0, 0])
    left = totals - counts * totals.sum() / counts.sum()
    error = sqrt(((left - left.mean()) ** 2).sum() * 10 / 9) / counts.sum()
    a = role_of("a", a_declares())
    assert a.declarer.pm == pytest.approx(T_9 * error)
    value, (low, high) = present(a.wins.value), present(a.wins.ci95)
    number = value * (1 - value) / (present(a.wins.pm) / T_9) ** 2
    for end in (low, high):
        assert abs(value - end) == pytest.approx(T_9 * sqrt(end * (1 - end) / number))
    assert 0 < low < value < high < 1
    won = [played(number, [(4, -2, -2)] * 10, [(2, 0, ORDINARY)] * 10) for number in range(6)]
    wins = role_of("a", gathered(won)).wins
    assert (wins.value, wins.pm) == (1, 0)
    assert wins.ci95 == pytest.approx((1 / (1 + T_9**2 / 10), 1))


def test_fewer_than_ten_sets_or_games_in_a_role_have_no_interval() -> None:
    few = gathered([played(number, [(4, -2, -2)] * 9) for number in range(6)])
    tables = [(2, -1, TABLE)] + [(2, 0, ORDINARY)] * 8
    ten = [played(number, [(2, 2, -4)] * 18, tables * 2) for number in range(5)]
    ten.append(played(5, [(2, 2, -4)] * 18, [(2, 0, ORDINARY)] * 18))
    b, at_table = role_of("b", a_declares()), role_of("a", gathered(ten)).table
    shares = (role_of("a", few).declarer, b.table, b.defender, at_table)
    assert [share.pm is None for share in shares] == [True, True, False, False]
    assert at_table.of == 10


def test_a_role_that_makes_the_same_in_every_set_has_no_spread_at_all() -> None:
    """A third of a stake a deal, set by set, in more games here than there."""
    matches = []
    for number, seats in enumerate(SEATS):
        a = seats.index("a")
        won = tuple(int(seat == a and number % 3 == 0) for seat in range(3))
        games = [
            (won, (2, a, ORDINARY)) if number < 3 or deal % 2 else ((0, 0, 0), (2, -1, THROWN_IN))
            for deal in range(15)
        ]
        payments, courses = zip(*games, strict=True)
        matches.append(played(number, payments, courses))
    assert role_of("a", gathered(matches)).declarer == Share(1 / 3, 0.0, 66)


def test_seats_are_counted_from_forehand() -> None:
    """The seat left of the dealer makes 2, the next nothing, the dealer loses 2."""
    paid = [(-2, 2, 0), (0, -2, 2), (2, 0, -2)] * 4
    courses = [(deal % 3, 0, ORDINARY) for deal in range(12)]
    for each in seat_table(gathered([played(n, paid, courses) for n in range(6)]), NAMES):
        games = 24 if each.bot else 72
        assert values(each) == [(2, games), (0, games), (-2, games), (None, 0)]
        assert each.forehand.pm == pytest.approx(0)


def test_the_dealer_of_four_sits_out_and_holds_no_hand() -> None:
    names = ("a", "b", "c", "d")
    rows = range(len(seats_of(names)))
    blocks = gathered([played(row, [(6, -2, -2, -2)], [(3, 0, ORDINARY)], names) for row in rows])
    a, seat = values(roles(blocks, names)[0]), values(seat_table(blocks, names)[0])
    assert [a[0], a[5]] == [(6 / 18, 18), (-2, 6)]
    assert [seat[0], seat[-1]] == [(6, 6), (-2, 6)]


def test_no_sets_make_no_lines() -> None:
    assert (roles([], NAMES), seat_table([], NAMES)) == ((), ())
