"""Keeps its core busy for 25 seconds through children of 10 ms each that nobody waits for.

Where SIGCHLD is ignored, the kernel adds a child's time to nobody's account when it ends.
"""

import os
import signal
import time

import play


def spin():
    end = time.perf_counter() + 0.01
    while time.perf_counter() < end:
        pass


def breed():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    end = time.monotonic() + 25
    while time.monotonic() < end:
        play.background(spin)
        try:
            os.wait()
        except ChildProcessError:
            continue


def misdeed(message, answer):
    play.background(breed)


play.run(misdeed, pause=0.9)
