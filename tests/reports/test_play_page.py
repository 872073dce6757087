"""A person plays in a browser: keys and taps in, legal answers out, whatever happens in between."""

import random
from typing import Final
from unittest.mock import Mock

import pytest

from arena.base.refusals import Conflict, Refusal
from arena.people.seat import PersonSeat
from arena.reports.tables import MINUS
from tests.reports.test_viewer import text, texts
from tests.support.at_a_page import PAGE, SETTLED, SMALLEST, at_table
from tests.support.browser import Browser, axe
from tests.support.patience import until
from tests.support.seat_client import Client
from tests.support.seated import Sitting, plan

MOVING: Final = "document.body.innerText.includes('on at once')"

# Has the others rest until somebody hastens them.
SLOWER: Final = """(() => {
    const timer = setTimeout;
    setTimeout = (act, ms, ...more) => timer(act, ms > 500 ? 1000 * ms : ms, ...more);
})()"""


def test_a_deal_is_played_by_keys_and_a_reload_changes_nothing(page: Browser) -> None:
    with at_table(page, plan("pagat", 1)) as (sitting, person):
        seen = person.looks()
        for turn in range(5):
            if turn in (1, 4):
                person.reloads(seen)
            seen = person.moves(seen)
        assert axe(page) == []
        person.plays()
        assert "The match is over" in text(page, ".over")
        assert len(sitting.replies) >= 8


@pytest.mark.slow
def test_a_card_that_may_not_be_played_says_why(page: Browser) -> None:
    with at_table(page, plan("pagat", 2)) as (sitting, person):
        seen = person.plays(until=lambda seen: 0 < len(seen.legal) < len(seen.hand))
        given = len(sitting.replies)
        place = next(n for n, card in enumerate(seen.hand, 1) if card not in seen.legal)
        page.value(SETTLED)
        person.taps_on(f".pickable:nth-of-type({place})")
        page.until("document.querySelector('.why').innerText.includes('and you can follow')")
        assert len(sitting.replies) == given
        assert person.looks() == seen


def test_a_tab_that_comes_late_shows_the_present(page: Browser) -> None:
    """It has not seen the deals before, and is not led through them."""
    with at_table(page, plan("pagat", 3), 2) as (_, person):
        seen = person.plays(until=lambda seen: seen.deal == 2 and bool(seen.legal))
        page.value("sessionStorage.clear()")
        page.reload()
        assert person.looks() == seen


def wait_for(sitting: Sitting, replies: int) -> None:
    until(lambda: len(sitting.replies) >= replies)


def test_an_offer_to_concede_that_is_refused_gives_the_turn_back(page: Browser) -> None:
    offers = "document.querySelector('[data-key=o]') !== null"
    refused = "document.querySelector('.prompt')?.innerText.includes('plays on')"
    with at_table(page, plan("pagat", 30), 2, bids=0) as (sitting, person):
        while True:
            seen = person.plays(until=lambda seen: bool(seen.legal) and bool(page.value(offers)))
            page.value(SETTLED)
            given = len(sitting.replies)
            page.press("o", "o")
            wait_for(sitting, given + 1)
            assert sitting.replies[given]["offer"] is True
            page.until(f"{refused} || document.querySelector('.ended') !== null")
            if page.value(refused):
                break
            person.does(person.looks())
        again = person.looks()
        assert (again.asked, again.id, again.legal) == ("play", seen.id, seen.legal)
        person.does(again)
        wait_for(sitting, given + 2)
        assert sitting.replies[given + 1]["card"] in seen.legal


# Deals the hand anew, and tells which of its cards take a press at that moment.
DEALT: Final = """(() => {
    const own = document.querySelector(".own");
    own.replaceWith(own);
    return [...own.children].map((it) => getComputedStyle(it).pointerEvents);
})()"""


def test_a_card_that_is_still_to_come_takes_no_tap(page: Browser) -> None:
    """It waits unseen above the hand, over what may be pressed there."""
    with at_table(page, plan("pagat", 1)) as (_, person):
        assert person.looks().asked == "bid"
        assert page.value(DEALT) == ["none"] * 8


