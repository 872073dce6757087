"""Requests: asked once, answered by one, for one's own bots, and no more than are bearable."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from arena.base.refusals import Busy, Missing, OverQuota
from arena.site.house.accounts import Account, revoke
from arena.site.house.file import House
from arena.site.house.intake import entered
from arena.site.house.jobs import LEASE_S, MOST_TRIES, LeaseLost, Taken, answer, decline, keep, take
from arena.site.house.quotas import left
from arena.site.house.requests import (
    ANEW_S,
    CLERK,
    MOST_OF_ALL,
    MOST_OF_NOBODY,
    MOST_OF_ONE,
    PLAYER,
    About,
    Challenge,
    OwnView,
    Replay,
    Resume,
    Withdraw,
    cut_files,
    find_request,
    forget_requests,
    request,
    requests,
)
from tests.support.house import Clock, comes_in, opened, taken


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(tmp_path: Path, clock: Clock) -> Iterator[House]:
    with opened(tmp_path, clock=clock) as house:
        yield house


@pytest.fixture
def anna(house: House) -> Account:
    account = comes_in(house, "anna")
    entered(house, taken(house, account), "bot", "bot")
    return account


def took(house: House, kinds: Sequence[type[Any]] = CLERK) -> Taken[Any]:
    found = take(house, kinds)
    assert found is not None
    return found


def test_a_request_is_taken_and_answered(house: House, anna: Account) -> None:
    asked, new = request(house, anna, OwnView(7, "bot", "seat"))
    assert (new, asked.state, asked.about) == (True, "waiting", OwnView(7, "bot", "seat"))
    held = took(house)
    assert (held.account, held.about) == (anna, asked.about)
    assert take(house, CLERK) is None
    answer(house, held, "7.jsonl")
    seen = find_request(house, anna, asked.id)
    assert (seen.state, seen.file) == ("answered", "7.jsonl")
    assert request(house, anna, asked.about) == (seen, False)
    assert requests(house, anna) == [seen]


def test_a_replay_is_cut_once_for_all(house: House, anna: Account) -> None:
    one, new = request(house, None, Replay(3))
    assert new
    assert request(house, None, Replay(3)) == (one, False)
    assert find_request(house, None, one.id) == find_request(house, anna, one.id) == one


def test_nobody_asks_for_what_is_anothers(house: House, anna: Account) -> None:
    juris = comes_in(house, "juris")
    mine: tuple[About, ...] = (OwnView(7, "bot", "stderr"), Withdraw("bot"), Resume("bot"))
    for about in mine:
        for who in (juris, None):
            with pytest.raises(Missing):
                request(house, who, about)
        own, _ = request(house, anna, about)
        for who in (juris, None):
            with pytest.raises(Missing):
                find_request(house, who, own.id)
    with pytest.raises(Missing):
        request(house, anna, Withdraw("no such bot"))
    with pytest.raises(Missing):
        request(house, None, Challenge(("bot", "a", "b")))


def test_what_failed_may_be_asked_anew_after_a_while(
    house: House, anna: Account, clock: Clock
) -> None:
    first, _ = request(house, anna, OwnView(7, "bot", "seat"))
    decline(house, took(house), "there is no match 7")
    seen, new = request(house, anna, first.about)
    assert (new, seen.state, seen.answer) == (False, "failed", "there is no match 7")
    clock.now += ANEW_S
    again, new = request(house, anna, first.about)
    assert (new, again.state) == (True, "waiting")


def test_withdrawing_is_asked_once_at_a_time_and_again_later(house: House, anna: Account) -> None:
    first, _ = request(house, anna, Withdraw("bot"))
    assert request(house, anna, Withdraw("bot")) == (first, False)
    answer(house, took(house))
    assert request(house, anna, Withdraw("bot"))[1]


def test_a_challenge_with_a_key_is_asked_once(house: House, anna: Account) -> None:
    about = Challenge(("bot", "a", "b"))
    first, _ = request(house, anna, about, "key")
    answer(house, took(house, PLAYER), text="{}")
    same, new = request(house, anna, about, "key")
    assert (same.id, same.answer, new) == (first.id, "{}", False)
    assert request(house, anna, about, "other key")[1]
    assert left(house, anna).challenges.left == 18


def test_challenges_of_a_day_are_bounded(house: House, anna: Account, clock: Clock) -> None:
    for number in range(20):
        request(house, anna, Challenge(("bot", "a", "b")), str(number))
        answer(house, took(house, PLAYER))
    forget_requests(house, ended_s=0)
    with pytest.raises(OverQuota, match="20 challenges") as told:
        request(house, anna, Challenge(("bot", "a", "b")), "one more")
    assert told.value.wait_s == 86400
    clock.now += 86400
    assert request(house, anna, Challenge(("bot", "a", "b")), "one more")[1]


def test_challenges_of_one_author_hold_up_no_other(house: House, anna: Account) -> None:
    juris = comes_in(house, "juris")
    asked = [(anna, number) for number in range(3)] + [(juris, number) for number in range(2)]
    for who, number in asked:
        request(house, who, Challenge((f"{who.name}{number}", "b", "c")), str(number))
    turns = []
    while (taken := take(house, PLAYER)) is not None:
        answer(house, taken)
        assert isinstance(taken.about, Challenge)
        turns.append(taken.about.bots[0])
    assert turns == ["anna0", "juris0", "anna1", "juris1", "anna2"]


def test_the_clerk_and_the_player_take_each_their_own(house: House, anna: Account) -> None:
    request(house, anna, Challenge(("bot", "a", "b")))
    assert take(house, CLERK) is None
    assert took(house, PLAYER).about == Challenge(("bot", "a", "b"))


def test_who_falls_silent_loses_the_request(house: House, anna: Account, clock: Clock) -> None:
    request(house, anna, Withdraw("bot"))
    first = took(house)
    clock.now += LEASE_S - 1
    keep(house, first)
    clock.now += LEASE_S - 1
    assert take(house, CLERK) is None
    clock.now += 1
    second = took(house)
    for act in (keep, answer, lambda house, held: decline(house, held, "")):
        with pytest.raises(LeaseLost):
            act(house, first)
    answer(house, second)
    with pytest.raises(LeaseLost):
        answer(house, second)


def test_what_kills_the_clerk_again_and_again_is_given_up(
    house: House, anna: Account, clock: Clock
) -> None:
    asked, _ = request(house, anna, Withdraw("bot"))
    for _ in range(MOST_TRIES):
        took(house)
        clock.now += LEASE_S
    assert take(house, CLERK) is None
    assert find_request(house, anna, asked.id).state == "failed"


def test_what_no_site_has_asked_ends_and_stops_nobody(house: House, anna: Account) -> None:
    with house.writing() as sql:
        for number, text in enumerate(("", "{}", '{"type": "replay", "match": "x"}', "[" * 9999)):
            sql.execute(
                "INSERT INTO jobs (id, kind, about, key, at) VALUES (?, 'replay', ?, ?, 0)",
                (str(number), text, str(number).encode()),
            )
    good, _ = request(house, anna, Withdraw("bot"))
    assert took(house).id == good.id
    assert take(house, CLERK) is None


def test_waiting_requests_are_bounded(house: House, anna: Account) -> None:
    for number in range(MOST_OF_ONE):
        request(house, anna, OwnView(number, "bot", "seat"))
    with pytest.raises(OverQuota):
        request(house, anna, Withdraw("bot"))
    for number in range(MOST_OF_NOBODY):
        request(house, None, Replay(number))
    with pytest.raises(Busy):
        request(house, None, Replay(MOST_OF_NOBODY))
    juris = comes_in(house, "juris")
    entered(house, taken(house, juris, 2), "other", "other")
    request(house, juris, Withdraw("other"))  # whoever asks for replays holds up no author
    with house.writing() as sql:
        sql.executemany(
            "INSERT INTO jobs (id, kind, about, key, at) VALUES (?, 'replay', '{}', ?, 0)",
            [(str(number), str(number).encode()) for number in range(MOST_OF_ALL)],
        )
    with pytest.raises(Busy):
        request(house, juris, Resume("other"))


def test_old_requests_are_forgotten_and_their_files_can_go(
    house: House, anna: Account, clock: Clock
) -> None:
    for number in (1, 2):
        request(house, None, Replay(number))
        answer(house, took(house), f"{number}.json")
        clock.now += 100
    waiting, _ = request(house, anna, Withdraw("bot"))
    assert cut_files(house) == {"1.json", "2.json"}
    forget_requests(house, ended_s=200)
    assert cut_files(house) == {"2.json"}
    forget_requests(house, ended_s=0)
    assert cut_files(house) == set()
    assert requests(house, anna) == [waiting]


def test_requests_of_a_revoked_account_end(house: House, anna: Account) -> None:
    request(house, anna, Withdraw("bot"))
    revoke(house, "anna", "")
    assert take(house, CLERK) is None


def test_own_requests_come_newest_first_by_number(house: House, anna: Account) -> None:
    for number in range(3):
        request(house, anna, OwnView(number, "bot", "seat"))
    found = requests(house, anna, most=2)
    assert [each.about for each in found] == [OwnView(2, "bot", "seat"), OwnView(1, "bot", "seat")]
    assert len(requests(house, anna, before=found[-1].number)) == 1
