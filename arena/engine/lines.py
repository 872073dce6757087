"""Splits chunks of bytes into lines, however the bytes were cut."""

from itertools import takewhile


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
