"""The watch finds which limit is crossed; a watch that fails costs the bot it watches, or makes the
match void, but never another's match."""

import ctypes
import errno
import mmap
import os
import select
import socket
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

from arena.base.files import allow_descriptors
from arena.base.resources import Resources
from arena.engine import process as engine_process
from arena.engine.job import Job
from arena.engine.process import Process
from arena.engine.worker import play_match
from arena.engine.workers import play_job
from arena.match.commands import MatchVoid
from arena.sandbox import watch as sandbox_watch
from arena.sandbox.box import NO_MEANS, TOO_MUCH, Box, NoBox, Program, disk_use, usage
from arena.sandbox.isolation import NO_ISOLATION
from arena.sandbox.limits import MAX_DESCRIPTORS
from arena.sandbox.watch import Kept, Mappings, ResourceWatch, kept_by
from tests.engine.test_worker import plan_of
from tests.support.bots import good, write_bot

MIB = 1 << 20
LIBC = ctypes.CDLL(None)  # Python's own mappings keep a descriptor
LIBC.mmap.restype = ctypes.c_void_p
LIBC.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
LIBC.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *(3 * [ctypes.c_int]), ctypes.c_long)


class Used(Box):
    def __init__(self) -> None:
        self.seconds = 0.0
        self.stored = (0, 0)
        self.disk_folder = None
        self._group = None

    def roots(self) -> list[int]:
        return [os.getpid()]

    def cpu_s(self) -> float:
        return self.seconds

    def scratch(self) -> tuple[int, int]:
        return self.stored


