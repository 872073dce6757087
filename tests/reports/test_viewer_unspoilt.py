"""What the replay page tells at each step, and that it keeps what is to come until it is asked.

Above 300 lines: what is told and what is not are claims on the same steps, with the same helpers.
"""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.match.replay import Moment, SeenDeal, SeenMatch
from arena.zole.rules import preset
from arena.zole.scoring import Pools
from tests.reports.test_viewer import (
    FIVE,
    POOLS,
    STATE,
    expected,
    go,
    moments_with,
    opened,
    seen,
    show,
    text,
    view,
)
from tests.support.browser import Browser, axe
from tests.support.scripted import plan_of

SMALL = plan_of(preset("zole_net", {"auction": {"contracts": ["ordinary", "small_solo"]}}), 12)

ROWS = "[...document.querySelectorAll('.deals .ply')].map((it) => Number(it.textContent) - 1)"
"""The deals that are listed, by their indices."""


def with_other_future(match: SeenMatch, number: int, ply: int) -> SeenMatch:
    """The same up to a moment, and the next question; then other moments, deals and results."""
    other = seen(plan_of(match.rules, len(match.deals)), seed=2, faults=0.1)
    deal, instead = match.deals[number], other.deals[number]
    moments = (*deal.moments[: ply + 1], *instead.moments[ply + 1 :])
    now = msgspec.structs.replace(deal, moments=moments, result=instead.result)
    deals = (*match.deals[:number], now, *other.deals[number + 1 :])
    return msgspec.structs.replace(match, deals=deals)


def choose(browser: Browser, label: str, value: str) -> None:
    """Choose in one of the filters of the list of deals."""
    browser.value(
        "(() => { const it = [...document.querySelectorAll('.filter label')]"
        f".find((each) => each.textContent.startsWith('{label}')).querySelector('select');"
        f" it.value = '{value}'; it.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()"
    )
    browser.value("new Promise(requestAnimationFrame)")


# --- what is to come ---


@pytest.mark.parametrize(("number", "ply"), [(0, 0), (2, 9)])
def test_nothing_is_shown_of_what_is_still_to_come(
    browser: Browser, tmp_path: Path, number: int, ply: int
) -> None:
    match = seen(plan_of(deals=5), faults=0)
    shown: list[Any] = []
    for each in (match, with_other_future(match, number, ply)):
        opened(browser, tmp_path, each, number, ply)
        shown.append(browser.value(STATE))
        assert "Show result" in text(browser, ".result")
        assert browser.value(ROWS) == list(range(number))
    assert shown[0] == shown[1]


def test_a_result_is_shown_when_asked_for_and_hidden_again(
    browser: Browser, tmp_path: Path
) -> None:
    match = seen(plan_of(deals=5), faults=0)
    opened(browser, tmp_path, match, 2, 9)
    hidden = browser.value(STATE)
    browser.value("document.querySelector('.result button').click()")
    assert " declared " in text(browser, ".result")
    assert browser.value(ROWS) == [0, 1, 2]
    moves = browser.value("document.querySelectorAll('.moves li').length")
    assert moves == len(match.deals[2].moments) + 1
    browser.press("r")
    again = browser.value(STATE)
    assert again["moves"] == hidden["moves"]
    assert again["charts"] == hidden["charts"]


def test_all_deals_are_shown_when_asked_for(browser: Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, seen(plan_of(deals=5), faults=0))
    assert text(browser, ".deals p") == "Deals are listed once they are over."
    show_all(browser)
    assert browser.value(ROWS) == [0, 1, 2, 3, 4]
    browser.press("r")
    assert browser.value(ROWS) == []


def show_all(browser: Browser) -> None:
    browser.value("document.querySelector('.deals > button').click()")


def test_what_was_stepped_through_stays_shown(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=5), faults=0)
    show(browser, tmp_path, match)
    browser.press("End", "Home")
    assert " declared " in text(browser, ".result")
    assert browser.value(ROWS) == [0]
    assert view(browser) == expected(match, 0, 0)


def test_a_seat_is_shown_no_more_after_a_look_at_everything(
    browser: Browser, tmp_path: Path
) -> None:
    match = seen(plan_of(deals=5), faults=0)
    show(browser, tmp_path, match, "#deal=3&ply=9&seat=1")
    at_once = browser.value(STATE)
    browser.press("a")
    show_all(browser)
    browser.press("1")
    assert browser.value(STATE) == at_once


