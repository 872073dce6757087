"""Asks whether it could signal a process outside; signal 0 harms nobody."""

import os
import signal

import play

VICTIM = play.target("victim_pid")


def pidfd():
    signal.pidfd_send_signal(os.pidfd_open(VICTIM), 0)


play.attempt(
    kill=lambda: os.kill(VICTIM, 0),
    group=lambda: os.killpg(VICTIM, 0),
    pidfd=pidfd,
)
