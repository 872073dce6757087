"""Plays a card that there is not."""

import play

play.run(lambda message, answer: play.line_of({**answer, "card": "XX"}), at="play")
