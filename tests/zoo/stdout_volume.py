"""Answers honestly, but with 60,000 idle bytes in each answer: 8 MiB after 140 answers."""

import play

honest = play.line_of


def padded(answer):
    return honest({**answer, "idle": "x" * 60000})


play.line_of = padded
play.run()
