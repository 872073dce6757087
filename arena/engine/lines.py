"""Lines out of chunks of bytes, however the bytes were cut."""

from itertools import takewhile


class Flooded(Exception):
    """A line is longer than allowed, or more output lies unread than allowed; says which."""


class Lines:
    """What a bot wrote and nobody has taken yet.

    Only the bytes count, not how they came in chunks. A flood is told once the good lines before
    it are taken, and from then on always.
    """

    def __init__(self, longest: int) -> None:
        """Allow lines of so many bytes, their newlines not counted."""
        self.pending = False
        """Whether anything is here."""
        self._longest = longest
        self._whole: list[bytes] = []
        self._rest = b""
        self._flood: str | None = None

    def feed(self, chunk: bytes, wanted: int = 0) -> list[bytes]:
        """Add what came next, and take the lines that are wanted. Raises `Flooded`."""
        if not self.pending and wanted:
            line, end, rest = chunk.partition(b"\n")
            if end and not rest and len(line) <= self._longest:  # as nearly always
                return [line]
        self.pending = True
        *whole, self._rest = (self._rest + chunk).split(b"\n")
        self._whole += whole
        return self.take(wanted) if wanted else []

    def take(self, wanted: int = 1) -> list[bytes]:
        """The next lines without their newlines, as many as are wanted or there. Raises `Flooded`.

        More may be there than is wanted, but no more bytes than that many lines could hold.
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
