"""Requests: asked once, answered by one, for one's own bots, and no more than are bearable."""

import gzip
from collections.abc import Sequence
from typing import Any

import pytest

from arena.base.refusals import Busy, Missing, OverQuota
from arena.site.registry.accounts import Account, revoke
from arena.site.registry.file import Registry, audit
from arena.site.registry.jobs import MOST_TRIES, Taken, give_back, take, take_back
from arena.site.registry.requests import (
    ANEW_S,
    FILE_REQUESTS,
    MOST_OF_ALL,
    MOST_OF_ONE,
    About,
    Challenge,
    OwnLog,
    Resume,
    Withdraw,
    find_request,
    forget_requests,
    log_of,
    request,
    requests,
)
from arena.site.registry.uploads import left
from tests.support.registry import Clock, answer, comes_in, decline, enter, taken


@pytest.fixture
def anna(registry: Registry) -> Account:
    account = comes_in(registry, "anna")
    enter(registry, taken(registry, account), "bot", "bot")
    return account


def took(registry: Registry, kinds: Sequence[type[Any]] = FILE_REQUESTS) -> Taken[Any]:
    found = take(registry, kinds)
    assert found is not None
    return found


def test_a_request_is_taken_and_answered(registry: Registry, anna: Account) -> None:
    asked, new = request(registry, anna, OwnLog(7))
    assert (new, asked.state, asked.about) == (True, "waiting", OwnLog(7))
    held = took(registry)
    assert (held.account, held.about) == (anna, asked.about)
    assert took(registry) == held  # nobody else takes it
    answer(registry, held, b"a log")
    assert take(registry, FILE_REQUESTS) is None
    seen = find_request(registry, anna, asked.id)
    assert seen.state == "answered"
    packed = log_of(registry, anna, asked.id)
    assert packed is not None
    assert gzip.decompress(packed) == b"a log"
    assert log_of(registry, comes_in(registry, "juris"), asked.id) is None
    assert request(registry, anna, asked.about) == (seen, False)
    assert requests(registry, anna) == [seen]


def test_nobody_asks_for_what_is_anothers(registry: Registry, anna: Account) -> None:
    juris = comes_in(registry, "juris")
    mine: tuple[About, ...] = (Withdraw("bot"), Resume("bot"))
    for about in mine:
        with pytest.raises(Missing):
            request(registry, juris, about)
        own, _ = request(registry, anna, about)
        with pytest.raises(Missing):
            find_request(registry, juris, own.id)
    with pytest.raises(Missing):
        request(registry, anna, Withdraw("no such bot"))


def test_what_failed_may_be_asked_anew_after_a_while(
    registry: Registry, anna: Account, clock: Clock
) -> None:
    first, _ = request(registry, anna, OwnLog(7))
    decline(registry, took(registry), "there is no match 7")
    seen, new = request(registry, anna, first.about)
    assert (new, seen.state, seen.answer) == (False, "failed", "there is no match 7")
    clock.now += ANEW_S
    again, new = request(registry, anna, first.about)
    assert (new, again.state) == (True, "waiting")


def test_withdrawing_is_asked_once_at_a_time_and_again_later(
    registry: Registry, anna: Account
) -> None:
    first, _ = request(registry, anna, Withdraw("bot"))
    assert request(registry, anna, Withdraw("bot")) == (first, False)
    answer(registry, took(registry))
    assert request(registry, anna, Withdraw("bot"))[1]


def test_a_challenge_with_a_key_is_asked_once(registry: Registry, anna: Account) -> None:
    about = Challenge(("bot", "a", "b"))
    first, _ = request(registry, anna, about, "key")
    answer(registry, took(registry, (Challenge,)), text="{}")
    same, new = request(registry, anna, about, "key")
    assert (same.id, same.answer, new) == (first.id, "{}", False)
    assert request(registry, anna, about, "other key")[1]
    assert left(registry, anna).challenges.left == 18


def test_challenges_of_a_day_are_bounded(registry: Registry, anna: Account, clock: Clock) -> None:
    for number in range(20):
        request(registry, anna, Challenge(("bot", "a", "b")), str(number))
        answer(registry, took(registry, (Challenge,)))
    forget_requests(registry, ended_s=0)
    with pytest.raises(OverQuota, match="20 challenges") as told:
        request(registry, anna, Challenge(("bot", "a", "b")), "one more")
    assert told.value.wait_s == 86400
    clock.now += 86400
    assert request(registry, anna, Challenge(("bot", "a", "b")), "one more")[1]


