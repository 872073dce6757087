"""Writes 60,000 opening brackets in place of an answer."""

import play

play.run(lambda message, answer: b"[" * 60000 + b"\n")
