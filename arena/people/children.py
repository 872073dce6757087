"""What shows a match to a person: the browser, and the process that plays in the terminal."""

import os
import socket
import subprocess
import sys
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

_END_S: Final = 3.0


@contextmanager
def in_terminal(
    end: socket.socket, tag: str, plain: bool, names: Sequence[str]
) -> Iterator[Callable[[], object]]:
    """Play a seat in this terminal, over its end of a socketpair, which is given away.

    The terminal speaks the language of a tag; `names` are those of who sits at the table, by seat.

    Yields a function that waits until the terminal is free again.
    """
    words = (str(end.fileno()), tag, "plain" if plain else "drawn", *names)
    with _child("arena.people.in_terminal", end, words) as process:
        end.close()
        yield process.wait


@contextmanager
def opened(address: str) -> Iterator[bool]:
    """Open an address in the browser; yield whether one was found.

    Others of this machine may read a command's arguments, so the browser is given a file of ours
    that leads on to the address. It is there until the context ends.
    """
    with TemporaryDirectory(prefix="zole-play-") as folder:
        file = Path(folder, "play.html")
        file.touch(mode=0o600)
        file.write_text(
            f'<!doctype html><meta charset="utf-8"><title>Zole</title>'
            f'<meta http-equiv="refresh" content="0; url={address}">'
        )
        yield webbrowser.open(file.as_uri())


@contextmanager
def _child(
    module: str, end: socket.socket, words: Sequence[str]
) -> Iterator["subprocess.Popen[bytes]"]:
    """A process of ours that is given a socket; it ends at the latest when the context does."""
    with subprocess.Popen(
        [sys.executable, "-m", module, *words],
        pass_fds=[end.fileno()],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    ) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(_END_S)
            except subprocess.TimeoutExpired:
                process.kill()
