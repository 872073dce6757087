"""Thinks about its first request for longer than it may, then plays on."""

import time

import play

play.run(lambda *_: time.sleep(9))
