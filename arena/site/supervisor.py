"""Starts the processes of a site, starts again what dies, and ends them all in order.

Each process has a pipe as its standard input, which ends when this one does, even by SIGKILL.
"""

import os
import signal
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import IO, Final

import msgspec

from arena.site.config import Site
from arena.site.life import END_PATIENCE_S, silent
from arena.site.logs import Logs, Severity, logs_in
from arena.site.processes import WEB

DEATHS: Final = 5
WITHIN_S: Final = 60.0
REST_S: Final = 300.0
"""Seconds of rest for a process that has died `DEATHS` times in `WITHIN_S` seconds."""


_LONGEST_LINE: Final = 1 << 16
LAST_LINES_S: Final = 5.0
"""Seconds to read the last lines of a dead process: its children may still hold its pipe."""

_TICK_S: Final = 0.1
_ASK_S: Final = 10.0
"""Seconds between looks for processes that have fallen silent."""
HANGS: Final = 30
"""The number of looks after which a process that neither said nor did anything is killed: it hangs.
"""
_MISTAKE: Final = 2
"""The exit code of a process that needs the organiser: a file of the site has mistakes in it."""


class Start(msgspec.Struct, frozen=True):
    """The command of a process, the first line of its input, and the descriptors it is given."""

    name: str
    command: tuple[str, ...]
    asked: dict[str, object] | None = None
    descriptors: tuple[int, ...] = ()


