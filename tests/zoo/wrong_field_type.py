"""Answers with a list where a text belongs."""

import play


def misdeed(message, answer):
    choice = list(answer)[-1]
    return play.line_of({**answer, choice: [answer[choice]]})


play.run(misdeed)
