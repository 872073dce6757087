"""The filters as the kernel runs them: which calls pass, and what is answered to the others."""

import errno
import struct
from functools import cache

import pytest

from arena.sandbox.seccomp import CALL_RULES, FilterKind, filter_path

KINDS: list[FilterKind] = ["box", "reduced"]
X86_64 = 0xC000003E
ALLOW = 0x7FFF0000
ERRNO = 0x00050000
KILL = 0x80000000
NEWEST = 462  # `mseal`, the newest call of Linux 6.10; 463 and later came after the table


@cache
def instructions(kind: FilterKind) -> list[tuple[int, int, int, int]]:
    return list(struct.iter_unpack("=HBBI", filter_path(kind).read_bytes()))


def answer(kind: FilterKind, number: int, *arguments: int, machine: int = X86_64) -> int:
    """Run a filter: 0 for a call that passes, else the error it is answered with."""
    padded = [argument & (1 << 64) - 1 for argument in (*arguments, 0, 0, 0, 0, 0, 0)[:6]]
    data = struct.pack("=IIQ6Q", number, machine, 0, *padded)
    accumulator = at = 0
    while True:
        code, yes, no, value = instructions(kind)[at]
        at += 1
        if code == 0x20:  # load a word
            (accumulator,) = struct.unpack_from("=I", data, value)
        elif code == 0x54:  # and
            accumulator &= value
        elif code == 0x05:  # jump
            at += value
        elif code == 0x06:
            assert value in (ALLOW, KILL) or value & 0xFFFF0000 == ERRNO
            return {ALLOW: 0, KILL: -1}.get(value, value & 0xFFFF)
        else:
            chosen = {0x15: accumulator == value, 0x25: accumulator > value}
            chosen[0x35] = accumulator >= value
            at += yes if chosen[code] else no


@pytest.mark.parametrize("kind", [*KINDS, "server"])
def test_what_is_in_no_group_does_not_exist(kind: FilterKind) -> None:
    """Among the others: fchmodat2, and every call newer than the filter."""
    newer = {number: answer(kind, number) for number in (452, *range(NEWEST, 1000))}
    assert set(newer.values()) == {errno.ENOSYS}
    passing = [number for number in range(NEWEST) if answer(kind, number) == 0]
    assert len(passing) < 260


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("name", "number", "arguments", "error"),
    [
        ("read", 0, (), 0),
        ("openat", 257, (-100, 0, 0o2000000), 0),
        ("openat, O_DIRECT", 257, (-100, 0, 0o40000), errno.EINVAL),
        ("openat2", 437, (), errno.ENOSYS),
        ("mmap", 9, (0, 1, 3, 0x22), 0),
        ("mmap, MAP_HUGETLB", 9, (0, 1, 3, 0x40022), errno.ENOMEM),
        ("clone, a thread", 56, (0x3D0F00,), 0),
        ("clone, a thread with descriptors of its own", 56, (0x3D0B00,), errno.ENOSYS),
        ("close_range, CLOSE_RANGE_UNSHARE", 436, (900, 901, 2), errno.EINVAL),
        ("sendfile", 40, (), errno.EINVAL),
        ("clone, CLONE_NEWUSER", 56, (0x10000011,), errno.EPERM),
        ("clone, CLONE_PARENT", 56, (0x8011,), errno.EPERM),
        ("clone, CLONE_PIDFD", 56, (0x1011,), errno.EPERM),
        ("pidfd_open", 434, (), errno.ENOSYS),
        ("clock_gettime, the machine's", 228, (7,), 0),
        ("clock_gettime, its own", 228, (-6,), 0),
        ("clock_gettime, its thread's", 228, (-2,), 0),
        ("ioctl, FIONREAD", 16, (0, 0x541B), 0),
        ("ioctl, TIOCSTI", 16, (0, 0x5412), errno.ENOSYS),
        ("ioctl, FS_IOC_SETFLAGS", 16, (0, 0x40086602), errno.ENOSYS),
        ("fcntl, F_SETFL O_NONBLOCK", 72, (0, 4, 0o4000), 0),
        ("fcntl, F_SETFL O_ASYNC", 72, (0, 4, 0o20000), errno.ENOSYS),
        ("fcntl, F_SETPIPE_SZ", 72, (0, 1031, 1 << 20), errno.ENOSYS),
        ("fcntl, F_SETSIG", 72, (0, 10, 9), errno.ENOSYS),
        ("personality, asked", 135, (0xFFFFFFFF,), 0),
        ("personality", 135, (0x40000,), errno.ENOSYS),
        ("prctl, PR_SET_NAME", 157, (15,), 0),
        ("prctl, PR_SET_MM", 157, (35,), errno.ENOSYS),
        ("prctl, PR_SET_MM in 64 bits", 157, (35 | 1 << 32,), errno.ENOSYS),
        ("prctl, PR_SET_DUMPABLE", 157, (4,), errno.ENOSYS),
        ("madvise, MADV_DONTNEED", 28, (0, 1, 4), 0),
        ("madvise, MADV_PAGEOUT", 28, (0, 1, 21), errno.ENOSYS),
        ("socketpair, a stream", 53, (1, 0o2000001), 0),
        ("socketpair, datagrams", 53, (1, 2), errno.ENOSYS),
        ("socket", 41, (1, 1), errno.EAFNOSUPPORT),
        ("setsockopt, SO_SNDBUF", 54, (0, 1, 7), errno.ENOSYS),
        ("setsockopt, SO_RCVTIMEO", 54, (0, 1, 20), 0),
        ("setsid", 112, (), errno.EPERM),
        ("modify_ldt", 154, (), errno.EPERM),
        ("bind", 49, (), errno.EPERM),
        ("preadv2", 327, (), errno.ENOSYS),
        ("setpriority of itself", 141, (0, 0, 19), 0),
        ("setpriority of another", 141, (0, 5, 19), errno.EPERM),
        ("mknod, a pipe", 133, (0, 0o10600), 0),
        ("mknod, a socket", 133, (0, 0o140600), errno.ENOSYS),
    ],
)
def test_a_call_is_answered_by_its_arguments(
    kind: FilterKind, name: str, number: int, arguments: tuple[int, ...], error: int
) -> None:
    assert answer(kind, number, *arguments) == error, name


