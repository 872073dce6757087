"""Keeps its core busy through children of 10 ms each that nobody waits for, and answers meanwhile.

Where SIGCHLD is ignored, the kernel adds a child's time to nobody's account when it ends.
"""

import os
import signal
import time

import play

DONE, TELL = os.pipe()


def spin():
    while time.process_time() < 0.01:
        pass


def breed():
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in range(100):
        for _ in range(20):
            play.background(spin)
            try:
                os.wait()
            except ChildProcessError:
                continue
        os.write(TELL, b".")


def misdeed(message, answer):
    play.background(breed)


play.run(misdeed, pace=lambda: os.read(DONE, 1))
