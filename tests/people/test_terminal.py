"""A person at a terminal: what it tells of a match, what may be typed, and a pseudo-terminal."""

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
from functools import cache, partial
from threading import Thread
from typing import cast, get_args
from unittest.mock import Mock, patch

import msgspec
import pytest

from arena.engine.job import FunctionSeat, Job, PersonLink
from arena.engine.worker import play_match
from arena.match.commands import FAULT_WORDS
from arena.match.log import answer_from
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    AskDiscard,
    AskPlay,
    AskSurrender,
    DealEnd,
    DiscardReply,
    FaultKind,
    FromBot,
    Limits,
    Malformed,
    PlayReply,
    Ready,
    Refused,
    Request,
    SurrenderReply,
    ToBot,
    decode,
    encode,
)
from arena.people import terminal
from arena.people.advice import NoAdvice
from arena.people.terminal import Narrator, TerminalSeat, choices, typed
from arena.reports import language as catalogues
from arena.reports.language import ENGLISH, Language, Phrase
from arena.sandbox.isolation import NO_ISOLATION
from arena.zole.cards import NAMES
from arena.zole.rules import preset, preset_names
from tests.support.patience import PATIENCE_S, until
from tests.support.scripted import drive, plan_of
from tests.support.transcripts import TRANSCRIPTS, Entry, simple
from tools.golden import ROOT

LONG_CARDS, SHORT_CARDS = Language(ENGLISH), Language(ENGLISH, short_cards=True)

# One seat's lines in order; None where an answer did not come, or not one that can be read.
Exchange = list[ToBot | FromBot | None]


@cache
def transcript(name: str, seat: int) -> Exchange:
    """A golden transcript as one seat knows it."""
    found: Exchange = []
    for text in (ROOT / "protocol" / "transcripts" / f"{name}.jsonl").read_bytes().splitlines():
        entry = msgspec.json.decode(text, type=Entry)
        line = msgspec.json.encode(entry.line)
        if entry.to == seat:
            found.append(msgspec.json.decode(line, type=ToBot))
        elif entry.by == seat:
            found.append(None)
            with suppress(Malformed):
                found[-1] = decode(line)
    return found


@cache
def match_by(rules: str, players: int) -> Exchange:
    driven = drive(
        plan_of(preset(rules, {"players": players}), 4), lambda _, request: simple(6)(request)
    )
    exchange = (what for seat, what in driven.exchange if seat == 0)
    return [what if isinstance(what, ToBot | FromBot) else None for what in exchange]


EXCHANGES: dict[str, Callable[[], Exchange]] = {
    **{
        f"{name}-{seat}": partial(transcript, name, seat)
        for name in TRANSCRIPTS
        for seat in range(3)
    },
    **{
        f"{rules}-{players}": partial(match_by, rules, players)
        for rules in preset_names()
        for players in (3, 4)
    },
}
every_exchange = pytest.mark.parametrize("name", EXCHANGES)


class Told(Narrator):
    def __init__(self, language: Language = LONG_CARDS) -> None:
        self.sent: list[FromBot] = []
        super().__init__(language, lambda line: self.sent.append(decode(line)), (*"ABCD",))

    def says(self, message: ToBot) -> list[str]:
        return list(self.hear(encode(message)))

    def types(self, text: str) -> list[str]:
        return list(self.enter(text))

    def hints(
        self, how: pytest.MonkeyPatch, found: tuple[AnyReply, tuple[Phrase, ...]] | NoAdvice
    ) -> str:
        how.setattr(terminal, "hint", Mock(side_effect=[found]))
        [said] = self.types("h")
        return said


def retold(exchange: Exchange) -> tuple[Told, list[str]]:
    """An exchange in sentences, with the cards laid aside that were."""
    lines, said = Told(), list[str]()
    for what in exchange:
        if isinstance(what, ToBot):
            said += lines.says(what)
        elif isinstance(what, DiscardReply):
            assert lines.types(" ".join(what.cards)) == []
            assert lines.sent[-1] == what
    return lines, said


