"""Closes its standard output before its first answer, so that it cannot write on."""

import os

import play

play.run(lambda *_: os.close(1))
