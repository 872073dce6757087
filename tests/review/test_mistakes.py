"""Kinds of mistakes: each by positions made by hand, as docs/review.md defines them."""

import msgspec
import pytest

from arena.review.decisions import Decision
from arena.review.mistakes import (
    is_blunder,
    is_clear,
    is_sound,
    mistake_in,
    phase_of,
    role_of,
    sure_loss,
)
from arena.review.verdict import Valued, Verdict
from arena.zole.cards import INDEX, mask
from arena.zole.deal import Deal
from arena.zole.play import start
from arena.zole.rules import preset
from arena.zole.scoring import Pools
from arena.zole.state import Game, State

HAND = "JH AD KD AC KC AS 9S AH"
DEAL = Deal(
    2,
    (
        mask(INDEX[card] for card in HAND.split()),
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
        answers=(Valued(given, 0.0, 0.0), Valued(best, 1.0, 2.0)),
        given=given,
        best=best,
        loss=1.0,
        error=0.25,
        open_loss=2.0,
        worlds=60,
        exact=False,
    )
    return msgspec.structs.replace(found, kind=kind, **changes)


def state(declarer: int | None = 1, trick: str = "", leader: int = 0) -> State:
    """The first trick, as far as it lies; the declarer's contract is ordinary."""
    contract: Game = "table" if declarer is None else "ordinary"
    order = tuple((leader + place) % 3 for place in range(3))
    laid = tuple(INDEX[card] for card in trick.split())
    return msgspec.structs.replace(
        start(preset(), DEAL),
        phase="play",
        turn=0,
        order=order,
        trick=laid,
        declarer=declarer,
        contract=contract,
    )


def kind_of(found: Verdict, at: State | None = None) -> str:
    answers = tuple(each.answer for each in found.answers)
    at = at or state(found.declarer)
    return mistake_in(Decision(0, 0, 0, found.kind, found.given, answers, (at,), Pools()), found)


@pytest.mark.parametrize(
    ("loss", "error", "clear"),
    [(0.5, 0.0, True), (0.5, 0.24, True), (0.5, 0.25, False), (0.49, 0.0, False), (3, 2, False)],
)
def test_a_clear_mistake_is_beyond_its_error_and_half_a_stake(
    loss: float, error: float, clear: bool
) -> None:
    found = verdict(loss=loss, error=error)
    assert is_clear(found) == clear
    assert sure_loss(found) == loss - 2 * error


def test_a_blunder_is_one_with_open_hands_only() -> None:
    unlucky = verdict(given="AC", best="AC", loss=0.0, open_loss=4.0)
    assert is_blunder(unlucky)
    assert is_sound(unlucky)
    assert not is_clear(unlucky)
    assert not is_blunder(verdict(open_loss=0.5))
    assert not is_sound(verdict())


@pytest.mark.parametrize(
    ("given", "best", "kind"),
    [
        ("pass", "ordinary", "too timid"),
        ("pass", "solo", "too timid"),
        ("ordinary", "pass", "too bold"),
        ("solo", "ordinary", "another contract"),
        ("ordinary", "solo", "another contract"),
    ],
)
def test_bids(given: str, best: str, kind: str) -> None:
    found = verdict("bid", given, best, trick=None, place=None, declarer=None, contract=None)
    assert kind_of(found) == kind
    assert (phase_of(found), role_of(found)) == ("bid", None)


def test_blind_games_and_the_talon() -> None:
    before = {"trick": None, "place": None, "declarer": None, "contract": None}
    assert kind_of(verdict("blind", "yes", "no", **before)) == "too bold"
    assert kind_of(verdict("blind", "no", "yes", **before)) == "too timid"
    assert kind_of(verdict("talon", "give", "take", **before)) == "another contract"


def test_a_discard_a_surrender_and_an_offer() -> None:
    assert kind_of(verdict("discard", "AC.KC", "AS.9S", declarer=0, place=None)) == "discard"
    assert kind_of(verdict("surrender", "yes", "no", declarer=0, place=None)) == "giving up"
    assert kind_of(verdict("play", "offer", "AC")) == "giving up"


@pytest.mark.parametrize(
    ("declarer", "given", "best", "kind"),
    [
        (0, "AC", "JH", "trumps not drawn"),
        (0, "JH", "AC", "lead"),
        (0, "AC", "9S", "lead"),
        (1, "AC", "JH", "lead"),
        (None, "AC", "JH", "lead"),
    ],
)
def test_leads(declarer: int | None, given: str, best: str, kind: str) -> None:
    assert kind_of(verdict("play", given, best, declarer=declarer), state(declarer)) == kind


@pytest.mark.parametrize(
    ("declarer", "trick", "given", "best", "kind"),
    [
        (1, "9C TC", "KC", "AC", "card"),  # the ace takes it from the partner
        (2, "TC 9C", "KC", "AC", "card"),
        (1, "KH TH", "9S", "AS", "points kept from the partner"),
        (1, "TH KH", "AS", "9S", "points for the declarer"),
        (1, "TH KH", "9S", "AS", "card"),
        (1, "TH KH", "AS", "JH", "card"),  # better was to take it
        (None, "KH TH", "9S", "AS", "card"),
        (0, "KH TH", "9S", "AS", "card"),
    ],
)
def test_the_last_card_of_a_defender(
    declarer: int | None, trick: str, given: str, best: str, kind: str
) -> None:
    """Seat 1 leads, seat 2 follows."""
    found = verdict("play", given, best, declarer=declarer, place=3)
    assert kind_of(found, state(declarer, trick, leader=1)) == kind


def test_second_hands_have_no_kind_of_their_own() -> None:
    found = verdict("play", "AS", "9S", place=2)
    assert kind_of(found, state(1, "KS", leader=2)) == "card"


def test_phases_count_the_cards_before_a_seats_own() -> None:
    places = {place: phase_of(verdict(place=place)) for place in (1, 2, 3, 4)}
    assert places == {1: "lead", 2: "second hand", 3: "third hand", 4: "third hand"}
    assert phase_of(verdict("discard", place=None)) == "discard"


def test_roles() -> None:
    assert role_of(verdict(declarer=0)) == "declarer"
    assert role_of(verdict(declarer=1)) == "defender"
    assert role_of(verdict(declarer=None, contract="table")) == "table"
