"""A league's page has the figures of its record, and no more than it was asked for."""

import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from arena.league.file import read_league
from arena.league.schedule import matches
from arena.match.record import MatchRecord
from arena.reports.league_page import seconds_text
from arena.tasks.season_terms import open_or_create
from tests.cli.test_standings import made_up
from tests.match.test_record import played
from tests.support.bots import write_league
from tests.support.command import run
from tests.support.scripted import made_up as record_of
from tests.support.scripted import plan_of

Rows = list[list[str]]


class Tables(HTMLParser):
    """The tables of a page, as the texts of their cells, under the headings before them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, Rows] = {}
        self.links: list[str] = []
        self._heading = ""
        self._into: list[str] | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag == "h2":
            self._into = []
        elif tag == "tr":
            self.found.setdefault(self._heading, []).append([])
        elif tag in ("td", "th"):
            self._into = []
        elif tag == "a":
            target = dict(attributes)["href"] or ""
            self.links += [] if target.startswith("#") else [target]

    def handle_data(self, data: str) -> None:
        if self._into is not None:
            self._into.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "h2" and self._into is not None:
            self._heading = "".join(self._into)
            self._into = None
        elif tag in ("td", "th") and self._into is not None:
            self.found[self._heading][-1].append("".join(self._into))
            self._into = None

    def columns(self, heading: str) -> dict[str, list[str]]:
        """A table's cells by the heading of their column, from above."""
        head, *rows = self.found[heading]
        assert all(len(row) == len(head) for row in rows)
        return dict(zip(head, map(list, zip(*rows, strict=True)), strict=True))


def stored(folder: Path, names: str, deals: int, records: Sequence[MatchRecord]) -> Path:
    """A league whose every match went as one of some others did."""
    path = write_league(folder, names, deals)
    with open_or_create(path, read_league(path), 1) as writer:
        specs = matches(writer.store.terms().lineups, 3, 0, deals)
        for number, spec in enumerate(specs):
            writer.add(spec, records[number % len(records)])
    return path


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    records = [played(plan_of(deals=12), seed)[1] for seed in range(24)]
    return stored(tmp_path_factory.mktemp("stored"), "abcd", 12, records)


def page_of(league: Path, *options: str) -> str:
    """A league's page without replays: matches that are made up have none."""
    done = run("report", league, "--replays", "none", *options)
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    return league.with_suffix(".html").read_text(encoding="utf-8")


def told(league: Path) -> Any:
    return json.loads(run("standings", league, "--json").stdout)


@pytest.fixture(scope="module")
def tables(league: Path) -> Tables:
    return Tables(page_of(league))


@pytest.fixture(scope="module")
def record(league: Path) -> Any:
    return told(league)


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
        ends = each["ci95"] and " ({:.0f}-{:.0f})".format(*(end * 100 for end in each["ci95"]))
        told.append(value + (ends or ""))
    return told


def test_the_standings_are_those_of_the_record(tables: Tables, record: Any) -> None:
    columns, lines = tables.columns("Standings"), record["standings"]
    assert columns["bot"] == [line["bot"] for line in lines]
    assert columns["#"] == [str(line["rank"]) for line in lines]
    assert columns["stakes/deal"] == [f"{line['stakes_per_deal']:+.3f}" for line in lines]
    assert columns["95 %"] == ["{:+.3f} to {:+.3f}".format(*line["ci95"]) for line in lines]
    assert columns["Elo"] == [f"{line['elo']:.0f}" for line in lines]
    assert columns["±"] == [f"{line['elo_pm']:.0f}" for line in lines]
    assert columns["games"] == [str(line["games"]) for line in lines]
    assert columns["sets"] == [str(line["sets"]) for line in lines]
    for words, line in zip(columns["faults"], lines, strict=True):
        assert all(f"{count}" in words and kind in words for kind, count in line["faults"].items())


def test_the_crosstable_is_that_of_the_record_from_both_sides(tables: Tables, record: Any) -> None:
    head, *rows = tables.found["Crosstable"]
    cells = {(row[0], bot): cell for row in rows for bot, cell in zip(head, row, strict=True)}
    pairs = record["analysis"]["pairs"]
    assert len(pairs) == 6
    for pair in pairs:
        stakes, off = pair["met"]["stakes"], pair["met"]["plus_minus"]
        sure = "*" if abs(stakes) > off else ""
        one, other = pair["bot"], pair["other"]
        assert cells[one, other] == f"{stakes:+.2f}±{off:.2f}{sure}"
        assert cells[other, one] == f"{-stakes:+.2f}±{off:.2f}{sure}"


