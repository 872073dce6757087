"""Kinds of mistakes, as docs/review.md defines them."""

import msgspec
import pytest

from arena.review.decisions import Decision, DecisionKind, action_text
from arena.review.mistakes import (
    is_blunder,
    is_clear,
    is_sound,
    mistake_in,
    phase_of,
    role_of,
    sure_loss,
)
from arena.review.solver import Solver
from arena.review.verdict import Valued, Verdict
from arena.review.verdict import verdict as judge
from arena.zole.cards import INDEX, mask, members
from arena.zole.deal import Deal
from arena.zole.play import legal, start
from arena.zole.rules import preset
from arena.zole.scoring import Pools
from arena.zole.state import Game, State
from tests.support.open_hands import declared

DEAL = Deal(
    2,
    (
        mask(INDEX[card] for card in "JH AD KD AC KC AS 9S AH".split()),
        mask(INDEX[card] for card in "QC QS QH QD JC JS JD TD".split()),
        mask(INDEX[card] for card in "9D 8D TC 9C TS KS TH KH".split()),
    ),
    (INDEX["7D"], INDEX["9H"]),
)


def verdict(kind: str = "play", given: str = "AC", best: str = "KC", **changes: object) -> Verdict:
    """A verdict on seat 0's answer, a clear mistake unless something is changed."""
    found = Verdict(
        deal=0,
        step=0,
        seat=0,
        kind="play",
        contract="ordinary",
        declarer=1,
        trick=1,
        place=1,
        answers=(Valued(given, 0.0, 0.0, 0.4), Valued(best, 1.0, 2.0, 0.6)),
        given=given,
        best=best,
        loss=1.0,
        error=0.25,
        open_loss=2.0,
        worlds=60,
        exact=False,
    )
    return msgspec.structs.replace(found, kind=kind, **changes)


def state(declarer: int | None, trick: str) -> State:
    """The first trick, as far as it lies, seat 0 to play; the declarer's contract is ordinary."""
    contract: Game = "table" if declarer is None else "ordinary"
    laid = tuple(INDEX[card] for card in trick.split())
    return msgspec.structs.replace(
        start(preset(), DEAL),
        phase="play",
        turn=0,
        order=tuple((place - len(laid)) % 3 for place in range(3)),
        trick=laid,
        declarer=declarer,
        contract=contract,
    )


@pytest.mark.parametrize(
    ("loss", "error", "clear"),
    [(0.5, 0.0, True), (0.5, 0.24, True), (0.5, 0.25, False), (0.49, 0.0, False), (3, 2, False)],
)
def test_a_clear_mistake_is_beyond_its_error_and_half_a_stake(
    loss: float, error: float, clear: bool
) -> None:
    found = verdict(loss=loss, error=error)
    assert (is_clear(found), sure_loss(found)) == (clear, loss - 2 * error)


def test_a_blunder_is_one_with_open_hands_only() -> None:
    unlucky = verdict(given="AC", best="AC", loss=0.0, open_loss=4.0)
    each = (unlucky, verdict(), verdict(open_loss=0.5))
    assert [(is_blunder(it), is_sound(it), is_clear(it)) for it in each] == [
        (True, True, False),
        (True, False, True),
        (False, False, True),
    ]


