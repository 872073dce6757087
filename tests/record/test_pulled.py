"""Logs from elsewhere become a record, or are refused in one sentence."""

import contextlib
import random
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.base.errors import ArenaError
from arena.match.commands import MatchPlan
from arena.record.export import whole_log
from arena.record.matches import ReplayedMatch, find_match, stored_matches, verify_all
from arena.record.pulled import keep_match, last_pulled, read_logs
from arena.record.store import Store
from arena.zole.rules import preset
from tests.support.alike import mixed, played, stored
from tests.support.scripted import plan_of


def match_by(plan: MatchPlan, seed: int, number: int = 7) -> ReplayedMatch:
    dice = random.Random(seed)
    _, log = played(plan, lambda _, question: mixed(dice, question))
    return msgspec.structs.replace(stored(plan, log), number=number)


def sent(match: ReplayedMatch) -> ReplayedMatch:
    """A match as it comes by its text."""
    [found] = read_logs(whole_log(match, private=True).encode(), "logs")
    return found


def test_a_match_in_a_record_of_logs_is_the_one_that_was_sent(tmp_path: Path) -> None:
    path = tmp_path / "logs.db"
    first = match_by(plan_of(deals=3), 1)
    assert last_pulled(path, "") == 0
    assert keep_match(path, sent(first))
    assert not keep_match(path, sent(first))
    assert last_pulled(path, "") == 7
    with closing(Store.open(path)) as store:
        found = find_match(store, 7)
    assert found.deals == first.deals
    assert found.plan.seeds == first.plan.seeds
    assert found.record.stderr == first.record.stderr


def test_tables_of_three_and_of_four_go_together(tmp_path: Path) -> None:
    path = tmp_path / "logs.db"
    for players in (3, 4):
        keep_match(
            path, sent(match_by(plan_of(preset("pagat", {"players": players}), 2), 1, players))
        )
    with closing(Store.open(path)) as store:
        assert {len(match.bots) for match in stored_matches(store)} == {3, 4}
        assert [wrong for *_, wrong in verify_all(store)] == [None, None]


def test_a_record_has_the_logs_of_one_site(tmp_path: Path) -> None:
    path, match = tmp_path / "logs.db", sent(match_by(plan_of(deals=1), 1))
    keep_match(path, match, "https://a")
    for site in ("https://b", ""):
        with pytest.raises(ArenaError, match="this is from https://a; name another record"):
            keep_match(path, match, site)
    assert last_pulled(path, "https://a") == 7


@pytest.mark.parametrize(
    ("other", "said"),
    [
        (lambda: match_by(plan_of(deals=3), 2), "match 7 is of another league"),
        (
            lambda: match_by(plan_of(preset("pagat", {"conduct": {"corrections": 1}}), 3), 1, 8),
            "match 8 is of another league",
        ),
    ],
)
def test_what_does_not_go_together_is_refused(
    tmp_path: Path, other: Callable[[], ReplayedMatch], said: str
) -> None:
    path = tmp_path / "logs.db"
    keep_match(path, sent(match_by(plan_of(deals=3), 1)))
    with pytest.raises(ArenaError, match=said):
        keep_match(path, sent(other()))


@pytest.mark.parametrize(
    "change",
    [
        {"match": {"match": -1}},
        {"match": {"first": -1}},
        {"match": {"first": 1 << 60}},
        {"plan": {"session": -1}},
        {"match": {"bots": ["a", "b"]}},
        {"match": {"bots": ["", "b", "c"]}},
        {"match": {"bots": ["a", "a", "a"]}},
        {"match": {"faults": 99}},
        {"stderr": ["one"]},
        {"due": 4},
        {"plan": {"session": 0}},
        {"plan": {"session": -5}},
        {"plan": {"max_faults": 0}},
        {"plan": {"people": {"7": {"move_s": 60, "start_s": 60, "line_bytes": 256}}}},
        {"plan": {"rules": {"players": 4}}},
        {"plan": {"rules": {"players": 2}}},
        {"log": "two"},
    ],
)
def test_a_header_that_does_not_fit_its_log_is_refused(change: dict[str, Any]) -> None:
    head, _, lines = whole_log(match_by(plan_of(deals=3), 1), private=True).partition("\n")
    made = msgspec.json.decode(head)

    def put(into: dict[str, Any], what: dict[str, Any]) -> None:
        for key, value in what.items():
            if isinstance(value, dict) and key in into:
                put(into[key], value)
            else:
                into[key] = value

    put(made, change)
    text = f"{msgspec.json.encode(made).decode()}\n{lines}"
    with pytest.raises(ArenaError, match="logs:1: "):
        list(read_logs(text.encode(), "logs"))


def test_any_other_bytes_are_a_match_or_refused() -> None:
    text = whole_log(match_by(plan_of(deals=2), 1), private=True).encode()
    dice = random.Random(1)
    for _ in range(300):
        at, size = dice.randrange(len(text)), dice.choice((0, 1, 1, 40))
        put = bytes(dice.choice(b'{}[]",:019-AQx\n') for _ in range(dice.randrange(3)))
        with contextlib.suppress(ArenaError):
            list(read_logs(text[:at] + put + text[at + size :], "logs"))
