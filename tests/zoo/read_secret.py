"""Reads a secret file outside, by its path and by ways around."""

import os
from pathlib import Path

import play

SECRET = play.target("secret_file")


def read(path):
    return f"{len(Path(path).read_bytes())} bytes"


def link():
    Path(play.SCRATCH, "link").symlink_to(SECRET)
    return read(Path(play.SCRATCH, "link"))


def listed():
    return f"{len(os.listdir(Path(SECRET).parent))} names"


play.attempt(
    path=lambda: read(SECRET),
    upwards=lambda: read("../" * 20 + SECRET.lstrip("/")),
    own_root=lambda: read("/proc/self/root" + SECRET),
    first_root=lambda: read("/proc/1/root" + SECRET),
    first_cwd=lambda: read("/proc/1/cwd/" + "../" * 20 + SECRET.lstrip("/")),
    parent_root=lambda: read(f"/proc/{os.getppid()}/root{SECRET}"),
    symlink=link,
    folder=listed,
)
