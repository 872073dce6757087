"""A record or log that a stranger damaged or forged ends in a sentence, within bounds.

No command gives a traceback, takes half a minute, or needs 768 MiB more than it has, whatever a
small file holds. The fast tests are a sample of what the slow ones do in full.
"""

import gzip
import os
import random
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support.command import PROJECT, heed_interrupts, run
from tests.support.hostile_files import (
    LADDER_USES,
    LOG_USES,
    RECORD_USES,
    REVIEWS_USES,
    Case,
    altered_log,
    failures,
    forge,
    forged_ledgers,
    forgeries,
    small_ladder,
    small_record,
)
from tests.support.hostile_pages import (
    joined_anew,
    of_another_schema,
    with_endless_voids,
    written_ahead,
)
from tests.support.patience import PATIENCE_S

PAGE = 512
FLIPS = (0x01, 0x80, 0xFF)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = small_record(tmp_path)
    (tmp_path / "whole.db").write_bytes(path.read_bytes())
    return path


@pytest.fixture
def log(record: Path) -> Path:
    path = record.with_name("log.jsonl")
    path.write_text(run("export", record, "logs", "2", "--private").stdout)
    assert run("replay", path).returncode == 0
    return path


def some(uses: Sequence[str], number: int, seed: int) -> Sequence[str]:
    """So many of the uses: one file after another, all have their turn."""
    return [uses[(seed * number + place) % len(uses)] for place in range(number)]


@pytest.fixture
def ladder(tmp_path: Path) -> Path:
    return small_ladder(tmp_path)


