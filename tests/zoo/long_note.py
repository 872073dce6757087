"""Answers with a note one byte longer than a note may be."""

import play

play.run(lambda message, answer: play.line_of({**answer, "note": "x" * 1025}))
