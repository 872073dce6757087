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

Rows = list[list[str]]


class Tables:
    """The tables of a page, as the texts of their cells, under the headings before them."""

    def __init__(self, page: str) -> None:
        self.found: dict[str, Rows] = {}
        for part in re.split(r"<h[12]\b[^>]*>", page)[1:]:
            for row in re.findall(r"<tr\b.*?</tr>", part, re.DOTALL):
                cells = re.findall(r"<t[dh]\b[^>]*>(.*?)</t[dh]>", row, re.DOTALL)
                self.found.setdefault(text_of(part.partition("</h")[0]), []).append(
                    [*map(text_of, cells)]
                )
        self.links = [*map(unescape, re.findall(r'<a\b[^>]* href="([^"#][^"]*)"', page))]

    def columns(self, heading: str) -> dict[str, list[str]]:
        """A table's cells by the heading of their column, from above."""
        head, *rows = self.found[heading]
        assert all(len(row) == len(head) for row in rows)
        return dict(zip(head, map(list, zip(*rows, strict=True)), strict=True))


def text_of(part: str) -> str:
    return unescape(re.sub("<[^>]*>", "", part))


def stored(folder: Path, names: str, deals: int, records: Sequence[MatchRecord]) -> Path:
    """A league whose every match went as one of some others did."""
    path = write_league(folder, names, deals)
    with opened_record(request_league(path, 1)) as writer:
        for number, spec in enumerate(scheduled(writer.terms())):
            writer.add(spec, records[number % len(records)])
    return path


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    records = [played(plan_of(deals=12), seed)[1] for seed in range(24)]
    return stored(tmp_path_factory.mktemp("stored"), "abcd", 12, records)


def pages_of(league: Path, *options: str) -> dict[str, str]:
    """A league's pages without replays, by name: matches that are made up have none."""
    assert output("report", league, "--replays", "none", *options) == ""
    files = league.with_suffix(".pages").glob("*.html")
    pages = {each.stem: each.read_text(encoding="utf-8") for each in files}
    return pages | {"standings": league.with_suffix(".html").read_text(encoding="utf-8")}


def plain(figures: Sequence[str]) -> list[str]:
    """Figures as a terminal has them."""
    return [each.replace(MINUS, "-").replace(NONE, "-") for each in figures]


def bot_pages(pages: dict[str, str]) -> list[str]:
    return [page for name, page in sorted(pages.items()) if name.startswith("bot-")]


@pytest.fixture(scope="module")
def pages(league: Path) -> dict[str, str]:
    return pages_of(league)


@pytest.fixture(scope="module")
def record(league: Path) -> Any:
    return document("standings", league)


def half(shares: Sequence[Any]) -> list[str]:
    """Stakes with what they may be off by."""
    return [
        "-"
        if each["value"] is None
        else f"{each['value']:+.2f}"
        + ("" if each["plus_minus"] is None else f"±{each['plus_minus']:.2f}")
        for each in shares
    ]


def bounded(shares: Sequence[Any]) -> list[str]:
    """Shares in percent with their intervals."""
    told = []
    for each in shares:
        value = "-" if each["value"] is None else f"{each['value'] * 100:.0f}"
        ends = each["ci95"] and "{:.0f}-{:.0f}".format(*(end * 100 for end in each["ci95"]))
        told.append(value + (ends or ""))
    return told


def test_the_standings_are_those_of_the_record(pages: dict[str, str], record: Any) -> None:
    columns, lines = Tables(pages["standings"]).columns("Standings"), record["standings"]
    assert columns["bot"] == [f"{line['bot']}by tests" for line in lines]
    assert columns["rank"] == [str(line["rank"]) for line in lines]
    assert plain(columns["stakes"]) == [
        f"{line['stakes_per_deal']:+.2f}±{(line['ci95'][1] - line['ci95'][0]) / 2:.2f}"
        for line in lines
    ]
    assert columns["sets"] == [str(line["sets"]) for line in lines]
    assert columns["faults"] == [str(sum(line["faults"].values())) for line in lines]
    of_bots = bot_pages(pages)
    for line, page in zip(sorted(lines, key=lambda line: line["bot"]), of_bots, strict=True):
        assert f"<h1><bdi>{line['bot']}</bdi></h1>" in page
        assert f"<dt>Elo</dt><dd>{line['elo']:.0f} <small>±{line['elo_pm']:.0f}</small>" in page
        assert f"<small>{line['games']} games</small>" in page
        for kind, count in line["faults"].items():
            assert f"{count} {TIMES} {in_words(kind)}" in page


