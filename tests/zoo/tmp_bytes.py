"""Writes 100 MiB into ten files in its scratch folder."""

from pathlib import Path

import play


def misdeed(message, answer):
    written = 0
    try:
        for part in range(10):
            written += Path(play.SCRATCH, f"big-{part}").write_bytes(b"x" * (10 * play.MIB))
    except OSError as error:
        note = f"held: {error.strerror} after {written >> 20} MiB"
    else:
        note = f"ESCAPED: {written >> 20} MiB written"
    play.hold()
    return note


play.run(misdeed)
