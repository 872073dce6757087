"""Opens 4,000 pseudo-terminals in 40 processes, and writes what nobody reads into each."""

import contextlib
import os
import time

import play


def fill():
    with contextlib.suppress(OSError):
        while True:
            master = os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            with contextlib.suppress(BlockingIOError):
                while os.write(master, b"x\n" * 2048):
                    pass
    time.sleep(15)


def terminals():
    os.close(os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY))
    for _ in range(40):
        play.background(fill)
    time.sleep(3)
    return "4,000"


play.attempt(terminals=terminals)
