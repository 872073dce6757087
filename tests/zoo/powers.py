"""Gains rights, priority and room that it was not given."""

import contextlib
import ctypes
import fcntl
import mmap
import os
import resource
import subprocess
import termios
import time
from pathlib import Path

import play

libc = ctypes.CDLL(None, use_errno=True)


def rooted(program):
    """Start a program that becomes root when it starts, and look whether it did."""
    if not os.path.exists(program):
        raise play.HeldError("not here")
    quiet = subprocess.DEVNULL
    child = subprocess.Popen([program, "--version"], stdin=quiet, stdout=quiet, stderr=quiet)
    status = Path(f"/proc/{child.pid}/status").read_text()  # also there after its end
    child.wait()
    if status.partition("Uid:")[2].split()[1] != "0":
        raise play.HeldError("it did not")
    return "it is root"


def capability(key):
    held = int(Path("/proc/self/status").read_text().partition(f"{key}:")[2].split()[0], 16)
    if held == 0:
        raise play.HeldError("none")
    return f"{held:x}"


def gains():
    if "NoNewPrivs:\t1" in Path("/proc/self/status").read_text():
        raise play.HeldError("no_new_privs is set")
    return "no_new_privs is not set"


def moved():
    """Move to a core that it was not given."""
    given = os.sched_getaffinity(0)
    others = set(range(os.cpu_count() or 1)) - given
    if not others:
        raise play.HeldError("it has all cores")
    os.sched_setaffinity(0, others)
    if os.sched_getaffinity(0) == given:
        raise play.HeldError("it has no effect")


def better():
    before = os.getpriority(os.PRIO_PROCESS, 0)
    os.setpriority(os.PRIO_PROCESS, 0, -20)
    if os.getpriority(os.PRIO_PROCESS, 0) >= before:
        raise play.HeldError("it has no effect")


def real_time(policy):
    os.sched_setscheduler(0, policy, os.sched_param(1))
    if os.sched_getscheduler(0) != policy:
        raise play.HeldError("it has no effect")


def higher(kind):
    """Raise its own limit above what it was given."""
    soft, hard = resource.getrlimit(kind)
    if hard == resource.RLIM_INFINITY:
        return "there is no limit"
    try:
        resource.setrlimit(kind, (soft, hard + 1))
    except ValueError as error:  # what Python raises for EPERM here
        raise play.HeldError(str(error)) from None
    resource.setrlimit(kind, (soft, hard))
    return "raised"


def files():
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    for _ in range(5000):
        os.open("/dev/null", os.O_RDONLY)


def lock():
    room = mmap.mmap(-1, 64 * play.MIB, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    start = ctypes.addressof(ctypes.c_char.from_buffer(room))
    if libc.mlock(ctypes.c_void_p(start), ctypes.c_size_t(64 * play.MIB)):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


def memory_file():
    """Write 64 MiB into a file that is in no file system."""
    file = os.memfd_create("zoo")
    for _ in range(64):
        os.write(file, b"x" * play.MIB)
    return "64 MiB written"


def typed(file):
    """Type a blank into the terminal that the arena was started from."""
    fcntl.ioctl(file, termios.TIOCSTI, b" ")


def fill_terminals():
    with contextlib.suppress(OSError):
        while True:
            master = os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
            with contextlib.suppress(BlockingIOError):
                while os.write(master, b"x\n" * 2048):
                    pass
    time.sleep(15)


def terminals():
    """Open 4,000 pseudo-terminals in 40 processes, and write what nobody reads into each."""
    os.close(os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY))
    for _ in range(40):
        play.background(fill_terminals)
    time.sleep(3)
    return "4,000"


play.attempt(
    setuid=lambda: play.aside(lambda: os.setuid(0)),
    setgid=lambda: play.aside(lambda: os.setgid(0)),
    setresuid=lambda: play.aside(lambda: os.setresuid(-1, 0, -1)),
    groups=lambda: play.aside(lambda: os.setgroups([0])),
    other_user=lambda: play.aside(lambda: os.setuid(65534)),
    su=lambda: rooted("/usr/bin/su"),
    mount=lambda: rooted("/usr/bin/mount"),
    passwd=lambda: rooted("/usr/bin/passwd"),
    newgrp=lambda: rooted("/usr/bin/newgrp"),
    effective=lambda: capability("CapEff"),
    permitted=lambda: capability("CapPrm"),
    ambient=lambda: capability("CapAmb"),
    gains=gains,
    chroot=lambda: play.aside(lambda: os.chroot("/")),  # where its root is already
    affinity=lambda: play.aside(moved),
    priority=lambda: play.aside(better),
    fifo=lambda: play.aside(lambda: real_time(os.SCHED_FIFO)),
    robin=lambda: play.aside(lambda: real_time(os.SCHED_RR)),
    more_files=lambda: higher(resource.RLIMIT_NOFILE),
    more_processes=lambda: higher(resource.RLIMIT_NPROC),
    larger_files=lambda: higher(resource.RLIMIT_FSIZE),
    more_locked=lambda: higher(resource.RLIMIT_MEMLOCK),
    files=lambda: play.aside(files),
    mlock=lambda: play.aside(lock),
    memory_file=memory_file,
    type_stdin=lambda: typed(0),
    type_stdout=lambda: typed(1),
    type_stderr=lambda: typed(2),
    type_terminal=lambda: typed(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)),
    pseudo_terminals=terminals,
)
