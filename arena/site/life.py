"""The life of one of a site's processes: it is alone, tells what it does, and ends when told.

The file `state/NAME.json` has what a process last did, for whoever asks after the site's health.
"""

import fcntl
import os
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import Final

import msgspec

from arena.base.errors import MachineError, Mistake
from arena.base.files import write_whole
from arena.base.words import NO_TABLE
from arena.site.config import Site
from arena.site.logs import spoken

END_PATIENCE_S: Final = 20.0
"""Seconds that a process waits for another of its name to end, and may take to end itself."""

PROCESS_SILENT_S: Final = 120.0
"""Seconds of silence after which somebody should look after a process."""

_BEAT_S: Final = 2.0
_TICK_S: Final = 0.1


class ProcessState(msgspec.Struct, frozen=True):
    """What a process last told of itself. Moments are seconds since 1970.

    It runs since `begun`, and spoke `at`; `ended` says that it told its end. `workers` are those of
    the site's scheduler by address, with what each does for the process or why it is not used.
    """

    name: str
    pid: int
    begun: float
    at: float
    doing: str
    ended: bool = False
    workers: dict[str, str] = {}


def state_path(site: Site, name: str) -> Path:
    """Return the path of the file with a process's state."""
    return site.state / f"{name}.json"


def read_states(site: Site) -> dict[str, ProcessState]:
    """Return the states that a site's processes last told, by name.

    A broken file counts as none.
    """
    found: dict[str, ProcessState] = {}
    for path in sorted(site.state.glob("*.json")) if site.state.is_dir() else ():
        with suppress(OSError, msgspec.MsgspecError):
            found[path.stem] = msgspec.json.decode(path.read_bytes(), type=ProcessState)
    return found


def no_table(site: Site) -> str:
    """Return why the site's league can form no table, as its process last told; "" if it can."""
    with suppress(OSError, msgspec.MsgspecError):
        state = msgspec.json.decode(state_path(site, "league").read_bytes(), type=ProcessState)
        return state.doing.partition(";")[0] if state.doing.startswith(NO_TABLE) else ""
    return ""


def heard_seconds_ago(site: Site) -> dict[str, float]:
    """Return by process the seconds since it last told what it does."""
    now = time.time()
    return {name: max(0.0, round(now - each.at, 1)) for name, each in read_states(site).items()}


def silent(
    site: Site, names: Iterable[str], since: float, after_s: float = PROCESS_SILENT_S
) -> dict[str, float]:
    """Return the processes not heard of for `after_s` seconds, or ended, with their last moments.

    Moments are seconds since 1970; a process that was never heard of is silent `since` then.
    """
    states, late = read_states(site), time.time() - after_s
    heard = {name: states[name].at if name in states else since for name in names}
    return {name: at for name, at in heard.items() if at < late}


def tell_watcher() -> None:
    """Tell the supervisor, which reads this process's output, that it goes on."""
    with suppress(OSError):
        os.write(1, b"\n")


class Life:
    """The life of this process, under its name.

    If it is `watched`, a supervisor reads its output. `workers` are told with what it does.
    """

    def __init__(self, site: Site, name: str, watched: bool = False) -> None:
        self.name = name
        self.workers: dict[str, str] = {}
        self._watched = watched
        self._path = state_path(site, name)
        self._begun = time.time()
        self._told: tuple[str, dict[str, str]] = "", {}
        self._told_at = -_BEAT_S
        self._lock = threading.Lock()

    def say(self, what: str, warning: bool = False) -> None:
        """Tell the organiser a line, on standard error; a `warning` wants to be looked at."""
        with suppress(OSError):  # nobody listens any more
            print(spoken(self.name, what, warning), file=sys.stderr, flush=True)

    def beat(self, doing: str, ended: bool = False) -> None:
        """Note what is being done, unless it was noted a moment ago.

        A supervisor hears of it by an empty line, even if the disk is full or the clock steps.
        """
        with self._lock:
            now, told = time.monotonic(), (doing, self.workers)
            if told == self._told and now < self._told_at + _BEAT_S and not ended:
                return
            self._told, self._told_at = told, now
            state = ProcessState(
                name=self.name,
                pid=os.getpid(),
                begun=self._begun,
                at=time.time(),
                doing=doing,
                ended=ended,
                workers=self.workers,
            )
            data = msgspec.json.encode(state)
            try:
                write_whole(self._path, data, 0o640)
            except OSError:  # on a full disk the work goes on, and what was there has room
                with suppress(OSError), self._path.open("r+b") as file:
                    file.write(data)
                    file.truncate()
            if self._watched:
                tell_watcher()


@contextmanager
def living(site: Site, name: str, watched: bool) -> Iterator[Life]:
    """Make a life that SIGTERM and SIGINT end, which is not an error.

    If it is `watched`, it also ends with standard input: whoever started it is gone then. Raises
    `MachineError` if another process of that name does not end.
    """
    site.state.mkdir(mode=0o750, parents=True, exist_ok=True)
    life = Life(site, name, watched)
    before = signal.signal(signal.SIGTERM, _interrupt)
    interrupted = signal.getsignal(signal.SIGINT)
    if interrupted is signal.SIG_IGN:  # as shells have it for background jobs
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if watched:
        threading.Thread(target=_end_with_input, daemon=True).start()
    try:
        with alone(site, site.state, name, END_PATIENCE_S):
            life.beat("begins")
            try:
                yield life
            finally:
                life.beat("ended", ended=True)
    except KeyboardInterrupt:
        pass
    except BaseExceptionGroup as group:  # trio's
        if group.split(KeyboardInterrupt)[1] is not None:
            raise
    finally:
        signal.signal(signal.SIGTERM, before)
        signal.signal(signal.SIGINT, interrupted)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Act as at Ctrl-C, which trio passes on to whatever waits."""
    signal.raise_signal(signal.SIGINT)


def _end_with_input() -> None:
    with suppress(OSError):
        while os.read(0, 64):
            pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(END_PATIENCE_S)
    os._exit(1)


def lock_path(folder: Path, name: str) -> Path:
    """Return the path of the lock by which a name is held, with the number of who holds it."""
    return folder / f"{name}.lock"


def holder(lock: Path) -> int | None:
    """Return the number of the process that holds a lock, None if nobody does."""
    with suppress(OSError, ValueError), lock.open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return int(file.read())
    return None


@contextmanager
def alone(site: Site, folder: Path, name: str, patience_s: float) -> Iterator[None]:
    """Hold a name, which the kernel gives back however this process ends.

    Raises `MachineError` if another process keeps it for `patience_s` seconds.
    """
    with lock_path(folder, name).open("ab") as file:
        until = time.monotonic() + patience_s
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > until:
                    what = f"the {name} of this site is running already"
                    raise MachineError(Mistake(what, str(site.path), "stop it first")) from None
                time.sleep(_TICK_S)
        file.truncate(0)
        file.write(b"%d" % os.getpid())
        file.flush()
        yield
