"""The arena's ends of a bot's input and output pipes; neither ever blocks."""

import os
from itertools import takewhile
from typing import Final


class Flooded(Exception):
    """A line, or the unread output, is longer than allowed; says which."""


class Lines:
    """Output of a bot that nobody has taken yet.

    Only the bytes matter, not how they were cut into chunks. A flood is reported once the good
    lines before it are taken, and on every call after that.
    """

    def __init__(self, longest: int) -> None:
        """Allow lines of up to `longest` bytes, not counting newlines."""
        self.pending = False
        """Whether there is any output that was not taken."""
        self._longest = longest
        self._whole: list[bytes] = []
        self._rest = b""
        self._flood: str | None = None

    @property
    def rest(self) -> bytes:
        """The output after the last newline."""
        return self._rest

    def only(self, chunk: bytes) -> bytes | None:
        """The chunk as a line if it is exactly one good line and nothing is pending, else None."""
        line, end, rest = chunk.partition(b"\n")
        return (
            line if end and not rest and not self.pending and len(line) <= self._longest else None
        )

    def feed(self, chunk: bytes, wanted: int = 0) -> list[bytes]:
        """Add the next chunk, and take up to `wanted` lines. Raises `Flooded`."""
        self.pending = True
        *whole, self._rest = (self._rest + chunk).split(b"\n")
        self._whole += whole
        return self.take(wanted) if wanted else []

    def take(self, wanted: int = 1) -> list[bytes]:
        """The next lines without newlines, up to `wanted`. Raises `Flooded`.

        More output may be unread, but no more bytes than that many lines could hold.
        """
        if self._flood is not None:
            raise Flooded(self._flood)
        longest, taken = self._longest, self._whole[:wanted]
        if max(map(len, taken), default=0) > longest:
            taken = list(takewhile(lambda line: len(line) <= longest, taken))
        del self._whole[: len(taken)]
        whole, rest = self._whole, self._rest
        self.pending = bool(whole or rest)
        if len(whole[0] if whole else rest) > longest:
            self._flood = f"a line of more than {longest} bytes"
        elif sum(map(len, whole)) + len(rest) > longest * wanted:
            self._flood = f"more than {longest} bytes of output nobody asked for"
        if self._flood is not None and not taken:
            raise Flooded(self._flood)
        return taken

    def give_back(self, line: bytes) -> None:
        """Put the line that was taken last back in front of the others."""
        self._whole.insert(0, line)
        self.pending = True


_CHUNK: Final = 16384
_MIB: Final = 1 << 20


class OutputEnded(Exception):
    """The bot will write nothing more; says which pipe it closed."""


class Excess(Exception):
    """The bot has written more than it may in a match; says how much."""


class Pipes:
    """A bot's input and output as descriptors, and the data in transit."""

    def __init__(self, stdin: int, stdout: int, line_bytes: int, output_mib: int | None) -> None:
        """Limit the bytes of a line and the MiB of all output, None for no limit."""
        for fd in (stdin, stdout):
            os.set_blocking(fd, False)
        self.stdin, self.stdout = stdin, stdout
        self.unwritten = bytearray()
        """Input that is still to be written."""
        self.sent = 0
        """Bytes of input that have been written."""
        self.input_closed = False
        """Whether the bot has closed its input."""
        self.received = 0
        """Bytes of output that have been read."""
        self.answers = 0
        """Lines that have been taken."""
        self._lines = Lines(line_bytes)
        self._most = float("inf") if output_mib is None else output_mib * _MIB

    @property
    def half_line(self) -> bytes:
        """The output read so far after the last newline."""
        return self._lines.rest

    def send(self) -> None:
        """Write as much as fits at once; drop everything if the bot has closed its input."""
        try:
            written = os.write(self.stdin, self.unwritten)
            self.sent += written
            del self.unwritten[:written]
        except BlockingIOError:
            pass
        except (BrokenPipeError, ConnectionResetError):
            self.input_closed = True
            self.unwritten.clear()

    def take(self, wanted: int = 1) -> list[bytes]:
        """The next lines, up to `wanted`; none if one must wait.

        Raises `OutputEnded` if no more will come, `Excess`, and `Flooded`.
        """
        lines = self._lines
        if self.received > self._most:
            raise self._excess()
        taken = lines.take(wanted) if lines.pending else []
        while not taken:
            try:
                chunk = os.read(self.stdout, _CHUNK)
            except BlockingIOError:
                if self.input_closed:
                    raise OutputEnded("closed its input") from None
                return taken
            except ConnectionResetError:  # a socket whose other end was closed with lines unread
                chunk = b""
            if not chunk:
                raise OutputEnded("closed its output")
            self.count(len(chunk))
            taken = lines.feed(chunk, wanted)
        self.answers += len(taken)
        return taken

    def take_only(self) -> bytes | None:
        """The next line if it is all the output there is; after None, `take` gives the output."""
        if self._lines.pending or self.received > self._most:
            return None
        try:
            chunk = os.read(self.stdout, _CHUNK)
        except BlockingIOError:
            return None
        self.received += len(chunk)
        line = self._lines.only(chunk)
        if line is None or self.received > self._most:
            self._lines.feed(chunk)
            return None
        self.answers += 1
        return line

    def give_back(self, line: bytes) -> None:
        """Put the line that was taken last back, so that it is the next one again."""
        self.answers -= 1
        self._lines.give_back(line)

    def count(self, size: int) -> None:
        """Count bytes of output. Raises `Excess`: in a short match the watch would be too late."""
        self.received += size
        if self.received > self._most:
            raise self._excess()

    def _excess(self) -> Excess:
        figure = f"{self.received} bytes, the limit is {self._most:.0f} bytes a match"
        return Excess(f"output: {figure}")
