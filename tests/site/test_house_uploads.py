"""Uploads: queued once, checked under a lease by one at a time, and seen by their owner alone."""

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from arena.base.refusals import Busy, Forbidden, Missing, OverQuota, Refusal, TooLarge
from arena.bots.check_step import CheckStep
from arena.site.config import Quotas
from arena.site.house.accounts import Account, revoke
from arena.site.house.audit import audit
from arena.site.house.bots import bots, note_states, owner
from arena.site.house.file import House
from arena.site.house.intake import (
    LONGEST_TEXT,
    MOST_STEPS,
    build_seconds,
    built,
    entered,
    may_enter,
    step,
)
from arena.site.house.jobs import LEASE_S, MOST_TRIES, LeaseLost, Taken, decline, keep
from arena.site.house.quotas import DAY_S, left
from arena.site.house.requests import Challenge, request
from arena.site.house.stops import go_on, pause
from arena.site.house.tokens import new_code, new_token
from arena.site.house.uploads import (
    Archive,
    may_upload,
    new_upload,
    queue,
    spool_file,
    spooled,
    upload,
    uploads,
)
from arena.site.processes import UPLOADS
from tests.support.house import Clock, comes_in, digest, opened, take_upload, taken


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(tmp_path: Path, clock: Clock) -> Iterator[House]:
    with opened(tmp_path, clock=clock) as house:
        yield house


@pytest.fixture
def anna(house: House) -> Account:
    return comes_in(house, "anna")


def test_an_upload_waits_is_checked_and_enters(house: House, anna: Account) -> None:
    sent, new = new_upload(house, anna, digest(1), 100)
    assert new
    assert (sent.state, sent.place, sent.name) == ("queued", 1, None)
    held = take_upload(house)
    assert held is not None
    assert (held.account, held.about) == (anna, Archive(digest(1)))
    step(house, held, CheckStep("manifest", True, "anna 1"))
    seen = upload(house, anna, sent.id)
    assert (seen.state, seen.place, [each.said for each in seen.steps]) == (
        "checking",
        1,
        ["anna 1"],
    )
    may_enter(house, held, "bot")
    entered(house, held, "bot", "bot")
    seen = upload(house, anna, sent.id)
    assert (seen.state, seen.place, seen.name, len(seen.steps)) == ("entered", None, "bot", 1)
    assert [(bot.name, bot.state) for bot in bots(house, anna)] == [("bot", "playing")]
    assert owner(house, "bot") == anna
    assert owner(house, "other") is None
    assert take_upload(house) is None


def test_an_upload_that_fails_says_why(house: House, anna: Account) -> None:
    decline(house, taken(house, anna), "it does not start")
    (seen,) = uploads(house, anna)
    assert (seen.state, seen.why, seen.ended) == ("failed", "it does not start", house.now())


def test_the_same_archive_is_the_same_upload_unless_it_is_asked_again(
    house: House, anna: Account
) -> None:
    first, _ = new_upload(house, anna, digest(1), 100)
    for again in (False, True):
        assert new_upload(house, anna, digest(1), 100, again) == (first, False)
    held = take_upload(house)
    assert held is not None
    decline(house, held, "no luck")
    same, new = new_upload(house, anna, digest(1), 100)
    assert (same.id, same.why, new) == (first.id, "no luck", False)
    other, new = new_upload(house, anna, digest(1), 100, again=True)
    assert new
    assert other.id != first.id
    assert new_upload(house, anna, digest(1), 100)[0] == other


PATHS = ("", "../../etc/passwd", "a" * 63, "A" * 64, f"{'a' * 64}/x", f"{'a' * 64}\n")


@pytest.mark.parametrize("text", PATHS)
def test_what_is_no_digest_names_no_file(text: str, house: House, anna: Account) -> None:
    with pytest.raises(Refusal, match="no SHA-256"):
        new_upload(house, anna, text, 100)
    with house.writing() as sql:  # as only a process that is not ours any more would do
        sql.execute(
            "INSERT INTO jobs (id, account, kind, about, size, at)"
            " VALUES ('x', ?, 'upload', ?, 1, 0)",
            (anna.number, msgspec.json.encode(Archive(text)).decode()),
        )
    assert spooled(house) == set()
    assert take_upload(house) is None
    assert upload(house, anna, "x").state == "failed"