@pytest.mark.parametrize(
    ("asked", "given", "best", "declarer", "trick", "kind"),
    [
        ("bid", "pass", "ordinary", None, "", "too timid"),
        ("bid", "pass", "solo", None, "", "too timid"),
        ("bid", "ordinary", "pass", None, "", "too bold"),
        ("bid", "solo", "ordinary", None, "", "another contract"),
        ("bid", "ordinary", "solo", None, "", "another contract"),
        ("blind", "yes", "no", None, "", "too bold"),
        ("blind", "no", "yes", None, "", "too timid"),
        ("talon", "give", "take", None, "", "another contract"),
        ("discard", "AC.KC", "AS.9S", 0, "", "discard"),
        ("surrender", "yes", "no", 0, "", "giving up"),
        ("play", "offer", "AC", 1, "", "giving up"),
        # Seat 0 leads.
        ("play", "AC", "JH", 0, "", "trumps not drawn"),
        ("play", "JH", "AC", 0, "", "lead"),
        ("play", "AC", "9S", 0, "", "lead"),
        ("play", "AC", "JH", 1, "", "lead"),
        ("play", "AC", "JH", None, "", "lead"),
        # Seat 2 leads: a second hand has no kind of its own.
        ("play", "AS", "9S", 1, "KS", "card"),
        # Seat 1 leads, seat 2 follows.
        ("play", "KC", "AC", 1, "9C TC", "card"),  # the ace takes it from the partner
        ("play", "KC", "AC", 2, "TC 9C", "card"),
        ("play", "9S", "AS", 1, "KH TH", "points kept from the partner"),
        ("play", "AS", "9S", 1, "TH KH", "points for the declarer"),
        ("play", "9S", "AS", 1, "TH KH", "card"),
        ("play", "AS", "JH", 1, "TH KH", "card"),  # better was to take it
        ("play", "9S", "AS", None, "KH TH", "card"),
        ("play", "9S", "AS", 0, "KH TH", "card"),
    ],
)
def test_a_mistake_has_its_kind(
    asked: DecisionKind, given: str, best: str, declarer: int | None, trick: str, kind: str
) -> None:
    changes: dict[str, object] = {"declarer": declarer, "place": len(trick.split()) + 1}
    if asked != "play":
        changes["place"] = None
    if asked in ("bid", "blind", "talon"):
        changes |= {"trick": None, "contract": None}
    found, at = verdict(asked, given, best, **changes), state(declarer, trick)
    decision = Decision(0, 0, 0, asked, given, (given, best), (at,), Pools())
    assert mistake_in(decision, found) == kind


def test_phases_count_the_cards_before_a_seats_own() -> None:
    places = [phase_of(verdict(place=place)) for place in (1, 2, 3, 4)]
    assert places == ["lead", "second hand", "third hand", "third hand"]
    assert phase_of(verdict("discard", place=None)) == "discard"
    assert phase_of(verdict("bid", trick=None, place=None, declarer=None)) == "bid"


def test_a_role_follows_from_the_declarer() -> None:
    bid = verdict("bid", trick=None, declarer=None, contract=None)
    plays = [verdict(declarer=0), verdict(declarer=1), verdict(declarer=None, contract="table")]
    assert [role_of(it) for it in (bid, *plays)] == [None, "declarer", "defender", "table"]


def dealt(hand: str, talon: str) -> Deal:
    """A deal with this hand for forehand, seat 0, and the others' as it comes."""
    first, second = (INDEX[name] for name in talon.split())
    own = mask(INDEX[name] for name in hand.split())
    others = members((1 << 26) - 1 & ~own & ~mask((first, second)))
    return Deal(2, (own, mask(others[:8]), mask(others[8:])), (first, second))


# The eight highest trumps: they take every trick.
HIGHEST = dealt("QC QS QH QD JC JS JH JD", "TH 9S")


def test_it_is_wrong_to_discard_a_high_trump_instead_of_a_loser(solver: Solver) -> None:
    """Without TH and 9S every trick is sure; with either the last one is not."""
    begun = declared(preset(), HIGHEST, 0, "ordinary")
    answers = tuple(map(action_text, legal(begun)))
    right, wrong = (
        judge(solver, Decision(0, 0, 0, "discard", given, answers, (begun,), Pools()), "key")
        for given in ("9S.TH", "JD.9S")
    )
    assert (right.best, right.loss, right.error, right.open_loss) == ("9S.TH", 0, 0, 0)
    known = {each.answer: each.known for each in right.answers}
    assert known["9S.TH"] == max(known.values())
    assert wrong.best == "9S.TH"
    assert wrong.loss > 0
    assert not is_blunder(right)
