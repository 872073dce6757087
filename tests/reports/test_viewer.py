"""What a reader sees of a match in a browser, from disk and without a network."""

import gzip
import json
import re
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from arena.base.harmless import harmless_lines
from arena.match.commands import MatchPlan
from arena.match.logged import play_again
from arena.match.projection import seen_by
from arena.match.replay import Layout, Moment, SeenDeal, SeenMatch, seen_deal
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    AskBid,
    BidReply,
    CardPlayed,
    FaultSeen,
    TrickTaken,
)
from arena.reports.page import Link, replay_page
from arena.zole.cards import NAMES
from arena.zole.rules import preset
from tests.match.test_record import played, record_of
from tests.match.test_referee import first
from tests.support.browser import Browser
from tests.support.present import present
from tests.support.records import at
from tests.support.scripted import drive, plan_of

BOTS: Final = ("anna", "bruno", "cilda", "dace", "edgars")
FIVE: Final = plan_of(preset("lzsf", {"players": 5}), 10)
FOUR: Final = plan_of(preset("lzsf", {"players": 4}), 10)
POOLS: Final = plan_of(preset("piedalies", {"all_pass": "pool", "pools": {"enabled": True}}), 10)
ZOLE_NET: Final = plan_of(preset("zole_net"), 10)
CORRECTED: Final = plan_of(preset("gamerules", {"conduct": {"corrections": 2}}), 10)
TALON_PLAYS: Final = plan_of(
    preset("pagat", {"all_pass": "table", "table": {"talon": "first_two_tricks"}}), 40
)

VIEW: Final = """(() => {
    const all = (place) => [...(place?.querySelectorAll(".card") ?? [])];
    const cards = (place) => all(place).map((card) => card.dataset.card ?? "?").join(".");
    const hands = [...document.querySelectorAll("[data-hand]")];
    const pressed = [...document.querySelectorAll("[aria-pressed=true]")]
        .map((it) => it.dataset.key).filter((key) => /^[a0-9]$/.test(key));
    return {
        deal: Number(/deal (\\d+)/.exec(document.querySelector(".deal").textContent)[1]) - 1,
        ply: Number(document.querySelector("[aria-current] .ply").textContent),
        looks: pressed.join(),
        hands: hands.toSorted((one, other) => one.dataset.hand - other.dataset.hand).map(cards),
        talon: cards(document.querySelector(".pile.talon")),
        discards: cards(document.querySelector(".pile.laid-aside")),
        trick: cards(document.querySelector(".trick")),
    };
})()"""

# All that a reader can see of the page, its charts included.
STATE: Final = """(() => {
    const all = (where) => [...document.querySelectorAll(where)];
    const slider = document.querySelector(".slider input");
    return {
        text: document.querySelector("#page").innerText,
        moves: all(".moves li").map((it) => it.textContent),
        marks: all(".ticks i").map((it) => [it.className, it.getAttribute("style")]),
        slider: [slider.min, slider.max, slider.value, slider.getAttribute("aria-valuetext")],
        charts: all(".chart svg").map((it) => it.innerHTML),
    };
})()"""

SHOWN: Final = (
    '[...new Set([...document.querySelectorAll("[data-card]")].map((it) => it.dataset.card))]'
)
SPOKEN: Final = """[...new Set(
    document.querySelector("#page").innerHTML.match(/\\w+ of (clubs|spades|hearts|diamonds)/g)
)]"""

# The table and the cards that can be seen, here and at the next steps, `MOST` in all.
WALK: Final = f"""(async () => {{
    const steps = [];
    while (steps.push([{VIEW}, {SHOWN}, {SPOKEN}]) < MOST) {{
        document.querySelector("[data-key=ArrowRight]").click();
        await new Promise((done) => setTimeout(done));
    }}
    return steps;
}})()"""

# A name for each seat; the page would be another one if any were taken for more than a text.
HOSTILE: Final = (
    "</script><script>hit=1</script>",
    "<img src=x onerror=hit=1>",
    '"><svg onload=hit=1>',
    "\u202egnorts si\u2028 <!--",
    "Z" + "\u0335\u0321\u0301" * 300,
)


class View(msgspec.Struct, frozen=True):
    """What lies on the page's table: cards joined by dots, face down as question marks.

    `looks` is the key of the seat from which the table is looked at, or of all.
    """

    deal: int
    ply: int
    looks: str
    hands: tuple[str, ...]
    talon: str
    discards: str
    trick: str


