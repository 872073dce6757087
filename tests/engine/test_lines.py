"""Lines from chunks: only the bytes count, however they were cut."""

from collections.abc import Iterator, Sequence
from itertools import combinations, pairwise, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena.engine.pipes import Flooded, Lines

LONGEST = 3
TOO_LONG = f"a line of more than {LONGEST} bytes"
UNREAD = f"more than {LONGEST} bytes of output nobody asked for"


def taken(lines: Lines, wanted: int) -> list[bytes | str]:
    """Whatever can be taken, and the flood that ends it, if one does."""
    found: list[bytes | str] = []
    try:
        while more := lines.take(wanted):
            assert len(more) <= wanted
            found += more
    except Flooded as flood:
        found.append(str(flood))
        with pytest.raises(Flooded, match=f"^{flood}$"):  # from then on always
            lines.take(wanted)
    return found


def fed(chunks: Sequence[bytes], wanted: int) -> list[bytes | str]:
    """All chunks fed, then all taken."""
    lines = Lines(LONGEST)
    for chunk in chunks:
        lines.feed(chunk)
    return taken(lines, wanted)


def read(chunks: Sequence[bytes], wanted: int) -> list[bytes | str]:
    """All that can be taken after each chunk, as by somebody who always reads at once."""
    lines = Lines(LONGEST)
    found: list[bytes | str] = []
    for chunk in chunks:
        try:
            found += lines.feed(chunk, wanted)
        except Flooded as flood:
            return [*found, str(flood)]
        found += taken(lines, wanted)
        if found and isinstance(found[-1], str):
            break
    return found


def splits(data: bytes) -> Iterator[list[bytes]]:
    """The bytes in chunks, in every way."""
    for count in range(len(data)):
        for cuts in combinations(range(1, len(data)), count):
            ends = (0, *cuts, len(data))
            yield [data[begin:end] for begin, end in pairwise(ends)]


@pytest.mark.parametrize(
    ("data", "wanted", "found"),
    [
        (b"", 1, []),
        (b"ab", 1, []),
        (b"\n", 1, [b""]),
        (b"abc\n", 1, [b"abc"]),
        (b"abc", 1, []),
        (b"a\nb\n", 1, [b"a", b"b"]),
        (b"a\nb\nc\n", 2, [b"a", b"b", b"c"]),
        (b"a\nbc", 1, [b"a"]),
        (b"a\r\n", 1, [b"a\r"]),
        # the longest line, and one byte more, with an end and without
        (b"abcd\n", 1, [TOO_LONG]),
        (b"abcd", 1, [TOO_LONG]),
        # good lines before one too long are answers
        (b"a\nabcd\n", 1, [b"a", TOO_LONG]),
        (b"a\nabcd", 1, [b"a", TOO_LONG]),
        (b"a\nb\nabcd\nc\n", 9, [b"a", b"b", TOO_LONG]),
        # as much unread output as is allowed, and one byte more
        (b"a\nbb\nc\n", 1, [b"a", b"bb", b"c"]),
        (b"a\nbb\ncc\n", 1, [b"a", UNREAD]),
        (b"a\nb\nc\nd\ne\n", 1, [b"a", UNREAD]),
        # the rest of a line is unread output
        (b"a\nbb\nc", 1, [b"a", b"bb"]),
        (b"a\nbb\ncc", 1, [b"a", UNREAD]),
        # who waits for more answers may be written more
        (b"a\nb\nbb\nccc\n", 2, [b"a", b"b", b"bb", b"ccc"]),
        (b"a\nb\nbb\nccc\ndd\n", 2, [b"a", b"b", UNREAD]),
    ],
)
def test_lines_and_floods_are_these_in_every_split(
    data: bytes, wanted: int, found: list[bytes | str]
) -> None:
    assert fed([data], wanted) == found
    for chunks in splits(data):
        assert fed(chunks, wanted) == found


@pytest.mark.parametrize("wanted", [1, 2, 9])
def test_every_split_of_every_short_input_gives_the_same(wanted: int) -> None:
    for length in range(1, 8):
        for letters in product((b"a", b"\n"), repeat=length):
            data = b"".join(letters)
            once = fed([data], wanted)
            assert all(fed(chunks, wanted) == once for chunks in splits(data)), data


def test_who_reads_at_once_and_waits_for_all_sees_the_same_in_every_split() -> None:
    for length in range(1, 8):
        for letters in product((b"a", b"\n"), repeat=length):
            data = b"".join(letters)
            once = fed([data], length)
            assert all(read(chunks, length) == once for chunks in splits(data)), data


@given(st.lists(st.binary(max_size=6) | st.sampled_from([b"\n", b"ab\n", b"\na"])))
def test_any_bytes_give_lines_or_a_flood_and_never_anything_else(chunks: list[bytes]) -> None:
    data = b"".join(chunks)
    once = fed([data], 9)
    assert fed(chunks, 9) == fed([data[n : n + 1] for n in range(len(data))], 9) == once
    lines = data.split(b"\n")
    good = [line for line in once if isinstance(line, bytes)]
    assert good == lines[: len(good)]
    assert len(good) == len(lines) - 1 or once[-1] in (TOO_LONG, UNREAD)


def test_lines_may_be_taken_between_chunks() -> None:
    lines = Lines(LONGEST)
    assert lines.feed(b"", 1) == []
    lines.feed(b"a\nb")
    assert lines.take() == [b"a"]
    assert lines.take() == []
    lines.feed(b"b\nc\n")
    assert lines.take(2) == [b"bb", b"c"]
