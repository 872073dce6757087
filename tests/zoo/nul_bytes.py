"""Writes NUL bytes within its answer."""

import play

play.run(lambda message, answer: play.line_of(answer).replace(b":", b"\x00:"))