def test_the_crosstable_is_that_of_the_record_from_both_sides(
    pages: dict[str, str], record: Any
) -> None:
    head, *rows = Tables(pages["crosstable"]).found["Crosstable"]
    cells = {
        (row[0], bot): cell for row in rows for bot, cell in zip(head, plain(row), strict=True)
    }
    pairs = record["analysis"]["pairs"]
    assert len(pairs) == 6
    for pair in pairs:
        stakes, off = pair["met"]["stakes"], pair["met"]["plus_minus"]
        sure = "*" if abs(stakes) > off else ""
        one, other = pair["bot"], pair["other"]
        assert cells[one, other] == f"{stakes:+.2f}±{off:.2f}{sure}"
        assert cells[other, one] == f"{-stakes:+.2f}±{off:.2f}{sure}"


def test_roles_and_seats_are_those_of_the_record(pages: dict[str, str], record: Any) -> None:
    tables = Tables(pages["crosstable"])
    order = [line["bot"] for line in record["standings"]] + [None]
    roles, seats = tables.columns("By role"), tables.columns("By seat")
    lines = sorted(record["analysis"]["roles"], key=lambda line: order.index(line["bot"]))
    assert roles["bot"] == [line["bot"] or "everybody" for line in lines]
    assert plain(roles["declares, %"]) == bounded([line["declares"] for line in lines])
    assert plain(roles["wins of these, %"]) == bounded([line["wins"] for line in lines])
    for heading in ("as declarer", "as defender", "at table"):
        assert plain(roles[heading]) == half([line[heading.split()[-1]] for line in lines])
    lines = sorted(record["analysis"]["seats"], key=lambda line: order.index(line["bot"]))
    for heading in ("forehand", "middlehand", "rearhand"):
        assert plain(seats[heading]) == half([line[heading] for line in lines])


def test_times_and_matches_are_those_of_the_record(league: Path, pages: dict[str, str]) -> None:
    times = Tables(pages["crosstable"]).columns("Response time, last 20 matches")
    listed = document("replay", league)
    assert len(listed) * 3 / 4 <= 20, "all matches of a bot are its last ones"
    decisions = sum(each["decisions"] for each in listed)
    assert sum(int(cell.replace(",", "")) for cell in times["answers"]) == decisions
    assert set(times["median"]) == {"1.00 ms"}
    shown = Tables(pages["matches"]).columns("Matches")
    assert shown["match"] == [str(each["match"]) for each in listed]
    assert plain(shown["faults"]) == [str(each["faults"] or "-") for each in listed]
    for seat in range(3):
        assert [re.sub(r"\s|out$", "", each) for each in plain(shown[f"seat {seat}"])] == [
            f"{each['bots'][seat]}{each['stakes'][seat]:+d}".replace("+0", "0") for each in listed
        ]


def test_faults_are_counted_by_bot_and_kind_and_the_last_are_named(
    pages: dict[str, str], record: Any
) -> None:
    lines = sorted(record["standings"], key=lambda line: line["bot"])
    for line, page in zip(lines, bot_pages(pages), strict=True):
        named = re.findall(
            r"<li>([a-z ]+) in <span>deal \d+</span> of <span>match \d+</span>", page
        )
        told = {in_words(kind): count for kind, count in line["faults"].items()}
        assert sum(told.values()) <= 20
        assert Counter(named) == told


def test_the_pages_tell_seeds_makers_and_rules(pages: dict[str, str]) -> None:
    assert "Practice seed: 1" in pages["standings"]
    assert all("by <bdi>tests</bdi>" in each for each in bot_pages(pages))
    assert '<tr><th scope="row"><code>players</code></th>' in pages["rules"]


def test_every_page_leads_to_the_others_and_to_nothing_that_is_not_there(
    league: Path, pages: dict[str, str]
) -> None:
    for name, page in pages.items():
        folder = league.parent if name == "standings" else league.with_suffix(".pages")
        links = Tables(page).links
        assert len(links) >= 4
        home = league.with_suffix(".html").name
        assert name == "standings" or f"../{home}" in links
        for each in links:
            assert (folder / unquote(each.partition("#")[0])).exists(), (name, each)


