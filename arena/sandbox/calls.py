"""The system calls that a bot may make, in groups with their reasons; no other is let through.

The groups come from the calls of Python, Node, Java, Go, Rust, Perl, shells and C programs, with
their compilers. A call in no group is answered with ENOSYS, as by a kernel that does not have it:
this includes calls newer than this table, and `memfd_create`, `clone3`, `io_uring`, System V and
POSIX queues, `inotify`, `vmsplice`, asynchronous reads, `openat2`, `preadv2`, `fadvise64`,
`cachestat`, `mincore` and `readahead`, which runtimes replace by older means or do without.
"""

import errno
from typing import Final

_FILES: Final = """
read write readv writev pread64 pwrite64 preadv pwritev lseek creat close dup dup2 dup3
stat fstat lstat newfstatat statx access faccessat faccessat2 readlink readlinkat getdents64
getcwd chdir fchdir mkdir mkdirat rmdir rename renameat renameat2 link linkat symlink symlinkat
unlink unlinkat truncate ftruncate umask fsync fdatasync copy_file_range
""".split()
"""Files by name and by descriptor; mounts and Landlock decide which can be reached."""

_MEMORY: Final = """
brk munmap mremap mprotect msync mlock mlock2 munlock munlockall
pkey_alloc pkey_free pkey_mprotect
""".split()
"""A process's own memory."""

_PROCESSES: Final = """
fork vfork execve execveat exit exit_group wait4 waitid set_tid_address set_robust_list rseq futex
getpid gettid getppid getpgrp getpgid getsid pidfd_open getcpu restart_syscall
sched_yield sched_getaffinity sched_getscheduler sched_getparam sched_rr_get_interval
sched_get_priority_max sched_get_priority_min getpriority
getuid geteuid getgid getegid getgroups getresuid getresgid capget
uname sysinfo getrandom getrlimit setrlimit getrusage times
""".split()
"""Processes and threads below the bot's own, and questions about themselves."""

_SIGNALS: Final = """
kill tkill tgkill pidfd_send_signal rt_sigaction rt_sigpending rt_sigprocmask
rt_sigreturn rt_sigsuspend rt_sigtimedwait sigaltstack signalfd signalfd4 pause
""".split()
"""Signals, which the namespace of processes or Landlock keeps inside."""

_TIME: Final = """
time gettimeofday clock_gettime clock_getres nanosleep clock_nanosleep alarm getitimer setitimer
timer_settime timer_gettime timer_getoverrun timer_delete
timerfd_create timerfd_settime timerfd_gettime
""".split()
"""Clocks are read, never set."""

_WAITING: Final = """
poll ppoll select pselect6 epoll_create epoll_create1 epoll_ctl epoll_wait epoll_pwait epoll_pwait2
eventfd eventfd2 pipe
""".split()
"""Waiting for input, and the pipes to wake up by."""

_PAIRS: Final = "sendto recvfrom recvmsg shutdown getsockname getpeername".split()
"""Pairs of sockets, which Node and Python use as pipes for both directions. A pair has no address,
and no descriptor can be sent through it, where it would count as no process's while under way."""

ALLOWED: Final = (*_FILES, *_MEMORY, *_PROCESSES, *_SIGNALS, *_TIME, *_WAITING, *_PAIRS)
"""Calls let through whatever their arguments."""

ONLY_BOX: Final = """
chmod fchmod fchmodat chown fchown lchown fchownat utime utimes utimensat futimesat
statfs fstatfs setpgid setresuid setresgid setgroups capset
timer_create rt_sigqueueinfo rt_tgsigqueueinfo
""".split()
"""Calls that mounts and namespaces make harmless: modes and times of files, how full a disk is,
process groups, giving up rights in a box that root has made, and timers and queued signals. The
kernel counts the latter for each user of a namespace, so one bot could leave another none."""

