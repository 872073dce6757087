"""Jobs: asked for once, done by one, seen by their owner alone, and no more than are bearable."""

import gzip
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from typing import Any

import msgspec
import pytest

from arena.base.check_step import CheckStep
from arena.base.refusals import Busy, Forbidden, Missing, OverQuota, Refusal
from arena.bots.manifest import Bot
from arena.site.config import UPLOADS
from arena.site.registry import Registry
from arena.site.registry.accounts import DAY_S, Account, revoke
from arena.site.registry.bots import bots, note_states, quotas
from arena.site.registry.jobs import (
    FILE_REQUESTS,
    LONGEST_TEXT,
    MOST_KEPT_LOGS,
    MOST_OF_ONE,
    MOST_STEPS,
    MOST_TRIES,
    Archive,
    Challenge,
    Challenged,
    ChangeBot,
    OwnLogs,
    Passed,
    SiteJob,
    add_step,
    ask_for,
    build_seconds,
    built,
    check_challenge,
    entered,
    find_job,
    finish,
    forget,
    give_back,
    jobs,
    log_of,
    may_enter,
    next_passed,
    passed,
    spool_file,
    spooled,
    take,
    take_back,
)
from arena.site.registry.organiser import audit, go_on, stop
from tests.support.registry import (
    Clock,
    answer,
    comes_in,
    decline,
    digest,
    enter,
    owns,
    send,
    take_upload,
    taken,
)

BOT = Bot("bot", "1", "anna", ("./bot",))
BOTS = Challenge(("bot", "a", "b"))


@pytest.fixture
def anna(registry: Registry) -> Account:
    return comes_in(registry, "anna")


def took(registry: Registry, kinds: Sequence[type[Any]] = FILE_REQUESTS) -> SiteJob:
    found = take(registry, kinds)
    assert found is not None
    return found


def asks(registry: Registry, who: Account, name: str) -> SiteJob:
    """A challenge that nobody has asked for yet."""
    return ask_for(registry, who, Challenge((name, "b", "c")))[0]


# --- asking ---


def test_a_request_is_taken_and_answered(registry: Registry, anna: Account) -> None:
    asked, new = ask_for(registry, anna, OwnLogs(7, 1))
    assert (new, asked.state, asked.about) == (True, "waiting", OwnLogs(7, 1))
    held = took(registry)
    assert (held.owner, held.about) == (anna, asked.about)
    assert took(registry).id == held.id  # nobody else takes it
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


def test_nobody_asks_for_what_is_anothers(registry: Registry, anna: Account) -> None:
    owns(registry, anna, "bot")
    juris = comes_in(registry, "juris")
    for about in (ChangeBot("bot", "withdraw"), ChangeBot("bot", "resume")):
        with pytest.raises(Missing):
            ask_for(registry, juris, about)
        own, _ = ask_for(registry, anna, about)
        with pytest.raises(Missing):
            find_job(registry, juris, own.id)
    with pytest.raises(Missing):
        ask_for(registry, anna, ChangeBot("no such bot", "withdraw"))


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
        decline(registry, took(registry, (type(about),)), "no luck")
        again, new = ask_for(registry, anna, about)
        assert (again.id == first.id, new) == (lasts, not lasts)


def test_an_archive_is_checked_again_once_its_check_has_ended(
    registry: Registry, anna: Account
) -> None:
    first, _ = send(registry, anna, 1)
    assert send(registry, anna, 1, again=True) == (first, False)
    decline(registry, took(registry, (Archive,)), "no luck")
    same, new = send(registry, anna, 1)
    assert (same.id, same.answer, new) == (first.id, "no luck", False)
    other, new = send(registry, anna, 1, again=True)
    assert new
    assert other.id != first.id
    assert send(registry, anna, 1)[0] == other


def test_the_result_of_a_challenge_is_told_as_it_is(registry: Registry, anna: Account) -> None:
    asked, _ = ask_for(registry, anna, BOTS)
    result = Challenged(10, 6, {"a": 1, "b": -1}, {"a": 0, "b": 2})
    answer(registry, took(registry, (Challenge,)), result=result)
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


