"""Takes more than it is given, or leaves behind what is hard to clear: each as its name says."""

import array
import contextlib
import fcntl
import mmap
import os
import signal
import socket
import sys
import time
from functools import partial
from itertools import repeat
from pathlib import Path

import play

NAME = sys.argv[1]
KEPT = []


def holding(take):
    """The misdeed that takes something and keeps it."""

    def misdeed(*_):
        take()
        play.hold()

    return misdeed


def in_children(count, take):
    for _ in range(count):
        play.background(holding(take))


# --- memory ---


def fill_heap(parts):
    KEPT.extend(b"x" * (40 * play.MIB) for _ in range(parts))


def share(parts, mib, write):
    """Map parts of some MiB, and write each in its way."""
    KEPT.append(mmap.mmap(-1, parts * mib * play.MIB))
    for begin in range(0, parts * mib * play.MIB, mib * play.MIB):
        KEPT[0].seek(begin)
        write(KEPT[0], begin, b"x" * (mib * play.MIB))


def written_and_hidden(shared, begin, data):
    """Take 320 MiB, of which never more than 16 MiB look resident.

    MADV_DONTNEED takes the pages of a shared mapping out of the process's page tables, so they are
    no longer in its resident size; the kernel keeps what was written until the mapping ends.
    """
    shared.write(data)
    shared.madvise(mmap.MADV_DONTNEED, begin, len(data))


def written_by_a_child(shared, begin, data):
    os.waitpid(play.background(lambda: shared.write(data)), 0)


# --- the kernel's buffers for sockets and pipes ---


def fill_sockets(kind, sizes, most=1 << 40):
    """Fill pairs of sockets until no more can be had; return how many bytes they keep."""
    held = 0
    with contextlib.suppress(OSError):
        while held < most:
            KEPT.extend(socket.socketpair(socket.AF_UNIX, kind))
            for end in KEPT[-2:]:
                end.setblocking(False)
                with contextlib.suppress(BlockingIOError):
                    for size in sizes:
                        held += end.send(bytes(size))
    return held


def fill_pipes():
    """Fill 120 pipes of 1 MiB; return how many bytes they keep."""
    held = 0
    with contextlib.suppress(OSError):
        for _ in range(120):
            KEPT.append(os.pipe())
            os.set_blocking(KEPT[-1][1], False)
            with contextlib.suppress(OSError):
                fcntl.fcntl(KEPT[-1][1], fcntl.F_SETPIPE_SZ, play.MIB)
            held += os.write(KEPT[-1][1], b"x" * play.MIB)
    return held


def at_most(mib, held):
    """What came of buffers of which more than some MiB are too many."""
    figure = f"{held / play.MIB:.1f} MiB"
    return play.some(held > mib * play.MIB and figure, figure)


# --- the scratch folder or /dev/shm, step by step ---


def written(file, mib):
    for _ in range(mib):
        yield os.write(file, b"x" * play.MIB)


def files(count, size):
    for number in range(count):
        yield Path(play.SCRATCH, str(number)).write_bytes(b"x" * size)


def unnamed(folder, count):
    """Write 10 MiB into each of some files that never had names."""
    for _ in range(count):
        yield from written(os.open(folder, os.O_TMPFILE | os.O_WRONLY, 0o600), 10)


def nameless(keep, then):
    """Write 60 MiB into each of ten files that have lost their names, and are kept before."""
    for number in range(10):
        path = os.path.join(play.SCRATCH, str(number))
        file = os.open(path, os.O_CREAT | os.O_RDWR, 0o600)
        os.unlink(path)
        keep(file)
        yield from written(file, 60)
        then(file)


def map_and_close(file):
    KEPT.append(mmap.mmap(file, mmap.PAGESIZE))
    os.closerange(file, 100)  # the mapping's own descriptor, too


def send(file):
    KEPT.append(socket.socketpair())
    rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [file]))]
    KEPT[-1][0].sendmsg([b"x"], rights)


def tmp_deep():
    os.chdir(play.SCRATCH)
    for _ in range(2500):
        os.mkdir("nested")
        yield os.chdir("nested")


def filling(steps):
    def misdeed(*_):
        done = 0
        try:
            for _ in steps():
                done += 1
            note = f"ESCAPED: all {done} steps"
        except OSError as error:
            note = f"held: {error.strerror} after {done} steps"
        if done:
            play.hold()
        return note

    return misdeed


# --- a core, in the background, while it answers in time ---

DONE, TELL = os.pipe()


def spin(seconds):
    while time.process_time() < seconds:
        pass


