"""Watches what others do in a folder of /usr, by dnotify."""

import fcntl
import os
import signal

import play


def watch():
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    fcntl.fcntl(os.open("/usr/bin", os.O_RDONLY), fcntl.F_NOTIFY, fcntl.DN_ACCESS)


play.attempt(watch=lambda: play.aside(watch))
