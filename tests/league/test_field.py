"""Who plays in an open league, and which entries can follow which."""

import pytest

from arena.league.field import Field
from arena.league.ledger import (
    Begun,
    Benched,
    Closed,
    Committed,
    Entry,
    Joined,
    Left,
    Ordered,
    Resumed,
    Revealed,
    Sealed,
    Teamed,
    field_digest,
)
from arena.league.schedule import commitment

A, B = "a" * 64, "b" * 64
BOTS = {"Anna": A, "Bert": A, "Cara": A}
BEGUN: tuple[Entry, ...] = (
    Committed(1, commitment("one")),
    *(Joined(bot, A, f"author of {bot}", False) for bot in BOTS),
    Begun(1, field_digest(BOTS)),
    Committed(2, commitment("two")),
)
TABLE = ("Anna", "Bert", "Cara")


def order(number: int = 1, first: int = 0, epoch: int = 1, known: int = 0) -> Ordered:
    return Ordered(number, TABLE, first, 10, epoch, known, "table")


def after(*entries: Entry) -> Field:
    field = Field(3)
    for entry in (*BEGUN, *entries):
        field.apply(entry)
    return field


def test_an_epoch_follows_the_one_that_was_revealed() -> None:
    field = after(order(), Revealed(1, "one"), Begun(2, field_digest(BOTS)))
    assert (field.epoch, field.open, field.orders) == (2, True, 1)


def test_a_season_ends_with_its_final() -> None:
    final = Ordered(2, TABLE, 10, 100, 1, 6, "final")
    field = after(order(), Closed(1, TABLE), final, Revealed(1, "one"), Sealed(1))
    assert field.sealed
    assert field.deals_of(TABLE) == 110


def test_the_digest_of_a_field_leaves_out_who_is_benched() -> None:
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
    "epoch 2 is committed to out of turn": (Committed(2, commitment("x")),),
    "a commitment is not a hash": (Committed(3, "x"),),
    "epoch 2 begins out of turn": (Begun(2, field_digest(BOTS)),),
    "epoch 2 begins with another field than there is": (
        Revealed(1, "one"),
        Begun(2, field_digest({"Anna": A})),
    ),
    "epoch 2 was not the last that was committed to": (
        Committed(3, commitment("x")),
        Revealed(1, "one"),
        Begun(2, field_digest(BOTS)),
    ),
    "the secret of epoch 1 is not the one committed to": (Revealed(1, "two"),),
    "epoch 1 is revealed out of turn": (Revealed(1, "one"), Revealed(1, "one")),
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
    "a season is sealed before it is over": (Closed(1, TABLE), Sealed(1)),
    "the season is sealed": (Closed(1, TABLE), Revealed(1, "one"), Sealed(1), Resumed("Anna")),
    "order 2 comes out of turn": (order(2),),
    "order 1 is not of the epoch that is under way": (order(epoch=2),),
    "order 1 has no lineup": (Ordered(1, ("Bert", "Anna", "Cara"), 0, 10, 1, 0, "table"),),
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
