"""Keys as they are pressed in a terminal, and the terminal put back afterwards."""

import re
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager

_KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO.|.", re.DOTALL)
_BEGUN = re.compile(r"\x1b(?:\[[0-9;]*|O)\Z")


@contextmanager
def without_echo(fd: int) -> Iterator[None]:
    """Switch the terminal to give keys at once, without an echo."""
    before = termios.tcgetattr(fd)
    try:
        tty.setcbreak(fd)
        yield
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


def keys_in(text: str) -> tuple[list[str], str]:
    """The keys in a text from a terminal, and the beginning of a key that is not complete yet.

    An arrow is one key of several characters, which a slow line may cut in two.
    """
    begun = _BEGUN.search(text)
    rest = begun[0] if begun else ""
    return _KEY.findall(text.removesuffix(rest)), rest
