"""Reads and writes secrets, homes, logs, other bots, system folders and its own submission."""

import fcntl
import os
import signal
import struct
from pathlib import Path

import play

SECRET, OTHER, LOG, WORK = map(play.target, ("secret_file", "other_bot", "log", "work"))
HERE = Path.cwd()
OWN = {os.environ.get("HOME", ""), os.environ.get("TMPDIR", ""), str(HERE)}
try:
    SHOWN = [line.split()[4] for line in Path("/proc/self/mountinfo").read_text().splitlines()]
except PermissionError:
    SHOWN = []
SHARED = "/usr/bin/env"
FLOCK = "hhqqi4x"
F_OFD_GETLK, F_OFD_SETLK = 36, 37


def read(path):
    return f"{len(Path(path).read_bytes())} bytes"


def names(folder):
    return f"{len(os.listdir(folder))} names"


def link():
    Path(play.SCRATCH, "link").symlink_to(SECRET)
    return read(Path(play.SCRATCH, "link"))


def siblings():
    found = [name for name in os.listdir("..") if Path("..", name, "bot.toml").exists()]
    if len(found) <= 1:
        raise play.HeldError("no other bot")
    return f"{len(found)} folders"


def private(folder):
    """What leads to a mount of its own, as a runtime in a home folder does, is there on purpose."""
    paths = [os.path.join(folder, name) for name in os.listdir(folder)]
    found = [
        path
        for path in paths
        if path not in OWN and not any(f"{mount}/".startswith(f"{path}/") for mount in SHOWN)
    ]
    if not found:
        raise play.HeldError("empty")
    return f"{len(found)} names"


def seat(number):
    """Look for the scratch folder of another bot under the name of its seat."""
    path = os.path.join(play.SCRATCH, "..", str(number))
    if os.stat(path).st_ino == os.stat(play.SCRATCH).st_ino:
        raise play.HeldError("its own")
    return "seen"


def above_scratch():
    if os.path.realpath(play.SCRATCH) == "/tmp":
        raise play.HeldError("its own box")
    return names(os.path.join(play.SCRATCH, ".."))


def made(folder):
    path = Path(folder, f"zoo-was-here-{os.getpid()}")
    with path.open("x"):
        path.unlink()


def renamed():
    (HERE / "target.json").rename(HERE / "target.moved")
    (HERE / "target.moved").rename(HERE / "target.json")


def sparse():
    """A file of 1 GiB with nothing in it must take no room."""
    with Path(play.SCRATCH, "sparse").open("wb") as file:
        file.truncate(1 << 30)
    taken = Path(play.SCRATCH, "sparse").stat().st_blocks * 512
    if taken <= play.MIB:
        raise play.HeldError(f"{taken} bytes")
    return f"it takes {taken} bytes"


def flock():
    """A lock that is only pretended is held."""
    first, second = os.open(SHARED, os.O_RDONLY), os.open(SHARED, os.O_RDONLY)
    fcntl.flock(first, fcntl.LOCK_EX | fcntl.LOCK_NB)
    try:
        fcntl.flock(second, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return "the second lock was refused"
    raise play.HeldError("both granted")


def lock(kind):
    file = os.open(SHARED, os.O_RDONLY)
    fcntl.fcntl(file, kind, struct.pack(FLOCK, fcntl.F_RDLCK, os.SEEK_SET, 0, 0, 0))


def see_lock(get):
    question = struct.pack(FLOCK, fcntl.F_WRLCK, os.SEEK_SET, 0, 0, 0)
    seen = fcntl.fcntl(os.open(SHARED, os.O_RDONLY), get, question)
    if struct.unpack(FLOCK, seen)[0] != fcntl.F_RDLCK:
        raise play.HeldError("unseen")


def record_lock():
    lock(fcntl.F_SETLK)
    return play.aside(lambda: see_lock(fcntl.F_GETLK))


def open_file_lock():
    lock(F_OFD_SETLK)
    see_lock(F_OFD_GETLK)


def told_of(path, order, what):
    """Have the kernel tell when somebody else opens a file or reads a folder."""
    signal.signal(signal.SIGIO, signal.SIG_IGN)
    fcntl.fcntl(os.open(path, os.O_RDONLY), order, what)


play.attempt(
    secret=lambda: read(SECRET),
    upwards=lambda: read("../" * 20 + SECRET.lstrip("/")),
    own_root=lambda: read("/proc/self/root" + SECRET),
    first_root=lambda: read("/proc/1/root" + SECRET),
    first_cwd=lambda: read("/proc/1/cwd/" + "../" * 20 + SECRET.lstrip("/")),
    parent_root=lambda: read(f"/proc/{os.getppid()}/root{SECRET}"),
    symlink=link,
    secrets=lambda: names(Path(SECRET).parent),
    other=lambda: names(OTHER),
    manifest=lambda: read(Path(OTHER, "bot.toml")),
    siblings=siblings,
    log=lambda: read(LOG),
    journal=lambda: read(f"{LOG}-wal"),
    log_write=lambda: os.close(os.open(LOG, os.O_WRONLY)),
    logs=lambda: names(Path(LOG).parent),
    root=lambda: private("/root"),
    home=lambda: private("/home"),
    var_log=lambda: private("/var/log"),
    run=lambda: private("/run"),
    shadow=lambda: read("/etc/shadow"),
    host_keys=lambda: private("/etc/ssh"),
    scratches=above_scratch,
    **{f"seat{n}": lambda n=n: seat(n) for n in range(3)},
    **{
        f"new_{folder}": lambda folder=folder: made(folder)
        for folder in ("/usr", "/", "/etc", "/var/tmp", "/dev", "/run", WORK, OTHER, "..", HERE)
    },
    bot=lambda: os.close(os.open(HERE / "bot.py", os.O_WRONLY)),
    rights=lambda: os.chmod(HERE / "bot.py", 0o600),
    times=lambda: os.utime(HERE / "bot.py"),
    renamed=renamed,
    sparse=sparse,
    flock=flock,
    record_lock=record_lock,
    open_file_lock=open_file_lock,
    lease=lambda: play.aside(lambda: told_of(SHARED, fcntl.F_SETLEASE, fcntl.F_RDLCK)),
    watch=lambda: play.aside(lambda: told_of("/usr/bin", fcntl.F_NOTIFY, fcntl.DN_ACCESS)),
)
