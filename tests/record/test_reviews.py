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


@pytest.mark.parametrize("there", [False, True], ids=["no file", "its maker was killed at once"])
def test_where_nothing_was_kept_nothing_is_found_until_it_is_kept(
    tmp_path: Path, there: bool
) -> None:
    path = tmp_path / "league.reviews"
    if there:
        path.touch()
    with closing(Reviews.open(path)) as kept:
        assert (kept.find(KEY), list(kept.worlds()), path.exists()) == (None, [], there)
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
    kept_steps = [
        sorted(verdict.step for _, findings in found for verdict in findings.verdicts)
        for found, _ in (first, second)
    ]
    assert [[each.step for each in verdicts] for verdicts in shown.values()] == kept_steps
    (turns, key), *_ = next(deals_with_keys(match, 2 * WORLDS))
    findings = first[0][0][1]
    changed = tuple(msgspec.structs.replace(each, worlds=77) for each in findings.verdicts)
    with writing(path) as kept:
        kept.keep(2 * WORLDS, [(key, msgspec.structs.replace(findings, verdicts=changed))])
    again = reviews_of(match, path.with_name("league.db"))
    assert {each.worlds == 77 for each in again[0] if each.seat == turns.seat} == {True}
    assert ([*shown], again[1]) == ([0, 1], shown[1])


NO_REVIEWS = "league.reviews: this cannot be opened as a file of reviews"
DAMAGED = "this file of reviews is damaged"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        (b"not SQLite at all" * 100, NO_REVIEWS),
        (b"SQLite format 3\0" + bytes(4080), NO_REVIEWS),
        ("CREATE TABLE league (key TEXT)", "it has other tables"),
        ("UPDATE reviews SET findings = x''", DAMAGED),
        ("UPDATE reviews SET findings = x'789c'", DAMAGED),
        (f"UPDATE reviews SET findings = x'{zlib.compress(b'{').hex()}'", DAMAGED),
        (f"UPDATE reviews SET findings = x'{zlib.compress(bytes(5 << 20)).hex()}'", DAMAGED),
    ],
    ids=["no SQLite", "half", "other tables", "nothing", "half a review", "no JSON", "a bomb"],
)
def test_a_file_of_something_else_or_with_a_damaged_review_is_refused_in_one_line(
    path: Path, wrong: bytes | str, why: str
) -> None:
    if isinstance(wrong, bytes):
        path.write_bytes(wrong)
    else:
        with closing(sqlite3.connect(path, isolation_level=None)) as sql:
            sql.execute(wrong)
    with pytest.raises(ArenaError, match=rf"\A.*{why}.*\Z"), writing(path) as kept:
        kept.find(KEY)


def test_a_folder_that_is_not_there_is_named_as_the_cause(tmp_path: Path) -> None:
    why = "the file of reviews cannot be written: there is no such folder"
    with pytest.raises(MachineError, match=why):
        Reviews.open(tmp_path / "nowhere" / "league.reviews", create=True)
