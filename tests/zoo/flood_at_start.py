"""Writes a line of 4 MiB before it says ready."""

import play

play.run(lambda *_: b"x" * (4 * play.MIB) + b"\n", at="hello")
