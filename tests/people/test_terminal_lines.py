"""A match line by line: golden transcripts in sentences, and every answer as it may be typed."""

from collections.abc import Callable, Iterator
from functools import cache, partial

import msgspec
import pytest

from arena.match.log import answer_text
from arena.match.wire import (
    AskDiscard,
    AskPlay,
    AskSurrender,
    DealEnd,
    Dealt,
    DiscardReply,
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
from arena.people.advice import NoAdvice
from arena.people.heard import begun, ended, happened, laid_aside
from arena.people.suggestion import Suggestion
from arena.people.terminal_choices import answer_keys, choices, reply_words, typed
from arena.people.terminal_lines import Teller
from arena.reports.language import Language, Saying, languages_with
from arena.zole.cards import NAMES
from arena.zole.rules import Rules, preset, preset_names
from tests.golden import ROOT
from tests.support.scripted import drive, plan_of
from tests.support.transcripts import TRANSCRIPTS, Entry, simple

LANGUAGES = [Language(tag) for tag in languages_with("terminal")]
SPEAKS_ENGLISH = LANGUAGES[0]

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


def in_sentences(name: str, seat: int) -> tuple[Teller, list[str]]:
    """A transcript in sentences, answered as it was."""
    lines = Teller(SPEAKS_ENGLISH)
    said: list[str] = []
    for what in transcript(name, seat):
        if isinstance(what, ToBot):
            said += lines.hear(encode(what))
        elif isinstance(what, DiscardReply):
            first, second = map(SPEAKS_ENGLISH.card, what.cards)
            assert lines.enter(f"{first} and {second}") == ([], what)
    return lines, said


def rules_of(name: str) -> Rules:
    """The rules of an exchange."""
    hello = EXCHANGES[name]()[0]
    assert isinstance(hello, Hello)
    return hello.rules


@pytest.mark.parametrize("language", LANGUAGES, ids=lambda language: language.tag)
@pytest.mark.parametrize("name", EXCHANGES)
def test_every_answer_can_be_typed_as_number_letter_word_and_card(
    name: str, language: Language
) -> None:
    rules = rules_of(name)
    read = partial(typed, language, rules)
    for request in EXCHANGES[name]():
        if isinstance(request, AskDiscard):
            wanted = DiscardReply(id=request.id, cards=(request.hand[0], request.hand[9]))
            named = " + ".join(map(language.card, wanted.cards))
            for text in ("1 10", " 1, 10 ", ".".join(wanted.cards), named):
                assert read(request, text) == wanted
            for text in ("1", "1 1", "1 11", "1 2 3", "", "QC QC", "1 " + "9" * 5000):
                assert read(request, text) is None
        elif isinstance(request, Request):
            offered = choices(request)
            for number, reply in enumerate(offered, 1):
                answer = answer_text(reply)
                words = reply_words(language, rules, reply)
                texts = [str(number), words, words.upper()]
                if answer in NAMES:
                    texts += [answer, Language(language.tag, short_cards=True).card(answer)]
                    texts += [SPEAKS_ENGLISH.card(answer), language.card(answer, "accusative")]
                else:
                    for each in (language, SPEAKS_ENGLISH):
                        texts += [*answer_keys(each, answer), each.say("answer-word", word=answer)]
                assert [read(request, text) for text in texts] == [reply] * len(texts)
            for text in ("", "0", str(len(offered) + 1), "nonsense", "\x00", "²", "9" * 5000):
                assert read(request, text) is None


@pytest.mark.parametrize("name", EXCHANGES)
def test_what_was_heard_is_what_requests_and_results_say(name: str) -> None:
    exchange = EXCHANGES[name]()
    assert isinstance(exchange[0], Hello)
    heard = begun(exchange[0])
    for what in exchange:
        if isinstance(what, DiscardReply):
            heard = laid_aside(heard, what)
        if not isinstance(what, Request | DealEnd):
            continue
        for event in what.events:
            if isinstance(event, Dealt):
                assert heard.totals == event.totals
            heard = happened(heard, event)
        if isinstance(what, AskPlay):
            assert heard.board.trick == what.trick
        if isinstance(what, DealEnd):
            assert heard.board.tricks == what.result.tricks.seats
            assert heard.board.points == what.result.points.seats
            heard = ended(heard, what)


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
        ("timeout", 1, "Fault of Seat 0: timeout"),
    ],
)
def test_what_happens_is_told_to_every_seat(name: str, seat: int, sentence: str) -> None:
    said = [each for of in range(3) for each in in_sentences(name, of)[1]]
    assert any(sentence in each for each in said)
    assert in_sentences(name, seat)[0].over


