"""What a bot says to its author at a decision: marks on the cards of the felt, and its stderr."""

from pathlib import Path

import pytest

from tests.support.bots import good, write_bot, write_league
from tests.support.browser import Browser
from tests.support.command import document, output

NOTE = '{"cards": {"QC": 0.7123, "9H": "<b>ace", "1D": 5, "KS": [1]}}'
SAYS = f"answer['note'] = '{NOTE}'; print('<i>I think', m['type'], file=sys.stderr)"
MARKS = """Object.fromEntries([...document.querySelectorAll(".felt .card .mark")].map(
    (mark) => [mark.parentElement.dataset.card, mark.textContent]))"""


@pytest.mark.parametrize("private", [True, False])
def test_a_note_marks_cards_and_stderr_stands_beside_its_decision_for_who_may_read_it(
    tmp_path: Path, page: Browser, private: bool
) -> None:
    league, file = write_league(tmp_path, deals=1), tmp_path / "match.html"
    (tmp_path / "a" / "bot").unlink()
    source = good(before=SAYS).replace("def said(answer)", "import json\ndef _(answer)")
    write_bot(tmp_path / "a", source.replace("print(said(answer)", "print(json.dumps(answer)"), "a")
    output("league", league)
    match = document("replay", league, "1", "--private")
    seat = match["bots"].index("a")
    moments = match["deals"][0]["moments"]
    ply = next(
        n for n, each in enumerate(moments, 1) if (each["seat"], each["ask"]) == (seat, "play")
    )
    assert moments[ply - 1]["stderr"] == "<i>I think play\n"
    output("replay", league, "1", "--html", file, *(["--private"] if private else []))
    page.open(file, f"#deal=1&ply={ply}")
    marks = {"QC": "0.71", "9H": "<b>ace"}
    in_hands = {
        card
        for card in marks
        if page.value(f"!!document.querySelector('.felt .card[data-card=\"{card}\"]')")
    }
    assert page.value(MARKS) == ({card: marks[card] for card in in_hands} if private else {})
    assert in_hands
    assert ("<i>I think play" in str(page.shown()["text"])) is private
    page.open(file, f"#deal=1&ply={ply}&seat={(seat + 1) % 3}")
    assert page.value(MARKS) == {}, "another seat does not see them"
    assert page.problems == []
