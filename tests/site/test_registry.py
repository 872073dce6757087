"""The registry's file, the jobs in it, and many processes at it at once.

No quota is overrun, nothing is done twice, whoever is killed; and no row that a site has not
written stops another.
"""

import gzip
import os
import sqlite3
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from functools import partial
from pathlib import Path
from random import Random

import msgspec
import pytest
from hypothesis import given as given_any
from hypothesis import settings
from hypothesis import strategies as st

from arena.base.check_step import CheckStep
from arena.base.refusals import Broken, Busy, Missing, NoRoom, OverQuota, Refusal
from arena.bots.manifest import Bot
from arena.site.config import Quotas
from arena.site.registry import Registry, hash_of
from arena.site.registry.accounts import (
    DAY_S,
    Account,
    accept,
    accounts,
    invite,
)
from arena.site.registry.bots import FAILED, bots, quotas
from arena.site.registry.jobs import (
    FILE_REQUESTS,
    LONGEST_TEXT,
    MOST_KEPT_LOGS,
    MOST_OF_ONE,
    MOST_STEPS,
    Archive,
    Challenge,
    ChangeBot,
    OwnLogs,
    SiteJob,
    add_step,
    ask_for,
    check_challenge,
    entered,
    find_job,
    finish,
    forget,
    jobs,
    log_of,
    may_enter,
    next_passed,
    passed,
    queue,
    spooled,
    take,
)
from tests.support.registry import (
    Clock,
    answer,
    at_once,
    comes_in,
    decline,
    digest,
    enter,
    killed,
    opened,
    owns,
    send,
    take_upload,
    taken,
    took,
)


@pytest.fixture
def anna(registry: Registry) -> Account:
    return comes_in(registry, "anna")


def tried(act: Callable[[], object]) -> object:
    try:
        return act()
    except Refusal as refusal:
        return type(refusal).__name__


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


