"""Positions whose answer a player can find by thought, and the solver finds as well.

In each of them only one card (or discard) is right. Seat 0 is forehand, and the declarer unless
the title says otherwise; whose turn it is follows from the trick. By pagat's payments.
"""

import msgspec
import pytest

from arena.review.solver import Solver
from arena.zole.cards import INDEX, mask, members
from arena.zole.deal import Deal
from arena.zole.rules import preset
from arena.zole.scoring import Pools
from arena.zole.state import Game, State
from tests.support.open_hands import card_points, declared


class Position(msgspec.Struct, frozen=True):
    """Hands by seat, cards on the table from seat `leader` on, and what the right card is worth.

    `made` are the card points of seat 0 so far, `tricks` those taken by each seat. `stakes` and
    `points` come from the right card, `else_stakes` from the best of the others.
    """

    title: str
    hands: tuple[str, str, str]
    right: str
    stakes: int
    else_stakes: int
    points: int | None
    made: int = 0
    tricks: tuple[int, int, int] = (2, 2, 2)
    table: str = ""
    leader: int = 0
    contract: Game = "ordinary"


POSITIONS = [
    Position(
        "endplay: a lost trump throws seat 1 in, which must lead away from the ten",
        ("AS KS 7D", "TS 9S 8D", "9H 9C KH"),
        right="7D",
        made=40,
        tricks=(2, 2, 1),
        points=65,
        stakes=2,
        else_stakes=-4,
    ),
    Position(
        "a trump is drawn before the ace, which would be trumped",
        ("QC AC", "7D 9H", "TC 9S"),
        right="QC",
        made=45,
        points=69,
        stakes=2,
        else_stakes=-4,
    ),
    Position(
        "what is lost anyway is lost with the worthless trump",
        ("JD 7D", "QC 9H", "9C KS"),
        right="7D",
        made=59,
        points=61,
        stakes=2,
        else_stakes=-4,
    ),
    Position(
        "a defender gives the ten to its partner's sure trick",
        ("JD", "TH 9H", "9C"),
        table="QC 7D",
        leader=2,
        right="TH",
        made=50,
        points=68,
        stakes=2,
        else_stakes=-1,
    ),
    Position(
        "a defender keeps the ten from the declarer's ace",
        ("AS 9H", "KH", "TS KS"),
        table="9S",
        leader=1,
        right="KS",
        made=45,
        points=60,
        stakes=2,
        else_stakes=-1,
    ),
    Position(
        "a defender trumps over with the low trump and keeps the queen for the declarer's",
        ("QS", "QC 8D", "AS"),
        table="TC 7D",
        leader=2,
        right="8D",
        made=50,
        points=70,
        stakes=2,
        else_stakes=-1,
    ),
    Position(
        "small solo: the nine is led, and the king goes on the suit that comes back",
        ("KC 9S", "TC 9C", "AS 9H"),
        right="9S",
        tricks=(0, 3, 3),
        contract="small_solo",
        points=0,
        stakes=12,
        else_stakes=-14,
    ),
    Position(
        "table: the nine ducks, and the ace goes on a suit that nobody follows",
        ("AS 9S", "9C KC", "9H"),
        table="TS",
        leader=2,
        right="9S",
        tricks=(2, 2, 2),
        contract="table",
        points=None,
        stakes=2,
        else_stakes=-4,
    ),
    Position(
        "table: the ace that would take the last trick is thrown away now",
        ("AS 9C", "KS", "9S"),
        table="9H TH",
        leader=1,
        right="AS",
        tricks=(2, 2, 2),
        contract="table",
        points=None,
        stakes=2,
        else_stakes=-4,
    ),
]


def state_of(position: Position) -> State:
    """The state; cards laid before are taken as they are told, and nobody's discard matters."""
    table = tuple(INDEX[name] for name in position.table.split())
    hands = tuple(mask(INDEX[name] for name in hand.split()) for hand in position.hands)
    order = tuple((position.leader + place) % 3 for place in range(3))
    return State(
        rules=preset(),
        deal=Deal(2, (0, 0, 0), (0, 1)),
        active=(0, 1, 2),
        phase="play",
        turn=order[len(table)],
        hands=hands,
        tricks=position.tricks,
        points=(position.made, 0, 0),
        order=order,
        trick=table,
        completed=sum(position.tricks),
        declarer=None if position.contract == "table" else 0,
        contract=position.contract,
    )


@pytest.fixture(scope="module")
def solver() -> Solver:
    pytest.importorskip("wasmtime", reason="the extra [review] is not installed")
    return Solver()


@pytest.mark.parametrize("position", POSITIONS, ids=lambda each: each.title)
def test_only_the_right_card_is_best(solver: Solver, position: Position) -> None:
    state = state_of(position)
    found = solver.each(state)
    first, second, *_ = sorted(found, key=lambda each: -each[1])
    assert first == (1 << INDEX[position.right], position.stakes)
    assert second[1] == position.else_stakes
    assert card_points(solver, state, Pools())[found.index(first)] == position.points


def test_two_lone_tens_are_discarded_to_take_every_trick(solver: Solver) -> None:
    hands = "QC QS QH QD JC JS JH JD", "AS KS 9S AH KH 9H AD TD", "AC TC KC 9C KD 9D 8D 7D"
    deal = Deal(
        2,
        tuple(mask(INDEX[name] for name in hand.split()) for hand in hands),
        (INDEX["TS"], INDEX["TH"]),
    )
    found = solver.each(declared(preset(), deal, 0, "ordinary"))
    best, stakes = max(found, key=lambda each: each[1])
    assert (members(best), stakes) == ((INDEX["TS"], INDEX["TH"]), 6)
    # A ten that is kept falls to its ace in the last trick, with another ace or ten: 88 points.
    assert sorted(each for _, each in found)[-2:] == [2, 6]
