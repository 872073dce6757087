"""Answers its first request twice."""

import play

play.run(lambda message, answer: play.line_of(answer) * 2)
