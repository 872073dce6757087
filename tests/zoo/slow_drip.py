"""Writes its first answer one byte every 0.9 seconds, for nine seconds."""

import time

import play


def misdeed(message, answer):
    line = play.line_of(answer)
    for place in range(10):
        play.write(line[place : place + 1])
        time.sleep(0.9)
    return line[10:]


play.run(misdeed)