@cache
def _seen(plan: bytes, seed: int, faults: float) -> SeenMatch:
    decoded = msgspec.json.decode(plan, type=MatchPlan)
    return match_of(decoded, played(decoded, seed, faults)[1].log)


def seen(plan: MatchPlan, seed: int = 1, faults: float = 0.01) -> SeenMatch:
    """A match by chance, as people see it; many tests look at the same one."""
    return _seen(msgspec.json.encode(plan), seed, faults)


def match_of(plan: MatchPlan, log: bytes) -> SeenMatch:
    players = plan.rules.players
    deals = tuple(map(seen_deal, play_again(plan, log).deals))
    said = tuple(f"seat {seat} on stderr\n" for seat in range(players))
    return SeenMatch("Spring", 7, BOTS[:players], plan.rules, "bubblewrap", deals, said)


def show(
    browser: Browser, folder: Path, match: SeenMatch, address: str = "#deal=1", **more: Any
) -> None:
    file = folder / "match.html"
    file.write_text(replay_page(match, **more), encoding="utf-8")
    browser.open(file, address)


def view(browser: Browser) -> View:
    return msgspec.convert(browser.value(VIEW), View)


def leads(browser: Browser, match: SeenMatch, *steps: tuple[Any, ...]) -> None:
    """Each time, some keys lead to a deal, a moment of it and, maybe, the view of a seat."""
    for keys, *place in steps:
        browser.press(*keys.split())
        assert view(browser) == expected(match, *place), (keys, place)


def layout(deal: SeenDeal, ply: int) -> Layout:
    return deal.moments[ply - 1].board if ply else deal.begin


def expected(match: SeenMatch, number: int, ply: int, seat: int | None = None) -> View:
    """What the table must look like, by what `seen_by` lets a seat know."""
    given = at(match, number, ply)
    deal = (given if seat is None else seen_by(given, seat)).deals[0]
    ply = min(ply, len(deal.moments))  # before the end, who sits out knows of none
    now = layout(deal, ply)
    trick = ".".join(placed.card for placed in now.trick)
    talon = "" if now.contract == "ordinary" else now.talon
    looks = "a" if seat is None else str(seat)
    return View(deal.deal, ply, looks, tuple(map(held, now.hands)), talon, now.discards, trick)


def held(hand: str) -> str:
    """A hand in the order in which players sort it, if one sees it."""
    cards = hand.split(".")
    return hand if "?" in cards or not hand else ".".join(sorted(cards, key=NAMES.index))


def laid(deal: SeenDeal, ply: int) -> list[tuple[int | str, str]]:
    """The cards played in the first so many moments, and before them."""
    events = chain(deal.first, *(moment.events for moment in deal.moments[:ply]))
    return [(each.seat, each.card) for each in events if isinstance(each, CardPlayed)]


def moments(match: SeenMatch) -> list[tuple[int, int, Moment]]:
    """Deal, ply and moment of all there are."""
    return [
        (number, ply, moment)
        for number, deal in enumerate(match.deals)
        for ply, moment in enumerate(deal.moments, 1)
    ]


def moments_with(match: SeenMatch, kind: str) -> list[tuple[int, int, Moment]]:
    """Those that have a `fault`, `refused` or `note`."""
    return [each for each in moments(match) if getattr(each[2], kind)]


def trick_ends(deal: SeenDeal) -> list[int]:
    return [
        ply
        for ply, moment in enumerate(deal.moments, 1)
        if any(isinstance(each, TrickTaken) for each in moment.events)
    ]


def middle_of(browser: Browser, where: str, number: int = 0) -> tuple[float, float]:
    x, y = browser.value(
        "(({ x, y, width, height }) => [x + width / 2, y + height / 2])"
        f"(document.querySelectorAll('{where}')[{number}].getBoundingClientRect())"
    )
    return x, y


def text(browser: Browser, where: str) -> str:
    """The text of the first element at a place of the page; empty if there is none."""
    return next(iter(texts(browser, where)), "")


def texts(browser: Browser, where: str) -> list[str]:
    every = f"[...document.querySelectorAll({json.dumps(where)})].map((it) => it.textContent)"
    return [each.replace("\u2060", "") for each in browser.value(every)]  # it joins, unseen


