"""What a program uses is measured, and control groups of either version limit its memory."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from arena.base.resources import Resources
from arena.sandbox import limits
from arena.sandbox.box import Box, children, usage
from arena.tasks.doctor import memory_groups
from tests.support.patience import until

LIMITS = Resources(memory_mib=64, scratch_mib=16)
MOST_MIB = 64 + 16 + 32  # the kernel's limit for those: above ours


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder that looks like `/proc/self`, beside which groups may be laid out."""
    process = tmp_path / "self"
    process.mkdir()
    monkeypatch.setattr(limits, "_PROC", process)
    monkeypatch.setattr(limits, "_closed", [])
    monkeypatch.setattr(limits, "_is_ours", lambda folder, *_: (folder / "cgroup.procs").exists())
    limits.homes.cache_clear()
    yield process
    limits.homes.cache_clear()


def mount(folder: Path, kind: str, options: str = "rw") -> str:
    return f"32 31 0:29 / {folder} rw,relatime - {kind} {kind} {options}\n"


@pytest.mark.parametrize(
    ("shares", "groups", "time", "memory", "version", "words"),
    [
        pytest.param(
            {"": "cpu memory pids", "user": "memory", "user/app": "memory", "user/app/scope": ""},
            "0::/user/app/scope\n",
            "unified/user/app",
            "unified/user/app",
            2,
            "version 2, in {memory}",
            id="the nearest group of version 2 that distributes memory",
        ),
        pytest.param(
            {"": "cpu", "scope": ""},
            "0::/scope\n",
            "unified/scope",
            None,
            1,
            "they count processor time only: no group above that distributes memory is ours",
            id="time alone where no group of version 2 distributes memory",
        ),
        pytest.param(
            {"": ""},
            "4:memory:/session\n3:cpu,cpuacct:/\n0::/\n",
            "unified",
            "memory/session",
            1,
            "version 1, in {memory}",
            id="a group of version 1 for memory",
        ),
    ],
)
def test_groups_are_made_in_those_of_this_process(
    machine: Path,
    shares: dict[str, str],
    groups: str,
    time: str,
    memory: str | None,
    version: int,
    words: str,
) -> None:
    base = machine.parent
    held = {f"unified/{name}": controllers for name, controllers in shares.items()}
    for folder, controllers in {**held, "memory/session": ""}.items():
        (base / folder).mkdir(parents=True, exist_ok=True)
        (base / folder / "cgroup.procs").touch()
        (base / folder / "cgroup.subtree_control").write_text(controllers)
    (machine / "cgroup").write_text(groups)
    mounts = mount(base / "memory", "cgroup", "rw,memory") + mount(base / "unified", "cgroup2")
    (machine / "mountinfo").write_text(mounts)
    home = None if memory is None else base / memory
    assert limits.homes() == limits.Homes(base / time, home, version)
    assert memory_groups() == words.format(memory=home)


@pytest.mark.parametrize(
    "groups", ["", "0::/elsewhere\n", "4:memory:/elsewhere\n", "0::/../..\n"], ids=repr
)
def test_where_no_group_is_ours_none_is_made(machine: Path, groups: str) -> None:
    (machine / "cgroup").write_text(groups)
    mounts = mount(Path("/proc"), "cgroup2") + mount(Path("/proc"), "cgroup", "memory")
    (machine / "mountinfo").write_text(mounts)
    assert limits.homes() == limits.Homes(version=1)
    assert memory_groups().startswith("none is ours")


@pytest.mark.parametrize(
    ("version", "limit", "events", "swap", "cpu_s"),
    [
        (2, "memory.max", "memory.events", "0", 1.5),
        (1, "memory.limit_in_bytes", "memory.oom_control", "", None),
    ],
)
def test_a_group_sets_the_kernels_limit_and_reads_when_it_was_reached(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    version: int,
    limit: str,
    events: str,
    swap: str,
    cpu_s: float | None,
) -> None:
    """Groups are made in plain folders, in which the kernel's files then lie."""
    files = {
        **dict.fromkeys(("cgroup.procs", limit, "memory.swap.max"), ""),
        "cpu.stat": "usage_usec 1500000\nuser_usec 1\n",
        events: "low 0\nmax 3\noom 0\noom_kill 0\n",
    }
    mkdir = os.mkdir

    def make(folder: str, *mode: int) -> None:
        mkdir(folder, *mode)
        for name, text in files.items():
            Path(folder, name).write_text(text)

    monkeypatch.setattr(os, "mkdir", make)
    group = limits.Group(
        limits.Homes(tmp_path if version == 2 else None, tmp_path, version), 7, LIMITS
    )
    (folder,) = tmp_path.iterdir()
    assert group.cpu_s() == cpu_s
    assert group.overrun_mib() is None
    (folder / events).write_text("oom_kill 2\n")
    assert group.overrun_mib() == MOST_MIB
    group.add(1234)
    written = {name: (folder / name).read_text() for name in files}
    assert written == {
        **files,
        limit: str(MOST_MIB << 20),
        "memory.swap.max": swap,
        events: "oom_kill 2\n",
        "cgroup.procs": "1234",
    }
    group.close()


