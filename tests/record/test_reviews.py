"""Reviews kept beside a record: found by what they are of; what is wrong with a file is said."""

import sqlite3
import zlib
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from arena.base.errors import ArenaError, MachineError
from arena.record.reviews import Reviews, deals_with_keys, reviews_of
from tests.support.alike import stored
from tests.support.reviewed import WORLDS, chance_match, found_by_chance

KEY = bytes(range(32))
_, FOUND = found_by_chance()[0][0]


def writing(path: Path) -> closing[Reviews]:
    return closing(Reviews.open(path, create=True))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A file with one review."""
    path = tmp_path / "league.reviews"
    with writing(path) as kept:
        kept.keep(WORLDS, [(KEY, FOUND)])
    return path


def test_where_nothing_was_kept_nothing_is_found_and_no_file_made(tmp_path: Path) -> None:
    with closing(Reviews.open(tmp_path / "league.reviews")) as kept:
        assert (kept.find(KEY), list(kept.worlds())) == (None, [])
    assert not list(tmp_path.iterdir())


def test_a_file_whose_maker_was_killed_at_once_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "league.reviews"
    path.touch()
    with closing(Reviews.open(path)) as kept:
        assert kept.find(KEY) is None
    with writing(path) as kept:
        kept.keep(WORLDS, [(KEY, FOUND)])
        assert kept.find(KEY) == FOUND


def test_reviews_are_found_by_their_keys_and_two_may_keep_the_same(path: Path) -> None:
    with writing(path) as one, writing(path) as other:
        one.keep(WORLDS, [(KEY, FOUND)])
        other.keep(WORLDS, [(KEY, FOUND), (bytes(32), FOUND)])
        found = [one.find(key) for key in (KEY, bytes(32), b"\1" * 32)]
    assert found == [FOUND, FOUND, None]


def test_a_match_has_the_verdicts_that_were_kept_on_it_in_order_of_play(path: Path) -> None:
    """Those of the most worlds; deals without any are left out."""
    match = stored(*chance_match())
    first, second, *_ = zip(found_by_chance(), deals_with_keys(match, WORLDS), strict=True)
    with writing(path) as kept:
        for found, keyed in (first, second):
            pairs = zip(found, keyed, strict=True)
            kept.keep(WORLDS, [(key, findings) for (_, findings), (_, key) in pairs])
    shown = reviews_of(match, path.with_name("league.toml"))
    assert [*shown] == [0, 1]
    for (found, _), verdicts in zip((first, second), shown.values(), strict=True):
        assert len(verdicts) == sum(len(each.verdicts) for _, each in found)
        assert [each.step for each in verdicts] == sorted(each.step for each in verdicts)
    (turns, key), *_ = next(deals_with_keys(match, 2 * WORLDS))
    findings = first[0][0][1]
    changed = tuple(msgspec.structs.replace(each, worlds=77) for each in findings.verdicts)
    with writing(path) as kept:
        kept.keep(2 * WORLDS, [(key, msgspec.structs.replace(findings, verdicts=changed))])
    again = reviews_of(match, path.with_name("league.db"))
    assert {each.worlds == 77 for each in again[0] if each.seat == turns.seat} == {True}
    assert again[1] == shown[1]


@pytest.mark.parametrize("wrong", [b"not SQLite at all" * 100, b"SQLite format 3\0" + bytes(4080)])
def test_a_file_of_something_else_is_refused_in_one_line(path: Path, wrong: bytes) -> None:
    path.write_bytes(wrong)
    with pytest.raises(
        ArenaError, match=r"\A.*league.reviews: this cannot be opened as a file of reviews.*\Z"
    ):
        Reviews.open(path, create=True)


@pytest.mark.parametrize(
    "value",
    [b"", b"\x78\x9c", zlib.compress(b"{"), zlib.compress(bytes(5 << 20))],
    ids=["nothing", "half", "no JSON", "a bomb"],
)
def test_a_damaged_review_is_called_that(path: Path, value: bytes) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        sql.execute("UPDATE reviews SET findings = ?", (value,))
    with writing(path) as kept, pytest.raises(ArenaError, match="this file of reviews is damaged"):
        kept.find(KEY)


def test_a_file_with_more_than_reviews_is_refused(path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as sql:
        sql.execute("CREATE TABLE league (key TEXT)")
    with pytest.raises(ArenaError, match="it has other tables"):
        Reviews.open(path)


def test_a_folder_that_is_not_there_is_named_as_the_cause(tmp_path: Path) -> None:
    with pytest.raises(
        MachineError, match="the file of reviews cannot be written: there is no such folder"
    ):
        Reviews.open(tmp_path / "nowhere" / "league.reviews", create=True)