def test_a_seat_is_led_to_faults_that_it_has_seen_only(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=12), faults=0.02)
    faults = [(number, ply) for number, ply, _ in moments_with(match, "fault")]
    last = faults[2]
    show(browser, tmp_path, match, f"#deal={last[0] + 1}&ply={last[1]}&seat=1")
    browser.press("f")
    assert (view(browser).deal, view(browser).ply) == last
    said = "Seat 1 does not know whether a fault comes: A looks from all seats."
    assert said in text(browser, ".status")
    for number, ply in (faults[1], faults[0]):
        browser.press("Shift+f")
        assert view(browser) == expected(match, number, ply, 1)
    browser.press("Shift+f")
    assert (view(browser).deal, view(browser).ply) == faults[0]
    browser.press("a", "f")
    assert (view(browser).deal, view(browser).ply) == faults[1]


# --- what a step is ---


def test_each_step_is_told_in_a_sentence_that_is_announced(
    browser: Browser, tmp_path: Path
) -> None:
    match = seen(plan_of(deals=30), faults=0)
    places = {
        (moment.ask, (moment.answer or "")[:4]): (number, ply, moment)
        for number, deal in enumerate(match.deals)
        for ply, moment in enumerate(deal.moments, 1)
    }
    told = {
        ("bid", "pass"): "passes.",
        ("bid", "solo"): "bids solo. \u2068",
        ("play", "QC"): "plays the queen of clubs.",
        ("play", "TD"): "plays the ten of diamonds.",
        ("surrender"[:9], "no"): "plays on.",
    }
    opened(browser, tmp_path, match, 1, 0)
    assert "Deal 2. \u2068" in text(browser, "[role=status]")
    for key, words in told.items():
        number, ply, moment = places[key]
        go(browser, f"#deal={number + 1}&ply={ply}")
        due = json.dumps(f"\u2068{match.bots[moment.seat]}\u2069 {words}")
        browser.until(f"document.querySelector('[role=status]').textContent.includes({due})")
        said = text(browser, "[role=status]")
        spoken = browser.value(
            "document.querySelector('.slider input').getAttribute('aria-valuetext')"
        )
        assert spoken == f"{ply}: {said.strip()}"


def test_answers_are_shown_as_they_were_sent_to_who_may_see_them(
    browser: Browser, tmp_path: Path
) -> None:
    match = seen(plan_of(deals=30), faults=0)
    show(browser, tmp_path, match)
    for moment in match.deals[0].moments[:8]:
        browser.press("ArrowRight")
        assert text(browser, ".sent code") == sent(moment)
        browser.press(str((moment.seat + 1) % 3))
        assert text(browser, ".sent") == ""
        browser.press("a")


def sent(moment: Moment) -> str:
    """What a bot put into its answer, as JSON."""
    word = moment.answer or ""
    if moment.ask == "discard":
        return f'"cards": {json.dumps(word.split("."), separators=(",", ":"))}'
    if moment.ask == "play":
        return '"offer": true' if word == "offer" else f'"card": "{word}"'
    if moment.ask == "bid":
        return f'"bid": "{word}"'
    named = "accept" if moment.ask == "offer" else moment.ask
    return f'"{named}": {json.dumps(word == "yes")}'


def test_an_odd_answer_is_quoted_without_the_logs_mark(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=1), faults=0)
    deal = match.deals[0]

    def odd(moment: Moment) -> Moment:
        return msgspec.structs.replace(moment, answer="?ZZ") if moment.ask == "play" else moment

    spoilt = msgspec.structs.replace(deal, moments=tuple(map(odd, deal.moments)))
    match = msgspec.structs.replace(match, deals=(spoilt,))
    ply = next(ply for ply, moment in enumerate(deal.moments, 1) if moment.ask == "play")
    opened(browser, tmp_path, match, 0, ply)
    assert text(browser, ".sent code") == '"card": "ZZ"'
    assert text(browser, "[aria-current] .answer") == "ZZ"


def test_stakes_are_totalled_in_words(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=9), faults=0)
    opened(browser, tmp_path, match, 0, 3)
    assert "stakes" not in text(browser, ".top")
    go(browser, "#deal=9&ply=1")
    results = [deal.result for deal in match.deals[:8]]
    sums = [sum(paid) for paid in zip(*(each.payments for each in results if each), strict=True)]
    told = browser.value("[...document.querySelectorAll('.bots b')].map((it) => it.textContent)")
    assert [int(total.replace("\N{MINUS SIGN}", "-")) for total in told] == sums
    assert text(browser, ".after") == "stakes after 8 deals"


