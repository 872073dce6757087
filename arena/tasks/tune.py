"""A bot's parameters tuned by Optuna: trials over the same deals, kept in a journal, resumable."""

import re
import shutil
from collections.abc import Iterator, Mapping
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.installation import how_to_install
from arena.base.run_events import Completed
from arena.base.toml import TomlFile, read_table
from arena.bots.manifest import content_hash, read_bot
from arena.bots.tree import CHECKED, MANIFEST, SKIPPED
from arena.engine.builds import prepare
from arena.engine.job import Job
from arena.engine.runner import run
from arena.engine.workers import Players
from arena.league.config import LINE_BYTES, START_S
from arena.league.file import rules_from
from arena.league.schedule import league_deals, seat_seeds, seatings
from arena.match.commands import MatchPlan
from arena.match.wire import Limits
from arena.sandbox.box import Program
from arena.sandbox.isolation import Isolation
from arena.zole.rules import Rules

if TYPE_CHECKING:
    from optuna.study import Study
    from optuna.trial import Trial

Value = str | float | int

JOURNAL: Final = ".journal"
"""The suffix of the file next to tune.toml that has all trials so far."""

_ALIKE: Final = 8
"""The first trials, of which some must differ."""


class Parameter(msgspec.Struct, frozen=True):
    """A parameter: the value `start` that the bot has by itself, and a range or a choice of others.

    The range is of whole numbers if its ends are; with a `step` only its multiples are tried.
    """

    start: Value
    low: float | int | None = None
    high: float | int | None = None
    step: float | int | None = None
    values: tuple[Value, ...] = ()

    def suggested(self, trial: "Trial", name: str) -> Value:
        """The value that a trial is to have."""
        low, high = self.low, self.high
        if self.values:
            chosen = trial.suggest_categorical(name, self.values)
            assert chosen is not None
            return chosen
        if isinstance(low, int) and isinstance(high, int):
            return trial.suggest_int(name, low, high, step=int(self.step or 1))
        assert low is not None
        assert high is not None
        return trial.suggest_float(name, low, high, step=self.step)

    @property
    def flaw(self) -> str:
        """What is wrong with it, or ""."""
        if self.values:
            return "" if self.start in self.values else "start is none of values"
        if self.low is None or self.high is None or isinstance(self.start, str):
            return "it needs low and high, or values"
        return "" if self.low <= self.start <= self.high else "start is not between low and high"


class TuneFile(msgspec.Struct, frozen=True):
    """What to tune by: `deals` at each table of the bot with two of the bots `against`.

    They are the same in all `trials`, and come from the `seed`. The comparison at the end plays at
    most `sets` sets.
    """

    against: tuple[str, ...]
    trials: int = 60
    deals: int = 20
    sets: int = 1000
    rules: str = "pagat"
    seed: int = 1
    parameters: dict[str, Parameter] = {}


class DoneTrial(msgspec.Struct, frozen=True):
    """A trial: its `number` from 1, the parameters, and the stakes per deal that they made."""

    number: int
    parameters: dict[str, Value]
    stakes: float


def read_tune_file(path: Path) -> TuneFile:
    """Read a file of parameters. Raises `ArenaError` with all that is wrong with it."""
    document = TomlFile(path)
    good = read_table(document, document.data, TuneFile)
    document.check()
    found = msgspec.convert(good, TuneFile)
    for name, parameter in found.parameters.items():
        if parameter.flaw:
            document.add_error(("parameters", name), f"{name}: {parameter.flaw}")
    if not found.parameters:
        document.add_error((), "there is no parameter", "add [parameters.NAME]")
    if len(found.against) < 2:
        document.add_error(("against",), "two or more bots are needed to play against")
    document.check()
    return found


def arguments(parameters: Mapping[str, Value]) -> tuple[str, ...]:
    """The arguments that give a bot its parameters, behind those of its manifest."""
    return tuple(f"{name}={value}" for name, value in parameters.items())


