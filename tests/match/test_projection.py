"""A reduced match shows all that a viewer may see, and nothing too early."""

import pytest

from arena.match.commands import MatchPlan
from arena.match.log import LogWriter
from arena.match.logged import play_again
from arena.match.projection import seen_by
from arena.match.replay import HIDDEN, Layout, SeenMatch, seen_deal
from arena.match.wire import Ready
from arena.zole import view
from arena.zole.cards import NAMES, names
from arena.zole.rules import preset
from arena.zole.state import State
from tests.match.test_record import PLANS, played
from tests.match.test_referee import but, offering
from tests.support.scripted import ASKS_ALL, drive, plan_of

EVERY_GATE = [
    *PLANS[:3],
    plan_of(preset("lzsf"), 20),
    plan_of(preset("pagat", {"all_pass": "table", "table": {"talon": "first_two_tricks"}}), 20),
]


def seen(plan: MatchPlan, log: bytes) -> SeenMatch:
    bots = tuple("abcde"[: plan.rules.players])
    said = tuple(f"{bot} on stderr" for bot in bots)
    deals = tuple(map(seen_deal, play_again(plan, log).deals))
    return SeenMatch("L", 1, bots, plan.rules, "none", deals, said)


def shown(state: State, seat: int) -> tuple[tuple[str, ...], str, str]:
    """Hands, talon and discards as a seat sees them, by the rules alone."""
    sight = view.sight(state, seat)
    hands = tuple(
        ".".join(names(hand) if who in sight.hands else [HIDDEN] * hand.bit_count())
        for who, hand in enumerate(state.hands)
    )
    talon = [
        NAMES[card] if place in sight.talon else HIDDEN
        for place, card in enumerate(state.deal.talon)
    ]
    aside = names(state.discards) if sight.discards else [HIDDEN] * state.discards.bit_count()
    return hands, ".".join(talon), ".".join(aside)


def looks(layout: Layout) -> tuple[tuple[str, ...], str, str]:
    return layout.hands, layout.talon, layout.discards


@pytest.mark.parametrize("plan", EVERY_GATE)
def test_a_seat_sees_at_every_moment_what_the_rules_let_it_see(plan: MatchPlan) -> None:
    _, record = played(plan)
    states = (state for game in play_again(plan, record.log).deals for state in game.states[1:])
    whole = seen(plan, record.log)
    given = [seen_by(whole, seat) for seat in range(plan.rules.players)]
    for number, deal in enumerate(whole.deals):
        for ply in range(len(deal.moments)):
            state = next(states)
            for seat, match in enumerate(given):
                assert looks(match.deals[number].moments[ply].board) == shown(state, seat)
    assert next(states, None) is None


@pytest.mark.parametrize(
    ("ready", "told"), [(Ready(1), ["offer"]), (ASKS_ALL, [HIDDEN, "no"])], ids=["unasked", "asked"]
)
def test_an_offer_is_shown_to_others_when_it_is_settled(ready: Ready, told: list[str]) -> None:
    plan, log = plan_of(deals=1), LogWriter()
    log.start((ready,) * 3)
    [game] = drive(plan, but(offering), ready).games
    log.deal(game)
    match = seen(plan, log.close())
    moments = match.deals[0].moments
    offer = next(ply for ply, each in enumerate(moments) if each.answer == "offer")
    [third] = {0, 1, 2} - {moments[offer].seat, game.result.declarer}
    given = seen_by(match, third).deals[0].moments[offer : offer + len(told)]
    assert [each.answer for each in given] == told
