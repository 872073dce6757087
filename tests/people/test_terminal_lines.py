"""A match line by line: golden transcripts in sentences, and every answer as it may be typed."""

import pytest

from arena.match.wire import (
    AskDiscard,
    AskPlay,
    DiscardReply,
    PlayReply,
    Refused,
    Request,
    ToBot,
    encode,
)
from arena.people.terminal_choices import choices, typed
from arena.people.terminal_lines import Lines
from arena.people.terminal_words import full_name, short_name
from tests.people.test_terminal_face import EXCHANGES, transcript


def told(name: str, seat: int) -> tuple[Lines, list[str]]:
    """A transcript in sentences, answered as it was."""
    lines = Lines()
    said: list[str] = []
    for what in transcript(name, seat):
        if isinstance(what, ToBot):
            said += lines.hear(encode(what))
        elif isinstance(what, DiscardReply):
            first, second = (full_name(card) for card in what.cards)
            assert lines.enter(f"{first} and {second}") == ([], what)
    return lines, said


@pytest.mark.parametrize("name", EXCHANGES)
def test_every_answer_can_be_typed_as_number_letter_word_and_card(name: str) -> None:
    for request in EXCHANGES[name]():
        if isinstance(request, AskDiscard):
            wanted = DiscardReply(id=request.id, cards=(request.hand[0], request.hand[9]))
            for text in ("1 10", " 1, 10 ", ".".join(wanted.cards)):
                assert typed(request, text) == wanted
            for text in ("1", "1 1", "1 11", "1 2 3", "", "QC QC"):
                assert typed(request, text) is None
        elif isinstance(request, Request):
            offered = choices(request)
            for number, each in enumerate(offered, 1):
                texts = [str(number), each.words, each.words.upper()]
                texts += [each.letter] if each.card is None else [each.card, short_name(each.card)]
                assert [typed(request, text) for text in texts] == [each.reply] * len(texts)
            for text in ("", "0", str(len(offered) + 1), "nonsense", "\x00", "²"):
                assert typed(request, text) is None


def test_each_event_is_a_sentence_and_each_question_a_numbered_list() -> None:
    _, said = told("ordinary_win", 1)
    assert "You bid ordinary." in said
    assert "Ordinary: you against seat 2 and seat 0." in said
    at = said.index("Lay two cards aside; they count for you.")
    assert [each.split(".")[0] for each in said[at + 1 : at + 11]] == [*map(str, range(1, 11))]
    assert sum("from the talon" in each for each in said) == 2
    assert "You lead queen of diamonds." in said
    assert said[-1] == "The match is over."
    assert any(each.startswith("Paid: you +") for each in said)


@pytest.mark.parametrize(
    ("name", "seat", "sentence"),
    [
        ("blind", 2, "You declare a blind game."),
        ("talon_given", 0, "gives the talon."),
        ("surrender", 1, "surrenders."),
        ("refused_offer", 0, "offers to give up: refused."),
        ("all_pass", 0, "All pass: everybody plays alone, and few tricks are good."),
        ("four_at_the_table", 0, "You sit out."),
        ("timeout", 1, "Seat 0's fault: timeout"),
    ],
)
def test_what_happens_is_told_to_every_seat(name: str, seat: int, sentence: str) -> None:
    said = [each for of in range(3) for each in told(name, of)[1]]
    assert any(sentence in each for each in said)
    assert told(name, seat)[0].over


def test_words_that_are_no_answer_are_asked_again_and_nothing_is_sent() -> None:
    lines = Lines()
    for what in transcript("ordinary_win", 0)[:3]:
        if isinstance(what, ToBot):
            list(lines.hear(encode(what)))
    assert isinstance(lines.asked, AskPlay)
    said, act = lines.enter("no such card")
    assert act is None
    assert "That is not an answer" in said[0]
    standing, act = lines.enter("?")
    assert act is None
    assert any(each.startswith("Your hand: ") for each in standing)
    assert lines.enter("h") == ([], "hint")
    assert lines.hinted(PlayReply(id=0, card="TD")) == "Hint: ten of diamonds."


def test_leaving_is_asked_about() -> None:
    lines = Lines()
    for what in transcript("ordinary_win", 0)[:3]:
        if isinstance(what, ToBot):
            list(lines.hear(encode(what)))
    assert lines.enter("q")[1] is None
    assert lines.enter("no")[1] is None
    assert lines.enter("leave")[1] is None
    assert lines.enter("yes")[1] == "leave"


def test_a_refused_answer_is_asked_for_again() -> None:
    lines = Lines()
    for what in transcript("corrected", 0):
        if isinstance(what, ToBot):
            said = list(lines.hear(encode(what)))
        if isinstance(what, Refused):
            assert "Refused: illegal" in said[0]
            assert isinstance(lines.asked, AskPlay)
            return
    raise AssertionError("nothing was refused")
