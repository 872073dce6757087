"""The pages of a site as they are drawn: what is in them, and what can never be.

Nothing is left in English or cut off, and their HTML is sound: html-validate checks it, which
`npm ci` in the viewer's folder brings.
"""

import re
import subprocess
from collections.abc import Callable
from functools import cache, partial
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import arena
from arena.people.server import PLAY_PAGE
from arena.reports.language import ENGLISH, Language, Phrase
from arena.reports.tables import MINUS, NONE
from arena.site.documents import Television
from arena.site.pages import templates, words
from arena.site.pages.emblem import emblem_of
from arena.site.pages.markdown import rendered
from arena.site.pages.public import PageAsk, bot_page, home_page
from arena.site.pages.templates import site_templates, static_files
from arena.site.registry.bots import OwnBot
from tests.support.bots import good, write_bot, write_league
from tests.support.browser import Browser
from tests.support.command import PROJECT, output
from tests.support.made_site import MADE, NOW, MadeSite, MadeSource
from tests.support.needs import need
from tests.support.page_server import drawn_pages, own_page, page_server
from tests.support.pseudo_language import PseudoLanguage, unmarked
from tests.support.room import CUT, TORN, WIDE

HOSTILE = "</title></a><script>hit=1</script>\"'><img src=x onerror=hit=1>{{ 7*7 }}\u202e"
DATA: Final = Path(__file__).parents[1] / "data"
EMPTY = {"br", "circle", "input", "line", "link", "meta", "path", "polygon", "polyline", "rect"}
EMPTY |= {"hr", "use", "wbr"}
WORDS = words.PageWords(Language(ENGLISH))
TEMPLATES = site_templates("Zole", "https://zole.example", ENGLISH)
# How many scripts a page has, where it has one of its own.
SCRIPTS = {"/": 2, "/tv": 2, "/bots/x": 2}


@cache
def drawn(said: str | None = None) -> dict[str, str]:
    found = site_templates(said or "Zole", "https://zole.example", ENGLISH)
    return {path: draw() for path, draw in drawn_pages(MadeSite(said), found).items()}


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

    def handle_endtag(self, tag: str) -> None:
        assert tag in EMPTY or self.open.pop() == tag, tag

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
        once = [page.count(each) for each in ("<h1", '<meta name="description" content="')]
        assert once == [1, 1], path
        assert not re.search("<th[^>]*></th>|<img|\u202e", page), path
        live = re.findall(r'<\w+\b[^<>]* id="([\w-]+)"[^<>]* data-live>', page)
        assert len({*live}) == page.count(" data-live>"), "each has a name of its own"


def test_what_is_copied_is_what_is_shown() -> None:
    code = r"<code[^>]*>((?:(?!</code>).)*)</code>(?:</pre>)?"
    button = r'<button[^>]* data-copy="([^"]*)"'
    pages = "".join(drawn().values())
    copies = [
        (unescape(re.sub("<[^>]*>", "", shown)), unescape(copied))
        for shown, copied in re.findall(rf"{code}\s*{button}", pages, re.DOTALL)
    ]
    assert len(copies) == pages.count("data-copy=")
    assert [shown for shown, _ in copies] == [copied for _, copied in copies]
    assert any('"' in copied for _, copied in copies)


def test_what_nobody_knows_is_a_dash() -> None:
    for path, page in drawn().items():
        text = re.sub(r"<[^>]*>", " ", page).replace("flush=True", "")
        assert not re.search(r"\b(None|nan|True|False|Undefined)\b", text), path
    ranks = r'<tr data-key="mēness.2"[^>]*><td class="rank"[^>]*>(.*?)</td>'
    assert re.findall(ranks, drawn()["/standings"]) == [NONE], "a bot that left has no rank"


def test_pages_fetch_their_own_files_alone() -> None:
    files = static_files()
    for path, page in drawn().items():
        fetched = re.findall(r'<(?:link rel="[^a]|script)[^>]* (?:href|src)="([^"]*)"', page)
        assert {*fetched} <= {each.address for each in files.values()}
        assert len(fetched) == 2 + SCRIPTS.get(path, 1)
        assert not re.search(r'href="[^"]*/faults"', page), "a file that only a folder has"
    assert len(files["site.js"].content) < 10_000, "the script is small"
    assert not re.search(rb"url\(|@import", files["site.css"].content)


