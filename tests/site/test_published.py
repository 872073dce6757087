"""What is published, as one process writes and another reads it."""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from arena.base.refusals import Busy
from arena.site.published import LARGEST, Document, Published, Publisher


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "published" / "published.db"


@pytest.fixture
def publisher(path: Path) -> Iterator[Publisher]:
    found = Publisher.open(path)
    yield found
    found.close()


@pytest.fixture
def published(path: Path) -> Iterator[Published]:
    found = Published(path)
    yield found
    found.close()


def test_nothing_is_published_before_somebody_has(published: Published) -> None:
    assert published.version() == 0
    assert published.document("standings") is None
    assert published.before("matches", None, 10) == []
    assert published.after("matches", 0, 10) == ([], 0)


def test_a_version_is_seen_whole_or_not_at_all(publisher: Publisher, published: Published) -> None:
    with publisher.news() as news:
        news.put("standings", b"[1]")
    with suppress(ZeroDivisionError), publisher.news() as news:
        news.put("standings", b"[2]")
        assert published.document("standings") == Document(1, b"[1]")
        raise ZeroDivisionError
    assert published.version() == 1
    assert published.document("standings") == Document(1, b"[1]")


def test_a_document_has_the_version_in_which_it_changed(
    publisher: Publisher, published: Published
) -> None:
    for data in (b"1", b"1", b"2"):
        with publisher.news() as news:
            news.put("a", data)
    assert published.document("a") == Document(3, b"2")
    with publisher.news() as news:
        news.drop("a")
        with pytest.raises(ValueError, match="has 16777217 bytes"):
            news.put("b", bytes(LARGEST + 1))
    assert published.document("a") is None


def test_a_list_is_read_from_its_end_in_both_directions(
    publisher: Publisher, published: Published
) -> None:
    with publisher.news() as news:
        for number in (1, 2, 5, 7):
            news.add("matches", number, b"%d" % number)
        news.add("others", 6, b"6")
    assert published.before("matches", None, 2) == [(7, b"7"), (5, b"5")]
    assert published.before("matches", 5, 2) == [(2, b"2"), (1, b"1")]
    assert published.after("matches", 1, 9) == ([(2, b"2"), (5, b"5"), (7, b"7")], 0)
    assert published.after("matches", 0, 2) == ([(5, b"5"), (7, b"7")], 2)
    with publisher.news() as news:
        news.remove("matches", 7)
        news.remove("others")
    assert published.before("matches", None, 1) == [(5, b"5")]
    assert published.before("others", None, 1) == []


def test_what_is_of_another_format_is_made_anew(path: Path, published: Published) -> None:
    path.parent.mkdir()
    path.write_bytes(b"no database at all")
    with pytest.raises(Busy):
        published.version()
    Publisher.open(path).close()
    assert published.version() == 0
    with closing(sqlite3.connect(path)) as sql:
        sql.execute("PRAGMA user_version=99")
    published.close()
    assert published.document("a") is None, "and nobody reads what it does not know"
    publisher = Publisher.open(path)
    with publisher.news() as news:
        news.put("a", b"1")
    publisher.close()
    assert published.document("a") == Document(1, b"1"), "the file that has the name now"


def test_a_reader_writes_nothing(publisher: Publisher, published: Published, path: Path) -> None:
    with publisher.news() as news:
        news.put("a", b"1")
    assert published.document("a")
    assert os.listdir(path.parent) == [path.name]
    assert published._sql is not None
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        published._sql.execute("DELETE FROM documents")