@pytest.mark.parametrize(
    ("path", "said"),
    [
        (".", "it has other tables"),
        ("../file", "this cannot be opened as a site's registry"),
        ("../file/registry.db", "cannot be made"),
    ],
)
def test_what_is_no_registry_and_where_none_can_be_made_is_told(
    path: str, said: str, registry: Registry, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(b"nothing" * 1000)
    with closing(sqlite3.connect(registry.path)) as sql, sql:
        sql.execute("CREATE TRIGGER t AFTER INSERT ON audit BEGIN DELETE FROM audit; END")
    with pytest.raises(Broken, match=said):
        Registry.open(Path(os.path.normpath(registry.path / path)))


def test_who_writes_for_too_long_makes_others_wait_and_then_say_so(
    registry: Registry, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.site.registry.BUSY_S", 0.05)
    with closing(Registry.open(registry.path)) as other, registry.writing():
        assert accounts(other) == []  # readers wait for nobody
        with pytest.raises(Busy) as told, other.writing():
            pass
        assert told.value.status == 503


def test_a_full_disk_is_told_and_what_was_there_stays(registry: Registry, anna: Account) -> None:
    with registry.reading() as sql:
        (pages,) = sql.execute("PRAGMA page_count").fetchone()
        sql.execute(f"PRAGMA max_page_count = {pages}")
    with pytest.raises(NoRoom), registry.writing() as sql:
        sql.execute("INSERT INTO facts VALUES ('a', ?)", ("x" * 100_000,))
    assert accounts(registry) == [anna]
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


# --- jobs that the machine of the model does not ask for ---


def test_a_request_is_taken_and_answered_for_its_owner_and_its_log_forgotten(
    registry: Registry, anna: Account, clock: Clock
) -> None:
    owns(registry, anna, "bot")
    asked, new = ask_for(registry, anna, OwnLogs(7, 1))
    assert (new, asked.state, asked.about) == (True, "waiting", OwnLogs(7, 1))
    assert take(registry, (Challenge,)) is None  # each process takes its own kinds
    held = took(registry, *FILE_REQUESTS)
    assert (held.owner, held.about, held.id) == (anna, asked.about, asked.id)
    assert took(registry, *FILE_REQUESTS).id == held.id  # nobody else takes it
    answer(registry, held, b"a log")
    assert take(registry, FILE_REQUESTS) is None
    assert msgspec.structs.replace(asked, state="done", ended=clock.now, place=None) == find_job(
        registry, anna, asked.id
    )
    assert gzip.decompress(log_of(registry, anna, asked.id)) == b"a log"
    with pytest.raises(Missing):
        log_of(registry, comes_in(registry, "juris"), asked.id)
    clock.now += 100
    forget(registry, ended_s=101)
    assert log_of(registry, anna, asked.id)
    waiting, _ = ask_for(registry, anna, ChangeBot("bot", "withdraw"))
    forget(registry, ended_s=100)
    with pytest.raises(Missing):
        log_of(registry, anna, asked.id)
    assert jobs(registry, anna) == [waiting]


def test_what_ended_is_asked_again_but_for_archives(registry: Registry, anna: Account) -> None:
    owns(registry, anna, "bot")
    for about, lasts in (
        (ChangeBot("bot", "withdraw"), False),
        (Challenge(("bot", "a", "b")), False),
        (OwnLogs(7, 1), False),
        (Archive(digest(1)), True),
    ):
        first, _ = ask_for(registry, anna, about)
        assert ask_for(registry, anna, about) == (first, False)
        decline(registry, took(registry, type(about)), "no luck")
        again, new = ask_for(registry, anna, about)
        assert (again.id == first.id, new) == (lasts, not lasts)


def test_two_bots_are_a_challenge_at_a_table_of_three_alone() -> None:
    check_challenge("ab", "abcd", 3, "a")
    with pytest.raises(Refusal, match="a challenge is for 4 different bots"):
        check_challenge("ab", "abcd", 4, "a")


def test_a_name_that_another_account_had_in_an_earlier_record_is_whose_bot_enters(
    registry: Registry, anna: Account
) -> None:
    owns(registry, anna, "bot")
    other = comes_in(registry, "Other")
    assert entered(registry, send(registry, other, 1)[0], "bot", "bot")
    assert [[it.name for it in bots(registry, who)] for who in (anna, other)] == [[], ["bot"]]


def test_requests_that_wait_and_logs_that_are_kept_are_bounded_for_each_account(
    registry: Registry, anna: Account
) -> None:
    asked = [ask_for(registry, anna, OwnLogs(number, 1))[0] for number in range(MOST_OF_ONE)]
    with pytest.raises(OverQuota):
        ask_for(registry, anna, OwnLogs(MOST_OF_ONE, 1))
    assert ask_for(registry, comes_in(registry, "juris"), OwnLogs(0, 1))[1]
    for job in asked:
        finish(registry, job, "done", log=b"x")
    kept = [tried(partial(log_of, registry, anna, job.id)) for job in asked]
    assert kept == ["Missing"] * (MOST_OF_ONE - MOST_KEPT_LOGS) + [b"x"] * MOST_KEPT_LOGS


def test_steps_are_bounded_and_keep_the_end_of_what_was_printed(
    registry: Registry, anna: Account
) -> None:
    held = taken(registry, anna)
    lines = tuple(f"line {number} {'x' * 5000}" for number in range(100))
    huge = CheckStep("n" * 1000, False, "s" * 2 * LONGEST_TEXT, lines, "e" * LONGEST_TEXT + "end")
    for step in (huge, *[CheckStep("small", True, "")] * MOST_STEPS):
        add_step(registry, held, step)
    first, *others = find_job(registry, anna, held.id).steps
    assert len(others) == MOST_STEPS - 1
    assert len(msgspec.json.encode(first)) < 6 * LONGEST_TEXT
    assert (first.show[-1][:8], first.stderr[-3:]) == ("line 99 ", "end")


PATHS = ("", "../../etc/passwd", "a" * 63, "A" * 64, f"{'a' * 64}/x", f"{'a' * 64}\n")


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("passed", None),
        ("passed", "{}"),
        ("passed", "[" * 200_000),
        ("about", "[" * 200_000),
        *(("about", text) for text in ("", "{}", '{"type":"logs","after":"x"}')),
        ("about", '{"type":"logs","after":0,"most":1}'),
        ("result", "[" * 200_000),
        *(("about", msgspec.json.encode(Archive(path)).decode()) for path in PATHS),
        ("account", 99),
        ("name", b"\xff"),
    ],
)
def test_no_row_of_a_process_that_is_not_ours_any_more_stops_another(
    registry: Registry, anna: Account, column: str, value: object
) -> None:
    job, (other, _) = taken(registry, anna), send(registry, comes_in(registry, "juris"), 1)
    passed(registry, job, Bot(name="b", version="1", author="x", run=("x",)), digest(1))
    told = "CAST(? AS TEXT)" if isinstance(value, bytes) else "?"
    with closing(sqlite3.connect(registry.path)) as sql, sql:
        sql.execute(f"UPDATE jobs SET {column} = {told} WHERE number = ?", (value, job.number))
    assert {each.partition("-")[2] for each in spooled(registry)} <= {digest(1)}
    assert (next_passed(registry) is None) == (column != "name")
    with registry.writing() as sql:
        sql.execute("UPDATE jobs SET state = 'waiting', ended = NULL")
    is_broken = column in ("about", "result", "account")
    assert took(registry).id == (other.id if is_broken else job.id)
    states = registry.read("SELECT state FROM jobs ORDER BY number")
    assert states == ([("failed",), ("taken",)] if is_broken else [("taken",), ("waiting",)])


