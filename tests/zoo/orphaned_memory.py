"""Takes 320 MiB of shared memory through children that write 20 MiB each and are gone at once."""

import mmap
import os

import play

PART = 20 * play.MIB
shared = mmap.mmap(-1, 16 * PART)


def misdeed(message, answer):
    for part in range(16):
        shared.seek(part * PART)
        os.waitpid(play.background(lambda: shared.write(b"x" * PART)), 0)
    play.hold()


play.run(misdeed)
