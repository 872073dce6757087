"""Accounts: invitations, teams, tokens and sessions; each secret is told once and ends.

And what the organiser announces.
"""

import hashlib
import re

import pytest

from arena.base.refusals import Conflict, Forbidden, Missing, Refusal
from arena.site.registry import Registry
from arena.site.registry.accounts import (
    CODE_S,
    INVITED_S,
    MOST_SESSIONS,
    SESSION_S,
    Accepted,
    Account,
    accept,
    account_of,
    account_of_code,
    account_of_session,
    accounts,
    assign,
    end_session,
    invitation,
    invitations,
    invite,
    new_code,
    new_token,
    revoke,
    session,
    teams,
)
from arena.site.registry.organiser import (
    ORGANISER,
    Announcement,
    announce,
    announcements,
    audit,
    remove_announcement,
)
from tests.support.registry import Clock, account, comes_in


def comes(registry: Registry, name: str) -> Accepted:
    return accept(registry, invite(registry, name))


def known(registry: Registry, came: Accepted) -> list[Account | None]:
    return [account_of(registry, came.token), account_of_session(registry, came.session)]


def is_missing(registry: Registry, invited: str = "", link: str = "") -> bool:
    """Whether neither an invitation nor the link to a session leads anywhere any more."""
    for look in (invitation, accept) if invited else (account_of_code, session):
        with pytest.raises(Missing):
            look(registry, invited or link)
    return True


def test_an_invitation_makes_an_account_once_and_another_lets_somebody_into_it_again(
    registry: Registry,
) -> None:
    code = invite(registry, "Anna B.")
    assert (invitation(registry, code).name, invitation(registry, code).known) == ("Anna B.", False)
    first, juris = accept(registry, code), comes_in(registry, "juris")
    assert known(registry, first) == [account(registry, "Anna B.")] * 2
    assert is_missing(registry, code)
    code = invite(registry, "Anna B.")
    assert invitation(registry, code).known
    again = accept(registry, code)
    assert accounts(registry) == [first.account, juris]
    assert [known(registry, it) for it in (again, first)] == [[first.account] * 2, [None] * 2]


def test_an_invitation_gets_old_and_the_last_of_a_name_counts(
    registry: Registry, clock: Clock
) -> None:
    first, second = invite(registry, "anna"), invite(registry, "anna")
    assert is_missing(registry, first)
    clock.now += INVITED_S
    assert is_missing(registry, second)
    assert invitations(registry) == []


@pytest.mark.parametrize(
    ("name", "refusal", "said"),
    [
        ("", Refusal, "the name has 0 characters; a name has 1 to 40"),
        ("a" * 41, Refusal, "the name has 41 characters"),
        ("a/b", Refusal, "the name a/b has / in it"),
        ("<b>", Refusal, "the name <b> has < in it"),
        ("house", Refusal, "no account may be called house"),
        ("Organiser", Refusal, "no account may be called Organiser"),
        ("the organiser", Refusal, "no account may be called the organiser"),
        ("Alla", Conflict, "there is an account alla, which equals Alla but for case"),
    ],
)
def test_some_names_are_no_accounts(
    name: str, refusal: type[Refusal], said: str, registry: Registry
) -> None:
    comes_in(registry, "alla")
    with pytest.raises(refusal, match=said):
        invite(registry, name)


def test_a_new_token_replaces_the_one_before_and_ends_what_was_begun_by_it(
    registry: Registry,
) -> None:
    anna, juris = (comes(registry, name) for name in ("anna", "juris"))
    thiefs = session(registry, new_code(registry, anna.account))
    code = new_code(registry, anna.account)
    token = new_token(registry, anna.account, anna.session)
    assert re.fullmatch(r"zole_[\w-]{43}", token), "256 bits, and a beginning that scanners find"
    assert known(registry, Accepted(anna.account, token, thiefs)) == [anna.account, None]
    assert known(registry, anna) == [None, anna.account]
    assert known(registry, juris) == [juris.account] * 2
    assert is_missing(registry, link=code)


def test_sessions_of_an_account_are_bounded(registry: Registry, clock: Clock) -> None:
    anna, cookies = comes_in(registry, "anna"), list[str]()
    for _ in range(MOST_SESSIONS + 1):
        clock.now += 1
        cookies.append(session(registry, new_code(registry, anna)))
    found = [account_of_session(registry, cookie) for cookie in cookies]
    assert found == [None] + [anna] * MOST_SESSIONS


def test_a_code_makes_one_session_and_soon_and_a_session_ends(
    registry: Registry, clock: Clock
) -> None:
    anna = comes_in(registry, "anna")
    code = new_code(registry, anna)
    assert account_of_session(registry, code) is None  # a link is no cookie
    assert [account_of_code(registry, code) for _ in range(2)] == [anna, anna]
    cookie, late = session(registry, code), new_code(registry, anna)
    assert account_of_session(registry, cookie) == anna
    clock.now += CODE_S
    for used in (code, cookie, "x", late):
        assert is_missing(registry, link=used)
    clock.now += SESSION_S
    assert account_of_session(registry, cookie) is None
    other = session(registry, new_code(registry, anna))
    for _ in range(2):
        end_session(registry, other)
        assert account_of_session(registry, other) is None