def opened(browser: Browser, folder: Path, match: SeenMatch, number: int, ply: int) -> None:
    show(browser, folder, match, f"#deal={number + 1}&ply={ply}")


def go(browser: Browser, address: str) -> None:
    """Go elsewhere in the page that is open, by its address."""
    there = json.dumps(address)
    browser.value(
        f"location.hash === {there} || new Promise((done) => {{"
        " addEventListener('hashchange', () => setTimeout(done), { once: true });"
        f" location.hash = {there}; }})"
    )


# --- the browser itself ---


def test_what_a_page_must_not_do_is_noticed(one_browser: Browser, tmp_path: Path) -> None:
    rule = "<meta http-equiv=Content-Security-Policy content=\"default-src 'none'\">"
    page = tmp_path / "bad.html"
    for bad in ("<script>1</script>", "<img src='other.png'>", "<p style='color: red'>"):
        page.write_text(f"<!doctype html>{rule}{bad}")
        one_browser.open(page)
        assert any("Content Security Policy" in problem for problem in one_browser.problems)
    page.write_text("<!doctype html><img src='http://127.0.0.1:1/x.png'>")
    one_browser.open(page)
    assert "http://127.0.0.1:1/x.png" in one_browser.requests
    assert one_browser.problems


# --- stepping ---


def test_each_card_of_the_match_lies_where_the_rules_put_it(
    browser: Browser, tmp_path: Path
) -> None:
    match = seen(plan_of(deals=2))
    show(browser, tmp_path, match)
    places = [
        (n, ply) for n, deal in enumerate(match.deals) for ply in range(len(deal.moments) + 1)
    ]
    leads(browser, match, ("", *places[0]), *(("ArrowRight", *place) for place in places[1:]))
    leads(browser, match, ("ArrowRight", *places[-1]))
    leads(browser, match, *(("ArrowLeft", *place) for place in places[-2:-7:-1]))


def test_steps_go_by_trick_by_deal_and_to_a_deals_ends(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=12), faults=0)
    show(browser, tmp_path, match)
    ends, last = trick_ends(match.deals[0]), [len(deal.moments) for deal in match.deals]
    leads(browser, match, *(("ArrowDown", 0, ply) for ply in ends))
    leads(browser, match, ("ArrowUp", 0, ends[-2]), ("Home ArrowUp", 0, 0), ("End", 0, last[0]))
    go(browser, "#deal=10&ply=5")
    leads(browser, match, ("PageDown PageDown PageDown", 11, 0), ("PageUp ArrowLeft", 9, last[9]))
    leads(browser, match, ("PageUp PageUp", 7, 0))


def test_space_plays_until_it_is_pressed_again_or_the_match_is_over(
    browser: Browser, tmp_path: Path
) -> None:
    match = seen(plan_of(deals=2))
    show(browser, tmp_path, match)
    browser.press(" ")
    browser.until("Number(document.querySelector('[aria-current] .ply').textContent) >= 1")
    browser.press(" ", "PageDown", "End", " ")
    browser.until("document.querySelector('.status').textContent.startsWith('The match is over.')")
    leads(browser, match, ("", 1, len(match.deals[1].moments)))


def test_every_key_has_a_button_that_does_the_same(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=5), faults=0.05)
    show(browser, tmp_path, match, "#deal=3&ply=9")
    keys = browser.value("[...document.querySelectorAll('[data-key]')].map((it) => it.dataset.key)")
    arrows = "ArrowLeft ArrowRight ArrowUp ArrowDown Home End PageUp PageDown".split()
    assert {*arrows, " ", "f", "Shift+f", *"012a?"} <= set(keys)
    by_key = []
    for key in sorted(set(keys) - {" ", "?"}) * 2:
        browser.press(key)
        by_key.append((key, view(browser)))
    opened(browser, tmp_path, match, 2, 9)
    for key, seen_then in by_key:
        browser.value(f"document.querySelector('[data-key={json.dumps(key)}]').click()")
        assert view(browser) == seen_then, key
    assert len({(each.deal, each.ply) for _, each in by_key}) > 5


