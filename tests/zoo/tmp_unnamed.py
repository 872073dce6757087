"""Writes 100 MiB into ten files in its scratch folder that have no names."""

import os

import play

files = []


def misdeed(message, answer):
    written = 0
    try:
        for _ in range(100):
            if written % (10 * play.MIB) == 0:
                files.append(os.open(play.SCRATCH, os.O_TMPFILE | os.O_WRONLY, 0o600))
            written += os.write(files[-1], b"x" * play.MIB)
    except OSError as error:
        note = f"held: {error.strerror} after {written >> 20} MiB"
    else:
        note = f"ESCAPED: {written >> 20} MiB written"
    play.hold()
    return note


play.run(misdeed)
