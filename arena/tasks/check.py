"""A bot checked step by step against everything that a match by some rules can ask of it."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

import msgspec

from arena.base.errors import ArenaError
from arena.bots.manifest import Bot, read_bot
from arena.bots.steps import CheckStep
from arena.engine.program import Program
from arena.engine.worker import Job
from arena.match.commands import MatchVoid
from arena.match.record import MatchRecord
from arena.match.wire import Limits
from arena.sandbox.box import NoBox
from arena.tasks.check_conditions import Conditions, time_that_helps
from arena.tasks.check_failure import CheckFailed
from arena.tasks.check_match import (
    answer_times,
    describe_requests,
    describe_roles,
    play_faultless,
    play_script,
    programs_of,
    requests_in,
    roles_in,
)
from arena.tasks.check_process import Greeted, time_greeting
from arena.tasks.check_scenes import (
    ALL_PASS,
    DECLARING,
    GIVING_UP,
    MISTAKES,
    SEAT,
    SOLO,
    Habit,
    Scene,
    Script,
    by_chance,
    defending,
    every_role,
    script_of,
)
from arena.tasks.check_talk import Manner, Talked, talk
from arena.zole.deal import Seat
from arena.zole.rules import LARGEST_MAX_FAULTS, Rules, Settings, preset

LONG = 150
"""Deals of the long session, in which requests come to have numbers of four digits."""

SHORT_S: Final = 2.0
"""Seconds for an answer if no league's clock is asked for."""

STEP_S: Final = 20.0
"""The seconds of a step: it plays fewer deals if the bot would need more for all of them."""

_TRIES: Final = 3
"""How often a match is played whose partners something else ends."""

PATIENCE: Final = 3.0
"""Multiples of its slowest answer so far that a bot gets by other rules, if its clock allows."""

_RANKED: Settings = {"auction": {"mode": "ranked", "contracts": ["ordinary", "solo", "small_solo"]}}
_POOLS: Settings = {"all_pass": "pool", "pools": {"enabled": True}}

OTHERS: Final = {
    "rules of lzsf: blind, talon afterwards": preset("lzsf"),
    "ranked bids and small solo": preset(changes=_RANKED),
    "pools": preset("piedalies", _POOLS),
    "a table of four": preset(changes={"players": 4}),
    "a table of five": preset(changes={"players": 5}),
}
"""Rules by which a bot may be asked for more than by those that it is checked by."""


def check(folder: Path, by: Conditions) -> Iterator[CheckStep]:
    """Check a bot; the first required step that fails is the last."""
    checked = _Check(folder, by)
    for step in checked.steps():
        done = checked.shortened(_carried_out(step, by))
        yield done
        if done.failed:
            return


