"""A record that a stranger made is opened, and neither acts nor costs more than its size."""

import gzip
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

import msgspec
import pytest

from arena.base.database import Allowance
from arena.base.errors import ArenaError
from arena.record.facts import IDENTITY
from arena.record.lock import lock
from arena.record.rows import encode_json
from arena.record.store import Store
from arena.record.times import read_times
from arena.record.writer import Writer
from tests.support.hostile_files import small_record
from tests.support.hostile_pages import Pages, with_endless_voids


@pytest.fixture
def record(tmp_path: Path) -> Path:
    return small_record(tmp_path)


def changed(record: Path, *statements: str) -> Path:
    with closing(sqlite3.connect(record, isolation_level=None)) as sql:
        for statement in statements:
            sql.execute(statement)
    return record


def refused(use: Callable[[], object]) -> str:
    with pytest.raises(ArenaError) as caught:
        use()
    [mistake] = caught.value.mistakes
    return mistake.what


ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i, i FROM n"


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE VIEW more AS SELECT 1",
        "CREATE TRIGGER more AFTER INSERT ON league BEGIN DELETE FROM matches; END",
        "CREATE TABLE more (x)",
        "CREATE INDEX more ON league (hex(value))",
    ],
)
def test_a_record_has_no_more_than_our_tables(record: Path, statement: str) -> None:
    what = refused(lambda: Store.open(changed(record, statement)))
    assert what == "this is not the record of a league: it has more than our tables"


@pytest.mark.parametrize("table", ["league", "matches", "voids"])
def test_an_endless_view_in_place_of_a_table_is_never_asked(record: Path, table: str) -> None:
    changed(record, f"DROP TABLE {table}", f"CREATE VIEW {table} AS {ENDLESS}")
    what = refused(lambda: Store.open(record))
    assert what == "this is not the record of a league: it has no tables of ours"


def test_what_analyze_leaves_is_the_owner_s(record: Path) -> None:
    Store.open(changed(record, "ANALYZE")).close()


def test_rows_that_a_file_cannot_hold_are_not_counted_to_their_end(record: Path) -> None:
    """Pages that point to one another's pages again and again give more rows than there are."""
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT "
    with closing(Store.open(record)) as store:
        with pytest.raises(ValueError, match="more rows than its size"):
            list(store.rows(f"{endless} i FROM n"))
        with pytest.raises(sqlite3.OperationalError, match="interrupted"):
            store.sql.execute(f"{endless} count(*) FROM n").fetchone()


def test_pages_are_checked_before_they_are_read_and_those_of_logs_before_all_logs_are(
    record: Path,
) -> None:
    """Of one match the log is read as it is: whoever asks for it need not wait for all others."""
    changed(record, "PRAGMA page_size=512", "VACUUM")
    shared = record.with_name("shared.db")
    shared.write_bytes(record.read_bytes())
    with closing(sqlite3.connect(shared)) as sql:
        query = "SELECT rootpage FROM sqlite_master WHERE name = 'logs'"
        (root,) = sql.execute(query).fetchone()
    pages = Pages(shared.read_bytes())
    first, *others = (cell.overflow for cell in pages.cells(root) if cell.overflow)
    for each in others:
        pages.put(each, pages.get(first))
    shared.write_bytes(pages.whole)
    with closing(Store.open(shared)) as store:
        assert len(list(store.played())) == 3
        assert [number for number, *_ in store.matches(1)] == [1]
        for read in (store.matches, store.logs, partial(store.matches, faulty=True)):
            assert "this record is damaged: " in refused(partial(_exhaust, read))
    with closing(Store.open(shared, own=True)) as store:
        assert len(list(store.logs())) == 3
    with_endless_voids(record)
    assert "this record is damaged: " in refused(lambda: Store.open(record))
    assert "this record is damaged: " in refused(lambda: Writer.open(record))


def _exhaust(read: Callable[[], Iterator[object]]) -> None:
    for _ in read():
        pass


