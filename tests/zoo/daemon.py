"""Leaves a process of another session behind that holds its pipes for 30 seconds."""

import os
import signal
import time

import play


def hidden():
    os.setsid()
    if os.fork():
        os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(30)


def misdeed(message, answer):
    os.waitpid(play.background(hidden), 0)
    return "held: it is for the arena to end what was left"


play.run(misdeed)
