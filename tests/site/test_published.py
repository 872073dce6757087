"""What is published: as one process writes and another reads it, other leagues, and deals on TV."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.base.errors import ArenaError
from arena.base.refusals import Busy, Missing, Refusal
from arena.league.played import TravellerLine
from arena.match.wire import FaultShown, Tally
from arena.site.config import Site, read_site
from arena.site.documents import ShownDeal
from arena.site.publish.matches import mixed, worth_watching
from arena.site.published import Published, Publisher, shown_leagues
from arena.site.registry import Registry
from arena.site.registry.organiser import audit
from arena.site.report import hide_league, show_league
from tests.support.made_site import MADE
from tests.support.open_record import Opened
from tests.support.records import small_record
from tests.support.whole_site import write_site


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "published" / "published.db"


def test_a_version_is_seen_whole_or_not_at_all(path: Path) -> None:
    with closing(Published(path)) as published:
        assert published.document("standings") is None
        assert published.before("matches", None, 10) == []
    with closing(Publisher(path)) as publisher, closing(Published(path)) as published:
        publisher.put("standings", [1])
        publisher.add("matches", 1, 1)
        assert published.document("standings") is None
        publisher.publish()
        assert published.document("standings") == b"[1]"
        publisher.put("standings", [2])
        publisher.add("matches", -1 << 70, 1)
        with pytest.raises(OverflowError):
            publisher.publish()
        assert published.read("standings", list[int]) == [1]
        assert published.before("matches", None, 9) == [(1, b"1")]


def test_a_list_is_read_from_its_end_in_both_directions(path: Path) -> None:
    with closing(Publisher(path)) as publisher, closing(Published(path)) as published:
        for name, number in (*(("matches", it) for it in (1, 2, 5, 7)), ("others", 6)):
            publisher.add(name, number, number)
        publisher.publish()
        assert published.before("matches", None, 2) == [(7, b"7"), (5, b"5")]
        assert published.before("matches", 5, 2) == [(2, b"2"), (1, b"1")]


def test_what_is_put_again_is_no_news_and_a_reader_writes_nothing(path: Path) -> None:
    with closing(Publisher(path)) as publisher, closing(Published(path)) as published:
        changed = []
        for value in (1, 2, 2):
            publisher.put("a", value)
            publisher.publish()
            changed.append(path.stat().st_mtime_ns)
        assert changed[0] < changed[1] == changed[2]
        assert published.document("a") == b"2"
        assert [*path.parent.iterdir()] == [path]
        assert published._sql is not None
        with pytest.raises(sqlite3.OperationalError, match="readonly"):
            published._sql.execute("DELETE FROM documents")


def test_what_is_of_another_format_is_made_anew(path: Path) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database at all")
    with closing(Published(path)) as published:
        with pytest.raises(Busy):
            published.document("a")
        Publisher(path).close()
        assert published.document("a") is None
        with closing(sqlite3.connect(path)) as sql, sql:
            sql.execute("UPDATE facts SET value = '99'")
        published.close()
        with pytest.raises(Busy):
            published.document("a")  # nobody reads what it does not know
        with closing(Publisher(path)) as publisher:
            publisher.put("a", 1)
            publisher.publish()
        assert published.document("a"), "the file that has the name now"


# --- leagues that a site shows beside its own ---


@pytest.fixture(name="site")
def _site(tmp_path: Path) -> Site:
    return read_site(write_site(tmp_path))


def test_a_record_is_shown_in_each_language_and_as_tables(
    site: Site, registry: Registry, played_league: Path
) -> None:
    record = played_league.with_suffix(".db")
    shown = [show_league(site, registry, record, "spring") for _ in range(2)]
    assert [*shown_leagues(site)] == shown[:1] == shown[1:]
    assert (shown[0].bots, next(iter(shown[0].best.values()))) == (3, 1)
    folder = site.league_pages / "spring"
    for tag, words in (("en", "All leagues of this site"), ("lv", "Visas šīs vietnes līgas")):
        assert words in (folder / tag / "index.html").read_text()
    assert json.loads((folder / "standings.json").read_bytes())["complete"]
    assert (folder / "standings.csv").read_text().count("\n") == 4
    assert [each.what for each in audit(registry)] == ["shows a league"] * 2


def test_a_league_that_goes_on_is_listed_before_those_that_are_over(
    site: Site, registry: Registry, played_league: Path, tmp_path: Path
) -> None:
    league = Opened(tmp_path / "open.db")
    league.play(league.order())
    league.store.close()
    over = played_league.with_suffix(".db")
    for name, record in (("ladder.season-1", over), ("a", over), ("now", tmp_path / "open.db")):
        show_league(site, registry, record, name)
    listed = [(each.name, each.ended is None) for each in shown_leagues(site)]
    assert listed == [("now", True), ("a", False), ("ladder.season-1", False)]


def test_a_hidden_league_leaves_nothing(site: Site, registry: Registry, tmp_path: Path) -> None:
    show_league(site, registry, small_record(tmp_path), "spring")
    hide_league(site, registry, "spring")
    assert (shown_leagues(site), [*site.league_pages.iterdir()]) == ((), [])
    for name in ("spring", "..", "", "../published"):
        with pytest.raises(Missing):
            hide_league(site, registry, name)


def test_what_cannot_be_shown_leaves_nothing(
    site: Site, registry: Registry, tmp_path: Path
) -> None:
    record, nowhere = small_record(tmp_path), tmp_path / "nowhere.db"
    wrong = [(name, record, Refusal) for name in ("Cup", "../cup", "", ".", "..", "-x")]
    for name, shown, error in (*wrong, ("cup", nowhere, ArenaError)):
        with pytest.raises(error):
            show_league(site, registry, shown, name)
    assert not site.league_pages.exists()


# --- deals that are shown to watchers ---


BOTS = ("Anna", "Bert", "Cara")
LINE = msgspec.structs.replace(MADE.deal().lines[0], bots=BOTS)
RESULT: Any = LINE.result


def line(match: int, points: int, declarer: int | None = 0, **more: object) -> TravellerLine:
    """A seating in which a declarer had some card points."""
    result = msgspec.structs.replace(
        RESULT,
        declarer=declarer,
        points=Tally(points, 120 - points, (0, 0, 0), 0),
        level="ge61" if points > 60 else "31_60",
    )
    paid = (2, -1, -1) if points > 60 else (-4, 2, 2)
    given = {"match": match, "declarer": declarer, "result": result, "payments": paid, **more}
    return msgspec.structs.replace(LINE, **given)


WEAK = line(1, 61, bots=("Dora", "Bert", "Cara"))
PASSED = line(1, 61, declarer=None, contract="table")
FAULT = line(2, 61, fault=FaultShown(0, "timeout"))


@pytest.mark.parametrize(
    ("deals", "shown"),
    [
        pytest.param([[line(1, 90), line(2, 66), line(3, 20)]], [2], id="the closest of a deal"),
        pytest.param(
            [[line(1, 75)], [line(2, 59, 1)], [line(3, 120, 2)]], [2, 1, 3], id="the closer deal"
        ),
        pytest.param(
            [[line(1, 70), line(2, 71)], [line(3, 70, 1), line(4, 50, 1)]],
            [3, 1],
            id="cards that ended differently",
        ),
        pytest.param([[WEAK], [line(2, 61)]], [2, 1], id="strong players before weak ones"),
        pytest.param([[PASSED, FAULT]], [], id="none without a declarer or with a fault"),
        pytest.param([[PASSED, FAULT, line(3, 120)]], [3], id="the one that has neither"),
    ],
)
def test_the_deals_shown_to_watchers_are_the_worthiest_first(
    deals: list[list[TravellerLine]], shown: list[int]
) -> None:
    made = (msgspec.structs.replace(MADE.deal(), lines=tuple(lines)) for lines in deals)
    shows = [worth_watching(each, {"Anna": 1.0, "Dora": 0.0}) for each in made]
    assert [show.match for show in mixed([it for it in shows if it is not None])] == shown


def test_no_declarer_is_shown_over_and_over() -> None:
    shows = [
        ShownDeal(match=number, number=0, bots=BOTS, stakes=2, declarer=declarer, worth=worth)
        for number, (declarer, worth) in enumerate([("a", 3.0), ("a", 2.9), ("a", 2.8), ("b", 2.5)])
    ]
    assert [show.declarer for show in mixed(shows)] == ["a", "a", "b", "a"]