def test_who_was_shut_out_stays_out_until_invited_again(registry: Registry, clock: Clock) -> None:
    came, begun = comes(registry, "anna"), clock.now
    clock.now += 60
    revoke(registry, "anna", "took another's name")
    assert known(registry, came) == [None, None]
    assert account(registry, "anna").why == "took another's name"
    for make in (new_token, new_code):
        with pytest.raises(Forbidden):
            make(registry, came.account)
    code = invite(registry, "anna")
    revoke(registry, "anna", "still rude")
    assert is_missing(registry, code)
    with pytest.raises(Missing, match="there is no account bert"):
        revoke(registry, "bert", "")
    again = comes(registry, "anna")
    assert (known(registry, again), again.account) == ([came.account] * 2, came.account)
    assert known(registry, came) == [None, None]
    events = audit(registry)
    assert [(it.at, it.who, it.what, it.about) for it in reversed(events)] == [
        (begun, ORGANISER, "invited", "anna"),
        (begun, "anna", "came in", "by invitation"),
        (clock.now, ORGANISER, "revoked", "anna: took another's name"),
        (clock.now, ORGANISER, "invited", "anna"),
        (clock.now, ORGANISER, "revoked", "anna: still rude"),
        (clock.now, ORGANISER, "invited", "anna"),
        (clock.now, "anna", "came in", "by invitation"),
    ]
    assert audit(registry, most=2) == events[:2]
    assert audit(registry, who="anna") == [events[0], events[5]]


def test_no_secret_lies_in_a_file_an_error_or_what_is_printed(registry: Registry) -> None:
    code = invite(registry, "anna")
    came = accept(registry, code)
    secrets = [code, came.token, came.session, new_code(registry, came.account)]
    said = [repr(came), str(came), repr(audit(registry)), repr(accounts(registry))]
    for secret in secrets:
        account_of(registry, secret)
        for ask in (accept, session, invitation):
            with pytest.raises(Missing) as told:
                ask(registry, f"{secret}x")
            said += [str(told.value), repr(told.value), told.value.remedy]
    stored = b"".join(path.read_bytes() for path in registry.path.parent.iterdir())
    for secret in secrets:
        assert secret.encode() not in stored
        assert not any(secret in each for each in said)
        assert hashlib.sha256(secret.encode()).digest() in stored  # it is the hash that was kept


def test_an_unknown_and_a_foreign_token_are_looked_up_alike(registry: Registry) -> None:
    """By the hash alone: no statement compares secrets, or differs by how far they agree."""
    foreign, ended = comes(registry, "anna"), comes(registry, "juris")
    new_token(registry, ended.account)
    asked = []
    for token in ("", "zole_", "\udc80", f"{foreign.token[:-1]}!", ended.token):
        statements: list[str] = []
        with registry.reading() as sql:
            sql.set_trace_callback(statements.append)
        assert account_of(registry, token) is None
        sql.set_trace_callback(None)
        asked.append([re.sub("x'.*?'|X'.*?'", "", each) for each in statements])
    assert len(asked[0]) >= 3
    assert all(each == asked[0] for each in asked)


def test_an_account_has_the_team_of_its_invitation_or_of_who_comes_by_the_link_of_a_class(
    registry: Registry,
) -> None:
    accept(registry, invite(registry, "Guna", team="Blue"))
    accept(registry, invite(registry, "Guna", team="Red"))  # its team stays what it is
    code, reds = invite(registry, None, places=3), invite(registry, None, "Red")
    found = {(it.name, it.team, it.places) for it in invitations(registry)}
    assert found == {("", "", 3), ("", "Red", 1)}
    accept(registry, code, "Anna", "Blue")
    accept(registry, code, "Juris", "BLUE")  # the same to who reads it
    with pytest.raises(Refusal, match=r"has .*t in it"):
        accept(registry, code, "Ilze", "a\tb")
    assert invitation(registry, code).places == 1
    accept(registry, code, "Ilze")
    accept(registry, reds, "Zane", "Blue")
    of = {each.name: each.team for each in accounts(registry)}
    assert of == {"Guna": "Blue", "Anna": "Blue", "Juris": "Blue", "Ilze": "", "Zane": "Red"}
    assert teams(registry) == (("Anna", "Guna", "Juris"),)  # one alone is no team


def test_the_organiser_assigns_accounts_all_or_none(registry: Registry) -> None:
    for name in ("Anna", "Berta", "Clara", "Dora"):
        comes_in(registry, name)
    assign(registry, ["Berta", "Anna"], "Blue")
    assign(registry, ["Dora", "Clara"], "A team")
    with pytest.raises(Missing, match="no account Nobody"):
        assign(registry, ["Anna", "Nobody"], "")
    assert teams(registry) == (("Clara", "Dora"), ("Anna", "Berta"))
    assign(registry, ["Anna"], "")
    assert [each.team for each in accounts(registry)] == ["", "Blue", "A team", "A team"]
    told = [each.about for each in audit(registry) if each.what == "assigned"]
    assert (told[0], len(told)) == ("Anna: team none", 5)


def test_what_is_announced_is_read_newest_first_until_it_is_taken_back(
    registry: Registry, clock: Clock
) -> None:
    first = announce(registry, "  Uploads\n end  on Friday ")
    assert first == Announcement(1, clock.now, "Uploads end on Friday")
    second = announce(registry, "They end on Sunday", "*All* of them")
    assert announcements(registry) == (second, first)
    remove_announcement(registry, first.number)
    with pytest.raises(Missing, match="no announcement 1"):
        remove_announcement(registry, first.number)
    with pytest.raises(Refusal):
        announce(registry, " ")
    assert announcements(registry) == (second,)
    assert announce(registry, "Again").number == 3  # no number comes twice