def test_challenges_of_one_author_hold_up_no_other(registry: Registry, anna: Account) -> None:
    juris = comes_in(registry, "juris")
    for who, number in [(anna, 0), (anna, 1), (anna, 2), (juris, 0), (juris, 1)]:
        asks(registry, who, f"{who.name}{number}")
    turns = []
    while (held := take(registry, (Challenge,))) is not None:
        answer(registry, held)
        assert isinstance(held.about, Challenge)
        turns.append(held.about.bots[0])
    assert turns == ["anna0", "juris0", "anna1", "juris1", "anna2"]


def test_each_process_takes_its_own_kinds(registry: Registry, anna: Account) -> None:
    ask_for(registry, anna, BOTS)
    assert take(registry, FILE_REQUESTS) is None
    assert took(registry, (Challenge,)).about == BOTS


def test_what_kills_its_process_again_and_again_is_given_up(
    registry: Registry, anna: Account
) -> None:
    owns(registry, anna, "bot")
    asked, _ = ask_for(registry, anna, ChangeBot("bot", "withdraw"))
    give_back(registry, took(registry))
    assert take_back(registry, FILE_REQUESTS) == []
    for _ in range(MOST_TRIES):
        held = took(registry)
        assert take_back(registry, FILE_REQUESTS) == [held.number]
    assert take(registry, FILE_REQUESTS) is None
    assert find_job(registry, anna, asked.id).state == "failed"
    assert audit(registry)[0].what == "gave up"


def test_what_no_site_has_asked_ends_and_stops_nobody(registry: Registry, anna: Account) -> None:
    owns(registry, anna, "bot")
    texts = ("", "{}", '{"type": "logs", "after": "x"}', "[" * 9999)
    with registry.writing() as sql:  # as only a process that is not ours any more would do
        for number, text in enumerate((*texts, '{"type": "challenge", "bots": ["a", "b"]}')):
            row = (str(number), anna.number, text)
            sql.execute(
                "INSERT INTO jobs (id, account, kind, about, at) VALUES (?, ?, 'logs', ?, 0)", row
            )
    good, _ = ask_for(registry, anna, ChangeBot("bot", "withdraw"))
    assert took(registry).id == good.id


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("passed", None),
        ("passed", "{}"),
        ("passed", "[" * 200_000),
        ("about", "[" * 200_000),
        ("about", '{"type":"logs","after":0,"most":1}'),
        ("result", "[" * 200_000),
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
    spooled(registry)
    assert (next_passed(registry) is None) == (column != "name")
    with registry.writing() as sql:
        sql.execute("UPDATE jobs SET state = 'waiting', ended = NULL")
    taken = take(registry, (Archive,))
    assert (taken is None) == (column in ("about", "result", "account"))


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
        answer(registry, took(registry), b"a log")
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


# --- uploads ---


def test_an_upload_waits_is_checked_and_enters(registry: Registry, anna: Account) -> None:
    sent, new = send(registry, anna, 1)
    assert new
    assert (sent.state, sent.place, sent.name) == ("waiting", 1, "")
    held = took(registry, (Archive,))
    assert (held.owner, held.about) == (anna, Archive(digest(1)))
    add_step(registry, held, CheckStep("manifest", True, "anna 1"))
    seen = find_job(registry, anna, sent.id)
    assert (seen.state, seen.place, [each.said for each in seen.steps]) == ("taken", 1, ["anna 1"])
    may_enter(registry, held, "bot")
    passed(registry, held, BOT, "c" * 64)
    assert find_job(registry, anna, sent.id).state == "taken"
    assert take_back(registry, (Archive,)) == []
    found = next_passed(registry)
    assert found is not None
    assert (found[0].id, found[0].owner, found[1]) == (held.id, anna, Passed(BOT, "c" * 64))
    enter(registry, held, "bot", "bot")
    seen = find_job(registry, anna, sent.id)
    assert (seen.state, seen.place, seen.name, len(seen.steps)) == ("done", None, "bot", 1)
    assert [(bot.name, bot.state) for bot in bots(registry, anna)] == [("bot", "playing")]
    assert take_upload(registry) is None