def test_the_guide_of_this_version_is_a_page_whose_links_lead_somewhere() -> None:
    start, page = drawn()["/start"], drawn()["/start/guide"]
    guide = Path(PROJECT, "protocol", "README.md").read_text()
    for name in ("first/bot.py", "first/bot.toml"):
        [code] = re.findall(rf"```\w+ {name}\n(.*?)\n```", guide, re.DOTALL)
        assert f"<pre><code>{code}</code></pre>" in unescape(start)
    names = {f"#{name}" for name in re.findall(r'id="([^"]+)"', page)}
    [text] = re.findall(r'<div class="prose guide".*</div>', page, re.DOTALL)
    led = {*re.findall(r'href="([^"]+)"', text)}
    assert {"/start/deals", "/rules"} <= led
    assert {each for each in led - names if not each.startswith("/")} == set()
    assert "<!--" not in drawn()["/start/deals"]
    assert 'href="/start/guide"' in start


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


def marks(figure: str) -> list[str]:
    return re.findall(r">([^<]+)</text>", figure)


def test_a_bot_that_hardly_played_does_not_widen_the_figure() -> None:
    scale, *_ = re.findall(r'class="scale".*?</svg>', drawn()["/standings"])
    assert marks(scale) == [f"{MINUS}2", f"{MINUS}1", "0", "+1", "+2"]


@pytest.mark.parametrize("tiny", [0.0, -0.0, 5e-324, 1e-320, 1e-300, -3e-17, 1e-12])
def test_bots_that_are_tied_but_for_the_last_bits_have_a_figure(tiny: float) -> None:
    axis = words.axis_of([tiny, -abs(tiny), abs(tiny)])
    parts: Any = TEMPLATES._jinja.get_template("parts.html").module
    assert marks(parts.scale(axis))[-2:] == ["0", "+0.05"]
    assert marks(parts.scale(axis))[:-2] in ([], [f"{MINUS}0.05"])
    assert "<circle" in parts.bar(axis, tiny, (-abs(tiny), abs(tiny)))


NONE_PLAYS: Final = msgspec.structs.replace(MADE.tables(), now=())
SOON: Final = msgspec.structs.replace(MADE.numbers(), next_at=NOW + 600.0)
STUCK: Final = msgspec.structs.replace(MADE.league(), waits="no table can be formed: <why>")
OVER: Final = msgspec.structs.replace(MADE.league(), state="sealed")
OF_ELO: Final = msgspec.structs.replace(MADE.standings(), remarks=(Phrase("elo-bounds"),))


@pytest.mark.parametrize(
    ("changed", "told", "untold"),
    [
        # Elo stands on the pages of bots alone.
        ({"standings": OF_ELO}, ["Standings so far"], [WORDS.say("elo-bounds")]),
        ({"league": OVER}, ["bots have played the Latvian card game Zole"], ["Standings so far"]),
        ({"numbers": SOON, "now": NONE_PLAYS}, ["Its next match begins <time"], []),
        ({"numbers": SOON}, ["4 tables are playing now"], ["next table"]),
        ({"tv": Television(deals=())}, ["Nothing is shown to everybody yet"], ["tv."]),
        ({"league": STUCK, "now": NONE_PLAYS}, ["No table can be formed: &lt;why&gt;"], []),
    ],
)
def test_the_first_page_says_whether_a_season_goes_on(
    changed: dict[str, object], told: list[str], untold: list[str]
) -> None:
    shown = home_page.draw(PageAsk(MadeSource(MADE, **changed)), TEMPLATES)
    assert [each for each in (*told, *untold) if each in shown] == told


@pytest.mark.parametrize("origin", ["", "http://127.0.0.1:8801"])
def test_a_table_is_opened_by_one_press_wherever_tables_are(origin: str) -> None:
    templates = site_templates("Zole", "http://127.0.0.1:8800", ENGLISH, origin)
    shown = home_page.draw(PageAsk(MadeSource(MADE)), templates)
    assert f'<form method="post" action="{origin}/tables/"><button class="press first">' in shown


def test_without_tables_the_first_page_offers_none() -> None:
    none = site_templates("Zole", "https://zole.example", ENGLISH, tables=None)
    shown = home_page.draw(PageAsk(MadeSource(MADE)), none)
    assert '<a class="press first" href="/play">' in shown
    assert "/tables/" not in shown


