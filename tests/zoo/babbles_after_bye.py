"""Plays honestly, then writes 1 MiB to its standard output after bye."""

import play

play.run(lambda *_: b"x" * play.MIB, at="bye", note="held: it babbles only after bye")
