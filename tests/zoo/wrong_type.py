"""Answers its first request with another type of answer."""

import play

play.run(lambda message, answer: play.line_of({**answer, "type": "talon", "choice": "take"}))
