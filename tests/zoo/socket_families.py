"""Keeps 500 MiB in pairs of sockets full of unread data, spread over 25 processes."""

import contextlib
import socket

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
    play.hold()


def misdeed(message, answer):
    for _ in range(25):
        play.background(fill)
    play.hold()


play.run(misdeed)
