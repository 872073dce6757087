"""Kinds of mistakes, as docs/review.md defines them, and endings whose verdicts can be counted."""

from itertools import islice

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
    assert is_clear(found) == clear
    assert sure_loss(found) == loss - 2 * error


def test_a_blunder_is_one_with_open_hands_only() -> None:
    unlucky = verdict(given="AC", best="AC", loss=0.0, open_loss=4.0)
    mistake, unpunished = verdict(), verdict(open_loss=0.5)
    assert [is_blunder(each) for each in (unlucky, mistake, unpunished)] == [True, True, False]
    assert [is_sound(each) for each in (unlucky, mistake)] == [True, False]
    assert not is_clear(unlucky)


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
    places = {place: phase_of(verdict(place=place)) for place in (1, 2, 3, 4)}
    assert places == {1: "lead", 2: "second hand", 3: "third hand", 4: "third hand"}
    assert phase_of(verdict("discard", place=None)) == "discard"
    assert phase_of(verdict("bid", trick=None, place=None, declarer=None)) == "bid"


def test_a_role_follows_from_the_declarer() -> None:
    assert role_of(verdict("bid", trick=None, declarer=None, contract=None)) is None
    assert role_of(verdict(declarer=0)) == "declarer"
    assert role_of(verdict(declarer=1)) == "defender"
    assert role_of(verdict(declarer=None, contract="table")) == "table"


# Endings made by hand whose worth can be counted. Few deals fit what the seat knew, and all are
# looked at. By pagat's payments: a declarer of an ordinary game makes 2 with 61 card points and
# pays 4 with 31 to 60.


class Ending(msgspec.Struct, frozen=True):
    """An ordinary game of seat 0 near its end, and what a review says of a card.

    Hands by seat, the cards on the table from seat `leader` on, what seat 0 laid aside (hidden
    from the others) and its card points from tricks. `known` is what the card given was worth, and
    the best one.
    """

    title: str
    hands: tuple[str, str, str]
    given: str
    best: str
    known: tuple[float, float]
    open_loss: float
    made: int
    aside: str
    table: str = ""
    leader: int = 0
    tricks: tuple[int, int, int] = (3, 2, 1)
    kind: str | None = None


# Declarer's last card is one of TC KC 9C 9H. Who keeps the ace of clubs loses to the heart alone: a
# quarter. Who keeps the ace of hearts loses to clubs that the partner cannot beat: TC, KC without
# TC, 9C without either, a half in all.
ENDINGS = [
    Ending(
        "of two aces that of the longer suit is kept: right, though it loses this time",
        ("9H", "KC", "AC AH"),
        table="QC 9S",
        aside="TC 9C",
        made=30,
        given="AH",
        best="AH",
        known=(1.25, 1.25),
        open_loss=3,
    ),
    Ending(
        "of two aces that of the shorter suit is kept: wrong, though it wins this time",
        ("9H", "KC", "AC AH"),
        table="QC 9S",
        aside="TC 9C",
        made=30,
        given="AC",
        best="AH",
        known=(0.5, 1.25),
        open_loss=0,
        kind="card",
    ),
    # The defender with 7D also has TC in a third of the deals, and must follow then.
    Ending(
        "the ace is led while a trump is out: right in a third of the deals, and in this one",
        ("QC AC", "7D TC", "9H 9S"),
        given="AC",
        best="QC",
        known=(-2, 2),
        open_loss=0,
        made=45,
        aside="9C KH",
        kind="trumps not drawn",
    ),
    Ending(
        "the same, where the ace is trumped",
        ("QC AC", "7D 9H", "TC 9S"),
        given="AC",
        best="QC",
        known=(-2, 2),
        open_loss=6,
        made=45,
        aside="9C KH",
        kind="trumps not drawn",
    ),
    # The ten decides only if declarer's last card takes it: the jack of four cards.
    Ending(
        "the ten is not given to the partner's sure trick",
        ("KH", "9C", "TH 9H"),
        table="7D QC",
        given="9H",
        best="TH",
        known=(1.25, 2),
        open_loss=0,
        made=50,
        aside="JD 9S",
        kind="points kept from the partner",
    ),
    Ending(
        "the ten is given to the partner's sure trick",
        ("KH", "9C", "TH 9H"),
        table="7D QC",
        given="TH",
        best="TH",
        known=(2, 2),
        open_loss=0,
        made=50,
        aside="JD 9S",
    ),
    # Declarer's jack takes the trick in any case. A ten that is kept goes to the declarer's last
    # card where the partner cannot beat that: in 7 of 12 deals, 3 with 9D, 2 with 8D, 1 with either
    # black nine.
    Ending(
        "the ten goes to the declarer, who then has 61",
        ("9C", "8D", "TH 9H"),
        table="JD 7D",
        given="TH",
        best="9H",
        known=(-1, 0.25),
        open_loss=3,
        made=49,
        aside="9D 9S",
        kind="points for the declarer",
    ),
]


