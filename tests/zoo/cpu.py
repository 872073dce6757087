"""Keeps its core busy in the background while it answers in time."""

import contextlib
import os
import signal
import sys
import time

import play

DONE, TELL = os.pipe()


def spin(seconds):
    while time.process_time() < seconds:
        pass


def cpu_spinner():
    """Compute 0.2 s before each answer."""
    for turn in range(1, 100):
        spin(0.2 * turn)
        os.write(TELL, b".")


def cpu_short_lives():
    """Compute in children of 10 ms each.

    Where SIGCHLD is ignored, the kernel adds a child's time to nobody's account when it ends.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in range(100):
        for _ in range(20):
            play.background(lambda: spin(0.01))
            with contextlib.suppress(ChildProcessError):
                os.wait()
        os.write(TELL, b".")


def misdeed(message, answer):
    work = {"cpu_spinner": cpu_spinner, "cpu_short_lives": cpu_short_lives}[sys.argv[1]]
    play.background(work)


play.run(misdeed, pace=lambda: os.read(DONE, 1))
