"""A person plays in a browser: keys and taps in, legal answers out, whatever happens in between."""

import json
import random
from collections.abc import Callable
from typing import Final
from unittest.mock import Mock

import pytest

from arena.base.refusals import Conflict, Refusal
from arena.people.seat import PersonSeat
from tests.support.at_a_page import PAGE, SETTLED, SMALLEST, Person
from tests.support.browser import Browser, axe
from tests.support.seat_client import Client
from tests.support.seated import Sitting, others, plan

MOVING: Final = "document.body.innerText.includes('Tap or press Space to continue')"

SLOWER: Final = """(() => {
    const timer = setTimeout;
    setTimeout = (act, ms, ...more) => timer(act, ms > 500 ? 1000 * ms : ms, ...more);
})()"""
"""Has the others rest until somebody hastens them."""


def text(browser: Browser, where: str) -> str:
    found = browser.value(f"document.querySelector({json.dumps(where)})?.textContent ?? ''")
    return str(found)


def test_a_deal_is_played_by_keys_and_a_reload_changes_nothing(page: Browser) -> None:
    with Sitting(plan("pagat", 1), others(3)) as sitting:
        person = Person(page, 1)
        person.sits(sitting.address)
        seen = person.looks()
        for turn in range(30):
            if turn in (1, 4):
                before = page.value(PAGE)
                page.reload()
                person.looks_again(seen, before)
            if turn == 2:
                assert axe(page) == []
            if seen.over:
                break
            person.does(seen)
            seen = person.looks(seen)
        assert "The match is over" in text(page, ".over")
        assert len(sitting.replies) >= 8


@pytest.mark.slow
def test_a_card_that_may_not_be_played_says_why(page: Browser) -> None:
    with Sitting(plan("pagat", 2), others(3)) as sitting:
        person = Person(page, 1)
        person.sits(sitting.address)
        seen = person.looks()
        while len(seen.legal) == len(seen.hand) or not seen.legal:
            person.does(seen)
            seen = person.looks(seen)
        given = len(sitting.replies)
        card = next(card for card in seen.hand if card not in seen.legal)
        page.value(SETTLED)
        person.taps_on(f".pickable:nth-of-type({seen.hand.index(card) + 1})")
        page.until("document.querySelector('.why').innerText.includes('and you have one')")
        assert len(sitting.replies) == given
        assert person.looks() == seen


@pytest.mark.slow
def test_a_tap_or_key_that_hastens_the_others_chooses_nothing(page: Browser) -> None:
    with Sitting(plan("pagat", 1), others(3)) as sitting:
        person = Person(page, 1, bids=0)
        person.sits(sitting.address)
        page.value('localStorage.setItem("zole:pace", "calmly")')
        script = page.call("Page.addScriptToEvaluateOnNewDocument", source=SLOWER)
        page.reload()
        page.call("Page.removeScriptToEvaluateOnNewDocument", **script)
        hastens: list[Callable[[], None]] = [
            lambda: page.press(" "),
            lambda: person.taps_on(".own .pickable"),
        ]
        used = 0
        seen = person.looks()
        while used < len(hastens) and not seen.over:
            given = len(sitting.replies)
            person.does(seen)
            while (new := person.glances(seen)) is None:
                if page.value(MOVING):
                    hastens[used % len(hastens)]()
                    used += 1
            seen = new
            assert len(sitting.replies) == given + 1
        assert used >= len(hastens)


UNDER: Final = """(({ x, y }) => {
    const it = document.elementFromPoint(x, y);
    return {
        card: it?.closest(".pickable")?.querySelector("[data-card]").dataset.card ?? null,
        button: it?.closest("button")?.textContent ?? null,
    };
})"""
"""The card, and the words of the button, at a place in the window."""


SENT: Final = """(() => {
    const ask = fetch;
    window.sent = [];
    window.fetch = (...what) => {
        const answer = ask(...what);
        sent.push(answer.catch(() => null));
        return answer;
    };
})()"""
"""Keeps what the page has asked and sent, so that one can wait until all of it was taken."""


