"""Answers with a negative id."""

import play

play.run(lambda message, answer: play.line_of({**answer, "id": -1}))
