"""Uploads: queued once, checked one at a time, and seen by their owner alone."""

import msgspec
import pytest

from arena.base.check_step import CheckStep
from arena.base.refusals import Busy, Forbidden, OverQuota, Refusal, TooLarge
from arena.bots.manifest import Bot
from arena.site.config import UPLOADS
from arena.site.registry.accounts import DAY_S, Account, new_code, new_token, revoke
from arena.site.registry.file import Registry
from arena.site.registry.jobs import finish, go_on, pause, take_back
from arena.site.registry.requests import Challenge, request
from arena.site.registry.uploads import (
    FAILED,
    LONGEST_TEXT,
    MOST_STEPS,
    Archive,
    Checked,
    add_step,
    bots,
    build_seconds,
    built,
    checked,
    entered,
    left,
    may_enter,
    may_upload,
    new_upload,
    next_checked,
    note_states,
    spool_file,
    spooled,
    upload,
    uploads,
)
from tests.support.registry import Clock, comes_in, decline, digest, enter, take_upload, taken

BOT = Bot("bot", "1", "anna", ("./bot",))


@pytest.fixture
def anna(registry: Registry) -> Account:
    return comes_in(registry, "anna")


def test_an_upload_waits_is_checked_and_enters(registry: Registry, anna: Account) -> None:
    sent, new = new_upload(registry, anna, digest(1), 100)
    assert new
    assert (sent.state, sent.place, sent.name) == ("queued", 1, None)
    held = take_upload(registry)
    assert held is not None
    assert (held.account, held.about) == (anna, Archive(digest(1)))
    add_step(registry, held.number, CheckStep("manifest", True, "anna 1"))
    seen = upload(registry, anna, sent.id)
    assert (seen.state, seen.place, [each.said for each in seen.steps]) == (
        "checking",
        1,
        ["anna 1"],
    )
    may_enter(registry, held, "bot")
    checked(registry, held, BOT, "c" * 64)
    assert upload(registry, anna, sent.id).state == "checking"
    assert take_back(registry, (Archive,)) == []
    assert next_checked(registry) == Checked(held.number, anna, BOT, "c" * 64)
    enter(registry, held, "bot", "bot")
    seen = upload(registry, anna, sent.id)
    assert (seen.state, seen.place, seen.name, len(seen.steps)) == ("entered", None, "bot", 1)
    assert [(bot.name, bot.state) for bot in bots(registry, anna)] == [("bot", "playing")]
    assert take_upload(registry) is None


def test_an_upload_that_fails_says_why(registry: Registry, anna: Account) -> None:
    decline(registry, taken(registry, anna), "it does not start")
    (seen,) = uploads(registry, anna)
    assert (seen.state, seen.why, seen.ended) == ("failed", "it does not start", registry.now())


def test_the_same_archive_is_the_same_upload_unless_it_is_asked_again(
    registry: Registry, anna: Account
) -> None:
    first, _ = new_upload(registry, anna, digest(1), 100)
    for again in (False, True):
        assert new_upload(registry, anna, digest(1), 100, again) == (first, False)
    held = take_upload(registry)
    assert held is not None
    decline(registry, held, "no luck")
    same, new = new_upload(registry, anna, digest(1), 100)
    assert (same.id, same.why, new) == (first.id, "no luck", False)
    other, new = new_upload(registry, anna, digest(1), 100, again=True)
    assert new
    assert other.id != first.id
    assert new_upload(registry, anna, digest(1), 100)[0] == other


PATHS = ("", "../../etc/passwd", "a" * 63, "A" * 64, f"{'a' * 64}/x", f"{'a' * 64}\n")


@pytest.mark.parametrize("text", PATHS)
def test_what_is_no_digest_names_no_file(text: str, registry: Registry, anna: Account) -> None:
    with pytest.raises(Refusal, match="not a SHA-256"):
        new_upload(registry, anna, text, 100)
    with registry.writing() as sql:  # as only a process that is not ours any more would do
        sql.execute(
            "INSERT INTO jobs (id, account, kind, about, size, at)"
            " VALUES ('x', ?, 'upload', ?, 1, 0)",
            (anna.number, msgspec.json.encode(Archive(text)).decode()),
        )
    assert spooled(registry) == set()
    assert take_upload(registry) is None
    assert upload(registry, anna, "x").state == "failed"


def test_own_uploads_come_newest_first_by_number(registry: Registry, anna: Account) -> None:
    for number in range(4):
        decline(registry, taken(registry, anna, number), "")
    found = uploads(registry, anna, most=3)
    assert [each.digest for each in found] == [digest(3), digest(2), digest(1)]
    assert [each.digest for each in uploads(registry, anna, before=found[-1].number)] == [digest(0)]


def test_steps_are_bounded_and_keep_the_end_of_what_was_printed(
    registry: Registry, anna: Account
) -> None:
    held = taken(registry, anna)
    lines = tuple(f"line {number} {'x' * 5000}" for number in range(100))
    huge = CheckStep("n" * 1000, False, "s" * 2 * LONGEST_TEXT, lines, "e" * LONGEST_TEXT + "end")
    for _ in range(MOST_STEPS + 1):
        add_step(registry, held.number, huge)
    steps = upload(registry, anna, held.id).steps
    assert len(steps) == MOST_STEPS
    assert len(msgspec.json.encode(steps[0])) < 4 * LONGEST_TEXT
    assert steps[0].show[-1].startswith("line 99 ")
    assert steps[0].stderr.endswith("end")