PATHS = ("", "../../etc/passwd", "a" * 63, "A" * 64, f"{'a' * 64}/x", f"{'a' * 64}\n")


@pytest.mark.parametrize("text", PATHS)
def test_what_is_no_digest_names_no_file(text: str, registry: Registry, anna: Account) -> None:
    with registry.writing() as sql:  # as only a process that is not ours any more would do
        sql.execute(
            "INSERT INTO jobs (id, account, kind, about, at) VALUES ('x', ?, 'upload', ?, 0)",
            (anna.number, msgspec.json.encode(Archive(text)).decode()),
        )
    assert spooled(registry) == set()
    assert take_upload(registry) is None
    assert registry.read("SELECT state FROM jobs") == [("failed",)]


def test_steps_are_bounded_and_keep_the_end_of_what_was_printed(
    registry: Registry, anna: Account
) -> None:
    held = taken(registry, anna)
    lines = tuple(f"line {number} {'x' * 5000}" for number in range(100))
    huge = CheckStep("n" * 1000, False, "s" * 2 * LONGEST_TEXT, lines, "e" * LONGEST_TEXT + "end")
    for _ in range(MOST_STEPS + 1):
        add_step(registry, held, huge)
    steps = find_job(registry, anna, held.id).steps
    assert len(steps) == MOST_STEPS
    assert len(msgspec.json.encode(steps[0])) < 6 * LONGEST_TEXT
    assert steps[0].show[-1].startswith("line 99 ")
    assert steps[0].stderr.endswith("end")


def test_one_upload_is_under_way_at_a_time(registry: Registry, anna: Account) -> None:
    send(registry, anna, 1)
    with pytest.raises(OverQuota) as told:
        send(registry, anna, 2)
    assert (told.value.status, told.value.wait_s) == (429, 30)
    assert not send(registry, anna, 1)[1]  # the answer to it was lost on its way


def test_nothing_is_taken_in_while_uploads_are_paused(registry: Registry, anna: Account) -> None:
    send(registry, anna, 1)
    stop(registry, "part", UPLOADS, "a new version is put on")
    with pytest.raises(Busy, match="uploads are paused: a new version is put on"):
        send(registry, anna, 2)
    assert take_upload(registry) is None
    assert go_on(registry, "part", UPLOADS)
    assert not go_on(registry, "part", UPLOADS)
    assert take_upload(registry) is not None


def test_what_a_revoked_account_asked_for_is_not_looked_at(
    registry: Registry, anna: Account
) -> None:
    owns(registry, anna, "old")
    ask_for(registry, anna, ChangeBot("old", "withdraw"))
    held = taken(registry, anna)
    revoke(registry, "anna", "rude")
    assert not finish(registry, held, "failed", "too late")
    assert not entered(registry, held, "bot", "bot")
    assert take_upload(registry) is None
    assert take(registry, FILE_REQUESTS) is None
    assert [each.name for each in bots(registry, anna)] == ["old"]
    assert {each.answer for each in jobs(registry, anna)} == {"the account was revoked"}


def test_who_is_shut_out_while_an_archive_comes_has_sent_nothing(
    registry: Registry, anna: Account
) -> None:
    revoke(registry, "anna", "rude")
    for about in (Archive(digest(1)), BOTS, OwnLogs(0, 1)):
        with pytest.raises(Forbidden):
            ask_for(registry, anna, about)
    assert jobs(registry, anna) == []


def test_an_archive_stays_in_the_spool_while_it_is_needed(
    registry: Registry, anna: Account, clock: Clock
) -> None:
    held = taken(registry, anna)
    assert spooled(registry) == {spool_file(anna, digest(1))}
    decline(registry, held, "")
    assert spooled(registry) == {spool_file(anna, digest(1))}  # a backup may just be copying it
    clock.now += 3600
    assert spooled(registry) == set()


