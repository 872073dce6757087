"""Closes its standard input before its first answer, so that it cannot read on."""

import os

import play

play.run(lambda *_: os.close(0))