def test_two_accounts_may_send_the_same_archive(house: House, anna: Account) -> None:
    juris = comes_in(house, "juris")
    one, two = (new_upload(house, each, digest(1), 100)[0] for each in (anna, juris))
    assert one.id != two.id
    assert (one.place, two.place, queue(house)) == (1, 2, 2)
    with pytest.raises(Missing):
        upload(house, juris, one.id)


def test_own_uploads_come_newest_first_by_number(house: House, anna: Account) -> None:
    for number in range(4):
        decline(house, taken(house, anna, number), "")
    found = uploads(house, anna, most=3)
    assert [each.digest for each in found] == [digest(3), digest(2), digest(1)]
    assert [each.digest for each in uploads(house, anna, before=found[-1].number)] == [digest(0)]


def test_who_falls_silent_loses_the_upload_and_another_begins_it_anew(
    house: House, anna: Account, clock: Clock
) -> None:
    first = taken(house, anna)
    step(house, first, CheckStep("manifest", True, "first"))
    clock.now += LEASE_S - 1
    keep(house, first)
    clock.now += LEASE_S - 1
    assert take_upload(house) is None
    clock.now += 1
    second = take_upload(house)
    assert second is not None
    assert second.number == first.number
    assert upload(house, anna, first.id).steps == ()
    late: list[Callable[[House, Taken[Archive]], None]] = [
        keep,
        lambda house, held: step(house, held, CheckStep("build", True, "late")),
        lambda house, held: built(house, held, 1.0),
        lambda house, held: may_enter(house, held, "bot"),
        lambda house, held: decline(house, held, "late"),
        lambda house, held: entered(house, held, "bot", "bot"),
    ]
    for act in late:
        with pytest.raises(LeaseLost):
            act(house, first)
    decline(house, second, "by the second")
    with pytest.raises(LeaseLost):
        decline(house, second, "twice")
    assert upload(house, anna, first.id).why == "by the second"


def test_what_kills_the_intake_again_and_again_is_given_up(
    house: House, anna: Account, clock: Clock
) -> None:
    taken(house, anna)
    for _ in range(MOST_TRIES - 1):
        clock.now += LEASE_S
        assert take_upload(house) is not None
    clock.now += LEASE_S
    assert take_upload(house) is None
    (seen,) = uploads(house, anna)
    assert seen.state == "failed"
    assert "the site itself failed 3 times" in seen.why
    assert audit(house)[0].what == "gave up"


def test_steps_are_bounded_and_keep_the_end_of_what_was_printed(
    house: House, anna: Account
) -> None:
    held = taken(house, anna)
    lines = tuple(f"line {number} {'x' * 5000}" for number in range(100))
    huge = CheckStep("n" * 1000, False, "s" * 2 * LONGEST_TEXT, lines, "e" * LONGEST_TEXT + "end")
    for _ in range(MOST_STEPS + 1):
        step(house, held, huge)
    steps = upload(house, anna, held.id).steps
    assert len(steps) == MOST_STEPS
    assert len(msgspec.json.encode(steps[0])) < 4 * LONGEST_TEXT
    assert steps[0].show[-1].startswith("line 99 ")
    assert steps[0].stderr.endswith("end")


def test_a_step_is_what_a_check_gives() -> None:
    assert CheckStep.__struct_fields__ == CheckStep.__struct_fields__
    assert CheckStep.__struct_defaults__ == CheckStep.__struct_defaults__


def test_an_archive_that_is_too_large_is_refused_before_its_body(
    house: House, anna: Account
) -> None:
    with pytest.raises(TooLarge, match="at most 16 MiB"):
        may_upload(house, anna, (16 << 20) + 1)
    with pytest.raises(TooLarge):
        new_upload(house, anna, digest(1), (16 << 20) + 1)
    may_upload(house, anna, 16 << 20)
    may_upload(house, anna, None)


def test_one_upload_is_under_way_at_a_time(house: House, anna: Account) -> None:
    new_upload(house, anna, digest(1), 100)
    with pytest.raises(OverQuota) as told:
        new_upload(house, anna, digest(2), 100)
    assert (told.value.status, told.value.wait_s) == (429, 30)
    may_upload(house, anna, 100, digest(1))  # the answer to it was lost on its way
    with pytest.raises(OverQuota):
        may_upload(house, anna, 100, digest(2))
    assert left(house, anna).checks.left == 0


def test_uploads_of_a_day_are_bounded_and_the_wait_is_told(
    house: House, anna: Account, clock: Clock
) -> None:
    for number in range(5):
        decline(house, taken(house, anna, number), "")
        clock.now += 600
    with pytest.raises(OverQuota, match="5 uploads in 24 hours") as told:
        new_upload(house, anna, digest(9), 100)
    assert told.value.wait_s == DAY_S - 3000
    clock.now += told.value.wait_s
    assert new_upload(house, anna, digest(9), 100)[1]


