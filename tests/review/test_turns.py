"""Turns: each decision belongs to one seat's turns, and their key to all that a review is of."""

from hashlib import sha256

import msgspec
import pytest

import arena.review.turns as turns_module
from arena.match.logged import play_again
from arena.review.decisions import decisions
from arena.review.solver import Solver
from arena.review.turns import METHOD, Turns, content_key, draw_name, review, turns
from arena.zole.play import start
from arena.zole.rules import preset
from arena.zole.scoring import Pools
from tests.support.reviewed import WORLDS, chance_match, found_by_chance

ALL = [each for deal in found_by_chance() for each, _ in deal]


def test_every_decision_is_in_the_turns_of_its_seat_and_deal() -> None:
    whole = list(decisions(play_again(*chance_match()).deals))
    assert sorted(each.step for turn in ALL for each in turn.decisions) == sorted(
        each.step for each in whole
    )
    for turn in ALL:
        assert {(each.deal, each.seat) for each in turn.decisions} == {(turn.deal, turn.seat)}
    assert len({(each.deal, each.seat) for each in ALL}) == len(ALL)


def test_a_deal_has_begun_when_its_contract_was_reached() -> None:
    found = [each.begun for deal in found_by_chance("lzsf", 4) for each, _ in deal]
    begun = [state for state in found if state is not None]
    assert {state.phase for state in begun} == {"discard", "play"}
    for state in begun:
        assert (state.completed, state.trick) == (0, ())
        due = [8 + 2 * (state.phase == "discard" and seat == state.declarer) for seat in range(3)]
        assert [hand.bit_count() for hand in state.hands] == due


CHANGES = {
    "the draw": lambda of: content_key(of, "other", WORLDS),
    "the worlds": lambda of: content_key(of, "draw", WORLDS + 1),
    "the deal's number": lambda of: content_key(
        msgspec.structs.replace(of, deal=of.deal + 1), "draw", WORLDS
    ),
    "an answer": lambda of: content_key(_last(of, given="none"), "draw", WORLDS),
    "the pools": lambda of: content_key(_pooled(of), "draw", WORLDS),
    "the rules": lambda of: content_key(_ruled(of), "draw", WORLDS),
    "a hidden card": lambda of: content_key(_redealt(of), "draw", WORLDS),
}


def _last(of: Turns, **changes: object) -> Turns:
    *others, last = of.decisions
    return msgspec.structs.replace(
        of, decisions=(*others, msgspec.structs.replace(last, **changes))
    )


def _pooled(of: Turns) -> Turns:
    pools = Pools(collective=1)
    decided = tuple(msgspec.structs.replace(each, pools=pools) for each in of.decisions)
    return msgspec.structs.replace(of, decisions=decided)


def _ruled(of: Turns) -> Turns:
    past = of.decisions[-1].past
    rules = preset("pagat", {"table": {"stake": 3}})
    return _last(of, past=(*past[:-1], msgspec.structs.replace(past[-1], rules=rules)))


def _redealt(of: Turns) -> Turns:
    past = of.decisions[-1].past
    deal = past[0].deal
    hands = list(deal.hands)
    one, other = (seat for seat in past[0].active if seat != of.seat)
    hands[one], hands[other] = hands[other], hands[one]
    changed = start(past[0].rules, msgspec.structs.replace(deal, hands=tuple(hands)))
    return _last(of, past=(changed, *past[1:]))


@pytest.mark.parametrize("what", CHANGES)
def test_everything_that_findings_depend_on_changes_their_key(what: str) -> None:
    for each in ALL:
        assert CHANGES[what](each) != content_key(each, "draw", WORLDS)


@pytest.mark.parametrize(("part", "new"), [("METHOD", METHOD + 1), ("wasm", lambda: b"another")])
def test_a_new_method_or_solver_changes_every_key(
    monkeypatch: pytest.MonkeyPatch, part: str, new: object
) -> None:
    before = content_key(ALL[0], "draw", WORLDS)
    monkeypatch.setattr(turns_module, part, new)
    assert content_key(ALL[0], "draw", WORLDS) != before


def test_a_draw_is_the_same_wherever_a_match_is_stored_and_in_every_seating() -> None:
    assert draw_name(("a", "b", "c"), 20) == draw_name(["b", "c", "a"], 20)
    assert len({draw_name(*it) for it in ((("a", "b"), 1), (("a", "c"), 1), (("a", "b"), 2))}) == 3


SAID = {1: "9f9abfc92abe6de1", 2: "747d9723cb21771a"}
"""A digest of each method's findings in some short deals."""


def test_a_method_with_other_findings_has_another_number(solver: Solver) -> None:
    """If this fails, raise METHOD, because what users keep is out of date; then note it here."""
    said = [
        [each.step, each.given, each.best, round(each.loss, 6), round(each.open_loss, 6)]
        for name in ("pagat", "lzsf")
        for deal in turns(play_again(*chance_match(name, 2, tricks=4)).deals)
        for turn in deal
        for each in review(solver, turn, "draw", 20).verdicts
    ]
    assert sha256(repr(said).encode()).hexdigest()[:16] == SAID[METHOD]
