"""Closes folders in its scratch folder to everybody, with a link to a folder outside in each."""

import os
import time

import play


def misdeed(message, answer):
    for number in range(20):
        path = os.path.join(play.SCRATCH, str(number))
        os.makedirs(os.path.join(path, "inside"))
        os.symlink("/var/tmp", os.path.join(path, "inside", "out"))
        os.mkdir(os.path.join(path, "inside", "closed"), 0)
    time.sleep(0.3)
    return "held: closed"


play.run(misdeed)
