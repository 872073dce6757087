"""Takes 320 MiB of anonymous shared memory, of which never more than 16 MiB look resident.

MADV_DONTNEED takes the pages of a shared mapping out of the process's page tables, so they are no
longer in its resident size; the kernel keeps what was written until the mapping ends.
"""

import mmap

import play

PART = 16 * play.MIB
shared = mmap.mmap(-1, 20 * PART)


def misdeed(message, answer):
    for part in range(20):
        shared.seek(part * PART)
        shared.write(b"x" * PART)
        shared.madvise(mmap.MADV_DONTNEED, part * PART, PART)
    play.hold()


play.run(misdeed)
