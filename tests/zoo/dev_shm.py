"""Writes 150 MiB into fifteen files in /dev/shm that have no names."""

import os

import play

files = []


def misdeed(message, answer):
    written = 0
    try:
        for _ in range(150):
            if written % (10 * play.MIB) == 0:
                files.append(os.open("/dev/shm", os.O_TMPFILE | os.O_WRONLY, 0o600))
            written += os.write(files[-1], b"x" * play.MIB)
    except OSError as error:
        if not written:
            return f"held: {error.strerror}"
    play.hold()
    return f"ESCAPED: {written >> 20} MiB written"


play.run(misdeed)
