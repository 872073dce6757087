"""A person at a terminal: what it tells of a match, what may be typed, and a pseudo-terminal."""

import codecs
import fcntl
import os
import pty
import re
import socket
import struct
import termios
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cache, partial
from threading import Thread
from typing import cast, get_args
from unittest.mock import patch

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
    Hello,
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

Exchange = list[ToBot | FromBot | None]
"""One seat's lines in order; None where an answer did not come, or not one that can be read."""


@cache
def transcript(name: str, seat: int) -> Exchange:
    """A golden transcript as one seat knows it."""
    found: Exchange = []
    path = ROOT / "protocol" / "transcripts" / f"{name}.jsonl"
    for text in path.read_bytes().splitlines():
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
    """Four deals by a preset as seat 0 knows them."""
    plan = plan_of(preset(rules, {"players": players}), 4)
    driven = drive(plan, lambda _, request: simple(6)(request))
    return [
        what if isinstance(what, ToBot | FromBot) else None
        for seat, what in driven.exchange
        if seat == 0
    ]


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
    """A match told, and what was sent."""

    def __init__(self, language: Language = LONG_CARDS, names: Sequence[str] = (*"ABCD",)) -> None:
        self.sent: list[FromBot] = []
        super().__init__(language, lambda line: self.sent.append(decode(line)), names)

    def says(self, message: ToBot) -> list[str]:
        """The sentences for a message."""
        return list(self.hear(encode(message)))

    def types(self, text: str) -> list[str]:
        """The sentences after a typed line."""
        return list(self.enter(text))

    def hints(
        self, found: tuple[AnyReply, tuple[Phrase, ...]] | NoAdvice, how: pytest.MonkeyPatch
    ) -> str:
        """The sentence for a hint."""

        def hint(_: object) -> tuple[AnyReply, tuple[Phrase, ...]]:
            if isinstance(found, NoAdvice):
                raise found
            return found

        how.setattr(terminal, "hint", hint)
        [said] = self.types("h")
        return said


def retold(exchange: Exchange) -> tuple[Told, list[str]]:
    """An exchange in sentences, with the cards laid aside that were."""
    lines = Told()
    said: list[str] = []
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
    lines = Told()
    totals: tuple[int, ...] = ()
    for what in EXCHANGES[name]():
        said = lines.says(what) if isinstance(what, ToBot) else []
        if isinstance(what, DealEnd):
            paid = what.result.payments
            totals = tuple(map(sum, zip(totals or (0,) * len(paid), paid, strict=True)))
            for begin, stakes in (("Paid: ", paid), ("So far: ", totals)):
                [words] = [each for each in said if each.startswith(begin)]
                told = [int(each) for each in re.findall(r"[-+]\d+", words)]
                assert sorted(told) == sorted(stakes)


