"""A bot checked step by step against everything that a match by some rules can ask of it."""

import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from math import inf
from pathlib import Path
from statistics import median
from typing import Final

import msgspec

from arena.base.check_step import CheckStep
from arena.base.errors import ArenaError, Mistake
from arena.base.words import count, deal_number
from arena.bots.manifest import Bot, read_bot
from arena.bots.tree import CHECKED
from arena.engine.build import check_needs
from arena.engine.builds import prepare
from arena.league.config import LINE_BYTES, START_S
from arena.match.commands import MatchPlan, MatchVoid
from arena.match.record import MatchRecord
from arena.match.wire import Limits, encode
from arena.record.checks import CheckRecord
from arena.record.faults import bundles
from arena.record.matches import ReplayedMatch
from arena.sandbox.box import NoBox, Program
from arena.sandbox.isolation import Isolation
from arena.tasks.check_match import (
    CheckFailed,
    Manner,
    ScriptedMatch,
    play_script,
)
from arena.tasks.check_memory import FreshAnswers, memory_of_deals
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
from arena.zole.deal import Seat
from arena.zole.rules import Rules, Settings, preset

_NEEDED: Final = 3
"""The first steps, which all others need."""

_LONGER: Final = 15
"""How many long sessions one has in which memory is compared once more."""

LONG = 150
"""Deals of the long session, in which requests come to have numbers of four digits."""

RUNS: Final = 5
"""Runs of a match that a deterministic bot plays alike: chance may agree in a few of them."""

SHORT_S: Final = 2.0
"""Seconds for an answer if no league's clock is asked for."""

STEP_S: Final = 20.0
"""The seconds of a step: it plays fewer deals if the bot would need more for all of them."""

PATIENCE: Final = 3.0
"""Multiples of its slowest answer so far that a bot gets by other rules, if its clock allows."""

START_MOVES: Final = 2.5
"""The time for the start, in multiples of that for an answer; leagues give `START_S` seconds."""

_RANKED: Settings = {"auction": {"mode": "ranked", "contracts": ["ordinary", "solo", "small_solo"]}}
_POOLS: Settings = {"all_pass": "pool", "pools": {"enabled": True}}

OTHERS: Final = {
    "rules of lzsf: blind, talon afterwards": preset("lzsf"),
    "ranked bids and small solo": preset(changes=_RANKED),
    "pools": preset("piedalies", _POOLS),
    "a table of four": preset(changes={"players": 4}),
    "a table of five": preset(changes={"players": 5}),
}
"""Rules that may ask a bot for more than those that it is checked with."""


class Conditions(msgspec.Struct, frozen=True):
    """The conditions of a check.

    With `other_rules` these are tried as well, for remarks. If the words of the `command` are
    given, the games are kept in the bot's folder, and steps that fail name commands. `prepared`
    makes the copy that is checked, of the bot by its `author`, None for the one that its manifest
    names.
    """

    rules: Rules
    limits: Limits
    isolation: Isolation
    other_rules: bool = True
    command: tuple[str, ...] = ()
    prepared: Callable[[Bot, Isolation], Program] = prepare
    author: str | None = None


def check_limits(move_s: float) -> Limits:
    """The limits of a check: `move_s` seconds for an answer, a bit more for the start."""
    return Limits(move_s, min(START_S, START_MOVES * move_s), LINE_BYTES)


def more_time(rules: Rules, limits: Limits) -> str:
    """How to give a bot the time that leagues by these rules give; "" if it has that already."""
    usual = rules.conduct.move_limit_s
    if limits.move_s is None or limits.move_s >= usual:
        return ""
    return f"leagues give {usual:g} s: --move-s {usual:g}"


