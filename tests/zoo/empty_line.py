"""Writes an empty line in place of an answer."""

import play

play.run(lambda message, answer: b"\n")