FORBIDDEN: Final = """
ptrace process_vm_readv process_vm_writev process_madvise kcmp pidfd_getfd
add_key request_key keyctl bpf perf_event_open userfaultfd syslog seccomp
mount umount2 pivot_root chroot mount_setattr move_mount open_tree fsopen fsconfig fsmount fspick
unshare setns name_to_handle_at open_by_handle_at quotactl quotactl_fd acct swapon swapoff
reboot kexec_load kexec_file_load init_module finit_module delete_module iopl ioperm modify_ldt
settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname vhangup
sched_setaffinity sched_setscheduler sched_setparam sched_setattr ioprio_set setsid
mbind set_mempolicy set_mempolicy_home_node migrate_pages move_pages mlockall sendmsg sendmmsg
setuid setgid setreuid setregid setfsuid setfsgid bind listen accept accept4 connect
fanotify_init fanotify_mark
""".split()
"""Calls refused with EPERM, as the kernel itself might, which programs understand better."""

UNSUPPORTED: Final = """
getxattr lgetxattr fgetxattr listxattr llistxattr flistxattr
setxattr lsetxattr fsetxattr removexattr lremovexattr fremovexattr
""".split()
"""Answered with EOPNOTSUPP: no file has attributes, for programs that copy them with a file."""

NOT_FROM_FILES: Final = ["sendfile"]
"""Answered with EINVAL, after which runtimes copy by reading and writing. Through a socket it pins
a page for each byte, also of a file that is cut short again; `splice` would pin far more."""

ROOM: Final = ["fallocate"]
"""Takes a disk's room at once, between two looks at it: let through in a box, whose file systems
have a size, else answered with EOPNOTSUPP. Linkers then write; at another error Go's ends."""

PRETENDED: Final = {"F_SETLK": 6, "F_SETLKW": 7, "F_OFD_SETLK": 37, "F_OFD_SETLKW": 38}
"""Locks, which like `flock` only seem to succeed: on shared files they would let bots signal each
other, and SQLite does not open a database that it cannot lock."""

ONLY_WITH: Final = {
    ("ioctl", 1): {  # no flags and versions of files, terminals, clones
        "TCGETS": 0x5401,
        "TCGETS2": 0x802C542A,
        "TIOCGPGRP": 0x540F,
        "TIOCGWINSZ": 0x5413,
        "FIONREAD": 0x541B,
        "FIONBIO": 0x5421,
        "FIONCLEX": 0x5450,
        "FIOCLEX": 0x5451,
    },
    ("fcntl", 1): {  # no leases, notes on folders, signals and owners, larger pipes, hints
        "F_DUPFD": 0,
        "F_GETFD": 1,
        "F_SETFD": 2,
        "F_GETFL": 3,
        "F_GETLK": 5,
        "F_OFD_GETLK": 36,
        "F_DUPFD_CLOEXEC": 1030,
        "F_GETPIPE_SZ": 1032,
    },
    ("prctl", 0): {  # not its lines in /proc, who may look at it, or another parent for orphans
        "PR_GET_PDEATHSIG": 2,
        "PR_GET_DUMPABLE": 3,
        "PR_SET_NAME": 15,
        "PR_GET_NAME": 16,
        "PR_GET_SECCOMP": 21,
        "PR_CAPBSET_READ": 23,
        "PR_SET_NO_NEW_PRIVS": 38,
        "PR_GET_NO_NEW_PRIVS": 39,
        "PR_GET_THP_DISABLE": 42,
    },
    ("madvise", 2): {  # nothing that loads, empties, merges or poisons pages that others share
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
    },
    ("arch_prctl", 0): {  # registers of threads; not how the processor describes itself
        "ARCH_SET_GS": 0x1001,
        "ARCH_SET_FS": 0x1002,
        "ARCH_GET_FS": 0x1003,
        "ARCH_GET_GS": 0x1004,
        "ARCH_GET_XCOMP_SUPP": 0x1021,
        "ARCH_GET_XCOMP_PERM": 0x1022,
        "ARCH_REQ_XCOMP_PERM": 0x1023,
    },
    ("membarrier", 0): {  # only this process's threads: the others interrupt every core
        "MEMBARRIER_CMD_QUERY": 0,
        "MEMBARRIER_CMD_PRIVATE_EXPEDITED": 8,
        "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED": 16,
        "MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE": 32,
        "MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE": 64,
    },
    ("getsockopt", 2): {  # not the numbers that all sockets of the machine share
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
    },
    ("setsockopt", 2): {  # no larger buffers and no filters: they hold kernel memory
        "SO_RCVTIMEO": 20,
        "SO_SNDTIMEO": 21,
    },
}
"""Calls of which some kinds are let through: the argument that tells the kind, and its values."""

