"""Answers with a list in place of an object."""

import play

play.run(lambda message, answer: b"[" + play.line_of(answer)[:-1] + b"]\n")