def test_a_list_of_tables_without_end_is_not_read_for_long(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    millions: list[Allowance] = []

    def exceeded(allowance: Allowance) -> bool:
        millions.append(allowance)
        return True

    monkeypatch.setattr(Allowance, "exceeded", exceeded)
    pages = Pages(record.read_bytes())
    [last] = [each for each in pages.trees if each > 1 and pages.get(pages.pointers(1)[-1]) == each]
    pages.lattice(last, levels=18, width=99)
    record.write_bytes(pages.whole)
    assert "more reading than its size can need" in refused(lambda: Store.open(record))
    assert not millions, "a million of SQLite's steps"


@pytest.mark.parametrize(
    "content",
    [gzip.compress(bytes(2 << 20), 1), b"\x1f\x8b", b"no gzip", b""],
    ids=["a bomb", "a beginning", "no gzip", "nothing"],
)
def test_a_log_is_unpacked_within_bounds(
    monkeypatch: pytest.MonkeyPatch, record: Path, content: bytes
) -> None:
    monkeypatch.setattr("arena.match.log.LARGEST_LOG", 1 << 20)
    with closing(sqlite3.connect(record, isolation_level=None)) as sql:
        sql.execute("UPDATE logs SET log = ?", (content,))
    if content:
        with closing(Store.open(record)) as store:
            assert refused(lambda: read_times(store)).startswith("this record is damaged")


def test_a_fault_is_that_of_a_deal_that_can_be_written_again(record: Path) -> None:
    deal = """UPDATE faults SET fault = replace(fault, '"deal":', '"deal":1180591620717411303')"""
    with closing(Store.open(changed(record, deal))) as store:
        assert "cannot be a number in a record" in refused(lambda: list(store.matches()))


@pytest.mark.parametrize("digest", ["/etc", "../../x", "A" * 64, "a" * 63, "a" * 64 + "\n", ""])
def test_a_digest_is_a_digest(record: Path, digest: str) -> None:
    with closing(Store.open(record)) as store:
        terms = store.terms()
    evil = msgspec.structs.replace(terms, bots={**terms.bots, "a": digest})
    with closing(sqlite3.connect(record, isolation_level=None)) as sql:
        sql.execute("UPDATE league SET value = ? WHERE key = 'terms'", (encode_json(evil),))
    with closing(Store.open(record)) as store:
        assert "is not the hash of a bot" in refused(store.terms)


def test_an_identity_is_no_path_to_a_file_that_a_lock_would_remove(
    record: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "mine"
    mine.write_text("the organiser's own")
    changed(record, f"INSERT OR REPLACE INTO league VALUES ('{IDENTITY}', '{mine}')")

    def use() -> None:
        with closing(Store.open(record)) as store, lock(store):
            pass

    assert f"{IDENTITY} cannot be" in refused(use)
    assert mine.exists()


def test_a_journal_that_names_another_file_removes_nothing(record: Path, tmp_path: Path) -> None:
    mine = tmp_path / "mine"
    mine.write_text("the organiser's own")
    name = str(mine).encode()
    journal = Path(f"{record}-journal")
    page = record.read_bytes()[:512]
    header = bytes.fromhex("d9d505f920a163d7") + b"".join(
        number.to_bytes(4, "big") for number in (1, 0, len(record.read_bytes()) // 512, 512, 512)
    )
    body = (1).to_bytes(4, "big") + page + b"\0\0\0\0"
    tail = (
        (1 << 30 // 512).to_bytes(4, "big") + name + len(name).to_bytes(4, "big")
        + sum(name).to_bytes(4, "big") + bytes.fromhex("d9d505f920a163d7")
    )  # fmt: skip
    journal.write_bytes(header.ljust(512, b"\0") + body + tail)
    assert "names another file" in refused(lambda: Store.open(record))
    assert mine.exists()


@pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, Path.touch])
def test_what_is_no_record_is_an_error_at_once(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    make(tmp_path / "league.db")
    assert refused(lambda: Store.open(tmp_path / "league.db"))
