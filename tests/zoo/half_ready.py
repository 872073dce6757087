"""Writes the first half of its ready, and the rest two seconds too late."""

import time

import play


def misdeed(message, answer):
    line = play.line_of(answer)
    play.write(line[:10])
    time.sleep(11)
    return line[10:]


play.run(misdeed, at="hello")
