"""Reads the folder of another bot."""

import os
from pathlib import Path

import play

OTHER = Path(play.target("other_bot"))


def sibling():
    names = [name for name in os.listdir("..") if Path("..", name, "bot.toml").exists()]
    if len(names) <= 1:
        raise play.HeldError("nobody is beside it")
    return f"{len(names)} folders"


play.attempt(
    listing=lambda: f"{len(os.listdir(OTHER))} names",
    manifest=lambda: f"{len((OTHER / 'bot.toml').read_bytes())} bytes",
    beside=sibling,
)
