"""The file of the site: made once, shared by processes, refused where it is not ours."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path

import pytest

from arena.base.refusals import Broken, Busy, NoRoom
from arena.site.registry import REGISTRY_FORMAT, Registry
from arena.site.registry.accounts import accounts
from arena.site.registry.jobs import FILE_REQUESTS, take
from tests.support.registry import at_once, comes_in, opened, take_upload


@pytest.fixture(name="umasked")
def _umasked() -> Iterator[Callable[[int], int]]:
    """What sets the umask for one test."""
    before = os.umask(0o022)
    yield os.umask
    os.umask(before)


@pytest.mark.parametrize("umask", [0o022, 0o077])
@pytest.mark.parametrize("group", [0o050, 0o070])
def test_the_file_is_made_where_there_is_none_for_whom_the_sites_folder_is(
    group: int, umask: int, tmp_path: Path, umasked: Callable[[int], int]
) -> None:
    umasked(umask)
    (tmp_path / "site.site").mkdir()
    (tmp_path / "site.site").chmod(0o700 | group)
    folder = tmp_path / "site.site" / "registry"
    with opened(folder) as registry:
        assert accounts(registry) == []
        modes = {path.name: path.stat().st_mode & 0o777 for path in folder.iterdir()}
    assert {"registry.db", "registry.db-wal", "registry.db-shm"} == {*modes}
    assert {*modes.values()} == {0o600 | group & 0o060}
    for each in (folder, folder.parent):
        assert each.stat().st_mode & 0o777 == 0o700 | group


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o750), (0o077, 0o700)])
def test_the_sites_folder_is_made_as_the_umask_says(
    umask: int, mode: int, tmp_path: Path, umasked: Callable[[int], int]
) -> None:
    umasked(umask)
    with opened(tmp_path / "site.site" / "registry"):
        for folder in (tmp_path / "site.site" / "registry", tmp_path / "site.site"):
            assert folder.stat().st_mode & 0o777 == mode


def test_many_who_make_it_at_once_have_one_file(tmp_path: Path) -> None:
    def come(number: int) -> int:
        with opened(tmp_path) as registry:
            comes_in(registry, f"author{number}")
            return os.stat(registry.path).st_ino

    assert len(set(at_once(8, come))) == 1
    with opened(tmp_path) as registry:
        assert len(accounts(registry)) == 8
    assert [path.name for path in tmp_path.iterdir()] == ["registry.db"]


def test_a_draft_of_a_process_that_was_killed_is_swept(tmp_path: Path) -> None:
    namespace = os.stat("/proc/self/ns/pid").st_ino
    (tmp_path / f"zole-{namespace}-999999999-1-registry.db").write_bytes(b"")
    with opened(tmp_path):
        assert not list(tmp_path.glob("zole-*"))


def changed(folder: Path, statement: str) -> None:
    with opened(folder):
        pass
    with closing(sqlite3.connect(folder / "registry.db")) as sql, sql:
        sql.execute(statement)


def test_a_newer_format_is_refused(tmp_path: Path) -> None:
    changed(tmp_path, "UPDATE facts SET value = '999' WHERE key = 'format'")
    with pytest.raises(Broken, match=f"has format 999, this arena opens format {REGISTRY_FORMAT}"):
        Registry.open(tmp_path / "registry.db")


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE more (x)",
        "DROP TABLE audit",
        "CREATE TRIGGER t AFTER INSERT ON audit BEGIN DELETE FROM audit; END",
        "CREATE VIEW v AS SELECT * FROM accounts",
        "UPDATE facts SET value = 'x'",
    ],
)
def test_a_file_with_other_tables_than_ours_is_refused(statement: str, tmp_path: Path) -> None:
    changed(tmp_path, statement)
    with pytest.raises(Broken):
        Registry.open(tmp_path / "registry.db")


def test_what_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "registry.db").write_bytes(b"nothing" * 1000)
    with pytest.raises(Broken, match="this cannot be opened as a site's registry"):
        Registry.open(tmp_path / "registry.db")


def test_a_place_where_no_file_can_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Broken, match="cannot be made"):
        Registry.open(tmp_path / "file" / "registry.db")


def test_a_transaction_is_all_or_nothing(tmp_path: Path) -> None:
    with opened(tmp_path) as registry:
        with suppress(Broken), registry.writing() as sql:
            sql.execute("INSERT INTO facts VALUES ('a', 'b')")
            sql.execute("INSERT INTO facts VALUES ('c', NULL)")  # refused, and the first with it
        with registry.reading() as sql:
            assert sql.execute("SELECT count(*) FROM facts").fetchone() == (1,)


def test_who_writes_for_too_long_makes_others_wait_and_then_say_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.site.registry.BUSY_S", 0.05)
    with (
        opened(tmp_path) as one,
        closing(Registry.open(tmp_path / "registry.db")) as two,
        one.writing(),
    ):
        assert accounts(two) == []  # readers wait for nobody
        with pytest.raises(Busy) as told, two.writing():
            pass
        assert told.value.status == 503


def test_a_full_disk_is_told_and_what_was_there_stays(tmp_path: Path) -> None:
    with opened(tmp_path) as registry:
        comes_in(registry, "anna")
        with registry.reading() as sql:
            (pages,) = sql.execute("PRAGMA page_count").fetchone()
            sql.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(NoRoom), registry.writing() as sql:
            sql.execute("INSERT INTO facts VALUES ('a', ?)", ("x" * 100_000,))
        assert [each.name for each in accounts(registry)] == ["anna"]
        comes_in(registry, "juris")


def test_the_version_differs_once_anybody_has_written(tmp_path: Path) -> None:
    with opened(tmp_path) as one, opened(tmp_path) as two:
        before = one.version()
        assert one.version() == before
        comes_in(two, "anna")
        by_other = one.version()
        comes_in(one, "juris")
        assert len({before, by_other, one.version()}) == 3


def test_who_found_nothing_to_do_is_no_news_to_itself(tmp_path: Path) -> None:
    with opened(tmp_path) as registry:
        before = registry.version()
        assert take_upload(registry) is None
        assert take(registry, FILE_REQUESTS) is None
        assert registry.version() == before
