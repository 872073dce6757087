"""What the terminal says of golden transcripts, in every language, and what may be typed."""

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import get_args

import msgspec
import pytest
from fluent.syntax import ast, parse, serialize
from fluent.syntax.visitor import Transformer

from arena.match.commands import FAULT_WORDS
from arena.match.log import answer_from
from arena.match.wire import (
    AnyReply,
    AskDiscard,
    AskPlay,
    AskSurrender,
    DealEnd,
    DiscardReply,
    FaultKind,
    FromBot,
    Hello,
    Malformed,
    PlayReply,
    Refused,
    Request,
    SurrenderReply,
    ToBot,
    decode,
    encode,
)
from arena.people import terminal
from arena.people.advice import NoAdvice
from arena.people.terminal import Teller, choices, typed
from arena.reports import language as catalogues
from arena.reports.language import ENGLISH, Language, Saying
from arena.zole.cards import NAMES
from arena.zole.rules import preset, preset_names
from tests.support.scripted import drive, plan_of
from tests.support.transcripts import TRANSCRIPTS, Entry, simple
from tools.golden import ROOT

SPEAKS_ENGLISH = Language(ENGLISH)

Advised = tuple[AnyReply, tuple[Saying, ...]]

Exchange = list[ToBot | FromBot | None]
"""One seat's lines in order; None where an answer did not come, or not one that can be read."""


@cache
def transcript(name: str, seat: int) -> Exchange:
    """A golden transcript as one seat knows it."""
    decoder = msgspec.json.Decoder(Entry)
    to_bot = msgspec.json.Decoder(ToBot)
    found: Exchange = []
    path = ROOT / "protocol" / "transcripts" / f"{name}.jsonl"
    for line in path.read_bytes().splitlines():
        entry = decoder.decode(line)
        if entry.to == seat:
            found.append(to_bot.decode(msgspec.json.encode(entry.line)))
        elif entry.by == seat:
            found.append(None if entry.line is None else _answer(entry.line))
    return found


def _answer(line: object) -> FromBot | None:
    try:
        return decode(msgspec.json.encode(line))
    except Malformed:
        return None


@cache
def match_by(rules: str, players: int) -> Exchange:
    """Four deals by a preset as seat 0 knows them."""
    driven = drive(
        plan_of(preset(rules, {"players": players}), 4), lambda _, request: simple(6)(request)
    )
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


class Told(Teller):
    """A match told, and what was sent."""

    def __init__(
        self, language: Language = SPEAKS_ENGLISH, names: Sequence[str] = (*"ABCD",)
    ) -> None:
        self.sent: list[FromBot] = []
        super().__init__(language, lambda line: self.sent.append(decode(line)), names)

    def says(self, message: ToBot) -> list[str]:
        """The sentences for a message."""
        return list(self.hear(encode(message)))

    def types(self, text: str) -> list[str]:
        """The sentences after a typed line."""
        return list(self.enter(text))

    def hints(self, found: Advised | NoAdvice, how: pytest.MonkeyPatch) -> str:
        """What is said of a hint."""

        def hint(_: object) -> Advised:
            if isinstance(found, NoAdvice):
                raise found
            return found

        how.setattr(terminal, "hint", hint)
        [said] = self.types("h")
        return said


def in_sentences(name: str, seat: int) -> tuple[Told, list[str]]:
    """A transcript in sentences, answered as it was."""
    lines = Told()
    said: list[str] = []
    for what in transcript(name, seat):
        if isinstance(what, ToBot):
            said += lines.says(what)
        elif isinstance(what, DiscardReply):
            assert lines.types(" ".join(what.cards)) == []
            assert lines.sent[-1] == what
    return lines, said


