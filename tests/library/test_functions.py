"""A match of functions goes by the rules, faults included; a view is what a seat may know."""

import random

import pytest

import arena
from arena import AskBid, AskDiscard, AskPlay
from arena.match.wire import AnyRequest
from arena.zole.rules import preset_names


def by_chance(seed: int) -> arena.Player:
    dice = random.Random(seed)

    def answer(request: AnyRequest) -> object:
        match request:
            case AskPlay():
                return "offer" if request.may_offer else dice.choice(request.legal)
            case AskBid() | arena.AskTalon():
                return dice.choice(request.legal)
            case AskDiscard():
                return dice.sample(request.hand, 2)
        return dice.random() < 0.2

    return answer


@pytest.mark.parametrize("name", preset_names())
def test_functions_play_deals_by_every_preset_without_a_fault(name: str) -> None:
    for players in (3, 4, 5):
        rules = arena.preset(name, {"players": players})
        dealt = arena.deals(rules, "functions", 8)
        played = arena.play_functions(
            [by_chance(seat) for seat in range(players)], dealt, rules, ("surrender", "offer")
        )
        assert [each.deal for each in played] == list(dealt)
        for each in played:
            assert not each.faults
            assert each.result.payments == arena.settle(each.state, arena.Pools()).payments


def test_deals_of_a_seed_are_those_of_matches_between_bots_of_these_names() -> None:
    rules = arena.preset()
    first = arena.deals(rules, 7, 3, ("a", "b", "c"))
    assert first == arena.deals(rules, "7", 3, ("c", "a", "b"))
    assert first != arena.deals(rules, 7, 3)
    assert arena.read_deal(arena.deal_text(first[0]), 3) == first[0]


def test_an_answer_that_is_not_allowed_is_a_fault() -> None:
    def cheat(request: AnyRequest) -> object:
        return "QC"

    [played] = arena.play_functions([cheat] * 3, arena.deals(arena.preset(), 1, 1))
    assert [fault.kind for fault in played.faults] == ["illegal"]
    assert played.result.fault is not None


@pytest.mark.parametrize("answer", [None, 7, True, ("QC", "QS"), arena.Say("pass")])
def test_an_answer_that_cannot_be_one_is_the_programs_mistake(answer: object) -> None:
    with pytest.raises(TypeError, match="is not an answer to bid"):
        arena.play_functions([lambda request: answer] * 3, arena.deals(arena.preset(), 1, 1))


def test_a_table_needs_a_function_for_each_seat() -> None:
    rules = arena.preset()
    with pytest.raises(ValueError, match="a table of 3 needs as many players, not 4"):
        arena.play_functions([by_chance(1)] * 4, arena.deals(rules, 1, 1), rules)


def test_a_view_has_the_cards_that_the_seat_may_know_and_what_it_may_do() -> None:
    rules = arena.preset("pagat", {"players": 4})
    (deal,) = arena.deals(rules, 1, 1)
    state = arena.apply(arena.start(rules, deal), arena.Say("ordinary"))
    declarer, defender = (arena.view_of(state, seat) for seat in state.active[:2])
    assert len(declarer.hand) == 10
    assert {*declarer.talon} == {arena.NAMES[card] for card in deal.talon} < {*declarer.hand}
    assert len(declarer.legal) == 45
    assert (defender.legal, defender.talon, len(defender.hand)) == ((), (), 8)
    assert len(defender.hidden) == 18
    assert len(declarer.hidden) == 16
    with pytest.raises(ValueError, match="sits out"):
        arena.view_of(state, deal.dealer)


def test_a_view_after_the_discard_shows_it_to_the_declarer_alone() -> None:
    rules = arena.preset()
    (deal,) = arena.deals(rules, 1, 1)
    state = arena.apply(arena.start(rules, deal), arena.Say("ordinary"))
    state = arena.apply(state, arena.legal(state)[0])
    views = [arena.view_of(state, seat) for seat in range(3)]
    assert [len(view.discards) for view in views].count(2) == 1
    assert views[state.active[0]].discards == arena.names(state.discards)
