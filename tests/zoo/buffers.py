"""Keeps memory in the kernel's buffers for sockets and pipes: each animal as its name says."""

import contextlib
import fcntl
import os
import socket
import sys
from itertools import repeat

import play

KEPT = []


def fill_sockets(kind, sizes, most=1 << 40):
    """Fill pairs of sockets until no more can be had; return how many bytes they keep."""
    held = 0
    with contextlib.suppress(OSError):
        while held < most:
            KEPT.extend(socket.socketpair(socket.AF_UNIX, kind))
            for end in KEPT[-2:]:
                end.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    for size in sizes:
                        held += end.send(bytes(size))
    return held


def fill_pipes():
    """Fill 120 pipes of 1 MiB; return how many bytes they keep."""
    held = 0
    with contextlib.suppress(OSError):
        for _ in range(120):
            KEPT.append(os.pipe())
            os.set_blocking(KEPT[-1][1], False)
            with contextlib.suppress(OSError):
                fcntl.fcntl(KEPT[-1][1], fcntl.F_SETPIPE_SZ, play.MIB)
            held += os.write(KEPT[-1][1], b"x" * play.MIB)
    return held


def at_most(mib, held):
    """What came of buffers of which more than some MiB are too many."""
    if held <= mib * play.MIB:
        raise play.HeldError(f"{held / play.MIB:.1f} MiB")
    return f"{held / play.MIB:.1f} MiB"


def in_children(count, kind, sizes):
    """The misdeed that fills sockets in many processes."""

    def child():
        fill_sockets(kind, sizes)
        play.hold()

    def misdeed(message, answer):
        for _ in range(count):
            play.background(child)
        play.hold()

    return misdeed


match sys.argv[1]:
    case "big_pipes":
        play.attempt(pipes=lambda: at_most(80, fill_pipes()))
    case "socket_buffers":
        play.attempt(
            sockets=lambda: at_most(
                64, fill_sockets(socket.SOCK_STREAM, repeat(32768), 100 * play.MIB)
            )
        )
    case "socket_families":
        play.run(in_children(25, socket.SOCK_STREAM, repeat(32768)))
    case "socket_packets":  # each with one more than it has room for
        play.run(in_children(16, socket.SOCK_SEQPACKET, (100_000, 200_000)))
