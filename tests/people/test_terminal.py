"""A person at a real terminal: whole matches by keys, and the terminal as it was afterwards."""

import codecs
import fcntl
import os
import pty
import re
import signal
import struct
import termios
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from unittest.mock import patch

import pytest
import trio

from arena.match.wire import AnyReply
from arena.people.terminal import play_in_terminal
from tests.support.patience import PATIENCE_S
from tests.support.person import AtTable, table_of
from tests.support.transcripts import simple

STYLES = re.compile(r"\x1b\[[0-9;]*m")
COLOURS = re.compile(r"\x1b\[(?:[0-9;]*;)?3[0-7]m")
SHOWN, GONE = "\x1b[?1049h", "\x1b[?1049l"
END = "\x1e"
"""Printed by the test alone."""


class Screen:
    """The other side of a terminal: keys are pressed, what is printed is kept."""

    def __init__(self, main: int, side: int) -> None:
        self.said = ""
        self._heard = 0
        self._main, self._side = main, side

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        fcntl.ioctl(self._side, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    @contextmanager
    def standard(self) -> Iterator[None]:
        """Let it be this process's standard input and output."""
        with (
            open(self._side, closefd=False) as keys,
            open(self._side, "w", closefd=False) as shown,
            patch("sys.stdin", keys),
            patch("sys.stdout", shown),
            patch("rich.console._STD_STREAMS", (self._side,)),  # whose size it asks for
        ):
            yield

    def modes(self) -> object:
        """The terminal's modes."""
        return termios.tcgetattr(self._side)

    def press(self, keys: str) -> None:
        """Press keys."""
        os.write(self._main, keys.encode())

    def read(self) -> None:
        """Keep what is printed, until the terminal is gone."""
        decoder = codecs.getincrementaldecoder("utf-8")()
        with suppress(OSError):
            while True:
                self.said += decoder.decode(os.read(self._main, 65536))

    async def until(self, words: str) -> None:
        """Wait until some words are printed, after those that were waited for before."""
        while words not in STYLES.sub("", self.said[self._heard :]):
            await trio.sleep(0.005)
        self._heard = len(self.said)

    async def to_the_end(self) -> None:
        """Wait until all is read that has been printed."""
        os.write(self._side, END.encode())
        while END not in self.said:
            await trio.sleep(0.005)


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    """A terminal of 100 columns in the place of this process's own."""
    main, side = pty.openpty()
    for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    opened = Screen(main, side)
    opened.resize(100, 40)
    reader = Thread(target=opened.read)
    reader.start()
    yield opened
    os.close(side)
    reader.join()
    os.close(main)


async def seated(screen: Screen, table: AtTable, plain: bool = False) -> bool:
    """Play, and let the screen be read to its end."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.play)
        with screen.standard():
            over = await play_in_terminal(table, plain, pause_s=0.0)
        nursery.cancel_scope.cancel()
    await screen.to_the_end()
    return over


async def at_once(screen: Screen, *steps: tuple[str, str]) -> None:
    """For each step, wait for words, then press keys."""
    for words, keys in steps:
        await screen.until(words)
        screen.press(keys)


async def to_the_end(screen: Screen) -> None:
    """Press whatever might help, until told to stop."""
    while True:
        screen.press("pn12345678\r")
        await trio.sleep(0.02)


async def alongside(screen: Screen, table: AtTable, *steps: tuple[str, str]) -> bool:
    over = False
    with trio.fail_after(PATIENCE_S):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(at_once, screen, *steps)
            over = await seated(screen, table)
            nursery.cancel_scope.cancel()
    return over


def test_a_whole_match_is_played_by_keys_and_leaves_the_terminal_as_it_was(screen: Screen) -> None:
    before = screen.modes()

    async def play() -> bool:
        over = False
        with trio.fail_after(PATIENCE_S):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(to_the_end, screen)
                over = await seated(screen, table_of("pagat", 3, 1, simple(6)))
                nursery.cancel_scope.cancel()
        return over

    assert trio.run(play)
    assert screen.modes() == before
    over = screen.said.index("The match is over. The stakes: you ")
    assert screen.said.index(SHOWN) < screen.said.index(GONE)
    assert screen.said.index(SHOWN) < over


@pytest.mark.parametrize("keys", ["\x03", "qy"])
def test_who_leaves_finds_the_terminal_as_it_was(screen: Screen, keys: str) -> None:
    before = screen.modes()
    table = table_of("lzsf", 3, 2, simple(9))
    assert not trio.run(alongside, screen, table, ("q leave", keys), ("never printed", ""))
    assert screen.modes() == before
    assert GONE in screen.said
    assert "You have left the match." in screen.said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_the_match_and_restores_the_terminal(
    screen: Screen, number: signal.Signals
) -> None:
    before = screen.modes()

    async def play() -> bool:
        async def end() -> None:
            await screen.until("q leave")
            os.kill(os.getpid(), number)

        over = True
        with trio.fail_after(PATIENCE_S):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(end)
                over = await seated(screen, table_of("pagat", 3, 1, simple(9)))
        return over

    assert not trio.run(play)
    assert screen.modes() == before
    assert GONE in screen.said


def test_a_crash_restores_the_terminal(screen: Screen) -> None:
    class Crashing(AtTable):
        async def hint(self) -> AnyReply | None:
            raise ZeroDivisionError

    before = screen.modes()
    table = table_of("pagat", 3, 1, simple(9), Crashing)
    with pytest.raises(BaseExceptionGroup) as caught:
        trio.run(alongside, screen, table, ("h hint", "h"), ("never printed", ""))
    assert caught.value.split(ZeroDivisionError)[0] is not None
    assert screen.modes() == before


def test_another_size_is_drawn_at_once(screen: Screen) -> None:
    small = "┌───┐ ┌───┐"
    larger: list[str] = []

    async def resize() -> None:
        await screen.until("1:00")
        await screen.until("q leave")
        larger.append(screen.said)
        screen.resize(60, 24)
        os.kill(os.getpid(), signal.SIGWINCH)
        await screen.until(small)
        screen.press("\x03")

    async def play() -> None:
        with trio.fail_after(PATIENCE_S):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(resize)
                await seated(screen, table_of("pagat", 3, 1, simple(9)))

    trio.run(play)
    assert small not in STYLES.sub("", larger[0])


@pytest.mark.parametrize("wanted", [True, False])
def test_colours_can_be_refused(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, wanted: bool
) -> None:
    if not wanted:
        monkeypatch.setenv("NO_COLOR", "1")

    async def look() -> None:
        await screen.until("1:00")
        screen.press("\x03")

    async def play() -> None:
        with trio.fail_after(PATIENCE_S):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(look)
                await seated(screen, table_of("pagat", 3, 1, simple(9)))

    trio.run(play)
    assert bool(COLOURS.search(screen.said)) is wanted


@pytest.mark.parametrize("plain", [True, False])
def test_a_terminal_that_cannot_draw_gets_lines(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, plain: bool
) -> None:
    if not plain:
        monkeypatch.setenv("TERM", "dumb")

    async def play() -> bool:
        with trio.fail_after(PATIENCE_S):
            screen.press("pass\n" + "1\n" * 40)
            return await seated(screen, table_of("pagat", 3, 1, simple(9)), plain)

    assert trio.run(play)
    assert "\x1b" not in screen.said
    assert "Your bid?" in screen.said
