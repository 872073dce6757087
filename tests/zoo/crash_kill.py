"""Sends SIGKILL to itself at its first request."""

import os
import signal

import play

play.run(lambda *_: os.kill(os.getpid(), signal.SIGKILL))
