"""The processes that show a match to people; the command starts and ends them."""

import os
import secrets
import socket
import subprocess
import sys
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import msgspec

from arena.base.errors import MachineError, Mistake
from arena.people.policy import PLAY_PAGE

TOKEN_BYTES: Final = 16

_LINGER_S: Final = 5.0
"""Seconds that the server stays after the last page was closed, once the match is over."""

_END_S: Final = 3.0


class SeatServer:
    """The server of people's seats. `addresses` are the seats' pages, in order."""

    def __init__(self, process: "subprocess.Popen[bytes]", addresses: tuple[str, ...]) -> None:
        self.addresses = addresses
        self._process = process

    def end(self) -> None:
        """End the server; everybody leaves."""
        self._process.terminate()

    def wait(self) -> None:
        """Wait until nobody looks any more."""
        self._process.wait()


@contextmanager
def serving(
    ends: Sequence[socket.socket],
    absent_s: float,
    players: Sequence[str] = (),
    rules: str = "",
) -> Iterator[SeatServer]:
    """Serve people's seats over their ends of socketpairs, which are given away.

    The page calls everybody by the names of `players`, by seat. `rules` is the page that tells how
    Zole is played, as HTML.

    The server ends at the latest when the context does. Raises `MachineError` if it cannot begin.
    """
    tokens = [secrets.token_urlsafe(TOKEN_BYTES) for _ in ends]
    with _child("arena.people.serve", ends, (), piped=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        seats = dict(zip(tokens, (end.fileno() for end in ends), strict=True))
        asked = {
            "seats": seats,
            "page": str(PLAY_PAGE),
            "absent_s": absent_s,
            "linger_s": _LINGER_S,
            "players": players,
            "rules": rules,
        }
        for end in ends:
            end.close()
        process.stdin.write(msgspec.json.encode(asked) + b"\n")
        process.stdin.flush()
        said = process.stdout.readline()
        if not said:
            raise MachineError(Mistake("the server of the page cannot be started"))
        port = msgspec.json.decode(said)["port"]
        yield SeatServer(process, tuple(f"http://127.0.0.1:{port}/{token}/" for token in tokens))


@contextmanager
def in_terminal(
    end: socket.socket, tag: str, plain: bool, names: Sequence[str]
) -> Iterator[Callable[[], object]]:
    """Play a seat in this terminal, over its end of a socketpair, which is given away.

    The terminal speaks the language of a tag; `names` are those of who sits at the table, by seat.

    Yields a function that waits until the terminal is free again.
    """
    words = (str(end.fileno()), tag, "plain" if plain else "drawn", *names)
    with _child("arena.people.in_terminal", [end], words, piped=False) as process:
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


def start_module(
    module: str, ends: Sequence[socket.socket], words: Sequence[str], piped: bool
) -> "subprocess.Popen[bytes]":
    """Start a process of ours that is given some sockets; one with pipes is in the background."""
    return subprocess.Popen(
        [sys.executable, "-m", module, *words],
        stdin=subprocess.PIPE if piped else None,
        stdout=subprocess.PIPE if piped else None,
        pass_fds=[end.fileno() for end in ends],
        process_group=0 if piped else None,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )


@contextmanager
def _child(
    module: str, ends: Sequence[socket.socket], words: Sequence[str], piped: bool
) -> Iterator["subprocess.Popen[bytes]"]:
    """A process of ours, which ends at the latest when the context does."""
    with start_module(module, ends, words, piped) as process:
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(_END_S)
            except subprocess.TimeoutExpired:
                process.kill()
