"""Keeps its core busy in the background for 25 seconds while it answers in time."""

import time

import play


def spin():
    end = time.monotonic() + 25
    while time.monotonic() < end:
        pass


def misdeed(message, answer):
    play.background(spin)


play.run(misdeed, pause=0.5)
