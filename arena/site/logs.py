"""The logs of a site: what its processes say, in a terminal and as lines of JSON."""

import logging
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final, Literal

import msgspec

from arena.base.harmless import harmless

Severity = Literal["info", "warning", "error"]

_LOG_BYTES: Final = 10 << 20
_LOGS: Final = 5
_WARNING: Final = "warning: "
"""How a process of a site begins what it says of something that somebody should look at."""


class SaidLine(msgspec.Struct, frozen=True):
    """A line of `site.log`. `process` is "site" for what starts the others."""

    at: str
    level: Severity
    process: str
    said: str


class Logs:
    """What is said goes to the terminal and into a log, requests into another log alone."""

    def __init__(self, folder: Path, name: str) -> None:
        self._site = _File(folder / f"{name}.log")
        self._requests = _File(folder / "requests.log")

    def tell(self, said: str, process: str = "", level: Severity = "info") -> None:
        """Tell a line of a process, or of the site itself."""
        said = harmless(said)
        shown = f"{process:<9} {said}" if process else said
        with suppress(OSError):
            print(f"{time.strftime('%H:%M:%S')}  {shown}", file=sys.stderr, flush=True)
        if said.startswith(_WARNING):
            said, level = said.removeprefix(_WARNING), "warning"
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._site.write(msgspec.json.encode(SaidLine(at, level, process or "site", said)).decode())

    def heard(self, line: str, process: str) -> None:
        """Tell a line that a process has written. What it does not say as its own is an error."""
        own, _, said = line.partition(" ")
        if line.startswith("{"):
            self._requests.write(line)
        elif own == process:
            self.tell(said.lstrip(), process)
        elif line:
            self.tell(line, process, "error")

    def close(self) -> None:
        """Close the files."""
        self._site.close()
        self._requests.close()


@contextmanager
def logs_in(folder: Path, name: str) -> Iterator[Logs]:
    """Yield the logs in a folder, that of the site under a name."""
    logs = Logs(folder, name)
    try:
        yield logs
    finally:
        logs.close()


def spoken(process: str, said: str, warning: bool = False) -> str:
    """Return a line as a process writes it."""
    return f"{process:<9} {_WARNING if warning else ''}{harmless(said)}"


class _File:
    """A log file that is rotated as it grows."""

    def __init__(self, path: Path) -> None:
        self._to = RotatingFileHandler(
            path, maxBytes=_LOG_BYTES, backupCount=_LOGS, encoding="utf-8", delay=True
        )
        self._to.handleError = lambda record: None  # type: ignore[method-assign]  # a full disk

    def write(self, line: str) -> None:
        """Add a line."""
        self._to.handle(logging.makeLogRecord({"msg": line}))

    def close(self) -> None:
        """Close the file."""
        self._to.close()
