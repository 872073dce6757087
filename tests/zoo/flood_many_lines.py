"""Writes 4 MiB of short lines that nobody asked for in place of an answer."""

import play

play.run(lambda *_: b'{"spam":"spam"}\n' * (play.MIB // 4))
