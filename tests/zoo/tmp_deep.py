"""Nests 2,500 folders in its scratch folder, deeper than any path can name."""

import os

import play


def misdeed(message, answer):
    os.chdir(play.SCRATCH)
    made = 0
    try:
        for made in range(2500):  # noqa: B007
            os.mkdir("nested")
            os.chdir("nested")
    except OSError as error:
        note = f"held: {error.strerror} after {made} folders"
    else:
        note = "held: nested"
    play.hold()
    return note


play.run(misdeed)
