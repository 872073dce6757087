"""Plays a card that it does not hold."""

import play

CARDS = [rank + suit for suit in "DHSC" for rank in "9TKA"]


def misdeed(message, answer):
    seen = message["hand"] + message["legal"]
    return play.line_of({**answer, "card": next(card for card in CARDS if card not in seen)})


play.run(misdeed, at="play")
