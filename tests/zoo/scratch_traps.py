"""Leaves a scratch folder that is hard to clear: 1,200 folders deep, closed ones, links outside."""

import contextlib
import os
from pathlib import Path

import play


def closed():
    Path("closed").mkdir()
    Path("closed", "file").touch()
    Path("closed").chmod(0)


def deep():
    for _ in range(1200):
        os.mkdir("d")
        os.chdir("d")


def misdeed(message, answer):
    work = play.target("work")
    home = os.open(".", os.O_RDONLY)
    os.chdir(play.SCRATCH)
    for trap in (
        lambda: Path("outside").symlink_to(work),
        lambda: Path("round").symlink_to("."),
        lambda: os.mkfifo("pipe"),
        lambda: Path(os.fsdecode(b"\xff\xfe\n")).touch(),
        closed,
        deep,
    ):
        with contextlib.suppress(OSError):
            trap()
    os.fchdir(home)
    return "held: it is for the arena to clear the folder and nothing else"


play.run(misdeed)