def test_words_that_are_no_answer_are_asked_again_and_nothing_is_sent() -> None:
    lines = Teller(SPEAKS_ENGLISH)
    for what in transcript("ordinary_win", 0)[:3]:
        if isinstance(what, ToBot):
            list(lines.hear(encode(what)))
    assert isinstance(lines.asked, AskPlay)
    said, act = lines.enter("no such card")
    assert act is None
    assert "That is not an answer" in said[0]
    standing, act = lines.enter("?")
    assert act is None
    assert lines.enter("help") == (standing, None)
    assert any(each.startswith("Your hand: ") for each in standing)
    assert lines.enter("h") == ([], "hint")
    ten = PlayReply(id=0, card="TD")
    assert lines.hinted(Suggestion(ten)) == "Hint: ten of diamonds."
    assert lines.hinted(Suggestion(ten, (Saying("why-only-trump"),))).endswith(
        "Only a trump beats it."
    )


def heard(lines: Teller, name: str) -> Iterator[ToBot]:
    """The messages of a transcript to seat 0, each once it has been told."""
    for what in transcript(name, 0):
        if isinstance(what, ToBot):
            list(lines.hear(encode(what)))
            yield what


def test_a_card_that_does_not_follow_is_told_why() -> None:
    lines = Teller(SPEAKS_ENGLISH)
    refused = 0
    for what in heard(lines, "ordinary_win"):
        if not (isinstance(what, Request) and isinstance(lines.asked, AskPlay)):
            continue
        led = lines.asked.trick[0].card if lines.asked.trick else ""
        for card in lines.asked.hand:
            if card not in lines.asked.legal:
                refused += 1
                name, first = map(SPEAKS_ENGLISH.card, (card, led))
                words = f"{name} is not allowed: {first} was led, and you have cards that follow."
                assert lines.enter(card) == ([words], None)
    assert refused


def test_why_there_is_no_hint_is_told() -> None:
    lines = Teller(SPEAKS_ENGLISH)
    why = NoAdvice("a review needs wasmtime", "run: scripts/add review")
    assert lines.hinted(why) == (
        "There is no hint here. a review needs wasmtime; run: scripts/add review"
    )


def test_who_sits_where_is_told_first() -> None:
    names = ("person", "careful", "lazy")
    hello = EXCHANGES["pagat-3"]()[0]
    assert isinstance(hello, Hello)
    said = list(Teller(SPEAKS_ENGLISH, names).hear(encode(hello)))
    assert said[-1] == "Seat 0: person, Seat 1: careful, Seat 2: lazy."


def test_leaving_is_asked_about() -> None:
    lines = Teller(SPEAKS_ENGLISH)
    for what in transcript("ordinary_win", 0)[:3]:
        if isinstance(what, ToBot):
            list(lines.hear(encode(what)))
    assert lines.enter("q")[1] is None
    assert lines.enter("no")[1] is None
    assert lines.enter("leave")[1] is None
    assert lines.enter("yes")[1] == "leave"


@pytest.mark.parametrize("word", [None, "c", "concede"])
def test_conceding_is_a_word_before_and_never_a_question(word: str | None) -> None:
    lines = Teller(SPEAKS_ENGLISH)
    asked = 0
    for what in heard(lines, "surrender"):
        if isinstance(what, AskDiscard) and word is not None:
            assert lines.enter(word) == (
                ["You will concede before the next trick. Type it again to play on."],
                None,
            )
        if isinstance(what, AskSurrender):
            asked += 1
            assert lines.asked is None
            assert lines.due == SurrenderReply(id=what.id, surrender=word is not None)
            break
    assert asked == 1


def test_a_question_that_was_given_up_is_asked_no_more() -> None:
    exchange = transcript("timeout", 0)
    lines = Teller(SPEAKS_ENGLISH)
    missed = exchange.index(None)
    for what in exchange[:missed]:
        if isinstance(what, ToBot):
            list(lines.hear(encode(what)))
    assert lines.asked is not None
    end = exchange[missed + 1]
    assert isinstance(end, DealEnd)
    said = list(lines.hear(encode(end)))
    assert lines.asked is None
    assert any(each.startswith("Your fault: timeout") for each in said)


def test_a_refused_answer_is_asked_for_again() -> None:
    lines = Teller(SPEAKS_ENGLISH)
    for what in transcript("corrected", 0):
        if isinstance(what, ToBot):
            said = list(lines.hear(encode(what)))
        if isinstance(what, Refused):
            assert "The answer was refused: illegal, " in said[0]
            assert isinstance(lines.asked, AskPlay)
            return
    raise AssertionError("nothing was refused")
