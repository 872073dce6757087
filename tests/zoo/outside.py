"""Looks at the machine and at what is private there, and reaches for others over the network."""

import contextlib
import fcntl
import os
import re
import signal
import socket
import struct
import sys
from pathlib import Path

import play

WORK, SECRET, OTHER, LOG = map(play.target, ("work", "secret_file", "other_bot", "log"))
PORT, UNIX = map(play.target, ("tcp_port", "unix_path"))

# --- the machine: its kernel, devices and settings ---


def mounts():
    lines = Path("/proc/self/mountinfo").read_text().splitlines()
    return play.some([line for line in lines if WORK in line.split()[3:5]], "none of the arena")


def disks():
    kinds = ("sd", "vd", "nvme", "loop")
    return play.some([name for name in os.listdir("/dev") if name.startswith(kinds)])


def opened(path, how=os.O_RDONLY):
    os.close(os.open(path, how | os.O_NONBLOCK | os.O_NOCTTY))


def made_device():
    path = Path(play.SCRATCH, "kmsg")
    os.mknod(path, 0o600 | 0o020000, os.makedev(1, 11))
    opened(path)


def counts(path):
    """What the whole machine is doing, by which bots could signal each other."""
    text = Path("/proc", path).read_text().replace("processes 1", "")
    return play.some([number for number in re.findall(r"\b\d+\b", text) if int(number)], "0")


def setting(path):
    return play.some(Path("/proc/sys", path).read_text().strip(), "empty")


COUNTS = (
    *("stat", "loadavg", "vmstat", "zoneinfo", "buddyinfo", "schedstat", "interrupts"),
    *("softirqs", "diskstats", "pressure/cpu", "pressure/memory"),
)
SETTINGS = (
    *("fs/file-nr", "fs/inode-nr", "fs/dentry-state"),
    *("kernel/random/boot_id", "kernel/pty/nr", "kernel/ns_last_pid"),
)

MACHINE = {
    "mounts": mounts,
    "disks": disks,
    "devices": lambda: f"{len(os.listdir('/sys/block'))} disks",
    "controls": lambda: f"{len(os.listdir('/sys/fs/cgroup'))} names",
    "mem": lambda: opened("/dev/mem"),
    "kmsg": lambda: opened("/dev/kmsg"),
    "log": lambda: opened("/proc/kmsg"),
    "core": lambda: opened("/proc/kcore"),
    "disk": lambda: opened("/dev/vda"),
    "fuse": lambda: opened("/dev/fuse", os.O_RDWR),
    "kvm": lambda: opened("/dev/kvm", os.O_RDWR),
    "tun": lambda: opened("/dev/net/tun", os.O_RDWR),
    "console": lambda: opened("/dev/console", os.O_WRONLY),
    "mknod": made_device,
    "sysrq": lambda: opened("/proc/sysrq-trigger", os.O_WRONLY),
    "hostname": lambda: opened("/proc/sys/kernel/hostname", os.O_WRONLY),
    "core_pattern": lambda: opened("/proc/sys/kernel/core_pattern", os.O_WRONLY),
    "caches": lambda: opened("/proc/sys/vm/drop_caches", os.O_WRONLY),
    "helper": lambda: opened("/sys/kernel/uevent_helper", os.O_WRONLY),
    "cgroup": lambda: opened("/sys/fs/cgroup/cgroup.procs", os.O_WRONLY),
    "own_score": lambda: opened("/proc/self/oom_score_adj", os.O_WRONLY),
    "parents_score": lambda: opened(f"/proc/{os.getppid()}/oom_score_adj", os.O_WRONLY),
    **{path: lambda path=path: counts(path) for path in COUNTS},
    **{path: lambda path=path: setting(path) for path in SETTINGS},
}

# --- the network, unix sockets, and sockets in /proc/net ---

# Asks a name server for a name that does not exist.
QUESTION = b"\x00\x07\x01\x00\x00\x01" + bytes(6) + b"\x03zoo\x07invalid\x00\x00\x01\x00\x01"


def connected(host):
    socket.create_connection((host, PORT), 0.3).close()


def route(family, address):
    with socket.socket(family, socket.SOCK_DGRAM) as one:
        one.connect((address, 53))
        return f"a route from {one.getsockname()[0]}"


def dns():
    words = Path("/etc/resolv.conf").read_text().split()
    play.some("nameserver" in words, "no name server")
    server = words[words.index("nameserver") + 1]
    family = socket.AF_INET6 if ":" in server else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as one:
        one.settimeout(0.4)
        one.connect((server, 53))
        one.send(QUESTION)
        return f"an answer of {len(one.recv(512))} bytes"


def open_socket(*kind):
    socket.socket(*kind).close()


def families():
    found = []
    for family in range(2, 46):
        for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):
            with contextlib.suppress(OSError):
                open_socket(family, kind)
                found.append((family, kind))
    return play.some(found, "none opens")


def unix(address):
    with socket.socket(socket.AF_UNIX) as one:
        one.settimeout(0.3)
        one.connect(address)


