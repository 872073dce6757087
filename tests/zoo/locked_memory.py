"""Locks 64 MiB into memory."""

import ctypes
import mmap
import os

import play

libc = ctypes.CDLL(None, use_errno=True)


def lock():
    room = mmap.mmap(-1, 64 * play.MIB, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    start = ctypes.addressof(ctypes.c_char.from_buffer(room))
    if libc.mlock(ctypes.c_void_p(start), ctypes.c_size_t(64 * play.MIB)):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


play.attempt(mlock=lambda: play.aside(lock))