def test_each_page_leads_to_the_five_places_and_names_its_own() -> None:
    owns = {"/play": "/play", "/tv": "/tv", "/matches/1": "/tv", "/deals/1/1": "/tv"}
    owns |= dict.fromkeys(("/standings", "/bots/x", "/ledger", "/about"), "/standings")
    owns |= {"/zole": "/zole", "/rules": "/zole", "/start/guide": "/start", "/me": "/start"}
    owns |= dict.fromkeys(("/join/x", "/login/x", "/me/uploads/taken"), "/start")
    for path, page in drawn().items():
        [places] = re.findall(r'<nav class="places".*?</nav>', page)
        led = re.findall(r'<a href="([^"]*)"( aria-current="\w+")?>', places)
        assert [each for each, _ in led] == ["/play", "/tv", "/standings", "/zole", "/start"]
        own = [each for each, is_current in led if is_current]
        assert path not in owns or own == [owns[path]], path


def test_a_profile_tells_how_a_bot_plays_and_offers_what_can_be_done() -> None:
    page = drawn()["/bots/x"]
    assert '<p class="style">Declares often, and plays Zole rarely.</p>' in page
    assert f'href="/play?bot1={MADE.names[4]}"' in page
    assert '<a href="/matches/16700/replay#deal=4">' in page
    assert "up 5 in a week" in page
    shy = msgspec.structs.replace(MADE.bot(), roles=(), at_tables="", best_at=None)
    page = bot_page.draw(PageAsk(MadeSource(MADE, **{"bots/x": shy}), {"bot": "x"}), TEMPLATES)
    assert not re.search('class="style"|/play[?]|16700/replay|tv[.]', page)


def test_an_emblem_is_that_of_the_table_for_all_versions_of_a_bot() -> None:
    known = msgspec.json.decode((DATA / "emblems.json").read_bytes())
    of = [[name, *msgspec.structs.astuple(emblem_of(name))] for name, *_ in known]
    assert of == known
    assert emblem_of("careful.2") == emblem_of("careful")
    every = {msgspec.structs.astuple(emblem_of(f"bot{number}")) for number in range(5000)}
    assert len(every) == 4 * 6 * 12


def test_challenges_are_told_and_offered_to_who_owns_a_playing_bot() -> None:
    page = TEMPLATES.draw("me.html", **own_page(MADE))
    for said in (
        f"<bdi>{MADE.names[1]}</bdi> {MINUS}6, <bdi>{MADE.names[2]}</bdi> +2 in 60 games",
        '<span lang="en">no bot called x plays now</span>',
        ", waiting</li>",
    ):
        assert said in page
    playing = OwnBot("mine", "mine", "playing", "", NOW)
    withdrawn = msgspec.structs.replace(playing, state="withdrawn")
    for bots, is_offered in (([playing], True), ([withdrawn], False), ([], False)):
        page = TEMPLATES.draw("me.html", **own_page(MADE) | {"bots": bots, "challenges": ()})
        assert ('value="challenge"' in page) is is_offered


OWN_TABLE = SimpleNamespace(key="key", told=(2, ()), friends=[])
WITH_FRIENDS = SimpleNamespace(key="key", told=(2, ()), friends=["Ieva"])


def test_a_guest_with_a_table_is_led_back_to_it() -> None:
    chosen = {**MADE.choice(), "chosen": {}, "free": False, "full": "yes"}
    full = TEMPLATES.draw("play.html", **chosen)
    assert "All tables are taken" in full
    shared = TEMPLATES.draw("play.html", **chosen | {"full": "no"})
    assert "as many tables as one network may have" in shared
    assert re.search(r"<noscript>.*The table needs JavaScript", full, re.DOTALL)
    mine = TEMPLATES.draw("play.html", **chosen | {"own": OWN_TABLE})
    assert "You have a match under way: 2 deals are over." in mine
    assert '<a class="press" href="/tables/key/">Back to your table</a>' in mine
    assert "All tables are taken" not in mine


@pytest.mark.parametrize(
    ("own", "free", "day", "offered"),
    [
        (None, True, "2026-05-01", True),
        (OWN_TABLE, True, "2026-05-01", True),
        (WITH_FRIENDS, True, "2026-05-01", False),
        (OWN_TABLE, False, "2026-05-01", False),
        (None, True, "", False),
    ],
)
def test_the_deal_of_the_day_is_offered_beside_a_match_against_bots(
    own: SimpleNamespace | None, free: bool, day: str, offered: bool
) -> None:
    told = {"own": own, "free": free, "day": day}
    page = TEMPLATES.draw("play.html", **{**MADE.choice(), "chosen": {}, "full": "no"} | told)
    assert ('name="day"' in page) is offered


