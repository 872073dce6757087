"""Sends SIGTERM to its own process group and ignores it itself.

A group that was founded outside has the number 0 here: then nothing is sent, and it has escaped.
"""

import os
import signal

import play


def group():
    if os.getpgrp() == 0 or os.getsid(0) == 0:
        return "its group was founded outside"
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    os.kill(0, signal.SIGTERM)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    raise play.HeldError(f"only group {os.getpgrp()} was told")


play.attempt(group=group)
