"""Makes a file in memory that is in no file system, and writes 64 MiB into it."""

import os

import play


def memfd():
    file = os.memfd_create("zoo")
    for _ in range(64):
        os.write(file, b"x" * play.MIB)
    return "64 MiB written"


play.attempt(memfd=memfd)
