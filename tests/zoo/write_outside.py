"""Makes a file in folders outside and takes it away again."""

import os
from pathlib import Path

import play


def made(folder):
    path = Path(folder, f"zoo-was-here-{os.getpid()}")
    with path.open("x"):
        path.unlink()


play.attempt(
    usr=lambda: made("/usr"),
    root=lambda: made("/"),
    etc=lambda: made("/etc"),
    var=lambda: made("/var/tmp"),
    dev=lambda: made("/dev"),
    run=lambda: made("/run"),
    work=lambda: made(play.target("work")),
    other_bot=lambda: made(play.target("other_bot")),
    above=lambda: made(".."),
)
