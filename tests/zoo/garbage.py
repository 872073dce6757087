"""Writes random-looking bytes in place of an answer."""

import play

play.run(lambda message, answer: b"\x07\x93z}{[\xfe\x01 42\n")
