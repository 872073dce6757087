"""What an open league shows: its whole ledger, from which strangers recompute its deals.

Its matches are shown when it says so, and its page shows no more.
"""

import json
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from arena.base.errors import ArenaError
from arena.league.ledger import (
    Closed,
    Committed,
    Entry,
    Joined,
    Ordered,
    Sealed,
    lines_after,
    order_seed,
)
from arena.league.schedule import commitment
from arena.record.publishing import may_show, public_ledger
from arena.record.rows import encode_json
from arena.record.store import Store
from tests.record import stranger
from tests.support.command import run, run_here
from tests.support.open_record import SEED, Opened, open_record
from tests.support.records import small_record

GUIDE = Path(__file__).parents[2] / "protocol/deals.md"


def over(path: Path, orders: int) -> Path:
    """The record of a season that is over, without a final."""
    league = Opened(path, logs=orders > 1)
    with closing(league.store):
        league.go_on(orders)
        league.append(Closed(1, ()), Sealed(1, SEED))
    return path


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return over(tmp_path_factory.mktemp("open") / "ladder.db", 2)


def test_a_stranger_recomputes_every_deal_of_a_season_that_is_over(
    record: Path, tmp_path: Path
) -> None:
    ledger, logs = tmp_path / "ledger.json", tmp_path / "logs.jsonl"
    ledger.write_text(run("ledger", record, "--json").stdout)
    logs.write_text(run("export", record, "logs").stdout)
    words = [sys.executable, "-I", "-S", stranger.__file__, str(ledger), str(logs)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.stderr, done.stdout) == ("", "12 120\n")


def test_a_stranger_notices_other_cards_and_changed_lines(record: Path) -> None:
    ledger = json.loads(run("ledger", record, "--json").stdout)
    logs = [json.loads(line) for line in run("export", record, "logs", "1").stdout.splitlines()]
    assert stranger.recompute(ledger, logs) == (1, 10)
    dealer, one, other, *rest = logs[2]["cards"].split("|")
    logs[2]["cards"] = "|".join([dealer, other, one, *rest])
    with pytest.raises(AssertionError, match="another deal"):
        stranger.recompute(ledger, logs)
    ledger["lines"][1]["text"] = ledger["lines"][1]["text"].replace("author", "writer")
    with pytest.raises(AssertionError, match="line 2 was changed"):
        stranger.recompute(ledger, logs)


def test_the_secret_is_shown_once_the_season_is_over(record: Path, tmp_path: Path) -> None:
    under_way = open_record(tmp_path / "ladder.db", orders=1)
    for path, secret in ((under_way, None), (record, SEED)):
        with closing(Store.open(path)) as store:
            found, seeds = public_ledger(store), store.seeds()
        shown = run("ledger", path).stdout + run("ledger", path, "--json").stdout
        assert (found.commitment, found.secret) == (commitment(SEED), secret)
        assert found.hash == found.lines[-1].hash
        assert [seed for seed in seeds if seed in shown] == []
        assert found.commitment in shown
        assert ("secret     7" in shown) == (secret is not None)


def test_the_example_of_the_specification_is_right() -> None:
    text = GUIDE.read_text()
    example = text[text.index("## An open league") :]
    bots = dict(re.findall(r"^([ABC]) +([0-9a-f]{64})$", example, re.MULTILINE))
    said = dict(re.findall(r"^(\w+): +(\S.*)$", example, re.MULTILINE))
    joined = [Joined(bot, content, f"author of {bot}", False) for bot, content in bots.items()]
    order = Ordered(1, ("A", "B", "C"), 0, 10, 0, "table")
    entries: list[Entry] = [Committed(commitment("7")), *joined, order]
    first, *_, line = lines_after(None, "2026-01-01T00:00:00+00:00", entries)
    seed = order_seed("7", line.hash)
    wanted = {
        "commitment": commitment("7"),
        "first": first.text,
        "last": line.text,
        "hash": line.hash,
        "seed": seed,
        "deck": " ".join(stranger.shuffled(f"zole deal 1\n{seed}\nA\nB\nC\n0")),
    }
    assert {key: said[key] for key in wanted} == wanted


def publish(path: Path, when: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        [(text,)] = sql.execute("SELECT value FROM league WHERE key = 'facts'")
        facts = msgspec.json.decode(text)
        facts["terms"]["config"]["publish"] = when
        sql.execute("UPDATE league SET value = ? WHERE key = 'facts'", (encode_json(facts),))


def shown(path: Path) -> list[int]:
    """The numbers of the matches that may be shown."""
    with closing(Store.open(path)) as store:
        shows = may_show(store.terms().config, store.fold())
        return [each.match for each in store.outlines() if shows(each.bots)]


FIRST, BOTH = list(range(1, 7)), list(range(1, 13))


@pytest.mark.parametrize(("when", "numbers"), [("at_once", BOTH), ("season", [])])
def test_matches_are_shown_when_the_league_says(
    tmp_path: Path, when: str, numbers: list[int]
) -> None:
    path = open_record(tmp_path / "ladder.db", orders=2)
    publish(path, when)
    assert shown(path) == numbers


def test_all_of_a_season_that_is_over_may_be_shown(tmp_path: Path) -> None:
    path = over(tmp_path / "ladder.db", 1)
    publish(path, "season")
    assert shown(path) == FIRST


def test_a_league_that_is_not_open_shows_all_its_matches_and_has_no_ledger(tmp_path: Path) -> None:
    path = small_record(tmp_path)
    assert shown(path) == [1, 2, 3]
    with (
        closing(Store.open(path)) as store,
        pytest.raises(ArenaError, match="only open leagues have"),
    ):
        public_ledger(store)


def test_matches_of_house_bots_alone_may_be_shown_at_once_and_a_page_has_no_others(
    tmp_path: Path,
) -> None:
    league = Opened(tmp_path / "ladder.db", bots="", logs=True)
    with closing(league.store):
        league.join("r", "s", "t", house=True)
        league.go_on(1)
        league.join("a")
        league.go_on(1)
    path, pages = league.path, league.path.with_suffix(".pages")
    publish(path, "season")
    assert shown(path) == FIRST
    for options, numbers in ((["all"], FIRST), (["all", "--private"], BOTH)):
        done = run_here("report", path, "--replays", *options)
        assert done.returncode == 0, done.stderr
        assert {page.name for page in pages.glob("[0-9]*.html")} == {f"{n}.html" for n in numbers}
    assert run_here("report", path, "--replays", "few").returncode == 0
    assert {int(page.stem) for page in pages.glob("[0-9]*.html")} <= set(FIRST)
