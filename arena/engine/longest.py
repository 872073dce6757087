"""How long matches can take by their own clocks: who plays longer has stopped or hangs."""

from collections.abc import Sequence
from typing import Final

from arena.match.commands import MatchPlan
from arena.match.wire import Limits

_DECISIONS: Final = 64
"""More decisions than are ever asked for in a deal; repeated requests get no more time."""

_SLACK_S: Final = 120.0
"""Seconds that some matches may take together besides the time of their bots."""

_MATCH_SLACK_S: Final = 10.0
"""Seconds that a match may take besides the time of its bots."""


def limit_s(plans: Sequence[MatchPlan]) -> float:
    """The seconds that some matches cannot exceed; infinite without clocks, and with people."""
    return _SLACK_S + sum(map(_match_s, plans))


def between_lines_s(limits: Limits) -> float:
    """The seconds in which a seat hears something or is asked while others play; may be infinite.

    A deal that goes on without it is over by then, and so is the start of a match.
    """
    return _SLACK_S + _deals_s(limits, 1)


def _match_s(plan: MatchPlan) -> float:
    return float("inf") if plan.people else _deals_s(plan.limits, len(plan.deals))


def _deals_s(limits: Limits, deals: int) -> float:
    if limits.move_s is None or limits.start_s is None:
        return float("inf")
    return _MATCH_SLACK_S + limits.start_s + deals * _DECISIONS * limits.move_s
