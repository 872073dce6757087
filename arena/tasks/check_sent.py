"""The check of a bot on another machine: it is sent there as an archive, and built there."""

from collections.abc import Sequence
from functools import partial
from time import monotonic

import msgspec

from arena.base.isolation_levels import IsolationLevel
from arena.base.resources import Resources
from arena.bots.manifest import Bot
from arena.bots.steps import CheckStep
from arena.engine.builds import Copy, beside, cache, keep
from arena.engine.program import Program
from arena.engine.transfer import unpacked
from arena.match.commands import MatchVoid
from arena.match.wire import Limits
from arena.sandbox.isolation import Isolation, choose_isolation, for_worker
from arena.tasks.check import Conditions, check
from arena.zole.rules import Rules


class SentBot(msgspec.Struct, frozen=True):
    """A bot to check by the terms of a league: its files as an archive, and who made it.

    A build takes `build_s` at most.
    """

    bot: Bot
    digest: str
    packed: bytes
    rules: Rules
    limits: Limits
    resources: Resources
    build_s: float
    level: IsolationLevel
    read_only: tuple[str, ...]


class CheckedBot(msgspec.Struct, frozen=True):
    """The steps of a check, of which the first that failed is the last, and the build's seconds."""

    steps: tuple[CheckStep, ...]
    build_s: float

    @property
    def passed(self) -> bool:
        """Whether the bot may play."""
        return bool(self.steps) and not any(step.failed for step in self.steps)


def check_each(jobs: Sequence[SentBot], number: int) -> list[CheckedBot | MatchVoid]:
    """Check bots one after another in the worker with a number. Raises `ArenaError`."""
    return [_checked(job, number) for job in jobs]


def _checked(sent: SentBot, number: int) -> CheckedBot:
    apart = for_worker(choose_isolation(sent.level, sent.read_only), number)
    with unpacked(sent.packed, sent.digest, sent.bot.name) as folder:

        def kept(bot: Bot, isolation: Isolation) -> Program:
            return keep(Copy(bot, sent.digest, sent.resources), isolation, sent.build_s)

        conditions = Conditions(
            sent.rules,
            sent.limits,
            apart,
            elsewhere=False,
            prepared=kept,
            known_as=partial(msgspec.structs.replace, author=sent.bot.author),
        )
        places = (folder, beside(cache(), sent.digest))
        steps: list[CheckStep] = []
        build_s, began = 0.0, monotonic()
        for step in check(folder, conditions):
            if step.name == "build" and sent.bot.build is not None:
                build_s = monotonic() - began
            began = monotonic()
            steps.append(step.without(places))
    return CheckedBot(tuple(steps), build_s)
