"""What the replay page shows of a review."""

import re
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import pytest

from arena.match.logged import play_again
from arena.match.replay import SeenDeal, SeenMatch
from arena.reports.page import page_review, replay_page
from arena.review.decisions import decisions
from arena.review.mistakes import is_clear
from arena.review.verdict import Verdict, verdict
from tests.match.test_record import played
from tests.reports.test_viewer import leads, match_of, show, text, texts
from tests.support.browser import Browser, axe
from tests.support.made_up import ByChance
from tests.support.present import present
from tests.support.scripted import plan_of

KEY: Final = "anna\nbruno\n0"
COMMAND: Final = "arena review spring.toml 7"
# Step, answers, given, best and costs of every answer to a deal from its beginning.
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


@cache
def reviewed(deals: int, seed: int = 1) -> tuple[SeenMatch, dict[int, tuple[Verdict, ...]]]:
    """A match with verdicts by chance, for each deal."""
    plan = plan_of(deals=deals)
    log = played(plan, seed, 0)[1].log
    by_deal = groupby(decisions(play_again(plan, log).deals), lambda each: each.deal)
    found = {
        deal: tuple(verdict(ByChance(), each, KEY, 4) for each in decided)
        for deal, decided in by_deal
    }
    return match_of(plan, log), found


def values(browser: Browser, deal: SeenDeal) -> list[Any]:
    """All values that are shown from here to the end of a deal."""
    return list(browser.value(VALUES.replace("MOST", str(len(deal.moments)))))


def test_a_page_shows_what_every_answer_was_worth(browser: Browser, tmp_path: Path) -> None:
    match, found = reviewed(1, seed=2)
    show(browser, tmp_path, match, review=page_review(match, found, COMMAND))
    assert values(browser, match.deals[0]) == plain(found[0])
    marks = browser.value(
        "[...document.querySelectorAll('.moves li')]"
        ".map((it) => it.querySelector('.mistake')?.textContent.replace('✗', '').trim())"
    )
    lost = {
        each.step + 1: pytest.approx(each.loss, abs=0.051) for each in found[0] if is_clear(each)
    }
    assert lost
    assert lost == {
        ply: float(mark.removeprefix("mistake, costs ")) for ply, mark in enumerate(marks) if mark
    }
    assert f"✗ {len(lost)}" in text(browser, ".deals li")
    strokes = "[...document.querySelectorAll('.chart .stroke')].map((it) => it.getAttribute('d'))"
    assert "".join(browser.value(strokes)).count("M") == 2 * len(found[0])


def test_m_goes_through_the_clear_mistakes(browser: Browser, tmp_path: Path) -> None:
    match, found = reviewed(3)
    places = [(deal, each.step + 1) for deal in (0, 2) for each in found[deal] if is_clear(each)]
    some = page_review(match, {0: found[0], 2: found[2]}, COMMAND)
    show(browser, tmp_path, match, review=some)
    for place in places:
        leads(browser, match, ("m", *place))
        assert "Clear mistake" in text(browser, ".worth")
    leads(browser, match, ("m", *places[-1]))
    assert text(browser, ".status").startswith("No clear mistake after this in the deals that")
    leads(browser, match, ("Shift+m", *places[-2]))
    browser.press("?")
    assert {"M", "Shift M"} <= set(texts(browser, "dialog kbd"))


def test_a_seat_sees_its_own_values_and_all_of_them_at_the_end(
    browser: Browser, tmp_path: Path
) -> None:
    match, found = reviewed(1)
    show(browser, tmp_path, match, "#seat=1", review=page_review(match, found, COMMAND))
    last = len(match.deals[0].moments)
    own = [each for each in found[0] if each.seat == 1 and each.step + 1 < last]
    shown = [(step, answers) for step, answers, *_ in values(browser, match.deals[0])]
    assert [
        (step, [worth for _, worth in answers]) for step, answers in shown if step + 1 < last
    ] == [
        (each.step, sorted((round(one.known, 4) for one in each.answers), reverse=True))
        for each in own
    ]
    assert len(texts(browser, ".moves .mistake")) == sum(map(is_clear, found[0]))
    browser.press("ArrowLeft")
    assert len(texts(browser, ".moves .mistake")) == sum(map(is_clear, own))
    browser.press("m")
    assert "does not know whether a mistake comes" in text(browser, ".status")


def test_the_course_of_a_deal_is_drawn_for_who_may_see_all_hands(
    browser: Browser, tmp_path: Path
) -> None:
    match, found = reviewed(1)
    [deal], last = match.deals, found[0][-1]
    review = page_review(match, found, COMMAND)
    show(browser, tmp_path, match, f"#ply={len(deal.moments)}", review=review)
    label = "document.querySelector('.evaluation')?.getAttribute('aria-label')"
    [worth] = [each.open for each in last.answers if each.answer == last.given]
    stakes = worth * (1 if last.seat == present(deal.result).declarer else -2)
    [said] = re.findall("[+\u2212]?[0-9]+[.][0-9]", browser.value(label))
    assert float(said.replace("\u2212", "-")) == pytest.approx(stakes, abs=0.051)
    for key, is_drawn in (("1", True), ("ArrowLeft", False)):
        browser.press(key)
        assert (browser.value(label) is not None) is is_drawn


def test_what_was_not_reviewed_names_the_command_that_reviews_it(
    browser: Browser, tmp_path: Path
) -> None:
    match, found = reviewed(2)
    review = page_review(match, {0: found[0]}, COMMAND)
    show(browser, tmp_path, match, f"#ply={found[0][0].step + 1}", review=review)
    assert "stakes" in text(browser, ".worth")
    browser.press("PageDown")
    assert f"In a terminal {COMMAND} reviews the whole match." in text(browser, ".worth")
    show(browser, tmp_path, match, "#deal=2", review=page_review(match, {0: found[0]}))
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
    show(browser, tmp_path, match, "#ply=4", review=page_review(match, found, COMMAND))
    browser.press("r")
    assert axe(browser) == []
