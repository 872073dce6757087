"""A league's page has the figures of its record, and no more than it was asked for."""

import re
from collections import Counter
from collections.abc import Sequence
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from arena.base.words import in_words
from arena.league.terms import scheduled
from arena.match.record import MatchRecord
from arena.reports.tables import MINUS, NONE
from arena.site.pages.words import TIMES
from arena.tasks.league_request import opened_record, request_league
from tests.cli.test_standings import made_up
from tests.match.test_record import played
from tests.support.bots import write_league
from tests.support.command import document, output, run
from tests.support.scripted import made_up as record_of
from tests.support.scripted import plan_of


def text_of(part: str) -> str:
    return unescape(re.sub("<[^>]*>", "", part))


def columns(page: str, heading: str) -> dict[str, list[str]]:
    """The columns of the table under a heading, by their own; figures as a terminal has them."""
    parts = (each.partition("</h") for each in re.split(r"<h[12]\b[^>]*>", page))
    table = "".join(part for title, _, part in parts if text_of(title) == heading)
    head, *rows = (
        [text_of(cell) for cell in re.findall(r"<t[dh]\b[^>]*>(.*?)</t[dh]>", row, re.DOTALL)]
        for row in re.findall(r"<tr\b.*?</tr>", table, re.DOTALL)
    )
    plain = ([cell.replace(MINUS, "-").replace(NONE, "-") for cell in row] for row in rows)
    return dict(zip(head, map(list, zip(*plain, strict=True)), strict=True))


def stored(path: Path, *records: MatchRecord) -> Path:
    """A league whose every match went as one of some others did, in turn."""
    with opened_record(request_league(path, 1)) as writer:
        for number, spec in enumerate(scheduled(writer.terms())):
            if records:
                writer.add(spec, records[number % len(records)])
    return path


def pages_of(league: Path, *options: str) -> dict[str, str]:
    """A league's pages without replays, by name: matches that are made up have none."""
    assert output("report", league, "--replays", "none", *options) == ""
    files = [league.with_suffix(".html"), *league.with_suffix(".pages").glob("*.html")]
    return {each.stem: each.read_text(encoding="utf-8") for each in files}


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = write_league(tmp_path_factory.mktemp("stored"), "abcd", 12)
    return stored(path, *(played(plan_of(deals=12), seed)[1] for seed in range(24)))


@pytest.fixture(scope="module")
def pages(league: Path) -> dict[str, str]:
    return pages_of(league)


@pytest.fixture(scope="module")
def record(league: Path) -> Any:
    return document("standings", league)


def with_pages(record: Any, pages: dict[str, str]) -> list[tuple[Any, str]]:
    """The bots' lines of the standings, each with the page of its bot."""
    lines = sorted(record["standings"], key=lambda line: line["bot"])
    of_bots = [page for name, page in sorted(pages.items()) if name.startswith("bot-")]
    return [*zip(lines, of_bots, strict=True)]


def half(shares: Sequence[Any]) -> list[str]:
    """Stakes with what they may be off by."""
    return [
        "-"
        if each["value"] is None
        else f"{each['value']:+.2f}" + ("" if each["pm"] is None else f"±{each['pm']:.2f}")
        for each in shares
    ]


def bounded(shares: Sequence[Any]) -> list[str]:
    return [
        ("-" if each["value"] is None else f"{each['value'] * 100:.0f}")
        + ("{:.0f}-{:.0f}".format(*(end * 100 for end in each["ci95"])) if each["ci95"] else "")
        for each in shares
    ]


# --- the figures of a record ---


def test_the_standings_are_those_of_the_record(pages: dict[str, str], record: Any) -> None:
    shown, lines = columns(pages["league"], "Standings"), record["standings"]
    told = {
        "bot": [f"{line['bot']}by tests" for line in lines],
        "rank": [str(line["rank"]) for line in lines],
        "stakes": [
            f"{line['stakes_per_deal']:+.2f}±{(line['ci95'][1] - line['ci95'][0]) / 2:.2f}"
            for line in lines
        ],
        "sets": [str(line["sets"]) for line in lines],
        "faults": [str(sum(line["faults"].values())) for line in lines],
    }
    assert {heading: shown[heading] for heading in told} == told
    for line, page in with_pages(record, pages):
        for said in (
            f"<h1><bdi>{line['bot']}</bdi></h1>",
            f"<dt>Elo</dt><dd>{line['elo']:.0f} <small>±{line['elo_pm']:.0f}</small>",
            f"<small>{line['games']} games</small>",
            "by <bdi>tests</bdi>",
            *(f"{count} {TIMES} {in_words(kind)}" for kind, count in line["faults"].items()),
        ):
            assert said in page