# --- many processes ---


NAMES = ("anna", "juris", "liga")
QUOTAS = Quotas(bots=2, uploads=4, challenges=3)


@pytest.mark.parametrize(
    ("asks", "given"),
    [
        (lambda own, who, _, it: send(own, who, it)[1], {True: 1, "OverQuota": 7}),
        (lambda own, who, _, it: send(own, who, 1)[1], {True: 1, False: 7}),
        (
            lambda own, who, _, it: ask_for(own, who, Challenge((f"{it}", "b", "c")))[1],
            {True: 3, "OverQuota": 5},
        ),
        (lambda own, _, code, it: accept(own, code).account.name, {"berta": 1, "Missing": 7}),
    ],
    ids=["different archives", "the same archive", "challenges", "one invitation"],
)
def test_of_what_many_ask_for_at_once_only_what_may_be_is_taken(
    asks: Callable[[Registry, Account, str, int], object], given: object, tmp_path: Path
) -> None:
    with opened(tmp_path, QUOTAS) as registry:
        anna, code = comes_in(registry, "anna"), invite(registry, "berta")

    def come(number: int) -> object:
        with opened(tmp_path, QUOTAS) as own:
            return tried(lambda: asks(own, anna, code, number))

    assert Counter(at_once(8, come)) == given


def a_day(
    folder: Path, seed: int, said: Callable[[str], None], turns: int, days: int, works: bool = True
) -> None:
    """What authors do at random, and whoever `works`, at a clock that runs; what is done is said.

    The clock begins so many `days` behind its usual time.
    """
    dice, clock = Random(seed), Clock(Clock().now + days * DAY_S)
    with opened(folder, QUOTAS, clock) as registry:
        known = accounts(registry)[: len(NAMES)]
        said("begun")
        for _ in range(turns):
            clock.now += dice.choice((0, 1, 70, 2000))
            with suppress(Refusal):
                _do(registry, dice, dice.choice(known), said, works)


