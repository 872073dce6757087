"""What an open league shows: its whole ledger, from which strangers recompute its deals.

Its matches are shown when it says so, and its page shows no more.
"""

import json
import re
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

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
from arena.record.store import Store
from tests.record import stranger
from tests.support.command import document, output
from tests.support.open_record import SEED, Opened, open_record
from tests.support.records import small_record

GUIDE = Path(__file__).parents[2] / "protocol/deals.md"


def over(path: Path, orders: int, **settings: str) -> Path:
    """The record of a season that is over, without a final."""
    league = Opened(path, logs=orders > 1, **settings)
    with closing(league.store):
        league.go_on(orders)
        league.append(Closed(1, ()), Sealed(1, SEED))
    return path


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return over(tmp_path_factory.mktemp("open") / "ladder.db", 2)


def test_a_stranger_recomputes_every_deal_of_a_season_that_is_over_and_notices_changes(
    record: Path,
) -> None:
    ledger = document("ledger", record)
    logs = [json.loads(line) for line in output("export", record, "logs").splitlines()]
    assert stranger.recompute(ledger, logs) == (12, 120)
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
        shown = output("ledger", path) + output("ledger", path, "--json")
        assert (found.commitment, found.secret) == (commitment(SEED), secret)
        assert found.hash == found.lines[-1].hash
        assert [seed for seed in seeds if seed in shown] == []
        assert found.commitment in shown
        assert ("secret     7" in shown) == (secret is not None)


def test_the_example_of_the_specification_is_right() -> None:
    _, _, example = GUIDE.read_text().partition("## An open league")
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


FIRST, BOTH = list(range(1, 7)), list(range(1, 13))


def of_the_house(path: Path) -> Path:
    """The record of a league of house bots, to which another came."""
    league = Opened(path, bots="", logs=True, publish="season")
    with closing(league.store):
        league.join("r", "s", "t", house=True)
        league.go_on(1)
        league.join("a")
        league.go_on(1)
    return path


@pytest.mark.parametrize(
    ("make", "numbers"),
    [
        (lambda path: open_record(path, orders=2, publish="at_once"), BOTH),
        (lambda path: open_record(path, orders=2, publish="season"), []),
        (lambda path: over(path, orders=1, publish="season"), FIRST),
        (of_the_house, FIRST),
        (lambda path: small_record(path.parent), [1, 2, 3]),
    ],
    ids=["at once", "under way", "over", "house bots alone", "not an open league"],
)
def test_matches_are_shown_when_the_league_says(
    tmp_path: Path, make: Callable[[Path], Path], numbers: list[int]
) -> None:
    with closing(Store.open(make(tmp_path / "ladder.db"))) as store:
        shows = may_show(store.terms().config, store.fold())
        assert [each.match for each in store.outlines() if shows(each.bots)] == numbers


def test_a_page_has_no_replay_of_a_match_that_may_not_be_shown(tmp_path: Path) -> None:
    path = of_the_house(tmp_path / "ladder.db")

    def pages(*options: str) -> set[int]:
        output("report", path, "--replays", *options)
        return {int(page.stem) for page in path.with_suffix(".pages").glob("[0-9]*.html")}

    assert pages("all") == {*FIRST}
    assert pages("all", "--private") == {*BOTH}
    assert pages("few") <= {*FIRST}


def test_a_league_that_is_not_open_has_no_ledger(tmp_path: Path) -> None:
    with (
        closing(Store.open(small_record(tmp_path))) as store,
        pytest.raises(ArenaError, match="only open leagues have"),
    ):
        public_ledger(store)
