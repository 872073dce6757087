"""Writes its first answer in time, but its newline only once that is given up."""

import play


def misdeed(message, answer):
    play.write(play.line_of(answer)[:-1])
    play.given_up()
    return b"\n"


play.run(misdeed)
