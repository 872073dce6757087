"""The watch tells which limit is crossed; limits per move start anew with each answer."""

import ctypes
import mmap
import os
import subprocess
from pathlib import Path

import pytest

from arena.base.resources import Resources
from arena.sandbox.box import Box
from arena.sandbox.tree import Kept, mappings
from arena.sandbox.watch import ResourceWatch


class Used(Box):
    """A box that says what it has used, whose only process is this one."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.stored = (0, 0)
        self.unnamed = Kept()
        self._group = None

    def roots(self) -> list[int]:
        return [os.getpid()]

    def cpu_s(self) -> float:
        return self.seconds

    def kept(self, pids: list[int], mappings: bool) -> Kept:
        return self.unnamed

    def scratch(self) -> tuple[int, int]:
        return self.stored


class Program:
    def __init__(self, **limits: float) -> None:
        self.used = Used()
        self.box: Box = self.used
        self.resources = Resources(**limits)  # type: ignore[arg-type]
        self.answers = 0
        self.stderr_bytes = 0


def test_many_cheap_moves_do_not_cross_the_limit_of_one() -> None:
    program = Program(cpu_move_s=1.0)
    watch = ResourceWatch(program)
    for _ in range(50):
        program.used.seconds += 0.9
        assert watch.crossed() is None
        program.answers += 1
        assert watch.crossed() is None
    assert watch.cpu_s == pytest.approx(45.0)
    watch.close()


def test_a_dear_move_crosses_the_limit_though_moves_before_it_were_cheap() -> None:
    program = Program(cpu_move_s=1.0)
    watch = ResourceWatch(program)
    program.used.seconds, program.answers = 0.9, 1
    assert watch.crossed() is None
    program.used.seconds += 1.0
    assert watch.crossed() is None  # at the limit, not above it
    program.used.seconds += 0.1
    assert watch.crossed() == "processor time: 1.1 s, the limit is 1 s a move"
    watch.close()


def test_what_a_program_uses_until_it_is_ready_counts_by_the_match_alone() -> None:
    program = Program(cpu_move_s=1.0, cpu_match_s=9.0)
    watch = ResourceWatch(program)
    program.used.seconds = 7.0
    assert watch.crossed() is None
    program.used.seconds, program.answers = 7.5, 1
    assert watch.crossed() is None
    program.used.seconds = 8.6
    assert watch.crossed() == "processor time: 1.1 s, the limit is 1 s a move"
    watch.close()
    program.answers, program.used.seconds = 0, 9.5
    watch = ResourceWatch(program)
    assert watch.crossed() == "processor time: 9.5 s, the limit is 9 s a match"
    watch.close()


def test_what_counts_by_the_match_does_not_begin_anew() -> None:
    program = Program(cpu_match_s=1.0, stderr_mib=1, scratch_files=3)
    watch = ResourceWatch(program)
    program.stderr_bytes, program.used.stored = 1 << 20, (0, 3)
    for _ in range(4):
        program.used.seconds += 0.25
        program.answers += 1
        assert watch.crossed() is None
    program.stderr_bytes += 1 << 10
    assert watch.crossed() == "stderr: 1.001 MiB, the limit is 1 MiB a match"
    program.used.stored = (0, 4)
    assert watch.crossed() == "$TMPDIR holds 4 files, the limit is 3 files"
    program.used.seconds += 0.1
    assert watch.crossed() == "processor time: 1.1 s, the limit is 1 s a match"
    watch.close()


def test_mappings_count_though_no_page_of_them_is_used() -> None:
    libc = ctypes.CDLL(None)
    libc.mmap.restype, size = ctypes.c_void_p, 2 * 9000 * mmap.PAGESIZE
    private = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
    place = libc.mmap(None, ctypes.c_size_t(size), mmap.PROT_READ, private, -1, 0)
    watch = ResourceWatch(Program())
    assert watch.crossed() is None
    for at in range(place, place + size, 2 * mmap.PAGESIZE):
        assert libc.mprotect(ctypes.c_void_p(at), ctypes.c_size_t(mmap.PAGESIZE), 0) == 0
    assert mappings([os.getpid()], 100).number == 101
    assert "mappings of memory: more than 8,192" in [watch.crossed() for _ in range(4)]
    libc.munmap(ctypes.c_void_p(place), ctypes.c_size_t(size))
    watch.close()


def test_many_files_are_counted_at_once_where_the_disk_loses_room(tmp_path: Path) -> None:
    for number in range(2000):
        (tmp_path / str(number)).touch()
    with subprocess.Popen(["sleep", "infinity"]) as popen:
        box = Box(popen, str(tmp_path))
        before, _ = box.scratch()
        (tmp_path / "large").write_bytes(os.urandom(16 << 20))
        os.sync()
        assert box.scratch()[0] >= before + (16 << 20)
        popen.kill()