class _Process:
    """One process, through all its starts."""

    def __init__(self, start: Start, logs: Logs) -> None:
        self.name = start.name
        self.running: subprocess.Popen[str] | None = None
        self.start_at = 0.0
        self._start = start
        self._logs = logs
        self._deaths: deque[float] = deque(maxlen=DEATHS)
        self._readers: list[threading.Thread] = []
        self._beats = 0
        self._sign: object = None
        self._idle = 0

    def start(self) -> None:
        """Start it, with a pipe as input that ends when the supervisor does."""
        process = subprocess.Popen(
            self._start.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            process_group=0,  # Ctrl-C comes to us alone
            pass_fds=self._start.descriptors,
            text=True,
            errors="replace",
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        assert process.stdin is not None
        if self._start.asked is not None:
            with suppress(OSError):  # it has ended already
                process.stdin.write(msgspec.json.encode(self._start.asked).decode() + "\n")
                process.stdin.flush()
        self.running = process
        self._readers = []
        self._idle = 0
        for stream, hear in ((process.stdout, self._beat), (process.stderr, self._hear)):
            reader = threading.Thread(target=_read, args=(stream, hear), daemon=True)
            self._readers.append(reader)
            reader.start()

    def died(self) -> int | None:
        """Return its exit code if it has ended since the last call; set when it starts again."""
        if self.running is None or (code := self.running.poll()) is None:
            return None
        self._forget()
        now = time.monotonic()
        self._deaths.append(now)
        recent = [at for at in self._deaths if at > now - WITHIN_S]
        wait_s = REST_S if len(recent) == DEATHS else 0.2 * 2 ** len(recent)
        self.start_at = now + wait_s
        how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
        again = "" if code == _MISTAKE else f"; it is started again in {wait_s:.1f} s"
        self._tell(f"{how}{again}", "error" if code == _MISTAKE else "warning")
        return code

    def end_if_it_hangs(self) -> None:
        """Kill it if it has hung for long; called now and then.

        The looks at which it hung are counted, not the time: a machine that stands still hangs
        nobody.
        """
        if self.running is None:
            return
        sign = self._beats, _spent(self.running.pid)
        self._idle = self._idle + 1 if sign == self._sign else 0
        self._sign = sign
        if self._idle == HANGS:
            self._tell("hangs, and is killed", "warning")
            self.running.kill()

    def end(self) -> None:
        """Ask it to end."""
        if self.running is not None:
            self.running.terminate()

    def wait(self, until: float) -> None:
        """Wait for its end until a moment, and kill it then."""
        if self.running is None:
            return
        try:
            self.running.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired:
            self._tell("does not end, and is killed", "warning")
            self.running.kill()
            self.running.wait()
        self._forget()

    def _forget(self) -> None:
        assert self.running is not None
        assert self.running.stdin is not None
        with suppress(OSError):
            self.running.stdin.close()
        for reader in self._readers:
            reader.join(LAST_LINES_S)
        self.running = None

    def _tell(self, said: str, level: Severity = "info") -> None:
        self._logs.tell(said, self.name, level)

    def _hear(self, line: str) -> None:
        self._logs.heard(line, self.name)

    def _beat(self, line: str) -> None:
        """Count a sign of life; tell that it serves, and what its confinement lacks here."""
        if not line:
            self._beats += 1
            return
        try:
            served = msgspec.json.decode(line, type=_Serves)
        except msgspec.MsgspecError:
            self._hear(line)
            return
        for each in served.missing:
            self._tell(f"is not fully shut in: {each}", "warning")
        self._tell("serves")


def _read(stream: IO[str], hear: Callable[[str], None]) -> None:
    """Hear the lines of a process until there are no more."""
    with suppress(ValueError, OSError), stream as lines:
        while line := lines.readline(_LONGEST_LINE):
            hear(line.rstrip("\n"))


class _Serves(msgspec.Struct, frozen=True):
    """The first line of the web process, once it serves."""

    port: int
    missing: tuple[str, ...]


def _spent(pid: int) -> str:
    """Return the processor time of a process's first thread; "" if the system does not tell."""
    try:
        return Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().partition(" ")[0]
    except OSError:
        return ""


def supervise(site: Site, starts: Sequence[Start], log: str) -> int:
    """Run processes until SIGTERM or SIGINT, end them in the given order; return the exit code.

    `log` is the name of the file for what they say.
    """
    with logs_in(site.logs, log) as logs, _signals() as asked:
        tell = logs.tell
        processes = [_Process(each, logs) for each in starts]
        tell(f"{site.title}: {site.address}, listening at {site.host}:{site.port}")
        tell(f"its files are in {site.folder}; Ctrl-C ends it")
        silences = _Silences(site, processes, logs)
        code = 0
        try:
            while not asked:
                code = _look(processes)
                silences.look()
                if code:
                    tell("the site ends: what is said above must be mended first", level="error")
                    return code
                time.sleep(_TICK_S)
            tell("ending …")
            return 128 + asked[0] if asked[0] == signal.SIGINT else 0
        finally:
            for process in processes:
                process.end()
                process.wait(time.monotonic() + END_PATIENCE_S)
            tell("ended")


def _look(processes: Sequence[_Process]) -> int:
    """Start whatever does not run; return the exit code of one that needs the organiser, or 0."""
    for process in processes:
        code = process.died()
        if code == _MISTAKE:
            return code
        if process.running is None and time.monotonic() >= process.start_at:
            process.start()
    return 0


class _Silences:
    """Tells of processes that hang, were stopped or rest, and of those that go on."""

    def __init__(self, site: Site, processes: Sequence[_Process], logs: Logs) -> None:
        self._site, self._processes, self._logs = site, processes, logs
        self._names = [each.name for each in processes if each.name != WEB]
        self._begun, self._next = time.time(), time.monotonic() + _ASK_S
        self._known: dict[str, float] = {}

    def look(self) -> None:
        """Look, if it is time to."""
        if time.monotonic() < self._next:
            return
        self._next = time.monotonic() + _ASK_S
        for process in self._processes:
            process.end_if_it_hangs()
        found = silent(self._site, self._names, self._begun)
        for name in found.keys() - self._known.keys():
            since = time.strftime("%H:%M:%S", time.localtime(found[name]))
            self._logs.tell(f"has said nothing since {since}", name, "warning")
        for name in self._known.keys() - found.keys():
            self._logs.tell("goes on", name)
        self._known = found


@contextmanager
def _signals() -> Iterator[list[int]]:
    """Yield a list that grows by the signals that ask to stop."""
    asked: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        asked.append(number)

    before = {each: signal.signal(each, note) for each in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield asked
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
