"""Jobs that the machine does not ask for, their answers, and rows that no site has written."""

import gzip
import sqlite3
from contextlib import closing

import msgspec
import pytest

from arena.base.check_step import CheckStep
from arena.base.refusals import Missing, OverQuota, Refusal
from arena.bots.manifest import Bot
from arena.site.registry import Registry
from arena.site.registry.accounts import Account
from arena.site.registry.bots import bots
from arena.site.registry.jobs import (
    FILE_REQUESTS,
    LONGEST_TEXT,
    MOST_KEPT_LOGS,
    MOST_OF_ONE,
    MOST_STEPS,
    Archive,
    Challenge,
    Challenged,
    ChangeBot,
    OwnLogs,
    add_step,
    ask_for,
    check_challenge,
    entered,
    find_job,
    finish,
    forget,
    jobs,
    log_of,
    next_passed,
    passed,
    spooled,
    take,
)
from tests.support.registry import (
    Clock,
    answer,
    comes_in,
    decline,
    digest,
    owns,
    take_upload,
    taken,
    took,
)

BOT = Bot("bot", "1", "anna", ("./bot",))
BOTS = Challenge(("bot", "a", "b"))
PATHS = ("", "../../etc/passwd", "a" * 63, "A" * 64, f"{'a' * 64}/x", f"{'a' * 64}\n")


@pytest.fixture
def anna(registry: Registry) -> Account:
    return comes_in(registry, "anna")


def test_a_request_is_taken_and_answered(registry: Registry, anna: Account) -> None:
    asked, new = ask_for(registry, anna, OwnLogs(7, 1))
    assert (new, asked.state, asked.about) == (True, "waiting", OwnLogs(7, 1))
    assert take(registry, (Challenge,)) is None  # each process takes its own kinds
    held = took(registry, *FILE_REQUESTS)
    assert (held.owner, held.about) == (anna, asked.about)
    assert took(registry, *FILE_REQUESTS).id == held.id  # nobody else takes it
    with pytest.raises(Missing):
        log_of(registry, anna, asked.id)
    answer(registry, held, b"a log")
    assert take(registry, FILE_REQUESTS) is None
    seen = find_job(registry, anna, asked.id)
    assert (seen.state, seen.ended) == ("done", registry.now())
    assert gzip.decompress(log_of(registry, anna, asked.id)) == b"a log"
    with pytest.raises(Missing):
        log_of(registry, comes_in(registry, "juris"), asked.id)
    assert jobs(registry, anna) == []  # logs are not listed


def test_what_ended_is_asked_again_but_for_archives(registry: Registry, anna: Account) -> None:
    owns(registry, anna, "bot")
    for about, lasts in (
        (ChangeBot("bot", "withdraw"), False),
        (BOTS, False),
        (OwnLogs(7, 1), False),
        (Archive(digest(1)), True),
    ):
        first, _ = ask_for(registry, anna, about)
        assert ask_for(registry, anna, about) == (first, False)
        decline(registry, took(registry, type(about)), "no luck")
        again, new = ask_for(registry, anna, about)
        assert (again.id == first.id, new) == (lasts, not lasts)


def test_the_result_of_a_challenge_is_told_as_it_is(registry: Registry, anna: Account) -> None:
    asked, _ = ask_for(registry, anna, BOTS)
    result = Challenged(10, 6, {"a": 1, "b": -1}, {"a": 0, "b": 2})
    answer(registry, took(registry, Challenge), result=result)
    assert find_job(registry, anna, asked.id).result == result
    assert jobs(registry, anna)[0].result == result


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("a", "b", "x"), "no bot called x plays now"),
        (("b", "c", "d"), "one of the bots must be yours"),
        (("a", "b", "a"), "a challenge is for 3 different bots"),
        (("a", "b", "c", "d"), "a challenge is for 3 different bots"),
    ],
)
def test_what_is_no_challenge_is_refused(names: tuple[str, ...], said: str) -> None:
    check_challenge(("a", "b", "c"), "abcd", 3, "a")
    check_challenge(("a", "b"), "abcd", 3, "a")
    with pytest.raises(Refusal, match=said):
        check_challenge(names, "abcd", 3, "a")


