"""Exits in good order after the first deal."""

import sys

import play

play.run(lambda *_: sys.exit(0), at="deal_end")