def test_roles_and_seats_are_those_of_the_record(tables: Tables, record: Any) -> None:
    order = [line["bot"] for line in record["standings"]] + [None]
    roles = tables.columns("By role")
    lines = sorted(record["analysis"]["roles"], key=lambda line: order.index(line["bot"]))
    assert roles["bot"] == [line["bot"] or "all" for line in lines]
    assert roles["declares"] == bounded([line["declares"] for line in lines])
    assert roles["wins"] == bounded([line["wins"] for line in lines])
    for heading in ("as declarer", "as defender", "at table"):
        key = heading.split()[-1]
        assert roles[heading] == half([line[key] for line in lines])
    seats = tables.columns("By seat")
    lines = sorted(record["analysis"]["seats"], key=lambda line: order.index(line["bot"]))
    for heading in ("forehand", "middlehand", "rearhand"):
        assert seats[heading] == half([line[heading] for line in lines])


def test_times_faults_and_matches_are_those_of_the_record(
    league: Path, tables: Tables, record: Any
) -> None:
    times = tables.columns("Time per move")
    listed = json.loads(run("replay", league, "--json").stdout)
    decisions = sum(each["decisions"] for each in listed)
    assert sum(int(cell.replace(",", "")) for cell in times["moves"]) == decisions
    assert set(times["median"]) == {"1.00 ms"}
    shown = tables.columns("Matches")
    assert shown["match"] == [str(each["match"]) for each in listed]
    assert shown["faults"] == [str(each["faults"]) for each in listed]
    for words, each in zip(shown["bots by seat, with their stakes"], listed, strict=True):
        places = zip(each["bots"], each["stakes"], strict=True)
        assert words == ", ".join(f"{bot} {stakes:+d}" for bot, stakes in places)


def test_faults_are_counted_by_bot_and_kind_and_the_first_are_named(
    tables: Tables, record: Any
) -> None:
    faults = tables.columns("Faults")
    counts = map(int, faults["count"])
    found = dict(zip(zip(faults["bot"], faults["fault"], strict=True), counts, strict=True))
    kinds = [(line["bot"], line["faults"]) for line in record["standings"]]
    assert found == {(bot, kind): count for bot, by in kinds for kind, count in by.items()}
    for count, first in zip(faults["count"], faults["the first of them"], strict=True):
        named = first.split("; ")
        assert len(named) == min(int(count), 5)
        assert all(re.fullmatch(r"match \d+, deal \d+", each) for each in named)


def test_details_are_there_only_if_asked_for(league: Path) -> None:
    assert "by chance" not in page_of(league)
    page = page_of(league, "--private")
    assert set(Tables(page).columns("Faults")["detail of the first"]) == {"by chance"}


def test_the_page_tells_rules_deals_dates_and_makers(league: Path) -> None:
    page = page_of(league)
    assert "pagat (pagat.com, Zole (2019))" in page
    assert "12 at each of 4 tables, each in 6 seatings; 288 games count" in page
    assert re.search(r"<dt>Played</dt><dd>\d+ \w+ 20\d\d, \d\d:\d\d.* UTC</dd>", page)
    assert set(Tables(page).columns("Bots")["author"]) == {"tests"}
    assert page.index("Practice seed: 1") > page.index("<footer>")


def test_without_replay_pages_nothing_is_linked(league: Path, tables: Tables) -> None:
    assert tables.links == []
    assert not league.with_suffix(".replays").exists()


def test_a_thousand_matches_make_a_page_of_less_than_three_megabytes(tmp_path: Path) -> None:
    records = [played(plan_of(deals=10), seed, faults=0.03)[1] for seed in range(20)]
    path = stored(tmp_path, "abcdefghijkl", 10, records)
    page = page_of(path, "--private")
    tables = Tables(page)
    assert len(tables.columns("Matches")["match"]) == 1320
    assert sum(map(int, tables.columns("Faults")["count"])) > 300
    assert "All of them: <code>arena faults league.toml</code>" in page
    assert "Commands are for the folder in which league.toml lies." in page
    assert len(page.encode()) < 3_000_000


def test_unequal_schedules_and_void_sets_have_their_columns(tmp_path: Path) -> None:
    lineups = [("a", "b", "c"), ("a", "b", "d"), ("a", "c", "d")]
    path = made_up(tmp_path, "abcd", lineups=lineups, out=(1,))
    columns = Tables(page_of(path)).columns("Standings")
    lines = told(path)["standings"]
    assert columns["void"] == [str(line["void_sets"]) for line in lines]
    assert columns["bot"] == [line["bot"] for line in lines]
    strengths = [cell.partition("±")[0] for cell in columns["strength"]]
    assert strengths == [f"{line['strength']:+.3f}" for line in lines]


