"""Keeps its core busy in the background while it answers in time, each time after 0.2 s of that."""

import os
import time

import play

DONE, TELL = os.pipe()


def spin():
    for turn in range(1, 100):
        while time.process_time() < 0.2 * turn:
            pass
        os.write(TELL, b".")


def misdeed(message, answer):
    play.background(spin)


play.run(misdeed, pace=lambda: os.read(DONE, 1))
