"""The pages of a site as they are drawn: what is in them, and what can never be."""

import re
from collections.abc import Callable
from functools import cache, partial
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from arena.reports.language import ENGLISH, Language, Phrase
from arena.reports.tables import MINUS, NONE
from arena.site.pages import words
from arena.site.pages.markdown import rendered
from arena.site.pages.public import PageAsk, home_page
from arena.site.pages.templates import site_templates, static_files
from arena.site.registry.bots import BotState, OwnBot
from tests.support.made_site import MADE, NOW, MadeSite, MadeSource
from tests.support.page_server import drawn_pages, own_page

GUIDE = Path(__file__).parents[2] / "protocol" / "README.md"
HOSTILE = "</title></a><script>hit=1</script>\"'><img src=x onerror=hit=1>{{ 7*7 }}\u202e"
EMPTY = {"br", "circle", "input", "line", "link", "meta", "path", "polygon", "polyline", "rect"}
EMPTY |= {"hr", "use", "wbr"}
WORDS = words.PageWords(Language(ENGLISH))
TEMPLATES = site_templates("Zole", "https://zole.example", ENGLISH)
# How many scripts a page has, where it has one of its own.
SCRIPTS = {"/tv": 2}


@cache
def drawn(said: str | None) -> dict[str, str]:
    templates = site_templates(said or "Zole", "https://zole.example", ENGLISH)
    return {path: draw() for path, draw in drawn_pages(MadeSite(said), templates).items()}


