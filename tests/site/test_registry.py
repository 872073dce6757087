"""The registry's file, and many processes at it at once.

It is made once, shared, and refused where it is not ours. No quota is overrun, nothing is done
twice, whoever is killed.
"""

import os
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.base.check_step import CheckStep
from arena.base.refusals import Broken, Busy, NoRoom, Refusal
from arena.site.config import Quotas
from arena.site.registry import REGISTRY_FORMAT, Registry
from arena.site.registry.accounts import DAY_S, Account, accept, account_of, accounts, invite
from arena.site.registry.bots import FAILED, bots, quotas
from arena.site.registry.jobs import (
    FILE_REQUESTS,
    Archive,
    Challenge,
    OwnLogs,
    SiteJob,
    add_step,
    ask_for,
    forget,
    jobs,
    may_enter,
    queue,
    spooled,
    take,
)
from tests.support.registry import (
    Clock,
    account,
    answer,
    at_once,
    comes_in,
    decline,
    enter,
    killed,
    opened,
    send,
    take_upload,
)

# --- one file ---


@pytest.mark.parametrize(
    ("umask", "made", "mode"),
    [
        *((umask, mode, mode) for umask in (0o022, 0o077) for mode in (0o750, 0o770)),
        *((0o022, None, 0o750), (0o077, None, 0o700)),
    ],
)
def test_what_is_made_is_for_whom_the_sites_folder_is_and_that_as_the_umask_says(
    umask: int, made: int | None, mode: int, tmp_path: Path
) -> None:
    folder = tmp_path / "site.site" / "registry"
    if made is not None:
        folder.parent.mkdir()
        folder.parent.chmod(made)
    before = os.umask(umask)
    try:
        with opened(folder) as registry:
            assert accounts(registry) == []
            found = (folder.parent, folder, *folder.iterdir())
            modes = {path.name: path.stat().st_mode & 0o777 for path in found}
    finally:
        os.umask(before)
    files = ("registry.db", "registry.db-wal", "registry.db-shm")
    of_files = dict.fromkeys(files, 0o600 | mode & 0o060)
    assert modes == {"site.site": mode, "registry": mode, **of_files}


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


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            "UPDATE facts SET value = '999' WHERE key = 'format'",
            f"has format 999, this arena opens format {REGISTRY_FORMAT}",
        ),
        ("CREATE TABLE more (x)", "it has other tables"),
        ("DROP TABLE audit", "it has other tables"),
        (
            "CREATE TRIGGER t AFTER INSERT ON audit BEGIN DELETE FROM audit; END",
            "it has other tables",
        ),
        ("CREATE VIEW v AS SELECT * FROM accounts", "it has other tables"),
        ("UPDATE facts SET value = 'x'", "has format x"),
    ],
)
def test_a_file_of_another_format_or_with_other_tables_is_refused(
    change: str, said: str, registry: Registry
) -> None:
    with closing(sqlite3.connect(registry.path)) as sql, sql:
        sql.execute(change)
    with pytest.raises(Broken, match=said):
        Registry.open(registry.path)


def test_what_is_no_database_and_where_none_can_be_made_is_told(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"nothing" * 1000)
    for path, said in (
        (file, "this cannot be opened as a site's registry"),
        (file / "registry.db", "cannot be made"),
    ):
        with pytest.raises(Broken, match=said):
            Registry.open(path)


def test_a_transaction_is_all_or_nothing(registry: Registry) -> None:
    with suppress(Broken), registry.writing() as sql:
        sql.execute("INSERT INTO facts VALUES ('a', 'b')")
        sql.execute("INSERT INTO facts VALUES ('c', NULL)")  # refused, and the first with it
    assert registry.read("SELECT count(*) FROM facts") == [(1,)]


