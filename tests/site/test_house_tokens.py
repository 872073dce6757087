"""Invitations, tokens and sessions: each secret is told once, kept as a hash, and ends."""

import hashlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from arena.base.refusals import Conflict, Missing, OverQuota, Refusal
from arena.site.house.accounts import account, accounts, revoke
from arena.site.house.audit import ORGANISER, audit
from arena.site.house.file import House
from arena.site.house.invitations import INVITED_S, accept, invitation, invitations, invite
from arena.site.house.tokens import (
    CODE_S,
    MOST_SESSIONS,
    MOST_TOKENS,
    SESSION_S,
    account_of,
    account_of_session,
    end_session,
    new_code,
    new_token,
    revoke_token,
    session,
    tokens,
)
from tests.support.house import Clock, at_once, comes_in, opened


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def house(tmp_path: Path, clock: Clock) -> Iterator[House]:
    with opened(tmp_path, clock=clock) as house:
        yield house


def test_an_invitation_makes_an_account_once(house: House) -> None:
    code = invite(house, "Anna B.")
    assert (invitation(house, code).name, invitation(house, code).known) == ("Anna B.", False)
    came = accept(house, code)
    assert came.account == account(house, "Anna B.")
    assert account_of(house, came.token, "submit") == came.account
    assert account_of_session(house, came.session) == came.account
    for look in (invitation, accept):
        with pytest.raises(Missing):
            look(house, code)


def test_an_invitation_is_taken_by_one_of_many(tmp_path: Path) -> None:
    with opened(tmp_path) as house:
        code = invite(house, "anna")

    def take(_: int) -> bool:
        with opened(tmp_path) as own:
            try:
                accept(own, code)
            except Missing:
                return False
            return True

    assert sorted(at_once(8, take)) == [False] * 7 + [True]


def test_an_invitation_gets_old_and_the_last_of_a_name_counts(house: House, clock: Clock) -> None:
    first, second = invite(house, "anna"), invite(house, "anna")
    with pytest.raises(Missing):
        accept(house, first)
    clock.now += INVITED_S
    with pytest.raises(Missing):
        accept(house, second)
    assert invitations(house) == []


def test_only_the_organiser_lets_somebody_into_an_account_again(house: House) -> None:
    anna, juris = comes_in(house, "anna"), comes_in(house, "juris")
    with pytest.raises(Conflict, match="there is an account anna"):
        invite(house, "anna", by="juris")
    code = invite(house, "anna")
    assert invitation(house, code).known
    again = accept(house, code)
    assert again.account == anna
    assert len(tokens(house, anna)) == 2
    assert accounts(house) == [anna, juris]


@pytest.mark.parametrize(
    "name", ["", "a" * 41, "a/b", "<b>", "house", "Organiser", "the organiser"]
)
def test_some_names_are_no_accounts(name: str, house: House) -> None:
    with pytest.raises(Refusal):
        invite(house, name)


def test_a_name_that_looks_like_another_is_refused(house: House) -> None:
    comes_in(house, "alla")
    with pytest.raises(Conflict, match="there is an account alla, which looks like a11a"):
        invite(house, "a11a")


def test_who_invites_is_kept(house: House) -> None:
    comes_in(house, "anna")
    accept(house, invite(house, "juris", by="anna"))
    assert [each.inviter for each in accounts(house)] == [ORGANISER, "anna"]
    with pytest.raises(Missing):
        invite(house, "liga", by="nobody")


def test_a_token_has_256_bits_and_begins_so_that_scanners_find_it(house: House) -> None:
    token = accept(house, invite(house, "anna")).token
    assert token.startswith("zole_")
    assert len(token) == len("zole_") + 43


def test_a_token_is_good_for_its_scopes_until_it_is_revoked(house: House) -> None:
    anna, juris = comes_in(house, "anna"), comes_in(house, "juris")
    token = new_token(house, anna, ["read"], "my laptop")
    assert account_of(house, token, "read") == anna
    assert account_of(house, token, "submit") is None
    number = tokens(house, anna)[0].number
    with pytest.raises(Missing):
        revoke_token(house, juris, number)
    revoke_token(house, anna, number)
    assert account_of(house, token, "read") is None
    with pytest.raises(Missing):
        revoke_token(house, anna, number)


def test_who_had_a_token_that_is_revoked_is_in_no_session_by_it(house: House) -> None:
    anna, juris = accept(house, invite(house, "anna")), accept(house, invite(house, "juris"))
    thiefs, code = session(house, new_code(house, anna.account)), new_code(house, anna.account)
    number = tokens(house, anna.account)[0].number
    revoke_token(house, anna.account, number, anna.session)
    assert account_of_session(house, thiefs) is None
    with pytest.raises(Missing):
        session(house, code)
    assert account_of_session(house, anna.session) == anna.account
    assert account_of_session(house, juris.session) == juris.account


def test_a_token_tells_the_day_of_its_last_use(house: House, clock: Clock) -> None:
    came = accept(house, invite(house, "anna"))
    assert tokens(house, came.account)[0].used is None
    account_of(house, came.token, "read")
    assert tokens(house, came.account)[0].used == "2027-01-15"
    before = house.version()
    account_of(house, came.token, "read")
    assert house.version() == before  # it is written once a day
    clock.now += 86400
    account_of(house, came.token, "read")
    assert tokens(house, came.account)[0].used == "2027-01-16"


