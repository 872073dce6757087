"""Locks a file of /usr so that another bot could see it; a lock that is only pretended is held."""

import fcntl
import os
import struct

import play

FILE = "/usr/bin/env"
FLOCK = "hhqqi4x"
F_OFD_GETLK, F_OFD_SETLK = 36, 37


def flock():
    first, second = os.open(FILE, os.O_RDONLY), os.open(FILE, os.O_RDONLY)
    fcntl.flock(first, fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return "the second lock was refused"
    raise play.HeldError("both were granted")


def seen(file, get):
    question = struct.pack(FLOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    return struct.unpack(FLOCK, fcntl.fcntl(file, get, question))[0] == fcntl.F_RDLCK


def locked(set_lock):
    file = os.open(FILE, os.O_RDONLY)
    fcntl.fcntl(file, set_lock, struct.pack(FLOCK, fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0))


def record_lock():
    locked(fcntl.F_SETLK)

    def child():
        if not seen(os.open(FILE, os.O_RDONLY), fcntl.F_GETLK):
            raise play.HeldError("nobody sees it")

    return play.aside(child)


def open_file_lock():
    locked(F_OFD_SETLK)
    if not seen(os.open(FILE, os.O_RDONLY), F_OFD_GETLK):
        raise play.HeldError("nobody sees it")
    return "another sees it"


play.attempt(flock=flock, record_lock=record_lock, open_file_lock=open_file_lock)
