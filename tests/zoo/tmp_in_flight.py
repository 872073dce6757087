"""Writes 600 MiB into files without names that are on their way through a socket for good."""

import array
import os
import socket
import time

import play

CHANNEL = socket.socketpair()


def misdeed(message, answer):
    written = 0
    try:
        for number in range(10):
            path = os.path.join(play.SCRATCH, str(number))
            file = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
            os.unlink(path)
            rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file]))]
            CHANNEL[0].sendmsg([b"x"], rights)
            for _ in range(60):
                written += os.write(file, b"x" * play.MIB)
            os.close(file)
    except OSError as error:
        note = f"held: {error.strerror} after {written >> 20} MiB"
    else:
        note = f"ESCAPED: {written >> 20} MiB written"
    time.sleep(0.5)
    return note


play.run(misdeed)