class Tree(HTMLParser):
    """Whether elements end in the order in which they begin, and what they have."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += attrs
        self.open += [tag] if tag not in EMPTY else []

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag

    def values(self, name: str) -> list[str]:
        return [value or "" for each, value in self.attributes if each == name]


@pytest.mark.parametrize("said", [None, HOSTILE])
def test_every_page_is_whole_and_runs_nothing_of_its_own(said: str | None) -> None:
    for path, page in drawn(said).items():
        tree = Tree(page)
        assert (tree.open, tree.tags.count("script")) == ([], SCRIPTS.get(path, 1)), path
        assert not [each for each, _ in tree.attributes if each.startswith("on") or each == "style"]
        assert "style" not in tree.tags
        assert len(tree.values("id")) == len({*tree.values("id")}), path
        once = [page.count(each) for each in ("<h1>", '<meta name="description" content="')]
        assert once == [1, 1], path
        assert not re.search("<th[^>]*></th>|<img|\u202e", page), path


def test_what_is_copied_is_what_is_shown() -> None:
    code = r"<code[^>]*>((?:(?!</code>).)*)</code>(?:</pre>)?"
    button = r'<button[^>]* data-copy="([^"]*)"'
    copies = [
        (path, re.sub("<[^>]*>", "", shown), copied)
        for path, page in drawn(None).items()
        for shown, copied in re.findall(rf"{code}\s*{button}", page, re.DOTALL)
    ]
    assert len(copies) == sum(page.count("data-copy=") for page in drawn(None).values())
    for path, shown, copied in copies:
        assert unescape(copied) == unescape(shown), path
    assert any('"' in unescape(copied) for _, _, copied in copies)


def test_what_nobody_knows_is_a_dash() -> None:
    for path, page in drawn(None).items():
        text = re.sub(r"<[^>]*>", " ", page).replace("flush=True", "")
        assert not re.search(r"\b(None|nan|True|False|Undefined)\b", text), path
    [left] = re.findall(
        r'<tr data-key="mēness.2"[^>]*><td class="rank"[^>]*>(.*?)</td>', drawn(None)["/"]
    )
    assert left == NONE, "a bot that left has no rank"


def test_pages_fetch_their_own_files_alone() -> None:
    files = {each.address for each in static_files().values()}
    for path, page in drawn(None).items():
        fetched = re.findall(r'<(?:link rel="[^a]|script)[^>]* (?:href|src)="([^"]*)"', page)
        assert set(fetched) <= files
        assert len(fetched) == 2 + SCRIPTS.get(path, 1)
        assert not re.search(r'href="[^"]*/faults"', page), "a file that only a folder has"
    assert len(static_files()["site.js"].content) < 10_000, "the script is small"
    style = static_files()["site.css"].content.decode()
    assert not re.search(r"url\(|@import", style)


def test_the_live_parts_of_a_page_have_names_of_their_own() -> None:
    for path, page in drawn(None).items():
        names = re.findall(r'<\w+\b[^<>]* id="([\w-]+)"[^<>]* data-live>', page)
        assert len({*names}) == page.count(" data-live>"), path


def test_the_first_bot_is_that_of_the_guide() -> None:
    page, guide = unescape(drawn(None)["/start"]), GUIDE.read_text()
    for name in ("first/bot.py", "first/bot.toml"):
        [code] = re.findall(rf"```\w+ {name}\n(.*?)\n```", guide, re.DOTALL)
        assert f"<pre><code>{code}</code></pre>" in page


def test_the_guide_of_this_version_is_a_page_whose_links_lead_somewhere() -> None:
    page = drawn(None)["/start/guide"]
    names = set(re.findall(r'id="([^"]+)"', page))
    [text] = re.findall(r'<div class="prose guide".*</div>', page, re.DOTALL)
    led = set(re.findall(r'href="([^"]+)"', text))
    assert {"/start/deals", "/rules"} <= led
    for each in led:
        assert each.lstrip("#") in names if each.startswith("#") else each.startswith("/")
    assert "<!--" not in drawn(None)["/start/deals"]
    assert 'href="/start/guide"' in drawn(None)["/start"]


def test_a_bot_that_hardly_played_does_not_widen_the_figure() -> None:
    scale, *_ = re.findall(r'class="scale".*?</svg>', drawn(None)["/"])
    assert re.findall(r">([^<]+)</text>", scale) == [f"{MINUS}2", f"{MINUS}1", "0", "+1", "+2"]


@pytest.mark.parametrize(
    ("write", "values"),
    [
        (
            WORDS.printed_signed,
            {1.234: "+1.23", -0.5: f"{MINUS}0.50", 0.001: "+0.00", None: NONE},
        ),
        (WORDS.stakes, {4: "+4", -2: f"{MINUS}2", 0: "0"}),
        (
            words.percent,
            {0.0: "0 %", 0.004: "<1 %", 0.31: "31 %", 0.999: ">99 %", 1.0: "100 %", None: NONE},
        ),
        (
            WORDS.seconds,
            {
                0.00008: "0.080 ms",
                0.0000805: "0.081 ms",
                0.0004: "0.400 ms",
                0.0036: "3.60 ms",
                0.00361: "3.61 ms",
                0.02: "20.0 ms",
                0.05: "50.0 ms",
                0.0491: "49.1 ms",
                0.25: "250 ms",
                0.9999: "1.00 s",
                31.4: "31.4 s",
            },
        ),
        (
            WORDS.how_long,
            {
                3: "3 s",
                200: "3 min",
                7200: "2 h",
                7260: "2 h 1 min",
                604800: "7 d",
                612000: "7 d 2 h",
            },
        ),
        (words.PageWords(Language("lv")).number, {16738: "16&nbsp;738"}),
        (words.path, {"a/b c": "a%2Fb%20c"}),
        (partial(WORDS.deals_text, count=10), {30: f"deals 31{NONE}40"}),
    ],
)
def test_numbers_are_written_in_few_signs(
    write: Callable[[Any], str], values: dict[Any, str]
) -> None:
    assert {value: write(value) for value in values} == values


@pytest.mark.parametrize("values", [[], [0.0], [-1e-12], [4.2, -0.3], [1e4]])
def test_an_axis_holds_its_values_between_round_ends(values: list[float]) -> None:
    axis = words.axis_of(values)
    assert axis.low < axis.high
    assert all(axis.low <= each <= axis.high for each in [0.0, *values])
    assert 2 <= len(axis.ticks) <= 7
    assert axis.across(axis.high + 1) == "100.00%"


@pytest.mark.parametrize("tiny", [0.0, -0.0, 5e-324, 1e-320, 1e-300, -3e-17, 1e-12])
def test_bots_that_are_tied_but_for_the_last_bits_have_a_figure(tiny: float) -> None:
    axis = words.axis_of([tiny, -abs(tiny), abs(tiny)])
    parts: Any = site_templates("", "", "en")._jinja.get_template("parts.html").module
    assert re.findall(r">([^<]+)</text>", parts.scale(axis)) in (
        ["0", "+0.05"],
        [f"{MINUS}0.05", "0", "+0.05"],
    )
    assert "<circle" in parts.bar(axis, tiny, (-abs(tiny), abs(tiny)))


def first_page(**changed: object) -> str:
    """The first page of a made site, with some documents changed."""
    return home_page.draw(PageAsk(MadeSource(MADE, **changed)), TEMPLATES)


def test_a_season_that_is_over_is_told_as_such() -> None:
    of_elo = msgspec.structs.replace(MADE.standings(), remarks=(Phrase("elo-bounds"),))
    shown = first_page(standings=of_elo)
    assert "Standings so far" in shown
    assert WORDS.say("elo-bounds") not in shown, "Elo stands on the pages of bots alone"
    over = first_page(league=msgspec.structs.replace(MADE.league(), state="sealed"))
    assert "bots have played the Latvian card game Zole" in over
    assert "Standings so far" not in over


def test_a_league_that_rests_says_so_on_its_first_page() -> None:
    none = msgspec.structs.replace(MADE.tables(), now=())
    soon = msgspec.structs.replace(MADE.numbers(), next_at=NOW + 600.0)
    shown = first_page(numbers=soon, now=none)
    assert "No table is playing" in shown
    assert "The next table begins <time" in shown
    assert "next table" not in first_page(numbers=soon)
    stuck = msgspec.structs.replace(MADE.league(), waits="no table can be formed: <why>")
    assert "No table can be formed: &lt;why&gt;" in first_page(league=stuck, now=none)


def test_challenges_are_told_and_offered_to_who_owns_a_playing_bot() -> None:
    page = TEMPLATES.draw("me.html", **own_page(MADE))
    assert f"<bdi>{MADE.names[1]}</bdi> {MINUS}6, <bdi>{MADE.names[2]}</bdi> +2 in 60 games" in page
    assert '<span lang="en">no bot called x plays now</span>' in page
    assert ", waiting</li>" in page
    offers: dict[BotState | None, bool] = {"playing": True, "withdrawn": False, None: False}
    for state, is_offered in offers.items():
        bots = [OwnBot("mine", "mine", state, "", NOW)] if state is not None else []
        page = TEMPLATES.draw("me.html", **own_page(MADE) | {"bots": bots, "challenges": ()})
        assert ('value="challenge"' in page) is is_offered


def test_a_guest_with_a_table_is_led_back_to_it() -> None:
    chosen = {**MADE.choice(), "chosen": {}, "free": False}
    full = TEMPLATES.draw("play.html", **chosen)
    assert "All tables are taken" in full
    assert re.search(r"<noscript>.*The table needs JavaScript", full, re.DOTALL)
    mine = TEMPLATES.draw("play.html", **chosen | {"own": "/tables/key/"})
    assert '<a class="press" href="/tables/key/">Back to your table</a>' in mine
    assert "All tables are taken" not in mine


# --- the organiser's Markdown ---


_TAGS = {
    *("p", "em", "strong", "a", "ul", "ol", "li", "code", "pre", "blockquote", "hr", "br", "s"),
    *("h2", "h3", "h4", "h5", "h6", "table", "thead", "tbody", "tr", "th", "td"),
}
_ATTRIBUTES = {"href", "title", "start", "class", "style"}


def test_markdown_is_drawn_below_the_heading_of_its_page() -> None:
    seen = Tree(rendered("# Title\n\n*a* [b](/me) `c`\n\n- d\n\n| e |\n|---|\n| f |\n"))
    assert {"h2", "em", "a", "code", "ul", "table"} <= {*seen.tags}
    assert seen.values("href") == ["/me"]
    assert "<h6>" in rendered("##### x", 3)
    assert rendered("![a *cake*](cake.png)") == "<p>a cake</p>\n", "pictures are told, not shown"


@example("<script>hit()</script>")
@example("<img src=x onerror=hit()>")
@example("[x](javascript:hit)")
@example("[x](JaVaScRiPt:hit)")
@example("[x](data:text/html,hit)")
@example("[x](vbscript:hit)")
@example("![x](https://elsewhere.example/x.png)")
@example("<https://a.example/\"onmouseover='hit()'>")
@example("```html\n<script>hit()</script>\n```")
@example("[x]: javascript:hit\n\n[x]")
@given(st.text(alphabet="<>[]()!`*_#&;:\"'=\\ \nscriptjavaonerror/.x", max_size=80))
def test_nothing_of_any_text_runs_or_fetches(text: str) -> None:
    seen = Tree(rendered(text))
    assert {*seen.tags} <= _TAGS
    assert {name for name, _ in seen.attributes} <= _ATTRIBUTES
    schemes = [re.match(r"\s*([a-z][\w+.-]*):", it, re.IGNORECASE) for it in seen.values("href")]
    named = {it[1].lower() for it in schemes if it is not None}
    assert named.isdisjoint(("javascript", "vbscript", "data", "file"))