def test_a_page_of_some_deals_does_not_count_the_others(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=9), faults=0)
    some = msgspec.structs.replace(match, deals=match.deals[4:6])
    show(browser, tmp_path, some, "#deal=6")
    assert text(browser, ".deal") == "deal 6 (2 of 2 shown here)"
    assert "stakes in the first 1 deal shown here" in text(browser, ".top")


def test_the_count_says_what_both_sides_need(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=12), faults=0)
    solo = next(number for number, deal in enumerate(match.deals) if contract(deal) == "solo")
    opened(browser, tmp_path, match, solo, len(match.deals[solo].moments) - 1)
    board = match.deals[solo].moments[-2].board
    assert board.declarer is not None
    own = board.points[board.declarer]
    theirs = sum(board.points) - own
    told = text(browser, ".score")
    assert f"{own} of 61" in told
    assert f"defenders {theirs} of 60" in told
    small = seen(SMALL, faults=0)
    number = next(n for n, deal in enumerate(small.deals) if contract(deal) == "small_solo")
    opened(browser, tmp_path, small, number, len(small.deals[number].moments))
    assert text(browser, ".score").startswith("Small solo, ")
    result = small.deals[number].result
    assert result is not None
    assert result.tricks.declarer
    assert f"took {result.tricks.declarer} trick" in text(browser, ".result")
    assert "points" not in text(browser, ".result p")


def test_a_deal_that_is_over_has_one_count(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=12), faults=0)
    number = next(n for n, deal in enumerate(match.deals) if contract(deal) == "solo")
    opened(browser, tmp_path, match, number, len(match.deals[number].moments))
    result = match.deals[number].result
    assert result is not None
    own, theirs = result.points.declarer, result.points.defenders
    told = text(browser, ".score")
    assert f"{own} of 61" in told
    assert f"defenders {theirs} of 60" in told
    assert f"took {own} points" in text(browser, ".result")


def test_a_forfeited_deal_says_who_failed(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=40))
    show(browser, tmp_path, match)
    for number, deal in enumerate(match.deals):
        result = deal.result
        assert result is not None
        if result.fault is None or result.level is None:
            continue
        go(browser, f"#deal={number + 1}&ply={len(deal.moments)}")
        assert result.declarer is not None
        end = "won" if result.payments[result.declarer] > 0 else "lost"
        said = f"counts as {end} because \u2068{match.bots[result.fault.seat]}\u2069 failed"
        assert said in text(browser, ".result")


def test_open_pools_are_told_during_a_deal(browser: Browser, tmp_path: Path) -> None:
    match = seen(POOLS)
    deal = match.deals[1]
    dealt = msgspec.structs.replace(deal.first[0], pools=Pools(1, (0, 2, 2)))
    deal = msgspec.structs.replace(deal, first=(dealt, *deal.first[1:]))
    match = msgspec.structs.replace(match, deals=(match.deals[0], deal))
    opened(browser, tmp_path, match, 1, 3)
    first, _, third = (f"\u2068{bot}\u2069" for bot in match.bots)
    said = f"pools: 1 collective; {first} 1, {third} 2"
    assert said in text(browser, ".score")
    opened(browser, tmp_path, match, 0, 0)
    assert "pools" not in text(browser, ".score")
    assert "with pools" in text(browser, ".rules")


def test_cards_laid_aside_count_for_who_knows_them(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=12), faults=0)
    number = next(n for n, deal in enumerate(match.deals) if contract(deal) == "ordinary")
    ply = next(
        ply for ply, each in enumerate(match.deals[number].moments, 1) if each.ask == "discard"
    )
    board = match.deals[number].moments[ply - 1].board
    value = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
    aside = sum(value.get(card[0], 0) for card in board.discards.split("."))
    opened(browser, tmp_path, match, number, ply)
    assert f" {aside} of 61" in text(browser, ".score")
    assert board.declarer is not None
    browser.press(str((board.declarer + 1) % 3))
    assert " 0+ of 61" in text(browser, ".score")


def test_charts_name_whole_moves_deals_and_stakes(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=3))
    opened(browser, tmp_path, match, 2, len(match.deals[2].moments))
    figures = browser.value(
        "[...document.querySelectorAll('.chart svg')]"
        ".map((it) => [...it.querySelectorAll('text')].map((figure) => figure.textContent))"
    )
    assert figures[1][:4] == ["0", "1", "2", "3"]
    for figure in (*figures[0][:3], *figures[1]):
        assert float(figure.replace("\N{MINUS SIGN}", "-")).is_integer()


# --- the list of deals ---