def remarks_elsewhere(steps: Iterable[CheckStep]) -> tuple[str, ...]:
    """The failures of a bot by other rules, in a sentence."""
    return tuple(
        f"it would not survive {step.said}" for step in steps if not (step.passed or step.required)
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
        more = time_that_helps(failure, by) if failure.late and step.required else ""
        said = f"{failure.why}; {more}" if more else failure.why
        shown = failure.show, failure.stderr
        return CheckStep(step.name, False, said, *shown, required=step.required)
    except ArenaError as error:
        return CheckStep(step.name, False, "; ".join(map(str, error.mistakes)))
    except (MatchVoid, NoBox) as error:
        return CheckStep(step.name, False, f"the arena itself failed, not the bot: {error}")


class _Check:
    """The state that later steps need of earlier ones: the program, its times and resources."""

    def __init__(self, folder: Path, by: Conditions) -> None:
        self._folder = folder
        self._by = by
        self._bot: Bot
        self._program: Program
        self._greeted: Greeted
        self._talked: Talked
        self._seconds: list[float] = []
        self._deals = 0
        self._left_out = False

    def shortened(self, step: CheckStep) -> CheckStep:
        """The step, which says so if deals of it were left out for want of time."""
        left_out, self._left_out = self._left_out, False
        if not (left_out and step.passed):
            return step
        said = f"{step.said}; only a part of it, as a deal takes {self._deal_s():.1f} s"
        return msgspec.structs.replace(step, said=said)

    def steps(self) -> list[_Step]:
        """The steps in their order."""
        rules = self._by.rules
        all_pass = "a table game" if rules.all_pass == "table" else "nobody bids"
        steps = [
            _Step("manifest", self.read_manifest),
            _Step("build", self.build),
            _Step("start and ready", self.start),
            _Step("declaring", lambda: self.play(DECLARING + SOLO)),
            _Step(all_pass, lambda: self.play(ALL_PASS)),
            _Step("defending", lambda: self.play(defending(rules))),
            _Step("offers and surrender", lambda: self.play(GIVING_UP)),
            _Step("mistakes of others", lambda: self.play(MISTAKES)),
            _Step("every seat", self.play_in_every_seat),
            _Step("unusual lines", self.write_unusual_lines),
            _Step("a long session", self.play_long),
            _Step("time and memory", self.describe_use),
        ]
        if self._by.elsewhere:
            steps.append(_Step("other rules", self.play_elsewhere, required=False))
        return steps

    def play_elsewhere(self) -> str:
        """Play by other rules than those that the bot is checked by, one after another.

        Raises `CheckFailed` with everything that the bot does not survive.
        """
        untimed = msgspec.structs.replace(self._by.limits, move_s=None, start_s=None)
        tries: dict[str, Callable[[], str]] = {"no clock": lambda: self.write_pieces(untimed)}
        if not self._by.rules.conduct.corrections:
            tries["a refused answer"] = self.refuse
        for name, rules in OTHERS.items():
            if rules != self._by.rules:
                tries[name] = partial(self.play_by, rules)
        failed: dict[str, CheckFailed] = {}
        for name, play in tries.items():
            try:
                play()
            except CheckFailed as failure:
                failed[name] = failure
        if failed:
            first = next(iter(failed.values()))
            why = "; ".join(f"{name}: {failure.why}" for name, failure in failed.items())
            raise CheckFailed(why, first.show, first.stderr)
        return ", ".join(tries)

    def read_manifest(self) -> str:
        self._bot = self._by.known_as(read_bot(self._folder))
        return f"{self._bot.name} {self._bot.version} by {self._bot.author}"

    def build(self) -> str:
        self._program = self._by.prepared(self._bot, self._by.isolation)
        return "built" if self._bot.build else "nothing to build"

    def start(self) -> str:
        plan = by_chance(self._by.rules, self._by.limits, 1).plan
        self._greeted = time_greeting(self._program, self._by.isolation, plan)
        left = self._greeted.left
        if left is None:
            raise CheckFailed("it does not exit when its input ends")
        how = f"exited after {left.seconds:.2f} s{left.how and f', with {left.how}'}"
        return f"ready after {self._greeted.seconds:.2f} s; {how} when its input ended"

    def play(self, scenes: Sequence[Scene]) -> str:
        """Play scenes in each place from the dealer."""
        return self._asked(self._script(scenes))

    def play_in_every_seat(self) -> str:
        """Play any deals, then all scenes in each other seat and in each place from the dealer.

        A bot that can play several tables at once plays them at these, too.
        """
        self._asked(by_chance(self._by.rules, self._by.limits, self._affordable(12)))
        roles = self.play_in_other_seats()
        most = self._greeted.ready.tables
        if most == 1:
            return roles
        script = self._script(every_role(self._by.rules))
        self._asked(msgspec.structs.replace(script, tables=most))
        return f"{roles}; at up to {most} tables at once"

    def play_in_other_seats(self) -> str:
        """Play all scenes in each of the other seats, and there in each place from the dealer."""
        rules, limits = self._by.rules, self._by.limits
        seats = [seat for seat in range(rules.players) if seat != SEAT]
        roles = self._in_seats(seats, rules, limits, every_role(rules), rules.players)
        roles += self._in_seats(seats, rules, limits, MISTAKES, rules.players)
        return describe_roles(roles)

    def play_by(self, rules: Rules) -> str:
        """Play scenes by other rules, with a short clock: nobody needs to know those rules."""
        seats = range(rules.players)
        return describe_roles(self._in_seats(seats, rules, self._short(), every_role(rules), 1))

    def write_unusual_lines(self) -> str:
        """Play matches with more in each line than version 1 has, in pieces, and with refusals."""
        self._talked = self._talk("with more", self._by.limits)
        told = [f"{self._talked.answers} answers to unknown fields and messages"]
        told.append(f"{self.write_pieces(self._by.limits)} to lines in pieces")
        if self._by.rules.conduct.corrections:
            told.append(f"{self.refuse()} around a refused answer")
        return ", ".join(told)

    def write_pieces(self, told: Limits) -> str:
        """Play a match in which no line comes whole, and in which the bot is told these limits."""
        return f"{self._talk('in pieces', told).answers} answers"

    def refuse(self) -> str:
        """Play a match in which an answer of each kind is refused."""
        return f"{self._talk('refusing', self._by.limits).answers} answers"

    def play_long(self) -> str:
        habits: list[Habit] = ["ordinary", "pass"]
        script = by_chance(self._by.rules, self._by.limits, self._affordable(LONG), habits)
        record = play_script(self._program, script, self._by.isolation)
        played = len(script.plan.deals)
        deals = f"{played} deals" if played > 1 else "one deal"
        found = f"{record.results.decisions} decisions at the table in {deals}"
        return f"{found}; {self.play_twice()}" if self._bot.deterministic else found

    def play_twice(self) -> str:
        """Play a match of copies twice, which come to the same if the bot is deterministic."""
        plan = by_chance(self._by.rules, self._by.limits, self._affordable(20)).plan
        seats = range(self._by.rules.players)
        job = Job(plan, (self._program,) * len(seats), self._by.isolation)
        first, second = (play_faultless(job, seats).results.payments for _ in range(2))
        if first != second:
            raise CheckFailed(
                "two runs of the same match differ: not all of its chance comes from hello.seed"
            )
        return "two runs of a match are the same"

    def describe_use(self) -> str:
        times, used = sorted(self._seconds), self._talked
        return (
            f"{1000 * median(times):.2f} ms a move, at most {1000 * times[-1]:.1f} ms; "
            f"{used.memory_mib} MiB of memory, {used.tasks} processes and threads, "
            f"{used.cpu_s:.2f} s of processor time in a few deals"
        )

    def _in_seats(
        self,
        seats: Sequence[Seat],
        rules: Rules,
        limits: Limits,
        scenes: Sequence[Scene],
        dealers: int,
    ) -> Counter[str]:
        """Play scenes in some seats, each with so many dealers; return its roles."""
        deals = self._affordable(dealers * len(scenes) * len(seats)) // len(seats)
        roles: Counter[str] = Counter()
        for seat in seats:
            script = script_of(rules, limits, scenes, seat, max(1, deals))
            roles += roles_in(script, self._played_whole(script))
        return roles

    def _short(self) -> Limits:
        """A clock for what a bot need not know."""
        move_s = max(SHORT_S, PATIENCE * max(self._seconds, default=0.0))
        if self._by.limits.move_s is not None:
            move_s = min(move_s, self._by.limits.move_s)
        return msgspec.structs.replace(self._by.limits, move_s=move_s)

    def _script(self, scenes: Sequence[Scene]) -> Script:
        """Scenes with each dealer, fewer for a slow bot."""
        rules, limits = self._by.rules, self._by.limits
        deals = self._affordable(len(scenes) * rules.players)
        return script_of(rules, limits, scenes, SEAT, deals)

    def _affordable(self, deals: int) -> int:
        """How many of `deals` deals the bot plays in `STEP_S` seconds, at least one."""
        deal_s = self._deal_s()
        found = max(1, min(deals, int(STEP_S / deal_s))) if deal_s else deals
        self._left_out |= found < deals
        return found

    def _deal_s(self) -> float:
        """The seconds that the bot took for a deal so far."""
        return sum(self._seconds) / max(self._deals, 1)

    def _talk(self, manner: Manner, told: Limits) -> Talked:
        """Play a few scenes line by line, by the limits of the check, whatever the bot is told."""
        rules = self._by.rules
        script = self._script((*DECLARING, *ALL_PASS, *defending(rules)[:2]))
        corrections = int(manner == "refusing")
        conduct = msgspec.structs.replace(rules.conduct, corrections=corrections)
        plan = msgspec.structs.replace(
            script.plan,
            rules=msgspec.structs.replace(rules, conduct=conduct),
            limits=told,
            max_faults=LARGEST_MAX_FAULTS,  # whoever does not answer again makes no mistake
        )
        script = msgspec.structs.replace(script, plan=plan)
        programs = programs_of(self._program, script, self._by.isolation)
        return talk(programs, script, self._by.limits, self._by.isolation, manner)

    def _asked(self, script: Script) -> str:
        """Play a match; return the requests to the bot, in words."""
        return describe_requests(requests_in(script, self._played(script)))

    def _played_whole(self, script: Script) -> MatchRecord:
        """Play a match to its end. Raises `MatchVoid` where partners end again and again.

        They are the arena's own and never do so by themselves: something else ended them.
        """
        for _ in range(_TRIES):
            record = self._played(script)
            if len(record.results.courses) == len(script.plan.deals):
                return record
        raise MatchVoid("something else ends the bots that the arena lets it play with")

    def _played(self, script: Script) -> MatchRecord:
        """Play a match, and keep the bot's times."""
        record = play_script(self._program, script, self._by.isolation)
        self._seconds += answer_times(script, record)
        self._deals += len(script.plan.deals)
        return record
