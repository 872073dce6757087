"""Matches of bots by chance, and what reviews by solvers that solve nothing find in them."""

import random
from functools import cache

from arena.match.commands import MatchPlan
from arena.match.logged import play_again
from arena.review.turns import Findings, Turns, review, turns
from arena.zole.deal import from_deck, shuffled
from arena.zole.rules import preset
from tests.support.alike import mixed, played
from tests.support.made_up import ByChance
from tests.support.scripted import plan_of

WORLDS = 4


@cache
def chance_match(name: str = "pagat", deals: int = 4, tricks: int = 8) -> tuple[MatchPlan, bytes]:
    """The plan and the log of a match of bots that go wrong now and then."""
    changes: dict[str, object] = {"conduct": {"on_fault": "substitute"}, "play": {"tricks": tricks}}
    dice, rules = random.Random(name), preset(name, changes)
    dealt = [from_deck(shuffled(f"{name} {n}"), rules, n % rules.players) for n in range(deals)]
    plan = plan_of(rules, dealt)
    return plan, played(plan, lambda _, question: mixed(dice, question))[1]


@cache
def found_by_chance(
    name: str = "pagat", deals: int = 4
) -> tuple[tuple[tuple[Turns, Findings], ...], ...]:
    """The findings of each deal of a match, whose values mean nothing."""
    return tuple(
        tuple((each, review(ByChance(), each, "draw", WORLDS)) for each in deal)
        for deal in turns(play_again(*chance_match(name, deals)).deals)
    )