def test_what_no_site_has_asked_ends_and_stops_nobody(registry: Registry, anna: Account) -> None:
    owns(registry, anna, "bot")
    kind = '{"type": "challenge", "bots": ["a", "b"]}'
    texts = ("", "{}", '{"type": "logs", "after": "x"}', "[" * 9999, kind)
    insert = "INSERT INTO jobs (id, account, kind, about, at) VALUES (?, ?, 'logs', ?, 0)"
    with registry.writing() as sql:  # as only a process that is not ours any more would do
        sql.executemany(insert, ((str(it), anna.number, text) for it, text in enumerate(texts)))
    good, _ = ask_for(registry, anna, ChangeBot("bot", "withdraw"))
    assert took(registry, *FILE_REQUESTS).id == good.id


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("passed", None),
        ("passed", "{}"),
        ("passed", "[" * 200_000),
        ("about", "[" * 200_000),
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
    job, _ = ask_for(registry, anna, Archive(digest(1)))
    assert take(registry, (Archive,)) is not None
    passed(registry, job, Bot(name="b", version="1", author="x", run=("x",)), digest(1))
    told = "CAST(? AS TEXT)" if isinstance(value, bytes) else "?"
    with closing(sqlite3.connect(registry.path)) as sql, sql:
        sql.execute(f"UPDATE jobs SET {column} = {told} WHERE number = ?", (value, job.number))
    assert {each.partition("-")[2] for each in spooled(registry)} <= {digest(1)}
    assert (next_passed(registry) is None) == (column != "name")
    with registry.writing() as sql:
        sql.execute("UPDATE jobs SET state = 'waiting', ended = NULL")
    is_broken = column in ("about", "result", "account")
    assert (take_upload(registry) is None) == is_broken
    assert registry.read("SELECT state FROM jobs") == [("failed" if is_broken else "taken",)]


def test_a_name_that_another_account_had_in_an_earlier_record_is_whose_bot_enters(
    registry: Registry, anna: Account
) -> None:
    owns(registry, anna, "bot")
    other = comes_in(registry, "Other")
    job, _ = ask_for(registry, other, Archive(digest(1)))
    assert entered(registry, job, "bot", "bot")
    assert [each.name for each in bots(registry, other)] == ["bot"]
    assert bots(registry, anna) == []


def test_only_the_last_logs_of_an_account_are_kept(registry: Registry, anna: Account) -> None:
    asked = []
    for after in range(MOST_KEPT_LOGS + 1):
        job, _ = ask_for(registry, anna, OwnLogs(after, 1))
        finish(registry, job, "done", log=b"x")
        asked.append(job.id)
    with pytest.raises(Missing):
        log_of(registry, anna, asked[0])
    assert {log_of(registry, anna, each) for each in asked[1:]} == {b"x"}


def test_waiting_requests_are_bounded(registry: Registry, anna: Account) -> None:
    owns(registry, anna, "bot")
    for number in range(MOST_OF_ONE):
        ask_for(registry, anna, OwnLogs(number, 1))
    with pytest.raises(OverQuota):
        ask_for(registry, anna, ChangeBot("bot", "withdraw"))
    juris = comes_in(registry, "juris")
    owns(registry, juris, "other")
    assert ask_for(registry, juris, ChangeBot("other", "withdraw"))[1]


def test_old_requests_are_forgotten_with_their_logs(
    registry: Registry, anna: Account, clock: Clock
) -> None:
    owns(registry, anna, "bot")
    asked = []
    for number in (1, 2):
        asked.append(ask_for(registry, anna, OwnLogs(number, 1))[0])
        answer(registry, took(registry, *FILE_REQUESTS), b"a log")
        clock.now += 100
    waiting, _ = ask_for(registry, anna, ChangeBot("bot", "withdraw"))
    forget(registry, ended_s=200)
    with pytest.raises(Missing):
        log_of(registry, anna, asked[0].id)
    assert log_of(registry, anna, asked[1].id)
    forget(registry, ended_s=0)
    assert jobs(registry, anna) == [waiting]


def test_own_jobs_come_newest_first_without_their_steps(registry: Registry, anna: Account) -> None:
    for number in range(3):
        held = taken(registry, anna, number)
        add_step(registry, held, CheckStep("manifest", True, "anna 1"))
        decline(registry, held, "")
    ask_for(registry, anna, BOTS)
    found = jobs(registry, anna, most=3)
    assert [each.about for each in found] == [BOTS, Archive(digest(2)), Archive(digest(1))]
    assert found[1].steps == ()
    assert len(find_job(registry, anna, found[1].id).steps) == 1


def test_steps_are_bounded_and_keep_the_end_of_what_was_printed(
    registry: Registry, anna: Account
) -> None:
    held = taken(registry, anna)
    lines = tuple(f"line {number} {'x' * 5000}" for number in range(100))
    huge = CheckStep("n" * 1000, False, "s" * 2 * LONGEST_TEXT, lines, "e" * LONGEST_TEXT + "end")
    add_step(registry, held, huge)
    for _ in range(MOST_STEPS):
        add_step(registry, held, CheckStep("small", True, ""))
    first, *others = find_job(registry, anna, held.id).steps
    assert len(others) == MOST_STEPS - 1
    assert len(msgspec.json.encode(first)) < 6 * LONGEST_TEXT
    assert (first.show[-1][:8], first.stderr[-3:]) == ("line 99 ", "end")