@pytest.mark.slow
def test_a_thousand_matches_make_pages_of_less_than_two_megabytes(tmp_path: Path) -> None:
    records = [played(plan_of(deals=10), seed, faults=0.03)[1] for seed in range(20)]
    path = stored(tmp_path, "abcdefghijkl", 10, records)
    pages = pages_of(path, "--private")
    assert len(Tables(pages["matches"]).columns("Matches")["match"]) == 1320
    faults = map(int, Tables(pages["standings"]).columns("Standings")["faults"])
    assert sum(faults) > 300
    foot = "arena faults league.db tells all faults"
    assert all(foot in page for page in pages.values())
    assert "Commands are for the folder in which league.db lies." in pages["standings"]
    assert all(len(page.encode()) < 2_000_000 for page in pages.values())


def test_unequal_schedules_and_void_sets_are_told(tmp_path: Path) -> None:
    lineups = [("a", "b", "c"), ("a", "b", "d"), ("a", "c", "d")]
    path = made_up(tmp_path, "abcd", lineups=lineups, out=(1,))
    pages = pages_of(path)
    columns = Tables(pages["standings"]).columns("Standings")
    lines = document("standings", path)["standings"]
    assert columns["bot"] == [f"{line['bot']}by author of {line['bot']}" for line in lines]
    strengths = [cell.partition("±")[0] for cell in plain(columns["strength"])]
    assert strengths == [f"{line['strength']:+.2f}" for line in lines]
    lines = sorted(lines, key=lambda line: line["bot"])
    for line, page in zip(lines, bot_pages(pages), strict=True):
        assert (f"{line['void_sets']} sets void" in page) is bool(line["void_sets"])


def test_a_league_without_a_complete_set_has_a_page_that_says_so(tmp_path: Path) -> None:
    path = write_league(tmp_path)
    with opened_record(request_league(path, 1)):
        pass
    page = pages_of(path)["standings"]
    assert "No set is complete yet." in page
    assert Tables(page).columns("Standings")["stakes"] == [NONE] * 3


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
    standings = Tables(pages["standings"]).columns("Standings")
    dots = [float(each) for each in re.findall(r'class="dot" cx="([\d.]+)%"', pages["standings"])]
    strengths = [float(cell.partition("±")[0]) for cell in plain(standings["strength"])]
    for measure in (strengths, dots):
        assert measure == sorted(measure, reverse=True)
    stakes = [line["stakes_per_deal"] for line in record["standings"]]
    assert stakes != sorted(stakes, reverse=True)
    bots = [each.partition("by author of ")[0] for each in standings["bot"]]
    tables = Tables(pages["crosstable"])
    assert tables.columns("Crosstable")["bot"] == bots
    assert tables.columns("By role")["bot"] == [*bots, "everybody"]
    company, found = tables.columns("By company"), record["analysis"]["company"]
    assert company["bots of"] == [pair["taker"] for pair in found]
    assert company["from those of"] == [pair["giver"] for pair in found]
    assert plain(company["gained"]) == half([{"value": pair["stakes"], **pair} for pair in found])


def test_bots_that_never_met_have_neither_mark_nor_shade(unequal_pages: dict[str, str]) -> None:
    page = unequal_pages["crosstable"].replace("<wbr>", "")
    apart = re.findall(r'<td([^>]*) title="(\w) against (\w): 0 sets together[^>]*>([^<]*)<', page)
    assert {("", one, other, NONE) for one, other in ("ae", "ea", "cd", "dc")} == set(apart)
    shaded = re.findall(r'<td class="(\w+-[23])" title="[^>]*>([^<]*)<', page)
    plain_cells = re.findall(r'<td(?: class="\w+-1")? title="[^>]*>([^<]*)<', page)
    assert shaded
    assert all(text.endswith("*") for _, text in shaded)
    assert not any(text.endswith("*") for text in plain_cells)


def test_a_league_of_sessions_counts_sessions(
    tmp_path: Path,
) -> None:
    pools = '[rules]\npreset = "pagat"\nall_pass = "pool"\npools.enabled = true\n'
    path = write_league(tmp_path, "abc", 12, f"session = 4\nseatings = 3\n{pools}")
    with opened_record(request_league(path, 1)) as writer:
        for spec in scheduled(writer.terms()):
            writer.add(spec, record_of([(4, -2, -2)] * 12))
    assert "3 of 3 sessions, complete" in pages_of(path)["standings"]


def test_void_sets_and_those_disqualified_are_told_in_words(tmp_path: Path) -> None:
    pages = pages_of(made_up(tmp_path, out=(0, 3)))
    assert "complete: 60 sets count, 20 void" in pages["standings"]
    for said in ("out", "void"):
        assert f'<span class="badge bad">{said}</span>' in pages["matches"]
