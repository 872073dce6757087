"""A person at a real terminal: whole matches by typed lines, signals, colours."""

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
from pathlib import Path
from threading import Thread
from unittest.mock import patch

import pytest
import trio

import arena
from arena.people.terminal import play_in_terminal
from arena.reports.language import ENGLISH
from tests.support.patience import PATIENCE_S
from tests.support.person import AtTable, table_of
from tests.support.transcripts import simple

STYLES = re.compile(r"\x1b\[[0-9;]*m")
COLOURS = re.compile(r"\x1b\[(?:[0-9;]*;)?3[0-7]m")
WORDS = Path(arena.__file__).parent / "words"
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


async def seated(screen: Screen, table: AtTable, plain: bool = False, tag: str = ENGLISH) -> bool:
    """Play, and let the screen be read to its end."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(table.play)
        with screen.standard():
            over = await play_in_terminal(table, tag, plain)
        nursery.cancel_scope.cancel()
    await screen.to_the_end()
    return over


async def played(
    screen: Screen, keys: str, plain: bool = False, tag: str = ENGLISH, rules: str = "pagat"
) -> bool:
    """Whether a match came to its end at which these keys are pressed from the beginning on."""
    with trio.fail_after(PATIENCE_S):
        screen.press(keys)
        return await seated(screen, table_of(rules, 3, 1, simple(9)), plain, tag)


def test_a_whole_match_is_played_by_typed_lines(screen: Screen) -> None:
    before = screen.modes()
    assert trio.run(played, screen, "pass\n" + "1\n" * 40)
    assert screen.modes() == before
    assert "The match is over." in screen.said
    assert re.search(r"\n1\. (10|[7-9AKQJ])[♣♠♥♦]\r\n", STYLES.sub("", screen.said))


@pytest.mark.parametrize("keys", ["\x04\x04", "\x04y\n", "q\ny\n"])
def test_who_leaves_is_told_so(screen: Screen, keys: str) -> None:
    assert not trio.run(played, screen, keys)
    assert "Type yes or no." in screen.said
    assert "You have left." in screen.said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_the_match(screen: Screen, number: signal.Signals) -> None:
    async def play() -> bool:
        async def end() -> None:
            await screen.until("Your turn to bid.")
            os.kill(os.getpid(), number)

        over = True
        with trio.fail_after(PATIENCE_S):
            async with trio.open_nursery() as nursery:
                nursery.start_soon(end)
                over = await seated(screen, table_of("pagat", 3, 1, simple(9)))
        return over

    assert not trio.run(play)
    assert "You have left." in screen.said


@pytest.mark.parametrize("wanted", [True, False])
def test_colours_can_be_refused(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, wanted: bool
) -> None:
    if not wanted:
        monkeypatch.setenv("NO_COLOR", "1")
    trio.run(played, screen, "q\ny\n")
    assert bool(COLOURS.search(screen.said)) is wanted


@pytest.mark.parametrize("plain", [True, False])
def test_cards_are_in_words_where_they_are_wanted_so_or_cannot_be_drawn(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, plain: bool
) -> None:
    if not plain:
        monkeypatch.setenv("TERM", "dumb")
    assert trio.run(played, screen, "pass\n" + "1\n" * 40, plain)
    assert "\x1b" not in screen.said
    assert "Your turn to bid." in screen.said
    assert re.search(r"\n1\. \w+ of \w+\r\n", screen.said)


def words_in(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]{2,}", text.lower()))


def words_of(tag: str) -> set[str]:
    """The words that a language's catalogues say, without comments, names and values."""
    paths = sorted((WORDS / tag).glob("*.ftl"))
    text = "".join(path.read_text(encoding="utf-8") for path in paths)
    return words_in(re.sub(r"(?m)^#.*|^[\w-]+ =|\[[\w-]+\]|\{[^{}]*(\}|->)", " ", text))


@pytest.mark.parametrize("plain", [True, False])
def test_a_match_is_played_in_latvian_and_nothing_is_said_in_english(
    screen: Screen, plain: bool
) -> None:
    keys = "nekas\n?\npadoms\naiziet\nnē\nņemu\n1 2\n?\nNE\n" + "1\n" * 40
    assert trio.run(played, screen, keys, plain, "lv")
    said = STYLES.sub("", screen.said)
    sentences = ("Tā nav atbilde", "Punkti kopā: ", "Padoms: ", "Jūs paliekat.", "Spēle beigusies.")
    assert not [each for each in sentences if each not in said]
    assert ("Jūs izspēlējat pīķa kalpu." if plain else "Jūs izspēlējat J♠.") in said
    assert not words_in(said) & (words_of(ENGLISH) - words_of("lv"))