def test_a_group_that_cannot_be_removed_yet_is_removed_with_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits, "_closed", [])
    group = limits.Group(limits.Homes(tmp_path), 1, LIMITS)
    (busy,) = tmp_path.iterdir()
    (busy / "process").touch()
    group.close()
    assert busy.exists()
    (busy / "process").unlink()
    limits.Group(limits.Homes(), 2, LIMITS).close()
    assert not busy.exists()


def test_a_plain_folder_is_no_home_for_groups(tmp_path: Path) -> None:
    (tmp_path / "cgroup.procs").touch()
    for file in ("memory.max", "memory.limit_in_bytes", "cgroup.procs"):
        assert not limits._is_ours(tmp_path, file)
    assert os.listdir(tmp_path) == ["cgroup.procs"]


HOG = """
import os, sys, time
os.read(0, 1)
held = [bytes(os.urandom(1)) * (1 << 20) for _ in range(200)]
print(len(held))
"""


def test_the_kernel_itself_stops_a_program_at_its_limit() -> None:
    found = limits.homes()
    if found.memory is None:
        pytest.skip("no control group for memory is ours here")
    group = limits.Group(found, os.getpid(), LIMITS)
    with subprocess.Popen(
        [sys.executable, "-c", HOG], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as hog:
        group.add(hog.pid)
        assert hog.communicate(b"x")[0] == b""
    assert hog.returncode == -9
    assert group.overrun_mib() == MOST_MIB
    folders = list(map(Path, group._folders.values()))
    group.close()

    def removed() -> bool:
        """The kernel takes a moment to see that a group is empty; the next one removes it."""
        limits.Group(limits.Homes(), 0, LIMITS).close()
        return not any(folder.exists() for folder in folders)

    until(removed)


def test_many_files_are_counted_at_once_where_the_disk_loses_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is this program's alone: others that free room hide what it writes."""
    for number in range(2000):
        (tmp_path / str(number)).touch()
    rooms = iter((1 << 30, (1 << 30) - (16 << 20)))
    monkeypatch.setattr(os, "statvfs", lambda _: SimpleNamespace(f_bfree=next(rooms), f_frsize=1))
    box = Box(cast("subprocess.Popen[bytes]", None), str(tmp_path))
    before, _ = box.scratch()
    (tmp_path / "large").write_bytes(os.urandom(16 << 20))
    assert box.scratch()[0] >= before + (16 << 20)


HEADLESS = """
import ctypes, os, threading, time
held = bytearray(b"x") * (30 << 20)
def go_on():
    first = f"/proc/self/task/{os.getpid()}/stat"
    while open(first).read().rpartition(")")[2].split()[0] != "Z":
        time.sleep(0.001)
    print("on", flush=True)
    time.sleep(9999)
threading.Thread(target=go_on).start()
ctypes.CDLL(None).syscall(60, 0)
"""


def test_a_process_without_its_first_thread_shows_its_memory() -> None:
    with subprocess.Popen([sys.executable, "-S", "-c", HEADLESS], stdout=subprocess.PIPE) as it:
        assert it.stdout is not None
        assert it.stdout.readline() == b"on\n"
        used = usage([it.pid])
        assert used.memory > 30 << 20
        assert used.tasks == 2
        assert used.pids != [it.pid]  # the number of a living thread
        os.kill(used.pids[0], 9)


def test_processes_below_are_counted_and_those_that_are_gone_are_not() -> None:
    with subprocess.Popen(["sh", "-c", "sleep 100 & wait"]) as shell:
        below = until(lambda: children(shell.pid))
        used = usage([shell.pid])
        assert (used.pids, used.tasks) == ([shell.pid, *below], 2)
        for pid in used.pids[::-1]:
            os.kill(pid, 9)
    assert (usage([1 << 30]).tasks, children(1 << 30)) == (0, [])
