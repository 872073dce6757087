"""The system calls that a bot cannot make, as a table and as the filters made from it.

A filter is generated once by libseccomp and kept in `filters/`, so that playing needs no library;
a test regenerates it. Everything not named here is allowed: the filter closes ways around the
namespaces and mounts; it does not try to know what runtimes need.
"""

import ctypes
import errno
import os
import platform
import socket
from pathlib import Path
from typing import Final, Literal

FilterKind = Literal["box", "reduced"]
"""The filter inside bubblewrap's namespaces, and the stricter one where there are none."""

MACHINE: Final = "x86_64"
"""The architecture that the filters are for; others number system calls differently."""

FORBIDDEN: Final = """
ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_getfd
add_key request_key keyctl bpf perf_event_open userfaultfd syslog
mount umount2 pivot_root chroot mount_setattr move_mount open_tree fsopen fsconfig fsmount fspick
unshare setns name_to_handle_at open_by_handle_at quotactl quotactl_fd acct swapon swapoff
reboot kexec_load kexec_file_load init_module finit_module delete_module iopl ioperm
settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname vhangup
sched_setaffinity sched_setscheduler sched_setparam sched_setattr ioprio_set
mbind set_mempolicy set_mempolicy_home_node migrate_pages move_pages mlockall
fanotify_init fanotify_mark
""".split()
"""Refused with EPERM: other processes, keys, kernel, mounts, clock, and leaving one's core."""

ABSENT: Final = """
memfd_create memfd_secret clone3 shmget shmat shmctl shmdt semget semop semctl semtimedop
msgget msgsnd msgrcv msgctl mq_open mq_unlink mq_timedsend mq_timedreceive mq_notify mq_getsetattr
io_uring_setup io_uring_enter io_uring_register inotify_init inotify_init1 inotify_add_watch
vmsplice io_setup io_destroy io_submit io_cancel io_getevents io_pgetevents
""".split()
"""Answered with ENOSYS, so that runtimes take the older way: memory that is no process's own,
pages pinned in pipes, rings and queues that all programs share, and watches on shared files."""

NEWER: Final = range(457, 512)
"""Numbers of calls newer than this table: absent as well."""

NAMESPACES: Final = {
    "CLONE_NEWNS": 0x00020000,
    "CLONE_NEWCGROUP": 0x02000000,
    "CLONE_NEWUTS": 0x04000000,
    "CLONE_NEWIPC": 0x08000000,
    "CLONE_NEWUSER": 0x10000000,
    "CLONE_NEWPID": 0x20000000,
    "CLONE_NEWNET": 0x40000000,
}

PR_SET_MM: Final = 35
"""With it a process can make its own lines in `/proc` show anything to readers."""

TERMINAL: Final = {"TIOCSTI": 0x5412, "TIOCLINUX": 0x541C}

PRETENDED: Final = {"F_SETLK": 6, "F_SETLKW": 7, "F_OFD_SETLK": 37, "F_OFD_SETLKW": 38}
"""Locks, which only seem to succeed: on shared files they would let bots signal each other."""

FCNTL_FORBIDDEN: Final = {"F_SETLEASE": 1024, "F_NOTIFY": 1026, "F_SETPIPE_SZ": 1031}

REDUCED_FORBIDDEN: Final = """
setsid setpgid socket chmod fchmod fchmodat chown fchown lchown fchownat utime utimes utimensat
futimesat setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr
""".split()
"""What namespaces and mounts take care of elsewhere: leaving the process group, sockets in the file
system, and the modes and times of files, which Landlock leaves open."""


def filter_path(kind: FilterKind) -> Path:
    """The filter. Raises FileNotFoundError if there is none for this architecture."""
    if platform.machine() != MACHINE:
        raise FileNotFoundError(f"there is no seccomp filter for {platform.machine()} yet")
    return Path(__file__).with_name("filters") / f"{kind}-{MACHINE}.bpf"


def install_filter(program: bytes) -> None:
    """Put this process under a filter, for good. Raises OSError."""
    instructions = ctypes.create_string_buffer(program, len(program))
    length = len(program) // ctypes.sizeof(ctypes.c_uint64)
    filters = _Program(length, ctypes.cast(instructions, ctypes.c_void_p))
    if _libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(filters), 0, 0):
        raise OSError(ctypes.get_errno(), "the seccomp filter was refused")


def generate(kind: FilterKind) -> bytes:
    """The filter as libseccomp makes it from the tables. Needs pyseccomp."""
    import pyseccomp as sec

    rules = sec.SyscallFilter(sec.ALLOW)
    rules.set_attr(sec.Attr.ACT_BADARCH, sec.KILL_PROCESS)
    eperm, enosys, done = sec.ERRNO(errno.EPERM), sec.ERRNO(errno.ENOSYS), sec.ERRNO(0)
    for name in (*FORBIDDEN, *(REDUCED_FORBIDDEN if kind == "reduced" else ())):
        rules.add_rule(eperm, name)
    for call in (*ABSENT, *NEWER):
        rules.add_rule(enosys, call)
    for flag in NAMESPACES.values():
        rules.add_rule(eperm, "clone", sec.Arg(0, sec.MASKED_EQ, flag, flag))
    for request in TERMINAL.values():
        rules.add_rule(eperm, "ioctl", sec.Arg(1, sec.MASKED_EQ, 0xFFFFFFFF, request))
    rules.add_rule(eperm, "prctl", sec.Arg(0, sec.EQ, PR_SET_MM))
    for name, place in (("prlimit64", 0), ("setpriority", 0), ("setpriority", 1)):
        rules.add_rule(eperm, name, sec.Arg(place, sec.NE, 0))  # of others than itself
    rules.add_rule(done, "flock")
    for command in PRETENDED.values():
        rules.add_rule(done, "fcntl", sec.Arg(1, sec.EQ, command))
    for command in FCNTL_FORBIDDEN.values():
        rules.add_rule(eperm, "fcntl", sec.Arg(1, sec.EQ, command))
    local = sec.Arg(0, sec.NE, socket.AF_UNIX)
    for name in ("socket", "socketpair") if kind == "box" else ("socketpair",):
        rules.add_rule(sec.ERRNO(errno.EAFNOSUPPORT), name, local)
    read, write = os.pipe()
    with open(read, "rb") as bpf, open(write, "wb") as file:
        rules.export_bpf(file)
        file.close()
        return bpf.read()


class _Program(ctypes.Structure):
    """The kernel's `struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2
_libc = ctypes.CDLL(None, use_errno=True)
