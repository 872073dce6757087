"""Writes 600 MiB into files without names that are open nowhere, but mapped with one page each."""

import mmap
import os

import play

PAGES = []


def misdeed(message, answer):
    written = 0
    try:
        for number in range(10):
            path = os.path.join(play.SCRATCH, str(number))
            file = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
            os.unlink(path)
            for _ in range(60):
                written += os.write(file, b"x" * play.MIB)
            PAGES.append(mmap.mmap(file, mmap.PAGESIZE))
            os.closerange(file, 100)  # the mapping's own descriptor, too
    except OSError as error:
        note = f"held: {error.strerror} after {written >> 20} MiB"
    else:
        note = f"ESCAPED: {written >> 20} MiB written"
    play.hold()
    return note


play.run(misdeed)