def test_an_archive_that_is_too_large_is_refused_before_its_body(
    registry: Registry, anna: Account
) -> None:
    with pytest.raises(TooLarge, match="at most 16 MiB"):
        may_upload(registry, anna, (16 << 20) + 1)
    with pytest.raises(TooLarge):
        new_upload(registry, anna, digest(1), (16 << 20) + 1)
    may_upload(registry, anna, 16 << 20)
    may_upload(registry, anna, None)


def test_one_upload_is_under_way_at_a_time(registry: Registry, anna: Account) -> None:
    new_upload(registry, anna, digest(1), 100)
    with pytest.raises(OverQuota) as told:
        new_upload(registry, anna, digest(2), 100)
    assert (told.value.status, told.value.wait_s) == (429, 30)
    may_upload(registry, anna, 100, digest(1))  # the answer to it was lost on its way
    with pytest.raises(OverQuota):
        may_upload(registry, anna, 100, digest(2))
    assert left(registry, anna).checks.left == 0


def test_uploads_of_a_day_are_bounded_and_the_wait_is_told(
    registry: Registry, anna: Account, clock: Clock
) -> None:
    for number in range(5):
        held = taken(registry, anna, number)
        may_enter(registry, held, "bot")
        enter(registry, held, f"bot.{number}", "bot")
        clock.now += 600
    with pytest.raises(OverQuota, match="5 uploads in 24 hours") as told:
        new_upload(registry, anna, digest(9), 100)
    assert told.value.wait_s == DAY_S - 3000
    clock.now += told.value.wait_s
    assert new_upload(registry, anna, digest(9), 100)[1]


def test_an_upload_that_failed_leaves_those_that_may_enter_but_not_without_end(
    registry: Registry, anna: Account, clock: Clock
) -> None:
    for number in range(FAILED * 5):
        assert left(registry, anna).uploads.left == 5
        decline(registry, taken(registry, anna, number), "")
        clock.now += 600
    with pytest.raises(OverQuota, match="uploads in 24 hours") as told:
        new_upload(registry, anna, digest(99), 100)
    assert told.value.wait_s == DAY_S - FAILED * 5 * 600
    clock.now += told.value.wait_s
    assert new_upload(registry, anna, digest(99), 100)[1]


def test_minutes_of_building_are_bounded(registry: Registry, anna: Account, clock: Clock) -> None:
    seconds = []
    for number, spent in enumerate((600, 480, 480, 150)):
        held = taken(registry, anna, number)
        seconds.append(build_seconds(registry, held))
        built(registry, held, spent)
        decline(registry, held, "")
        clock.now += 60
    assert seconds == [600, 600, 600, 240]
    assert left(registry, anna).build_minutes.left == 1
    held = taken(registry, anna, 5)
    built(registry, held, build_seconds(registry, held) - 20)
    decline(registry, held, "")
    assert left(registry, anna).build_minutes.left == 0
    clock.now += DAY_S - 5 * 60 + 30
    with pytest.raises(OverQuota, match="building") as told:
        new_upload(registry, anna, digest(6), 100)
    assert told.value.wait_s == 30
    clock.now += 30
    assert new_upload(registry, anna, digest(6), 100)[1]


def test_a_third_bot_waits_until_one_leaves(registry: Registry, anna: Account) -> None:
    for number, name in enumerate(("one", "two")):
        held = taken(registry, anna, number)
        may_enter(registry, held, name)
        assert left(registry, anna).bots.left == 1 - number
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
    assert left(registry, anna).bots.left == 0


def test_states_are_written_only_where_they_differ(registry: Registry, anna: Account) -> None:
    enter(registry, taken(registry, anna), "bot", "bot")
    before = registry.version()
    note_states(registry, {"bot": ("playing", "")})
    assert registry.version() == before
    note_states(registry, {"bot": ("benched", "crashed")})
    assert [(each.state, each.why) for each in bots(registry, anna)] == [("benched", "crashed")]


def test_nothing_is_taken_in_while_uploads_are_paused(registry: Registry, anna: Account) -> None:
    new_upload(registry, anna, digest(1), 100)
    pause(registry, UPLOADS, "a new version is put on")
    with pytest.raises(Busy, match="uploads are paused: a new version is put on"):
        new_upload(registry, anna, digest(2), 100)
    assert take_upload(registry) is None
    assert go_on(registry, UPLOADS)
    assert not go_on(registry, UPLOADS)
    assert take_upload(registry) is not None


def test_what_a_revoked_account_sent_is_not_looked_at(registry: Registry, anna: Account) -> None:
    held = taken(registry, anna)
    revoke(registry, "anna", "rude")
    assert not finish(registry, held.number, "failed", "too late")
    assert not entered(registry, held.number, anna, "bot", "bot")
    assert take_upload(registry) is None
    assert bots(registry, anna) == []
    assert uploads(registry, anna)[0].why == "the account was revoked"


def test_who_is_shut_out_while_an_archive_comes_has_sent_nothing(
    registry: Registry, anna: Account
) -> None:
    may_upload(registry, anna, 100)
    revoke(registry, "anna", "rude")
    with pytest.raises(Forbidden):
        new_upload(registry, anna, digest(1), 100)
    with pytest.raises(Forbidden):
        request(registry, anna, Challenge(("a", "b", "c")))
    with pytest.raises(Forbidden):
        new_token(registry, anna, ["read"])
    with pytest.raises(Forbidden):
        new_code(registry, anna)
    assert uploads(registry, anna) == []


def test_an_archive_stays_in_the_spool_while_it_is_needed(
    registry: Registry, anna: Account, clock: Clock
) -> None:
    held = taken(registry, anna)
    assert spooled(registry) == {spool_file(anna, digest(1))}
    decline(registry, held, "")
    assert spooled(registry) == {spool_file(anna, digest(1))}  # a backup may just be copying it
    clock.now += 3600
    assert spooled(registry) == set()
