"""One process of a site: alone under its name, it reports what it does and ends when asked to.

It notifies its parent, `arena serve` or systemd (sd_notify(3)). `state/NAME.json` has what it last
did, for health checks.
"""

import errno
import fcntl
import os
import signal
import socket
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Final

import msgspec

from arena.base.errors import MachineError, Mistake
from arena.base.files import write_whole
from arena.base.harmless import harmless
from arena.site.config import Site, make_folders

# Seconds that a process waits for another of its name to end, and may take to end itself.
END_PATIENCE_S: Final = 20.0

# Seconds of silence after which somebody should check on a process.
SILENT_S: Final = 120.0

# Seconds of silence of any part of a process after which its watchdog is not notified any more.
HANGS_S: Final = 300.0

# Seconds to wait for an address that parts of a killed site may still hold.
HELD_S: Final = 3.0

# The first descriptor that systemd passes: `SD_LISTEN_FDS_START` in sd_listen_fds(3).
FIRST_PASSED: Final = 3

_BEAT_S: Final = 5.0
_TICK_S: Final = 0.1
_BACKLOG: Final = 4096


class ProcessState(msgspec.Struct, frozen=True):
    """What a process last reported, by part; `at` is when the last of its parts did, since 1970.

    `workers` are those of the site's scheduler by address, with what each does for the process or
    why it is not used.
    """

    name: str
    pid: int
    at: float
    doing: dict[str, str]
    workers: dict[str, str] = {}


class SiteProcess:
    """This process of a site. Its parts are threads, which report what they do."""

    def __init__(self, site: Site, name: str) -> None:
        self.site: Site = site
        self.name = name
        self.workers: dict[str, str] = {}
        self.notify: Callable[[str], None] = notifier()
        self._parts: dict[str, tuple[float, str]] = {}
        self._told: object = None
        self._told_at = -_BEAT_S
        self._lock = threading.Lock()

    def doing(self, part: str) -> str:
        """Return what a part last reported."""
        return self._parts.get(part, (0.0, ""))[1]

    def beat(self, part: str, doing: str) -> None:
        """Note what a part does; write it, unless the same was written a moment ago."""
        with self._lock:
            now = time.monotonic()
            self._parts[part] = now, doing
            told = {name: doing for name, (_, doing) in self._parts.items()}, self.workers
            if told == self._told and now < self._told_at + _BEAT_S:
                return
            self._told, self._told_at = told, now
            silent_s = now - min(at for at, _ in self._parts.values())
            if silent_s < HANGS_S:
                self.notify("WATCHDOG=1")
            state = ProcessState(self.name, os.getpid(), time.time() - silent_s, *told)
            path = self.site.state / f"{self.name}.json"
            with suppress(OSError):  # on a full disk the work continues
                write_whole(path, msgspec.json.encode(state), 0o640)


class SitePart:
    """A part of a process as the code that does its work has it."""

    def __init__(self, process: SiteProcess, name: str) -> None:
        self.process: SiteProcess = process
        self.site: Site = process.site
        self.name = name
        self.beat("begins")

    def beat(self, doing: str) -> None:
        """Report what is being done, at least every few seconds."""
        self.process.beat(self.name, doing)

    def say(self, what: str) -> None:
        """Print a line for the organiser on standard error."""
        with suppress(OSError):  # nobody listens any more
            print(harmless(f"{self.name}: {what}"), file=sys.stderr, flush=True)


def notifier() -> Callable[[str], None]:
    """Return a function that notifies the parent process; without one it does nothing."""
    path = os.environ.pop("NOTIFY_SOCKET", "")  # bots get none
    if not path:
        return lambda state: None
    to = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    to.setblocking(False)
    to.connect(f"\0{path[1:]}" if path[0] == "@" else path)

    def notify(state: str) -> None:
        with suppress(OSError):  # it has ended, or does not read just now
            to.send(state.encode())

    return notify


