"""A view is what a seat may know."""

import pytest

import arena


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
