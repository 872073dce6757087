"""What the replay page shows of a review."""

import random
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pytest

from arena.match.commands import MatchPlan
from arena.match.logged import play_again
from arena.match.replay import SeenDeal, SeenMatch
from arena.match.wire import AnyReply, AnyRequest, AskBid, BidReply
from arena.reports.page import page_review, replay_page
from arena.review.decisions import Decision, decisions
from arena.review.mistakes import is_clear
from arena.review.values import OpenHands
from arena.review.verdict import Verdict, verdict
from arena.zole.rules import preset
from tests.match.test_record import played, record_of
from tests.reports.test_viewer import FIVE, expected, match_of, seen, text, view
from tests.support.browser import Browser, axe
from tests.support.chance import by_chance
from tests.support.made_up import ByChance
from tests.support.scripted import drive, plan_of

KEY: Final = "anna\nbruno\n0"
COMMAND: Final = "arena review spring.toml 7"
VALUES: Final = """(async () => {
    const found = [];
    const all = (place, where) => [...(place?.querySelectorAll(where) ?? [])];
    const numbers = (place) => all(place, "data").map((it) => Number(it.value));
    const tables = () => all(document, ".worth table");
    for (let ply = 0; ; ply++) {
        const [table] = tables().slice(-1);
        if (table) {
            const rows = all(table, "tbody tr");
            found.push([
                ply - 1,
                rows.map((row) => [row.dataset.answer, ...numbers(row)]),
                table.querySelector(".given").dataset.answer,
                rows.find((row) => row.textContent.includes("★ best")).dataset.answer,
                numbers(document.querySelector(".worth p + p")),
            ]);
        }
        const here = location.hash + document.querySelector("[aria-current] .ply").textContent;
        if (ply === MOST) return found;
        document.querySelector("[data-key=ArrowRight]").click();
        await new Promise((done) => setTimeout(done));
    }
})()"""
"""Step, answers, given, best and costs of every answer to a deal from its beginning."""


TALON: Final[dict[str, object]] = {"all_pass": "table", "table": {"talon": "first_two_tricks"}}


def all_pass(plan: MatchPlan) -> bytes:
    """The log of a match in which all pass."""
    dice = random.Random(1)

    def answer(_: int, request: AnyRequest) -> AnyReply:
        if isinstance(request, AskBid):
            return BidReply(id=request.id, bid="pass")
        return by_chance(dice, request)

    return record_of(plan, drive(plan, answer)).log


def plain(verdicts: Iterable[Verdict]) -> list[object]:
    """Verdicts as `VALUES` reads them from the page."""
    return [
        [
            each.step,
            [
                [one.answer, one.known, one.open]
                for one in sorted(each.answers, key=lambda one: -one.known)
            ],
            each.given,
            each.best,
            [each.loss, *([] if each.exact else [pytest.approx(each.error)]), each.open_loss],
        ]
        for each in verdicts
    ]


def verdicts_on(
    found: Iterable[Decision], by: OpenHands, worlds: int
) -> dict[int, tuple[Verdict, ...]]:
    """Verdicts by deal."""
    by_deal: dict[int, list[Verdict]] = {}
    for each in found:
        by_deal.setdefault(each.deal, []).append(verdict(by, each, KEY, worlds))
    return {deal: tuple(verdicts) for deal, verdicts in by_deal.items()}


def show(
    browser: Browser,
    folder: Path,
    match: SeenMatch,
    review: dict[str, object],
    address: str = "#deal=1",
) -> None:
    file = folder / "match.html"
    file.write_text(replay_page(match, review=review), encoding="utf-8")
    browser.open(file, address)


def values(browser: Browser, deal: SeenDeal) -> list[Any]:
    """All values that are shown from here to the end of a deal."""
    return list(browser.value(VALUES.replace("MOST", str(len(deal.moments)))))


def test_where_the_talon_plays_along_each_card_lies_where_the_rules_put_it(
    browser: Browser, tmp_path: Path
) -> None:
    plan = plan_of(preset("pagat", TALON), 1)
    match = match_of(plan, all_pass(plan))
    (tmp_path / "match.html").write_text(replay_page(match))
    browser.open(tmp_path / "match.html", "#ply=0")
    [deal] = match.deals
    laid = [each.seat for moment in deal.moments for each in moment.board.trick]
    assert "talon" in laid
    for ply in range(len(deal.moments) + 1):
        assert view(browser) == expected(match, 0, ply)
        browser.press("ArrowRight")
    assert deal.result is not None
    tricks = [f"{each}" for each in deal.result.tricks.seats]
    browser.press("End")
    rows = "[...document.querySelectorAll('.plate .has')].map((it) => parseInt(it.textContent))"
    assert sorted(map(str, browser.value(rows))) == sorted(tricks)


def reviewed(deals: int, seed: int = 1) -> tuple[SeenMatch, dict[int, tuple[Verdict, ...]]]:
    """A match with verdicts by chance."""
    plan = plan_of(deals=deals)
    _, record = played(plan, seed, 0)
    found = verdicts_on(decisions(play_again(plan, record.log).deals), ByChance(), 4)
    return match_of(plan, record.log), found