ONLY_BOX_WITH: Final = {
    (
        "prctl",
        0,
    ): {  # for giving up rights in a box that root has made; and for the end of a parent,
        "PR_SET_PDEATHSIG": 1,  # by which Landlock's level ends with the arena
        "PR_SET_KEEPCAPS": 8,
        "PR_CAPBSET_DROP": 24,
        "PR_GET_SECUREBITS": 27,
        "PR_SET_SECUREBITS": 28,
        "PR_CAP_AMBIENT": 47,
    },
}

CLONE_FLAGS: Final = 0x017D5FFF
"""Signal at the end, VM, FS, FILES, SIGHAND, PIDFD, VFORK, THREAD, SYSVSEM, SETTLS, PARENT_SETTID,
CHILD_CLEARTID, DETACHED and CHILD_SETTID: threads and children, but no namespaces or tracing."""

CLONE_THREAD: Final = 0x10000
CLONE_FILES: Final = 0x400
"""A thread must share its process's descriptors, as all threads of runtimes do: with a table each,
they could hold many times the sockets and files that their process may open."""

WITHOUT: Final = {
    ("open", 1): (0o40000, errno.EINVAL),  # O_DIRECT: reads and writes past the page cache
    ("openat", 2): (0o40000, errno.EINVAL),
    ("pipe2", 1): (0o40200, errno.EINVAL),  # O_DIRECT; O_EXCL makes a queue of the kernel's news
    ("mmap", 3): (0x40000, errno.ENOMEM),  # MAP_HUGETLB: pages that no process's size shows
    ("close_range", 2): (2, errno.EINVAL),  # CLOSE_RANGE_UNSHARE: descriptors of a thread's own
}
"""Calls that are let through unless an argument has one of some bits, and the error if it has."""

F_SETFL: Final = 4
F_SETFL_REFUSED: Final = 0o60000
"""O_DIRECT, and O_ASYNC, which sends signals to whatever owns the file."""

PERSONALITY_ASKED: Final = 0xFFFFFFFF
"""The argument with which `personality` only returns its value."""

KINDS_OF_FILE: Final = 0o170000
FIFO: Final = 0o010000
"""The only kind of file that `mknod` may make."""

KIND_OF_SOCKET: Final = 0xF
SOCKETS: Final = {"SOCK_STREAM": 1, "SOCK_SEQPACKET": 5}
"""Kinds of pairs. A datagram socket can send to any address, pair or not."""

SERVER: Final = """
open openat pipe2 mmap close_range accept accept4 listen setsockopt getsockopt sendmsg sendfile
flock fchmod fchown statfs fstatfs fadvise64
""".split()
"""Further calls of our servers: connections that others open, and files that are locked for real.
A server makes no connection itself: one to another server of this machine is handed to it."""

NOT_SERVER: Final = """
fork vfork execve execveat kill tkill pidfd_send_signal pidfd_open
""".split()
"""Calls that bots may make, but not our servers: these start no programs and send no signals."""

NOT_OUT: Final = "bind connect ptrace process_vm_readv process_vm_writev".split()
"""Calls refused to our servers with EPERM, which is easier to understand in a log."""

SERVER_WITH: Final = ("ioctl", "prctl", "arch_prctl", "membarrier", "madvise", "fcntl")
"""Calls that our servers may make only in the kinds of `ONLY_WITH`, and to lock files."""