def test_the_crosstable_is_that_of_the_record_from_both_sides(
    pages: dict[str, str], record: Any
) -> None:
    shown, told = columns(pages["crosstable"], "Crosstable"), {}
    for pair in record["analysis"]["pairs"]:
        one, other, met = pair["bot"], pair["other"], pair["met"]
        sure = "*" if abs(met["stakes_per_deal"]) > met["pm"] else ""
        told[one, other] = f"{met['stakes_per_deal']:+.2f}±{met['pm']:.2f}{sure}"
        told[other, one] = f"{-met['stakes_per_deal']:+.2f}±{met['pm']:.2f}{sure}"
    assert len(told) == 12
    assert {pair: shown[pair[1]][shown["bot"].index(pair[0])] for pair in told} == told


def test_roles_and_seats_are_those_of_the_record(pages: dict[str, str], record: Any) -> None:
    order = [line["bot"] for line in record["standings"]] + [None]
    roles, seats = (
        sorted(record["analysis"][key], key=lambda line: order.index(line["bot"]))
        for key in ("roles", "seats")
    )
    told = {
        "bot": [line["bot"] or "everybody" for line in roles],
        "declares, %": bounded([line["declares"] for line in roles]),
        "wins of these, %": bounded([line["wins"] for line in roles]),
        "as declarer": half([line["declarer"] for line in roles]),
        "as defender": half([line["defender"] for line in roles]),
        "at table": half([line["table"] for line in roles]),
    }
    shown = columns(pages["crosstable"], "By role")
    assert {heading: shown[heading] for heading in told} == told
    told = {key: half([it[key] for it in seats]) for key in ("forehand", "middlehand", "rearhand")}
    shown = columns(pages["crosstable"], "By seat")
    assert {heading: shown[heading] for heading in told} == told


def test_times_and_matches_are_those_of_the_record(league: Path, pages: dict[str, str]) -> None:
    times = columns(pages["crosstable"], "Response time, last 20 matches")
    listed = document("replay", league)
    assert len(listed) * 3 / 4 <= 20, "all matches of a bot are its last ones"
    assert sum(int(cell.replace(",", "")) for cell in times["answers"]) == sum(
        each["decisions"] for each in listed
    )
    assert {*times["median"]} == {"1.00 ms"}
    shown = columns(pages["matches"], "Matches")
    assert shown["match"] == [str(each["match"]) for each in listed]
    assert shown["faults"] == [str(each["faults"] or "-") for each in listed]
    for seat in range(3):
        assert [re.sub(r"\s|out$", "", each) for each in shown[f"seat {seat}"]] == [
            f"{each['bots'][seat]}{each['stakes'][seat]:+d}".replace("+0", "0") for each in listed
        ]


def test_faults_are_counted_by_bot_and_kind_and_the_last_are_named(
    pages: dict[str, str], record: Any
) -> None:
    named = r"<li>([a-z ]+) in <span>deal \d+</span> of <span>match \d+</span>"
    for line, page in with_pages(record, pages):
        assert Counter(re.findall(named, page)) == {
            in_words(kind): count for kind, count in line["faults"].items()
        }


def test_every_page_leads_to_the_others_and_to_nothing_that_is_not_there(
    league: Path, pages: dict[str, str]
) -> None:
    for name, page in pages.items():
        is_home = name == "league"
        folder = league.parent if is_home else league.with_suffix(".pages")
        links = [*map(unescape, re.findall(r'<a\b[^>]* href="([^"#][^"]*)"', page))]
        assert len(links) >= 4
        assert is_home or "../league.html" in links
        for each in links:
            assert (folder / unquote(each.partition("#")[0])).exists(), (name, each)


def test_the_pages_tell_seeds_and_rules(pages: dict[str, str]) -> None:
    assert "Practice seed: 1" in pages["league"]
    assert '<tr><th scope="row"><code>players</code></th>' in pages["rules"]


# --- leagues of other kinds ---


@pytest.mark.slow
def test_a_thousand_matches_make_pages_of_less_than_two_megabytes(tmp_path: Path) -> None:
    records = [played(plan_of(deals=10), seed, faults=0.03)[1] for seed in range(20)]
    pages = pages_of(stored(write_league(tmp_path, "abcdefghijkl", 10), *records), "--private")
    assert len(columns(pages["matches"], "Matches")["match"]) == 1320
    assert sum(map(int, columns(pages["league"], "Standings")["faults"])) > 300
    assert "Commands are for the folder in which league.db lies." in pages["league"]
    for page in pages.values():
        assert "arena faults league.db lists all faults" in text_of(page)
        assert len(page.encode()) < 2_000_000


