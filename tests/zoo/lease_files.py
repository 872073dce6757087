"""Takes a lease on a file of /usr, which tells when another opens it."""

import fcntl
import os
import signal

import play


def lease():
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    file = os.open("/usr/bin/env", os.O_RDONLY)
    fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)


play.attempt(lease=lambda: play.aside(lease))
