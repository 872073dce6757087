"""Writes its first answer one byte a second, until that is given up."""

import play


def misdeed(message, answer):
    line = play.line_of({**answer, "idle": "x" * 10_000})
    play.write(line[:1])
    written = 1
    while not play.given_up(1):
        play.write(line[written : written + 1])
        written += 1
    return line[written:]


play.run(misdeed)
