"""A bot checked step by step against everything that a match can ask of it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

import msgspec

from arena.base.errors import ArenaError
from arena.bots.manifest import Bot, read_bot
from arena.engine.builds import prepare
from arena.engine.program import Program
from arena.engine.worker import Job, play_match
from arena.match.commands import MatchPlan, MatchVoid
from arena.match.logged import transcript
from arena.match.record import MatchRecord
from arena.sandbox.box import NoBox
from arena.sandbox.isolation import Isolation
from arena.tasks.check_failure import CheckFailed
from arena.tasks.check_match import (
    SEAT,
    STRONG,
    SURE_SOLO,
    WEAK,
    answer_times,
    describe_requests,
    plan_hands,
    plan_match,
    play_with,
)
from arena.tasks.check_process import Used, time_greeting, write_with_more
from arena.zole.rules import Rules, Settings, preset

LONG = 100
"""Deals of the long session."""

RANKED: Settings = {"auction": {"mode": "ranked", "contracts": ["ordinary", "solo", "small_solo"]}}
POOLS: Settings = {"all_pass": "pool", "pools": {"enabled": True}}


class CheckStep(msgspec.Struct, frozen=True):
    """One step of a check. `said` tells what was seen, or what went wrong; `show` the lines before.

    `stderr` is what the bot wrote there in the match that failed.
    """

    name: str
    passed: bool
    said: str
    show: tuple[str, ...] = ()
    stderr: str = ""


def check(
    folder: Path,
    move_s: float | None,
    isolation: Isolation,
    prepared: Callable[[Bot, Isolation], Program] = prepare,
    rules: Rules | None = None,
) -> Iterator[CheckStep]:
    """Check a bot that has `move_s` seconds for a move; the first step that fails is the last.

    `prepared` makes the copy that is checked; `rules` are those of a league, checked as well.
    """
    checked = _Check(folder, move_s, isolation, prepared, rules)
    for name, step in checked.steps():
        try:
            said = step()
        except CheckFailed as failure:
            yield CheckStep(name, False, failure.why, failure.show, failure.stderr)
            return
        except ArenaError as error:
            yield CheckStep(name, False, "; ".join(map(str, error.mistakes)))
            return
        except (MatchVoid, NoBox) as error:
            yield CheckStep(name, False, f"the arena itself failed, not the bot: {error}")
            return
        yield CheckStep(name, True, said)


class _Check:
    """What later steps need of earlier ones: the program, its times and what it used."""

    def __init__(
        self,
        folder: Path,
        move_s: float | None,
        isolation: Isolation,
        prepared: Callable[[Bot, Isolation], Program],
        rules: Rules | None,
    ) -> None:
        self._folder = folder
        self._move_s = move_s
        self._isolation = isolation
        self._prepared = prepared
        self._rules = rules
        self._bot: Bot
        self._program: Program
        self._left_s: float | None = None
        self._seconds: list[float] = []
        self._used = Used(0, 0, 0.0)

    def steps(self) -> list[tuple[str, Callable[[], str]]]:
        """The steps in their order; each returns what it saw and raises `CheckFailed`."""
        league = self._rules
        own = [("the league's own rules", lambda: self.play_by(league))] if league else []
        return [
            ("manifest", self.read_manifest),
            ("build", self.build),
            ("start and ready", self.start),
            ("end of input", self.end),
            ("declaring", lambda: self.play_hands([STRONG] * 4, "pass")),
            ("a hand for a solo", lambda: self.play_hands([SURE_SOLO] * 4, "pass")),
            ("a table game", lambda: self.play_hands([WEAK] * 4, "pass")),
            ("defending", lambda: self.play_hands([WEAK] * 4, "declare")),
            ("offers and surrender", lambda: self.play_hands([STRONG, SURE_SOLO, WEAK], "offer")),
            ("rules of lzsf: blind, talon afterwards", lambda: self.play("lzsf")),
            ("ranked bids and small solo", lambda: self.play("pagat", RANKED)),
            ("pools", lambda: self.play("piedalies", POOLS)),
            ("a table of four", lambda: self.play("pagat", {"players": 4})),
            *own,
            ("unknown fields and messages", self.add_unknown),
            (f"{LONG} deals in one process", self.play_long),
            ("an exact tie between copies", self.play_twice),
            ("time and memory", self.describe_use),
        ]

    def read_manifest(self) -> str:
        self._bot = read_bot(self._folder)
        return f"{self._bot.name} {self._bot.version} by {self._bot.author}"

    def build(self) -> str:
        self._program = self._prepared(self._bot, self._isolation)
        return "built" if self._bot.build else "nothing to build"

    def start(self) -> str:
        plan = plan_match(preset(), 1, self._move_s)
        seconds, self._left_s = time_greeting(self._program, self._isolation, plan)
        return f"ready after {seconds:.2f} s"

    def end(self) -> str:
        if self._left_s is None:
            raise CheckFailed("it does not exit when its input ends")
        return f"exited after {self._left_s:.2f} s"

    def play_hands(self, hands: list[str], partners: str) -> str:
        """Deals in which the bot holds given hands, with partners of one habit."""
        return self._asked(plan_hands(hands, self._move_s), partners)

    def play(self, name: str, changes: Settings | None = None) -> str:
        return self.play_by(preset(name, changes))

    def play_by(self, rules: Rules) -> str:
        return self._asked(plan_match(rules, 12, self._move_s), "pass")

    def add_unknown(self) -> str:
        """Play a match again with more in every line than version 1 has."""
        plan = plan_match(preset(), 4, self._move_s)
        lines = transcript(plan, self._match(plan, "declare").log, SEAT)
        count, self._used = write_with_more(self._program, self._isolation, lines, plan)
        return f"{count} answers all the same"

    def play_long(self) -> str:
        record = self._match(plan_match(preset(), LONG, self._move_s), "declare")
        return f"{record.results.decisions} decisions at the table"

    def play_twice(self) -> str:
        if not self._bot.deterministic:
            return "skipped: the manifest does not say deterministic = true"
        plan = plan_match(preset(), 20, self._move_s)
        job = Job(plan, (self._program,) * 3, self._isolation)
        if play_match(job).results.payments != play_match(job).results.payments:
            raise CheckFailed(
                "two runs of the same match differ: not all of its chance comes from hello.seed"
            )
        return "two runs of a match are the same"

    def describe_use(self) -> str:
        times, used = sorted(self._seconds), self._used
        return (
            f"{1000 * median(times):.2f} ms a move, at most {1000 * times[-1]:.1f} ms; "
            f"{used.memory_mib} MiB of memory, {used.tasks} processes and threads, "
            f"{used.cpu_s:.2f} s of processor time in four deals"
        )

    def _match(self, plan: MatchPlan, partners: str) -> MatchRecord:
        return play_with(self._program, partners, plan, self._isolation)

    def _asked(self, plan: MatchPlan, partners: str) -> str:
        """Play a match; what the bot was asked in it, in words. Its times are kept."""
        record = self._match(plan, partners)
        self._seconds += answer_times(record)
        return describe_requests(plan, record)