def test_minutes_of_building_are_bounded(house: House, anna: Account, clock: Clock) -> None:
    seconds = []
    for number, spent in enumerate((600, 480, 480, 150)):
        held = taken(house, anna, number)
        seconds.append(build_seconds(house, held))
        built(house, held, spent)
        decline(house, held, "")
        clock.now += 60
    assert seconds == [600, 600, 600, 240]
    assert left(house, anna).build_minutes.left == 1
    held = taken(house, anna, 5)
    built(house, held, build_seconds(house, held) - 20)
    decline(house, held, "")
    assert left(house, anna).build_minutes.left == 0
    clock.now += DAY_S - 5 * 60 + 30
    with pytest.raises(OverQuota, match="uploads in 24 hours"):
        new_upload(house, anna, digest(6), 100)
    house.quotas = Quotas(uploads=9)
    with pytest.raises(OverQuota, match="building") as told:
        new_upload(house, anna, digest(6), 100)
    assert told.value.wait_s == 30
    clock.now += 30
    assert new_upload(house, anna, digest(6), 100)[1]


def test_a_third_bot_waits_until_one_leaves(house: House, anna: Account) -> None:
    for number, name in enumerate(("one", "two")):
        held = taken(house, anna, number)
        may_enter(house, held, name)
        assert left(house, anna).bots.left == 1 - number
        entered(house, held, name, name)
    held = taken(house, anna, 3)
    with pytest.raises(OverQuota, match="2 bots of an author") as told:
        may_enter(house, held, "three")
    assert told.value.wait_s is None
    may_enter(house, held, "two")  # a new version takes the place of the old one
    entered(house, held, "two.2", "two")
    assert [(each.name, each.state, each.why) for each in bots(house, anna)][-1] == (
        "two",
        "replaced",
        "by two.2",
    )
    note_states(house, {"one": ("withdrawn", ""), "stranger": ("playing", "")})
    held = taken(house, anna, 4)
    may_enter(house, held, "three")
    entered(house, held, "three", "three")
    assert left(house, anna).bots.left == 0


def test_states_are_written_only_where_they_differ(house: House, anna: Account) -> None:
    entered(house, taken(house, anna), "bot", "bot")
    before = house.version()
    note_states(house, {"bot": ("playing", "")})
    assert house.version() == before
    note_states(house, {"bot": ("benched", "crashed")})
    assert [(each.state, each.why) for each in bots(house, anna)] == [("benched", "crashed")]


def test_nothing_is_taken_in_while_uploads_are_paused(house: House, anna: Account) -> None:
    new_upload(house, anna, digest(1), 100)
    pause(house, UPLOADS, "a new version is put on")
    with pytest.raises(Busy, match="uploads are paused: a new version is put on"):
        new_upload(house, anna, digest(2), 100)
    assert take_upload(house) is None
    assert go_on(house, UPLOADS)
    assert not go_on(house, UPLOADS)
    assert take_upload(house) is not None


def test_what_a_revoked_account_sent_is_not_looked_at(house: House, anna: Account) -> None:
    held = taken(house, anna)
    revoke(house, "anna", "rude")
    with pytest.raises(LeaseLost):
        keep(house, held)
    assert take_upload(house) is None
    assert uploads(house, anna)[0].why == "the account was revoked"


def test_who_is_shut_out_while_an_archive_comes_has_sent_nothing(
    house: House, anna: Account
) -> None:
    may_upload(house, anna, 100)
    revoke(house, "anna", "rude")
    with pytest.raises(Forbidden):
        new_upload(house, anna, digest(1), 100)
    with pytest.raises(Forbidden):
        request(house, anna, Challenge(("a", "b", "c")))
    with pytest.raises(Forbidden):
        new_token(house, anna, ["read"])
    with pytest.raises(Forbidden):
        new_code(house, anna)
    assert uploads(house, anna) == []


def test_an_archive_stays_in_the_spool_while_it_is_needed(
    house: House, anna: Account, clock: Clock
) -> None:
    held = taken(house, anna)
    assert spooled(house) == {spool_file(anna, digest(1))}
    decline(house, held, "")
    assert spooled(house) == {spool_file(anna, digest(1))}  # a backup may just be copying it
    clock.now += 3600
    assert spooled(house) == set()
