"""Answers with an id that was never given."""

import play

play.run(lambda message, answer: play.line_of({**answer, "id": 999}))