def test_the_slider_and_the_list_of_moves_lead_to_a_moment(
    browser: Browser, tmp_path: Path
) -> None:
    match = seen(plan_of(deals=2), faults=0)
    show(browser, tmp_path, match)
    browser.press("r")
    most = len(match.deals[0].moments)
    browser.click(*middle_of(browser, ".slider input"))
    assert abs(view(browser).ply - most / 2) <= 1
    assert len(texts(browser, ".trick-mark")) == len(trick_ends(match.deals[0]))
    for ply in (most, 1, 0):
        browser.value(f"document.querySelectorAll('.moves button')[{ply}].click()")
        assert view(browser) == expected(match, 0, ply)
    leads(browser, match, ("ArrowRight", 0, 1))


# --- who sees what ---


@pytest.mark.parametrize(
    ("plan", "number"),
    [
        pytest.param(FIVE, 3, id="five", marks=pytest.mark.slow),
        pytest.param(FOUR, 2, id="four", marks=pytest.mark.slow),
        pytest.param(POOLS, 1, id="pools"),
        pytest.param(ZOLE_NET, 2, id="zole_net", marks=pytest.mark.slow),
        pytest.param(plan_of(deals=3), 2, id="pagat", marks=pytest.mark.slow),
    ],
)
def test_a_seats_view_holds_no_card_that_it_cannot_know(
    browser: Browser, tmp_path: Path, plan: MatchPlan, number: int
) -> None:
    match = seen(plan, faults=0)
    deal = match.deals[number]
    last = len(deal.moments)
    for seat in deal.active:
        show(browser, tmp_path, match, f"#deal={number + 1}&seat={seat}")
        own: set[str] = set()
        steps = browser.value(WALK.replace("MOST", str(last)))
        assert len(steps) == last
        for ply, (now_seen, shown, spoken) in enumerate(steps):
            now = layout(deal, ply)
            if seat not in now.unlooked:
                own |= set(now.hands[seat].split("."))
            known = own | {card for _, card in laid(deal, ply)}
            if now.contract == "ordinary" and now.declarer == seat:
                known |= {*now.talon.split("."), *now.discards.split(".")}
            assert msgspec.convert(now_seen, View) == expected(match, number, ply, seat)
            assert set(shown) <= known
            assert len(spoken) == len(shown)
        leads(browser, match, ("ArrowRight", number, last, seat))
        assert set(deal.begin.talon.split(".")) <= set(browser.value(SHOWN))


@pytest.mark.parametrize("plan", [FOUR, FIVE], ids=["four", "five"])
def test_a_seat_that_sits_out_steps_from_a_deals_beginning_to_its_end(
    browser: Browser, tmp_path: Path, plan: MatchPlan
) -> None:
    match = seen(plan, faults=0)
    seat, last = match.deals[1].dealer, len(match.deals[1].moments)
    show(browser, tmp_path, match, f"#deal=2&ply=9&seat={seat}")
    leads(browser, match, ("", 1, 0, seat))
    assert browser.value(SHOWN) == []
    assert "sits out: it learns the result at the end of the deal." in text(browser, ".status")
    for key in ("ArrowRight", "ArrowDown", "End"):
        leads(browser, match, (key, 1, last, seat), ("ArrowLeft", 1, 0, seat))
    leads(browser, match, (f"a End ArrowLeft {seat} a", 1, last - 1))


def test_a_seats_number_looks_from_it_and_a_from_all(browser: Browser, tmp_path: Path) -> None:
    match = seen(FIVE, faults=0)
    opened(browser, tmp_path, match, 1, 2)
    leads(browser, match, *((key, 1, 2, int(key)) for key in "4402"), ("a", 1, 2), ("a", 1, 2))


def test_a_seat_sees_its_own_times_only(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=2))
    show(browser, tmp_path, match, "#deal=2&ply=12&seat=1")
    assert [time != "" for time in texts(browser, ".moves .time")] == [
        moment.seat == 1 for moment in match.deals[1].moments[:12]
    ]
    dots = "[...document.querySelectorAll('path.dots')].map((it) => it.getAttribute('d') !== '')"
    assert browser.value(dots) == [False, True, False]


def test_the_document_itself_keeps_no_cards_in_store(browser: Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, seen(plan_of(deals=2)), "#seat=1")
    assert browser.value("document.querySelectorAll('#match').length") == 0
    outside = (
        "document.documentElement.outerHTML"
        ".replace(/<(script|style|symbol)[^]*?<\\/\\1>|<!--[^]*?-->/g, '')"
    )
    names = set(re.findall(r"\b[AKQJT987][CSHD]\b", browser.value(outside)))
    assert names == set(browser.value(SHOWN))
    assert len(names) == 8


