"""Thinks about its first request until that is given up, then answers it and plays on."""

import play


def misdeed(message, answer):
    play.given_up()


play.run(misdeed)