def test_a_page_shows_what_every_answer_was_worth(browser: Browser, tmp_path: Path) -> None:
    match, found = reviewed(1, seed=2)
    show(browser, tmp_path, match, page_review(match, found, COMMAND))
    assert values(browser, match.deals[0]) == plain(found[0])
    marks = browser.value(
        "[...document.querySelectorAll('.moves li')]"
        ".map((it) => it.querySelector('.mistake')?.textContent.replace('✗', '').trim())"
    )
    told = {
        ply: float(mark.removeprefix("mistake, costs ")) for ply, mark in enumerate(marks) if mark
    }
    lost = {
        each.step + 1: pytest.approx(each.loss, abs=0.051) for each in found[0] if is_clear(each)
    }
    assert told == lost
    assert lost
    count = sum(map(is_clear, found[0]))
    assert f"✗ {count}" in text(browser, ".deals li")
    strokes = "[...document.querySelectorAll('.chart .stroke')].map((it) => it.getAttribute('d'))"
    assert sum(each.count("M") for each in browser.value(strokes)) == 2 * len(found[0])


def test_m_goes_through_the_clear_mistakes(browser: Browser, tmp_path: Path) -> None:
    match, found = reviewed(3)
    places = [(deal, each.step + 1) for deal in (0, 2) for each in found[deal] if is_clear(each)]
    review = page_review(match, {0: found[0], 2: found[2]}, COMMAND)
    show(browser, tmp_path, match, review)
    for place in places:
        browser.press("m")
        assert (view(browser).deal, view(browser).ply) == place
        assert "Clear mistake" in text(browser, ".worth")
    browser.press("m")
    assert text(browser, ".status").startswith("No clear mistake after this in the deals that")
    browser.press("Shift+m")
    assert (view(browser).deal, view(browser).ply) == places[-2]
    browser.press("?")
    keys = browser.value("[...document.querySelectorAll('dialog kbd')].map((it) => it.textContent)")
    assert {"M", "Shift M"} <= set(keys)


def test_a_seat_sees_its_own_values_and_all_of_them_at_the_end(
    browser: Browser, tmp_path: Path
) -> None:
    match, found = reviewed(1)
    show(browser, tmp_path, match, page_review(match, found, COMMAND), "#seat=1")
    last = len(match.deals[0].moments)
    shown = values(browser, match.deals[0])
    own = [each for each in found[0] if each.seat == 1 and each.step + 1 < last]
    assert [step for step, *_ in shown if step + 1 < last] == [each.step for each in own]
    for each, (_, answers, *_) in zip(own, shown, strict=False):
        assert {len(answer) for answer in answers} == {2}
        assert [known for _, known in answers] == sorted(
            (round(one.known, 4) for one in each.answers), reverse=True
        )
    marks = "document.querySelectorAll('.moves .mistake').length"
    assert browser.value(marks) == sum(map(is_clear, found[0]))
    browser.press("ArrowLeft")
    assert browser.value(marks) == sum(map(is_clear, own))
    browser.press("m")
    assert "does not know whether a mistake comes" in text(browser, ".status")


def test_the_course_of_a_deal_is_drawn_for_who_may_see_all_hands(
    browser: Browser, tmp_path: Path
) -> None:
    match, found = reviewed(1)
    [deal] = match.deals
    review = page_review(match, found, COMMAND)
    show(browser, tmp_path, match, review, f"#ply={len(deal.moments)}")
    label = "document.querySelector('.evaluation')?.getAttribute('aria-label')"
    assert deal.result is not None
    declarer, last = deal.result.declarer, found[0][-1]
    assert declarer is not None
    [worth] = [each.open for each in last.answers if each.answer == last.given]
    stakes = worth * (1 if last.seat == declarer else -2)
    [said] = re.findall("[+\u2212]?[0-9]+[.][0-9]", browser.value(label))
    assert float(said.replace("\u2212", "-")) == pytest.approx(stakes, abs=0.051)
    browser.press("1")
    assert browser.value(label) is not None
    browser.press("ArrowLeft")
    assert browser.value(label) is None


def test_what_was_not_reviewed_names_the_command_that_reviews_it(
    browser: Browser, tmp_path: Path
) -> None:
    match, found = reviewed(2)
    review = page_review(match, {0: found[0]}, COMMAND)
    show(browser, tmp_path, match, review, f"#ply={found[0][0].step + 1}")
    assert "stakes" in text(browser, ".worth")
    browser.press("PageDown")
    assert f"In a terminal {COMMAND} reviews the whole match." in text(browser, ".worth")
    show(browser, tmp_path, match, page_review(match, {0: found[0]}), "#deal=2")
    assert "terminal" not in text(browser, ".worth")


def test_a_page_has_no_right_to_compute() -> None:
    match, found = reviewed(1)
    page = replay_page(match, review=page_review(match, found, COMMAND))
    assert not [sign for sign in ("AGFzbQ", "wasm-unsafe-eval", "worker-src") if sign in page]


@pytest.mark.parametrize(
    ("width", "scheme"), [(390, "dark"), pytest.param(1280, "light", marks=pytest.mark.slow)]
)
def test_axe_finds_nothing_wrong_with_a_review(
    browser: Browser, tmp_path: Path, width: int, scheme: str
) -> None:
    match, found = reviewed(1)
    browser.window(width, 844, scheme)
    show(browser, tmp_path, match, page_review(match, found, COMMAND), "#ply=4")
    browser.press("r")
    assert axe(browser) == []


def test_all_controls_of_a_review_are_in_view_on_a_phone_held_sideways(
    browser: Browser, tmp_path: Path
) -> None:
    browser.window(844, 390)
    match = seen(FIVE, faults=0)
    show(browser, tmp_path, match, page_review(match, {}, COMMAND), "#deal=2&ply=12")
    assert browser.value(
        "[...document.querySelectorAll('.controls button, .controls input')]"
        ".map((it) => it.getBoundingClientRect())"
        ".every((it) => it.top >= 0 && it.bottom <= innerHeight && it.right <= innerWidth)"
    )
