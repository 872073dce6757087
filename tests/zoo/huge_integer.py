"""Answers with an id of 23 digits."""

import play

play.run(lambda message, answer: play.line_of({**answer, "id": 99999999999999999999999}))