def test_tokens_and_sessions_of_an_account_are_bounded(house: House, clock: Clock) -> None:
    anna = comes_in(house, "anna")
    for _ in range(MOST_TOKENS - 1):
        new_token(house, anna, ["read"])
    with pytest.raises(OverQuota):
        new_token(house, anna, ["read"])
    for token in tokens(house, anna):
        revoke_token(house, anna, token.number)
    with pytest.raises(OverQuota):  # else the audit would grow as fast as one can ask
        new_token(house, anna, ["read"])
    clock.now += 86401
    new_token(house, anna, ["read"])
    cookies = []
    for _ in range(MOST_SESSIONS + 1):
        clock.now += 1
        cookies.append(session(house, new_code(house, anna)))
    known = [account_of_session(house, cookie) is not None for cookie in cookies]
    assert known == [False] + [True] * MOST_SESSIONS


def test_a_code_makes_one_session_and_soon(house: House, clock: Clock) -> None:
    anna = comes_in(house, "anna")
    code = new_code(house, anna)
    assert account_of_session(house, code) is None  # a link is no cookie
    cookie = session(house, code)
    assert account_of_session(house, cookie) == anna
    for used in (code, cookie, "x"):
        with pytest.raises(Missing):
            session(house, used)
    late = new_code(house, anna)
    clock.now += CODE_S
    with pytest.raises(Missing):
        session(house, late)
    clock.now += SESSION_S
    assert account_of_session(house, cookie) is None


def test_a_session_ends(house: House) -> None:
    anna = comes_in(house, "anna")
    cookie = session(house, new_code(house, anna))
    end_session(house, cookie)
    end_session(house, cookie)
    assert account_of_session(house, cookie) is None


def test_who_was_shut_out_stays_out_until_invited_again(house: House) -> None:
    came = accept(house, invite(house, "anna"))
    revoke(house, "anna", "took another's name")
    assert account_of(house, came.token, "read") is None
    assert account_of_session(house, came.session) is None
    assert account(house, "anna").why == "took another's name"
    again = accept(house, invite(house, "anna"))
    assert account_of(house, again.token, "read") == again.account
    assert account_of(house, came.token, "read") is None
    assert again.account.revoked is None


def test_an_invitation_can_be_revoked(house: House) -> None:
    code = invite(house, "anna")
    revoke(house, "anna", "")
    with pytest.raises(Missing):
        accept(house, code)
    with pytest.raises(Missing, match="there is no account anna"):
        revoke(house, "anna", "")


def test_no_secret_lies_in_a_file_an_error_or_what_is_printed(house: House) -> None:
    code = invite(house, "anna")
    came = accept(house, code)
    link = new_code(house, came.account)
    secrets = [code, came.token, came.session, link, new_token(house, came.account, ["read"])]
    said = [repr(came), str(came), repr(audit(house)), repr(tokens(house, came.account))]
    for secret in secrets:
        account_of(house, secret, "read")
        for ask in (accept, session, invitation):
            try:
                ask(house, f"{secret}x")
            except Missing as error:
                said += [str(error), repr(error), error.remedy]
    stored = b"".join(path.read_bytes() for path in house.path.parent.iterdir())
    for secret in secrets:
        assert secret.encode() not in stored
        assert not any(secret in each for each in said)
        assert hashlib.sha256(secret.encode()).digest() in stored  # it is the hash that was kept


def test_an_unknown_and_a_foreign_token_are_looked_up_alike(house: House) -> None:
    """By the hash alone: no statement compares secrets, or differs by how far they agree."""
    revoked, read = (accept(house, invite(house, name)).account for name in ("anna", "juris"))
    foreign = new_token(house, read, ["read"])
    ended = new_token(house, revoked, ["read"])
    revoke_token(house, revoked, tokens(house, revoked)[0].number)
    account_of(house, foreign, "read")
    asked = []
    for token in ("", "zole_", "\udc80", f"{foreign[:-1]}!", ended):
        statements: list[str] = []
        with house.reading() as sql:
            sql.set_trace_callback(statements.append)
        assert account_of(house, token, "submit") is None
        with house.reading() as sql:
            sql.set_trace_callback(None)
        asked.append([each.partition(" hash = ")[0] for each in statements])
    assert len(asked[0]) >= 3
    assert all(each == asked[0] for each in asked)


def test_each_change_is_in_the_audit(house: House, clock: Clock) -> None:
    anna = comes_in(house, "anna")
    clock.now += 60
    new_token(house, anna, ["read"], "laptop")
    revoke_token(house, anna, 1)
    with suppress(Missing):
        revoke(house, "nobody", "")
    revoke(house, "anna", "rude")
    told = [(each.who, each.what, each.about) for each in reversed(audit(house))]
    assert told == [
        (ORGANISER, "invited", "anna"),
        ("anna", "came in", f"invited by {ORGANISER}"),
        ("anna", "made a token", "laptop"),
        ("anna", "revoked a token", "1"),
        (ORGANISER, "revoked", "anna: rude"),
    ]
    newest = audit(house, most=2)
    assert audit(house, before=newest[-1].number) == audit(house)[2:]
    assert {each.who for each in audit(house, who="anna")} == {"anna"}
    assert newest[0].at - audit(house)[-1].at == 60