def run_process(site: Site, name: str, work: Callable[[SiteProcess], None]) -> None:
    """Be the process of a name until asked to stop by SIGTERM, SIGINT or the end of its input."""
    with suppress(KeyboardInterrupt):
        for number in (signal.SIGTERM, signal.SIGINT):  # a shell's background jobs ignore the other
            signal.signal(number, _interrupt)
        if input_is_pipe():
            threading.Thread(target=end_with_input, daemon=True).start()
        make_folders(site)
        with alone(site, name):
            process = SiteProcess(site, name)
            process.notify("READY=1")
            work(process)


def input_is_pipe() -> bool:
    """Return whether standard input is a pipe: it ends with the parent process."""
    return stat.S_ISFIFO(os.fstat(0).st_mode)


def end_with_input() -> None:
    """Ask this process to stop once its standard input has ended; end it if it does not."""
    with suppress(OSError):
        while os.read(0, 64):
            pass
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)
    time.sleep(END_PATIENCE_S)
    os._exit(1)


# Act as at Ctrl-C, which the libraries pass on to whatever waits.
def _interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextmanager
def alone(site: Site, name: str) -> Iterator[None]:
    """Hold a name, which the kernel gives back however this process ends.

    Raises `MachineError` if another process keeps it for `END_PATIENCE_S` seconds.
    """
    with lock_path(site, name).open("ab") as file:
        until = time.monotonic() + END_PATIENCE_S
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    held_by = holder(lock_path(site, name))
                    whose = "this site" if name == "site" else f"{name} of this site"
                    what = f"{whose} is running already, as process {held_by}"
                    raise MachineError(Mistake(what, str(site.path), "stop it first")) from None
                time.sleep(_TICK_S)
        file.truncate(0)
        file.write(b"%d" % os.getpid())
        file.flush()
        yield


# --- the socket at which it is reached ---


def listen(site: Site) -> socket.socket:
    """Return the socket that systemd passed, else one that listens at the address of a site.

    Where systemd made it, it outlasts the whole site: requests wait while that restarts. Raises
    `MachineError`.
    """
    return _passed() or bound(site, (site.host, site.port))


# Return the socket that systemd passed to this very process, if any: sd_listen_fds(3).
def _passed() -> socket.socket | None:
    pid, count = os.environ.pop("LISTEN_PID", ""), os.environ.pop("LISTEN_FDS", "")
    if pid != str(os.getpid()) or count != "1":
        return None
    passed = socket.socket(fileno=FIRST_PASSED)
    passed.set_inheritable(False)
    return passed


def bound(site: Site, place: tuple[str, int]) -> socket.socket:
    """Return a socket that listens at a host and port of a site. Raises `MachineError`."""
    host, port = place
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    until = time.monotonic() + HELD_S
    while True:
        try:
            return socket.create_server(place, family=family, backlog=_BACKLOG)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > until:
                why = os.strerror(error.errno or 0)
                what = f"the site cannot listen at {host}:{port}: {why}"
                remedy = "end what listens there, or name another place in listen"
                raise MachineError(Mistake(what, str(site.path), remedy)) from None
        time.sleep(_TICK_S)


# --- what others see of it ---


def lock_path(site: Site, name: str) -> Path:
    """Return the path of the lock of a name; the file has its owner's process number."""
    return site.state / f"{name}.lock"


def holder(lock: Path) -> int | None:
    """Return the number of the process that holds a lock, None if nobody does."""
    with suppress(OSError, ValueError), lock.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return int(file.read())
    return None


def read_states(site: Site) -> dict[str, ProcessState]:
    """Return the states that a site's processes last wrote; a broken file counts as none."""
    found: dict[str, ProcessState] = {}
    for path in sorted(site.state.glob("*.json")):
        with suppress(OSError, msgspec.MsgspecError):
            found[path.stem] = msgspec.json.decode(path.read_bytes(), type=ProcessState)
    return found


def silent(site: Site, names: Iterable[str], since: float) -> dict[str, float]:
    """Return the processes that sent no sign of life for `SILENT_S` seconds, and since when.

    A process that never sent one is silent `since` then, in seconds since 1970.
    """
    states, late = read_states(site), time.time() - SILENT_S
    heard = {name: states[name].at if name in states else since for name in names}
    return {name: at for name, at in heard.items() if at < late}
