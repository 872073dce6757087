"""What the replay page shows of a review, and that it reviews a deal itself, as the arena does."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import pytest

from arena.match.commands import MatchPlan
from arena.match.logged import LoggedMatch
from arena.match.projection import public
from arena.match.replay import SeenMatch
from arena.reports.page import replay_page
from arena.reports.reviews import PageReview, page_review
from arena.review.decisions import Decision, decisions
from arena.review.solver import Solver
from arena.review.values import OpenHands
from arena.review.verdict import Verdict, verdict
from arena.zole.rules import preset
from tests.match.test_record import played
from tests.reports.test_viewer import match_of
from tests.support.browser import Browser
from tests.support.scripted import plan_of

KEY: Final = "anna\nbruno\n0"
COMMAND: Final = "arena review spring.toml 7"
HERE: Final = ("discard", "play", "surrender", "offer")
"""What the page reviews by itself."""

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


@pytest.fixture(scope="module")
def solver() -> Solver:
    pytest.importorskip("wasmtime", reason="the extra [review] is not installed")
    return Solver()


def verdicts_on(
    found: Iterable[Decision], by: OpenHands, worlds: int
) -> dict[int, tuple[Verdict, ...]]:
    """Verdicts by deal."""
    by_deal: dict[int, list[Verdict]] = {}
    for each in found:
        by_deal.setdefault(each.deal, []).append(verdict(by, each, KEY, worlds))
    return {deal: tuple(verdicts) for deal, verdicts in by_deal.items()}


def show(
    browser: Browser, folder: Path, match: SeenMatch, review: PageReview, address: str = ""
) -> None:
    file = folder / "match.html"
    file.write_text(replay_page(match, review=review), encoding="utf-8")
    browser.open(file, address)


def reviewed_here(browser: Browser, match: SeenMatch, deal: int) -> list[object]:
    """All values of a deal after the page's button was pressed."""
    browser.value("document.querySelector('.worth button').click()")
    for _ in range(30):
        if browser.value(
            "new Promise((done) => setTimeout(() =>"
            " done(document.querySelector('.worth progress') === null), 100))"
        ):
            break
    browser.until("document.querySelector('.worth progress') === null")
    return list(browser.value(VALUES.replace("MOST", str(len(match.deals[deal].moments)))))


SHORT: Final[dict[str, object]] = {"play": {"tricks": 3}}
"""Deals of three tricks are solved at once."""


def compare(
    browser: Browser, folder: Path, plan: MatchPlan, seed: int, solver: Solver, worlds: int
) -> set[tuple[str | None, str]]:
    """The page's values of every deal with the arena's. Gives contracts and kinds of decisions."""
    _, record = played(plan, seed, 0.02)
    match = public(match_of(plan, record.log))
    found = [each for each in decisions(LoggedMatch(plan, record.log)) if each.kind in HERE]
    verdicts = verdicts_on(found, solver, worlds)
    review = page_review(match, {}, KEY, COMMAND, worlds)
    for deal in match.deals:
        show(browser, folder, match, review, f"#deal={deal.deal}")
        if verdicts.get(deal.deal):
            assert reviewed_here(browser, match, deal.deal) == plain(verdicts[deal.deal])
    return {(each.state.contract, each.kind) for each in found}


def test_the_page_itself_finds_the_values_that_the_arena_finds(
    browser: Browser, tmp_path: Path, solver: Solver
) -> None:
    plan = plan_of(preset("pagat", SHORT), 3)
    found = compare(browser, tmp_path, plan, 3, solver, 12)
    assert {kind for _, kind in found} >= {"discard", "play"}
