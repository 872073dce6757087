"""Fills its scratch folder or /dev/shm, step by step: each animal in the way that its name says."""

import array
import mmap
import os
import socket
import sys
from pathlib import Path

import play

KEPT = []
CHANNEL = socket.socketpair()


def written(file, mib):
    """Write to a file, a MiB at each step."""
    for _ in range(mib):
        yield os.write(file, b"x" * play.MIB)


def nameless():
    """Ten files in the scratch folder, each without its name once it is open."""
    for number in range(10):
        path = os.path.join(play.SCRATCH, str(number))
        file = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        os.unlink(path)
        yield file


def tmp_bytes():
    for part in range(10):
        yield Path(play.SCRATCH, f"big-{part}").write_bytes(b"x" * (10 * play.MIB))


def unnamed(folder, count):
    """Write 10 MiB into each of some files that never had names."""
    for _ in range(count):
        yield from written(os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o600), 10)


def tmp_files():
    for number in range(4000):
        yield Path(play.SCRATCH, str(number)).touch()


def tmp_unlinked():
    for file in nameless():
        yield from written(file, 60)


def tmp_mapped():
    for file in nameless():
        yield from written(file, 60)
        KEPT.append(mmap.mmap(file, mmap.PAGESIZE))
        os.closerange(file, 100)  # the mapping's own descriptor, too


def tmp_in_flight():
    for file in nameless():
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file]))]
        CHANNEL[0].sendmsg([b"x"], rights)
        yield from written(file, 60)
        os.close(file)


def tmp_deep():
    os.chdir(play.SCRATCH)
    for _ in range(2500):
        os.mkdir("nested")
        yield os.chdir("nested")


WAYS = {
    "tmp_bytes": tmp_bytes,
    "tmp_unnamed": lambda: unnamed(play.SCRATCH, 10),
    "tmp_files": tmp_files,
    "tmp_unlinked": tmp_unlinked,
    "tmp_mapped": tmp_mapped,
    "tmp_in_flight": tmp_in_flight,
    "tmp_deep": tmp_deep,
    "dev_shm": lambda: unnamed("/dev/shm", 15),
}


def misdeed(message, answer):
    steps = 0
    try:
        for _ in WAYS[sys.argv[1]]():
            steps += 1
    except OSError as error:
        note = f"held: {error.strerror} after {steps} steps"
    else:
        note = f"ESCAPED: all {steps} steps"
    if steps:
        play.hold()
    return note


play.run(misdeed)
