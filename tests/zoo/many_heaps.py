"""Starts 12 processes that take 40 MiB each."""

import play


def child():
    taken = b"x" * (40 * play.MIB)
    play.hold()
    del taken


def misdeed(message, answer):
    for _ in range(12):
        play.background(child)
    play.hold()


play.run(misdeed)