@pytest.mark.parametrize("name", EXCHANGES)
def test_every_answer_can_be_typed_as_a_number_and_every_card_by_name(name: str) -> None:
    for request in EXCHANGES[name]():
        if isinstance(request, AskDiscard):
            wanted = DiscardReply(id=request.id, cards=(request.hand[0], request.hand[9]))
            named = " ".join(map(Language(ENGLISH, short_cards=True).card, wanted.cards))
            for text in ("1 10", " 1, 10 ", ".".join(wanted.cards), named, named.lower()):
                assert typed(request, text) == wanted
            for text in ("1", "1 1", "1 11", "1 2 3", "", "QC QC", "1 " + "9" * 5000):
                assert typed(request, text) is None
        elif isinstance(request, Request):
            offered = choices(request)
            for number, answer in enumerate(offered, 1):
                texts = [str(number)]
                if answer in NAMES:
                    short = Language(ENGLISH, short_cards=True).card(answer)
                    texts += [answer, answer.lower(), short, short.lower()]
                reply = answer_from(answer, request)
                assert [typed(request, text) for text in texts] == [reply] * len(texts)
            for text in ("", "0", str(len(offered) + 1), "nonsense", "\x00", "²", "9" * 5000):
                assert typed(request, text) is None


@pytest.mark.parametrize("name", EXCHANGES)
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


def test_each_event_is_a_sentence_and_each_question_a_numbered_list() -> None:
    _, said = in_sentences("ordinary_win", 1)
    assert "You bid ordinary." in said
    assert "You play an ordinary game against the others." in said
    at = said.index("You have the talon. Choose two cards to lay aside.")
    assert [each.split(".")[0] for each in said[at + 1 : at + 11]] == [*map(str, range(1, 11))]
    assert sum("from the talon" in each for each in said) == 2
    assert "You play the queen of diamonds." in said
    assert said[-1] == "The match is over."
    assert any(each.startswith("Paid: you +") for each in said)