@pytest.mark.slow  # hundreds of presses
@pytest.mark.parametrize("seed", [1, 2])
def test_whoever_presses_at_random_plays_no_card_without_pointing_at_it(
    page: Browser, seed: int
) -> None:
    dice = random.Random(seed)
    with Sitting(plan("pagat", 30), others(3)) as sitting:
        Person(page, seed).sits(sitting.address)
        page.value(SENT)
        replies, played, conceding = sitting.replies, 0, False
        pointed: set[str | None] = set()
        for _ in range(500):
            page.value(f"new Promise((done) => setTimeout(done, {dice.choice((1, 20, 320))}))")
            given, under = len(replies), {"card": None, "button": None}
            what = dice.choice(("Enter", " ", "tap", "tap"))
            if what == "tap":
                x, y = dice.randrange(1200), dice.randrange(300, 760)  # below what opens dialogs
                under = page.value(f"{UNDER}({{ x: {x}, y: {y} }})")
                page.click(x, y)
            else:
                page.press(what)
            page.value("Promise.all(sent.splice(0)).then(() => 0)")  # an answer has arrived
            conceding |= under["button"] == "Concede"
            pointed.add(under["card"])
            for reply in replies[given:]:
                if "surrender" in reply:  # the page says "no" by itself
                    assert conceding or not reply["surrender"], (what, reply)
                    continue
                if "cards" in reply:  # two that were chosen; Enter may lay them aside
                    assert pointed.issuperset(reply["cards"]), (what, reply)
                    continue
                card = reply.get("card")
                assert card == under["card"], (what, reply)
                assert card or under["button"], (what, reply)
                played += card is not None
        assert played >= 1


@pytest.mark.slow
def test_conceding_is_a_quiet_button_and_never_a_question(page: Browser) -> None:
    for concedes in (False, True):
        with Sitting(plan("pagat", 8), others(3)) as sitting:
            person = Person(page, 1, bids=1.0)
            person.sits(sitting.address)
            seen = person.looks()
            replies = sitting.replies
            while not any("surrender" in reply for reply in replies):
                person.does(seen)
                seen = person.looks(seen)
            assert seen.asked == "play"
            assert text(page, "[data-key=g]") == "Concede"
            if concedes:
                page.value(SETTLED)
                page.press("g")
            begun = len(replies)
            while not any("surrender" in reply for reply in replies[begun:]):
                person.does(seen)
                seen = person.looks(seen)
            [asked] = [each for each in replies[begun:] if "surrender" in each][:1]
            assert asked["surrender"] is concedes
            assert "surrender" not in person.asked
            assert seen.ended is concedes


@pytest.mark.slow
def test_an_answer_that_was_lost_is_sent_again(page: Browser) -> None:
    with Sitting(plan("pagat", 1), others(3)) as sitting:
        person = Person(page, 1)
        person.sits(sitting.address)
        seen = person.looks()
        page.offline(True)
        person.does(seen)
        page.until("document.body.innerText.includes('The answer has not arrived yet')")
        assert sitting.replies == []
        page.offline(False)
        page.until("document.querySelector('[role=alert]') === null")
        person.looks(seen)
        assert len(sitting.replies) == 1


@pytest.mark.slow
def test_nothing_moves_for_who_asks_for_less_motion(page: Browser) -> None:
    with Sitting(plan("pagat", 1), others(3)) as sitting:
        person = Person(page, 1)
        person.sits(sitting.address)
        seen = person.looks()
        while not page.value("document.querySelector('.laid') !== null"):
            person.does(seen)
            seen = person.looks(seen)
        moving = "getComputedStyle(document.querySelector('.laid')).animationName"
        assert page.value(moving) == "lay"
        page.window(1280, 860, still=True)
        assert page.value(moving) == "none"


@pytest.mark.slow
def test_another_tab_follows_and_may_take_over(page: Browser) -> None:
    with Sitting(plan("pagat", 1), others(3)) as sitting:
        person = Person(page, 1)
        person.sits(sitting.address)
        seen = person.looks()
        with Client(sitting.address).events():
            page.until("document.body.innerText.includes('Another tab or window plays this seat')")
            assert page.value("document.querySelectorAll('.legal, .options button').length") == 0
            assert axe(page) == []
            page.value(
                "[...document.querySelectorAll('button')]"
                ".find((it) => it.textContent === 'Play here').click()"
            )
            assert person.looks() == seen
            person.does(seen)
            person.looks(seen)


@pytest.mark.slow
def test_a_cut_connection_resumes_where_it_was(page: Browser) -> None:
    with Sitting(plan("pagat", 1), others(3)) as sitting:
        person = Person(page, 1)
        person.sits(sitting.address)
        for _ in range(3):
            seen = person.looks()
            before = page.value(PAGE)
            sitting.hang_up()
            page.until("document.body.innerText.includes('The connection is lost')")
            page.until("!document.body.innerText.includes('The connection is lost')")
            assert page.value(PAGE) == before
            person.does(seen)
            person.looks(seen)


