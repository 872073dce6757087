"""One bot as a process: lines in, lines out, on deadlines, and nothing left of it afterwards."""

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from time import perf_counter
from typing import Final

import msgspec
import trio
from trio.lowlevel import notify_closing, wait_readable, wait_writable

GRACE_S: Final = 2.0
"""How long a bot may take to leave after the end of its input, and again after SIGTERM."""

STDERR_KEPT: Final = 8192
"""Bytes kept of the beginning and of the end of what a bot writes to stderr."""

_CHUNK: Final = 16384
_PR_SET_PDEATHSIG: Final = 1


class Program(msgspec.Struct, frozen=True):
    """How a bot is started: its command, and the folder it runs in."""

    name: str
    run: tuple[str, ...]
    folder: str


class Gone(Exception):
    """The bot has ended or closed its pipes; says how."""


class Late(Exception):
    """The deadline passed."""


class Flooded(Exception):
    """A line longer than allowed, or more unread output than allowed."""


class Watchdog:
    """One task for all deadlines: it wakes those who wait past theirs.

    Cheaper than a cancel scope for every decision. A waiter that is woken looks once more at its
    pipe before it gives up: an answer that is there has come, however late the arena itself was.
    """

    def __init__(self) -> None:
        self._due: dict[int, float] = {}
        self._scope = trio.CancelScope()

    async def run(self) -> None:
        """Watch for ever."""
        while True:
            with trio.CancelScope(deadline=min(self._due.values(), default=float("inf"))) as scope:
                self._scope = scope
                await trio.sleep_forever()
            now = trio.current_time()
            for fd, due in list(self._due.items()):
                if due <= now:
                    self._due[fd] = float("inf")
                    notify_closing(fd)

    def set(self, fd: int, deadline: float) -> None:
        """Wake the waiter on a file descriptor at a time."""
        self._due[fd] = deadline
        if deadline < self._scope.deadline:
            self._scope.deadline = deadline

    def clear(self, fd: int) -> None:
        """Forget a file descriptor."""
        self._due.pop(fd, None)


