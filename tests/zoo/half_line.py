"""Writes its first answer in time, but its newline too late."""

import time

import play


def misdeed(message, answer):
    play.write(play.line_of(answer)[:-1])
    time.sleep(9)
    return b"\n"


play.run(misdeed)
