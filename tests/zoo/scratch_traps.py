"""Leaves a scratch folder that is hard to measure and to clear, with links to what is outside."""

import contextlib
import os
import sys
import time
from pathlib import Path

import play

WORK, *OUTSIDE = [play.target(key) for key in ("work", "secret_file", "other_bot")]


def closed():
    Path("closed").mkdir()
    Path("closed", "file").touch()
    Path("closed").chmod(0)


def deep():
    for _ in range(1200):
        os.mkdir("d")
        os.chdir("d")


def scratch_traps():
    """Leave links, a pipe, a strange name, a closed folder and 1,200 nested ones."""
    for trap in (
        lambda: Path("outside").symlink_to(WORK),
        lambda: Path("round").symlink_to("."),
        lambda: os.mkfifo("pipe"),
        lambda: Path(os.fsdecode(b"\xff\xfe\n")).touch(),
        closed,
        deep,
    ):
        with contextlib.suppress(OSError):
            trap()


def tmp_links():
    """Plant links among many folders, and wait until they have been measured."""
    for folder in map(str, range(20)):
        os.makedirs(os.path.join(folder, "inside"), 0o555)
        for name, target in enumerate((WORK, *OUTSIDE, "/var/tmp")):
            os.symlink(target, os.path.join(folder, str(name)))
        os.symlink("..", os.path.join(folder, "up"))
    time.sleep(0.3)


def misdeed(message, answer):
    home = os.open(".", os.O_RDONLY)
    os.chdir(play.SCRATCH)
    {"scratch_traps": scratch_traps, "tmp_links": tmp_links}[sys.argv[1]]()
    os.fchdir(home)
    return "held: it is for the arena to clear the folder and nothing else"


play.run(misdeed)
