"""Declares, and lays one card aside twice."""

import play


def misdeed(message, answer):
    return play.line_of({**answer, "cards": message["hand"][:1] * 2})


play.run(misdeed, at="discard", eager=True)
