"""Invitations, tokens and sessions: each secret is told once, kept as a hash, and ends."""

import hashlib
from contextlib import suppress
from pathlib import Path

import pytest

from arena.base.refusals import Conflict, Missing, OverQuota, Refusal
from arena.site.registry.accounts import (
    CODE_S,
    INVITED_S,
    MOST_SESSIONS,
    MOST_TOKENS,
    SESSION_S,
    accept,
    account,
    account_of,
    account_of_code,
    account_of_session,
    accounts,
    end_session,
    invitation,
    invitations,
    invite,
    new_code,
    new_token,
    revoke,
    revoke_token,
    session,
    tokens,
)
from arena.site.registry.file import ORGANISER, Registry, audit
from tests.support.registry import Clock, at_once, comes_in, opened


def test_an_invitation_makes_an_account_once(registry: Registry) -> None:
    code = invite(registry, "Anna B.")
    assert (invitation(registry, code).name, invitation(registry, code).known) == ("Anna B.", False)
    came = accept(registry, code)
    assert came.account == account(registry, "Anna B.")
    assert account_of(registry, came.token, "submit") == came.account
    assert account_of_session(registry, came.session) == came.account
    for look in (invitation, accept):
        with pytest.raises(Missing):
            look(registry, code)


def test_an_invitation_is_taken_by_one_of_many(tmp_path: Path) -> None:
    with opened(tmp_path) as registry:
        code = invite(registry, "anna")

    def take(_: int) -> bool:
        with opened(tmp_path) as own:
            try:
                accept(own, code)
            except Missing:
                return False
            return True

    assert sorted(at_once(8, take)) == [False] * 7 + [True]


def test_an_invitation_gets_old_and_the_last_of_a_name_counts(
    registry: Registry, clock: Clock
) -> None:
    first, second = invite(registry, "anna"), invite(registry, "anna")
    with pytest.raises(Missing):
        accept(registry, first)
    clock.now += INVITED_S
    with pytest.raises(Missing):
        accept(registry, second)
    assert invitations(registry) == []


def test_an_invitation_lets_somebody_into_an_account_again(registry: Registry) -> None:
    anna, juris = comes_in(registry, "anna"), comes_in(registry, "juris")
    code = invite(registry, "anna")
    assert invitation(registry, code).known
    again = accept(registry, code)
    assert again.account == anna
    assert len(tokens(registry, anna)) == 2
    assert accounts(registry) == [anna, juris]


@pytest.mark.parametrize(
    "name", ["", "a" * 41, "a/b", "<b>", "house", "Organiser", "the organiser"]
)
def test_some_names_are_no_accounts(name: str, registry: Registry) -> None:
    with pytest.raises(Refusal):
        invite(registry, name)


def test_a_name_that_differs_only_in_case_from_another_is_refused(registry: Registry) -> None:
    comes_in(registry, "alla")
    with pytest.raises(Conflict, match="there is an account alla, which equals Alla but for case"):
        invite(registry, "Alla")


def test_a_token_has_256_bits_and_begins_so_that_scanners_find_it(registry: Registry) -> None:
    token = accept(registry, invite(registry, "anna")).token
    assert token.startswith("zole_")
    assert len(token) == len("zole_") + 43


def test_a_token_is_good_for_its_scopes_until_it_is_revoked(registry: Registry) -> None:
    anna, juris = comes_in(registry, "anna"), comes_in(registry, "juris")
    token = new_token(registry, anna, ["read"], "my laptop")
    assert account_of(registry, token, "read") == anna
    assert account_of(registry, token, "submit") is None
    number = tokens(registry, anna)[0].number
    with pytest.raises(Missing):
        revoke_token(registry, juris, number)
    revoke_token(registry, anna, number)
    assert account_of(registry, token, "read") is None
    with pytest.raises(Missing):
        revoke_token(registry, anna, number)


def test_who_had_a_token_that_is_revoked_is_in_no_session_by_it(registry: Registry) -> None:
    anna, juris = (
        accept(registry, invite(registry, "anna")),
        accept(registry, invite(registry, "juris")),
    )
    thiefs, code = (
        session(registry, new_code(registry, anna.account)),
        new_code(registry, anna.account),
    )
    number = tokens(registry, anna.account)[0].number
    revoke_token(registry, anna.account, number, anna.session)
    assert account_of_session(registry, thiefs) is None
    with pytest.raises(Missing):
        session(registry, code)
    assert account_of_session(registry, anna.session) == anna.account
    assert account_of_session(registry, juris.session) == juris.account


def test_a_token_tells_the_day_of_its_last_use(registry: Registry, clock: Clock) -> None:
    came = accept(registry, invite(registry, "anna"))
    assert tokens(registry, came.account)[0].used is None
    account_of(registry, came.token, "read")
    assert tokens(registry, came.account)[0].used == "2027-01-15"
    before = registry.version()
    account_of(registry, came.token, "read")
    assert registry.version() == before  # it is written once a day
    clock.now += 86400
    account_of(registry, came.token, "read")
    assert tokens(registry, came.account)[0].used == "2027-01-16"


