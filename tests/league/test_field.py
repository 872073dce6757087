"""Who plays in an open league, and which entries can follow which."""

import pytest

from arena.league.field import Field
from arena.league.ledger import (
    Benched,
    Closed,
    Committed,
    Entry,
    Joined,
    Left,
    Ordered,
    Resumed,
    Sealed,
    Teamed,
)
from arena.league.schedule import commitment

A, B = "a" * 64, "b" * 64
BOTS = {"Anna": A, "Bert": A, "Cara": A}
COMING: tuple[Entry, ...] = (
    Committed(commitment("one")),
    *(Joined(bot, A, f"author of {bot}", False) for bot in BOTS),
)
TABLE = ("Anna", "Bert", "Cara")


def order(number: int = 1, first: int = 0, known: int = 0) -> Ordered:
    return Ordered(number, TABLE, first, 10, known, "table")


def after(*entries: Entry) -> Field:
    field = Field(3)
    for entry in (*COMING, *entries):
        field.apply(entry)
    return field


def test_a_season_ends_with_its_final() -> None:
    final = Ordered(2, TABLE, 10, 100, 6, "final")
    field = after(order(), Closed(1, TABLE), final, Sealed(1, "one"))
    assert field.sealed
    assert field.deals_of(TABLE) == 110


def test_benched_bots_do_not_play() -> None:
    assert after(Benched("Bert", "it fails")).contents == {"Anna": A, "Cara": A}
    assert after(Benched("Bert", "it fails"), Resumed("Bert")).contents == BOTS


def test_a_bot_is_resumed_once() -> None:
    field = after(Benched("Bert", "it fails"))
    assert field.may_resume("Bert")
    field = after(Benched("Bert", "it fails"), Resumed("Bert"), Benched("Bert", "it fails"))
    assert not field.may_resume("Bert")


def test_whom_the_organiser_benched_plays_when_the_organiser_says_so() -> None:
    field = after(Benched("Bert", "a copy", True))
    assert not field.may_resume("Bert")
    field.apply(Resumed("Bert", True))
    field.apply(Benched("Bert", "it fails"))
    assert field.may_resume("Bert")


def test_orders_of_a_lineup_go_on_with_its_deals_even_after_a_break() -> None:
    field = after(order(), Left("Bert", "withdrawn"), Joined("Bert", A, "Bruno", False))
    assert field.deals_of(TABLE) == 10


def test_house_bots_play_until_the_authors_of_a_table_are_there() -> None:
    field = after(Joined("random", A, "house", True), Joined("sampler", A, "house", True))
    assert field.drawn == list(TABLE)
    field.apply(Benched("Anna", "it fails"))
    assert field.drawn == ["Bert", "Cara", "random", "sampler"]


def test_bots_of_one_author_are_apart_unless_the_organiser_named_them() -> None:
    mine = [Joined(bot, A, "Anna", False, organiser=bot < "Dd") for bot in ("Da", "Db", "De", "Df")]
    field = after(*mine)
    persons = [field.person(each) for each in mine]
    assert persons == ["bot Da", "bot Db", "author anna", "author anna"]
    assert len({field.person(each, apart=False) for each in mine}) == 4
    field.apply(Teamed((("Anna", "Bert"),)))
    assert {field.person(each, apart=False) for each in mine} == {"team 0"}


WRONG: dict[str, tuple[Entry, ...]] = {
    "the season's secret is committed to twice": (Committed(commitment("x")),),
    "the season's secret is not the one committed to": (Closed(1, TABLE), Sealed(1, "two")),
    "Anna enters twice": (Joined("Anna", A, "x", False),),
    "Bert comes back as another bot": (Left("Bert", "withdrawn"), Joined("Bert", B, "x", False)),
    "Dora has no hash": (Joined("Dora", "x", "x", False),),
    "Dora is not in the field": (Left("Dora", "withdrawn"),),
    "Anna is benched or resumed out of turn": (Resumed("Anna"),),
    "Anna is resumed for a second time": (
        Benched("Anna", "x"),
        Resumed("Anna"),
        Benched("Anna", "x"),
        Resumed("Anna"),
    ),
    "Anna is not resumed by whoever benched it": (Benched("Anna", "x", True), Resumed("Anna")),
    "Bert is not resumed by whoever benched it": (Benched("Bert", "x"), Resumed("Bert", True)),
    "Dora enters a season that is closed": (Closed(1, TABLE), Joined("Dora", A, "x", False)),
    "the season is closed already": (Closed(1, TABLE), Closed(1, TABLE)),
    "a bot of the final is not in the field": (Closed(1, ("Dora",)),),
    "a season is sealed before it is over": (Closed(1, TABLE), Sealed(2, "one")),
    "the season is sealed": (Closed(1, TABLE), Sealed(1, "one"), Resumed("Anna")),
    "order 2 comes out of turn": (order(2),),
    "order 1 has no lineup": (Ordered(1, ("Bert", "Anna", "Cara"), 0, 10, 0, "table"),),
    "order 1 is for Bert, which does not play": (Benched("Bert", "x"), order()),
    "order 1 does not have the next deals of its lineup": (order(first=10),),
    "order 2 knows fewer matches than the one before": (order(known=6), order(2, 10, known=5)),
    "order 1 is a table at the wrong time": (Closed(1, TABLE), order()),
}


@pytest.mark.parametrize("flaw", WRONG)
def test_an_entry_that_cannot_follow_is_refused_in_words(flaw: str) -> None:
    field = after(*WRONG[flaw][:-1])
    before = {name: repr(value) for name, value in vars(field).items()}
    with pytest.raises(ValueError, match=f"^{flaw}$"):
        field.apply(WRONG[flaw][-1])
    assert before == {name: repr(value) for name, value in vars(field).items()}


def test_a_name_that_was_replaced_never_comes_again() -> None:
    field = after(Left("Bert", "replaced"))
    with pytest.raises(ValueError, match=r"^Bert comes back as another bot$"):
        field.apply(Joined("Bert", A, "x", False))


def test_nothing_is_ordered_before_a_secret_is_committed_to() -> None:
    field = Field(3)
    for entry in COMING[1:]:
        field.apply(entry)
    with pytest.raises(ValueError, match=r"^order 1 comes before a secret is committed to$"):
        field.apply(order())
    with pytest.raises(ValueError, match=r"^a commitment is not a hash$"):
        field.apply(Committed("x"))
