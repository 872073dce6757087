"""The watch finds which limit is crossed; a watch that fails costs the bot it watches, or makes the
match void, but never another's match."""

import ctypes
import errno
import mmap
import os
import select
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from arena.base.files import allow_descriptors
from arena.base.resources import Resources
from arena.engine import process as engine_process
from arena.engine.job import Job
from arena.engine.process import Process
from arena.engine.worker import play_match
from arena.engine.workers import play_job
from arena.match.commands import MatchVoid
from arena.match.record import MatchRecord
from arena.sandbox import watch as sandbox_watch
from arena.sandbox.box import NO_MEANS, TOO_MUCH, Box, NoBox, disk_use, usage
from arena.sandbox.box import Program as BotProgram
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
    """A box that says what it has used, whose only process is this one."""

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
def _shares(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process of the tests, which is watched here, may share memory as other tests need it."""
    monkeypatch.setattr(sandbox_watch, "MAX_SHARED", 1_000_000)


class Program:
    def __init__(self, **limits: float) -> None:
        self.used = Used()
        self.box: Box = self.used
        self.resources = Resources(**limits)  # type: ignore[arg-type]
        self.answers = 0
        self.stderr_bytes = 0


def watch_of(program: Program) -> ResourceWatch:
    return ResourceWatch(program.box, program.resources)


def test_many_cheap_moves_do_not_cross_the_limit_of_one() -> None:
    program = Program(cpu_move_s=1.0)
    watch = watch_of(program)
    for _ in range(50):
        program.used.seconds += 0.9
        assert watch.crossed(program.answers, program.stderr_bytes) is None
        program.answers += 1
        assert watch.crossed(program.answers, program.stderr_bytes) is None
    assert watch.cpu_s == pytest.approx(45.0)


def test_a_dear_move_crosses_the_limit_though_moves_before_it_were_cheap() -> None:
    program = Program(cpu_move_s=1.0)
    watch = watch_of(program)
    program.used.seconds, program.answers = 0.9, 1
    assert watch.crossed(program.answers, program.stderr_bytes) is None
    program.used.seconds += 1.0
    assert (
        watch.crossed(program.answers, program.stderr_bytes) is None
    )  # at the limit, not above it
    program.used.seconds += 0.1
    assert (
        watch.crossed(program.answers, program.stderr_bytes)
        == "processor time: 1.1 s, the limit is 1 s a move"
    )


def test_what_a_program_uses_until_it_is_ready_counts_by_the_match_alone() -> None:
    program = Program(cpu_move_s=1.0, cpu_match_s=9.0)
    watch = watch_of(program)
    program.used.seconds = 7.0
    assert watch.crossed(program.answers, program.stderr_bytes) is None
    program.used.seconds, program.answers = 7.5, 1
    assert watch.crossed(program.answers, program.stderr_bytes) is None
    program.used.seconds = 8.6
    assert (
        watch.crossed(program.answers, program.stderr_bytes)
        == "processor time: 1.1 s, the limit is 1 s a move"
    )
    program.answers, program.used.seconds = 0, 9.5
    watch = watch_of(program)
    assert (
        watch.crossed(program.answers, program.stderr_bytes)
        == "processor time: 9.5 s, the limit is 9 s a match"
    )


def test_what_counts_by_the_match_does_not_begin_anew() -> None:
    program = Program(cpu_match_s=1.0, stderr_mib=1, scratch_files=3)
    watch = watch_of(program)
    program.stderr_bytes, program.used.stored = 1 << 20, (0, 3)
    for _ in range(4):
        program.used.seconds += 0.25
        program.answers += 1
        assert watch.crossed(program.answers, program.stderr_bytes) is None
    program.stderr_bytes += 1 << 10
    assert (
        watch.crossed(program.answers, program.stderr_bytes)
        == "stderr: 1.001 MiB, the limit is 1 MiB a match"
    )
    program.used.stored = (0, 4)
    assert (
        watch.crossed(program.answers, program.stderr_bytes)
        == "$TMPDIR holds 4 files, the limit is 3 files"
    )
    program.used.seconds += 0.1
    assert (
        watch.crossed(program.answers, program.stderr_bytes)
        == "processor time: 1.1 s, the limit is 1 s a match"
    )


def test_mappings_count_though_no_page_of_them_is_used() -> None:
    libc = ctypes.CDLL(None)
    libc.mmap.restype, size = ctypes.c_void_p, 2 * 9000 * mmap.PAGESIZE
    private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    place = libc.mmap(None, ctypes.c_size_t(size), mmap.PROT_READ, private, -1, 0)
    watch = watch_of(Program())
    assert watch.crossed(0, 0) is None
    for at in range(place, place + size, 2 * mmap.PAGESIZE):
        assert libc.mprotect(ctypes.c_void_p(at), ctypes.c_size_t(mmap.PAGESIZE), 0) == 0
    assert "mappings of memory: more than 8,192" in [watch.crossed(0, 0) for _ in range(4)]
    libc.munmap(ctypes.c_void_p(place), ctypes.c_size_t(size))


def kept(folder: Path) -> Kept:
    return kept_by([os.getpid()], str(folder))


def mapped(folder: Path) -> dict[int, int]:
    mappings = Mappings(str(folder))
    mappings.look(usage([os.getpid()]))
    return mappings.files


def test_a_file_without_a_name_counts_while_it_is_open_or_mapped(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with path.open("wb+") as file:
        file.write(bytes(range(256)) * 4096)
        file.flush()
        os.fsync(file)
        inode = os.fstat(file.fileno()).st_ino
        assert inode not in kept(tmp_path).files
        path.unlink()
        with open(os.dup(file.fileno()), "rb"):
            assert kept(tmp_path).files[inode] == MIB
        page = LIBC.mmap(None, mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), 0)
    assert inode not in kept(tmp_path).files
    assert mapped(tmp_path)[inode] >= mmap.PAGESIZE
    LIBC.munmap(page, mmap.PAGESIZE)
    assert inode not in mapped(tmp_path)


def test_files_of_another_file_system_do_not_count(tmp_path: Path) -> None:
    before = kept(tmp_path).files
    with os.fdopen(os.memfd_create("elsewhere"), "wb") as file:
        file.write(bytes(MIB))
        assert kept(tmp_path).files == before


def test_many_sockets_count_as_full_of_data(tmp_path: Path) -> None:
    before = kept(tmp_path)
    pairs = [socket.socketpair() for _ in range(20)]
    found = kept(tmp_path)
    assert found.sockets == before.sockets + 40
    assert found.memory >= 24 * 208 * 1024
    assert found.descriptors == before.descriptors + 40
    for one, other in pairs:
        one.close()
        other.close()
    assert Kept(sockets=16).memory == 0
    assert Kept(sockets=17).memory > 208 * 1024


def test_of_very_many_descriptors_few_more_are_looked_at(tmp_path: Path) -> None:
    allow_descriptors(4096)
    many = [os.open("/dev/null", os.O_RDONLY) for _ in range(MAX_DESCRIPTORS)]
    assert kept(tmp_path).descriptors == MAX_DESCRIPTORS + 1
    for each in many:
        os.close(each)


def test_processes_that_are_gone_keep_nothing(tmp_path: Path) -> None:
    assert kept_by([1 << 30], str(tmp_path)) == Kept()


def test_a_process_that_ends_while_it_is_inspected_hides_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its folder of descriptors belongs to root from then on, so their names cannot be followed."""
    listed, looked_at = os.listdir, os.stat

    def names(path: str) -> list[str]:
        return ["0", "1"] if path.endswith("/fd") else listed(path)

    def closed(path: str) -> os.stat_result:
        if "/fd/" in path:
            raise PermissionError(13, "Permission denied")
        return looked_at(path)

    with subprocess.Popen(["true"]) as ended:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        with monkeypatch.context() as patched:
            patched.setattr(os, "listdir", names)
            patched.setattr(os, "stat", closed)
            assert kept_by([ended.pid], "/tmp").files == {}
            with pytest.raises(PermissionError):
                kept_by([os.getpid()], "/tmp")


def test_a_process_that_has_ended_hides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Until its parent waits for it, the kernel keeps its descriptors from all but root."""
    listed = os.listdir

    def closed(path: str) -> list[str]:
        if path.endswith("/fd"):
            raise PermissionError(13, "Permission denied")
        return listed(path)

    with subprocess.Popen(["true"]) as ended:
        os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
        monkeypatch.setattr(os, "listdir", closed)
        assert kept_by([ended.pid], "/tmp") == Kept()
    with pytest.raises(PermissionError):
        kept_by([os.getpid()], "/tmp")


def test_shared_memory_counts_by_its_largest_size_until_it_is_gone() -> None:
    flags = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS
    mappings = Mappings(None)
    mappings.look(usage([os.getpid()]))
    before = dict(mappings.shared)
    place = LIBC.mmap(None, 32 * MIB, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0)
    mappings.look(usage([os.getpid()]))
    (inode,) = mappings.shared.keys() - before.keys()
    LIBC.munmap(place + mmap.PAGESIZE, 32 * MIB - mmap.PAGESIZE)
    mappings.look(usage([os.getpid()]))
    assert mappings.shared[inode] == 32 * MIB
    LIBC.munmap(place, mmap.PAGESIZE)
    mappings.look(usage([os.getpid()]))
    assert inode not in mappings.shared


def test_shared_memory_cut_short_between_two_looks_counts_by_its_page_faults() -> None:
    flags = mmap.MAP_SHARED | mmap.MAP_ANONYMOUS
    mappings = Mappings(None)
    mappings.look(usage([os.getpid()]))
    before = dict(mappings.shared)
    place = LIBC.mmap(None, 32 * MIB, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0)
    ctypes.memset(place, 1, 32 * MIB)
    LIBC.munmap(place + mmap.PAGESIZE, 32 * MIB - mmap.PAGESIZE)
    mappings.look(usage([os.getpid()]))
    (inode,) = mappings.shared.keys() - before.keys()
    assert mappings.shared[inode] > 24 * MIB
    LIBC.munmap(place, mmap.PAGESIZE)


def test_what_epoll_watches_is_counted_by_entries_not_by_descriptors(tmp_path: Path) -> None:
    before = kept(tmp_path).watched
    one, other = os.pipe()
    polls = [select.epoll() for _ in range(3)]
    for poll in polls:
        poll.register(one)
        for number in range(900, 920):
            os.dup2(one, number)
            poll.register(number)
            os.close(number)
    assert kept(tmp_path).watched == before + 3 * 21
    for poll in polls:
        poll.close()
    os.close(one)
    os.close(other)
    assert kept(tmp_path).watched == before


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
    *((Box, name) for name in ("roots", "scratch", "cpu_s", "overrun_mib")),
    (Mappings, "look"),
    *((sandbox_watch, name) for name in ("usage", "kept_by", "proportional")),
]
"""What the watch asks at a look."""


@pytest.fixture(autouse=True)
def _others(monkeypatch: pytest.MonkeyPatch) -> None:
    """Matches are played in this very process, whose other children are not theirs to end."""
    monkeypatch.setattr("arena.engine.workers.end_children", lambda: None)


def raising(error: Exception) -> Callable[..., object]:
    def fail(*_: object, **__: object) -> object:
        raise error

    return fail


@pytest.mark.parametrize(("owner", "name"), PLACES, ids=[name for _, name in PLACES])
def test_any_error_of_a_look_is_the_bots_or_the_machines(
    monkeypatch: pytest.MonkeyPatch, owner: object, name: str
) -> None:
    program = Program(memory_mib=1, cpu_match_s=9.0)
    for error in ERRORS if owner is sandbox_watch else FEW:
        watch = watch_of(program)
        with monkeypatch.context() as patched:
            patched.setattr(program.used if owner is Box else owner, name, raising(error))
            if getattr(error, "errno", None) in NO_MEANS or isinstance(error, MemoryError):
                with pytest.raises(NoBox, match="could not be watched"):
                    watch.crossed(program.answers, program.stderr_bytes)
            else:
                said = watch.crossed(program.answers, program.stderr_bytes)
                assert said is not None, error
                assert said.startswith("what it uses cannot be measured: "), error


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> tuple[BotProgram, ...]:
    folder = write_bot(tmp_path_factory.mktemp("bots") / "bot", good())
    run = ("python3", "-S", "bot.py")
    found = [BotProgram(f"bot {n}", run, str(folder), Resources(memory_mib=500)) for n in range(3)]
    return tuple(found)


def strange(monkeypatch: pytest.MonkeyPatch, owner: type, name: str, error: Exception) -> None:
    """Have a method fail for the second process that is started, and for no other."""
    started: list[Box] = []
    make, whole = Process.__init__, getattr(owner, name)

    def begun(self: Process, box: Box, *rest: object) -> None:
        started.append(box)
        make(self, box, *rest)  # type: ignore[arg-type]

    def maybe(self: Process | Box | ResourceWatch, *rest: object, **more: object) -> object:
        box = getattr(self, "box", None) or getattr(self, "_box", None) or self
        if len(started) > 1 and box is started[1]:
            raise error
        return whole(self, *rest, **more)

    monkeypatch.setattr(Process, "__init__", begun)
    monkeypatch.setattr(owner, name, maybe)


def play(programs: tuple[BotProgram, ...]) -> MatchRecord | MatchVoid:
    try:
        return play_job(Job(plan_of(5), programs, NO_ISOLATION), 0)
    except MatchVoid as void:
        return void


def blamed(record: MatchRecord | MatchVoid) -> set[tuple[int, str]]:
    assert isinstance(record, MatchRecord), record
    return {(entry.fault.seat, entry.fault.kind) for entry in record.results.faults}


@pytest.mark.parametrize("name", ["roots", "scratch"])
@pytest.mark.parametrize("error", [PermissionError(errno.EACCES, "no"), RecursionError()], ids=repr)
def test_only_the_bot_that_cannot_be_watched_is_blamed(
    monkeypatch: pytest.MonkeyPatch, programs: tuple[BotProgram, ...], name: str, error: Exception
) -> None:
    monkeypatch.setattr(sandbox_watch, "PERIOD_S", 0.001)
    strange(monkeypatch, Box, name, error)
    assert blamed(play(programs)) == {(1, "resource")}


def test_a_match_that_the_machine_cannot_watch_is_void(
    monkeypatch: pytest.MonkeyPatch, programs: tuple[BotProgram, ...]
) -> None:
    strange(monkeypatch, Box, "scratch", OSError(errno.EMFILE, "Too many open files"))
    void = play(programs)
    assert isinstance(void, MatchVoid)
    assert "could not be watched: [Errno 24]" in str(void)


def test_a_bot_that_holds_what_the_machine_lacks_is_blamed_for_it(
    monkeypatch: pytest.MonkeyPatch, programs: tuple[BotProgram, ...]
) -> None:
    """Another cannot be watched meanwhile, and plays on."""
    seen: list[ResourceWatch] = []
    whole = ResourceWatch.crossed

    def crossed(self: ResourceWatch, answers: int, stderr_bytes: int) -> str | None:
        if self not in seen:
            seen.append(self)
        if len(seen) == 3 and self is seen[0] and not gone:
            gone.append(self)
            raise NoBox("a bot could not be watched: [Errno 23] Too many open files in system")
        return whole(self, answers, stderr_bytes)

    gone: list[ResourceWatch] = []
    monkeypatch.setattr(ResourceWatch, "crossed", crossed)
    much = "600 open descriptors"
    monkeypatch.setattr(ResourceWatch, "much", lambda self: much if self is seen[2] else "")
    record = play(programs)
    assert blamed(record) == {(2, "resource")}
    assert isinstance(record, MatchRecord)
    [fault] = {entry.fault.detail for entry in record.results.faults}
    assert fault == "600 open descriptors, and the machine lacks means"


def test_many_descriptors_are_much() -> None:
    watch = watch_of(Program())
    assert watch.much() == ""
    watch._kept = Kept(descriptors=600)
    assert watch.much() == "600 open descriptors"
    watch._kept = Kept(watched=2049)
    assert watch.much() == "2,049 descriptors watched by epoll"


@pytest.mark.parametrize(
    ("owner", "name"),
    [(Box, "terminate"), (Box, "kill"), (Box, "close")],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_errors_of_cleaning_reach_no_match(
    monkeypatch: pytest.MonkeyPatch, programs: tuple[BotProgram, ...], owner: type, name: str
) -> None:
    monkeypatch.setattr(engine_process, "GRACE_S", 0.05)
    strange(monkeypatch, owner, name, OSError(errno.EIO, "Input/output error"))
    assert blamed(play(programs)) == set()


def test_a_machine_without_descriptors_makes_a_match_void(
    monkeypatch: pytest.MonkeyPatch, programs: tuple[BotProgram, ...]
) -> None:
    full = OSError(errno.EMFILE, "Too many open files")
    for place in ("arena.engine.seats.select.epoll", "arena.engine.seats.scratch_each"):
        with monkeypatch.context() as patched:
            patched.setattr(place, raising(full))
            assert isinstance(play(programs), MatchVoid)


def test_other_errors_of_the_arena_stay_ours(
    monkeypatch: pytest.MonkeyPatch, programs: tuple[BotProgram, ...]
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
