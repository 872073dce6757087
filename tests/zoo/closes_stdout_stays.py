"""Closes its standard output in place of its first answer, and stays."""

import os

import play


def misdeed(message, answer):
    os.close(1)
    play.hold()
    os._exit(0)


play.run(misdeed)
