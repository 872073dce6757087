"""Starts 12 processes that take 40 MiB each and leave after 20 seconds."""

import time

import play


def child():
    taken = b"x" * (40 * play.MIB)
    time.sleep(20)
    del taken


def misdeed(message, answer):
    for _ in range(12):
        play.background(child)
    time.sleep(0.6)


play.run(misdeed)