def listed(file, sought):
    return play.some(sought in Path("/proc/net", file).read_text(), "it is not among them")


NETWORK = {
    "tcp": lambda: connected("127.0.0.1"),
    "tcp6": lambda: connected("::1"),
    "udp": lambda: route(socket.AF_INET, "192.0.2.1"),
    "udp6": lambda: route(socket.AF_INET6, "2001:db8::1"),
    "dns": dns,
    "netlink_route": lambda: open_socket(socket.AF_NETLINK, socket.SOCK_RAW, 0),
    "netlink_events": lambda: open_socket(socket.AF_NETLINK, socket.SOCK_RAW, 15),
    "netlink_diagnosis": lambda: open_socket(socket.AF_NETLINK, socket.SOCK_RAW, 4),
    "vsock_stream": lambda: open_socket(socket.AF_VSOCK, socket.SOCK_STREAM),
    "vsock_datagram": lambda: open_socket(socket.AF_VSOCK, socket.SOCK_DGRAM),
    "packet": lambda: open_socket(socket.AF_PACKET, socket.SOCK_RAW, 0x0300),
    "icmp": lambda: open_socket(socket.AF_INET, socket.SOCK_RAW, 1),
    "ping": lambda: open_socket(socket.AF_INET, socket.SOCK_DGRAM, 1),
    "families": families,
    "unix": lambda: unix(UNIX),
    "abstract": lambda: unix("\0" + play.target("abstract")),
    "seen_unix": lambda: listed("unix", UNIX.rpartition("/")[2]),
    "seen_tcp": lambda: listed("tcp", f":{PORT:04X} "),
}

# --- private files: secrets, homes, logs, other bots, system folders, its own submission ---

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
    return play.some(found[1:], "no other bot")


def private(folder):
    """What leads to a mount of its own, as a runtime in a home folder does, is there on purpose."""
    paths = {os.path.join(folder, name) for name in os.listdir(folder)} - OWN
    shown = {path for path in paths for mount in SHOWN if f"{mount}/".startswith(f"{path}/")}
    return play.some(paths - shown, "empty")


def seat(number):
    path = os.path.join(play.SCRATCH, "..", str(number))
    return play.some(os.stat(path).st_ino != os.stat(play.SCRATCH).st_ino, "its own")


def above_scratch():
    play.some(os.path.realpath(play.SCRATCH) != "/tmp", "its own box")
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
    return play.some(taken > play.MIB, f"{taken} bytes")


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
    return play.some(struct.unpack(FLOCK, seen)[0] == fcntl.F_RDLCK, "unseen")


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


PRIVATE_FILES = {
    "secret": lambda: read(SECRET),
    "upwards": lambda: read("../" * 20 + SECRET.lstrip("/")),
    "own_root": lambda: read("/proc/self/root" + SECRET),
    "first_root": lambda: read("/proc/1/root" + SECRET),
    "first_cwd": lambda: read("/proc/1/cwd/" + "../" * 20 + SECRET.lstrip("/")),
    "parent_root": lambda: read(f"/proc/{os.getppid()}/root{SECRET}"),
    "symlink": link,
    "secrets": lambda: names(Path(SECRET).parent),
    "other": lambda: names(OTHER),
    "manifest": lambda: read(Path(OTHER, "bot.toml")),
    "siblings": siblings,
    "log": lambda: read(LOG),
    "journal": lambda: read(f"{LOG}-wal"),
    "log_write": lambda: os.close(os.open(LOG, os.O_WRONLY)),
    "logs": lambda: names(Path(LOG).parent),
    "root": lambda: private("/root"),
    "home": lambda: private("/home"),
    "var_log": lambda: private("/var/log"),
    "run": lambda: private("/run"),
    "shadow": lambda: read("/etc/shadow"),
    "host_keys": lambda: private("/etc/ssh"),
    "scratches": above_scratch,
    **{f"seat{n}": lambda n=n: seat(n) for n in range(3)},
    **{
        f"new_{folder}": lambda folder=folder: made(folder)
        for folder in ("/usr", "/", "/etc", "/var/tmp", "/dev", "/run", WORK, OTHER, "..", HERE)
    },
    "bot": lambda: os.close(os.open(HERE / "bot.py", os.O_WRONLY)),
    "rights": lambda: os.chmod(HERE / "bot.py", 0o600),
    "times": lambda: os.utime(HERE / "bot.py"),
    "renamed": renamed,
    "sparse": sparse,
    "flock": flock,
    "record_lock": record_lock,
    "open_file_lock": open_file_lock,
    "lease": lambda: play.aside(lambda: told_of(SHARED, fcntl.F_SETLEASE, fcntl.F_RDLCK)),
    "watch": lambda: play.aside(lambda: told_of("/usr/bin", fcntl.F_NOTIFY, fcntl.DN_ACCESS)),
}

ACTS = {"machine": MACHINE, "network": NETWORK, "private_files": PRIVATE_FILES}
play.attempt(**ACTS[sys.argv[1]])
