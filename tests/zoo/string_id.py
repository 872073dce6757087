"""Answers with the id as a text."""

import play

play.run(lambda message, answer: play.line_of({**answer, "id": "0"}))
