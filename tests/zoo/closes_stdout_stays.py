"""Closes its standard output in place of its first answer, and stays."""

import os
import time

import play


def misdeed(message, answer):
    os.close(1)
    time.sleep(60)
    os._exit(0)


play.run(misdeed)
