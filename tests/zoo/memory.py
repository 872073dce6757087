"""Takes more memory than the limit and holds it: each animal in the way that its name says."""

import mmap
import os
import sys

import play

KEPT = []


def heap_python():
    for _ in range(10):
        KEPT.append(b"x" * (40 * play.MIB))


def many_heaps():
    def child():
        KEPT.append(b"x" * (40 * play.MIB))
        play.hold()

    for _ in range(12):
        play.background(child)


def shared_memory():
    KEPT.append(mmap.mmap(-1, 400 * play.MIB))
    for _ in range(10):
        KEPT[0].write(b"x" * (40 * play.MIB))


def ghost_memory():
    """Take 320 MiB, of which never more than 16 MiB look resident.

    MADV_DONTNEED takes the pages of a shared mapping out of the process's page tables, so they are
    no longer in its resident size; the kernel keeps what was written until the mapping ends.
    """
    part = 16 * play.MIB
    shared = mmap.mmap(-1, 20 * part)
    KEPT.append(shared)
    for begin in range(0, 20 * part, part):
        shared.write(b"x" * part)
        shared.madvise(mmap.MADV_DONTNEED, begin, part)


def orphaned_memory():
    part = 20 * play.MIB
    shared = mmap.mmap(-1, 16 * part)
    KEPT.append(shared)
    for begin in range(0, 16 * part, part):
        shared.seek(begin)
        os.waitpid(play.background(lambda: shared.write(b"x" * part)), 0)


WAYS = {
    "heap_python": heap_python,
    "many_heaps": many_heaps,
    "shared_memory": shared_memory,
    "ghost_memory": ghost_memory,
    "orphaned_memory": orphaned_memory,
}


def misdeed(message, answer):
    WAYS[sys.argv[1]]()
    play.hold()


play.run(misdeed)
