"""A bot tested at each save: its last fault, the quick steps of its check, and its positions."""

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import msgspec
from watchfiles import Change, watch

from arena.base.check_step import CheckStep
from arena.base.errors import ArenaError
from arena.bots.manifest import read_bot
from arena.bots.tree import CHECKED, POSITIONS, SKIPPED
from arena.engine.builds import prepare
from arena.match.commands import Failed
from arena.record.faults import Bundle
from arena.tasks.check import Conditions, check
from arena.tasks.positions import TestedPosition, test_positions
from arena.tasks.rerun import Answers, RerunRequest, in_a_word, last_fault, rerun

_QUICK: Final = ("declaring", "defending")
"""The steps of a check that a save repeats, with those that they need."""

_PAUSE_MS: Final = 50
"""Milliseconds without a change after which a save is over."""

_LOOK_MS: Final = 200
"""Milliseconds without a change after which the wait for one begins again."""


def saves(folder: Path) -> Iterator[None]:
    """Yield at once, and then after each change to a bot's files, until Ctrl-C."""

    def matters(_: Change, path: str) -> bool:
        parts = Path(path).relative_to(folder.resolve()).parts
        # SQLite's files and a draft of the record have more before or after its name.
        return CHECKED not in parts[0] and not {*parts} & {*SKIPPED}

    changes = watch(
        folder.resolve(),
        watch_filter=matters,
        debounce=_PAUSE_MS,
        step=_PAUSE_MS // 2,
        rust_timeout=_LOOK_MS,
        yield_on_timeout=True,
    )
    next(changes)  # from now on no save is missed, whatever the caller does meanwhile
    yield
    for changed in changes:
        if changed:
            yield


def test_once(folder: Path, by: Conditions) -> Iterator[CheckStep | TestedPosition]:
    """Test a bot as far as takes a moment; the first step that fails is the last."""
    lost = False
    try:
        bot = read_bot(folder)
        found = last_fault(folder / CHECKED, bot.name)
        if found is not None:
            match, fault = found
            asked = RerunRequest(
                match, fault.seat, prepare(bot, by.isolation), by.isolation, fault.request, True
            )
            answers: list[Answers] = []
            stderr = rerun(asked, answers.append, lambda pid: None)
            yield (step := _of_fault(folder, fault, answers[-1], stderr))
            lost = step.failed
    except ArenaError:  # which the first step tells
        pass
    if lost:  # the record keeps this fault until it is fixed
        by = msgspec.structs.replace(by, command=())
    for step in check(folder, by, _QUICK):
        yield step
        if step.failed:
            return
    if (folder / POSITIONS).exists():
        yield from test_positions(folder, by.isolation)


def _of_fault(folder: Path, fault: Bundle, answers: Answers, stderr: str) -> CheckStep:
    said, name = answers.now, "the last fault"
    if isinstance(said, Failed):
        why, asked = f"{said.kind}: {said.detail}", fault.asked
        again = f"{fault.rerun} --bot {shlex.quote(str(folder))}"
        return CheckStep(name, False, why, (), stderr, asked=asked, again=(again,))
    return CheckStep(name, True, f"it answers {in_a_word(said)} where it failed: {fault.kind}")
