"""Teams and announcements: what the organiser says of accounts and to all."""

import pytest

from arena.base.refusals import Missing, Refusal
from arena.site.registry.accounts import (
    accept,
    account,
    assign,
    invitation,
    invitations,
    invite,
    invite_class,
    teams,
)
from arena.site.registry.file import Registry, audit
from arena.site.registry.requests import announce, announcements, remove_announcement
from tests.support.registry import Clock, comes_in


def test_an_account_has_the_team_of_its_invitation(registry: Registry) -> None:
    code = invite(registry, "Anna", team="Blue")
    assert [it.team for it in invitations(registry)] == ["Blue"]
    accept(registry, code)
    assert account(registry, "Anna").team == "Blue"
    accept(registry, invite(registry, "Anna", team="Red"))
    assert account(registry, "Anna").team == "Blue"


def test_who_comes_by_the_link_of_a_class_names_a_team_unless_the_link_does(
    registry: Registry,
) -> None:
    code = invite_class(registry, 3)
    accept(registry, code, "Anna", "Blue")
    accept(registry, code, "Juris", "BLUE")  # the same to who reads it
    with pytest.raises(Refusal, match=r"has .*t in it"):
        accept(registry, code, "Ilze", "a\tb")
    assert invitation(registry, code).places == 1
    accept(registry, code, "Ilze")
    assert teams(registry) == (("Anna", "Juris"),)
    assert account(registry, "Juris").team == "Blue"
    assert account(registry, "Ilze").team == ""
    accept(registry, invite_class(registry, 1, team="Red"), "Zane", "Blue")
    assert account(registry, "Zane").team == "Red"


def test_the_organiser_assigns_accounts_all_or_none(registry: Registry) -> None:
    for name in ("Anna", "Berta", "Clara", "Dora"):
        comes_in(registry, name)
    assign(registry, ["Berta", "Anna"], "Blue")
    assign(registry, ["Dora", "Clara"], "A team")
    assert teams(registry) == (("Clara", "Dora"), ("Anna", "Berta"))
    with pytest.raises(Missing, match="no account Nobody"):
        assign(registry, ["Anna", "Nobody"], "")
    assert account(registry, "Anna").team == "Blue"
    assign(registry, ["Anna"], "")
    assert account(registry, "Anna").team == ""
    assert teams(registry) == (("Clara", "Dora"),)  # one alone is no team
    told = [each.about for each in audit(registry) if each.what == "assigned"]
    assert told[0] == "Anna: team none"
    assert len(told) == 5


def test_what_is_announced_is_read_newest_first_until_it_is_taken_back(
    registry: Registry, clock: Clock
) -> None:
    first = announce(registry, "  Uploads\n end  on Friday ")
    assert (first.number, first.title, first.at) == (1, "Uploads end on Friday", clock.now)
    clock.now += 5
    second = announce(registry, "They end on Sunday", "*All* of them")
    assert announcements(registry) == (second, first)
    remove_announcement(registry, first.number)
    with pytest.raises(Missing, match="no announcement 1"):
        remove_announcement(registry, first.number)
    assert announcements(registry) == (second,)
    assert announce(registry, "Again").number == 3  # no number comes twice


@pytest.mark.parametrize(("title", "text"), [(" ", ""), ("x" * 121, ""), ("x", "y" * 20_001)])
def test_what_is_no_announcement_is_refused(registry: Registry, title: str, text: str) -> None:
    with pytest.raises(Refusal):
        announce(registry, title, text)
    assert announcements(registry) == ()
