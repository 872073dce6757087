"""Every deal paid what its contract's outcomes say of its tricks, points and end."""

import pytest

from arena.match.logged import play_again
from arena.match.replay import SeenDeal, seen_deal
from arena.match.wire import Offered, Surrendered
from arena.review.outcomes import Outcomes, outcomes
from arena.zole.rules import preset
from tests.match.test_record import played
from tests.support.scripted import plan_of

POOLS: dict[str, object] = {"all_pass": "pool", "pools": {"enabled": True}}
RULES = {
    "pagat": preset(),
    "pools": preset("piedalies", POOLS),
    "five": preset("lzsf", {"players": 5}),
}


def paid(deal: SeenDeal, found: Outcomes) -> tuple[int, ...]:
    """What the outcomes say that a deal has paid."""
    events = [each for moment in deal.moments for each in moment.events]
    result = deal.result
    assert result is not None
    assert result.points.declarer is not None
    if any(isinstance(each, Surrendered) for each in events):
        return found.surrendered
    if any(isinstance(each, Offered) and each.accepted for each in events):
        return found.accepted
    if result.tricks.declarer == 0:
        return found.paid[found.no_tricks]
    if result.tricks.declarer == 8:
        return found.paid[found.all_tricks]
    reached = [level for least, level in found.levels if least <= result.points.declarer]
    return found.paid[reached[-1]]


@pytest.mark.parametrize("name", RULES)
def test_a_deal_pays_what_its_outcomes_say(name: str) -> None:
    rules = RULES[name]
    plan = plan_of(rules, 40)
    ends = set()
    for deal in map(seen_deal, play_again(plan, played(plan, 1, 0)[1].log).deals):
        found = outcomes(rules, deal)
        assert deal.result is not None
        assert (found is None) == (deal.result.declarer is None)
        if found is not None:
            assert paid(deal, found) == deal.result.payments
            ends.add(found.paid.index(deal.result.payments))
    assert len(ends) > 2