def cards(text: str) -> int:
    return mask(INDEX[name] for name in text.split())


def past_of(ending: Ending) -> tuple[State, ...]:
    """States that lead to an ending: each seat at once lays what it laid, nobody shows a void."""
    hands = [cards(hand) for hand in ending.hands]
    table = tuple(INDEX[name] for name in ending.table.split())
    order = tuple((ending.leader + place) % 3 for place in range(3))
    aside = cards(ending.aside)
    others = iter(members((1 << 26) - 1 & ~(sum(hands) | mask(table) | aside)))
    before = list(hands)
    for place, card in enumerate(table):
        before[order[place]] |= 1 << card
    for seat in range(3):
        before[seat] |= mask(islice(others, 8 - before[seat].bit_count()))
    first, second = members(aside)
    deal = Deal(2, tuple(before), (first, second))
    states = [
        msgspec.structs.replace(
            start(preset(), deal),
            declarer=0,
            contract="ordinary",
            phase="play",
            turn=seat,
            hands=(*hands[:seat], *before[seat:]),
            discards=aside,
        )
        for seat in range(3)
    ]
    now = msgspec.structs.replace(
        states[0],
        turn=order[len(table)],
        order=order,
        hands=tuple(hands),
        trick=table,
        completed=6,
        tricks=ending.tricks,
        points=(ending.made, 0, 0),
    )
    return (*states, now)


def judged(solver: Solver, past: tuple[State, ...], kind: DecisionKind, given: str) -> Verdict:
    return judge(solver, decision_of(past, kind, given), "key")


def decision_of(past: tuple[State, ...], kind: DecisionKind, given: str) -> Decision:
    state = past[-1]
    assert state.turn is not None
    answers = tuple(map(action_text, legal(state)))
    return Decision(0, 0, state.turn, kind, given, answers, past, Pools())


@pytest.mark.parametrize("ending", ENDINGS, ids=lambda each: each.title)
def test_an_ending_is_judged_by_what_was_known(solver: Solver, ending: Ending) -> None:
    past = past_of(ending)
    found = judged(solver, past, "play", ending.given)
    known = {each.answer: each.known for each in found.answers}
    assert found.exact
    assert (known[ending.given], known[ending.best]) == pytest.approx(ending.known)
    assert found.best == ending.best
    assert found.loss == pytest.approx(ending.known[1] - ending.known[0])
    assert found.open_loss == ending.open_loss
    assert is_sound(found) == (ending.given == ending.best)
    assert is_clear(found) == (ending.kind is not None)
    if ending.kind is not None:
        assert mistake_in(decision_of(past, "play", ending.given), found) == ending.kind


HIGHEST = "QC QS QH QD JC JS JH JD"
"""The eight highest trumps: they take every trick."""


def dealt(hand: str, talon: str) -> Deal:
    """A deal with this hand for forehand, seat 0, and the others' as it comes."""
    others = members((1 << 26) - 1 & ~cards(hand) & ~cards(talon))
    first, second = (INDEX[name] for name in talon.split())
    return Deal(2, (cards(hand), mask(others[:8]), mask(others[8:])), (first, second))


def test_a_pass_with_the_eight_highest_trumps_is_too_timid(solver: Solver) -> None:
    past = (start(preset(), dealt(HIGHEST, "TH 9S")),)
    found = judged(solver, past, "bid", "pass")
    known = {each.answer: each.known for each in found.answers}
    assert found.best == max(known, key=lambda bid: known[bid]) == "solo"
    assert is_clear(found)
    assert mistake_in(decision_of(past, "bid", "pass"), found) == "too timid"


def test_it_is_wrong_to_discard_a_high_trump_instead_of_a_loser(solver: Solver) -> None:
    """Without TH and 9S every trick is sure; with either the last one is not."""
    begun = declared(preset(), dealt(HIGHEST, "TH 9S"), 0, "ordinary")
    right = judged(solver, (begun,), "discard", "9S.TH")
    wrong = judged(solver, (begun,), "discard", "JD.9S")
    known = {each.answer: each.known for each in right.answers}
    assert (right.loss, right.error, right.open_loss) == (0, 0, 0)
    assert known["9S.TH"] == max(known.values())
    assert wrong.best == "9S.TH"
    assert wrong.loss > 0
    assert not is_blunder(right)
