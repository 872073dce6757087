"""Asks whether kill(-1) would reach anybody.

It asks with signal 0, for which the kernel checks the same rights. With SIGTERM, outside of a
sandbox, every process of the user would end. kill(-1) also succeeds where everybody it found
refused it, so each is then asked by itself.
"""

import contextlib
import os

import play


def everybody():
    os.kill(-1, 0)
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        with contextlib.suppress(OSError):
            if pid != os.getpid():
                os.kill(pid, 0)
                return f"process {pid} is in reach"
    raise play.HeldError("everybody refused it")


play.attempt(everybody=everybody)