def passing(seat: int, request: AnyRequest) -> AnyReply:
    """Nobody declares; everybody plays the first legal card."""
    if isinstance(request, AskBid):
        return BidReply(id=request.id, bid="pass")
    return first(seat, request)


def test_the_talons_own_cards_are_seen_by_all_once_it_has_played_them(
    browser: Browser, tmp_path: Path
) -> None:
    match = match_of(TALON_PLAYS, record_of(TALON_PLAYS, drive(TALON_PLAYS, passing)).log)
    last, tricks = len(match.deals[0].moments), present(match.deals[0].result).tricks.seats
    show(browser, tmp_path, match, "#ply=0")
    leads(browser, match, ("", 0, 0), *(("ArrowRight", 0, ply) for ply in range(1, last + 1)))
    assert sorted(int(each.split()[0]) for each in texts(browser, ".plate .has")) == sorted(tricks)
    taken = [place for *place, moment in moments(match) if moment.board.winner == "talon"]
    assert taken
    for number, ply in taken[:3]:
        go(browser, f"#deal={number + 1}&ply={ply}&seat=0")
        leads(browser, match, ("", number, ply, 0))
        assert browser.value("document.querySelector('.laid.takes').matches('.from-talon')")
        points = layout(match.deals[number], ply).talon_points
        assert text(browser, ".score") == f"Table game; talon {points} points"


def test_a_seat_reads_its_own_notes_only_and_its_stderr_when_the_match_is_over(
    browser: Browser, tmp_path: Path
) -> None:
    match = seen(plan_of(deals=30), faults=0)
    number, ply, moment = next(
        each for each in moments_with(match, "note") if each[1] < len(match.deals[each[0]].moments)
    )
    last = match.deals[-1].moments
    show(browser, tmp_path, match)
    for seat in range(3):
        go(browser, f"#deal={number + 1}&ply={ply}&seat={seat}")
        assert (text(browser, ".said pre") == moment.note) is (seat == moment.seat)
        assert "on stderr" not in text(browser, ".details")
        go(browser, f"#deal={len(match.deals)}&ply={len(last)}&seat={seat}")
        said = f"seat {seat} on stderr" in text(browser, ".details")
        assert said is (seat == last[-1].seat)


# --- faults ---


def test_f_goes_through_the_faults_and_stops_at_the_first_and_last(
    browser: Browser, tmp_path: Path
) -> None:
    match = seen(plan_of(deals=40))
    faults = [(number, ply) for number, ply, _ in moments_with(match, "fault")]
    assert len(faults) > 5
    show(browser, tmp_path, match)
    walk = [("f", each, "Fault of") for each in faults]
    walk += [("f", faults[-1], "No fault after this."), ("Shift+f", faults[-2], "Fault of")]
    walk += [("Shift+f", each, "Fault of") for each in faults[-3::-1]]
    for key, place, said in [*walk, ("Shift+f", faults[0], "No fault before this.")]:
        leads(browser, match, (key, *place))
        assert said in text(browser, ".status")
    opened(browser, tmp_path, seen(plan_of(deals=2), faults=0), 1, 3)
    leads(browser, seen(plan_of(deals=2), faults=0), ("f", 1, 3))
    assert text(browser, ".status").startswith("No fault after this.")


@pytest.mark.parametrize("plan", [CORRECTED, POOLS], ids=["corrected", "pools"])
def test_a_refused_answer_is_marked_with_its_reason(
    browser: Browser, tmp_path: Path, plan: MatchPlan
) -> None:
    match = seen(plan)
    show(browser, tmp_path, match)
    for number, ply, moment in moments_with(match, "refused")[:2]:
        go(browser, f"#deal={number + 1}&ply={ply}")
        assert "refused" in text(browser, "[aria-current] .marks")
        why = present(moment.refused)
        assert text(browser, ".said.bad pre") == f"{why.kind}: {why.detail}"
        leads(browser, match, ("", number, ply))


# --- addresses ---


