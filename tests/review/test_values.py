"""Values of answers: by a solver in the play, by backward induction before it."""

from collections import defaultdict
from collections.abc import Mapping

import pytest

from arena.review.decisions import OFFER_WORD, DecisionKind, action_text
from arena.review.values import answer_values
from arena.zole import play
from arena.zole.deal import Seat, from_deck, shuffled
from arena.zole.rules import Rules, Settings, preset
from arena.zole.scoring import Pools
from arena.zole.state import Action, Choose, Discard, Say, SayBlind, State
from tests.support.made_up import AsTold, ByChance

LOST = 3
"""The outcome of 31 to 60 points: the fourth from the declarer's best."""


def begun(rules: Rules, *actions: Action) -> State:
    """A deal after some actions; seat 0 is forehand."""
    state = play.start(rules, from_deck(shuffled("values"), rules, rules.players - 1))
    for action in actions:
        state = play.apply(state, action)
    return state


def worths(
    state: State,
    outcomes: Mapping[tuple[Seat, str], int],
    sure: tuple[int, ...] = (0, 0, 0),
    pools: Pools = Pools(),  # noqa: B008
) -> dict[str, float]:
    """What the seat to act has of each bid. Contracts lose if not told otherwise."""
    told: dict[tuple[Seat, str], int] = defaultdict(lambda: LOST, outcomes)
    assert state.turn is not None
    kind: DecisionKind = (
        "blind" if state.phase == "blind" else "talon" if state.phase == "talon" else "bid"
    )
    answers = tuple(action_text(action) for action in play.legal(state))
    found = answer_values(AsTold(told, sure), state, state.turn, kind, answers, pools)
    return dict(zip(answers, found, strict=True))


def test_a_bid_is_worth_what_its_contract_pays() -> None:
    state = begun(preset())
    found = worths(state, {(0, "ordinary"): 2, (0, "solo"): 3})
    assert (found["ordinary"], found["solo"]) == (2, -10)


def test_a_pass_is_worth_what_the_next_declarer_leaves() -> None:
    state = begun(preset())
    assert worths(state, {(1, "ordinary"): 1, (1, "solo"): 2})["pass"] == -4
    assert worths(state, {(2, "ordinary"): 0})["pass"] == -3


def test_the_first_who_wins_by_a_contract_declares_it() -> None:
    state = begun(preset())
    outcomes = {(1, "ordinary"): 2, (2, "solo"): 0}
    assert worths(state, outcomes)["pass"] == -1


def test_who_would_gain_more_by_a_pass_passes() -> None:
    rules = preset("pagat", {"table": {"stake": 3}})
    assert worths(begun(rules), {(1, "ordinary"): 2}, (-6, 3, 3))["pass"] == -1.5
    assert worths(begun(rules), {(1, "ordinary"): 2}, (3, -6, 3))["pass"] == -1


@pytest.mark.parametrize(("sure", "worth"), [(-4, -1), (2, 2), (-2, 0)])
def test_a_table_game_is_worth_the_middle_of_what_is_sure_and_of_a_win(
    sure: int, worth: float
) -> None:
    for seat in range(3):
        state = begun(preset(), *[Say("pass")] * seat)
        told = tuple(sure if each == seat else -4 for each in range(3))
        assert worths(state, {}, told)["pass"] == worth


def test_where_a_winner_collects_the_table_is_worth_nothing_to_all() -> None:
    state = begun(preset("lzsf"), *(SayBlind(False), Say("pass")) * 2, SayBlind(False))
    assert worths(state, {}, (-2, -2, 4))["pass"] == 0


def test_of_equals_a_winning_contract_is_declared_and_a_losing_one_is_not() -> None:
    """Seat 2 would be paid 2 at the table as well, or pay 4 as well."""
    state = begun(preset(), Say("pass"))
    assert worths(state, {(2, "ordinary"): 2}, (-4, 2, 2))["pass"] == -1
    assert worths(state, {}, (2, 2, -4))["pass"] == 2


def test_cards_thrown_in_are_worth_nothing() -> None:
    settings: Settings = {"all_pass": "pool", "pools": {"enabled": True}}
    assert worths(begun(preset("pagat", settings)), {})["pass"] == 0
    assert worths(begun(preset("pagat", {"all_pass": "redeal"})), {})["pass"] == 0


