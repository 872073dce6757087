"""The beginning and the end of a stream too long to keep."""

from typing import Final

KEPT: Final = 8192
"""Bytes kept at each end."""


class Excerpt:
    """The beginning and the end of a stream, and how much is missing between them."""

    def __init__(self, kept: int = KEPT) -> None:
        """Keep up to `kept` bytes of the beginning and as many of the end."""
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
        """The excerpt; a line in it tells how many bytes were left out."""
        gap = f"\n[… {self._skipped} bytes left out …]\n".encode() if self._skipped else b""
        return (self._head + gap + self._tail).decode(errors="replace")