def test_an_address_is_read_at_the_start_and_when_it_changes_and_kept_up_to_date(
    browser: Browser, tmp_path: Path
) -> None:
    match = seen(plan_of(deals=30))
    show(browser, tmp_path, match, "#deal=18&ply=14&seat=1")
    leads(browser, match, ("", 17, 14, 1))
    before = browser.value("history.length")
    browser.press("ArrowRight", "0", "PageDown")
    browser.until("location.hash === '#deal=19&ply=0&seat=0'")
    browser.press("a")
    browser.until("location.hash === '#deal=19&ply=0'")
    assert browser.value("history.length") == before
    browser.value("location.hash = '#deal=4&ply=5&seat=2'")
    browser.until("document.querySelector('.deal').textContent.startsWith('deal 4')")
    leads(browser, match, ("", 3, 5, 2))
    # The page writes the address that it has shown, just before it hears of the next one.
    shown = "history.replaceState(null, '', '#deal=4&ply=5&seat=2')"
    browser.value(f"location.hash = '#deal=5&ply=2'; {shown}")
    browser.until("document.querySelector('.deal').textContent.startsWith('deal 5 ')")
    leads(browser, match, ("", 4, 2))


FIRST_CARD: Final = [
    moment.ask for moment in seen(plan_of(deals=3), faults=0).deals[0].moments
].index("play")


@pytest.mark.parametrize(
    ("address", "place"),
    [
        ("#deal=99&ply=77&seat=9", (0, 0)),
        ("#deal=0&ply=2", (0, 0)),
        ("#deal=1&ply=99", (0, 0)),
        ("#deal=1&ply=2&seat=3", (0, 0)),
        ("#deal=-1&ply=-5&seat=-1", (0, 0)),
        ("#ply=3", (0, 3)),
        ("#seat=2", (0, 0, 2)),
        ("#deal=1e3&ply=x&seat=", (0, 0)),
        ("#deal=2&ply=2&seat=2&more=%00%ff", (1, 2, 2)),
        ("#<script>hit=1</script>", (0, 0)),
        ("", (0, FIRST_CARD)),
    ],
)
def test_a_broken_address_leads_to_the_beginning_and_none_to_the_first_trick(
    browser: Browser, tmp_path: Path, address: str, place: tuple[int, ...]
) -> None:
    match = seen(plan_of(deals=3), faults=0)
    show(browser, tmp_path, match, address)
    leads(browser, match, ("", *place))


# --- the rest of the page ---


def test_a_replay_leads_back_to_the_page_that_it_belongs_to(
    browser: Browser, tmp_path: Path
) -> None:
    league = Link("the league", "../a%20league.html")
    for back, expected_links in (
        (None, []),
        (league, [["the league", (tmp_path.parent / "a league.html").as_uri()]]),
    ):
        show(browser, tmp_path, seen(plan_of(deals=1)), back=back)
        links = "[...document.querySelectorAll('a')].map((it) => [it.innerText, it.href])"
        assert browser.value(links) == expected_links


def test_the_header_says_what_is_looked_at(browser: Browser, tmp_path: Path) -> None:
    opened(browser, tmp_path, seen(FOUR), 1, 0)
    head = text(browser, "header")
    named = ("Spring, match 7", *BOTS[:4], "deal 2 of 10", "4 players", "isolation: bubblewrap")
    assert [part for part in named if part not in head] == []
    assert browser.value("document.title") == "Spring, match 7: anna, bruno, cilda, dace"


def test_help_lists_every_key_and_nothing_else_moves_while_it_is_open(
    browser: Browser, tmp_path: Path
) -> None:
    match = seen(plan_of(deals=2))
    show(browser, tmp_path, match)
    browser.press("?", "ArrowRight", "f", "2")
    keys = "← → ↑ ↓ PgUp PgDn Home End Space F 0 1 2 A ? Esc".split()
    assert {*keys, "Shift F"} <= set(texts(browser, "dialog kbd"))
    browser.press("Escape")
    assert texts(browser, "dialog") == []
    leads(browser, match, ("", 0, 0), ("ArrowRight", 0, 1))


