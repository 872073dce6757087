"""Verdicts: the mean over worlds, a loss without bias, and nothing that the seat did not know."""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from statistics import fmean, stdev
from typing import ClassVar

import msgspec
import pytest

from arena.match.logged import play_again
from arena.review.decisions import Decision, action_text, decisions
from arena.review.solver import Solver
from arena.review.verdict import Verdict, verdict, worlds_for
from arena.review.worlds import Worlds, known
from arena.zole import play
from arena.zole.cards import INDEX, Cards, members, names
from arena.zole.deal import from_deck, shuffled
from arena.zole.rules import Rules, preset
from arena.zole.scoring import Pools
from arena.zole.state import State
from arena.zole.tricks import legal_cards
from tests.support.alike import alike, mixed, played
from tests.support.made_up import ByChance
from tests.support.open_hands import by_brute_force, declared
from tests.support.pasts import past_by_chance, pasts
from tests.support.scripted import plan_of

RULESETS = {
    "pagat": preset(),
    "lzsf": preset("lzsf"),
    "five": preset("lzsf", {"players": 5, "conduct": {"on_fault": "substitute"}}),
    "corrected": preset("piedalies", {"conduct": {"corrections": 2}}),
}


def cards_chosen(rules: Rules, seeds: Sequence[int]) -> Iterator[Decision]:
    """Choices of a card in deals by chance."""
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
        rows = [
            [stakes for stakes, _ in by_brute_force(world, Pools())]
            for world in worlds.sample(worlds.placings, "any")
        ]
        means = [fmean(column) for column in zip(*rows, strict=True)]
        assert [answer.known for answer in found.answers] == pytest.approx(means)
        given = each.answers.index(each.given)
        assert found.loss == pytest.approx(max(means) - means[given])
        assert (found.exact, found.error, found.worlds) == (True, 0, worlds.placings)
        assert means[each.answers.index(found.best)] == pytest.approx(max(means))
        opened = [stakes for stakes, _ in by_brute_force(each.state, Pools())]
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
    for seed in range(8):
        pair = alike(RULESETS[name], seed)
        if pair is None or not pair.redealt:
            continue
        place, own = pair.place, []
        for plan, log in zip(pair.plans, pair.logs, strict=True):
            found = [
                each
                for each in decisions(play_again(plan, log).deals)
                if each.seat == place.viewer and (each.deal, each.step) < (place.deal, place.ply)
            ]
            own.append(found[-4:])
        # The place's own deal is redealt; those before it are the same anyway.
        for one, other in zip(*own, strict=True):
            assert without_truth(one) == without_truth(other)
            compared += one.deal == place.deal
    assert compared


def without_truth(decision: Decision) -> Verdict:
    """A verdict on a decision without what is said of open hands."""
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


def test_the_answer_given_is_the_best_where_none_is_better() -> None:
    class Alike(ByChance):
        @staticmethod
        def _number(*_: object) -> int:
            return 0

    for each in PAGAT:
        found = verdict(Alike(), each, "key", most=4)
        assert (found.best, found.loss, found.error, found.open_loss) == (each.given, 0, 0, 0)


def test_the_best_discards_of_some_worlds_are_compared_in_others() -> None:
    """And so is the one given, however bad; of the others no more is known."""

    class Weighed(ByChance):
        """A discard is worth its lowest card's number; asked for all or for nine at most."""

        asked: ClassVar[list[int]] = []

        def each(
            self, state: State, pools: Pools, among: Sequence[Cards] = ()
        ) -> Iterator[tuple[Cards, int]]:
            self.asked.append(len(among))
            for cards, _ in super().each(state, pools, among):
                yield cards, min(members(cards))

    rules = preset()
    state = declared(rules, from_deck(shuffled("discards"), rules, 0), 0, "ordinary")
    legal = play.legal(state)
    answers = tuple(action_text(action) for action in legal)
    worst = min(answers, key=lambda it: min(INDEX[card] for card in it.split(".")))
    chosen = Decision(0, 3, 0, "discard", worst, answers, (state,), Pools())
    found = verdict(Weighed(), chosen, "key")
    assert Weighed.asked[:3] == [45] * 3
    assert max(Weighed.asked[3:-1]) == 9
    assert found.worlds == 30
    assert found.loss == found.open_loss > 0
    known_values = {each.answer: each.known for each in found.answers}
    assert known_values == {each.answer: each.open for each in found.answers}
    assert found.best != worst
    assert known_values[found.best] == max(known_values.values())


def test_an_early_decision_is_looked_at_in_fewer_worlds_because_each_costs_more() -> None:
    counts = {each.state.completed: worlds_for(each, 60) for each in PAGAT}
    assert counts[0] < counts[1] < counts[2] == 60
    assert all(worlds_for(each, 1) >= 4 for each in PAGAT)


@pytest.mark.parametrize("name", ["pagat", "piedalies", "lzsf", "gamerules"])
def test_with_the_solver_every_kind_of_answer_has_a_value(name: str, solver: Solver) -> None:
    """In short deals, for speed. A bid that ends the auction is worth its contract."""
    rules, dice = preset(name, {"play": {"tricks": 2}}), random.Random(name)
    deals = [from_deck(shuffled(f"{name} {n}"), rules, n % 3) for n in range(6)]
    plan = plan_of(rules, deals)
    _, log = played(plan, lambda _, question: mixed(dice, question))
    kinds = set()
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
