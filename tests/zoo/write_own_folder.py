"""Changes its own submission: makes a file, opens its program for writing, changes its rights."""

import os
from pathlib import Path

import play

HERE = Path.cwd()


def made():
    (HERE / "zoo-was-here").write_text("")
    (HERE / "zoo-was-here").unlink()


def renamed():
    (HERE / "target.json").rename(HERE / "target.moved")
    (HERE / "target.moved").rename(HERE / "target.json")


play.attempt(
    made=made,
    opened=lambda: os.close(os.open(HERE / "bot.py", os.O_WRONLY)),
    rights=lambda: os.chmod(HERE / "bot.py", 0o600),
    times=lambda: os.utime(HERE / "bot.py"),
    renamed=renamed,
)