def short_lives(turn):
    """Compute in children of 10 ms each.

    Where SIGCHLD is ignored, the kernel adds a child's time to nobody's account when it ends.
    """
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for _ in range(20):
        play.background(lambda: spin(0.01))
        with contextlib.suppress(ChildProcessError):
            os.wait()


def computing(compute):
    """The misdeed that computes before each answer."""

    def rounds():
        for turn in range(1, 100):
            compute(turn)
            os.write(TELL, b".")

    def misdeed(*_):
        play.background(rounds)

    return misdeed


# --- what it writes, and what it leaves behind ---


def flood_stderr():
    for _ in range(96):
        sys.stderr.write("x" * 65535 + "\n")
    sys.stderr.flush()


def hidden():
    """Hold the pipes for 30 seconds, in a session of its own."""
    os.setsid()
    if os.fork():
        os._exit(0)
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    time.sleep(30)


def daemon(*_):
    os.waitpid(play.background(hidden), 0)
    return "held: it is for the arena to end what was left"


def closed():
    Path("closed").mkdir()
    Path("closed", "file").touch()
    Path("closed").chmod(0)


def deep():
    for _ in range(1200):
        os.mkdir("d")
        os.chdir("d")


def scratch_traps(outside):
    for trap in (
        lambda: Path("outside").symlink_to(outside[0]),
        lambda: Path("round").symlink_to("."),
        lambda: os.mkfifo("pipe"),
        lambda: Path(os.fsdecode(b"\xff\xfe\n")).touch(),
        closed,
        deep,
    ):
        with contextlib.suppress(OSError):
            trap()


def tmp_links(outside):
    for folder in map(str, range(20)):
        os.makedirs(os.path.join(folder, "inside"), 0o555)
        for name, target in enumerate((*outside, "/var/tmp", "..")):
            os.symlink(target, os.path.join(folder, str(name)))
    time.sleep(0.3)


def leaving(traps):
    def misdeed(*_):
        home = os.open(".", os.O_RDONLY)
        outside = [play.target(key) for key in ("work", "secret_file", "other_bot")]
        os.chdir(play.SCRATCH)
        traps(outside)
        os.fchdir(home)
        return "held: it is for the arena to clear the folder and nothing else"

    return misdeed


MISDEEDS = {
    "heap_python": holding(partial(fill_heap, 10)),
    "many_heaps": holding(partial(in_children, 12, partial(fill_heap, 1))),
    "shared_memory": holding(partial(share, 10, 40, lambda shared, _, data: shared.write(data))),
    "ghost_memory": holding(partial(share, 20, 16, written_and_hidden)),
    "orphaned_memory": holding(partial(share, 16, 20, written_by_a_child)),
    "socket_families": holding(
        partial(in_children, 25, lambda: fill_sockets(socket.SOCK_STREAM, repeat(32768)))
    ),
    "socket_packets": holding(  # each with one more than it has room for
        partial(in_children, 16, lambda: fill_sockets(socket.SOCK_SEQPACKET, (100_000, 200_000)))
    ),
    "tmp_bytes": filling(partial(files, 10, 10 * play.MIB)),
    "tmp_unnamed": filling(partial(unnamed, play.SCRATCH, 10)),
    "tmp_files": filling(partial(files, 4000, 0)),
    "tmp_unlinked": filling(partial(nameless, KEPT.append, KEPT.append)),
    "tmp_mapped": filling(partial(nameless, KEPT.append, map_and_close)),
    "tmp_in_flight": filling(partial(nameless, send, os.close)),
    "tmp_deep": filling(tmp_deep),
    "dev_shm": filling(partial(unnamed, "/dev/shm", 15)),
    "cpu_spinner": computing(lambda turn: spin(0.2 * turn)),
    "cpu_short_lives": computing(short_lives),
    "stderr_flood": holding(flood_stderr),
    "daemon": daemon,
    "scratch_traps": leaving(scratch_traps),
    "tmp_links": leaving(tmp_links),
}

match NAME:
    case "big_pipes":
        play.attempt(pipes=lambda: at_most(80, fill_pipes()))
    case "socket_buffers":
        stream, most = socket.SOCK_STREAM, 100 * play.MIB
        play.attempt(sockets=lambda: at_most(64, fill_sockets(stream, repeat(32768), most)))
    case "stdout_volume":
        honest = play.line_of
        play.line_of = lambda answer: honest({**answer, "idle": "x" * 60000})
        play.run()
    case _:
        paced = NAME.startswith("cpu_")
        play.run(MISDEEDS[NAME], pace=(lambda: os.read(DONE, 1)) if paced else None)
