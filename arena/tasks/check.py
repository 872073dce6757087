"""A bot checked step by step against everything that a match by some rules can ask of it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

import msgspec

from arena.base.errors import ArenaError
from arena.bots.manifest import Bot, read_bot
from arena.bots.steps import CheckStep
from arena.engine.builds import prepare
from arena.engine.program import Program
from arena.engine.worker import Job, play_match
from arena.league.file import LINE_BYTES, START_S
from arena.match.commands import MatchPlan, MatchVoid
from arena.match.logged import transcript
from arena.match.record import MatchRecord
from arena.match.wire import Limits
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
    requests_in,
)
from arena.tasks.check_process import Used, time_greeting, write_with_more
from arena.zole.rules import Rules, Settings, preset

LONG = 100
"""Deals of the long session."""

SHORT_S: Final = 2.0
"""Seconds for an answer if no league's clock is asked for."""

START_MOVES: Final = 2.5
"""The time for the start, in multiples of that for an answer; leagues give `START_S` seconds."""

_PLACES: Final = 3
"""Forehand, middlehand and rearhand: whoever sits out of a deal has no place in it."""

STEP_S: Final = 20.0
"""The seconds of a step: it plays fewer deals if the bot would need more for all of them."""

PATIENCE: Final = 3.0
"""Multiples of its slowest answer so far that a bot gets by other rules, if its clock allows."""

RANKED: Settings = {"auction": {"mode": "ranked", "contracts": ["ordinary", "solo", "small_solo"]}}
POOLS: Settings = {"all_pass": "pool", "pools": {"enabled": True}}


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


def check(folder: Path, by: Conditions) -> Iterator[CheckStep]:
    """Check a bot; the first required step that fails is the last."""
    for step in _Check(folder, by).steps():
        done = _carried_out(step, by)
        yield done
        if done.required and not done.passed:
            return


def remarks_elsewhere(steps: Iterable[CheckStep]) -> tuple[str, ...]:
    """The failures of a bot by other rules, a sentence each."""
    return tuple(
        f"it would not survive {step.name}: {step.said}"
        for step in steps
        if not (step.passed or step.required)
    )


class _Step(msgspec.Struct, frozen=True):
    """A step to carry out: `run` returns its finding, or raises `CheckFailed`."""

    name: str
    run: Callable[[], str]
    required: bool = True


def _carried_out(step: _Step, by: Conditions) -> CheckStep:
    """The result of a step; a failure by the clock alone tells how to get more time."""
    try:
        return CheckStep(step.name, True, step.run(), required=step.required)
    except CheckFailed as failure:
        more = _more(failure, by) if failure.late and step.required else ""
        said = f"{failure.why}; {more}" if more else failure.why
        shown = failure.show, failure.stderr
        return CheckStep(step.name, False, said, *shown, required=step.required)
    except ArenaError as error:
        return CheckStep(step.name, False, "; ".join(map(str, error.mistakes)))
    except (MatchVoid, NoBox) as error:
        return CheckStep(step.name, False, f"the arena itself failed, not the bot: {error}")


def _more(failure: CheckFailed, by: Conditions) -> str:
    """How to give the time that leagues give, for an answer or the start; "" if the bot has it."""
    if not failure.starting or not by.more_time:
        return by.more_time
    if by.limits.start_s is None or by.limits.start_s >= START_S:
        return ""
    return f"leagues give {START_S:g} s to start: --move-s {START_S / START_MOVES:g}"