def test_a_sample_bot_that_is_to_be_played_is_found_by_its_own_name() -> None:
    chosen = {**MADE.choice(), "chosen": {"bot1": "bold"}}
    assert "(careful)" in TEMPLATES.draw("play.html", **chosen | {"named": "bold"})
    assert "(careful)" not in TEMPLATES.draw("play.html", **chosen)


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
    runs = re.compile(r"\s*(javascript|vbscript|data|file):", re.IGNORECASE)
    assert [each for each in seen.values("href") if runs.match(each)] == []


# --- languages ---


@pytest.fixture
def pseudo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(templates, "Language", PseudoLanguage)


@pytest.mark.usefixtures("pseudo")
def test_pages_say_nothing_that_no_catalogue_says() -> None:
    made = MadeSite()
    names = sorted(made.names, key=len, reverse=True)
    known = "|".join(re.escape(it) for name in names for it in (name, f"{name[:15]}…"))
    pages = drawn_pages(made, site_templates("Zole", "https://zole.example", "lv"))
    assert {path: unmarked(draw(), known) for path, draw in pages.items()} == {
        path: [] for path in pages
    }


@pytest.mark.usefixtures("pseudo")
def test_a_report_says_nothing_that_no_catalogue_says(tmp_path: Path) -> None:
    file = write_league(tmp_path, deals=2)
    odd = "m.get('deal') == 1 and m['type'] == 'play': answer['card'] = 'ZZ'"
    write_bot(tmp_path / "c", good(before=f"if {odd}"))
    output("league", file)
    output("report", file, "--private", "--replays", "all")
    pages = [each for each in tmp_path.rglob("*.html") if not each.stem.isdecimal()]
    assert len(pages) == 1 + 4 + 3
    assert {page.name: unmarked(page.read_text(), "league|tests") for page in pages} == {
        page.name: [] for page in pages
    }


@pytest.mark.slow
@pytest.mark.parametrize("language", ["lv", "pseudo"])
def test_no_page_is_wider_than_a_phone_and_nothing_is_cut_off(
    page: Browser, request: pytest.FixtureRequest, language: str
) -> None:
    if language == "pseudo":
        request.getfixturevalue("pseudo")
    page.window(390, 844)
    with page_server(MadeSite(), language=language) as site:
        for path in site.shown:
            page.visit(site.address + path)
            assert (page.value(WIDE), page.value(CUT), page.value(TORN)) == (0, [], []), path


# --- HTML ---


def mistakes(folder: Path) -> str:
    checker = Path(arena.__file__).parent / "viewer" / "node_modules" / ".bin" / "html-validate"
    if not checker.exists():
        pytest.skip("there is no html-validate: npm ci in arena/viewer")
    need("node")
    (folder / ".htmlvalidate.json").write_text(
        '{"root": true, "extends": ["html-validate:standard"]}'
    )
    words = (checker, "--formatter", "text", "**/*.html")
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode == 0) is (done.stdout == ""), done.stderr
    return done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("said", [None, HOSTILE])
def test_the_pages_of_a_site_are_sound(said: str | None, tmp_path: Path) -> None:
    for path, page in drawn(said).items():
        name = path.strip("/").replace("/", "-") or "home"
        (tmp_path / f"{name}.html").write_text(page, encoding="utf-8")
    assert mistakes(tmp_path) == ""
    (tmp_path / "odd.html").write_text('<!doctype html><p id="a"></p><p id="a"></p>')
    assert "no-dup-id" in mistakes(tmp_path), "a mistake would be found"


@pytest.mark.slow
def test_the_pages_of_a_report_its_replays_and_a_seat_are_sound(
    page: Browser, tmp_path: Path
) -> None:
    league = write_league(tmp_path)
    output("league", league)
    output("report", league)
    (tmp_path / "seat.html").write_bytes(PLAY_PAGE.read_bytes())
    page.open(next(tmp_path.glob("league.pages/[0-9]*.html")))
    replay = page.value("document.documentElement.outerHTML")
    assert "data-card" in replay
    (tmp_path / "drawn.html").write_text(f"<!doctype html>{replay}", encoding="utf-8")
    assert len([*tmp_path.glob("**/*.html")]) > 10
    assert mistakes(tmp_path) == ""