# The middle of a card that may be chosen, and whether every card lies in its place.
MIDDLE: Final = """(() => {
    const { x, y, width, height } = document.querySelector(".legal").getBoundingClientRect();
    return [x + width / 4, y + height / 2];
})()"""
IN_PLACE: Final = """[...document.querySelectorAll(".pickable")]
    .every((it) => it.style.transform === "" && it.style.zIndex === "")"""


@pytest.mark.parametrize("touch", [False, True], ids=["mouse", "touch"])
def test_a_card_dragged_onto_the_table_is_played_and_one_let_go_elsewhere_is_not(
    page: Browser, touch: bool
) -> None:
    with at_table(page, plan("pagat", 2)) as (sitting, person):
        seen = person.plays(until=lambda seen: len(seen.legal) > 1)
        page.touch(touch)
        page.value(SETTLED)
        given = len(sitting.replies)
        for across, down in ((120, -20), (0, 60), (3, 3 - 30)):
            x, y = page.value(MIDDLE)
            page.drag(x, y, across, down, touch)
            page.until(IN_PLACE)
        assert (person.looks(), len(sitting.replies)) == (seen, given)
        x, y = page.value(MIDDLE)
        page.drag(x, y, 60, -200, touch)
        person.looks(seen)
        assert sitting.replies[given]["card"] in seen.legal
        page.touch(False)


@pytest.mark.slow
def test_a_tap_or_key_that_hastens_the_others_chooses_nothing(page: Browser) -> None:
    with at_table(page, plan("pagat", 1), bids=0) as (sitting, person):
        page.value('localStorage.setItem("zole:pace", "calmly")')
        script = page.call("Page.addScriptToEvaluateOnNewDocument", source=SLOWER)
        page.reload()
        page.call("Page.removeScriptToEvaluateOnNewDocument", **script)
        used, seen = 0, person.looks()
        while used < 2 and not seen.over:
            given = len(sitting.replies)
            person.does(seen)
            while (new := person.glances(seen)) is None:
                if page.value(MOVING):
                    if used % 2:
                        person.taps_on(".own .pickable")
                    else:
                        page.press(" ")
                    used += 1
                    page.until(f"!{MOVING}")  # what is pressed after that is meant
            seen = new
            assert len(sitting.replies) == given + 1
        assert used >= 2


# The card, and the words of the button, at a place in the window.
UNDER: Final = """(({ x, y }) => {
    const it = document.elementFromPoint(x, y);
    return {
        card: it?.closest(".pickable")?.querySelector("[data-card]").dataset.card ?? null,
        button: it?.closest("button")?.textContent ?? null,
    };
})"""


# Keeps what the page has asked and sent, so that one can wait until all of it was taken.
SENT: Final = """(() => {
    const ask = fetch;
    window.sent = [];
    window.fetch = (...what) => {
        const answer = ask(...what);
        sent.push(answer.catch(() => null));
        return answer;
    };
})()"""


@pytest.mark.slow  # hundreds of presses
@pytest.mark.parametrize("seed", [1, 2])
def test_whoever_presses_at_random_plays_no_card_without_pointing_at_it(
    page: Browser, seed: int
) -> None:
    dice = random.Random(seed)
    with at_table(page, plan("pagat", 30), seed) as (sitting, _):
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
                if reply["id"] in sitting.forced:
                    continue
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
@pytest.mark.parametrize("concedes", [False, True])
def test_conceding_is_a_quiet_button_and_never_a_question(page: Browser, concedes: bool) -> None:
    with at_table(page, plan("pagat", 8), bids=1.0) as (sitting, person):

        def conceded(since: int = 0) -> list[bool]:
            return [it["surrender"] for it in sitting.replies[since:] if "surrender" in it]

        assert person.plays(until=lambda _: conceded()).asked == "play"
        assert text(page, "[data-key=g]") == "Concede"
        page.value(SETTLED)
        page.press("g")
        page.until("/^Really. .[0-9]+$/.test(document.querySelector('[data-key=g]').textContent)")
        price = text(page, "[data-key=g]").removeprefix("Really? ")
        page.press("g")
        page.until("document.querySelector('[data-key=g]').textContent === 'Do not concede'")
        assert "You concede after this trick." in text(page, ".asking")
        if not concedes:
            page.press("g")
        begun = len(sitting.replies)
        seen = person.plays(until=lambda _: conceded(begun))
        assert conceded(begun)[0] is concedes
        assert "surrender" not in person.asked
        assert seen.ended is concedes
        assert not concedes or text(page, ".mine .paid") == price