class Process:
    """A running bot. Its pipes are non-blocking; times are those of `trio.current_time`."""

    def __init__(self, program: Program, scratch: str, watchdog: Watchdog, line_bytes: int) -> None:
        """Start the program on this very thread. Raises OSError where it cannot be started."""
        self._watchdog = watchdog
        self._line_bytes = line_bytes
        self._buffer = bytearray()
        self._unwritten = bytearray()
        self.written = 0.0
        """When the last line had been written, by `time.perf_counter`."""
        self._popen = subprocess.Popen(
            program.run,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd=program.folder,
            env=_environment(os.environ, scratch),
            start_new_session=True,
            preexec_fn=_die_with_parent if sys.platform == "linux" else None,
        )
        pipes = (self._popen.stdin, self._popen.stdout, self._popen.stderr)
        self._pipes = [pipe for pipe in pipes if pipe is not None]
        self._stdin, self._stdout, self._stderr = (pipe.fileno() for pipe in self._pipes)
        for fd in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(fd, False)
        self.stderr = Excerpt()

    def post(self, line: bytes) -> None:
        """Write what the pipe takes at once; the rest goes before the next line."""
        self._unwritten += line
        with contextlib.suppress(BlockingIOError, BrokenPipeError):
            del self._unwritten[: os.write(self._stdin, self._unwritten)]
            self.written = perf_counter()

    def exchange(self, line: bytes) -> bytes | None:
        """Write a line and read the answer if it comes at once; None where one must wait for it.

        The bot shares this core, so letting it run now is all that an instant answer needs.
        """
        self._unwritten += line
        if self._buffer:
            return None
        try:
            del self._unwritten[: os.write(self._stdin, self._unwritten)]
            self.written = perf_counter()
            if self._unwritten:
                return None
            os.sched_yield()
            chunk = os.read(self._stdout, _CHUNK)
        except (BlockingIOError, BrokenPipeError):
            return None
        if chunk.find(b"\n") == len(chunk) - 1 and 0 < len(chunk) <= self._line_bytes:
            return chunk
        self._buffer += chunk
        return None

    async def flush(self, deadline: float) -> None:
        """Write what is left to write. Raises `Late` where the bot does not read, or `Gone`."""
        while self._unwritten:
            try:
                del self._unwritten[: os.write(self._stdin, self._unwritten)]
            except BlockingIOError:
                await self._wait(wait_writable, self._stdin, deadline)
            except BrokenPipeError:
                raise Gone(await self._ending("closed its input")) from None
            self.written = perf_counter()

    async def read_line(self, deadline: float) -> bytes:
        """The next line without its newline. Raises `Late`, `Gone` or `Flooded`."""
        while True:
            end = self._buffer.find(b"\n")
            if end > self._line_bytes or (end < 0 and len(self._buffer) > self._line_bytes):
                raise Flooded(f"a line of more than {self._line_bytes} bytes")
            if end >= 0:
                line = bytes(self._buffer[:end])
                del self._buffer[: end + 1]
                if len(self._buffer) > self._line_bytes:
                    raise Flooded(f"more than {self._line_bytes} bytes of output nobody asked for")
                return line
            try:
                chunk = os.read(self._stdout, _CHUNK)
            except BlockingIOError:
                await self._wait(wait_readable, self._stdout, deadline)
                continue
            if not chunk:
                raise Gone(await self._ending("closed its output"))
            self._buffer += chunk

    async def drain_stderr(self) -> None:
        """Read stderr until it ends, keeping an excerpt."""
        while not self._pipes[2].closed:
            try:
                chunk = os.read(self._stderr, 65536)
            except BlockingIOError:
                with contextlib.suppress(trio.ClosedResourceError):
                    await wait_readable(self._stderr)
                continue
            if not chunk:
                return
            self.stderr.add(chunk)

    async def leaves(self) -> bool:
        """End the bot's input; whether it leaves by itself in `GRACE_S` seconds."""
        self._pipes[0].close()
        return await self._exited(GRACE_S)

    async def close(self) -> None:
        """End of input, then 2 s, SIGTERM, 2 s, SIGKILL; the whole process group in the end."""
        if not await self.leaves():
            self._signal(signal.SIGTERM)
            await self._exited(GRACE_S)
        self.kill()
        await self._exited(GRACE_S)

    def peak_mib(self) -> float | None:
        """The most memory the bot's own process has held, in MiB; None where that is not known."""
        try:
            status = Path(f"/proc/{self._popen.pid}/status").read_text()
        except OSError:
            return None
        found = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")]
        return int(found[0]) / 1024 if found else None

    def kill(self) -> None:
        """SIGKILL to the whole process group, which may have outlived the bot itself."""
        self._signal(signal.SIGKILL)

    def release(self) -> None:
        """Close what is left of the pipes; what stderr still holds is read first."""
        with contextlib.suppress(BlockingIOError):
            while chunk := os.read(self._stderr, 65536):
                self.stderr.add(chunk)
        notify_closing(self._stderr)
        for pipe in self._pipes:
            pipe.close()
        self._popen.wait()

    async def _wait(self, wait: Callable[[int], Awaitable[None]], fd: int, deadline: float) -> None:
        """Wait for a pipe. Raises `Late` only where nothing had come when the deadline was seen."""
        if trio.current_time() >= deadline:
            raise Late
        self._watchdog.set(fd, deadline)
        try:
            await wait(fd)
        except trio.ClosedResourceError:
            pass
        finally:
            self._watchdog.clear(fd)

    def _signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._popen.pid, number)

    async def _exited(self, patience: float) -> bool:
        """Wait for the exit of the bot itself, at most so many seconds."""
        nap = 0.0005
        deadline = trio.current_time() + patience
        while self._popen.poll() is None:
            if trio.current_time() >= deadline:
                return False
            await trio.sleep(nap)
            nap = min(nap * 1.5, 0.02)
        return True

    async def _ending(self, otherwise: str) -> str:
        """How the bot ended, for a fault's detail; a moment is given for the exit to be seen."""
        if not await self._exited(0.5):
            return otherwise
        code = self._popen.returncode
        if code >= 0:
            return f"exit code {code}"
        try:
            return f"signal {signal.Signals(-code).name}"
        except ValueError:
            return f"signal {-code}"


class Excerpt:
    """The beginning and the end of a stream, and how much is missing between them."""

    def __init__(self, kept: int = STDERR_KEPT) -> None:
        self._kept = kept
        self._head = b""
        self._tail = b""
        self._skipped = 0

    def add(self, chunk: bytes) -> None:
        """Take the next bytes of the stream."""
        room = self._kept - len(self._head)
        self._head += chunk[:room]
        tail = self._tail + chunk[room:] if len(chunk) > room else self._tail
        self._skipped += max(0, len(tail) - self._kept)
        self._tail = tail[-self._kept :]

    def text(self) -> str:
        """The excerpt, with a line in it that tells of a gap."""
        gap = f"\n[… {self._skipped} bytes left out …]\n".encode() if self._skipped else b""
        return (self._head + gap + self._tail).decode(errors="replace")


def _environment(ours: Mapping[str, str], scratch: str) -> dict[str, str]:
    """What a bot sees of the environment: where programs are, and its own folder to write in."""
    kept = {key: ours[key] for key in ("PATH", "LANG", "LC_ALL", "TZ") if key in ours}
    return {**kept, "HOME": scratch, "TMPDIR": scratch}


def _die_with_parent() -> None:
    """In the child, before the program: SIGKILL when the arena's worker dies."""
    assert _libc is not None
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


_libc = ctypes.CDLL(None) if sys.platform == "linux" else None