def test_unequal_schedules_and_void_sets_are_told(tmp_path: Path) -> None:
    lineups = [("a", "b", "c"), ("a", "b", "d"), ("a", "c", "d")]
    path = made_up(tmp_path, "abcd", lineups=lineups, out=(1,))
    pages, record = pages_of(path), document("standings", path)
    shown, lines = columns(pages["league"], "Standings"), record["standings"]
    assert shown["bot"] == [f"{line['bot']}by author of {line['bot']}" for line in lines]
    assert [cell.partition("±")[0] for cell in shown["strength"]] == [
        f"{line['strength']:+.2f}" for line in lines
    ]
    for line, page in with_pages(record, pages):
        assert (f"{line['void_sets']} sets void" in page) is bool(line["void_sets"])


def test_void_sets_and_those_disqualified_are_told_in_words(tmp_path: Path) -> None:
    pages = pages_of(made_up(tmp_path, out=(0, 3)))
    assert "complete: 60 sets count, 20 void" in pages["league"]
    for said in ("out", "void"):
        assert f'<span class="badge bad">{said}</span>' in pages["matches"]


def test_a_league_without_a_complete_set_has_a_page_that_says_so(tmp_path: Path) -> None:
    page = pages_of(stored(write_league(tmp_path)))["league"]
    assert "No set is complete yet." in page
    assert columns(page, "Standings")["stakes"] == ["-"] * 3


def test_a_league_of_sessions_counts_sessions(tmp_path: Path) -> None:
    pools = '[rules]\npreset = "pagat"\nall_pass = "pool"\npools.enabled = true\n'
    path = write_league(tmp_path, "abc", 12, f"session = 4\nseatings = 3\n{pools}")
    pages = pages_of(stored(path, record_of([(4, -2, -2)] * 12)))
    assert "3 of 3 sessions, complete" in pages["league"]


@pytest.fixture(scope="module")
def unequal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league of five in which not all have met."""
    lineups = [("a", "b", "c"), ("a", "b", "d"), ("b", "c", "e"), ("b", "d", "e")]
    return made_up(tmp_path_factory.mktemp("unequal"), "abcde", 60, lineups)


@pytest.fixture(scope="module")
def unequal_pages(unequal: Path) -> dict[str, str]:
    return pages_of(unequal)


def test_one_measure_orders_the_table_the_figure_and_the_crosstable(
    unequal: Path, unequal_pages: dict[str, str]
) -> None:
    pages, record = unequal_pages, document("standings", unequal)
    standings = columns(pages["league"], "Standings")
    dots = [*map(float, re.findall(r'class="dot" cx="([\d.]+)%"', pages["league"]))]
    for measure in ([float(cell.partition("±")[0]) for cell in standings["strength"]], dots):
        assert measure == sorted(measure, reverse=True)
    stakes = [line["stakes_per_deal"] for line in record["standings"]]
    assert stakes != sorted(stakes, reverse=True)
    bots = [each.partition("by author of ")[0] for each in standings["bot"]]
    assert columns(pages["crosstable"], "Crosstable")["bot"] == bots
    assert columns(pages["crosstable"], "By role")["bot"] == [*bots, "everybody"]
    company = columns(pages["crosstable"], "By company")
    found = record["analysis"]["company"]
    told = {
        "bots of": [pair["taker"] for pair in found],
        "from those of": [pair["giver"] for pair in found],
        "gained": half([{"value": pair["stakes_per_deal"], **pair} for pair in found]),
    }
    assert {heading: company[heading] for heading in told} == told


def test_bots_that_never_met_have_neither_mark_nor_shade(unequal_pages: dict[str, str]) -> None:
    page = unequal_pages["crosstable"].replace("<wbr>", "")
    apart = re.findall(r'<td([^>]*) title="(\w) against (\w): 0 sets together[^>]*>([^<]*)<', page)
    assert {("", one, other, NONE) for one, other in ("ae", "ea", "cd", "dc")} == {*apart}
    shaded = re.findall(r'<td class="\w+-[23]" title="[^>]*>([^<]*)<', page)
    others = re.findall(r'<td(?: class="\w+-1")? title="[^>]*>([^<]*)<', page)
    assert {text[-1] for text in shaded} == {"*"}
    assert "*" not in "".join(others)


@pytest.mark.parametrize(
    ("is_begun", "options", "told"),
    [
        (True, ["--out", "/nowhere/x.html"], "/nowhere/x.html: cannot be written"),
        (True, ["--replays", "some"], "'some' is not one of 'none', 'few', 'all'"),
        (True, ["--language", "xx"], "--language: there is no language xx here; choose en, lv"),
        (False, [], "there is no record of this league yet; arena league plays it"),
    ],
)
def test_a_mistake_is_told_in_a_line(
    league: Path, tmp_path: Path, is_begun: bool, options: list[str], told: str
) -> None:
    done = run("report", league if is_begun else write_league(tmp_path), *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
