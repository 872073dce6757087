"""Reads the database of the league, and tries to open it for writing."""

import os
from pathlib import Path

import play

LOG = Path(play.target("log"))


def read(path):
    with path.open("rb") as file:
        return f"{len(file.read(100))} bytes"


play.attempt(
    read=lambda: read(LOG),
    journal=lambda: read(Path(f"{LOG}-wal")),
    write=lambda: os.close(os.open(LOG, os.O_WRONLY)),
    folder=lambda: f"{len(os.listdir(LOG.parent))} names",
)
