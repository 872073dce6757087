"""What the replay page tells at each step, and that it keeps what is to come until it is asked."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.match.commands import MatchPlan
from arena.match.replay import Moment, SeenDeal, SeenMatch
from arena.reports.page import page_review
from arena.zole.rules import preset
from arena.zole.scoring import Pools
from tests.reports.test_viewer import (
    FIVE,
    POOLS,
    STATE,
    expected,
    go,
    leads,
    moments,
    moments_with,
    opened,
    seen,
    show,
    text,
    texts,
    view,
)
from tests.support.browser import Browser, axe
from tests.support.present import present
from tests.support.scripted import plan_of

SMALL = plan_of(preset("zole_net", {"auction": {"contracts": ["ordinary", "small_solo"]}}), 12)

# The deals that are listed, by their indices.
ROWS = "[...document.querySelectorAll('.deals .ply')].map((it) => Number(it.textContent) - 1)"


def with_other_future(match: SeenMatch, number: int, ply: int) -> SeenMatch:
    """The same up to a moment, and the next question; then other moments, deals and results."""
    other = seen(plan_of(match.rules, len(match.deals)), seed=2, faults=0.1)
    deal, instead = match.deals[number], other.deals[number]
    moments = (*deal.moments[: ply + 1], *instead.moments[ply + 1 :])
    now = msgspec.structs.replace(deal, moments=moments, result=instead.result)
    deals = (*match.deals[:number], now, *other.deals[number + 1 :])
    return msgspec.structs.replace(match, deals=deals)


def choose(browser: Browser, label: str, value: str) -> None:
    browser.value(
        "(() => { const it = [...document.querySelectorAll('.filter label')]"
        f".find((each) => each.textContent.startsWith('{label}')).querySelector('select');"
        f" it.value = '{value}'; it.dispatchEvent(new Event('change', {{ bubbles: true }})); }})()"
    )
    browser.value("new Promise(requestAnimationFrame)")


def show_all(browser: Browser) -> None:
    browser.value("document.querySelector('.deals > button').click()")


# --- what is to come ---


@pytest.mark.parametrize(
    ("place", "keys", "result"),
    [
        ((0, 0), "", "Show result"),
        ((2, 9), "", "Show result"),
        ("before a fault", "1", "A seat learns it when the deal is over."),
        ("before a fault", "1 f r", "A seat learns it when the deal is over."),
    ],
)
def test_nothing_is_shown_of_what_is_still_to_come(
    browser: Browser, tmp_path: Path, place: tuple[int, int] | str, keys: str, result: str
) -> None:
    match, shown = seen(plan_of(deals=12), faults=0.05), list[Any]()
    fault = next(it for it in moments_with(match, "fault") if 3 < it[0] < 11 and it[1] > 5)
    number, ply = (fault[0], fault[1] - 1) if isinstance(place, str) else place
    other = with_other_future(match, number, ply)
    if keys:  # a seat does not even learn how many deals and moments are left
        left = match.deals[number]
        left = msgspec.structs.replace(left, moments=left.moments[: ply + 1])
        other = msgspec.structs.replace(match, deals=(*match.deals[:number], left))
    for each in (match, other):
        opened(browser, tmp_path, each, number, ply)
        browser.press(*keys.split())
        shown.append(browser.value(STATE))
        assert len(shown[-1]["moves"]) == ply + 1
        assert result in text(browser, ".result")
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
    assert len(texts(browser, ".moves li")) == len(match.deals[2].moments) + 1
    browser.press("r")
    again = browser.value(STATE)
    assert [again["moves"], again["charts"]] == [hidden["moves"], hidden["charts"]]


def test_all_deals_are_shown_when_asked_for(browser: Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, seen(plan_of(deals=5), faults=0))
    assert text(browser, ".deals p") == "Deals are listed once they are over."
    show_all(browser)
    assert browser.value(ROWS) == [0, 1, 2, 3, 4]
    browser.press("r")
    assert browser.value(ROWS) == []


def test_what_was_stepped_through_stays_shown(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=5), faults=0)
    show(browser, tmp_path, match)
    leads(browser, match, ("End Home", 0, 0))
    assert " declared " in text(browser, ".result")
    assert browser.value(ROWS) == [0]


def test_a_seat_is_shown_no_more_after_a_look_at_everything(
    browser: Browser, tmp_path: Path
) -> None:
    show(browser, tmp_path, seen(plan_of(deals=5), faults=0), "#deal=3&ply=9&seat=1")
    at_once = browser.value(STATE)
    browser.press("a")
    show_all(browser)
    browser.press("1")
    assert browser.value(STATE) == at_once


def test_a_seat_is_led_to_faults_that_it_has_seen_only(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=12), faults=0.02)
    one, two, three = ((number, ply) for number, ply, _ in moments_with(match, "fault")[:3])
    show(browser, tmp_path, match, f"#deal={three[0] + 1}&ply={three[1]}&seat=1")
    leads(browser, match, ("f", *three, 1))
    said = "Seat 1 does not know whether a fault comes: A looks from all seats."
    assert said in text(browser, ".status")
    back = [("Shift+f", *place, 1) for place in (two, one, one)]
    leads(browser, match, *back, ("a f", *two))


# --- what a step is ---


TOLD = [
    ("bid", "pass", "passes.", "Pass"),
    ("bid", "solo", "bids Zole. \u2068", "Zole"),
    ("play", "QC", "plays the queen of clubs.", "Q"),
    ("play", "TD", "plays the ten of diamonds.", "10"),
    ("surrender", "no", "plays on.", "Play on"),  # which the others are not told
    ("surrender", "yes", "concedes.", "Concede"),
    ("offer", "yes", "The declarer accepts.", "Accept"),
    ("offer", "no", "The declarer plays on.", "Play on"),
]


def test_each_step_is_told_in_a_sentence_that_is_announced_and_in_the_list_of_moves(
    browser: Browser, tmp_path: Path
) -> None:
    match = seen(plan_of(deals=30), faults=0)
    places = {(it.ask, it.answer): (number, ply, it) for number, ply, it in moments(match)}
    opened(browser, tmp_path, match, 1, 0)
    assert "Deal 2. \u2068" in text(browser, "[role=status]")
    for ask, answer, words, named in TOLD:
        number, ply, moment = places[ask, answer]
        go(browser, f"#deal={number + 1}&ply={ply}")
        whole = words if ask == "offer" else f"\u2068{match.bots[moment.seat]}\u2069 {words}"
        status = "document.querySelector('[role=status]').textContent"
        browser.until(f"{status}.includes({json.dumps(whole)})")
        spoken = "document.querySelector('.slider input').getAttribute('aria-valuetext')"
        assert browser.value(spoken) == f"{ply}: {text(browser, '[role=status]').strip()}"
        assert text(browser, "[aria-current] .answer") == named
        browser.press(str((moment.seat + 1) % 3))
        heard = "\N{EN DASH}" if (ask, answer) == ("surrender", "no") else named
        assert text(browser, "[aria-current] .answer") == heard


def test_answers_are_shown_as_they_were_sent_to_who_may_see_them(
    browser: Browser, tmp_path: Path
) -> None:
    """An odd one is quoted without the mark that it has in the log."""
    match = seen(plan_of(deals=1), faults=0)
    deal = match.deals[0]
    _, *others = [ply for ply, each in enumerate(deal.moments) if each.ask == "play"][:3]
    odd = (
        msgspec.structs.replace(each, answer="?ZZ") if ply in others else each
        for ply, each in enumerate(deal.moments)
    )
    spoilt = msgspec.structs.replace(deal, moments=tuple(odd))
    show(browser, tmp_path, msgspec.structs.replace(match, deals=(spoilt,)))
    for moment in spoilt.moments[: others[-1] + 1]:
        browser.press("ArrowRight")
        assert text(browser, ".sent code") == sent(moment)
        browser.press(str((moment.seat + 1) % 3))
        assert text(browser, ".sent") == ""
        browser.press("a")
    assert text(browser, "[aria-current] .answer") == "ZZ"


def sent(moment: Moment) -> str:
    """What a bot put into its answer, as JSON."""
    word = (moment.answer or "").removeprefix("?")
    match moment.ask:
        case "discard":
            return f'"cards": {json.dumps(word.split("."), separators=(",", ":"))}'
        case "play":
            return '"offer": true' if word == "offer" else f'"card": "{word}"'
        case "bid":
            return f'"bid": "{word}"'
    named = "accept" if moment.ask == "offer" else moment.ask
    return f'"{named}": {json.dumps(word == "yes")}'


def test_stakes_are_totalled_in_words(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=9), faults=0)
    opened(browser, tmp_path, match, 0, 3)
    assert "stakes" not in text(browser, ".top")
    go(browser, "#deal=9&ply=1")
    paid = [deal.result.payments for deal in match.deals[:8] if deal.result is not None]
    totals = [int(it.replace("\N{MINUS SIGN}", "-")) for it in texts(browser, ".bots b")]
    assert totals == list(map(sum, zip(*paid, strict=True)))
    assert text(browser, ".after") == "stakes after 8 deals"
    # A page of some deals does not count the others.
    show(browser, tmp_path, msgspec.structs.replace(match, deals=match.deals[4:6]), "#deal=6")
    assert text(browser, ".deal") == "deal 6 (2 of 2 shown here)"
    assert "stakes in the first 1 deal shown here" in text(browser, ".top")


def first_with(match: SeenMatch, contract: str) -> tuple[int, SeenDeal]:
    return next(
        (number, deal)
        for number, deal in enumerate(match.deals)
        if deal.result is not None and deal.result.contract == contract
    )


def test_the_count_says_what_both_sides_need(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=12), faults=0)
    number, deal = first_with(match, "solo")
    board, result, last = deal.moments[-2].board, present(deal.result), len(deal.moments)
    own = board.points[present(board.declarer)]
    for ply, declarer, defenders, talon in (
        (last - 1, own, sum(board.points) - own, "+"),
        (last, result.points.declarer, result.points.defenders, ""),
    ):
        opened(browser, tmp_path, match, number, ply)
        theirs, ours = (
            f"{count}{more} ✓" if count >= needed else f"{count}{more} of {needed}"
            for count, needed, more in (
                (present(declarer), 61, ""),
                (present(defenders), 60, talon),
            )
        )
        assert theirs in text(browser, ".score")
        assert f"defenders {ours}" in text(browser, ".score")
    assert f"took {result.points.declarer} points" in text(browser, ".result")


def test_a_small_solo_counts_tricks(browser: Browser, tmp_path: Path) -> None:
    match = seen(SMALL, faults=0)
    number, deal = first_with(match, "small_solo")
    opened(browser, tmp_path, match, number, len(deal.moments))
    tricks = present(deal.result).tricks.declarer
    assert tricks
    assert text(browser, ".score").startswith("Small Zole: ")
    assert f"took {tricks} trick" in text(browser, ".result")
    assert "points" not in text(browser, ".result p")


def test_cards_laid_aside_count_for_who_knows_them(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=12), faults=0)
    number, deal = first_with(match, "ordinary")
    ply = [each.ask for each in deal.moments].index("discard") + 1
    board = deal.moments[ply - 1].board
    worth = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
    aside = sum(worth.get(card[0], 0) for card in board.discards.split("."))
    opened(browser, tmp_path, match, number, ply)
    assert f" {aside} of 61" in text(browser, ".score")
    browser.press(str((present(board.declarer) + 1) % 3))
    assert " 0+ of 61" in text(browser, ".score")


def test_a_forfeited_deal_says_who_failed(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=40))
    show(browser, tmp_path, match)
    for number, deal in enumerate(match.deals):
        result = present(deal.result)
        if result.fault is not None and result.level is not None:
            go(browser, f"#deal={number + 1}&ply={len(deal.moments)}")
            end = "won" if result.payments[present(result.declarer)] > 0 else "lost"
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
    assert f"pools: 1 collective; {first} 1, {third} 2" in text(browser, ".score")
    opened(browser, tmp_path, match, 0, 0)
    assert "pools" not in text(browser, ".score")
    assert "with pools" in text(browser, ".rules")


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


@pytest.mark.parametrize("plan", [FIVE, POOLS], ids=["five", "pools"])
def test_deals_are_chosen_by_declarer_contract_fault_and_swing(
    browser: Browser, tmp_path: Path, plan: MatchPlan
) -> None:
    match = seen(plan, faults=0.02)
    show(browser, tmp_path, match)
    show_all(browser)
    deals = [(deal.deal, deal, deal.result) for deal in match.deals if deal.result is not None]
    for chosen, left in (
        ({"declarer": "1"}, [n for n, _, it in deals if it.declarer == 1]),
        (
            {"contract": "solo"},
            [n for n, _, it in deals if (it.declarer, it.contract) == (1, "solo")],
        ),
        (
            {"declarer": "none", "contract": ""},
            [n for n, _, it in deals if it.declarer is None],
        ),
        (
            {"declarer": "", "swing": "10"},
            [n for n, _, it in deals if max(map(abs, it.payments)) >= 10],
        ),
    ):
        for label, value in chosen.items():
            choose(browser, label, value)
        assert browser.value(ROWS) == left, chosen
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
    leads(browser, match, ("ArrowDown 1 r", 2, 9))
    browser.value("document.querySelector('.filter input').focus()")
    browser.press(" ")
    assert browser.value("document.querySelector('.filter input').checked")


# --- hands and windows ---


@pytest.mark.parametrize(
    ("plan", "review"),
    [(plan_of(deals=3), None), (FIVE, None), (FIVE, {})],
    ids=["three", "five", "reviewed"],
)
def test_all_controls_are_in_view_on_a_phone_held_sideways(
    browser: Browser, tmp_path: Path, plan: MatchPlan, review: dict[int, Any] | None
) -> None:
    browser.window(844, 390)
    match = seen(plan)
    found = None if review is None else page_review(match, review, "arena review x.toml 1")
    show(browser, tmp_path, match, "#deal=2&ply=12", review=found)
    assert browser.value(
        "[...document.querySelectorAll('.controls button, .controls input')]"
        ".map((it) => it.getBoundingClientRect())"
        ".every((it) => it.top >= 0 && it.bottom <= innerHeight && it.right <= innerWidth)"
    )


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