def test_challenges_of_one_author_hold_up_no_other(registry: Registry, anna: Account) -> None:
    juris = comes_in(registry, "juris")
    asked = [(anna, number) for number in range(3)] + [(juris, number) for number in range(2)]
    for who, number in asked:
        request(registry, who, Challenge((f"{who.name}{number}", "b", "c")), str(number))
    turns = []
    while (taken := take(registry, (Challenge,))) is not None:
        answer(registry, taken)
        assert isinstance(taken.about, Challenge)
        turns.append(taken.about.bots[0])
    assert turns == ["anna0", "juris0", "anna1", "juris1", "anna2"]


def test_the_clerk_and_the_player_take_each_their_own(registry: Registry, anna: Account) -> None:
    request(registry, anna, Challenge(("bot", "a", "b")))
    assert take(registry, FILE_REQUESTS) is None
    assert took(registry, (Challenge,)).about == Challenge(("bot", "a", "b"))


def test_what_kills_its_process_again_and_again_is_given_up(
    registry: Registry, anna: Account
) -> None:
    asked, _ = request(registry, anna, Withdraw("bot"))
    give_back(registry, took(registry))
    assert take_back(registry, FILE_REQUESTS) == []
    for _ in range(MOST_TRIES):
        held = took(registry)
        assert take_back(registry, FILE_REQUESTS) == [held.number]
    assert take(registry, FILE_REQUESTS) is None
    assert find_request(registry, anna, asked.id).state == "failed"
    assert audit(registry)[0].what == "gave up"


def test_what_no_site_has_asked_ends_and_stops_nobody(registry: Registry, anna: Account) -> None:
    with registry.writing() as sql:
        for number, text in enumerate(("", "{}", '{"type": "own", "match": "x"}', "[" * 9999)):
            sql.execute(
                "INSERT INTO jobs (id, account, kind, about, key, at)"
                " VALUES (?, ?, 'own', ?, ?, 0)",
                (str(number), anna.number, text, str(number).encode()),
            )
    good, _ = request(registry, anna, Withdraw("bot"))
    assert took(registry).id == good.id


def test_waiting_requests_are_bounded(registry: Registry, anna: Account) -> None:
    for number in range(MOST_OF_ONE):
        request(registry, anna, OwnLog(number))
    with pytest.raises(OverQuota):
        request(registry, anna, Withdraw("bot"))
    juris = comes_in(registry, "juris")
    enter(registry, taken(registry, juris, 2), "other", "other")
    request(registry, juris, Withdraw("other"))
    with registry.writing() as sql:
        sql.executemany(
            "INSERT INTO jobs (id, account, kind, about, key, at) VALUES (?, ?, 'own', '{}', ?, 0)",
            [(str(it), anna.number, str(it).encode()) for it in range(MOST_OF_ALL)],
        )
    with pytest.raises(Busy):
        request(registry, juris, Resume("other"))


def test_old_requests_are_forgotten_with_their_logs(
    registry: Registry, anna: Account, clock: Clock
) -> None:
    asked = []
    for number in (1, 2):
        asked.append(request(registry, anna, OwnLog(number))[0])
        answer(registry, took(registry), b"a log")
        clock.now += 100
    waiting, _ = request(registry, anna, Withdraw("bot"))
    forget_requests(registry, ended_s=200)
    assert [log_of(registry, anna, each.id) is None for each in asked] == [True, False]
    forget_requests(registry, ended_s=0)
    assert requests(registry, anna) == [waiting]


def test_requests_of_a_revoked_account_end(registry: Registry, anna: Account) -> None:
    request(registry, anna, Withdraw("bot"))
    revoke(registry, "anna", "")
    assert take(registry, FILE_REQUESTS) is None


def test_own_requests_come_newest_first_by_number(registry: Registry, anna: Account) -> None:
    for number in range(3):
        request(registry, anna, OwnLog(number))
    found = requests(registry, anna, most=2)
    assert [each.about for each in found] == [OwnLog(2), OwnLog(1)]
    assert len(requests(registry, anna, before=found[-1].number)) == 1
