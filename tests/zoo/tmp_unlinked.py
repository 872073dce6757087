"""Writes 600 MiB into files that it unlinks at once and keeps open."""

import os

import play

FILES = []


def misdeed(message, answer):
    written = 0
    try:
        for number in range(10):
            path = os.path.join(play.SCRATCH, str(number))
            FILES.append(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
            os.unlink(path)
            for _ in range(60):
                written += os.write(FILES[-1], b"x" * play.MIB)
    except OSError as error:
        note = f"held: {error.strerror} after {written >> 20} MiB"
    else:
        note = f"ESCAPED: {written >> 20} MiB written"
    play.hold()
    return note


play.run(misdeed)