def _do(
    registry: Registry, dice: Random, who: Account, said: Callable[[str], None], works: bool = True
) -> None:
    """One thing that somebody does; only one process works."""
    match dice.randrange(6 if works else 3):
        case 0:
            found, _ = send(registry, who, dice.randrange(9), dice.random() < 0.5)
            said(f"upload {found.id}")
        case 1:
            asked, _ = ask_for(registry, who, Challenge((str(dice.random()), "b", "c")))
            said(f"request {asked.id}")
        case 2:
            name = f"author{dice.randrange(10**9)}"
            code = invite(registry, name)
            said(f"invited {code} {name}")
            said(f"came {accept(registry, code).token} {name}")
        case 3 if (held := take(registry, (Challenge,))) is not None:
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
    for each in accounts(registry)[: len(NAMES)]:
        own = [one for one in jobs(registry, each, 10**6) if isinstance(one.about, Archive)]
        sent |= {one.id: one for one in own}
        assert sum(one.ended is None for one in own) <= 1
        for failed, most in ((False, QUOTAS.uploads), (True, int(QUOTAS.uploads / FAILED))):
            times = sorted(one.at for one in own if (one.state == "failed") == failed)
            for first, later in zip(times, times[most:], strict=False):
                assert later - first >= DAY_S
        playing = [bot.called for bot in bots(registry, each) if bot.state == "playing"]
        assert len({*playing}) == len(playing) <= QUOTAS.bots
        left = quotas(registry, each)["bots"].left
        assert left == QUOTAS.bots - len(playing) or any(one.state == "taken" for one in own)
    names = [name for (name,) in registry.read("SELECT name FROM bots")]
    assert sorted(names) == sorted(one.name for one in sent.values() if one.name)
    states = dict(registry.read("SELECT id, state FROM jobs"))
    places = dict(registry.read("SELECT hash, places FROM invitations"))
    tokens = dict(registry.read("SELECT name, token FROM accounts"))
    for what, id, *name in (line.split() for line in said if line != "begun"):
        match what:
            case "came":
                assert tokens[name[0]] == hash_of(id)
            case "invited":  # it is taken whole or not at all, unless it has got old
                assert places.get(hash_of(id)) in (None, 1 - (name[0] in tokens))
            case "entered":
                assert (states[id], sent[id].name) == ("done", name[0])
            case _:
                assert states[id] == "done" or what != "answered"


@settings(max_examples=2)
@given_any(seed=st.integers(0, 10**6))
def test_whatever_many_do_at_once_no_quota_is_overrun(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("registry")
    with opened(folder, QUOTAS) as registry:
        for name in NAMES:
            comes_in(registry, name)

    def act(number: int) -> list[str]:
        said: list[str] = []
        a_day(folder, seed + number, said.append, 25, 0, works=number == 0)
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
    dice, done = Random(20), list[str]()
    with opened(tmp_path, QUOTAS) as registry:
        for name in NAMES:
            comes_in(registry, name)
        for turn in range(kills):
            act = partial(a_day, tmp_path, turn, turns=10**6, days=2 * turn)
            with killed(lambda said, act=act: act(said=said)) as (line, kill):  # type: ignore[misc]
                done += [line() for _ in range(dice.randrange(1, 4))]
                time.sleep(dice.uniform(0, 0.03))
                done += kill()
            check_sound(registry, done)
    assert len(done) > least


def test_no_statement_goes_through_a_table_that_grows_with_the_years(tmp_path: Path) -> None:
    statements, dice = set[str](), Random(1)
    with opened(tmp_path, QUOTAS) as registry:
        known = [comes_in(registry, name) for name in NAMES]
        with registry.reading() as sql:
            sql.set_trace_callback(statements.add)
        for turn in range(60):
            tried(partial(_do, registry, dice, dice.choice(known), lambda _: None))
            tried(partial(ask_for, registry, dice.choice(known), OwnLogs(turn % 4, 1)))
            if (held := take(registry, FILE_REQUESTS)) is not None:
                answer(registry, held, b"a log")
        quotas(registry, known[0])
        forget(registry, 0)
        assert spooled(registry)
        assert queue(registry) >= 0
        sql.set_trace_callback(None)
        plans = {
            plan[-1]: it
            for it in statements
            if it.startswith(("SELECT", "UPDATE", "DELETE"))
            for plan in registry.read(f"EXPLAIN QUERY PLAN {it}")
        }
    scans = {it for it in plans if it.startswith("SCAN") and "CONSTANT" not in it}
    assert scans <= {
        *("SCAN accounts", "SCAN (subquery-2)", "SCAN (subquery-1)"),
        *("SCAN invitations", "SCAN sessions USING COVERING INDEX sessions_of"),  # which end
        "SCAN sessions USING INDEX sessions_of",  # as newer versions of SQLite do it
    }, plans