@pytest.mark.slow
def test_what_the_server_does_not_take_is_said_in_words(
    page: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Sitting(plan("pagat", 1), others(3)) as sitting:
        person = Person(page, 1)
        person.sits(sitting.address)
        seen = person.looks()
        for refusal, words in (
            (Refusal("no such word", "try another"), "No such word: try another."),
            (Conflict("this is not asked any more"), "That question was answered already"),
        ):
            monkeypatch.setattr(PersonSeat, "answer", Mock(side_effect=refusal))
            person.does(seen)
            page.until(f"document.querySelector('[role=alert]')?.innerText.includes('{words}')")
            assert sitting.replies == []


@pytest.mark.slow
def test_a_refused_answer_is_asked_again_with_the_reason(page: Browser) -> None:
    with Sitting(plan("piedalies", 1), others(3)) as sitting:
        person = Person(page, 1)
        person.sits(sitting.address)
        seen = person.looks()
        while seen.asked != "play":
            person.does(seen)
            seen = person.looks(seen)
        page.value(
            "fetch('answer', { method: 'POST',"
            " headers: { 'Content-Type': 'application/json' }, body: JSON.stringify("
            f"{{ type: 'play', id: {seen.id}, card: '7C' }}) }}).then(() => 0)"
        )
        page.until("document.body.innerText.includes('The answer was refused')")
        assert person.looks().legal == seen.legal
        person.does(seen)
        person.looks(seen)


@pytest.mark.slow
def test_a_hint_marks_the_answer_and_leaving_is_confirmed(page: Browser) -> None:
    with Sitting(plan("pagat", 1), others(3)) as sitting:
        person = Person(page, 1)
        person.sits(sitting.address)
        person.looks()
        page.value(SETTLED)
        page.press("h")
        page.until("document.querySelector('.hinted')")
        assert "Hint" in text(page, ".asking")
        leave = "[...document.querySelectorAll('.tools button')].at(-1).click()"
        page.value(leave)
        assert "You cannot come back" in text(page, "dialog")
        page.press("Escape")
        page.until("!document.querySelector('dialog')")
        assert not sitting.left
        page.value(leave)
        page.until("document.querySelector('dialog')")
        assert axe(page) == []
        page.value("document.querySelector('[data-key=leave]').click()")
        page.until("document.body.innerText.includes('You have left')")
        assert sitting.left


VERDICT: Final = {"seat": 0, "kind": "play", "trick": 3, "step": 9, "answers": [], "given": "QC"}
BETTER: Final = {"best": "9D", "loss": 1.25, "error": 0.1, "open_loss": 2, "worlds": 60}


@pytest.mark.slow
def test_a_deals_end_shows_all_cards_what_it_paid_and_what_was_better(page: Browser) -> None:
    reviews = {0: [VERDICT | BETTER | {"exact": False}]}
    with Sitting(plan("pagat", 2), others(3), reviews=reviews) as sitting:
        person = Person(page, 1)
        person.sits(sitting.address)
        seen = person.looks()
        while not seen.ended:
            person.does(seen)
            seen = person.looks(seen)
        shown = (
            "new Set([...document.querySelectorAll('.shown .card')].map((it) => it.dataset.card))"
        )
        assert page.value(f"{shown}.size") == 26
        page.until("document.querySelector('.better li')")
        assert "Trick 3: 9 instead of Q, worth 1.3 stakes more" in text(page, ".better li")
        assert axe(page) == []
        before = page.value(PAGE)
        page.reload()
        person.looks()
        page.until("document.querySelector('.better li')")
        assert page.value(PAGE) == before


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_what_is_pressed_is_large_enough_and_nothing_is_wider_than_the_window(
    page: Browser, width: int
) -> None:
    page.window(width, 844)
    with Sitting(plan("pagat", 2, players=4), others(3)) as sitting:
        person = Person(page, 1)
        person.sits(sitting.address)
        seen = person.looks()
        while not seen.over:
            assert page.value(SMALLEST) >= 44
            assert page.value("document.documentElement.scrollWidth") <= width
            person.does(seen)
            seen = person.looks(seen)


EVERY: Final = {
    "pagat": plan("pagat", 12),
    "piedalies": plan("piedalies", 6),
    "lzsf": plan("lzsf", 12),
    "lzsf of five": plan("lzsf", 6, players=5),
    "four": plan("pagat", 6, players=4),
    "ranked": plan("pagat", 6, auction={"mode": "ranked"}),
    "gamerules": plan("gamerules", 3),
    "zole_net": plan("zole_net", 4),
    "pools": plan("piedalies", 4, all_pass="pool", pools={"enabled": True}),
}
ASKED: Final = {
    "pagat": {"bid", "discard", "offer", "play"},
    "lzsf": {"blind", "bid", "talon", "play"},
}


@pytest.mark.slow
@pytest.mark.parametrize("taps", [False, True], ids=["keys", "taps"])
@pytest.mark.parametrize("name", EVERY)
def test_every_preset_is_played_to_its_end(page: Browser, name: str, taps: bool) -> None:
    if taps:
        page.window(390, 844, "dark")
    with Sitting(EVERY[name], others(8)) as sitting:
        person = Person(page, 2, taps)
        person.sits(sitting.address)
        person.plays()
        assert person.deals + 1 == len(EVERY[name].deals)
        assert ASKED.get(name, set()) <= person.asked
        assert page.value("document.documentElement.scrollWidth") <= (390 if taps else 1280)
