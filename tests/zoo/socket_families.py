"""Keeps 500 MiB in pairs of sockets full of unread data, spread over 25 processes."""

import contextlib
import socket
import time

import play

KEPT = []


def fill():
    with contextlib.suppress(OSError):
        while True:
            KEPT.extend(socket.socketpair())
            for end in KEPT[-2:]:
                end.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    while True:
                        end.send(b"x" * 32768)
    time.sleep(15)


def misdeed(message, answer):
    for _ in range(25):
        play.background(fill)
    time.sleep(3)


play.run(misdeed)
