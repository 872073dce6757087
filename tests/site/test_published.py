"""What is published, as one process writes and another reads it."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.base.refusals import Busy
from arena.site.published import Published, Publisher


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "published" / "published.db"


@pytest.fixture
def publisher(path: Path) -> Iterator[Publisher]:
    found = Publisher(path)
    yield found
    found.close()


@pytest.fixture
def published(path: Path) -> Iterator[Published]:
    found = Published(path)
    yield found
    found.close()


def test_nothing_is_published_before_somebody_has(published: Published) -> None:
    assert published.document("standings") is None
    assert published.before("matches", None, 10) == []


def test_a_version_is_seen_whole_or_not_at_all(publisher: Publisher, published: Published) -> None:
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


def test_what_is_put_again_is_no_news(publisher: Publisher, path: Path) -> None:
    for value in (1, 2):
        publisher.put("a", value)
        publisher.publish()
    before = path.stat().st_mtime_ns
    publisher.put("a", 2)
    publisher.publish()
    assert path.stat().st_mtime_ns == before


def test_a_list_is_read_from_its_end_in_both_directions(
    publisher: Publisher, published: Published
) -> None:
    for number in (1, 2, 5, 7):
        publisher.add("matches", number, number)
    publisher.add("others", 6, 6)
    publisher.publish()
    assert published.before("matches", None, 2) == [(7, b"7"), (5, b"5")]
    assert published.before("matches", 5, 2) == [(2, b"2"), (1, b"1")]


def test_what_is_of_another_format_is_made_anew(path: Path, published: Published) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database at all")
    with pytest.raises(Busy):
        published.document("a")
    Publisher(path).close()
    assert published.document("a") is None
    with closing(sqlite3.connect(path)) as sql:
        sql.execute("UPDATE facts SET value = '99'")
        sql.commit()
    published.close()
    with pytest.raises(Busy):
        published.document("a")  # nobody reads what it does not know
    publisher = Publisher(path)
    publisher.put("a", 1)
    publisher.publish()
    publisher.close()
    assert published.document("a"), "the file that has the name now"


def test_a_reader_writes_nothing(publisher: Publisher, published: Published, path: Path) -> None:
    publisher.put("a", 1)
    publisher.publish()
    assert published.document("a")
    assert os.listdir(path.parent) == [path.name]
    assert published._sql is not None
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        published._sql.execute("DELETE FROM documents")
