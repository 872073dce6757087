"""Attaches to its parent and to a process outside as a debugger, without stopping them."""

import ctypes
import os

import play

libc = ctypes.CDLL(None, use_errno=True)
PTRACE_SEIZE = 0x4206


def traced(pid):
    def seize():  # the kernel lets the process go when the child that holds it ends
        if libc.ptrace(PTRACE_SEIZE, pid, None, None) < 0:
            raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))

    return play.aside(seize)


PARENT, VICTIM = os.getppid(), play.target("victim_pid")
play.attempt(parent=lambda: traced(PARENT), victim=lambda: traced(VICTIM))