# --- quotas ---


def test_uploads_of_a_day_are_bounded_and_the_wait_is_told(
    registry: Registry, anna: Account, clock: Clock
) -> None:
    for number in range(5):
        held = taken(registry, anna, number)
        may_enter(registry, held, "bot")
        enter(registry, held, f"bot.{number}", "bot")
        clock.now += 600
    with pytest.raises(OverQuota, match="5 uploads in 24 hours") as told:
        send(registry, anna, 9)
    assert told.value.wait_s == DAY_S - 3000
    clock.now += told.value.wait_s
    assert send(registry, anna, 9)[1]


def test_an_upload_that_failed_counts_for_a_quarter(
    registry: Registry, anna: Account, clock: Clock
) -> None:
    for number in range(20):
        assert quotas(registry, anna)["uploads"].left == 5 - number // 4
        decline(registry, taken(registry, anna, number), "")
        clock.now += 600
    with pytest.raises(OverQuota, match="uploads in 24 hours") as told:
        send(registry, anna, 99)
    assert told.value.wait_s == DAY_S - 20 * 600
    clock.now += told.value.wait_s
    assert send(registry, anna, 99)[1]


def test_minutes_of_building_are_bounded(registry: Registry, anna: Account, clock: Clock) -> None:
    seconds = []
    for number, spent in enumerate((600, 480, 480, 150)):
        held = taken(registry, anna, number)
        seconds.append(build_seconds(registry, held))
        built(registry, held, spent)
        decline(registry, held, "")
        clock.now += 60
    assert seconds == [600, 600, 600, 240]
    assert quotas(registry, anna)["build_minutes"].left == 2
    held = taken(registry, anna, 5)
    built(registry, held, build_seconds(registry, held))
    decline(registry, held, "")
    assert quotas(registry, anna)["build_minutes"].left == 0
    clock.now += DAY_S - 5 * 60 + 30
    with pytest.raises(OverQuota, match="building") as told:
        send(registry, anna, 6)
    assert told.value.wait_s == 30
    clock.now += 30
    assert send(registry, anna, 6)[1]


def test_challenges_of_a_day_are_bounded(registry: Registry, anna: Account, clock: Clock) -> None:
    for number in range(20):
        asks(registry, anna, str(number))
        answer(registry, took(registry, (Challenge,)))
    forget(registry, ended_s=0)
    with pytest.raises(OverQuota, match="20 challenges") as told:
        asks(registry, anna, "one more")
    assert told.value.wait_s == 86400
    clock.now += 86400
    assert asks(registry, anna, "one more").state == "waiting"


def test_a_third_bot_waits_until_one_leaves(registry: Registry, anna: Account) -> None:
    for number, name in enumerate(("one", "two")):
        held = taken(registry, anna, number)
        may_enter(registry, held, name)
        assert quotas(registry, anna)["bots"].left == 1 - number
        enter(registry, held, name, name)
    held = taken(registry, anna, 3)
    with pytest.raises(OverQuota, match="2 bots of an author") as told:
        may_enter(registry, held, "three")
    assert told.value.wait_s is None
    may_enter(registry, held, "two")  # a new version takes the place of the old one
    enter(registry, held, "two.2", "two")
    assert [(each.name, each.state, each.why) for each in bots(registry, anna)][-1] == (
        "two",
        "replaced",
        "by two.2",
    )
    note_states(registry, {"one": ("withdrawn", ""), "stranger": ("playing", "")})
    held = taken(registry, anna, 4)
    may_enter(registry, held, "three")
    enter(registry, held, "three", "three")
    assert quotas(registry, anna)["bots"].left == 0


def test_states_are_written_only_where_they_differ(registry: Registry, anna: Account) -> None:
    enter(registry, taken(registry, anna), "bot", "bot")
    before = registry.version()
    note_states(registry, {"bot": ("playing", "")})
    assert registry.version() == before
    note_states(registry, {"bot": ("benched", "crashed")})
    assert [(each.state, each.why) for each in bots(registry, anna)] == [("benched", "crashed")]
