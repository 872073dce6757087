"""An excerpt keeps a stream's beginning, its end, and how much is missing."""

from arena.engine.players import Excerpt


def test_a_short_excerpt_is_the_whole_text() -> None:
    excerpt = Excerpt(10)
    for part in (b"abc", b"defghij", b"klm"):
        excerpt.add(part)
    assert excerpt.text() == "abcdefghijklm"


def test_a_long_excerpt_says_what_is_missing() -> None:
    excerpt = Excerpt(4)
    for part in (b"abcdef", b"ghij", b"k" * 9, b"xyz"):
        excerpt.add(part)
    assert excerpt.text() == "abcd\n[… 14 bytes left out …]\nkxyz"