def test_tokens_and_sessions_of_an_account_are_bounded(registry: Registry, clock: Clock) -> None:
    anna = comes_in(registry, "anna")
    for _ in range(MOST_TOKENS - 1):
        new_token(registry, anna, ["read"])
    with pytest.raises(OverQuota):
        new_token(registry, anna, ["read"])
    for token in tokens(registry, anna):
        revoke_token(registry, anna, token.number)
    with pytest.raises(OverQuota):  # else the audit would grow as fast as one can ask
        new_token(registry, anna, ["read"])
    clock.now += 86401
    new_token(registry, anna, ["read"])
    cookies = []
    for _ in range(MOST_SESSIONS + 1):
        clock.now += 1
        cookies.append(session(registry, new_code(registry, anna)))
    known = [account_of_session(registry, cookie) is not None for cookie in cookies]
    assert known == [False] + [True] * MOST_SESSIONS


def test_a_code_makes_one_session_and_soon(registry: Registry, clock: Clock) -> None:
    anna = comes_in(registry, "anna")
    code = new_code(registry, anna)
    assert account_of_session(registry, code) is None  # a link is no cookie
    assert [account_of_code(registry, code) for _ in range(2)] == [anna, anna]
    cookie = session(registry, code)
    assert account_of_session(registry, cookie) == anna
    for used in (code, cookie, "x"):
        with pytest.raises(Missing):
            account_of_code(registry, used)
        with pytest.raises(Missing):
            session(registry, used)
    late = new_code(registry, anna)
    clock.now += CODE_S
    with pytest.raises(Missing):
        session(registry, late)
    clock.now += SESSION_S
    assert account_of_session(registry, cookie) is None


def test_a_session_ends(registry: Registry) -> None:
    anna = comes_in(registry, "anna")
    cookie = session(registry, new_code(registry, anna))
    end_session(registry, cookie)
    end_session(registry, cookie)
    assert account_of_session(registry, cookie) is None


def test_who_was_shut_out_stays_out_until_invited_again(registry: Registry) -> None:
    came = accept(registry, invite(registry, "anna"))
    revoke(registry, "anna", "took another's name")
    assert account_of(registry, came.token, "read") is None
    assert account_of_session(registry, came.session) is None
    assert account(registry, "anna").why == "took another's name"
    again = accept(registry, invite(registry, "anna"))
    assert account_of(registry, again.token, "read") == again.account
    assert account_of(registry, came.token, "read") is None
    assert again.account.revoked is None


def test_an_invitation_can_be_revoked(registry: Registry) -> None:
    code = invite(registry, "anna")
    revoke(registry, "anna", "")
    with pytest.raises(Missing):
        accept(registry, code)
    with pytest.raises(Missing, match="there is no account anna"):
        revoke(registry, "anna", "")


def test_no_secret_lies_in_a_file_an_error_or_what_is_printed(registry: Registry) -> None:
    code = invite(registry, "anna")
    came = accept(registry, code)
    link = new_code(registry, came.account)
    secrets = [code, came.token, came.session, link, new_token(registry, came.account, ["read"])]
    said = [repr(came), str(came), repr(audit(registry)), repr(tokens(registry, came.account))]
    for secret in secrets:
        account_of(registry, secret, "read")
        for ask in (accept, session, invitation):
            try:
                ask(registry, f"{secret}x")
            except Missing as error:
                said += [str(error), repr(error), error.remedy]
    stored = b"".join(path.read_bytes() for path in registry.path.parent.iterdir())
    for secret in secrets:
        assert secret.encode() not in stored
        assert not any(secret in each for each in said)
        assert hashlib.sha256(secret.encode()).digest() in stored  # it is the hash that was kept


def test_an_unknown_and_a_foreign_token_are_looked_up_alike(registry: Registry) -> None:
    """By the hash alone: no statement compares secrets, or differs by how far they agree."""
    revoked, read = (accept(registry, invite(registry, name)).account for name in ("anna", "juris"))
    foreign = new_token(registry, read, ["read"])
    ended = new_token(registry, revoked, ["read"])
    revoke_token(registry, revoked, tokens(registry, revoked)[0].number)
    account_of(registry, foreign, "read")
    asked = []
    for token in ("", "zole_", "\udc80", f"{foreign[:-1]}!", ended):
        statements: list[str] = []
        with registry.reading() as sql:
            sql.set_trace_callback(statements.append)
        assert account_of(registry, token, "submit") is None
        with registry.reading() as sql:
            sql.set_trace_callback(None)
        asked.append([each.partition(" hash = ")[0] for each in statements])
    assert len(asked[0]) >= 3
    assert all(each == asked[0] for each in asked)


def test_each_change_is_in_the_audit(registry: Registry, clock: Clock) -> None:
    anna = comes_in(registry, "anna")
    clock.now += 60
    new_token(registry, anna, ["read"], "laptop")
    revoke_token(registry, anna, 1)
    with suppress(Missing):
        revoke(registry, "nobody", "")
    revoke(registry, "anna", "rude")
    told = [(each.who, each.what, each.about) for each in reversed(audit(registry))]
    assert told == [
        (ORGANISER, "invited", "anna"),
        ("anna", "came in", "by invitation"),
        ("anna", "made a token", "laptop"),
        ("anna", "revoked a token", "1"),
        (ORGANISER, "revoked", "anna: rude"),
    ]
    newest = audit(registry, most=2)
    assert audit(registry, before=newest[-1].number) == audit(registry)[2:]
    assert {each.who for each in audit(registry, who="anna")} == {"anna"}
    assert newest[0].at - audit(registry)[-1].at == 60
