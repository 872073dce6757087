"""The end of a child process is told by the kernel, or else asked for."""

import errno
import os
import subprocess

import pytest
import trio

from arena.engine.process import end_of
from tests.support.patience import PATIENCE_S


async def ended(popen: "subprocess.Popen[bytes]") -> int | None:
    with trio.fail_after(PATIENCE_S):
        await end_of(popen, lambda: popen.poll() is not None)
    return popen.poll()


def test_the_kernel_tells_the_end_without_a_nap(monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(os, "pidfd_open"):
        pytest.skip("this system has no handles of processes")
    monkeypatch.setattr(trio, "sleep", None)
    with subprocess.Popen(["sh", "-c", "read line; exit 3"], stdin=subprocess.PIPE) as popen:
        assert popen.stdin is not None
        popen.stdin.close()
        assert trio.run(ended, popen) == 3


def test_without_descriptors_it_is_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(pid: int) -> int:
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(os, "pidfd_open", full, raising=False)
    with subprocess.Popen(["sh", "-c", "exit 4"]) as popen:
        assert trio.run(ended, popen) == 4


def test_one_that_ended_before_is_told_at_once() -> None:
    with subprocess.Popen(["true"]) as popen:
        os.waitid(os.P_PID, popen.pid, os.WEXITED | os.WNOWAIT)
        assert trio.run(ended, popen) == 0


def test_the_wait_can_be_given_up_and_taken_up_again() -> None:
    async def twice(popen: "subprocess.Popen[bytes]") -> int | None:
        with trio.move_on_after(0.01):
            await end_of(popen, lambda: popen.poll() is not None)
        assert popen.poll() is None
        popen.kill()
        return await ended(popen)

    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as popen:
        assert trio.run(twice, popen) == -9