@pytest.mark.parametrize("plan", [FIVE, POOLS], ids=["five", "pools"])
def test_the_result_shows_stakes_by_seat_and_their_totals(
    browser: Browser, tmp_path: Path, plan: MatchPlan
) -> None:
    match = seen(plan)
    opened(browser, tmp_path, match, 4, 0)
    browser.press("r")
    rows = browser.value(
        "[...document.querySelectorAll('.result tbody tr')]"
        ".map((row) => [...row.cells].slice(-2).map((cell) => cell.textContent))"
    )
    paid = [deal.result.payments for deal in match.deals[:5] if deal.result is not None]
    sums = [sum(column) for column in zip(*paid, strict=True)]
    numbers = [[int(cell.replace("\N{MINUS SIGN}", "-")) for cell in row] for row in rows]
    assert numbers == [list(pair) for pair in zip(paid[4], sums, strict=True)]
    assert ("ools after it" in text(browser, ".result")) is plan.rules.pools.enabled
    sit_out = [bot for seat, bot in enumerate(match.bots) if seat not in match.deals[4].active]
    assert text(browser, ".result").count("\N{EN DASH}") == 2 * len(sit_out)
    out = (
        "[...document.querySelectorAll('.felt .plate')]"
        ".filter((it) => it.textContent.includes('sits out'))"
        ".map((it) => it.querySelector('.name').textContent)"
    )
    assert sorted(browser.value(out)) == sit_out


def test_a_seat_learns_the_result_when_the_deal_is_over(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=2))
    show(browser, tmp_path, match, f"#ply={len(match.deals[0].moments)}&seat=1")
    paid = present(match.deals[0].result).payments
    stakes = [f"{each:+d}".replace("-", "\N{MINUS SIGN}") for each in paid]
    assert [each for each in stakes if each not in text(browser, ".result")] == []


def test_a_click_on_a_chart_leads_to_the_move_or_the_deal(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=20))
    show(browser, tmp_path, match)
    browser.value("document.querySelector('.deals > button').click()")
    browser.value("document.querySelector('.chart').scrollIntoView()")
    browser.click(*middle_of(browser, ".chart .area", 0))
    assert view(browser).deal == 0
    assert abs(view(browser).ply - len(match.deals[0].moments) / 2) <= 1
    browser.click(*middle_of(browser, ".chart .area", 1))
    now = view(browser)
    assert now.deal in (9, 10)
    assert now.ply == len(match.deals[now.deal].moments)
    legends = texts(browser, "figcaption")
    assert [[bot for bot in match.bots if bot not in each] for each in legends] == [[], []]


def test_deals_and_matches_without_moments_are_shown(browser: Browser, tmp_path: Path) -> None:
    match = seen(plan_of(deals=3), faults=0)
    bare = msgspec.structs.replace(match.deals[1], moments=())
    match = msgspec.structs.replace(match, deals=(match.deals[0], bare, match.deals[2]))
    opened(browser, tmp_path, match, 1, 0)
    last = len(match.deals[0].moments)
    leads(browser, match, ("", 1, 0), ("End ArrowDown", 2, 0))
    leads(browser, match, ("ArrowUp ArrowUp f 1 Space", 0, last, 1))
    show(browser, tmp_path, msgspec.structs.replace(match, deals=()))
    assert "No deal was played in this match." in text(browser, "body")


# --- the layout ---


def test_four_hands_fit_a_phone_held_sideways(browser: Browser, tmp_path: Path) -> None:
    browser.window(844, 390)
    opened(browser, tmp_path, seen(FOUR, faults=0), 2, 14)
    lowest, top, bottom = browser.value("""(() => {
        const box = (it) => it.getBoundingClientRect();
        const controls = box(document.querySelector(".controls"));
        const cards = [...document.querySelectorAll(".felt .card b")];
        return [Math.max(...cards.map((it) => box(it).bottom)), controls.top, controls.bottom];
    })()""")
    assert lowest <= top
    assert bottom <= 390


def overflow(browser: Browser) -> int:
    return int(browser.value("document.documentElement.scrollWidth - innerWidth"))


def test_every_index_of_a_hand_can_be_read_at_400_pixels(browser: Browser, tmp_path: Path) -> None:
    browser.window(400, 800)
    show(browser, tmp_path, seen(plan_of(deals=2)))
    browser.value("document.getAnimations().forEach((each) => each.finish())")
    apart = browser.value(
        "[...document.querySelectorAll('.fan, .own')].flatMap((hand) => {"
        " const left = [...hand.children].map((card) => card.getBoundingClientRect().left);"
        " return left.slice(1).map((x, number) => x - left[number]); })"
    )
    assert len(apart) == 21
    assert min(apart) >= 18


