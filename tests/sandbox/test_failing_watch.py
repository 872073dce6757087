"""A watch that fails costs the bot it watches, or makes the match void; never another's match.

Errors are injected into every call by which bots are watched, measured, ended and cleaned up after.
"""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.base.resources import Resources
from arena.engine import process as engine_process
from arena.engine.job import Job, Program
from arena.engine.process import Process
from arena.engine.worker import play_match
from arena.engine.workers import play_job
from arena.match.commands import MatchVoid
from arena.match.record import MatchRecord
from arena.sandbox import watch as sandbox_watch
from arena.sandbox.box import NO_MEANS, Box, NoBox, disk_use
from arena.sandbox.isolation import NO_ISOLATION
from arena.sandbox.tree import TOO_MUCH, Tree
from arena.sandbox.watch import ResourceWatch
from tests.engine.test_worker import plan_of
from tests.sandbox.test_watch import Program as Watched
from tests.support.bots import good, write_bot

ERRORS: list[Exception] = [
    *(OSError(number, os.strerror(number)) for number in sorted(errno.errorcode)),
    RecursionError("maximum recursion depth exceeded"),
    ValueError("invalid literal for int() with base 10: b'x'"),
    UnicodeDecodeError("utf-8", b"\xff", 0, 1, "invalid start byte"),
    IndexError("list index out of range"),
    KeyError(b"usage_usec"),
    OverflowError("int too large to convert"),
    AssertionError(),
    MemoryError(),
]
FEW = [*ERRORS[-8:], OSError(errno.EACCES, "no"), OSError(errno.EMFILE, "too many")]
"""One of each kind: whichever call it comes from, there is one place that takes it."""

PLACES: list[tuple[object, str]] = [
    (Tree, "look"),
    *((Box, name) for name in ("roots", "kept", "scratch", "cpu_s", "overrun_mib")),
    *((sandbox_watch, name) for name in ("mappings", "proportional")),
]
"""What the watch asks at a look."""


@pytest.fixture(autouse=True)
def _others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches are played in this very process, whose other children are not theirs to end."""
    monkeypatch.setattr("arena.engine.worker.end_children", lambda: None)


def raising(error: Exception) -> Callable[..., object]:
    def fail(*_: object, **__: object) -> object:
        raise error

    return fail


@pytest.mark.parametrize(("owner", "name"), PLACES, ids=[name for _, name in PLACES])
def test_any_error_of_a_look_is_the_bots_or_the_machines(
    monkeypatch: pytest.MonkeyPatch, owner: object, name: str
) -> None:
    program = Watched(memory_mib=1, cpu_match_s=9.0)
    for error in ERRORS if owner is Tree else FEW:
        watch = ResourceWatch(program)
        with monkeypatch.context() as patched:
            patched.setattr(program.used if owner is Box else owner, name, raising(error))
            if getattr(error, "errno", None) in NO_MEANS or isinstance(error, MemoryError):
                with pytest.raises(NoBox, match="could not be watched"):
                    watch.crossed()
            else:
                said = watch.crossed()
                assert said is not None, error
                assert said.startswith("what it uses cannot be measured: "), error
        watch.close()


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Program, ...]:
    folder = write_bot(tmp_path_factory.mktemp("bots") / "bot", good())
    run = ("python3", "-S", "bot.py")
    found = [Program(f"bot {n}", run, str(folder), Resources(memory_mib=500)) for n in range(3)]
    return tuple(found)


def strange(monkeypatch: pytest.MonkeyPatch, owner: type, name: str, error: Exception) -> None:
    """Have a method fail for the second process that is started, and for no other."""
    started: list[Box] = []
    make, whole = Process.__init__, getattr(owner, name)

    def begun(self: Process, box: Box, *rest: object) -> None:
        started.append(box)
        make(self, box, *rest)  # type: ignore[arg-type]

    def maybe(self: Process | Box | ResourceWatch, *rest: object, **more: object) -> object:
        box = getattr(self, "box", None) or getattr(self, "_program", None) or self
        box = getattr(box, "box", box)
        if len(started) > 1 and box is started[1]:
            raise error
        return whole(self, *rest, **more)

    monkeypatch.setattr(Process, "__init__", begun)
    monkeypatch.setattr(owner, name, maybe)


def play(programs: tuple[Program, ...]) -> MatchRecord | MatchVoid:
    try:
        return play_job(Job(plan_of(5), programs, NO_ISOLATION), 0)
    except MatchVoid as void:
        return void


def blamed(record: MatchRecord | MatchVoid) -> set[tuple[int, str]]:
    assert isinstance(record, MatchRecord), record
    return {(entry.fault.seat, entry.fault.kind) for entry in record.results.faults}


@pytest.mark.parametrize("name", ["roots", "scratch", "kept"])
@pytest.mark.parametrize("error", [PermissionError(errno.EACCES, "no"), RecursionError()], ids=repr)
def test_only_the_bot_that_cannot_be_watched_is_blamed(
    monkeypatch: pytest.MonkeyPatch, programs: tuple[Program, ...], name: str, error: Exception
) -> None:
    monkeypatch.setattr(sandbox_watch, "PERIOD_S", 0.001)
    strange(monkeypatch, Box, name, error)
    assert blamed(play(programs)) == {(1, "resource")}


def test_a_match_that_the_machine_cannot_watch_is_void(
    monkeypatch: pytest.MonkeyPatch, programs: tuple[Program, ...]
) -> None:
    strange(monkeypatch, Box, "scratch", OSError(errno.EMFILE, "Too many open files"))
    void = play(programs)
    assert isinstance(void, MatchVoid)
    assert "could not be watched: [Errno 24]" in str(void)


@pytest.mark.parametrize(
    ("owner", "name"),
    [(Box, "terminate"), (Box, "kill"), (Box, "close"), (ResourceWatch, "close")],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_errors_of_cleaning_reach_no_match(
    monkeypatch: pytest.MonkeyPatch, programs: tuple[Program, ...], owner: type, name: str
) -> None:
    monkeypatch.setattr(engine_process, "GRACE_S", 0.05)
    strange(monkeypatch, owner, name, OSError(errno.EIO, "Input/output error"))
    assert blamed(play(programs)) == set()


def test_a_machine_without_descriptors_makes_a_match_void(
    monkeypatch: pytest.MonkeyPatch, programs: tuple[Program, ...]
) -> None:
    full = OSError(errno.EMFILE, "Too many open files")
    for place in ("arena.engine.seats.select.epoll", "arena.engine.seats.scratch_each"):
        with monkeypatch.context() as patched:
            patched.setattr(place, raising(full))
            assert isinstance(play(programs), MatchVoid)


def test_other_errors_of_the_arena_stay_ours(
    monkeypatch: pytest.MonkeyPatch, programs: tuple[Program, ...]
) -> None:
    monkeypatch.setattr("arena.engine.worker.LogWriter", raising(ZeroDivisionError()))
    with pytest.raises(ZeroDivisionError):
        play_match(Job(plan_of(5), programs, NO_ISOLATION))


def test_a_folder_too_deep_to_measure_counts_as_too_much(tmp_path: Path) -> None:
    here = os.getcwd()
    os.chdir(tmp_path)
    for _ in range(500):
        os.mkdir("ten-letters")
        os.chdir("ten-letters")
    os.chdir(here)
    assert disk_use(str(tmp_path))[0] >= TOO_MUCH