def test_the_rest_of_a_deal_that_is_decided_can_be_played_by_advice(page: Browser) -> None:
    with at_table(page, plan("pagat", 9), bids=1.0) as (sitting, person):
        offered = "document.querySelector('[data-key=r]') !== null"
        seen = person.plays(until=lambda seen: bool(seen.legal) and bool(page.value(offered)))
        page.value(SETTLED)
        given = len(sitting.replies)
        page.press("r")
        page.until("document.querySelector('.ended') !== null")
        assert sorted(it["card"] for it in sitting.replies[given:]) == sorted(seen.hand)
        given = len(sitting.replies)
        person.does(person.looks())
        assert person.plays(until=lambda later: later.asked == "play").deal > seen.deal
        assert all("card" not in it for it in sitting.replies[given:])


@pytest.mark.slow
def test_an_answer_that_was_lost_is_sent_again(page: Browser) -> None:
    with at_table(page, plan("pagat", 1)) as (sitting, person):
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
    with at_table(page, plan("pagat", 1)) as (_, person):
        person.plays(until=lambda _: page.value("document.querySelector('.laid') !== null"))
        moving = "getComputedStyle(document.querySelector('.laid')).animationName"
        assert page.value(moving) == "lay"
        page.window(1280, 860, still=True)
        assert page.value(moving) == "none"


@pytest.mark.slow
def test_another_tab_follows_and_may_take_over(page: Browser) -> None:
    with at_table(page, plan("pagat", 1)) as (sitting, person):
        seen = person.looks()
        with Client(sitting.address).events():
            page.until("document.body.innerText.includes('You play this seat in another tab')")
            assert texts(page, ".legal, .options button") == []
            assert axe(page) == []
            page.value(
                "[...document.querySelectorAll('button')]"
                ".find((it) => it.textContent === 'Play here').click()"
            )
            assert person.looks() == seen
            person.moves(seen)


@pytest.mark.slow
def test_a_cut_connection_resumes_where_it_was(page: Browser) -> None:
    with at_table(page, plan("pagat", 1)) as (sitting, person):
        seen = person.looks()
        for _ in range(3):
            before = page.value(PAGE)
            sitting.hang_up()
            page.until("document.body.innerText.includes('Connection lost')")
            page.until("!document.body.innerText.includes('Connection lost')")
            assert page.value(PAGE) == before
            seen = person.moves(seen)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("refusal", "words"),
    [
        (Refusal("no such word", "try another"), "No such word: try another."),
        (Conflict("this is not asked any more"), "That question was already answered"),
    ],
)
def test_what_the_server_does_not_take_is_said_in_words(
    page: Browser, monkeypatch: pytest.MonkeyPatch, refusal: Refusal, words: str
) -> None:
    with at_table(page, plan("pagat", 1)) as (sitting, person):
        monkeypatch.setattr(PersonSeat, "answer", Mock(side_effect=refusal))
        person.does(person.looks())
        page.until(f"document.querySelector('[role=alert]')?.innerText.includes('{words}')")
        assert sitting.replies == []


@pytest.mark.slow
def test_a_refused_answer_is_asked_again_with_the_reason(page: Browser) -> None:
    with at_table(page, plan("piedalies", 1)) as (_, person):
        seen = person.plays(until=lambda seen: seen.asked == "play")
        page.value(
            "fetch('answer', { method: 'POST',"
            " headers: { 'Content-Type': 'application/json' }, body: JSON.stringify("
            f"{{ type: 'play', id: {seen.id}, card: '7C' }}) }}).then(() => 0)"
        )
        page.until("document.body.innerText.includes('The answer was refused')")
        assert person.looks().legal == seen.legal
        person.moves(seen)


@pytest.mark.slow
def test_a_hint_marks_the_answer_and_leaving_is_confirmed(page: Browser) -> None:
    with at_table(page, plan("pagat", 1)) as (sitting, person):
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
        assert page.value("document.querySelector('[role=alert]')") is None
        assert sitting.left


