"""The filter for system calls: one table of what programs may call, and the filters made from it.

A filter is generated once by libseccomp and kept in `filters/`, so that playing needs no library; a
test regenerates it. The kernel knows which calls a filter always allows and does not run it for
them: reading, writing and waiting cost a bot nothing.

The table comes from the calls of Python, Node, Java, Go, Rust, Perl, shells and C programs, with
their compilers. A call that is not in it is answered with ENOSYS, as by a kernel that does not have
it. This includes calls newer than the table, and `memfd_create`, `clone3`, `io_uring`, System V and
POSIX queues, `inotify`, `vmsplice`, asynchronous reads, `openat2`, `preadv2`, `fadvise64`,
`cachestat`, `mincore`, `readahead` and `pidfd_open`, which runtimes replace by older means.
"""

import ctypes
import platform
import struct
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final, Literal

import msgspec

# The filters of bots, inside bubblewrap and, stricter, at level landlock; and that of our servers,
# which are trusted until an attacker finds a bug in them.
FilterKind = Literal["box", "reduced", "server"]

MACHINE: Final = "x86_64"  # others number system calls differently

# the place of an argument, the bits of it that count, and their value; without bits, a value from
# which the argument differs
_Argument = tuple[int, int | None, int]


class CallRule(msgspec.Struct, frozen=True):
    """How some calls are answered.

    An answer is `pass`, `done` for a call that only seems to succeed, or the name of an error. Of
    several rules for a call, each has arguments that no other has: those calls are meant whose
    arguments all match, in any of these ways. `why` stands in the documentation.
    """

    calls: str
    why: str
    box: str = "pass"
    reduced: str = "pass"
    server: str = "ENOSYS"
    arguments: tuple[tuple[_Argument, ...], ...] = ((),)


_INT: Final = 0xFFFFFFFF  # the bits of an int argument that the kernel uses
_LONG: Final = (1 << 64) - 1


def _one_of(
    place: int, values: Iterable[int], *others: _Argument
) -> tuple[tuple[_Argument, ...], ...]:
    return tuple(((place, _INT, value), *others) for value in values)


def _not_0(*places: int) -> tuple[tuple[_Argument, ...], ...]:
    return tuple(((place, None, 0),) for place in places)


def _any_bit_of(place: int, bits: int) -> tuple[tuple[_Argument, ...], ...]:
    return tuple(((place, 1 << at, 1 << at),) for at in range(32) if bits >> at & 1)


def _no_bit_of(place: int, bits: int) -> tuple[tuple[_Argument, ...], ...]:
    return (((place, bits, 0),),)


# All flags but the signal at the end, VM, FS, FILES, SIGHAND, VFORK, THREAD, SYSVSEM, SETTLS,
# PARENT_SETTID, CHILD_CLEARTID, DETACHED and CHILD_SETTID: no namespaces, tracing or pidfd
_CLONE_REFUSED: Final = _INT & ~0x017D4FFF

_CLONE_THREAD, _CLONE_FILES = 0x10000, 0x400
_F_SETFL, _F_SETFL_REFUSED = 4, 0o60000  # O_DIRECT, and O_ASYNC, which sends signals
_LOCKS: Final = (6, 7, 37, 38)  # F_SETLK, F_SETLKW, F_OFD_SETLK, F_OFD_SETLKW
_SOL_SOCKET: Final = (1, _INT, 1)
_WITHOUT: Final = (
    # O_DIRECT reads and writes past the page cache; O_EXCL makes a queue of the kernel's news
    ("open", 1, 0o40000, "EINVAL", "no O_DIRECT"),
    ("openat", 2, 0o40000, "EINVAL", "no O_DIRECT"),
    ("pipe2", 1, 0o40200, "EINVAL", "no O_DIRECT and no O_EXCL"),
    ("mmap", 3, 0x40000, "ENOMEM", "no MAP_HUGETLB: no process's size shows such pages"),
    ("close_range", 2, 2, "EINVAL", "no CLOSE_RANGE_UNSHARE: descriptors of a thread's own"),
)