def test_dark_and_light_are_the_readers_choice(browser: Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, seen(plan_of(deals=1)))
    for scheme, least, most in (("light", 601, 765), ("dark", 0, 149)):
        browser.window(1280, 800, scheme)
        paper = browser.value("getComputedStyle(document.documentElement).backgroundColor")
        assert least <= sum(map(int, re.findall(r"\d+", paper))) <= most, scheme


def test_without_scripts_the_page_says_what_it_needs(browser: Browser, tmp_path: Path) -> None:
    browser.scripts(False)
    try:
        show(browser, tmp_path, seen(plan_of(deals=1)))
        assert "needs JavaScript" in browser.value("document.body.innerText")
    finally:
        browser.scripts(True)


# --- strangers' words ---


def hostile() -> SeenMatch:
    """A match in which every text that a stranger can choose tries to be more than a text."""
    replace = msgspec.structs.replace
    match = seen(FIVE, faults=0.05)
    worst = "".join(HOSTILE)

    def spoilt(number: int, moment: Moment) -> Moment:
        word = HOSTILE[number % 5]
        return replace(
            moment,
            events=tuple(
                replace(each, detail=worst) if isinstance(each, FaultSeen) else each
                for each in moment.events
            ),
            note=word,
            fault=moment.fault and replace(moment.fault, detail=word),
            refused=moment.refused and replace(moment.refused, detail=word),
        )

    return replace(
        match,
        league=worst,
        bots=HOSTILE,
        isolation="none",
        deals=tuple(
            replace(deal, moments=tuple(map(spoilt, range(99), deal.moments)))
            for deal in match.deals
        ),
        stderr=tuple(word + "\n\r\x00\x1b[31m" + word * 20 for word in HOSTILE),
    )


@pytest.mark.parametrize("width", [pytest.param(1280, marks=pytest.mark.slow), 400])
def test_no_word_of_a_stranger_is_more_than_a_text(
    browser: Browser, tmp_path: Path, width: int
) -> None:
    match = hostile()
    browser.window(width, 800)
    show(browser, tmp_path, match)
    for _ in moments_with(match, "fault")[:4]:
        browser.press("f")
        for _ in range(3):
            browser.press("ArrowLeft")
            now = view(browser)
            if now.ply:
                note = match.deals[now.deal].moments[now.ply - 1].note or ""
                assert harmless_lines(note) in texts(browser, ".said pre")
            browser.value("document.querySelectorAll('details').forEach((it) => it.open = true)")
            assert overflow(browser) <= 0
        browser.press("f", "?")
        assert overflow(browser) <= 0
        browser.press("Escape", "f")
    assert texts(browser, ".bots bdi") == list(map(harmless_lines, HOSTILE))
    planted = "img, iframe, object, link, svg[onload]"
    counts = [f"document.querySelectorAll('{it}').length" for it in ("script:not([lang])", planted)]
    assert browser.value(f"[typeof hit, {', '.join(counts)}]") == ["undefined", 1, 0]


def test_the_page_holds_strangers_words_only_escaped() -> None:
    plain, page = replay_page(seen(plan_of(deals=1))), replay_page(hostile())
    for sign in ("<", ">", "&", "\u2028", "\u2029"):
        assert page.count(sign) == plain.count(sign)


def test_a_name_may_be_the_pages_own_marker(browser: Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, msgspec.structs.replace(seen(plan_of(deals=1)), league="@MATCH@"))
    assert text(browser, "h1") == "@MATCH@, match 7"


def test_a_logarithmic_axis_has_a_label_for_each_decade(browser: Browser, tmp_path: Path) -> None:
    show(browser, tmp_path, seen(plan_of(deals=10)))
    browser.press("r")
    decades = ",1 µs,10 µs,100 µs,1 ms,10 ms,100 ms,1 s,"
    written = texts(browser, ".chart text")
    labels = [each for each in written if re.fullmatch(r"\d+ (s|ms|µs)", each)]
    assert len(labels) >= 2
    assert f",{','.join(labels)}," in decades


def test_a_thousand_deals_are_a_small_file() -> None:
    match = seen(plan_of(deals=50), faults=0)
    bare = msgspec.structs.replace(match, deals=())
    whole, page = (len(gzip.compress(replay_page(each).encode())) for each in (match, bare))
    assert page + 20 * (whole - page) < 300_000