def test_tokens_on_the_table_count() -> None:
    rules = preset("pagat", {"all_pass": "pool", "pools": {"enabled": True}})
    found = worths(begun(rules), {(0, "ordinary"): 2}, pools=Pools(collective=1))
    assert found["ordinary"] == 4
    found = worths(begun(rules), {(1, "ordinary"): 2}, pools=Pools(0, (0,)))
    assert found["pass"] == -4


def test_a_bid_that_may_be_outbid_is_worth_what_then_happens() -> None:
    contracts = ["ordinary", "solo", "small_solo"]
    rules = preset("pagat", {"auction": {"mode": "ranked", "contracts": contracts}})
    outcomes = {(0, "ordinary"): 0, (0, "solo"): 2, (0, "small_solo"): 1, (2, "solo"): 0}
    outcomes |= {(1, "small_solo"): 1, (2, "small_solo"): 1}
    found = worths(begun(rules), outcomes)
    assert found == {"pass": -6, "ordinary": -6, "solo": 8, "small_solo": -14}


def test_who_looks_at_its_cards_bids_what_is_best() -> None:
    state = begun(preset("lzsf"))
    outcomes = {(0, "ordinary"): 1, (0, "blind"): 2, (0, "solo"): 3, (0, "small_solo"): 1}
    outcomes |= {(seat, "small_solo"): 1 for seat in (1, 2)}
    assert worths(state, outcomes) == {"no": 4, "yes": 14}


def test_a_talon_is_worth_what_taking_or_giving_it_away_pays() -> None:
    state = begun(preset("lzsf"), SayBlind(False), Say("ordinary"))
    assert state.phase == "talon"
    assert worths(state, {(0, "ordinary"): 2, (0, "solo"): 2}) == {"take": 2, "give": 8}


def test_a_surrender_is_worth_what_it_pays_and_else_the_play_goes_on() -> None:
    state = begun(preset(), Say("ordinary"))
    state = play.apply(state, play.legal(state)[0])
    assert answer_values(
        AsTold({(0, "ordinary"): 5}), state, 0, "surrender", ("no", "yes"), Pools()
    ) == (
        -8,
        -4,
    )


def test_an_offer_is_worth_what_its_acceptance_pays() -> None:
    state = begun(preset(), Say("solo"))
    state = play.apply(state, play.legal(state)[0])
    found = answer_values(AsTold({(0, "solo"): 3}), state, 0, "offer", ("no", "yes"), Pools())
    assert found == (-10, 8)


def test_an_offer_is_accepted_where_that_is_as_good_as_playing_on() -> None:
    state = begun(preset(), Say("ordinary"))
    state = play.apply(state, play.legal(state)[0])
    state = play.apply(state, play.legal(state)[0])
    assert state.turn == 1
    cards = tuple(action_text(action) for action in play.legal(state))
    *of_cards, offer = answer_values(ByChance(), state, 1, "play", (*cards, OFFER_WORD), Pools())
    assert offer == min(-1, max(of_cards))
    assert len(set(of_cards)) > 1


def test_values_belong_to_their_answers() -> None:
    state = begun(preset(), Say("ordinary"))
    pairs = [action for action in play.legal(state) if isinstance(action, Discard)]
    found = answer_values(
        ByChance(), state, 0, "discard", tuple(map(action_text, pairs[::-1])), Pools()
    )
    assert found == tuple(stakes for _, stakes in ByChance().each(state, Pools()))[::-1]


def test_a_dealer_that_sits_out_is_paid_as_the_rules_say() -> None:
    state = begun(preset("pagat", {"players": 4}))
    assert worths(state, {(0, "ordinary"): 2}, (0, 0, 0, 0))["ordinary"] == 3


def test_giving_the_talon_away_is_part_of_bidding_where_the_rules_ask_then() -> None:
    rules = preset("pagat", {"auction": {"talon_decision": "after_bid"}})
    found = worths(begun(rules), {(0, "solo"): 2})
    assert found["ordinary"] == 8
    assert Choose("give") in play.legal(play.apply(begun(rules), Say("ordinary")))
