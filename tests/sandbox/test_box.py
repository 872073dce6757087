"""A box measures what its program keeps on the disk and what its processes use."""

import os
import subprocess
import sys
from pathlib import Path

from arena.sandbox.box import Box, children, usage


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


MIB = 1 << 20


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
    used = usage([process.pid])
    assert used.memory > 30 * MIB
    assert used.tasks == 2
    assert used.pids != [process.pid]  # the number of a living thread
    os.kill(used.pids[0], 9)
    process.wait()
    process.stdout.close()


def test_processes_below_are_counted_and_those_that_are_gone_are_not() -> None:
    with subprocess.Popen(["sh", "-c", "sleep 100 & wait"]) as shell:
        while not children(shell.pid):
            pass
        used = usage([shell.pid])
        assert used.pids == [shell.pid, *children(shell.pid)]
        assert used.tasks == 2
        for pid in used.pids[::-1]:
            os.kill(pid, 9)
    assert usage([1 << 30]).tasks == 0
    assert children(1 << 30) == []
