"""Types a blank into the terminal that the arena was started from."""

import fcntl
import os
import termios

import play


def typed(file):
    fcntl.ioctl(file, termios.TIOCSTI, b" ")


def terminal():
    typed(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))


play.attempt(
    stdin=lambda: typed(0), stdout=lambda: typed(1), stderr=lambda: typed(2), terminal=terminal
)
