"""Writes its first answer one byte a second, until that is given up."""

import itertools

import play


def misdeed(message, answer):
    line = play.line_of({**answer, "idle": "x" * 10_000})
    for place in itertools.count():
        play.write(line[place : place + 1])
        if play.given_up(1):
            return line[place + 1 :]


play.run(misdeed)