@pytest.mark.parametrize(
    ("name", "seat", "sentence"),
    [
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
    said = [each for of in range(3) for each in in_sentences(name, of)[1]]
    assert any(sentence in each for each in said)
    assert in_sentences(name, seat)[0].over


def test_words_that_are_no_answer_are_asked_again_and_nothing_is_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lines = begun("ordinary_win")
    assert isinstance(lines.asked, AskPlay)
    [said] = lines.types("no such card")
    assert "That is not an answer" in said
    standing = lines.types("?")
    for begin in ("Your hand: ", "So far: ", "B plays ", "1. "):
        assert any(each.startswith(begin) for each in standing), begin
    ten = PlayReply(id=lines.asked.id, card="TD")
    assert lines.hints((ten, ()), monkeypatch) == "Hint: ten of diamonds."
    why = (Saying("why-unbeatable"),)
    assert lines.hints((ten, why), monkeypatch).endswith("No card that is left beats it.")
    assert len(lines.sent) == 1, "only the greeting"
    [card, *_] = lines.asked.legal
    lines.types(card)
    assert lines.sent[-1] == PlayReply(id=ten.id, card=card, note="hint: TD")


def begun(name: str) -> Told:
    """Seat 0 in a transcript, up to its first question."""
    lines = Told()
    for what in transcript(name, 0):
        if isinstance(what, ToBot) and lines.asked is None:
            lines.says(what)
    return lines


def heard(lines: Told, name: str) -> Iterator[ToBot]:
    """The messages of a transcript to seat 0, each once it has been told."""
    for what in transcript(name, 0):
        if isinstance(what, ToBot):
            lines.says(what)
            yield what


def test_why_there_is_no_hint_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    why = NoAdvice("a review needs wasmtime", "run: scripts/add review")
    assert begun("ordinary_win").hints(why, monkeypatch) == (
        "There is no hint here. a review needs wasmtime; run: scripts/add review"
    )


def test_who_sits_where_is_told_first() -> None:
    names = ("person", "careful", "lazy")
    hello = EXCHANGES["pagat-3"]()[0]
    assert isinstance(hello, Hello)
    said = Told(names=names).says(hello)
    assert said[0] == "Zole for 3 players: person, careful, lazy."


def test_leaving_is_asked_about() -> None:
    lines = begun("ordinary_win")
    for word in ("q", "?", "q"):
        lines.types(word)
        assert not lines.left
    lines.types("Q")
    assert lines.left
    assert len(lines.sent) == 1, "only the greeting"


@pytest.mark.parametrize("word", [None, "c"])
def test_conceding_is_a_letter_before_and_never_a_question(word: str | None) -> None:
    lines = Told()
    asked = 0
    for what in heard(lines, "surrender"):
        if isinstance(what, AskDiscard) and word is not None:
            assert lines.types(word) == ["You concede before the next trick if the rules allow it."]
        if isinstance(what, AskSurrender):
            asked += 1
            assert lines.asked is None
            assert lines.sent[-1] == SurrenderReply(id=what.id, surrender=word is not None)
            break
    assert asked == 1


def test_a_question_that_was_given_up_is_asked_no_more() -> None:
    exchange = transcript("timeout", 0)
    lines = Told()
    missed = exchange.index(None)
    for what in exchange[:missed]:
        if isinstance(what, ToBot):
            lines.says(what)
    assert lines.asked is not None
    end = exchange[missed + 1]
    assert isinstance(end, DealEnd)
    said = lines.says(end)
    assert lines.asked is None
    assert any(each.startswith("Your fault: timeout") for each in said)


def test_a_refused_answer_is_asked_for_again() -> None:
    lines = Told()
    for what in transcript("corrected", 0):
        if isinstance(what, ToBot):
            said = lines.says(what)
        if isinstance(what, Refused):
            assert "The answer was refused: illegal, " in said[0]
            assert isinstance(lines.asked, AskPlay)
            return
    raise AssertionError("nothing was refused")


# --- the catalogues ---

WORDS = catalogues._WORDS
WIRE = sorted((*get_args(FaultKind), *FAULT_WORDS.values()), key=len, reverse=True)
"""What stays in English within a sentence."""


class Marked(Transformer):
    """Marks all words of a catalogue."""

    def visit_TextElement(self, node: ast.TextElement) -> ast.TextElement:  # noqa: N802
        node.value = re.sub(r"^(\s*)(.*?\S)(\s*)$", r"\1⟦\2⟧\3", node.value, flags=re.DOTALL)
        return node


@pytest.fixture(scope="module")
def marked_words(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """English whose words are marked: `⟦You pass.⟧`."""
    folder = tmp_path_factory.mktemp("marked")
    (folder / ENGLISH).mkdir()
    for path in (WORDS / ENGLISH).glob("*.ftl"):
        catalogue = parse(path.read_text(encoding="utf-8"))
        Marked().visit(catalogue)
        (folder / ENGLISH / path.name).write_text(serialize(catalogue), encoding="utf-8")
    return folder


@pytest.fixture
def marked(marked_words: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(catalogues, "_WORDS", marked_words)
    forget()
    yield
    forget()


def forget() -> None:
    """Read the catalogues anew."""
    catalogues._bundle.cache_clear()
    catalogues._load.cache_clear()
    catalogues._entries.cache_clear()


def all_said(name: str, language: Language, how: pytest.MonkeyPatch) -> Iterator[str]:
    """Whatever a match makes the terminal say, where all is asked that can be."""
    lines = Told(language)
    reasons = (Saying("why-worth", {"best": 1.25, "next": -0.5}), Saying("why-same"))
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


@pytest.mark.usefixtures("marked")
@pytest.mark.parametrize("short_cards", [True, False])
@pytest.mark.parametrize("name", EXCHANGES)
def test_every_word_is_of_a_catalogue(
    name: str, short_cards: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    details = [what.detail for what in EXCHANGES[name]() if isinstance(what, Refused)]
    said = list(all_said(name, Language(ENGLISH, short_cards), monkeypatch))
    assert len(said) > 10
    for line in said:
        rest = re.sub("⟦[^⟦⟧]*⟧", "", line)
        for words in (*details, *WIRE):
            rest = rest.replace(words, "")
        assert re.fullmatch(r"[-+0-9 ,.♣♠♥♦A-D]*| 1 min 0 s ", rest), line


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
def test_the_environment_says_the_language_as_posix_has_it(
    variables: dict[str, str], tag: str
) -> None:
    assert catalogues.of_environment(variables) == tag
