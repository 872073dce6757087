"""Takes 400 MiB of anonymous shared memory."""

import mmap

import play

shared = mmap.mmap(-1, 400 * play.MIB)


def misdeed(message, answer):
    for part in range(10):
        shared.seek(part * 40 * play.MIB)
        shared.write(b"x" * (40 * play.MIB))
    play.hold()


play.run(misdeed)
