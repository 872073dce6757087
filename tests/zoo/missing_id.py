"""Answers without an id."""

import play

play.run(lambda message, answer: play.line_of({"type": answer["type"], "bid": "pass"}))