ASKED_OF: Final = {"seat": 0, "kind": "play", "trick": 3, "step": 9, "best": "9D"}
NO_MISTAKE: Final = "No clear mistake. You chose right where most was at stake"
VALUES: Final = {"answers": [["9D", 1.0, 1], ["QC", -0.25, -1]], "error": 0.1, "open_loss": 2}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("given", "loss", "button", "told"),
    [
        ("QC", 1.25, "Review1", "Trick 39 was better than Q."),
        ("9D", 0.0, "Review", f"{NO_MISTAKE}: Trick 3.9 was right."),
    ],
)
def test_a_deals_end_shows_all_cards_what_it_paid_and_what_most_depended_on(
    page: Browser, given: str, loss: float, button: str, told: str
) -> None:
    judged = {"given": given, "loss": loss, "worlds": 60, "exact": False}
    with at_table(page, plan("pagat", 2), reviews={0: [ASKED_OF | VALUES | judged]}) as table:
        _, person = table
        person.plays(until=lambda seen: seen.ended)
        shown = "[...document.querySelectorAll('.felt [data-card]')].map((it) => it.dataset.card)"
        assert len(set(page.value(shown))) == 26
        review = "[...document.querySelectorAll('.parts button')].at(2)"
        page.until(f"{review}?.textContent === '{button}' && !document.querySelector('.looking')")
        page.value(SETTLED)
        page.value(f"{review}.click()")
        page.until("document.querySelector('.better')")
        assert text(page, ".better").startswith(f"{told} Your partner takes the trick")
        assert axe(page) == []


@pytest.mark.slow
def test_a_review_names_what_a_hint_found_better_by_too_little_for_a_mistake(page: Browser) -> None:
    judged = ASKED_OF | VALUES | {"answers": [["9D", 1.0, 1], ["QC", 0.75, 1]]}
    judged |= {"given": "QC", "loss": 0.25, "open_loss": 0, "worlds": 60, "exact": False}
    with at_table(page, plan("pagat", 2), reviews={0: [judged]}) as (_, person):
        person.plays(until=lambda seen: seen.ended)
        page.value(SETTLED)
        page.value("[...document.querySelectorAll('.parts button')].at(2).click()")
        page.until("document.querySelector('.of-review')?.innerText.includes('too close')")
        assert "Better, but too close to call a mistake:Trick 3" in text(page, ".of-review")
        page.value("document.querySelector('.of-review [aria-pressed=false]').click()")
        page.until("document.querySelector('.of-review .bars')")
        assert "9 was better than Q." in text(page, ".of-review")
        assert axe(page) == []


@pytest.mark.slow
def test_a_deal_that_was_lost_without_a_mistake_is_shown_with_open_hands(page: Browser) -> None:
    judged = ASKED_OF | VALUES | {"answers": [["9D", 1.0, 1], ["QC", -0.25, 3]]}
    judged |= {"given": "9D", "loss": 0.0, "worlds": 60, "exact": False}
    lost = "document.querySelector('.ended .lost') !== null"
    reviews = {deal: [judged] for deal in range(3)}
    with at_table(page, plan("pagat", 3), bids=1.0, reviews=reviews) as (_, person):
        person.plays(until=lambda seen: seen.ended and bool(page.value(lost)))
        page.value(SETTLED)
        page.value("[...document.querySelectorAll('.parts button')].at(2).click()")
        page.until("document.querySelector('.better')")
        told = text(page, ".better")
        assert "Trick 3: if everyone had seen all cards, Q would have been better." in told
        assert told.endswith(
            f"Difference from the best, with all cards seen:Q0.0★ best9{MINUS}2.0● You"
        )
        shown = "[...document.querySelectorAll('.seated [data-card]')].length"
        assert page.value(shown) > 0, "the others' hands are open"
        assert axe(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("width", [390, 1280])
def test_what_is_pressed_is_large_enough_and_nothing_is_wider_than_the_window(
    page: Browser, width: int
) -> None:
    page.window(width, 844)
    with at_table(page, plan("pagat", 2, players=4)) as (_, person):
        seen = person.looks()
        while not seen.over:
            assert page.value(SMALLEST) >= 44
            assert page.value("document.documentElement.scrollWidth") <= width
            seen = person.moves(seen)


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
    with at_table(page, EVERY[name], 2, taps=taps, dice=9) as (_, person):
        person.plays()
        assert person.deals == len(EVERY[name].deals)
        assert ASKED.get(name, set()) <= person.asked
        assert page.value("document.documentElement.scrollWidth") <= (390 if taps else 1280)
