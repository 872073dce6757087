"""Reads and writes the memory of its parent and of a process outside."""

import ctypes
import errno
import os

import play

libc = ctypes.CDLL(None, use_errno=True)
PARENT, VICTIM = os.getppid(), play.target("victim_pid")


class Part(ctypes.Structure):
    _fields_ = (("start", ctypes.c_void_p), ("length", ctypes.c_size_t))


def allowed(call, pid):
    """Address 0 is in no process: EFAULT means that the process itself was open to the call."""
    here = ctypes.create_string_buffer(8)
    ours, theirs = Part(ctypes.addressof(here), 8), Part(0, 8)
    call(pid, ctypes.byref(ours), 1, ctypes.byref(theirs), 1, 0)
    if ctypes.get_errno() != errno.EFAULT:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return "allowed"


play.attempt(
    read_parent=lambda: allowed(libc.process_vm_readv, PARENT),
    write_parent=lambda: allowed(libc.process_vm_writev, PARENT),
    read_victim=lambda: allowed(libc.process_vm_readv, VICTIM),
    write_victim=lambda: allowed(libc.process_vm_writev, VICTIM),
    file_of_victim=lambda: os.close(os.open(f"/proc/{VICTIM}/mem", os.O_RDONLY)),
    file_of_parent=lambda: os.close(os.open(f"/proc/{PARENT}/mem", os.O_WRONLY)),
)
