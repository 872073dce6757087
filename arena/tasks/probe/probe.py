"""Tries one thing that a sandbox must not allow, and says in a line how it went.

Run inside a sandbox as `python3 probe.py THING [WORDS…]`; prints `held: …` or `open: …`.
"""

import ctypes
import errno
import os
import socket
import subprocess
import sys
import time

FOREVER_S = 20.0
"""Seconds after which a probe that takes too much gives up."""


def network(port: str) -> str:
    with socket.create_connection(("127.0.0.1", int(port)), 2):
        return f"connected to port {port} of this machine"


def files(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return f"read {len(file.read())} characters of a file of the user's"


def processes(pid: str) -> str:
    with open(f"/proc/{pid}/stat", encoding="utf-8") as file:
        return f"sees the arena: {file.read().split()[1]}"


def signals(pid: str) -> str:
    os.kill(int(pid), 0)
    return "may signal the arena"


def environment(secret: str) -> str:
    found = [pid for pid in os.listdir("/proc") if pid.isdigit() and secret in _environment_of(pid)]
    if not found:
        raise PermissionError("no process shows it")
    return f"process {found[0]} shows the arena's environment"


def writing() -> str:
    for folder in (".", "/usr", "/"):
        try:
            with open(os.path.join(folder, "zole-probe"), "w", encoding="utf-8"):
                return f"wrote into {folder}"
        except OSError:
            continue
    raise PermissionError("neither its own folder nor the system's")


def calls() -> str:
    libc = ctypes.CDLL(None, use_errno=True)
    tried = (
        ("ptrace", 101, (0, 0, 0, 0)),
        ("unshare", 272, (0x10000000,)),
        ("memfd_create", 319, (b"x", 0)),
        ("bpf", 321, (0, 0, 0)),
        ("keyctl", 250, (0, -3, 1)),
        ("perf_event_open", 298, (0, 0, -1, -1, 0)),
        ("socket", 41, (socket.AF_UNIX, socket.SOCK_STREAM, 0)),
        ("listen", 50, (0, 1)),
        ("modify_ldt", 154, (1, 0, 0)),
        ("mincore", 27, (0, 4096, 0)),
        ("fadvise64", 221, (0, 0, 0, 4)),
        ("fchmodat2", 452, (-1, b"", 0, 0)),
        ("a call of no kernel yet", 600, ()),
    )
    refused = (errno.EPERM, errno.ENOSYS, errno.EAFNOSUPPORT)
    for name, number, arguments in tried:
        if libc.syscall(number, *arguments) >= 0:
            return f"{name} is possible"
        if ctypes.get_errno() not in refused:
            return f"{name} is looked at by the kernel: {os.strerror(ctypes.get_errno())}"
    raise PermissionError(f"{len(tried)} calls that bots have no use for are refused")


def counts() -> str:
    for path in ("sys/fs/file-nr", "loadavg", "vmstat", "interrupts", "pressure/cpu"):
        try:
            with open(f"/proc/{path}", encoding="utf-8") as file:
                return f"/proc/{path} shows {file.readline().strip()!r}"
        except OSError:
            continue
    raise PermissionError("what the machine does cannot be read from /proc")


def core() -> str:
    here = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(range(os.cpu_count() or 1)))
    return f"may leave its cores {sorted(here)}"


def rights() -> str:
    with open("/proc/self/status", encoding="utf-8") as file:
        status = dict(line.split(":\t", 1) for line in file)
    if os.getuid() == 0:
        return "runs as root"
    if int(status["CapPrm"], 16) or status["NoNewPrivs"].strip() != "1":
        return "has rights, or may gain some"
    raise PermissionError(f"user {os.getuid()} without rights, and none to gain")


def memory() -> str:
    held = []
    for _ in range(400):
        held.append(bytearray(os.urandom(1)) * (1 << 20))
    _wait()
    return "holds 400 MiB"


def tasks() -> str:
    sleepers = [subprocess.Popen(["sleep", str(FOREVER_S)]) for _ in range(60)]
    _wait()
    return f"runs {len(sleepers)} processes"


def scratch() -> str:
    with open(os.path.join(os.environ["TMPDIR"], "much"), "wb") as file:
        for _ in range(60):
            file.write(bytes(1 << 20))
        file.flush()
        _wait()
    return "keeps 60 MiB of files"


def time_used() -> str:
    end = time.monotonic() + FOREVER_S
    while time.monotonic() < end:
        pass
    return f"used {FOREVER_S:g} s of processor time"


def _wait() -> None:
    time.sleep(FOREVER_S)


def _environment_of(pid: str) -> str:
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return file.read().decode(errors="replace")
    except OSError:
        return ""


def main() -> None:
    """Try the thing named on the command line."""
    thing, *words = sys.argv[1:]
    try:
        print("open:", globals()[thing](*words), flush=True)
    except OSError as error:
        print("held:", error.strerror or error, flush=True)


if __name__ == "__main__":
    main()
