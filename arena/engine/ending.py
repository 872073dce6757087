"""Waits for the end of a child process."""

import os
import subprocess
from collections.abc import Callable
from typing import Final

import trio
from trio.lowlevel import wait_readable

_FIRST_NAP_S: Final = 0.0005
_LONGEST_NAP_S: Final = 0.02


async def end_of(popen: "subprocess.Popen[bytes]", ended: Callable[[], bool]) -> None:
    """Wait until a process has ended: the kernel tells, or else we keep asking `ended`."""
    try:
        handle = os.pidfd_open(popen.pid)
    except (AttributeError, OSError):  # not on Linux, or no descriptors are left
        nap = _FIRST_NAP_S
        while not ended():
            await trio.sleep(nap)
            nap = min(nap * 1.5, _LONGEST_NAP_S)
        return
    try:
        await wait_readable(handle)
    finally:
        os.close(handle)