class _Check:
    """The state that later steps need of earlier ones: the program, its times and resources."""

    def __init__(self, folder: Path, by: Conditions) -> None:
        self._folder = folder
        self._by = by
        self._bot: Bot
        self._program: Program
        self._left_s: float | None = None
        self._seconds: list[float] = []
        self._deals = 0
        self._used = Used(0, 0, 0.0)

    def steps(self) -> list[_Step]:
        """The steps in their order."""
        rules = self._by.rules
        all_pass = "a table game" if rules.all_pass == "table" else "nobody bids"
        return [
            _Step("manifest", self.read_manifest),
            _Step("build", self.build),
            _Step("start and ready", self.start),
            _Step("end of input", self.end),
            _Step("declaring", lambda: self.play_hands([STRONG] * 4, "pass")),
            _Step("a hand for a solo", lambda: self.play_hands([SURE_SOLO] * 4, "pass")),
            _Step(all_pass, lambda: self.play_hands([WEAK] * 4, "pass")),
            _Step("defending", lambda: self.play_hands([WEAK] * 4, "declare")),
            _Step(
                "offers and surrender", lambda: self.play_hands([STRONG, SURE_SOLO, WEAK], "offer")
            ),
            _Step("any deals", self.play_any),
            _Step("every seat", self.play_in_every_seat),
            _Step("unknown fields and messages", self.add_unknown),
            _Step("a long session", self.play_long),
            _Step("an exact tie between copies", self.play_twice),
            _Step("time and memory", self.describe_use),
            *self.steps_elsewhere(),
        ]

    def steps_elsewhere(self) -> Iterator[_Step]:
        """Steps by other rules than those that the bot is checked by."""
        others = {
            "rules of lzsf: blind, talon afterwards": preset("lzsf"),
            "ranked bids and small solo": preset(changes=RANKED),
            "pools": preset("piedalies", POOLS),
            "a table of four": preset(changes={"players": 4}),
            "a table of five": preset(changes={"players": 5}),
        }
        for name, rules in others.items() if self._by.elsewhere else ():
            if rules != self._by.rules:
                yield _Step(name, partial(self.play_by, rules), required=False)

    def read_manifest(self) -> str:
        self._bot = self._by.known_as(read_bot(self._folder))
        return f"{self._bot.name} {self._bot.version} by {self._bot.author}"

    def build(self) -> str:
        self._program = self._by.prepared(self._bot, self._by.isolation)
        return "built" if self._bot.build else "nothing to build"

    def start(self) -> str:
        seconds, self._left_s = time_greeting(self._program, self._by.isolation, self._plan(1))
        return f"ready after {seconds:.2f} s"

    def end(self) -> str:
        if self._left_s is None:
            raise CheckFailed("it does not exit when its input ends")
        return f"exited after {self._left_s:.2f} s"

    def play_hands(self, hands: list[str], partners: str) -> str:
        """Play deals in which the bot holds given hands, with partners of one habit."""
        hands = hands[: self._affordable(len(hands))]
        return self._asked(plan_hands(self._by.rules, hands, self._by.limits), partners)

    def play_any(self) -> str:
        return self._asked(self._plan(12), "pass")

    def play_in_every_seat(self) -> str:
        """Deals in each of the other seats, and there in each place from the dealer."""
        rules, limits, isolation = self._by.rules, self._by.limits, self._by.isolation
        others = [seat for seat in range(rules.players) if seat != SEAT]
        habits = ((STRONG, SURE_SOLO, WEAK), "pass"), ((WEAK,), "declare")
        most = max(1, self._affordable(9 * len(others)) // len(others))
        asked: Counter[str] = Counter()
        for seat in others:
            for hands, partners in habits:
                deals = [hand for hand in hands for _ in range(_PLACES)][:most]
                plan = plan_hands(rules, deals, limits, seat)
                record = play_with(self._program, partners, plan, isolation, seat)
                asked += requests_in(plan, record, seat)
        return describe_requests(asked)

    def play_by(self, rules: Rules) -> str:
        """Play deals by other rules, with a short clock: nobody needs to know those rules."""
        move_s = max(SHORT_S, PATIENCE * max(self._seconds, default=0.0))
        if self._by.limits.move_s is not None:
            move_s = min(move_s, self._by.limits.move_s)
        limits = msgspec.structs.replace(self._by.limits, move_s=move_s)
        plan = plan_match(rules, self._affordable(12), limits)
        return describe_requests(requests_in(plan, self._match(plan, "pass")))

    def add_unknown(self) -> str:
        """Play a match again with more in every line than version 1 has."""
        plan = self._plan(4)
        lines = transcript(plan, self._match(plan, "declare").log, SEAT)
        count, self._used = write_with_more(self._program, self._by.isolation, lines, plan)
        return f"{count} answers nevertheless"

    def play_long(self) -> str:
        plan = self._plan(LONG)
        record = self._match(plan, "declare")
        deals = f"{len(plan.deals)} deals" if len(plan.deals) > 1 else "one deal"
        return f"{record.results.decisions} decisions at the table in {deals}"

    def play_twice(self) -> str:
        if not self._bot.deterministic:
            return "skipped: the manifest does not say deterministic = true"
        job = Job(self._plan(20), (self._program,) * self._by.rules.players, self._by.isolation)
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
            f"{used.cpu_s:.2f} s of processor time in a few deals"
        )

    def _plan(self, deals: int) -> MatchPlan:
        """Deals by the rules of the check, fewer for a slow bot."""
        return plan_match(self._by.rules, self._affordable(deals), self._by.limits)

    def _affordable(self, deals: int) -> int:
        """How many of `deals` deals the bot plays in `STEP_S` seconds, at least one."""
        spent = sum(self._seconds)
        return max(1, min(deals, int(STEP_S * self._deals / spent))) if spent else deals

    def _match(self, plan: MatchPlan, partners: str) -> MatchRecord:
        return play_with(self._program, partners, plan, self._by.isolation)

    def _asked(self, plan: MatchPlan, partners: str) -> str:
        """Play a match, and keep the bot's times; return the requests to it, in words."""
        record = self._match(plan, partners)
        self._seconds += answer_times(record)
        self._deals += len(plan.deals)
        return describe_requests(requests_in(plan, record))
