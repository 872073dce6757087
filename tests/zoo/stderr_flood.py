"""Writes 6 MiB to its standard error at its first request."""

import sys

import play


def misdeed(message, answer):
    for _ in range(96):
        sys.stderr.write("x" * 65535 + "\n")
    sys.stderr.flush()
    play.hold()


play.run(misdeed)