def test_a_league_without_a_complete_set_has_a_page_that_says_so(tmp_path: Path) -> None:
    path = write_league(tmp_path)
    with open_or_create(path, read_league(path), 1):
        pass
    page = page_of(path)
    assert "No set is complete yet." in page
    assert Tables(page).columns("Standings")["stakes/deal"] == ["-"] * 3


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--replays", "none", "--out", "/nowhere/x.html"], "/nowhere/x.html: cannot be written"),
        (["--replays", "some"], "'some' is not one of 'none', 'few', 'faults', 'all'"),
    ],
)
def test_a_mistake_is_told_in_a_line(league: Path, options: list[str], told: str) -> None:
    done = run("report", league, *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr


def test_a_report_needs_a_league_that_was_begun(tmp_path: Path) -> None:
    done = run("report", write_league(tmp_path))
    assert done.returncode == 2
    assert "there is no record of this league yet; arena league plays it" in done.stderr


def test_one_measure_orders_the_table_the_figure_and_the_crosstable(tmp_path: Path) -> None:
    lineups = [("a", "b", "c"), ("a", "b", "d"), ("b", "c", "e"), ("b", "d", "e")]
    page = page_of(made_up(tmp_path, "abcde", 60, lineups))
    tables = Tables(page)
    standings = tables.columns("Standings")
    strengths = [float(cell.partition("±")[0]) for cell in standings["strength"]]
    assert strengths == sorted(strengths, reverse=True)
    stakes = [float(cell) for cell in standings["stakes/deal"]]
    assert stakes != sorted(stakes, reverse=True)
    assert '<h2 id="intervals">Strength</h2>' in page
    assert re.findall(r'class="name" x="0"[^>]*>(\w)</text>', page) == standings["bot"]
    assert tables.columns("Crosstable")["bot"] == standings["bot"]
    assert tables.columns("By role")["bot"] == [*standings["bot"], "all"]


def test_bots_that_never_met_have_neither_mark_nor_shade(tmp_path: Path) -> None:
    lineups = [("a", "b", "c"), ("a", "b", "d"), ("b", "c", "e"), ("b", "d", "e")]
    page = page_of(made_up(tmp_path, "abcde", 60, lineups)).replace("<wbr>", "")
    apart = re.findall(r'<td([^>]*) title="(\w) against (\w): 0 sets together[^>]*>([^<]*)<', page)
    assert {("", one, other, "-") for one, other in ("ae", "ea", "cd", "dc")} == set(apart)
    shaded = re.findall(r'<td class="(\w+-[23])" title="[^>]*>([^<]*)<', page)
    plain = re.findall(r'<td(?: class="\w+-1")? title="[^>]*>([^<]*)<', page)
    assert shaded
    assert all(text.endswith("*") for _, text in shaded)
    assert not any(text.endswith("*") for text in plain)


def test_a_league_of_sessions_counts_sessions_and_some_seatings_are_called_some(
    tmp_path: Path,
) -> None:
    pools = '[rules]\npreset = "pagat"\nall_pass = "pool"\npools.enabled = true\n'
    path = write_league(tmp_path, "abc", 12, f"session = 4\nseatings = 3\n{pools}")
    with open_or_create(path, read_league(path), 1) as writer:
        for spec in matches(writer.store.terms().lineups, 3, 0, 12, 3):
            writer.add(spec, record_of([(4, -2, -2)] * 12))
    page = page_of(path)
    assert "3 of 3 sessions, complete" in page
    assert "12 at one table in 3 sessions of 4, each in 3 of 6 seatings; 36 games count" in page
    assert "The unit is the set: a session of 4 deals played in 3 of 6 seatings." in page


def test_void_sets_and_those_disqualified_are_told_in_words(tmp_path: Path) -> None:
    page = page_of(made_up(tmp_path, out=(0, 3)))
    assert "complete: 60 sets count, 20 void" in page
    assert re.search(r"was disqualified in \d of 6 matches", page)
    assert re.search(r"<bdi>[abcd]</bdi> disqualified</td>", page)


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0.00008, "0.080 ms"),
        (0.0000805, "0.081 ms"),
        (0.0036, "3.60 ms"),
        (0.00361, "3.61 ms"),
        (0.05, "50.0 ms"),
        (0.0491, "49.1 ms"),
        (0.25, "250 ms"),
        (0.9999, "1.00 s"),
    ],
)
def test_times_keep_their_digits(seconds: float, told: str) -> None:
    assert seconds_text(seconds) == told