def check(folder: Path, by: Conditions, only: Collection[str] = ()) -> Iterator[CheckStep]:
    """Check a bot; the first required step that fails is the last.

    With `only`, these steps are carried out and those that they need. Raises `ArenaError` if there
    is none of a name.
    """
    with closing(_Check(folder, by)) as checked:
        steps = checked.steps()
        for name in only:
            if name not in steps:
                what = f"no step is called {name}"
                raise ArenaError(Mistake(what, "--only", f"they are {', '.join(steps)}"))
        for number, (name, run) in enumerate(steps.items()):
            if not only or name in only or number < _NEEDED:
                done = checked.carry_out(name, run)
                yield done
                if done.failed:
                    return


class _Check:
    """The state that later steps need of earlier ones: the program, its times and resources."""

    def __init__(self, folder: Path, by: Conditions) -> None:
        self._folder = folder
        self._by = by
        self._seconds: list[float] = []
        self._deals = 0
        self._left_out = False
        self._match: Callable[[], ReplayedMatch] | None = None
        self._asked = ""
        self._again: list[str] = []
        self._record: CheckRecord | None = None
        self._memory: Sequence[int] = ()

    def close(self) -> None:
        """Close the record of the games."""
        if self._record is not None:
            self._record.close()

    def carry_out(self, name: str, run: Callable[[], str]) -> CheckStep:
        """The result of a step; it notes if deals were left out.

        `run` returns the step's finding, or raises `CheckFailed`.
        """
        self._left_out, self._match, self._asked, self._again = False, None, "", []
        try:
            finding = run()
        except CheckFailed as failure:
            step = CheckStep(
                name, False, failure.why, failure.show, failure.stderr, not failure.remark
            )
            return self._with_commands(step)
        except ArenaError as error:
            return CheckStep(name, False, "; ".join(map(str, error.mistakes)))
        except (MatchVoid, NoBox) as error:
            return CheckStep(name, False, f"the arena itself failed, not the bot: {error}")
        if self._left_out:
            finding = f"{finding}; only a part of it, as a deal takes {self._deal_s():.1f} s"
        return CheckStep(name, True, finding)

    def steps(self) -> dict[str, Callable[[], str]]:
        rules = self._by.rules
        all_pass = "a table game" if rules.all_pass == "table" else "nobody bids"
        found = {
            "manifest": self.read_manifest,
            "build": self.build,
            "start and ready": self.start,
            "declaring": lambda: self.play(DECLARING + SOLO),
            all_pass: lambda: self.play(ALL_PASS),
            "defending": lambda: self.play(defending(rules)),
            "offers and surrender": lambda: self.play(GIVING_UP),
            "mistakes of others": lambda: self.play(MISTAKES),
            "every seat": self.play_in_every_seat,
            "unusual lines": self.write_unusual_lines,
            "a long session": self.play_long,
            "memory": self.compare_memory,
            "earlier deals": self.play_without_earlier_deals,
        }
        return found | ({"other rules": self.play_by_other_rules} if self._by.other_rules else {})

    def play_by_other_rules(self) -> str:
        """Play by other rules than those that the bot is checked by, one after another.

        Raises `CheckFailed` with everything that the bot does not survive.
        """
        untimed = msgspec.structs.replace(self._by.limits, move_s=None, start_s=None)
        tries: dict[str, Callable[[], object]] = {
            "no clock": partial(self._play_in, "in pieces", untimed)
        }
        if not self._by.rules.conduct.corrections:
            tries["a refused answer"] = partial(self._play_in, "refusing")
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
            raise CheckFailed(f"it fails elsewhere: {why}", first.show, first.stderr, remark=True)
        return ", ".join(tries)

    def read_manifest(self) -> str:
        bot = read_bot(self._folder)
        self._bot = msgspec.structs.replace(bot, author=self._by.author or bot.author)
        self._record = CheckRecord(self._bot, bool(self._by.command))
        return f"{self._bot.name} {self._bot.version} by {self._bot.author}"

    def build(self) -> str:
        self._program = self._by.prepared(self._bot, self._by.isolation)
        built, needs = "built" if self._bot.build else "nothing to build", self._bot.needs
        if not needs:
            return built
        check_needs(self._bot, self._program, self._by.isolation)
        return f"{built}; it finds {', '.join(needs)}"

    def start(self) -> str:
        played = self._played(by_chance(self._by.rules, self._by.limits, 0))
        if not played.exit:
            raise CheckFailed("it does not exit when its input ends")
        self._tables = played.ready.tables
        return f"ready after {played.ready_s:.2f} s; {played.exit} when its input ended"

    def play(self, scenes: Sequence[Scene]) -> str:
        return _requests_in([self._played(self._script(scenes))])

    def play_in_every_seat(self) -> str:
        """Play any deals, then all scenes in each other seat and in each place from the dealer.

        A bot that can play several tables at once plays them at these, too.
        """
        rules, limits = self._by.rules, self._by.limits
        self._played(by_chance(rules, limits, self._affordable(12)))
        seats = [seat for seat in range(rules.players) if seat != SEAT]
        scenes = every_role(rules) + MISTAKES
        matches = self._play_in_seats(seats, rules, limits, scenes, rules.players)
        found = _requests_in(matches)
        if self._tables == 1:
            return found
        script = self._script(every_role(rules))
        self._played(msgspec.structs.replace(script, tables=self._tables))
        return f"{found}; at up to {self._tables} tables at once"

    def play_by(self, rules: Rules) -> None:
        """Play scenes by other rules, with a short clock: nobody needs to know those rules."""
        move_s = max(SHORT_S, PATIENCE * max(self._seconds, default=0.0))
        move_s = min(move_s, self._by.limits.move_s or inf)
        limits = msgspec.structs.replace(self._by.limits, move_s=move_s)
        self._play_in_seats(range(rules.players), rules, limits, every_role(rules), 1)

    def write_unusual_lines(self) -> str:
        """Play matches with more in each line than version 1 has, in pieces, and with refusals."""
        told = {
            "to unknown fields and messages": self._play_in("with more"),
            "to lines in pieces": self._play_in("in pieces"),
        }
        if self._by.rules.conduct.corrections:
            told["around a refused answer"] = self._play_in("refusing")
        return ", ".join(f"{len(each.answers)} answers {to}" for to, each in told.items())

    def play_long(self) -> str:
        habits: list[Habit] = ["ordinary", "pass"]
        script = by_chance(self._by.rules, self._by.limits, self._affordable(LONG), habits)
        played = self._played(script)
        self._memory = played.memory
        found = f"{len(played.answers)} answers in {count(len(script.plan.deals), 'deal')}; "
        if self._bot.deterministic:
            self.play_again()
            found += f"{RUNS} runs of a match are the same; "
        return (
            f"{found}{1000 * median(self._seconds):.2f} ms a move in the median, "
            f"at most {1000 * max(self._seconds):.1f} ms; "
            f"{played.memory[-1] >> 20} MiB of memory, {played.tasks} processes and threads, "
            f"{played.cpu_s:.2f} s of processor time"
        )

    def play_again(self) -> None:
        script = by_chance(self._by.rules, self._by.limits, self._affordable(20))
        runs = [[each.word for each in self._played(script).answers] for _ in range(RUNS)]
        if any(run != runs[0] for run in runs):
            raise CheckFailed(
                "two runs of the same match differ: not all of its chance comes from hello.seed"
            )

    def compare_memory(self) -> str:
        """Compare the memory after each deal of the long session. Raises `CheckFailed`.

        Where it grew, a longer one tells: some runtimes collect no garbage for a long time.
        """
        if not self._memory:
            self.play_long()
        try:
            return memory_of_deals(self._memory)
        except CheckFailed:
            deals = self._affordable(_LONGER * LONG)
            played = self._played(by_chance(self._by.rules, self._by.limits, deals))
            return memory_of_deals(played.memory)

    def play_without_earlier_deals(self) -> str:
        """Ask deals of a match again in fresh processes, which get the same lines of these alone.

        Raises `CheckFailed` if the bot answers otherwise than it did after the earlier deals.
        """
        habits: list[Habit] = ["pass", "ordinary"]
        self._played(by_chance(self._by.rules, self._by.limits, self._affordable(12), habits))
        assert self._match is not None
        match = self._match()
        fresh = FreshAnswers(match, SEAT, self._program, self._by.isolation)
        changed = fresh.changed
        if changed is None:
            return f"{count(fresh.count, 'answer')} are the same in a fresh process"
        if fresh.by_chance(STEP_S):
            return "not compared: its answers depend on chance, so memory would not be noticed"
        self._rerun_of(match, "--deal", str(deal_number(changed.deal)))
        self._asked = fresh.asked(changed)
        raise CheckFailed(
            fresh.told(changed),
            (f"> {encode(changed.line).decode().rstrip()}",),
            remark=not self._bot.deterministic,
        )

    def _keep(self, plan: MatchPlan, record: MatchRecord, seat: Seat) -> None:
        assert self._record is not None
        self._match = self._record.add(plan, record, seat)  # replayed where it is needed

    def _with_commands(self, step: CheckStep) -> CheckStep:
        """A step that failed, with the request that it failed and the commands that repeat it."""
        command = self._by.command
        if self._match is not None:
            match = self._match()
            faults = [it for it in bundles(match, "") if it.bot == self._bot.name]
            for fault in faults[-1:]:
                self._asked = fault.asked
                self._rerun_of(match, "--until", str(fault.request))
        if command:
            self._again.append(shlex.join((*command, "--only", step.name)))
        return msgspec.structs.replace(step, asked=self._asked, again=tuple(self._again))

    def _rerun_of(self, match: ReplayedMatch, *words: str) -> None:
        """Note the command that sends the bot lines of a match again, if the match is kept."""
        if match.number and self._record is not None and self._by.command:
            level = self._by.isolation.level
            self._again.append(
                shlex.join(
                    (
                        *("arena", "rerun", str(self._folder / CHECKED), str(match.number)),
                        *("--seat", str(match.bots.index(self._bot.name)), *words),
                        *("--bot", str(self._folder)),
                        *(("--isolation", level) if level == "none" else ()),
                    )
                )
            )

    def _play_in_seats(
        self,
        seats: Sequence[Seat],
        rules: Rules,
        limits: Limits,
        scenes: Sequence[Scene],
        dealers: int,
    ) -> list[ScriptedMatch]:
        """Play scenes in some seats, each with this many dealers."""
        deals = self._affordable(dealers * len(scenes) * len(seats)) // len(seats)
        return [
            self._played(script_of(rules, limits, scenes, seat, max(1, deals))) for seat in seats
        ]

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
        return sum(self._seconds) / max(self._deals, 1)

    def _play_in(self, manner: Manner, sent_limits: Limits | None = None) -> ScriptedMatch:
        """Play a few scenes in a manner, by the check's limits, whatever limits the bot is sent."""
        scenes = (*DECLARING, *ALL_PASS, *defending(self._by.rules)[:2])
        corrections = int(manner == "refusing")
        conduct = msgspec.structs.replace(self._by.rules.conduct, corrections=corrections)
        rules = msgspec.structs.replace(self._by.rules, conduct=conduct)
        deals = self._affordable(len(scenes) * rules.players)
        script = script_of(rules, sent_limits or self._by.limits, scenes, SEAT, deals)
        keep = partial(self._keep, seat=script.seat)
        return play_script(self._program, script, self._by.isolation, self._by.limits, manner, keep)

    def _played(self, script: Script) -> ScriptedMatch:
        keep = partial(self._keep, seat=script.seat)
        played = play_script(self._program, script, self._by.isolation, keep=keep)
        self._seconds += [each.seconds for each in played.answers]
        self._deals += len(script.plan.deals)
        return played


def _requests_in(matches: Iterable[ScriptedMatch]) -> str:
    asked = Counter(each.kind for match in matches for each in match.answers)
    return "asked " + ", ".join(f"{number} {kind}" for kind, number in asked.items())
