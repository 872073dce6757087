"""Falls silent at its first request and ignores SIGTERM and the end of its input."""

import os
import signal
import time

import play


def misdeed(message, answer):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(600)
    os._exit(0)


play.run(misdeed)
