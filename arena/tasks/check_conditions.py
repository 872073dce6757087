"""The conditions of a check: rules, a short clock, and how a bot gets the time of leagues."""

from collections.abc import Callable
from typing import Final

import msgspec

from arena.bots.manifest import Bot
from arena.engine.builds import prepare
from arena.engine.program import Program
from arena.league.config import LINE_BYTES, START_S
from arena.match.wire import Limits
from arena.sandbox.isolation import Isolation
from arena.tasks.check_failure import CheckFailed
from arena.zole.rules import Rules

START_MOVES: Final = 2.5
"""The time for the start, in multiples of that for an answer; leagues give `START_S` seconds."""


class Conditions(msgspec.Struct, frozen=True):
    """The conditions of a check.

    With `elsewhere` other rules are tried as well, for remarks. `more_time` is the remedy for a bot
    that failed by the clock alone; `prepared` makes the copy that is checked, of the bot as it is
    `known_as` here.
    """

    rules: Rules
    limits: Limits
    isolation: Isolation
    elsewhere: bool = True
    more_time: str = ""
    prepared: Callable[[Bot, Isolation], Program] = prepare
    known_as: Callable[[Bot], Bot] = lambda bot: bot


def check_limits(move_s: float) -> Limits:
    """The limits of a check: `move_s` seconds for an answer, a bit more for the start."""
    return Limits(move_s, min(START_S, START_MOVES * move_s), LINE_BYTES)


def more_time(rules: Rules, limits: Limits) -> str:
    """How to give a bot the time that leagues by these rules give; "" if it has that already."""
    usual = rules.conduct.move_limit_s
    if limits.move_s is None or limits.move_s >= usual:
        return ""
    return f"leagues give {usual:g} s: --move-s {usual:g}"


def time_that_helps(failure: CheckFailed, by: Conditions) -> str:
    """How to give the time that leagues give, for an answer or the start; "" if the bot has it."""
    if not failure.starting or not by.more_time:
        return by.more_time
    if by.limits.start_s is None or by.limits.start_s >= START_S:
        return ""
    return f"leagues give {START_S:g} s to start: --move-s {START_S / START_MOVES:g}"
