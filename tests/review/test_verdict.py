"""Verdicts: the mean over worlds, a loss without bias, and nothing that the seat did not know.

What answers are worth: by a solver in the play, by backward induction before it.
"""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from statistics import fmean, stdev

import msgspec
import pytest

from arena.match.logged import play_again
from arena.review.decisions import OFFER_WORD, Decision, DecisionKind, action_text, decisions
from arena.review.solver import Solver
from arena.review.values import answer_values
from arena.review.verdict import Verdict, verdict, worlds_for
from arena.review.worlds import Worlds, known
from arena.zole import play
from arena.zole.cards import INDEX, Cards, members, names
from arena.zole.deal import Seat, from_deck, shuffled
from arena.zole.rules import Contract, Rules, Settings, preset
from arena.zole.scoring import Pools
from arena.zole.state import Action, Discard, Say, SayBlind, State
from arena.zole.tricks import legal_cards
from tests.support.alike import alike, mixed, played
from tests.support.made_up import AsTold, ByChance
from tests.support.open_hands import by_brute_force, declared
from tests.support.pasts import past_by_chance, pasts
from tests.support.present import present
from tests.support.scripted import plan_of

RULESETS = {
    "pagat": preset(),
    "lzsf": preset("lzsf"),
    "five": preset("lzsf", {"players": 5, "conduct": {"on_fault": "substitute"}}),
    "corrected": preset("piedalies", {"conduct": {"corrections": 2}}),
}


def cards_chosen(rules: Rules, seeds: Sequence[int]) -> Iterator[Decision]:
    for seed in seeds:
        whole = past_by_chance(rules, seed)
        for number, past in enumerate(pasts(whole)):
            state, after = past[-1], whole[number + 1]
            if state.phase != "play" or state.turn is None or after.hands == state.hands:
                continue
            legal, seat = names(legal_cards(state)), state.turn
            (laid,) = names(state.hands[seat] & ~after.hands[seat])
            if len(legal) > 1:
                yield Decision(seed, number, seat, "play", laid, legal, tuple(past), Pools())


def test_advice_takes_no_trumps_for_laid_aside_unless_they_must_have_been() -> None:
    met = Counter[bool]()
    for each in cards_chosen(preset(), range(40)):
        if each.state.declarer == each.seat or each.state.completed != 6:
            continue
        any_two, usual = (Worlds(known(each.past, each.seat, it)) for it in (False, True))
        found = verdict(ByChance(), each, "key", most=400, whole=True)
        met[usual.placings > 0] += 1
        assert found.worlds == min(400, usual.placings or any_two.placings)
    assert min(met[True], met[False]) >= 3, met


PAGAT = list(cards_chosen(preset(), [3]))


@cache
def endings(name: str) -> list[Decision]:
    """Choices of a card with two cards left, where few deals fit what the seat knew."""
    return [
        each
        for each in cards_chosen(RULESETS[name], range(24))
        if each.state.hands[each.seat].bit_count() == 2
        and Worlds(known(each.past, each.seat)).placings <= 100
    ][:10]


@pytest.mark.parametrize("name", ["pagat", "lzsf"])
def test_an_ending_is_looked_at_in_all_its_worlds(name: str, solver: Solver) -> None:
    """Means and loss are those of brute force over every deal that fits."""
    for each in endings(name):
        found = verdict(solver, each, "key", most=100)
        worlds = Worlds(known(each.past, each.seat))
        *rows, opened = (
            [stakes for stakes, _ in by_brute_force(world, Pools())]
            for world in (*worlds.sample(worlds.placings, "any"), each.state)
        )
        means = [fmean(column) for column in zip(*rows, strict=True)]
        won = [fmean(stakes > 0 for stakes in column) for column in zip(*rows, strict=True)]
        best, given = (each.answers.index(answer) for answer in (found.best, each.given))
        assert [answer.known for answer in found.answers] == pytest.approx(means)
        assert [answer.won for answer in found.answers] == pytest.approx(won)
        assert [means[best], found.loss] == pytest.approx([max(means), max(means) - means[given]])
        assert (found.exact, found.error, found.worlds) == (True, 0, worlds.placings)
        assert [answer.open for answer in found.answers] == opened
        assert found.open_loss == max(opened) - opened[given]
    assert len(endings(name)) == 10


@pytest.mark.parametrize("most", [16, 60])
def test_a_loss_is_without_bias_where_the_best_looks_better_than_it_is(most: int) -> None:
    """By chance no answer is better than another, yet one has the highest mean."""
    chosen = cards_chosen(RULESETS["pagat"], range(16))
    found = [verdict(ByChance(), each, "key", most) for each in chosen]
    sampled = [each for each in found if not each.exact]
    losses = [each.loss for each in sampled]
    error = stdev(losses) / len(losses) ** 0.5
    assert abs(fmean(losses)) < 3 * error
    known_values = [{answer.answer: answer.known for answer in each.answers} for each in sampled]
    naive = [
        max(values.values()) - values[each.given]
        for each, values in zip(sampled, known_values, strict=True)
    ]
    assert fmean(naive) > 10 * error
    # The standard error is about that by which losses differ.
    errors = fmean(each.error**2 for each in sampled) ** 0.5
    assert 0.9 * stdev(losses) < errors < 1.3 * stdev(losses)


