"""What a process keeps only by descriptors and mappings is found, each thing counted once."""

import ctypes
import mmap
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from arena.base.files import allow_descriptors
from arena.sandbox.tree import DESCRIPTORS, Kept, Tree, descendants, kept_by, sockets_in

MIB = 1 << 20
LIBC = ctypes.CDLL(None)  # Python's own mappings keep a descriptor
LIBC.mmap.restype = ctypes.c_void_p
LIBC.munmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
LIBC.mmap.argtypes = (ctypes.c_void_p, ctypes.c_size_t, *(3 * [ctypes.c_int]), ctypes.c_long)


def kept(folder: Path, mappings: bool = True) -> Kept:
    return kept_by([os.getpid()], str(folder), mappings)


def test_a_file_without_a_name_counts_while_it_is_open_or_mapped(tmp_path: Path) -> None:
    path = tmp_path / "file"
    with path.open("wb+") as file:
        file.write(bytes(range(256)) * 4096)
        file.flush()
        os.fsync(file)
        before = kept(tmp_path)  # pytest itself may keep such files
        path.unlink()
        with open(os.dup(file.fileno()), "rb"):
            found = kept(tmp_path)
            assert (found.files, found.bytes) == (before.files + 1, before.bytes + MIB)
        page = LIBC.mmap(None, mmap.PAGESIZE, mmap.PROT_READ, mmap.MAP_SHARED, file.fileno(), 0)
        assert kept(tmp_path).files == before.files + 1
    assert kept(tmp_path, mappings=False).files == before.files
    found = kept(tmp_path)
    assert found.files == before.files + 1
    assert found.bytes >= before.bytes + mmap.PAGESIZE
    LIBC.munmap(page, mmap.PAGESIZE)
    assert kept(tmp_path).files == before.files


def test_files_of_another_file_system_do_not_count(tmp_path: Path) -> None:
    before = kept(tmp_path).bytes
    with os.fdopen(os.memfd_create("elsewhere"), "wb") as file:
        file.write(bytes(MIB))
        assert kept(tmp_path).bytes == before


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
    many = [os.open("/dev/null", os.O_RDONLY) for _ in range(DESCRIPTORS)]
    assert kept(tmp_path).descriptors == DESCRIPTORS + 1
    for each in many:
        os.close(each)


def test_the_kernels_count_of_sockets_is_read() -> None:
    assert sockets_in(b"sockets: used 137\nTCP: inuse 0 orphan 0 tw 0 alloc 0 mem 0\n") == 137


def test_processes_that_are_gone_keep_nothing(tmp_path: Path) -> None:
    assert kept_by([1 << 30], str(tmp_path), True) == Kept()


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

    process = subprocess.Popen([sys.executable, "-S", "-c", HEADLESS], stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"on\n"
    tree = Tree()
    for _ in range(2):
        used = tree.look([process.pid])
        assert used.memory > 30 * MIB
        assert used.tasks == 2
        assert tree.pids != [process.pid]  # the number of a living thread
    assert descendants(process.pid) == tree.pids
    tree.close()
    os.kill(tree.pids[0], 9)
    process.wait()
    process.stdout.close()


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
            assert kept_by([ended.pid], "/tmp", mappings=False).files == 0
            with pytest.raises(PermissionError):
                kept_by([os.getpid()], "/tmp", mappings=False)


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
        assert kept_by([ended.pid], "/tmp", mappings=False) == Kept()
    with pytest.raises(PermissionError):
        kept_by([os.getpid()], "/tmp", mappings=False)