CALL_RULES: Final = (
    CallRule(
        "read write readv writev pread64 pwrite64 preadv pwritev lseek creat close dup dup2 "
        "dup3 stat fstat lstat newfstatat statx access faccessat faccessat2 readlink "
        "readlinkat getdents64 getcwd chdir fchdir mkdir mkdirat rmdir rename renameat "
        "renameat2 link linkat symlink symlinkat unlink unlinkat truncate ftruncate umask "
        "fsync fdatasync copy_file_range",
        "Files by name and by descriptor; mounts and Landlock decide which can be reached.",
        server="pass",
    ),
    CallRule(
        "brk munmap mremap mprotect msync mlock mlock2 munlock munlockall pkey_alloc "
        "pkey_free pkey_mprotect",
        "A process's own memory.",
        server="pass",
    ),
    CallRule(
        "exit exit_group wait4 waitid set_tid_address set_robust_list rseq futex getpid "
        "gettid getppid getpgrp getcpu restart_syscall sched_yield sched_get_priority_max "
        "sched_get_priority_min getuid geteuid getgid getegid getgroups getresuid getresgid "
        "capget uname sysinfo getrandom getrlimit setrlimit getrusage times",
        "Processes and threads, and questions about themselves.",
        server="pass",
    ),
    CallRule(
        "fork vfork execve execveat",
        "Processes and programs. Our servers start none.",
        server="EPERM",
    ),
    CallRule(
        "getpgid getsid sched_getaffinity sched_getscheduler sched_getparam "
        "sched_rr_get_interval getpriority",
        "Questions about a process, which may be another one.",
        reduced="ENOSYS",
        server="pass",
    ),
    CallRule(
        "getpgid getsid sched_getaffinity sched_getscheduler sched_getparam sched_rr_get_interval",
        "The same, where all processes have one list of numbers: about itself only.",
        box="ENOSYS",
        arguments=_one_of(0, (0,)),
    ),
    CallRule(
        "getpriority",
        "The same.",
        box="ENOSYS",
        arguments=_one_of(0, (0,), (1, _INT, 0)),
    ),
    CallRule(
        "kill tkill pidfd_send_signal",
        "Signals to others: the namespace of processes, or Landlock, keeps them inside.",
        server="EPERM",
    ),
    CallRule(
        "tgkill rt_sigaction rt_sigpending rt_sigprocmask rt_sigreturn rt_sigsuspend "
        "rt_sigtimedwait sigaltstack signalfd signalfd4 pause",
        "A process's own signals.",
        server="pass",
    ),
    CallRule(
        "time gettimeofday nanosleep alarm getitimer setitimer timer_settime timer_gettime "
        "timer_getoverrun timer_delete timerfd_create timerfd_settime timerfd_gettime",
        "Clocks are read, never set.",
        server="pass",
    ),
    CallRule(
        "clock_gettime clock_getres clock_nanosleep",
        "Clocks, which may be those of a process.",
        reduced="ENOSYS",
        server="pass",
    ),
    CallRule(
        "clock_gettime clock_getres clock_nanosleep",
        "The same, where all processes have one list of numbers: the machine's clocks, and "
        "its own.",
        box="ENOSYS",
        arguments=(*_no_bit_of(0, _INT & ~15), *_one_of(0, (_INT - 1, _INT - 5))),
    ),
    CallRule(
        "poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait "
        "epoll_pwait epoll_pwait2 eventfd eventfd2 pipe",
        "Waiting for input, and the pipes to wake up by.",
        server="pass",
    ),
    CallRule(
        "sendto recvfrom recvmsg shutdown getsockname getpeername",
        "Pairs of sockets, used as pipes for both directions. A pair has no address, and no "
        "descriptor can be sent through it, where it would count as no process's while under "
        "way.",
        server="pass",
    ),
    CallRule(
        "chmod fchmodat lchown fchownat chown utime utimes utimensat futimesat setpgid "
        "setresuid setresgid setgroups capset timer_create rt_sigqueueinfo rt_tgsigqueueinfo",
        "What mounts and namespaces make harmless: modes, owners and times of files, process "
        "groups, giving up rights in a box that root has made, timers and queued signals, "
        "which the kernel counts for each user of a namespace.",
        reduced="EPERM",
    ),
    CallRule(
        "fchmod fchown statfs fstatfs",
        "The same of open files, and how full a disk is.",
        reduced="EPERM",
        server="pass",
    ),
    CallRule(
        "fallocate",
        "Takes a disk's room at once, between two looks at it: only where file systems have a "
        "size.",
        reduced="EOPNOTSUPP",
    ),
    CallRule(
        "process_madvise kcmp pidfd_getfd add_key request_key keyctl bpf perf_event_open "
        "userfaultfd syslog seccomp mount umount2 pivot_root chroot mount_setattr move_mount "
        "open_tree fsopen fsconfig fsmount fspick unshare setns name_to_handle_at "
        "open_by_handle_at quotactl quotactl_fd acct swapon swapoff reboot kexec_load "
        "kexec_file_load init_module finit_module delete_module iopl ioperm modify_ldt "
        "settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname vhangup "
        "sched_setaffinity sched_setscheduler sched_setparam sched_setattr ioprio_set setsid "
        "mbind set_mempolicy set_mempolicy_home_node migrate_pages move_pages mlockall "
        "sendmmsg setuid setgid setreuid setregid setfsuid setfsgid fanotify_init "
        "fanotify_mark",
        "Other processes, keys, tracing, mounts, namespaces, devices, clocks, priorities, "
        "sessions, users. Refused as the kernel itself might, which programs understand "
        "better.",
        box="EPERM",
        reduced="EPERM",
    ),
    CallRule(
        "bind connect ptrace process_vm_readv process_vm_writev",
        "The same, also for our servers, whose logs are easier to understand so.",
        box="EPERM",
        reduced="EPERM",
        server="EPERM",
    ),
    CallRule(
        "listen accept accept4 sendmsg",
        "Connections, which only our servers take.",
        box="EPERM",
        reduced="EPERM",
        server="pass",
    ),
    CallRule(
        "getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr setxattr lsetxattr "
        "fsetxattr removexattr lremovexattr fremovexattr",
        "No file has attributes, for programs that copy them with a file.",
        box="EOPNOTSUPP",
        reduced="EOPNOTSUPP",
    ),
    CallRule(
        "sendfile",
        "Through a socket it pins a page for each byte, also of a file that is cut short "
        "again. Runtimes then copy by reading and writing.",
        box="EINVAL",
        reduced="EINVAL",
        server="pass",
    ),
    CallRule(
        "fadvise64",
        "What the kernel keeps in memory of a file.",
        box="ENOSYS",
        reduced="ENOSYS",
        server="pass",
    ),
    CallRule(
        "socket",
        "No sockets but pairs. Our servers open none either.",
        box="EAFNOSUPPORT",
        reduced="EAFNOSUPPORT",
        server="EAFNOSUPPORT",
    ),
    CallRule(
        "socketpair",
        "Unnamed pairs of streams and of packets. A datagram socket can send to any address, "
        "pair or not.",
        server="pass",
        arguments=_one_of(0, (1,), (1, 15, 1)) + _one_of(0, (1,), (1, 15, 5)),
    ),
    CallRule(
        "flock",
        "Locks seem to succeed: on shared files they would let bots signal each other, and "
        "SQLite does not open a database that it cannot lock. Our servers lock for real.",
        box="done",
        reduced="done",
        server="pass",
    ),
    CallRule(
        "fcntl",
        "The same.",
        box="done",
        reduced="done",
        server="pass",
        arguments=_one_of(1, _LOCKS),
    ),
    CallRule(
        "fcntl",
        "Flags of an open file, but not those that go past the page cache or send signals.",
        arguments=_one_of(1, (_F_SETFL,), (2, _F_SETFL_REFUSED, 0)),
    ),
    CallRule(
        "fcntl",
        "The same.",
        box="ENOSYS",
        reduced="ENOSYS",
        server="pass",
        arguments=_one_of(1, (_F_SETFL,)),
    ),
    CallRule(
        "clone",
        "Processes, but no namespaces, tracing or pidfd.",
        arguments=_no_bit_of(0, _CLONE_REFUSED | _CLONE_THREAD),
    ),
    CallRule(
        "clone",
        "Threads, which must share their process's descriptors: with a table each, they could "
        "hold many times what their process may.",
        arguments=(
            ((0, _CLONE_REFUSED | _CLONE_THREAD | _CLONE_FILES, _CLONE_THREAD | _CLONE_FILES),),
        ),
    ),
    CallRule(
        "clone",
        "The rest.",
        box="EPERM",
        reduced="EPERM",
        arguments=_any_bit_of(0, _CLONE_REFUSED),
    ),
    CallRule(
        "clone",
        "Our servers' threads.",
        box="ENOSYS",
        reduced="ENOSYS",
        server="pass",
        arguments=_any_bit_of(0, _CLONE_THREAD),
    ),
    CallRule(
        "clone",
        "No processes of our servers.",
        box="ENOSYS",
        reduced="ENOSYS",
        server="EPERM",
        arguments=_no_bit_of(0, _CLONE_THREAD),
    ),
    CallRule(
        "personality",
        "Asked, never set.",
        arguments=_one_of(0, (_INT,)),
    ),
    CallRule(
        "mknod",
        "No kind of file but named pipes.",
        arguments=(((1, 0o170000, 0o010000),),),
    ),
    CallRule(
        "mknodat",
        "The same.",
        arguments=(((2, 0o170000, 0o010000),),),
    ),
    CallRule(
        "prlimit64",
        "A process's own limits.",
        arguments=(((0, _LONG, 0),),),
    ),
    CallRule(
        "prlimit64",
        "Not those of others.",
        box="EPERM",
        reduced="EPERM",
        arguments=_not_0(0),
    ),
    CallRule(
        "setpriority",
        "A process's own priority.",
        arguments=(((0, _LONG, 0), (1, _LONG, 0)),),
    ),
    CallRule(
        "setpriority",
        "Not that of others.",
        box="EPERM",
        reduced="EPERM",
        arguments=_not_0(0, 1),
    ),
    CallRule(
        "ioctl",
        "No flags and versions of files, terminals or clones.",
        server="pass",
        arguments=_one_of(
            1,
            {
                "TCGETS": 0x5401,
                "TCGETS2": 0x802C542A,
                "TIOCGPGRP": 0x540F,
                "TIOCGWINSZ": 0x5413,
                "FIONREAD": 0x541B,
                "FIONBIO": 0x5421,
                "FIONCLEX": 0x5450,
                "FIOCLEX": 0x5451,
            }.values(),
        ),
    ),
    CallRule(
        "fcntl",
        "No leases, notes on folders, signals and owners, larger pipes or hints.",
        server="pass",
        arguments=_one_of(
            1,
            {
                "F_DUPFD": 0,
                "F_GETFD": 1,
                "F_SETFD": 2,
                "F_GETFL": 3,
                "F_GETLK": 5,
                "F_OFD_GETLK": 36,
                "F_DUPFD_CLOEXEC": 0x406,
                "F_GETPIPE_SZ": 0x408,
            }.values(),
        ),
    ),
    CallRule(
        "prctl",
        "Not its lines in `/proc`, who may look at it, or another parent for orphans.",
        server="pass",
        arguments=_one_of(
            0,
            {
                "PR_GET_PDEATHSIG": 2,
                "PR_GET_DUMPABLE": 3,
                "PR_SET_NAME": 15,
                "PR_GET_NAME": 16,
                "PR_GET_SECCOMP": 21,
                "PR_CAPBSET_READ": 23,
                "PR_SET_NO_NEW_PRIVS": 38,
                "PR_GET_NO_NEW_PRIVS": 39,
                "PR_GET_THP_DISABLE": 42,
            }.values(),
        ),
    ),
    CallRule(
        "prctl",
        "For giving up rights in a box that root has made, and for the end of a parent, by "
        "which the level landlock ends with the arena.",
        reduced="ENOSYS",
        arguments=_one_of(
            0,
            {
                "PR_SET_PDEATHSIG": 1,
                "PR_SET_KEEPCAPS": 8,
                "PR_CAPBSET_DROP": 24,
                "PR_GET_SECUREBITS": 27,
                "PR_SET_SECUREBITS": 28,
                "PR_CAP_AMBIENT": 47,
            }.values(),
        ),
    ),
    CallRule(
        "madvise",
        "Nothing that loads, empties, merges or poisons pages that others share.",
        server="pass",
        arguments=_one_of(
            2,
            {
                "MADV_NORMAL": 0,
                "MADV_RANDOM": 1,
                "MADV_SEQUENTIAL": 2,
                "MADV_DONTNEED": 4,
                "MADV_FREE": 8,
                "MADV_DONTFORK": 10,
                "MADV_DOFORK": 11,
                "MADV_HUGEPAGE": 14,
                "MADV_NOHUGEPAGE": 15,
                "MADV_DONTDUMP": 16,
                "MADV_DODUMP": 17,
                "MADV_WIPEONFORK": 18,
                "MADV_KEEPONFORK": 19,
            }.values(),
        ),
    ),
    CallRule(
        "arch_prctl",
        "Registers of threads; not how the processor describes itself.",
        server="pass",
        arguments=_one_of(
            0,
            {
                "ARCH_SET_GS": 0x1001,
                "ARCH_SET_FS": 0x1002,
                "ARCH_GET_FS": 0x1003,
                "ARCH_GET_GS": 0x1004,
                "ARCH_GET_XCOMP_SUPP": 0x1021,
                "ARCH_GET_XCOMP_PERM": 0x1022,
                "ARCH_REQ_XCOMP_PERM": 0x1023,
            }.values(),
        ),
    ),
    CallRule(
        "membarrier",
        "This process's threads only: the others interrupt every core.",
        server="pass",
        arguments=_one_of(
            0,
            {
                "QUERY": 0,
                "PRIVATE_EXPEDITED": 8,
                "REGISTER_PRIVATE_EXPEDITED": 16,
                "PRIVATE_EXPEDITED_SYNC_CORE": 32,
                "REGISTER_PRIVATE_EXPEDITED_SYNC_CORE": 64,
            }.values(),
        ),
    ),
    CallRule(
        "getsockopt",
        "Not the numbers that all sockets of the machine share.",
        arguments=_one_of(
            2,
            {
                "SO_TYPE": 3,
                "SO_ERROR": 4,
                "SO_SNDBUF": 7,
                "SO_RCVBUF": 8,
                "SO_PEERCRED": 17,
                "SO_RCVTIMEO": 20,
                "SO_SNDTIMEO": 21,
                "SO_ACCEPTCONN": 30,
                "SO_PROTOCOL": 38,
                "SO_DOMAIN": 39,
            }.values(),
            _SOL_SOCKET,
        ),
    ),
    CallRule(
        "setsockopt",
        "No larger buffers and no filters: they hold kernel memory.",
        arguments=_one_of(2, {"SO_RCVTIMEO": 20, "SO_SNDTIMEO": 21}.values(), _SOL_SOCKET),
    ),
    CallRule(
        "open openat pipe2 mmap close_range getsockopt setsockopt",
        "Our servers' own.",
        "ENOSYS",
        "ENOSYS",
        "pass",
    ),
    *(
        CallRule(call, f"Without some flags: {why}.", arguments=_no_bit_of(place, bits))
        for call, place, bits, _, why in _WITHOUT
    ),
    *(
        CallRule(
            call, f"Without some flags: {why}.", error, error, arguments=_any_bit_of(place, bits)
        )
        for call, place, bits, error, why in _WITHOUT
    ),
)
"""What programs may call, and how all else is answered. Whatever is not here is answered with
ENOSYS."""


@cache
def filter_path(kind: FilterKind) -> Path:
    """The path of the filter. Raises FileNotFoundError if this architecture has none."""
    if platform.machine() != MACHINE:
        raise FileNotFoundError(f"there is no seccomp filter for {platform.machine()} yet")
    return Path(__file__).with_name("filters") / f"{kind}-{MACHINE}.bpf"


def install_filter(program: bytes) -> None:
    """Put this thread, and all its children, under a filter, for good. Raises OSError."""
    instructions = ctypes.create_string_buffer(program, len(program))
    length = len(program) // _INSTRUCTION_BYTES
    sock_fprog = struct.pack("HP", length, ctypes.addressof(instructions))
    given_up = _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    if not given_up or _libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, sock_fprog, 0, 0):
        raise OSError(ctypes.get_errno(), "the seccomp filter was refused")


_INSTRUCTION_BYTES = 8
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _SECCOMP_MODE_FILTER = 38, 22, 2
_libc = ctypes.CDLL(None, use_errno=True)
