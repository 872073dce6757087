"""Writes the first half of its ready, and the rest never."""

import play


def misdeed(message, answer):
    play.write(play.line_of(answer)[:10])
    play.hold()


play.run(misdeed, at="hello")
