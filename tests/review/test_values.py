"""Values of answers: by a solver in the play, by backward induction before it."""

from collections import defaultdict

import msgspec
import pytest

from arena.review.decisions import OFFER_WORD, DecisionKind, action_text
from arena.review.values import answer_values
from arena.zole import play
from arena.zole.deal import Seat, from_deck, shuffled
from arena.zole.rules import Contract, Rules, Settings, preset
from arena.zole.scoring import Pools
from arena.zole.state import Action, Discard, Say, SayBlind, State
from tests.support.made_up import AsTold, ByChance

LOST = 3
"""The outcome of 31 to 60 points: the fourth from the declarer's best."""


def begun(rules: Rules, *actions: Action) -> State:
    """A deal after some actions; seat 0 is forehand."""
    state = play.start(rules, from_deck(shuffled("values"), rules, rules.players - 1))
    for action in actions:
        state = play.apply(state, action)
    return state


class Case(msgspec.Struct, frozen=True):
    """What answers are worth to the seat to act.

    Contracts of a seat come to the outcomes, or lose. A table game is sure to pay each seat `sure`.
    """

    title: str
    worth: dict[str, float]
    preset: str = "pagat"
    changes: Settings = {}
    before: tuple[Action, ...] = ()
    outcomes: dict[tuple[Seat, str], int] = {}
    sure: tuple[int, ...] = (0, 0, 0)
    pools: Pools = Pools()


PASS = Say("pass")
LOOK = SayBlind(False)
STAKE_3: Settings = {"table": {"stake": 3}}
POOLS: Settings = {"all_pass": "pool", "pools": {"enabled": True}}
RANKED: Settings = {"auction": {"mode": "ranked", "contracts": ["ordinary", "solo", "small_solo"]}}
LOST_SMALL = {(1, "small_solo"): 1, (2, "small_solo"): 1}

CASES = [
    Case(
        "a bid is worth what its contract pays",
        {"ordinary": 2, "solo": -10},
        outcomes={(0, "ordinary"): 2, (0, "solo"): 3},
    ),
    Case(
        "a pass is worth what the next declarer leaves",
        {"pass": -4},
        outcomes={(1, "ordinary"): 1, (1, "solo"): 2},
    ),
    Case(
        "a pass is worth what the last declarer leaves",
        {"pass": -3},
        outcomes={(2, "ordinary"): 0},
    ),
    Case(
        "the first seat that wins by a contract declares it",
        {"pass": -1},
        outcomes={(1, "ordinary"): 2, (2, "solo"): 0},
    ),
    Case(
        "a seat that gains more by a pass passes",
        {"pass": -1.5},
        changes=STAKE_3,
        outcomes={(1, "ordinary"): 2},
        sure=(-6, 3, 3),
    ),
    Case(
        "a seat that gains less by a pass declares",
        {"pass": -1},
        changes=STAKE_3,
        outcomes={(1, "ordinary"): 2},
        sure=(3, -6, 3),
    ),
    *(
        Case(
            f"a table game sure to pay seat {seat} {sure} is worth the middle of that and a win",
            {"pass": worth},
            before=(PASS,) * seat,
            sure=tuple(sure if each == seat else -4 for each in range(3)),
        )
        for sure, worth in ((-4, -1), (2, 2), (-2, 0))
        for seat in range(3)
    ),
    Case(
        "where a winner collects, the table is worth nothing to all",
        {"pass": 0},
        preset="lzsf",
        before=(LOOK, PASS, LOOK, PASS, LOOK),
        sure=(-2, -2, 4),
    ),
    Case(
        "a winning contract is declared where the table would pay as much",
        {"pass": -1},
        before=(PASS,),
        outcomes={(2, "ordinary"): 2},
        sure=(-4, 2, 2),
    ),
    Case(
        "a losing contract is not declared where the table would cost as much",
        {"pass": 2},
        before=(PASS,),
        sure=(2, 2, -4),
    ),
    Case("cards thrown in for a pool are worth nothing", {"pass": 0}, changes=POOLS),
    Case(
        "cards thrown in to be dealt again are worth nothing",
        {"pass": 0},
        changes={"all_pass": "redeal"},
    ),
    Case(
        "a collective token is part of a win",
        {"ordinary": 4},
        changes=POOLS,
        outcomes={(0, "ordinary"): 2},
        pools=Pools(collective=1),
    ),
    Case(
        "a personal token is paid to another's win",
        {"pass": -4},
        changes=POOLS,
        outcomes={(1, "ordinary"): 2},
        pools=Pools(0, (0,)),
    ),
    Case(
        "a bid that may be outbid is worth what then happens",
        {"pass": -6, "ordinary": -6, "solo": 8, "small_solo": -14},
        changes=RANKED,
        outcomes={
            (0, "ordinary"): 0,
            (0, "solo"): 2,
            (0, "small_solo"): 1,
            (2, "solo"): 0,
            **LOST_SMALL,
        },
    ),
    Case(
        "a seat that looks at its cards bids what is best",
        {"no": 4, "yes": 14},
        preset="lzsf",
        outcomes={
            (0, "ordinary"): 1,
            (0, "blind"): 2,
            (0, "solo"): 3,
            (0, "small_solo"): 1,
            **LOST_SMALL,
        },
    ),
    Case(
        "a talon is worth what taking it or giving it away pays",
        {"take": 2, "give": 8},
        preset="lzsf",
        before=(LOOK, Say("ordinary")),
        outcomes={(0, "ordinary"): 2, (0, "solo"): 2},
    ),
    Case(
        "giving the talon away is part of an ordinary bid where the rules ask for it then",
        {"ordinary": 8},
        changes={"auction": {"talon_decision": "after_bid"}},
        outcomes={(0, "solo"): 2},
    ),
    Case(
        "a dealer that sits out pays as the rules say",
        {"ordinary": 3},
        changes={"players": 4},
        outcomes={(0, "ordinary"): 2},
        sure=(0, 0, 0, 0),
    ),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.title)
def test_what_an_answer_before_the_play_is_worth(case: Case) -> None:
    state = begun(preset(case.preset, case.changes), *case.before)
    outcomes: dict[tuple[Seat, str], int] = defaultdict(lambda: LOST, case.outcomes)
    assert state.turn is not None
    kind: DecisionKind = state.phase if state.phase in ("blind", "talon") else "bid"
    answers = tuple(map(action_text, play.legal(state)))
    solver = AsTold(outcomes, case.sure)
    values = answer_values(solver, state, state.turn, kind, answers, case.pools)
    found = dict(zip(answers, values, strict=True))
    assert {answer: found[answer] for answer in case.worth} == case.worth


@pytest.mark.parametrize(
    ("bid", "outcome", "kind", "worth"),
    [
        ("ordinary", 5, "surrender", (-8, -4)),
        ("solo", 3, "offer", (-10, 8)),
    ],
)
def test_to_concede_or_to_accept_is_worth_its_payment_and_else_the_play_goes_on(
    bid: Contract, outcome: int, kind: DecisionKind, worth: tuple[int, int]
) -> None:
    state = begun(preset(), Say(bid))
    state = play.apply(state, play.legal(state)[0])
    solver = AsTold({(0, bid): outcome})
    assert answer_values(solver, state, 0, kind, ("no", "yes"), Pools()) == worth


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