def forged(
    record: Path,
    each: int,
    number: int,
    found: Iterable[tuple[str, str, Any]] = (),
    uses: Sequence[str] = RECORD_USES,
) -> Iterator[Case]:
    """Every so-and-so-many-th forgery of a record, or of those `found`, by some commands."""
    whole = record.read_bytes()

    def write(how: str, value: Any, path: Path) -> None:
        path.write_bytes(whole)
        forge(path, how, value)

    for place, (label, how, value) in enumerate(found or forgeries(record)):
        if place % each == 0:
            yield Case(label, partial(write, how, value), some(uses, number, place // each))


def flipped(path: Path, uses: Sequence[str], each: int, number: int) -> Iterator[Case]:
    """A file with each byte in turn changed."""
    whole = path.read_bytes()
    for place in range(0, len(whole), each):
        for flip in FLIPS:
            changed = bytearray(whole)
            changed[place] ^= flip
            label = f"byte {place} changed by {flip}"
            yield Case(label, partial(_put, bytes(changed)), some(uses, number, place + flip))


def scrambled(path: Path, uses: Sequence[str], seeds: range) -> Iterator[Case]:
    """A file with some bytes changed by chance, pages swapped or its end cut off."""
    whole = path.read_bytes()
    for seed in seeds:
        chance = random.Random(seed)
        changed = bytearray(whole)
        for _ in range(chance.choice((1, 5, 50))):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        one, other = (PAGE * chance.randrange(len(changed) // PAGE) for _ in range(2))
        if chance.random() < 0.3:
            pages = changed[one : one + PAGE], changed[other : other + PAGE]
            changed[other : other + PAGE], changed[one : one + PAGE] = pages
        if chance.random() < 0.3:
            del changed[chance.randrange(len(changed)) :]
        yield Case(f"seed {seed}", partial(_put, bytes(changed)), uses)


def joined(path: Path, uses: Sequence[str], seeds: range, number: int) -> Iterator[Case]:
    """A file of SQLite with its pages joined anew."""
    whole = path.read_bytes()
    for seed in seeds:
        label, content = joined_anew(whole, seed)
        yield Case(label, partial(_put, content), some(uses, number, seed))


def joined_in_log(path: Path, uses: Sequence[str], seeds: range, number: int) -> Iterator[Case]:
    """A sound file of SQLite beside a write-ahead log in which pages are joined anew."""
    whole = path.read_bytes()

    def write(content: bytes, path: Path) -> None:
        sound, logged = written_ahead(whole, content)
        path.write_bytes(sound)
        path.with_name(f"{path.name}-wal").write_bytes(logged)

    for seed in seeds:
        label, content = joined_anew(whole, seed)
        yield Case(f"-wal, {label}", partial(write, content), some(uses, number, seed))


def other_schemas(path: Path, uses: Sequence[str], seeds: range, number: int) -> Iterator[Case]:
    """A file of SQLite whose list of tables is forged."""
    whole = path.read_bytes()

    def write(seed: int, path: Path) -> None:
        path.write_bytes(whole)
        of_another_schema(path, seed)

    for seed in seeds:
        yield Case(f"schema by seed {seed}", partial(write, seed), some(uses, number, seed))


def endless(record: Path, uses: Sequence[str]) -> Case:
    """A record with more in its void matches than a disk can hold."""
    whole = record.read_bytes()

    def write(path: Path) -> None:
        path.write_bytes(whole)
        with_endless_voids(path)

    return Case("endless voids", write, uses)


def huge(log: Path) -> Iterator[tuple[str, Callable[[], bytes]]]:
    """Logs of up to 250 MiB, of what takes the most room as values."""
    head, ready, deal, *_ = log.read_bytes().splitlines()
    before, _, after = deal.partition(b'"steps":[')
    steps = (
        before + b'"steps":[[0,"",0]' + b',[0,"",0]' * 1_700_000 + after[after.index(b"]]") + 1 :]
    )
    notes = b",".join(b'"%d":""' % number for number in range(1_000_000))
    noted = deal[:-1] + b',"notes":{' + notes + b"}}"
    yield "ends of lines", lambda: head + b"\n" * (250 << 20)
    yield "short lines", lambda: head + b"\n" + ready + b"\n{}" * (80 << 20)
    yield "steps", lambda: b"\n".join([head, ready, *[steps] * 7])
    yield "notes", lambda: b"\n".join([head, ready, *[noted] * 7])
    yield "a long head", lambda: head[:-1] + b" " * (250 << 20) + b"}"
    yield "heads", lambda: b'{"log":\n' * (30 << 20)
    paid = head.replace(b'"payments":[', b'"payments":[' + b"[0,0,0]," * (25 << 20))
    yield "payments", lambda: paid


def _put(content: bytes, path: Path) -> None:
    path.write_bytes(content)


def test_a_sample_of_hostile_records_and_logs_is_told_in_a_line(record: Path, log: Path) -> None:
    quick = ("standings F", "verify F", "submissions F")
    cases = [
        *forged(record, 2500, 1),
        *scrambled(record, quick, range(2)),
        *joined(record, quick, range(4), 1),
        *joined_in_log(record, quick, range(4, 6), 1),
        *other_schemas(record, quick, range(2), 1),
        endless(record, quick[:1]),
    ]
    assert failures(record.parent, record.name, cases) == []
    lines = list(altered_log(log.read_bytes()))[::800]
    texts = [Case("a line altered", partial(_put, line), ("replay F",)) for line in lines]
    assert failures(log.parent, log.name, texts) == []


def test_a_sample_of_hostile_ledgers_is_told_in_a_line(ladder: Path) -> None:
    found = forged(ladder, 211, 1, forged_ledgers(ladder), LADDER_USES)
    assert failures(ladder.parent, ladder.name, found) == []


@pytest.mark.slow
def test_no_forged_ledger_gives_a_traceback(ladder: Path) -> None:
    found = forged(ladder, 1, 3, forged_ledgers(ladder), LADDER_USES)
    assert failures(ladder.parent, ladder.name, found) == []


@pytest.mark.slow
def test_no_forged_value_of_an_open_league_gives_a_traceback(ladder: Path) -> None:
    values = forgeries(ladder, "league ledger matches")
    found = forged(ladder, 1, 3, values, LADDER_USES)
    assert failures(ladder.parent, ladder.name, found) == []


@pytest.mark.slow
def test_no_forged_value_of_a_record_gives_a_traceback(record: Path) -> None:
    assert failures(record.parent, record.name, forged(record, 1, 2)) == []


@pytest.mark.slow
def test_no_changed_byte_of_a_record_gives_a_traceback(record: Path) -> None:
    cases = flipped(record, RECORD_USES, 1, 1)
    assert failures(record.parent, record.name, cases) == []


@pytest.mark.slow
def test_no_scrambled_record_gives_a_traceback(record: Path) -> None:
    cases = scrambled(record, RECORD_USES, range(300))
    assert failures(record.parent, record.name, cases) == []


@pytest.mark.slow
def test_no_record_with_pages_joined_anew_gives_a_traceback(record: Path) -> None:
    cases = joined(record, RECORD_USES, range(3000), 5)
    assert failures(record.parent, record.name, cases) == []
    schemas = other_schemas(record, RECORD_USES, range(500), 5)
    assert failures(record.parent, record.name, schemas) == []
    assert failures(record.parent, record.name, [endless(record, RECORD_USES)]) == []


@pytest.mark.slow
def test_no_log_beside_a_record_with_pages_joined_anew_gives_a_traceback(record: Path) -> None:
    cases = joined_in_log(record, RECORD_USES, range(1000), 5)
    assert failures(record.parent, record.name, cases) == []


def test_a_log_beside_a_record_is_read_as_part_of_it(record: Path) -> None:
    whole = record.read_bytes()
    sound, logged = written_ahead(whole[:PAGE] + bytes(len(whole) - PAGE), whole)
    record.write_bytes(sound)
    record.with_name(f"{record.name}-wal").write_bytes(logged)
    with closing(sqlite3.connect(f"file:{record}?mode=ro", uri=True)) as file:
        assert file.execute("PRAGMA quick_check").fetchall() == [("ok",)]


@pytest.mark.slow
def test_no_open_league_with_pages_joined_anew_gives_a_traceback(ladder: Path) -> None:
    cases = joined(ladder, LADDER_USES, range(1000), 4)
    assert failures(ladder.parent, ladder.name, cases) == []


@pytest.mark.slow
def test_no_reviews_with_pages_joined_anew_give_a_traceback(record: Path) -> None:
    reviews = record.with_suffix(".reviews")
    assert run("review", record, "--worlds", "8").returncode == 0
    cases = joined(reviews, REVIEWS_USES, range(500), len(REVIEWS_USES))
    assert failures(record.parent, reviews.name, cases) == []


@pytest.mark.slow
def test_no_altered_log_gives_a_traceback(log: Path) -> None:
    texts = altered_log(log.read_bytes())
    cases = [
        Case(f"alteration {number}", partial(_put, text), some(LOG_USES, 2, number))
        for number, text in enumerate(texts)
    ]
    assert failures(log.parent, log.name, cases) == []
    assert failures(log.parent, log.name, flipped(log, LOG_USES, 1, 1)) == []
    assert failures(log.parent, log.name, scrambled(log, LOG_USES, range(100))) == []


@pytest.mark.slow
def test_no_log_of_so_many_bytes_takes_more_room_than_a_few_times_these(
    record: Path, log: Path
) -> None:
    texts = dict(huge(log))

    def put(name: str, path: Path) -> None:
        path.write_bytes(texts[name]())

    cases = [Case(name, partial(put, name), ("replay F",)) for name in texts]
    assert failures(log.parent, log.name, cases) == []

    whole = record.read_bytes()

    def store(name: str, path: Path) -> None:
        path.write_bytes(whole)
        with closing(sqlite3.connect(path, isolation_level=None)) as sql:
            text = texts[name]().partition(b"\n")[2]
            sql.execute("UPDATE logs SET log = ?", (gzip.compress(text, 1),))

    logs = [Case(name, partial(store, name), ("verify F", "replay F 2")) for name in texts]
    assert failures(record.parent, record.name, logs) == []


READS = """
import sys
from arena.__main__ import main
from arena.base.database import GuardedReader

ask, rows = GuardedReader._ask, GuardedReader.rows

def told(self, do):
    def tell_and_do():
        print("asked", self.query, file=sys.stderr, flush=True)
        return do()

    return ask(self, tell_and_do)

def noted(self, query, values=()):
    self.query = query.split()
    return rows(self, query, values)

GuardedReader.query = None
GuardedReader._ask, GuardedReader.rows = told, noted
GuardedReader.check = lambda self, table=None: None
main()
"""
"""The arena, which tells what it asks a file and has not checked its pages."""


def test_ctrl_c_ends_what_reads_endless_rows_by_a_line(record: Path) -> None:
    with_endless_voids(record)
    reading = subprocess.Popen(
        [sys.executable, "-c", READS, "standings", record],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        preexec_fn=heed_interrupts, env={**os.environ, "PYTHONPATH": PROJECT},
    )  # fmt: skip
    assert reading.stderr is not None
    assert any("'NOT', 'EXISTS'" in line for line in reading.stderr), "it was read to its end"
    reading.send_signal(signal.SIGINT)
    _, told = reading.communicate(timeout=PATIENCE_S)
    assert [line for line in told.splitlines() if line and "asked" not in line] == ["stopped"]
    assert reading.returncode == 130