@pytest.mark.parametrize("name", RULESETS)
def test_hidden_cards_dealt_anew_give_the_same_verdict(name: str) -> None:
    """All but the open hands, for decisions that the seat itself has made."""
    compared = 0
    for pair in (alike(RULESETS[name], seed) for seed in range(8)):
        if pair is None or not pair.redealt:
            continue
        place = pair.place
        own = (
            [
                each
                for each in decisions(play_again(plan, log).deals)
                if each.seat == place.viewer and (each.deal, each.step) < (place.deal, place.ply)
            ][-4:]
            for plan, log in zip(pair.plans, pair.logs, strict=True)
        )
        # The place's own deal is redealt; those before it are the same anyway.
        for one, other in zip(*own, strict=True):
            assert without_truth(one) == without_truth(other)
            compared += one.deal == place.deal
    assert compared


def without_truth(decision: Decision) -> Verdict:
    found = verdict(ByChance(), decision, "key", most=8)
    answers = tuple(msgspec.structs.replace(answer, open=0) for answer in found.answers)
    return msgspec.structs.replace(found, answers=answers, open_loss=0)


def test_a_verdict_depends_on_its_decision_and_key_alone() -> None:
    one, same, other = (verdict(ByChance(), PAGAT[0], key) for key in ("one", "one", "other"))
    assert one == same
    assert one.answers != other.answers
    forward, backward = (
        [verdict(ByChance(), each, "key", most=8) for each in chosen]
        for chosen in (PAGAT[:6], PAGAT[5::-1])
    )
    assert forward == backward[::-1]
    assert len({each.answers for each in forward}) == len(forward)


def test_the_answer_given_is_the_best_where_none_is_better(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(ByChance, "_number", lambda *_: 0)
    for each in PAGAT:
        found = verdict(ByChance(), each, "key", most=4)
        assert (found.best, found.loss, found.error, found.open_loss) == (each.given, 0, 0, 0)


class Weighed(ByChance):
    """A discard is worth its lowest card's number; asked for all or for nine at most."""

    def __init__(self) -> None:
        self.asked: list[int] = []

    def each(
        self, state: State, pools: Pools, among: Sequence[Cards] = ()
    ) -> Iterator[tuple[Cards, int]]:
        self.asked.append(len(among))
        for cards, _ in super().each(state, pools, among):
            yield cards, min(members(cards))


def test_the_best_discards_of_some_worlds_are_compared_in_others() -> None:
    """And so is the one given, however bad; of the others no more is known."""
    rules = preset()
    state = declared(rules, from_deck(shuffled("discards"), rules, 0), 0, "ordinary")
    answers = tuple(map(action_text, play.legal(state)))
    worst = min(answers, key=lambda it: min(INDEX[card] for card in it.split(".")))
    weighed = Weighed()
    found = verdict(weighed, Decision(0, 3, 0, "discard", worst, answers, (state,), Pools()), "key")
    assert weighed.asked[:3] == [45] * 3
    assert max(weighed.asked[3:-1]) == 9
    assert found.worlds == 30
    assert found.loss == found.open_loss > 0
    values = {each.answer: each.known for each in found.answers}
    assert values == {each.answer: each.open for each in found.answers}
    assert found.best != worst
    assert values[found.best] == max(values.values())


def test_an_early_decision_is_looked_at_in_fewer_worlds_because_each_costs_more() -> None:
    counts = {each.state.completed: worlds_for(each, 60) for each in PAGAT}
    assert counts[0] < counts[1] < counts[2] == 60
    assert all(worlds_for(each, 1) >= 4 for each in PAGAT)


@pytest.mark.parametrize("name", ["pagat", "piedalies", "lzsf", "gamerules"])
def test_with_the_solver_every_kind_of_answer_has_a_value(name: str, solver: Solver) -> None:
    """In short deals, for speed. A bid that ends the auction is worth its contract."""
    rules, dice = preset(name, {"play": {"tricks": 2}}), random.Random(name)
    deals = [from_deck(shuffled(f"{name} {n}"), rules, n % 3) for n in range(6)]
    plan, kinds = plan_of(rules, deals), set()
    _, log = played(plan, lambda _, question: mixed(dice, question))
    for each in decisions(play_again(plan, log).deals):
        found = verdict(solver, each, "key", most=4)
        kinds.add(each.kind)
        opened = {answer.answer: answer.open for answer in found.answers}
        assert found.open_loss == max(opened.values()) - opened[each.given] >= 0
        if each.kind == "bid" and rules.auction.talon_decision == "in_bid":
            for bid in rules.auction.contracts:
                state = declared(rules, each.state.deal, each.seat, bid)
                assert opened[bid] == solver.value(state, each.seat, each.pools)
    assert kinds >= {"bid", "play"}


# --- values ---


# The outcome of 31 to 60 points: the fourth from the declarer's best.
LOST = 3


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
    kind: DecisionKind = state.phase if state.phase in ("blind", "talon") else "bid"
    answers = tuple(map(action_text, play.legal(state)))
    solver = AsTold(defaultdict(lambda: LOST, case.outcomes), case.sure)
    values = answer_values(solver, state, present(state.turn), kind, answers, case.pools)
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
    for _ in ("discard", "card"):
        state = play.apply(state, play.legal(state)[0])
    assert state.turn == 1
    cards = tuple(map(action_text, play.legal(state)))
    *of_cards, offer = answer_values(ByChance(), state, 1, "play", (*cards, OFFER_WORD), Pools())
    assert offer == min(-1, max(of_cards))
    assert len(set(of_cards)) > 1


def test_values_belong_to_their_answers() -> None:
    state = begun(preset(), Say("ordinary"))
    pairs = [action_text(action) for action in play.legal(state) if isinstance(action, Discard)]
    found = answer_values(ByChance(), state, 0, "discard", tuple(pairs[::-1]), Pools())
    assert found == tuple(stakes for _, stakes in ByChance().each(state, Pools()))[::-1]
