"""Reviews kept beside a record: found by what they are of, and told clearly where they are not."""

import sqlite3
from pathlib import Path

import pytest

from arena.base.errors import ArenaError, MachineError
from arena.record.reviews import Reviews
from arena.review.turns import Findings

KEY = bytes(range(32))
FOUND = Findings((), 3)


def opened(path: Path) -> Reviews:
    found = Reviews.open(path, writing=True)
    assert found is not None
    return found


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with one review."""
    path = tmp_path / "league.reviews"
    opened(path).keep([(KEY, FOUND)])
    return path


def test_what_was_kept_is_found_by_its_key_alone(path: Path) -> None:
    kept = Reviews.open(path)
    assert kept is not None
    assert kept.find(KEY) == FOUND
    assert kept.find(bytes(32)) is None


def test_where_nothing_was_kept_nothing_is_read_and_no_file_made(tmp_path: Path) -> None:
    assert Reviews.open(tmp_path / "league.reviews") is None
    assert not list(tmp_path.iterdir())


def test_a_file_whose_maker_was_killed_at_once_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "league.reviews"
    path.touch()
    assert Reviews.open(path) is None
    opened(path).keep([(KEY, FOUND)])
    assert opened(path).find(KEY) == FOUND


def test_two_may_keep_the_same(path: Path) -> None:
    one, other = opened(path), opened(path)
    one.keep([(KEY, FOUND)])
    other.keep([(KEY, FOUND), (bytes(32), FOUND)])
    assert one.find(bytes(32)) == FOUND


@pytest.mark.parametrize("wrong", [b"not SQLite at all" * 100, b"SQLite format 3\0" + bytes(4080)])
def test_a_file_of_something_else_is_told_in_one_line(path: Path, wrong: bytes) -> None:
    path.write_bytes(wrong)
    with pytest.raises(
        ArenaError, match=r"league.reviews: this file of reviews is damaged"
    ) as told:
        opened(path)
    assert len(str(told.value).splitlines()) == 1


@pytest.mark.parametrize(
    "value", [b"", b"\x78\x9c", "text", b"x\x9cK\xcbL\xa9\x02\x00\x06t\x02\x05"], ids=repr
)
def test_a_damaged_review_is_told_in_one_line(path: Path, value: bytes | str) -> None:
    with sqlite3.connect(path) as sql:
        sql.execute("PRAGMA ignore_check_constraints=ON")
        sql.execute("UPDATE reviews SET findings = CAST(? AS BLOB)", (value,))
    with pytest.raises(ArenaError, match="damaged or not one"):
        opened(path).find(KEY)


def test_a_record_is_no_file_of_reviews(path: Path) -> None:
    with sqlite3.connect(path) as sql:
        sql.execute("CREATE TABLE league (key TEXT)")
    with pytest.raises(ArenaError, match="it has more than our tables"):
        Reviews.open(path)


def test_a_folder_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(MachineError, match="reviews cannot be kept here"):
        Reviews.open(tmp_path / "nowhere" / "league.reviews", writing=True)
