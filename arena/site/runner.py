"""`arena serve`: starts the processes of a site, starts again what dies, and ends them all.

For development and small sites; systemd does the same from units. Each process has a pipe as its
standard input, which ends when this one does, even by SIGKILL, and notifies a socket of this one as
it would systemd's.
"""

import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final

from arena.base.harmless import harmless
from arena.site.config import WEB, Site, make_folders, names_of
from arena.site.process import END_PATIENCE_S, HANGS_S, alone, listen

_TICK_S: Final = 0.1
_LONGEST_WAIT_S: Final = 60.0
# Seconds after which a process has begun well: it is started again at once.
_WELL_S: Final = 2.0

_LAST_LINES_S: Final = 2.0
_LONGEST_LINE: Final = 1 << 16
# The exit code of a process that finds mistakes in a file of the site: the organiser must act.
# One that has run well must find them twice: a file may be as it is for a moment.
_MISTAKE: Final = 2

_Say = Callable[[str, str], None]


def run_site(site: Site) -> int:
    """Run a site until SIGTERM or SIGINT; return the exit code. Raises `MachineError`."""
    asked: list[int] = []
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda number, frame: asked.append(number))
    make_folders(site)
    with (
        alone(site, "site"),
        listen(site) as listener,
        closing(_log(site.logs / "site.log")) as log,
    ):
        say = partial(_tell, log)
        say("site", f"{site.title}: {site.address}, listening at {site.host}:{site.port}")
        say("site", f"its files are in {site.folder}; Ctrl-C ends it")
        died = threading.Event()
        children = [
            _Child(name, site.path, listener.fileno(), say, died) for name in names_of(site)
        ]
        try:
            while not asked:
                if any(child.look() for child in children):
                    say("site", "ends: fix the error above, then start it again")
                    return _MISTAKE
                died.wait(_TICK_S)
                died.clear()
        finally:
            for child in children:
                child.ask_to_end()
            for child in children:
                child.end()
        say("site", "ended")
        return 128 + asked[0] if asked[0] == signal.SIGINT else 0


# One process, through all its starts.
class _Child:
    def __init__(
        self, name: str, path: Path, listener: int, say: _Say, died: threading.Event
    ) -> None:
        self._name, self._say, self._died = name, say, died
        self._passed = (listener,) if name == WEB else ()
        self._words = [*_words(name, path), *map(str, self._passed)]
        self._process: subprocess.Popen[str] | None = None
        self._start_at = self._started_at = self._wait_s = 0.0
        self._has_run = False

    def look(self) -> bool:
        """Start it if it is due, kill it if it hangs; return whether a mistake has ended it."""
        code = None if self._process is None else self._process.poll()
        now = time.monotonic()
        if code is not None:
            self._forget()
            ran_before, self._has_run = self._has_run, now > self._started_at + _WELL_S
            if code == _MISTAKE and not (ran_before or self._has_run):
                return True
            if self._has_run:
                self._wait_s = 0.0
            self._start_at = now + self._wait_s
            how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
            self._say(self._name, f"{how}; starts again in {self._wait_s:.1f} s")
            self._wait_s = min(_LONGEST_WAIT_S, 2 * self._wait_s + 0.2)
        if self._process is not None:
            self._kill_if_it_hangs()
        elif now >= self._start_at:
            self._start()
        return False

    def ask_to_end(self) -> None:
        """Ask it to end, if it runs."""
        if self._process is not None:
            self._process.terminate()

    def end(self) -> None:
        """Wait for its end, and kill it if that does not come."""
        if self._process is None:
            return
        try:
            self._process.wait(END_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._say(self._name, "does not end, and is killed")
            self._process.kill()
            self._process.wait()
        self._forget()

    def _start(self) -> None:
        self._notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK)
        self._notices.bind("")  # the kernel chooses an abstract address
        address = self._notices.getsockname()[1:].decode()
        path = os.pathsep.join(filter(None, sys.path))
        self._process = subprocess.Popen(
            self._words,
            stdin=subprocess.PIPE,
            stderr=subprocess.PIPE,
            process_group=0,  # Ctrl-C comes to us alone
            pass_fds=self._passed,
            text=True,
            errors="replace",
            env={**os.environ, "NOTIFY_SOCKET": f"@{address}", "PYTHONPATH": path},
        )
        self._started_at, self._silent = time.monotonic(), 0
        self._reader = threading.Thread(target=self._read, args=(self._process,), daemon=True)
        self._reader.start()

    # Kill it if it has notified nobody for long.
    # Polls are counted, not seconds: where the whole machine was suspended, nobody hangs.
    def _kill_if_it_hangs(self) -> None:
        assert self._process is not None
        self._silent += 1
        with suppress(BlockingIOError):
            while told := self._notices.recv(256):
                self._silent = 0
                if told == b"READY=1":
                    self._say(self._name, "runs")
        if self._silent * _TICK_S > HANGS_S:
            self._say(self._name, "hangs, and is killed")
            self._process.kill()

    # Report the lines of a process to their end, which is that of the process as a rule.
    def _read(self, process: "subprocess.Popen[str]") -> None:
        assert process.stderr is not None
        with suppress(ValueError, OSError), process.stderr as lines:
            while line := lines.readline(_LONGEST_LINE):
                self._say(self._name, line.rstrip("\n"))
        process.wait()
        self._died.set()

    def _forget(self) -> None:
        assert self._process is not None
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._notices.close()
        self._reader.join(_LAST_LINES_S)  # what it started may still hold its standard error
        self._process = None


def _words(name: str, path: Path) -> list[str]:
    return [sys.executable, "-m", "arena.site", name, str(path)]


def _log(path: Path) -> RotatingFileHandler:
    log = RotatingFileHandler(path, maxBytes=10 << 20, backupCount=5, encoding="utf-8", delay=True)
    log.handleError = lambda record: None  # type: ignore[method-assign]  # a full disk
    return log


# Report a line of a process in the terminal and in the log, requests only in the log.
def _tell(log: RotatingFileHandler, name: str, line: str) -> None:
    said = f"{name:<7} {harmless(line)}"
    if not line.startswith("{"):
        with suppress(OSError):
            print(f"{time.strftime('%H:%M:%S')}  {said}", file=sys.stderr, flush=True)
    log.handle(logging.makeLogRecord({"msg": f"{time.strftime('%F %T')}  {said}"}))
