"""Answers with a note that is not valid UTF-8."""

import play

play.run(lambda _, answer: play.line_of({**answer, "note": "?"}).replace(b"?", b"\xc3\x28"))
