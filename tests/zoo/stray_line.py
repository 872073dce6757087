"""Writes a greeting before its first answer."""

import play

play.run(lambda message, answer: b"Good evening!\n" + play.line_of(answer))
