"""Plays honestly, then ignores the end of its input and SIGTERM for 20 seconds."""

import signal
import time

import play


def misdeed(message, answer):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(20)


play.run(misdeed, at="bye", note="held: it stays only after bye")