class Tuning:
    """A bot being tuned; `trials` are those so far. Every trial is kept as soon as it is over."""

    def __init__(self, folder: Path, file: Path, isolation: Isolation) -> None:
        """Read everything, and the journal of an earlier call. Raises `ArenaError`."""
        self.asked: TuneFile = read_tune_file(file)
        self._isolation = isolation
        self._rules = rules_from(self.asked.rules)
        self._bot = prepare(read_bot(folder), isolation)
        others = (file.parent / path for path in self.asked.against)
        self._others = [prepare(read_bot(path), isolation) for path in others]
        self._study = _study(file.with_suffix(JOURNAL), content_hash(folder), self.asked)
        if not self._study.trials:
            self._study.enqueue_trial(
                {it: each.start for it, each in self.asked.parameters.items()}
            )

    @property
    def trials(self) -> list[DoneTrial]:
        """The trials that are over, in their order."""
        values = ((each.params, each.value) for each in self._study.trials)
        return [
            DoneTrial(number, dict(params), value)
            for number, (params, value) in enumerate(
                ((params, value) for params, value in values if value is not None), 1
            )
        ]

    @property
    def best(self) -> DoneTrial:
        """The first of the trials that made most."""
        return max(self.trials, key=lambda each: each.stakes)

    def play(self, players: Players) -> Iterator[DoneTrial]:
        """Play the trials that are still to be played. Raises `Interrupted` and `MachineError`."""
        while len(self.trials) < self.asked.trials:
            trial = self._study.ask()
            parameters = {
                name: each.suggested(trial, name) for name, each in self.asked.parameters.items()
            }
            known = (each.stakes for each in self.trials if each.parameters == parameters)
            made = next(known, None)  # the deals are the same, and so is what they bring
            self._study.tell(trial, self._stakes(parameters, players) if made is None else made)
            yield self.trials[-1]
            self._check_effect()

    def _check_effect(self) -> None:
        """Raise `ArenaError` if the first trials show that the parameters change nothing."""
        done = self.trials
        if len(done) == _ALIKE and len({each.stakes for each in done}) == 1 and self._differ(done):
            what = f"the parameters change nothing: {_ALIKE} trials made {done[0].stakes:+.3f}"
            told = " ".join(arguments(done[-1].parameters))
            remedy = f"the bot is given arguments such as {told}; does it read them?"
            raise ArenaError(Mistake(what, self._bot.name, remedy))

    def _differ(self, done: list[DoneTrial]) -> bool:
        return len({tuple(each.parameters.values()) for each in done}) > _ALIKE // 2

    def _stakes(self, parameters: Mapping[str, Value], players: Players) -> float:
        """What the bot makes in a deal with these parameters, on average over all tables."""
        tuned = msgspec.structs.replace(self._bot, run=(*self._bot.run, *arguments(parameters)))
        paid: list[int] = []
        by = self.asked, self._rules, self._isolation
        jobs = [*enumerate(_jobs(tuned, self._others, *by))]
        seats = {number: job.programs.index(tuned) for number, job in jobs}
        for event in run(iter(jobs), players):
            if isinstance(event, Completed):
                paid += (deal[seats[event.key]] for deal in event.result.results.payments)
        return sum(paid) / len(paid)


def _jobs(
    tuned: Program,
    others: list[Program],
    asked: TuneFile,
    rules: Rules,
    isolation: Isolation,
) -> Iterator[Job]:
    limits = Limits(rules.conduct.move_limit_s, START_S, LINE_BYTES)
    for pair in combinations(others, rules.players - 1):
        programs = {str(place): each for place, each in enumerate((tuned, *pair))}
        deals = league_deals(rules, str(asked.seed), tuple(programs), 0, asked.deals)
        seeds = seat_seeds(rules, str(asked.seed), deals)
        plan = MatchPlan(rules, limits, asked.deals, deals, seeds)
        for seats in seatings(tuple(programs), rules.players):
            yield Job(plan, tuple(programs[seat] for seat in seats), isolation)


def write_tuned(folder: Path, best: DoneTrial) -> Path:
    """Copy a bot next to it, with the best parameters in its manifest. Raises `ArenaError`."""
    made = folder.resolve().with_name(f"{folder.resolve().name}-tuned")
    shutil.rmtree(made, ignore_errors=True)
    shutil.copytree(folder, made, ignore=shutil.ignore_patterns(*SKIPPED, f"{CHECKED}*"))
    text = (made / MANIFEST).read_text(encoding="utf-8")
    command = msgspec.json.encode([*read_bot(folder).run, *arguments(best.parameters)]).decode()
    name = msgspec.json.encode(made.name).decode()
    text = re.sub(r"(?m)^name = .*$", lambda _: f"name = {name}", text)
    changed, found = re.subn(r"(?ms)^run = \[.*?\]$", lambda _: f"run = {command}", text)
    if not found:
        raise ArenaError(Mistake("its line with run = […] is not found", str(folder / MANIFEST)))
    (made / MANIFEST).write_text(changed, encoding="utf-8")
    return made


def _study(journal: Path, content: str, asked: TuneFile) -> "Study":
    """The study of a bot by a file; another bot has another one, and so has another question."""
    try:
        import optuna
        from optuna.storages import JournalStorage
        from optuna.storages.journal import JournalFileBackend
    except ModuleNotFoundError:
        what = "parameters are tuned by Optuna, which this Python does not have"
        raise MachineError(Mistake(what, "", how_to_install("tune"))) from None
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    question = msgspec.json.encode(msgspec.structs.replace(asked, trials=0)).decode()
    study = optuna.create_study(
        storage=JournalStorage(JournalFileBackend(str(journal))),
        study_name=f"{content} {question}",
        direction="maximize",
        load_if_exists=True,
    )
    study.sampler = optuna.samplers.TPESampler(seed=len(study.trials))  # goes on with new ones
    return study
