"""Takes 400 MiB of memory for itself."""

import play

taken = []


def misdeed(message, answer):
    for _ in range(10):
        taken.append(b"x" * (40 * play.MIB))
    play.hold()


play.run(misdeed)
