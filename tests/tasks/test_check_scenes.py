"""The deals of a check bring every role, in every place."""

import pytest

from arena.match.wire import (
    AnyReply,
    AnyRequest,
    AskBid,
    AskDiscard,
    AskPlay,
    BidReply,
    DiscardReply,
    Limits,
    PlayReply,
)
from arena.tasks.check_scenes import (
    MISTAKES,
    STRONG,
    Habit,
    Scene,
    every_role,
    partner_of,
    script_of,
)
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


BID = AskBid(0, 0, 0, 0, (), None, (), ("pass", "ordinary", "solo"))
DISCARD = AskDiscard(0, 0, 0, 0, (), None, ("QC", "9H", "KH"), ("AS", "TS"))
PLAY = AskPlay(1, 0, 0, 0, (), None, ("9H", "KH"), (), ("9H", "KH"), may_offer=True)


@pytest.mark.parametrize(
    ("habit", "asked", "reply"),
    [
        ("pass", BID, BidReply(id=0, bid="pass")),
        ("solo", BID, BidReply(id=0, bid="solo")),
        ("small_solo", BID, BidReply(id=0, bid="pass")),
        ("accept", BID, BidReply(id=0, bid="ordinary")),
        ("misbid", BID, BidReply(id=0, bid="grand")),
        ("ordinary", DISCARD, DiscardReply(id=0, cards=("9H", "KH"))),
        ("misdiscard", DISCARD, DiscardReply(id=0, cards=("KH", "KH"))),
        ("pass", PLAY, PlayReply(id=1, card="KH")),
        ("misplay", PLAY, PlayReply(id=1, card="7C")),
        ("offer", PLAY, PlayReply(id=1, offer=True)),
    ],
)
def test_a_partner_follows_its_habit(habit: Habit, asked: AnyRequest, reply: AnyReply) -> None:
    script = script_of(preset(), UNTIMED, [Scene(STRONG, habit, habit)], most=1)
    assert partner_of(script, 0).answer(asked) == reply
