"""Bids something that there is not."""

import play

play.run(lambda message, answer: play.line_of({**answer, "bid": "everything"}), at="bid")
