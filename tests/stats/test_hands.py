"""Hands compared over the seatings of a deal, worked out by hand on small sets."""

import re
from pathlib import Path

import pytest

from arena.league.schedule import seatings
from arena.stats.figures import HandGap, HandSpread
from arena.stats.hands import hand_gaps, hand_spreads
from arena.stats.sets import Block, complete_blocks
from arena.zole.state import GAMES
from tests.stats.test_sets import NAMES, SEATS, gathered, played, seats_of
from tests.support.present import present

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
    """b: -1, -2 and -1 by seat. The others: a 6 and c 0; a 1 and c 0; a -2 and c -1."""
    worst = (
        HandGap(NAMES, 0, 0, -1, 3, -4, 2, 0, 4, 4),
        HandGap(NAMES, 0, 1, -2, 0.5, -2.5, 2, 0, 4, 1),
        HandGap(NAMES, 0, 2, -1, -1.5, 0.5, 2, 0, 4, 0),
    )
    assert hand_gaps(one_deal(), "b") == (3, worst)
    assert hand_gaps(one_deal(), "b", best=True) == (3, worst[::-1])


@pytest.mark.parametrize("bot", NAMES)
def test_over_the_hands_of_a_deal_the_gaps_add_up_to_half_more_than_the_bot_made(bot: str) -> None:
    [block] = one_deal()
    made = present(block.stakes).stakes[0, NAMES.index(bot)] * 3  # in a game with each hand
    assert sum(gap.gap for gap in hand_gaps([block], bot)[1]) == pytest.approx(1.5 * made)


def test_the_spread_of_a_deal_is_that_of_its_most_different_hand() -> None:
    widest = HandSpread(NAMES, 1, 0, "b", -1, "a", 6, 7)
    assert hand_spreads(one_deal(before=1), most=1) == (widest,)
    assert [each.spread for each in hand_spreads(one_deal(before=1))] == [7, 0]


def test_only_so_many_are_given_but_all_are_counted() -> None:
    hands, gaps = hand_gaps(one_deal(before=3), "b", most=2)
    assert (hands, [gap.deal for gap in gaps]) == (12, [3, 3])


def test_hands_that_are_equally_bad_stay_in_the_order_of_deals_and_seats() -> None:
    gaps = hand_gaps(one_deal(before=2), "b")[1][2:8]
    assert [(each.deal, each.seat) for each in gaps] == [(d, s) for d in (0, 1) for s in (0, 1, 2)]


@pytest.mark.parametrize(
    "blocks",
    [one_deal(out="c"), gathered([played(0, [(4, -2, -2)])]), []],
    ids=["void", "one seating", "nothing"],
)
def test_void_sets_and_those_still_lacking_a_seating_are_left_out(blocks: list[Block]) -> None:
    assert hand_gaps(blocks, "b") == (0, ())
    assert hand_spreads(blocks) == ()


def test_a_bot_that_did_not_play_has_no_hands() -> None:
    assert hand_gaps(one_deal(), "e") == (0, ())


def test_in_a_mirror_each_bot_has_three_games_with_a_hand() -> None:
    """a makes 3 in every game and pays nobody; what b sits beside does not matter."""
    matches = [
        played(number, [tuple(3 if bot == "a" else -3 for bot in seats)], lineup=("a", "b"))
        for number, seats in enumerate(seats_of(("a", "b")))
    ]
    gaps = hand_gaps(gathered(matches), "b")[1]
    found = [(gap.stakes, gap.others, gap.games, gap.other_games) for gap in gaps]
    assert found == [(-3, 3, 3, 3)] * 3


@pytest.mark.parametrize(("players", "dealer", "held"), [(4, 1, 3), (5, 0, 3)])
def test_seats_that_sit_out_have_no_hand(players: int, dealer: int, held: int) -> None:
    lineup = tuple("abcde"[:players])
    rows = seatings(lineup, players, players)
    matches = [
        played(number, [tuple(9 if bot == "a" else -1 for bot in row)], [(dealer, -1, -1)], lineup)
        for number, row in enumerate(rows)
    ]
    blocks = complete_blocks(matches, lineup, lambda _: rows)
    hands, gaps = hand_gaps(blocks, "a")
    assert (hands, len(gaps)) == (held, held)
    assert dealer not in {gap.seat for gap in gaps}
    assert {(gap.gap, gap.other_games) for gap in gaps} == {(10, players - 1)}
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
