"""Writes a line of 4 MiB in place of an answer."""

import play

play.run(lambda *_: b"x" * (4 * play.MIB) + b"\n")
