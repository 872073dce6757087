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
    """Give keys at once and unseen."""
    before = termios.tcgetattr(fd)
    try:
        tty.setcbreak(fd)
        yield
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


def keys_in(text: str) -> tuple[list[str], str]:
    """What was read from a terminal, key by key, and the beginning of a key that is not whole yet.

    An arrow is one key of several characters, which a slow line may cut in two.
    """
    begun = _BEGUN.search(text)
    rest = begun[0] if begun else ""
    return _KEY.findall(text.removesuffix(rest)), rest
