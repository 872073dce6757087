"""Keeps 400 MiB in pairs of sockets for packets, each with one more than it has room for."""

import contextlib
import socket

import play

KEPT = []


def fill():
    with contextlib.suppress(OSError):
        while True:
            KEPT.extend(socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET))
            for end in KEPT[-2:]:
                end.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    for size in (100_000, 200_000):
                        end.send(bytes(size))
    play.hold()


def misdeed(message, answer):
    for _ in range(16):
        play.background(fill)
    play.hold()


play.run(misdeed)