def test_who_writes_for_too_long_makes_others_wait_and_then_say_so(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.site.registry.BUSY_S", 0.05)
    with closing(Registry.open(registry.path)) as other, registry.writing():
        assert accounts(other) == []  # readers wait for nobody
        with pytest.raises(Busy) as told, other.writing():
            pass
        assert told.value.status == 503


def test_a_full_disk_is_told_and_what_was_there_stays(registry: Registry) -> None:
    comes_in(registry, "anna")
    with registry.reading() as sql:
        (pages,) = sql.execute("PRAGMA page_count").fetchone()
        sql.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(NoRoom), registry.writing() as sql:
        sql.execute("INSERT INTO facts VALUES ('a', ?)", ("x" * 100_000,))
    assert [each.name for each in accounts(registry)] == ["anna"]
    comes_in(registry, "juris")


def test_the_version_differs_once_anybody_has_written_and_not_before(
    registry: Registry, tmp_path: Path
) -> None:
    before = registry.version()
    assert (take_upload(registry), take(registry, FILE_REQUESTS)) == (None, None)
    assert registry.version() == before
    with opened(tmp_path) as other:
        comes_in(other, "anna")
    by_other = registry.version()
    comes_in(registry, "juris")
    assert len({before, by_other, registry.version()}) == 3


# --- many processes ---


NAMES = ("anna", "juris", "liga")
QUOTAS = Quotas(bots=2, uploads=4, challenges=3)


def tried(act: Callable[[], object]) -> object:
    """What something gives, or the name of the refusal."""
    try:
        return act()
    except Refusal as refusal:
        return type(refusal).__name__


@pytest.mark.parametrize(
    ("digests", "others"),
    [(range(1, 9), "OverQuota"), ([1] * 8, False)],
    ids=["different archives", "the same archive"],
)
def test_of_archives_sent_by_many_at_once_one_is_taken(
    digests: Sequence[int], others: object, tmp_path: Path
) -> None:
    with opened(tmp_path) as registry:
        anna = comes_in(registry, "anna")

    def sends(number: int) -> object:
        with opened(tmp_path) as own:
            return tried(lambda: send(own, anna, digests[number])[1])

    assert Counter(at_once(8, sends)) == {True: 1, others: 7}


def test_challenges_asked_by_many_at_once_overrun_no_quota(tmp_path: Path) -> None:
    quotas = Quotas(challenges=5)
    with opened(tmp_path, quotas) as registry:
        anna = comes_in(registry, "anna")

    def asks(number: int) -> list[object]:
        asked = []
        with opened(tmp_path, quotas) as own:
            for turn in range(3):
                about = Challenge((f"{number} {turn}", "b", "c"))
                asked.append(tried(lambda about=about: ask_for(own, anna, about)[1]))  # type: ignore[misc]
                if number == 0 and (held := take(own, (Challenge,))) is not None:
                    answer(own, held)
        return asked

    done = at_once(6, asks)
    assert Counter(each for asked in done for each in asked) == {True: 5, "OverQuota": 13}


def a_day(
    folder: Path,
    seed: int,
    said: Callable[[str], None],
    turns: int,
    days: int = 0,
    works: bool = True,
) -> None:
    """What authors do at random, and whoever `works`, at a clock that runs; what is done is said.

    The clock begins so many `days` behind its usual time.
    """
    dice, clock = Random(seed), Clock(Clock().now + days * DAY_S)
    with opened(folder, QUOTAS, clock) as registry:
        known = accounts(registry)
        said("begun")
        for _ in range(turns):
            clock.now += dice.choice((0, 1, 70, 2000))
            with suppress(Refusal):
                _do(registry, dice, dice.choice(known), said, works)


def _do(
    registry: Registry, dice: Random, who: Account, said: Callable[[str], None], works: bool = True
) -> None:
    """One thing that somebody does; only one process works."""
    match dice.randrange(5 if works else 2):
        case 0:
            found, new = send(registry, who, dice.randrange(9), dice.random() < 0.5)
            if new:
                said(f"upload {found.id}")
        case 1:
            asked, new = ask_for(registry, who, Challenge((str(dice.random()), "b", "c")))
            if new:
                said(f"request {asked.id}")
        case 2:
            if (held := take(registry, (Challenge,))) is not None:
                answer(registry, held)
                said(f"answered {held.id}")
        case _ if (upload := take_upload(registry)) is not None:
            add_step(registry, upload, CheckStep("manifest", True, ""))
            called = dice.choice("abc")
            if tried(lambda: may_enter(registry, upload, called)) == "OverQuota":
                decline(registry, upload, "too many")
            else:
                name = f"{called}.{upload.number}"
                enter(registry, upload, name, called)
                said(f"entered {upload.id} {name}")


def check_sound(registry: Registry, said: list[str]) -> None:
    """All that was said to be done is there, once; nobody has more than the quotas give."""
    with closing(sqlite3.connect(registry.path)) as sql:
        assert sql.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert sql.execute("PRAGMA foreign_key_check").fetchall() == []
    sent: dict[str, SiteJob] = {}
    for each in accounts(registry):
        own = [one for one in jobs(registry, each, 10**6) if isinstance(one.about, Archive)]
        sent |= {one.id: one for one in own}
        assert sum(one.ended is None for one in own) <= 1
        for failed, most in ((False, QUOTAS.uploads), (True, int(QUOTAS.uploads / FAILED))):
            times = sorted(one.at for one in own if (one.state == "failed") == failed)
            for first, later in zip(times, times[most:], strict=False):
                assert later - first >= 86400
        playing = [bot.called for bot in bots(registry, each) if bot.state == "playing"]
        assert len({*playing}) == len(playing) <= QUOTAS.bots
        left = quotas(registry, each)["bots"].left
        assert left == QUOTAS.bots - len(playing) or any(one.state == "taken" for one in own)
    names = [name for (name,) in registry.read("SELECT name FROM bots")]
    assert sorted(names) == sorted(one.name for one in sent.values() if one.name)
    states = dict(registry.read("SELECT id, state FROM jobs"))
    for what, id, *name in (line.split() for line in said if line != "begun"):
        assert what in ("upload", "request") or states[id] == "done"
        assert id in (states if what in ("request", "answered") else sent)
        assert not name or sent[id].name == name[0]


@settings(max_examples=2)
@given(seed=st.integers(0, 10**6))
def test_whatever_many_do_at_once_no_quota_is_overrun(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("registry")
    with opened(folder, QUOTAS) as registry:
        for name in NAMES:
            comes_in(registry, name)

    def act(number: int) -> list[str]:
        said: list[str] = []
        a_day(folder, seed + number, said.append, 25, works=number == 0)
        return said

    done = [line for said in at_once(4, act) for line in said]
    with opened(folder, QUOTAS) as registry:
        check_sound(registry, done)


@pytest.mark.parametrize(
    ("kills", "least"), [(12, 5), pytest.param(400, 50, marks=pytest.mark.slow)]
)
def test_a_process_that_is_killed_at_random_moments_loses_nothing_it_has_said(
    tmp_path: Path, kills: int, least: int
) -> None:
    dice = Random(20)
    with opened(tmp_path, QUOTAS) as registry:
        for name in NAMES:
            comes_in(registry, name)
    done: list[str] = []
    for turn in range(kills):
        with killed(lambda said, turn=turn: a_day(tmp_path, turn, said, 10**6, 2 * turn)) as (  # type: ignore[misc]
            line,
            kill,
        ):
            done += [line() for _ in range(dice.randrange(1, 4))]
            time.sleep(dice.uniform(0, 0.03))
            done += kill()
        with opened(tmp_path, QUOTAS) as registry:
            check_sound(registry, done)
    assert len(done) > least


def test_an_invitation_is_whole_or_not_taken_whenever_its_taker_is_killed(tmp_path: Path) -> None:
    dice = Random(3)
    for turn in range(10):
        with opened(tmp_path) as registry:
            code = invite(registry, f"author{turn}")

        def take(said: Callable[[str], None], code: str = code) -> None:
            with opened(tmp_path) as own:
                said("begun")
                said(accept(own, code).token)
                signal.pause()

        with killed(take) as (begun, kill):
            begun()
            time.sleep(dice.uniform(0, 0.02))
            said = kill()
        with opened(tmp_path) as registry:
            known = f"author{turn}" in {each.name for each in accounts(registry)}
            assert (tried(lambda: accept(registry, code)) == "Missing") == known  # noqa: B023
            if said:
                assert known
                assert account_of(registry, said[0]) is not None


def test_no_statement_goes_through_a_table_that_grows_with_the_years(tmp_path: Path) -> None:
    statements: list[str] = []
    dice = Random(1)
    with opened(tmp_path, QUOTAS) as registry:
        known = [comes_in(registry, name) for name in NAMES]
        with registry.reading() as sql:
            sql.set_trace_callback(statements.append)
        for turn in range(60):
            tried(lambda: _do(registry, dice, dice.choice(known), lambda _: None))
            tried(lambda: ask_for(registry, dice.choice(known), OwnLogs(turn % 4, 1)))  # noqa: B023
            if (held := take(registry, FILE_REQUESTS)) is not None:
                answer(registry, held, b"a log")
        quotas(registry, account(registry, "anna"))
        forget(registry, 0)
        assert spooled(registry)
        assert queue(registry) >= 0
        sql.set_trace_callback(None)
        asked = [it for it in {*statements} if it.startswith(("SELECT", "UPDATE", "DELETE"))]
        plans = [(plan, it) for it in asked for plan in registry.read(f"EXPLAIN QUERY PLAN {it}")]
    scans = {plan[-1]: it for plan, it in plans if plan[-1].startswith("SCAN")}
    assert {plan for plan in scans if "CONSTANT" not in plan} <= {
        *("SCAN accounts", "SCAN (subquery-2)", "SCAN (subquery-1)")
    }, scans
