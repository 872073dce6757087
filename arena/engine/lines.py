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
        self._longest = longest
        self._whole: list[bytes] = []
        self._rest = b""
        self._flood: str | None = None

    def feed(self, chunk: bytes) -> None:
        """Add what came next."""
        if (
            chunk.find(b"\n") == len(chunk) - 1 and chunk and not self._rest
        ):  # one line, as nearly always
            self._whole.append(chunk[:-1])
        else:
            *whole, self._rest = (self._rest + chunk).split(b"\n")
            self._whole += whole

    def take(self, wanted: int = 1) -> list[bytes]:
        """The next lines without their newlines, as many as are wanted or there. Raises `Flooded`.

        More may be there than is wanted, but no more bytes than that many lines could hold.
        """
        whole, rest, longest = self._whole, self._rest, self._longest
        if not rest and (not whole or (len(whole) == 1 and len(whole[0]) <= longest)):
            self._whole = []
            return whole
        if self._flood is not None:
            raise Flooded(self._flood)
        taken = whole[:wanted]
        if max(map(len, taken), default=0) > longest:
            taken = list(takewhile(lambda line: len(line) <= longest, taken))
        del whole[: len(taken)]
        if len(whole[0] if whole else rest) > longest:
            self._flood = f"a line of more than {longest} bytes"
        elif sum(map(len, whole)) + len(rest) > longest * wanted:
            self._flood = f"more than {longest} bytes of output nobody asked for"
        if self._flood is not None and not taken:
            raise Flooded(self._flood)
        return taken
