"""The deals of a check bring every role, in every place."""

import pytest

from arena.match.wire import Limits
from arena.tasks.check_scenes import MISTAKES, every_role, script_of
from arena.zole.deal import active_seats, flaw
from arena.zole.rules import preset

UNTIMED = Limits(None, None, 65536)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_each_scene_is_played_with_each_dealer(players: int) -> None:
    rules = preset("lzsf", {"players": players})
    scenes = every_role(rules)
    for seat in range(players):
        script = script_of(rules, UNTIMED, scenes, seat)
        deals = script.plan.deals
        assert [flaw(deal) for deal in deals] == [None] * len(deals)
        for number in range(len(scenes)):
            dealers = {deal.dealer for deal in deals[number :: len(scenes)]}
            assert dealers == set(range(players)), scenes[number]
        sitting_out = [seat not in active_seats(players, deal.dealer) for deal in deals]
        assert sum(sitting_out) == len(scenes) * (players - 3)


def test_the_first_deals_have_each_scene_in_some_place() -> None:
    rules = preset()
    scenes = every_role(rules)
    script = script_of(rules, UNTIMED, scenes, most=len(scenes))
    assert len(script.plan.deals) == len(scenes)
    assert {deal.dealer for deal in script.plan.deals} == {0, 1, 2}


def test_neighbours_have_their_habits_by_their_places() -> None:
    rules = preset()
    for seat in range(3):
        script = script_of(rules, UNTIMED, MISTAKES, seat)
        for number, habits in enumerate(zip(*script.habits, strict=True)):
            scene = MISTAKES[number % len(MISTAKES)]
            assert (habits[seat - 2], habits[seat - 1]) == (scene.next, scene.last)


def test_a_match_goes_on_after_all_mistakes_that_are_meant() -> None:
    script = script_of(preset(), UNTIMED, MISTAKES)
    mistakes = [sum(habit.startswith("mis") for habit in each) for each in script.habits]
    assert script.plan.max_faults == max(mistakes) + 1