@pytest.fixture(autouse=True)
def _own_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process of the tests is watched and plays: it shares memory and has other children."""
    monkeypatch.setattr(sandbox_watch, "MAX_SHARED", 1_000_000)
    monkeypatch.setattr("arena.engine.workers.end_children", lambda: None)


def watched(used: Used, **limits: float) -> ResourceWatch:
    return ResourceWatch(used, Resources(**limits))  # type: ignore[arg-type]


DEAR_MOVE = "processor time: 1.1 s, the limit is 1 s a move"
MIB_OF_STDERR, STDERR = 1 << 20, "stderr: 1.001 MiB, the limit is 1 MiB a match"


@pytest.mark.parametrize(
    ("limits", "looks"),
    [
        pytest.param(
            {"cpu_move_s": 1.0},
            [(0.9 * (look // 2 + 1), (look + 1) // 2, 0, 0, None) for look in range(100)],
            id="many cheap moves do not cross the limit of one",
        ),
        pytest.param(
            {"cpu_move_s": 1.0},
            [(0.9, 1, 0, 0, None), (1.9, 1, 0, 0, None), (2.0, 1, 0, 0, DEAR_MOVE)],
            id="a move at the limit does not cross it, and one above it does",
        ),
        pytest.param(
            {"cpu_move_s": 1.0, "cpu_match_s": 9.0},
            [(7.0, 0, 0, 0, None), (7.5, 1, 0, 0, None), (8.6, 1, 0, 0, DEAR_MOVE)],
            id="the time until a program is ready does not count for its first move",
        ),
        pytest.param(
            {"cpu_move_s": 1.0, "cpu_match_s": 9.0},
            [(9.5, 0, 0, 0, "processor time: 9.5 s, the limit is 9 s a match")],
            id="the time until a program is ready counts for the match",
        ),
        pytest.param(
            {"cpu_match_s": 1.0, "stderr_mib": 1, "scratch_files": 3},
            [
                *((0.25 * answer, answer, MIB_OF_STDERR, 3, None) for answer in range(1, 5)),
                (1.0, 4, MIB_OF_STDERR + 1024, 3, STDERR),
                (1.0, 4, MIB_OF_STDERR + 1024, 4, "$TMPDIR holds 4 files, the limit is 3 files"),
                (1.1, 4, 0, 0, "processor time: 1.1 s, the limit is 1 s a match"),
            ],
            id="the limits of a match do not begin anew with each move",
        ),
    ],
)
def test_a_limit_is_crossed_above_it_alone(
    limits: dict[str, float], looks: list[tuple[float, int, int, int, str | None]]
) -> None:
    used = Used()
    watch = watched(used, **limits)
    for seconds, answers, stderr_bytes, files, crossed in looks:
        used.seconds, used.stored = seconds, (0, files)
        assert watch.crossed(answers, stderr_bytes) == crossed
        assert watch.cpu_s == pytest.approx(seconds)


def test_mappings_count_though_no_page_of_them_is_used() -> None:
    size = 2 * 9000 * mmap.PAGESIZE
    private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    place = LIBC.mmap(None, size, mmap.PROT_READ, private, -1, 0)
    watch = watched(Used())
    assert watch.crossed(0, 0) is None
    for at in range(place, place + size, 2 * mmap.PAGESIZE):
        assert LIBC.mprotect(ctypes.c_void_p(at), ctypes.c_size_t(mmap.PAGESIZE), 0) == 0
    assert "mappings of memory: more than 8,192" in [watch.crossed(0, 0) for _ in range(4)]
    LIBC.munmap(place, size)


def kept(folder: Path) -> Kept:
    return kept_by([os.getpid()], str(folder))


def test_a_file_without_a_name_counts_while_it_is_open_or_mapped(tmp_path: Path) -> None:
    """One of another file system does not."""
    mappings = Mappings(str(tmp_path))

    def mapped() -> dict[int, int]:
        mappings.look(usage([os.getpid()]))
        return mappings.files

    path, before = tmp_path / "file", kept(tmp_path).files
    with path.open("wb+") as file, os.fdopen(os.memfd_create("elsewhere"), "wb") as elsewhere:
        elsewhere.write(bytes(MIB))
        file.write(bytes(range(256)) * 4096)
        file.flush()
        os.fsync(file)
        assert kept(tmp_path).files == before
        path.unlink()
        inode = os.fstat(file.fileno()).st_ino
        with open(os.dup(file.fileno()), "rb"):
            assert kept(tmp_path).files == {**before, inode: MIB}
        page = LIBC.mmap(None, mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), 0)
    assert kept(tmp_path).files == before
    assert mapped()[inode] >= mmap.PAGESIZE
    LIBC.munmap(page, mmap.PAGESIZE)
    assert inode not in mapped()


def test_many_sockets_count_as_full_of_data(tmp_path: Path) -> None:
    before = kept(tmp_path)
    with ExitStack() as pairs:
        for _ in range(20):
            for end in socket.socketpair():
                pairs.enter_context(end)
        found = kept(tmp_path)
    assert found.sockets == before.sockets + 40
    assert found.memory >= 24 * 208 * 1024
    assert found.descriptors == before.descriptors + 40
    assert Kept(sockets=16).memory == 0
    assert Kept(sockets=17).memory > 208 * 1024


def test_of_very_many_descriptors_few_more_are_looked_at(tmp_path: Path) -> None:
    allow_descriptors(4096)
    many = [os.open("/dev/null", os.O_RDONLY) for _ in range(MAX_DESCRIPTORS)]
    assert kept(tmp_path).descriptors == MAX_DESCRIPTORS + 1
    for each in many:
        os.close(each)


def test_what_epoll_watches_is_counted_by_entries_not_by_descriptors(tmp_path: Path) -> None:
    before = kept(tmp_path).watched
    ends = os.pipe()
    with ExitStack() as polls:
        for _ in range(3):
            poll = polls.enter_context(select.epoll())
            poll.register(ends[0])
            for number in range(900, 920):
                os.dup2(ends[0], number)
                poll.register(number)
                os.close(number)
        assert kept(tmp_path).watched == before + 3 * 21
    for end in ends:
        os.close(end)
    assert kept(tmp_path).watched == before


@pytest.mark.parametrize("hidden", ["the folder of descriptors", "the files behind them"])
def test_descriptors_that_may_not_be_seen_are_an_error_unless_the_process_has_ended(
    monkeypatch: pytest.MonkeyPatch, hidden: str
) -> None:
    """The descriptors of an ended process belong to root, until its parent waits for it."""
    listed, looked_at = os.listdir, os.stat

    def names(path: str) -> list[str]:
        if not path.endswith("/fd"):
            return listed(path)
        if hidden == "the folder of descriptors":
            raise PermissionError(13, "Permission denied")
        return ["0", "1"]

    def closed(path: str) -> os.stat_result:
        if "/fd/" in path:
            raise PermissionError(13, "Permission denied")
        return looked_at(path)

    with subprocess.Popen(["true"]) as ended:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        monkeypatch.setattr(os, "listdir", names)
        monkeypatch.setattr(os, "stat", closed)
        assert kept_by([ended.pid], "/tmp").files == {}
        with pytest.raises(PermissionError):
            kept_by([os.getpid()], "/tmp")
        monkeypatch.undo()


@pytest.mark.parametrize(
    ("is_touched", "sizes"),
    [
        pytest.param(False, [32 * MIB], id="by its largest size, which was seen"),
        pytest.param(
            True,
            range(24 * MIB + 1, 1 << 40),
            id="by its page faults where it was never seen whole",
        ),
    ],
)
def test_shared_memory_that_is_cut_short_counts_until_it_is_gone(
    is_touched: bool, sizes: Sequence[int]
) -> None:
    mappings = Mappings(None)

    def look() -> set[bytes]:
        mappings.look(usage([os.getpid()]))
        return set(mappings.shared)

    before = look()
    flags = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS
    place = LIBC.mmap(None, 32 * MIB, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0)
    if is_touched:
        ctypes.memset(place, 1, 32 * MIB)
    else:
        look()
    LIBC.munmap(place + mmap.PAGESIZE, 32 * MIB - mmap.PAGESIZE)
    (inode,) = look() - before
    assert mappings.shared[inode] in sizes
    LIBC.munmap(place, mmap.PAGESIZE)
    assert inode not in look()


def test_a_folder_too_deep_to_measure_counts_as_too_much(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for _ in range(500):
        os.mkdir("ten-letters")
        os.chdir("ten-letters")
    monkeypatch.undo()
    assert disk_use(str(tmp_path))[0] >= TOO_MUCH


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
# One of each kind: whichever call it comes from, there is one place that takes it.
FEW = [*ERRORS[-8:], OSError(errno.EACCES, "no"), OSError(errno.EMFILE, "too many")]


@pytest.mark.parametrize(
    ("owner", "name", "errors"),
    [
        *((Used, name, FEW) for name in ("roots", "scratch", "cpu_s", "overrun_mib")),
        (Mappings, "look", FEW),
        *((sandbox_watch, name, ERRORS) for name in ("usage", "kept_by", "proportional")),
    ],
)
def test_any_error_of_a_look_is_the_bots_or_the_machines(
    monkeypatch: pytest.MonkeyPatch, owner: object, name: str, errors: list[Exception]
) -> None:
    for error in errors:
        monkeypatch.setattr(owner, name, Mock(side_effect=error))
        watch = watched(Used(), memory_mib=1, cpu_match_s=9.0)
        if getattr(error, "errno", None) in NO_MEANS or isinstance(error, MemoryError):
            with pytest.raises(NoBox, match="could not be watched"):
                watch.crossed(0, 0)
        else:
            said = str(watch.crossed(0, 0))
            assert said.startswith("what it uses cannot be measured: "), error


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Program, ...]:
    folder = str(write_bot(tmp_path_factory.mktemp("bots") / "bot", good()))
    run, resources = ("python3", "-S", "bot.py"), Resources(memory_mib=500)
    return tuple(Program(f"bot {n}", run, folder, resources) for n in range(3))


def outcome(programs: tuple[Program, ...], deals: int = 5) -> set[tuple[int, str, str]] | str:
    """The seat, kind and detail of each fault in a match, or why it is void."""
    try:
        record = play_job(Job(plan_of(deals), programs, NO_ISOLATION), 0)
    except MatchVoid as void:
        return str(void)
    faults = [entry.fault for entry in record.results.faults]
    return {(fault.seat, fault.kind, fault.detail) for fault in faults}


EACCES, EIO = OSError(errno.EACCES, "no"), OSError(errno.EIO, "no")


@pytest.mark.parametrize(
    ("name", "error", "expected"),
    [
        *(
            (name, error, {(1, "resource", f"what it uses cannot be measured: {why}")})
            for name in ("roots", "scratch")
            for error, why in ((EACCES, "no"), (RecursionError(), "RecursionError"))
        ),
        ("scratch", OSError(errno.EMFILE, "many"), "a bot could not be watched: [Errno 24] many"),
        *((name, EIO, set()) for name in ("terminate", "kill", "close")),
    ],
)
def test_an_error_of_a_box_costs_its_bot_or_makes_the_match_void_or_comes_too_late_to_matter(
    monkeypatch: pytest.MonkeyPatch,
    programs: tuple[Program, ...],
    name: str,
    error: Exception,
    expected: set[tuple[int, str, str]] | str,
) -> None:
    """It is the bot's, the machine's, or one of cleaning, which reaches no match."""
    started: list[Box] = []
    make = Process.__init__

    def begun(self: Process, box: Box, *rest: Any) -> None:
        started.append(box)
        make(self, box, *rest)
        if len(started) == 2:
            monkeypatch.setattr(box, name, Mock(side_effect=error))

    monkeypatch.setattr(Process, "__init__", begun)
    monkeypatch.setattr(sandbox_watch, "PERIOD_S", 0.001)
    monkeypatch.setattr(engine_process, "GRACE_S", 0.05)
    assert outcome(programs) == expected


def test_a_bot_that_holds_what_the_machine_lacks_is_blamed_for_it(
    monkeypatch: pytest.MonkeyPatch, programs: tuple[Program, ...]
) -> None:
    """Another cannot be watched meanwhile, and plays on."""
    seen: list[ResourceWatch] = []
    gone: list[ResourceWatch] = []
    whole = ResourceWatch.crossed

    def crossed(self: ResourceWatch, answers: int, stderr_bytes: int) -> str | None:
        if self not in seen:
            seen.append(self)
        if len(seen) == 3 and self is seen[0] and not gone:
            gone.append(self)
            raise NoBox("a bot could not be watched: [Errno 23] Too many open files in system")
        return whole(self, answers, stderr_bytes)

    monkeypatch.setattr(ResourceWatch, "crossed", crossed)
    much = "600 open descriptors"
    monkeypatch.setattr(ResourceWatch, "much", lambda self: much if self is seen[2] else "")
    # Deals enough that the match is not over before each bot was looked at.
    blamed = {(2, "resource", f"{much}, and the machine lacks means")}
    assert outcome(programs, 1000) == blamed


@pytest.mark.parametrize(
    ("kept", "much"),
    [
        (Kept(), ""),
        (Kept(descriptors=600), "600 open descriptors"),
        (Kept(watched=2049), "2,049 descriptors watched by epoll"),
    ],
)
def test_many_descriptors_are_much(kept: Kept, much: str) -> None:
    watch = watched(Used())
    watch._kept = kept
    assert watch.much() == much


@pytest.mark.parametrize("place", ["select.epoll", "scratch_each"])
def test_a_machine_without_descriptors_makes_a_match_void(
    monkeypatch: pytest.MonkeyPatch, programs: tuple[Program, ...], place: str
) -> None:
    full = OSError(errno.EMFILE, "Too many open files")
    monkeypatch.setattr(f"arena.engine.seats.{place}", Mock(side_effect=full))
    assert isinstance(outcome(programs), str)


def test_other_errors_of_the_arena_stay_ours(
    monkeypatch: pytest.MonkeyPatch, programs: tuple[Program, ...]
) -> None:
    monkeypatch.setattr("arena.engine.worker.LogWriter", Mock(side_effect=ZeroDivisionError()))
    with pytest.raises(ZeroDivisionError):
        play_match(Job(plan_of(5), programs, NO_ISOLATION))