@every_exchange
def test_every_answer_can_be_typed_as_a_number_and_every_card_by_name(name: str) -> None:
    for request in EXCHANGES[name]():
        if isinstance(request, AskDiscard):
            wanted = DiscardReply(id=request.id, cards=(request.hand[0], request.hand[9]))
            named = " ".join(map(SHORT_CARDS.card, wanted.cards))
            for text in ("1 10", " 1, 10 ", ".".join(wanted.cards), named, named.lower()):
                assert typed(request, text) == wanted
            for text in ("1", "1 1", "1 11", "1 2 3", "", "QC QC", "1 " + "9" * 5000):
                assert typed(request, text) is None
        elif isinstance(request, Request):
            offered = choices(request)
            for number, answer in enumerate(offered, 1):
                texts = [str(number)]
                if answer in NAMES:
                    short = SHORT_CARDS.card(answer)
                    texts += [answer, answer.lower(), short, short.lower()]
                reply = answer_from(answer, request)
                assert [typed(request, text) for text in texts] == [reply] * len(texts)
            for text in ("", "0", str(len(offered) + 1), "nonsense", "\x00", "²", "9" * 5000):
                assert typed(request, text) is None


@every_exchange
def test_payments_and_totals_told_are_those_of_the_result(name: str) -> None:
    lines, paid = Told(), list[tuple[int, ...]]()
    for what in EXCHANGES[name]():
        said = lines.says(what) if isinstance(what, ToBot) else []
        if isinstance(what, DealEnd):
            paid.append(what.result.payments)
            totals = list(map(sum, zip(*paid, strict=True)))
            for begin, stakes in (("Paid: ", paid[-1]), ("So far: ", totals)):
                [words] = [each for each in said if each.startswith(begin)]
                assert sorted(map(int, re.findall(r"[-+]\d+", words))) == sorted(stakes)


@pytest.mark.parametrize(
    ("name", "seat", "sentence"),
    [
        ("ordinary_win", 1, "Zole for 3 players: A, B, C, D."),
        ("ordinary_win", 1, "You bid Play."),
        ("ordinary_win", 1, "You are the declarer: Play."),
        ("ordinary_win", 1, "You play the queen of diamonds."),
        ("ordinary_win", 1, "Paid: you +"),
        ("ordinary_win", 1, "You won."),
        ("ordinary_win", 1, "The match is over."),
        ("blind", 2, "You bid Blind Zole."),
        ("talon_given", 0, "gives the talon away."),
        ("surrender", 1, "concedes."),
        ("surrender", 1, " conceded."),
        ("accepted_offer", 0, "The defenders conceded."),
        ("refused_offer", 0, "offers to concede. The declarer plays on."),
        ("all_pass", 0, "All pass: a table game. Take as few tricks as you can."),
        ("all_pass", 0, "loses with the most tricks ("),
        ("four_at_the_table", 0, "You sit out this deal."),
        ("timeout", 1, "Fault of A: timeout"),
    ],
)
def test_what_happens_is_told_to_every_seat(name: str, seat: int, sentence: str) -> None:
    said = [each for of in range(3) for each in retold(transcript(name, of))[1]]
    assert any(sentence in each for each in said)
    assert retold(transcript(name, seat))[0].over


def test_a_question_is_a_numbered_list() -> None:
    _, said = retold(transcript("ordinary_win", 1))
    at = said.index("The talon is yours. Choose two cards to lay aside.")
    assert [each.split(".")[0] for each in said[at + 1 : at + 11]] == [*map(str, range(1, 11))]
    assert sum("from the talon" in each for each in said) == 2


@pytest.fixture
def begun() -> Told:
    """Seat 0 in a transcript, up to its first question."""
    lines = Told()
    for what in transcript("ordinary_win", 0):
        if isinstance(what, ToBot) and lines.asked is None:
            lines.says(what)
    return lines


