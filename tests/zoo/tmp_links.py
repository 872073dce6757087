"""Plants links to folders and files outside among the folders of its scratch folder."""

import os
import time

import play

OUTSIDE = [play.target(key) for key in ("secret_file", "other_bot", "work")] + ["/var/tmp"]


def misdeed(message, answer):
    for number in range(20):
        path = os.path.join(play.SCRATCH, str(number))
        os.makedirs(os.path.join(path, "inside"), 0o555)
        for name, target in enumerate(OUTSIDE):
            os.symlink(target, os.path.join(path, str(name)))
        os.symlink("..", os.path.join(path, "up"))
    time.sleep(0.3)
    return "held: planted"


play.run(misdeed)
