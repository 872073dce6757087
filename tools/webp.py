"""Joins pictures in WebP to one that moves.

https://developers.google.com/speed/webp/docs/riff_container: an animation is a file of chunks, one
of them for each frame with the picture's own chunks in it.
"""

from collections.abc import Iterable, Iterator
from itertools import chain


def moving(frames: Iterable[tuple[bytes, int]], width: int, height: int, times: int) -> bytes:
    """Pictures of one size, each shown for this many milliseconds; repeated `times` times."""
    animation = 0x02
    head = bytes((animation, 0, 0, 0)) + _three(width - 1) + _three(height - 1)
    shown = (_frame(picture, width, height, ms) for picture, ms in frames)
    whole = (_chunk(b"VP8X", head), _chunk(b"ANIM", bytes(4) + times.to_bytes(2, "little")))
    return _chunk(b"RIFF", b"WEBP" + b"".join(chain(whole, shown)))


def _frame(picture: bytes, width: int, height: int, ms: int) -> bytes:
    opaque = 0x02  # drawn over what was there, not blended
    at = _three(0) + _three(0) + _three(width - 1) + _three(height - 1) + _three(ms)
    drawn = b"".join(
        _chunk(name, data) for name, data in _chunks(picture[12:]) if name in (b"VP8 ", b"VP8L")
    )
    return _chunk(b"ANMF", at + bytes((opaque,)) + drawn)


def _chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    while data:
        size = int.from_bytes(data[4:8], "little")
        yield data[:4], data[8 : 8 + size]
        data = data[8 + size + size % 2 :]


def _chunk(name: bytes, data: bytes) -> bytes:
    return name + len(data).to_bytes(4, "little") + data + bytes(len(data) % 2)


def _three(number: int) -> bytes:
    return number.to_bytes(3, "little")