def test_a_line_that_is_no_answer_is_asked_again_and_nothing_is_sent(
    begun: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert isinstance(begun.asked, AskPlay)
    [said] = begun.types("no such card")
    assert "That is not an answer" in said
    standing = begun.types("?")
    for begin in ("Your hand: ", "So far: ", "B plays ", "1. "):
        assert any(each.startswith(begin) for each in standing), begin
    ten = PlayReply(id=begun.asked.id, card="TD")
    why = Phrase("why-unbeatable")
    none = NoAdvice("a review needs wasmtime", "run: scripts/add review")
    assert [begun.hints(monkeypatch, each) for each in (none, (ten, ()), (ten, (why,)))] == [
        "There is no hint here. a review needs wasmtime; run: scripts/add review",
        "Hint: ten of diamonds.",
        "Hint: ten of diamonds. No card that is left beats it.",
    ]
    assert len(begun.sent) == 1, "only the greeting"
    card = begun.asked.legal[0]
    begun.types(card)
    assert begun.sent[-1] == PlayReply(id=ten.id, card=card, note="hint: TD")


def test_leaving_must_be_confirmed(begun: Told) -> None:
    left = []
    for word in ("q", "?", "q", "Q"):
        begun.types(word)
        left.append(begun.left)
    assert left == [False, False, False, True]
    assert len(begun.sent) == 1, "only the greeting"


@pytest.mark.parametrize("word", [None, "c"])
def test_conceding_is_a_letter_before_and_never_a_question(word: str | None) -> None:
    lines = Told()
    for what in transcript("surrender", 0):
        if isinstance(what, ToBot):
            lines.says(what)
        if isinstance(what, AskDiscard) and word is not None:
            assert lines.types(word) == ["You concede before the next trick if the rules allow it."]
        if isinstance(what, AskSurrender):
            assert lines.asked is None
            assert lines.sent[-1] == SurrenderReply(id=what.id, surrender=word is not None)
            return
    pytest.fail("nothing was asked")


def test_a_question_that_was_given_up_is_asked_no_more() -> None:
    exchange = transcript("timeout", 0)
    missed = exchange.index(None)
    lines, _ = retold(exchange[:missed])
    assert lines.asked is not None
    end = exchange[missed + 1]
    assert isinstance(end, DealEnd)
    assert "Your fault: timeout" in "".join(lines.says(end))
    assert lines.asked is None


def test_a_refused_answer_is_asked_for_again() -> None:
    exchange = transcript("corrected", 0)
    [refused] = [n for n, what in enumerate(exchange, 1) if isinstance(what, Refused)]
    lines, said = retold(exchange[:refused])
    assert "The answer was refused: illegal, " in said[-1]
    assert isinstance(lines.asked, AskPlay)


# --- languages ---

# What stays in English within a sentence.
WIRE = sorted((*get_args(FaultKind), *FAULT_WORDS.values()), key=len, reverse=True)


def words_in(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]{2,}", text.lower()))


@cache
def english() -> set[str]:
    """The words that only the English catalogues have, without comments, names and values."""
    code = r"(?m)^#.*|^[\w-]+ =|\[[\w-]+\]|\{[^{}]*(\}|->)"
    ours, theirs = (
        words_in(re.sub(code, " ", "".join(path.read_text() for path in sorted(folder))))
        for folder in ((catalogues._WORDS / tag).glob("*.ftl") for tag in (ENGLISH, "lv"))
    )
    return ours - theirs


def all_said(name: str, language: Language, how: pytest.MonkeyPatch) -> Iterator[str]:
    """All that a match makes the terminal say, where all is asked that can be."""
    lines = Told(language)
    worth = Phrase("why-worth"), Phrase("why-also", {"word": "play", "next": 1.25})
    reasons = (*worth, Phrase("why-same-word", {"word": "pass"}))
    for what in EXCHANGES[name]():
        if isinstance(what, ToBot):
            yield from lines.says(what)
        if lines.asked is not None and isinstance(what, Request):
            for text in ("?", "nothing", "q"):
                yield from lines.types(text)
            yield lines.hints(how, NoAdvice(""))
        if isinstance(what, AnyReply) and lines.asked is not None and what.id == lines.asked.id:
            yield lines.hints(how, (what, reasons))
        if isinstance(what, DiscardReply):
            lines.types(".".join(what.cards))


@pytest.mark.parametrize("short_cards", [True, False])
@every_exchange
def test_every_sentence_can_be_said_in_latvian(
    name: str, short_cards: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = "\n".join(all_said(name, Language("lv", short_cards), monkeypatch))
    assert said.count("\n") >= 10
    details = [what.detail for what in EXCHANGES[name]() if isinstance(what, Refused)]
    for words in (*details, *WIRE):
        said = said.replace(words, "")
    assert not words_in(said) & english()


@pytest.mark.parametrize(
    ("variables", "tag"),
    [
        ({"LANG": "lv_LV.UTF-8"}, "lv"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "lv_LV"}, "lv"),
        ({"LC_ALL": "de_DE@euro", "LC_MESSAGES": "lv_LV", "LANG": "lv_LV"}, "de"),
        ({"LC_ALL": "", "LANG": "lv"}, "lv"),
        ({"LC_ALL": "C.UTF-8", "LANG": "lv_LV.UTF-8"}, "c"),
        ({}, ENGLISH),
    ],
)
def test_the_environment_gives_the_language_as_in_posix(
    variables: dict[str, str], tag: str
) -> None:
    assert catalogues.of_environment(variables) == tag


# --- a real terminal ---

STYLES = re.compile(r"\x1b\[[0-9;]*m")
COLOURS = re.compile(r"\x1b\[(?:[0-9;]*;)?3[0-7]m")
END = "\x1e"  # printed by the test alone


class Screen:
    """The other side of a terminal: keys are pressed, what is printed is kept."""

    def __init__(self, main: int, side: int) -> None:
        self.main, self.side, self.said = main, side, ""

    @contextmanager
    def standard(self) -> Iterator[None]:
        """Let it be this process's standard input and output."""
        with (
            open(self.side, closefd=False) as keys,
            open(self.side, "w", closefd=False) as shown,
            patch("sys.stdin", keys),
            patch("sys.stdout", shown),
            patch("rich.console._STD_STREAMS", (self.side,)),  # whose size it asks for
        ):
            yield

    def read(self) -> None:
        """Keep what is printed, until the terminal is gone."""
        decoder = codecs.getincrementaldecoder("utf-8")()
        with suppress(OSError):
            while True:
                self.said += decoder.decode(os.read(self.main, 65536))

    def to_the_end(self) -> str:
        """All that has been printed, once it is read."""
        os.write(self.side, END.encode())
        until(lambda: END in self.said)
        return self.said


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch) -> Iterator[Screen]:
    """A terminal of 100 columns in the place of this process's own."""
    for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    opened = Screen(*pty.openpty())
    fcntl.ioctl(opened.side, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
    reader = Thread(target=opened.read)
    reader.start()
    yield opened
    os.close(opened.side)
    reader.join()
    os.close(opened.main)


def played(screen: Screen, keys: str, plain: bool = False) -> str:
    """What is printed in a match at which these keys are pressed from the beginning on."""
    os.write(screen.main, keys.encode())
    ours, theirs = socket.socketpair()
    plan = msgspec.structs.replace(plan_of(), people={0: Limits(None, None, 65536)})
    other = FunctionSeat("other", Ready(1), cast("Callable[[AnyRequest], AnyReply]", simple(9)))
    with ours, screen.standard(), closing(TerminalSeat(theirs, ENGLISH, plain, (*"ABC",))) as seat:
        play_match(Job(plan, (PersonLink("person", ours), other, other), NO_ISOLATION))
        seat.wait(PATIENCE_S)
    return screen.to_the_end()


SIGNS = r"\n1\. (10|[7-9AKQJ])[♣♠♥♦]\r\n"
NAMES_OF_CARDS = r"\n1\. \w+ of \w+\r\n"


@pytest.mark.parametrize(
    ("variables", "plain", "cards", "is_coloured"),
    [
        ({}, False, SIGNS, True),
        ({"NO_COLOR": "1"}, False, SIGNS, False),
        ({"TERM": "dumb"}, False, NAMES_OF_CARDS, False),
        ({}, True, NAMES_OF_CARDS, False),
    ],
    ids=["as usual", "colours refused", "signs cannot be drawn", "signs refused"],
)
def test_a_whole_match_is_played_by_typed_lines(
    screen: Screen,
    monkeypatch: pytest.MonkeyPatch,
    variables: dict[str, str],
    plain: bool,
    cards: str,
    is_coloured: bool,
) -> None:
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    before = termios.tcgetattr(screen.side)
    shown = played(screen, "1\n" * 40, plain)
    assert termios.tcgetattr(screen.side) == before
    said = STYLES.sub("", shown)
    assert "Your bid?" in said
    assert "The match is over." in said
    assert re.search(cards, said)
    assert bool(COLOURS.search(shown)) is is_coloured
    assert ("\x1b" in shown) is (cards == SIGNS)


@pytest.mark.parametrize("keys", ["\x04", "q\nq\n"])
def test_leaving_is_confirmed_on_the_screen(screen: Screen, keys: str) -> None:
    said = played(screen, keys)
    assert "The match is over." not in said
    assert "You have left." in said


def test_a_seat_that_is_closed_tells_the_person(screen: Screen) -> None:
    ours, theirs = socket.socketpair()
    with ours, screen.standard():
        TerminalSeat(theirs, ENGLISH, False, (*"ABC",)).close()
        assert ours.recv(1) == b""
    assert "You have left." in screen.to_the_end()