@pytest.mark.parametrize(
    ("name", "number", "arguments", "error"),
    [
        ("accept4", 288, (), 0),
        ("sendmsg", 46, (), 0),
        ("fcntl, F_SETLK", 72, (0, 6), 0),
        ("flock", 73, (), 0),
        ("clone, a thread", 56, (0x3D0F00,), 0),
        ("clone, a process", 56, (0x01200011,), errno.EPERM),
        ("clone, CLONE_NEWUSER", 56, (0x10000011,), errno.EPERM),
        ("clone3", 435, (), errno.ENOSYS),
        ("fork", 57, (), errno.EPERM),
        ("vfork", 58, (), errno.EPERM),
        ("execve", 59, (), errno.EPERM),
        ("execveat", 322, (), errno.EPERM),
        ("kill", 62, (), errno.EPERM),
        ("pidfd_send_signal", 424, (), errno.EPERM),
        ("recvmsg", 47, (), 0),
        ("socketpair, a stream", 53, (1, 0o2000001), 0),
        ("socketpair, datagrams, which go anywhere", 53, (1, 2), errno.ENOSYS),
        ("connect", 42, (), errno.EPERM),
        ("socket, AF_UNIX", 41, (1, 1), errno.EAFNOSUPPORT),
        ("socket, AF_INET", 41, (2, 1), errno.EAFNOSUPPORT),
        ("socket, AF_INET6", 41, (10, 1), errno.EAFNOSUPPORT),
        ("socket, AF_NETLINK", 41, (16, 3), errno.EAFNOSUPPORT),
        ("bind", 49, (), errno.EPERM),
        ("ioctl, TIOCSTI", 16, (0, 0x5412), errno.ENOSYS),
        ("prctl, PR_SET_DUMPABLE", 157, (4,), errno.ENOSYS),
        ("ptrace", 101, (), errno.EPERM),
        ("io_uring_setup", 425, (), errno.ENOSYS),
        ("mount", 165, (), errno.ENOSYS),
        ("unshare", 272, (), errno.ENOSYS),
        ("memfd_create", 319, (), errno.ENOSYS),
        ("bpf", 321, (), errno.ENOSYS),
    ],
)
def test_a_server_answers_and_starts_nothing(
    name: str, number: int, arguments: tuple[int, ...], error: int
) -> None:
    assert answer("server", number, *arguments) == error, name


@pytest.mark.parametrize("kind", [*KINDS, "server"])
def test_a_call_has_one_answer_for_the_same_arguments(kind: FilterKind) -> None:
    answered = [
        (call, arguments)
        for rule in CALL_RULES
        if getattr(rule, kind) != "ENOSYS"
        for call in rule.calls.split()
        for arguments in rule.arguments
    ]
    assert len(answered) == len(set(answered))
    whole = [call for call, arguments in answered if not arguments]
    assert not {call for call, arguments in answered if arguments} & set(whole)


@pytest.mark.parametrize(
    ("name", "number", "arguments"),
    [
        ("clock_gettime", 228, (~1000 << 3 | 2,)),
        ("clock_getres", 229, (~1000 << 3 | 6,)),
        ("clock_nanosleep", 230, (~1000 << 3 | 2,)),
        ("getpriority", 140, (0, 1000)),
        ("getpriority of a user", 140, (2, 0)),
        ("getpgid", 121, (1000,)),
        ("getsid", 124, (1000,)),
        ("sched_getscheduler", 145, (1000,)),
        ("sched_getaffinity", 204, (1000,)),
    ],
)
def test_where_numbers_are_the_machines_a_bot_asks_about_itself_only(
    name: str, number: int, arguments: tuple[int, ...]
) -> None:
    assert answer("box", number, *arguments) == 0, name
    assert answer("reduced", number, *arguments) == errno.ENOSYS, name
    if "clock" not in name:
        assert answer("reduced", number, 0, 0) == 0, name


def test_calls_of_other_machines_end_the_bot() -> None:
    assert answer("box", 1, machine=0x40000003) == -1
    assert answer("box", 0x40000000) == -1