@pytest.mark.parametrize(
    ("name", "seat", "sentence"),
    [
        ("ordinary_win", 1, "You bid ordinary."),
        ("ordinary_win", 1, "You play an ordinary game against the others."),
        ("ordinary_win", 1, "You play the queen of diamonds."),
        ("ordinary_win", 1, "Paid: you +"),
        ("ordinary_win", 1, "The match is over."),
        ("blind", 2, "You declare a blind game."),
        ("talon_given", 0, "gives the talon away."),
        ("surrender", 1, "concedes."),
        ("refused_offer", 0, "offers to concede. The declarer plays on."),
        ("all_pass", 0, "All pass: a table game, in which one takes few tricks."),
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
    at = said.index("You have the talon. Choose two cards to lay aside.")
    assert [each.split(".")[0] for each in said[at + 1 : at + 11]] == [*map(str, range(1, 11))]
    assert sum("from the talon" in each for each in said) == 2


def begun() -> Told:
    """Seat 0 in a transcript, up to its first question."""
    lines = Told()
    for what in transcript("ordinary_win", 0):
        if isinstance(what, ToBot) and lines.asked is None:
            lines.says(what)
    return lines


def test_a_line_that_is_no_answer_is_asked_again_and_nothing_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = begun()
    assert isinstance(lines.asked, AskPlay)
    [said] = lines.types("no such card")
    assert "That is not an answer" in said
    standing = lines.types("?")
    for begin in ("Your hand: ", "So far: ", "B plays ", "1. "):
        assert any(each.startswith(begin) for each in standing), begin
    ten = PlayReply(id=lines.asked.id, card="TD")
    assert lines.hints((ten, ()), monkeypatch) == "Hint: ten of diamonds."
    why = (Phrase("why-unbeatable"),)
    assert lines.hints((ten, why), monkeypatch).endswith("No card that is left beats it.")
    assert len(lines.sent) == 1, "only the greeting"
    [card, *_] = lines.asked.legal
    lines.types(card)
    assert lines.sent[-1] == PlayReply(id=ten.id, card=card, note="hint: TD")


def test_the_reason_why_there_is_no_hint_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    why = NoAdvice("a review needs wasmtime", "run: scripts/add review")
    assert begun().hints(why, monkeypatch) == (
        "There is no hint here. a review needs wasmtime; run: scripts/add review"
    )


def test_the_names_of_the_players_are_told_first() -> None:
    hello = EXCHANGES["pagat-3"]()[0]
    assert isinstance(hello, Hello)
    said = Told(names=("person", "careful", "lazy")).says(hello)
    assert said[0] == "Zole for 3 players: person, careful, lazy."


def test_leaving_must_be_confirmed() -> None:
    lines = begun()
    for word in ("q", "?", "q"):
        lines.types(word)
        assert not lines.left
    lines.types("Q")
    assert lines.left
    assert len(lines.sent) == 1, "only the greeting"


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
    said = lines.says(end)
    assert lines.asked is None
    assert any(each.startswith("Your fault: timeout") for each in said)


def test_a_refused_answer_is_asked_for_again() -> None:
    exchange = transcript("corrected", 0)
    [refused] = [n for n, what in enumerate(exchange, 1) if isinstance(what, Refused)]
    lines, said = retold(exchange[:refused])
    assert "The answer was refused: illegal, " in said[-1]
    assert isinstance(lines.asked, AskPlay)


# --- languages ---

WIRE = sorted((*get_args(FaultKind), *FAULT_WORDS.values()), key=len, reverse=True)
"""What stays in English within a sentence."""


def words_in(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d_]{2,}", text.lower()))


@cache
def english() -> set[str]:
    """The words that only the English catalogues have, without comments, names and values."""
    found = []
    for tag in (ENGLISH, "lv"):
        paths = sorted((catalogues._WORDS / tag).glob("*.ftl"))
        text = "".join(path.read_text(encoding="utf-8") for path in paths)
        code = r"(?m)^#.*|^[\w-]+ =|\[[\w-]+\]|\{[^{}]*(\}|->)"
        found.append(words_in(re.sub(code, " ", text)))
    return found[0] - found[1]


def all_said(name: str, language: Language, how: pytest.MonkeyPatch) -> Iterator[str]:
    """All that a match makes the terminal say, where all is asked that can be."""
    lines = Told(language)
    reasons = (Phrase("why-worth", {"best": 1.25, "next": -0.5}), Phrase("why-same"))
    for what in EXCHANGES[name]():
        if isinstance(what, ToBot):
            yield from lines.says(what)
        if lines.asked is not None and isinstance(what, Request):
            for text in ("?", "nothing", "q"):
                yield from lines.types(text)
            yield lines.hints(NoAdvice(""), how)
        if isinstance(what, AnyReply) and lines.asked is not None and what.id == lines.asked.id:
            yield lines.hints((what, reasons), how)
        if isinstance(what, DiscardReply):
            lines.types(".".join(what.cards))


@pytest.mark.parametrize("short_cards", [True, False])
@every_exchange
def test_every_sentence_can_be_said_in_latvian(
    name: str, short_cards: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    sentences = list(all_said(name, Language("lv", short_cards), monkeypatch))
    assert len(sentences) > 10
    said = "\n".join(sentences)
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
END = "\x1e"
"""Printed by the test alone."""


class Screen:
    """The other side of a terminal: keys are pressed, what is printed is kept."""

    def __init__(self, main: int, side: int) -> None:
        self.said = ""
        self._main, self._side = main, side

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
    fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
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
    before = screen.modes()
    played(screen, "1\n" * 40, plain)
    assert screen.modes() == before
    said = STYLES.sub("", screen.said)
    for sentence in ("Your turn to bid.", "The match is over."):
        assert sentence in said
    assert re.search(cards, said)
    assert bool(COLOURS.search(screen.said)) is is_coloured
    assert ("\x1b" in screen.said) is (cards == SIGNS)


@pytest.mark.parametrize("keys", ["\x04", "q\nq\n"])
def test_leaving_is_confirmed_on_the_screen(screen: Screen, keys: str) -> None:
    played(screen, keys)
    assert "The match is over." not in screen.said
    assert "You have left." in screen.said


def test_a_seat_that_is_closed_tells_the_person(screen: Screen) -> None:
    ours, theirs = socket.socketpair()
    with ours, screen.standard():
        TerminalSeat(theirs, ENGLISH, False, (*"ABC",)).close()
        assert ours.recv(1) == b""
    screen.to_the_end()
    assert "You have left." in screen.said


@pytest.mark.parametrize("plain", [True, False])
def test_a_match_is_played_in_latvian(screen: Screen, plain: bool) -> None:
    played(screen, "nekas\n?\nh\nq\n2\n1 2\n?\nc\n" + "1\n" * 40, plain, "lv")
    said = STYLES.sub("", screen.said)
    card = "Jūs izspēlējat pīķa kalpu." if plain else "Jūs izspēlējat J♠."
    for sentence in ("Tā nav atbilde", "Punkti kopā: ", "Padoms: ", "Spēle beigusies.", card):
        assert sentence in said
    assert not words_in(said) & english()
