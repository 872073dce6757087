"""A person at a real terminal: whole matches by typed lines, signals, colours."""

import codecs
import fcntl
import os
import pty
import re
import socket
import struct
import termios
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import cast
from unittest.mock import patch

import msgspec
import pytest

import arena
from arena.engine.job import FunctionSeat, Job, PersonLink
from arena.engine.worker import play_match
from arena.match.wire import AnyReply, AnyRequest, Limits, Ready
from arena.people.terminal import TerminalSeat
from arena.reports.language import ENGLISH
from arena.sandbox.isolation import NO_ISOLATION
from tests.support.patience import PATIENCE_S, until
from tests.support.scripted import plan_of
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

    def to_the_end(self) -> None:
        """Wait until all is read that has been printed."""
        os.write(self._side, END.encode())
        until(lambda: END in self.said)


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


def played(screen: Screen, keys: str, plain: bool = False, tag: str = ENGLISH) -> None:
    """Play a match at which these keys are pressed from the beginning on."""
    screen.press(keys)
    ours, theirs = socket.socketpair()
    plan = msgspec.structs.replace(plan_of(), people={0: Limits(None, None, 65536)})
    other = FunctionSeat("other", Ready(1), cast("Callable[[AnyRequest], AnyReply]", simple(9)))
    with ours, screen.standard(), closing(TerminalSeat(theirs, tag, plain, (*"ABC",))) as seat:
        play_match(Job(plan, (PersonLink("person", ours), other, other), NO_ISOLATION))
        seat.wait(PATIENCE_S)
    screen.to_the_end()


def test_a_whole_match_is_played_by_typed_lines(screen: Screen) -> None:
    before = screen.modes()
    played(screen, "1\n" * 40)
    assert screen.modes() == before
    assert "The match is over." in screen.said
    assert re.search(r"\n1\. (10|[7-9AKQJ])[♣♠♥♦]\r\n", STYLES.sub("", screen.said))


@pytest.mark.parametrize("keys", ["\x04", "q\nq\n"])
def test_who_leaves_is_told_so(screen: Screen, keys: str) -> None:
    played(screen, keys)
    assert "The match is over." not in screen.said
    assert "You have left." in screen.said


def test_who_is_sent_away_is_told_so(screen: Screen) -> None:
    ours, theirs = socket.socketpair()
    with ours, screen.standard():
        TerminalSeat(theirs, ENGLISH, False, (*"ABC",)).close()
        assert ours.recv(1) == b""
    screen.to_the_end()
    assert "You have left." in screen.said


@pytest.mark.parametrize("wanted", [True, False])
def test_colours_can_be_refused(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, wanted: bool
) -> None:
    if not wanted:
        monkeypatch.setenv("NO_COLOR", "1")
    played(screen, "q\nq\n")
    assert bool(COLOURS.search(screen.said)) is wanted


@pytest.mark.parametrize("plain", [True, False])
def test_cards_are_in_words_where_they_are_wanted_so_or_cannot_be_drawn(
    screen: Screen, monkeypatch: pytest.MonkeyPatch, plain: bool
) -> None:
    if not plain:
        monkeypatch.setenv("TERM", "dumb")
    played(screen, "1\n" * 40, plain)
    assert "The match is over." in screen.said
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
    keys = "nekas\n?\nh\nq\n2\n1 2\n?\nc\n" + "1\n" * 40
    played(screen, keys, plain, "lv")
    said = STYLES.sub("", screen.said)
    sentences = ("Tā nav atbilde", "Punkti kopā: ", "Padoms: ", "Spēle beigusies.")
    assert not [each for each in sentences if each not in said]
    assert ("Jūs izspēlējat pīķa kalpu." if plain else "Jūs izspēlējat J♠.") in said
    assert not words_in(said) & (words_of(ENGLISH) - words_of("lv"))