def contract(deal: SeenDeal) -> str | None:
    return deal.result.contract if deal.result is not None else None


def swing(deal: SeenDeal) -> int:
    assert deal.result is not None
    return max(map(abs, deal.result.payments))


@pytest.mark.parametrize("plan", [FIVE, POOLS], ids=["five", "pools"])
def test_deals_are_chosen_by_declarer_contract_fault_and_swing(
    browser: Browser, tmp_path: Path, plan: Any
) -> None:
    match = seen(plan, faults=0.02)
    show(browser, tmp_path, match)
    show_all(browser)
    deals = [(deal.deal, deal, deal.result) for deal in match.deals if deal.result is not None]
    choose(browser, "declarer", "1")
    assert browser.value(ROWS) == [n for n, _, result in deals if result.declarer == 1]
    choose(browser, "contract", "solo")
    solos = [n for n, _, result in deals if (result.declarer, result.contract) == (1, "solo")]
    assert browser.value(ROWS) == solos
    choose(browser, "declarer", "none")
    choose(browser, "contract", "")
    assert browser.value(ROWS) == [n for n, _, result in deals if result.declarer is None]
    choose(browser, "declarer", "")
    choose(browser, "swing", "10")
    assert browser.value(ROWS) == [n for n, deal, _ in deals if swing(deal) >= 10]
    choose(browser, "swing", "")
    browser.value("document.querySelector('.filter input').click()")
    faulty = [n for n, deal, _ in deals if any(moment.fault for moment in deal.moments)]
    assert browser.value(ROWS) == faulty
    assert text(browser, ".deals p") == f"{len(faulty)} of {len(deals)} deals"
    browser.value("document.querySelector('.deals li:last-child button').click()")
    assert view(browser) == expected(match, faulty[-1], 0)


def test_a_filter_that_has_the_focus_keeps_its_keys(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=5), faults=0)
    opened(browser, tmp_path, match, 2, 9)
    browser.value("document.querySelector('.filter select').focus()")
    browser.press("ArrowDown", "1", "r")
    assert view(browser) == expected(match, 2, 9)
    browser.value("document.querySelector('.filter input').focus()")
    browser.press(" ")
    assert browser.value("document.querySelector('.filter input').checked")


# --- hands and windows ---


@pytest.mark.parametrize("plan", [plan_of(deals=3), FIVE], ids=["three", "five"])
def test_all_controls_are_in_view_on_a_phone_held_sideways(
    browser: Browser, tmp_path: Path, plan: Any
) -> None:
    browser.window(844, 390)
    opened(browser, tmp_path, seen(plan), 1, 12)
    seen_whole = browser.value(
        "[...document.querySelectorAll('.controls button, .controls input')]"
        ".map((it) => it.getBoundingClientRect())"
        ".every((it) => it.top >= 0 && it.bottom <= innerHeight && it.right <= innerWidth)"
    )
    assert seen_whole


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (390, 844), (844, 390)])
def test_what_is_pressed_is_at_least_44_pixels_high_and_wide(
    browser: Browser, tmp_path: Path, width: int, height: int
) -> None:
    browser.window(width, height)
    browser.touch()
    try:
        opened(browser, tmp_path, seen(FIVE), 1, 12)
        browser.value("document.querySelector('#more').showPopover()")
        small = browser.value(
            "[...document.querySelectorAll('button, select, summary, .slider input, label')]"
            ".filter((it) => { const { width, height } = it.getBoundingClientRect();"
            " return width < 44 || height < 44; }).map((it) => it.outerHTML)"
        )
    finally:
        browser.touch(False)
    assert small == []


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (1280, "light"),
        pytest.param(390, "dark", marks=pytest.mark.slow),
        pytest.param(1280, "dark", marks=pytest.mark.slow),
        pytest.param(390, "light", marks=pytest.mark.slow),
    ],
)
def test_axe_finds_nothing_wrong(browser: Browser, tmp_path: Path, width: int, scheme: str) -> None:
    browser.window(width, 844, scheme)
    opened(browser, tmp_path, seen(FIVE), 1, 12)
    for key in ("r", "?"):
        browser.press(key)
        assert axe(browser) == []


def test_a_narrow_window_has_one_column(browser: Browser, tmp_path: Path) -> None:
    browser.window(390, 844)
    opened(browser, tmp_path, seen(FIVE), 1, 12)
    lefts = browser.value(
        "[...document.querySelectorAll('main > *, .stage > *')]"
        ".map((it) => Math.round(it.getBoundingClientRect().left))"
    )
    assert set(lefts) == {0}
