"""Which deals are shown to watchers."""

from collections.abc import Sequence

import msgspec

from arena.league.played import TravellerLine
from arena.match.wire import FaultShown, Result, Tally
from arena.site.documents import ShownDeal, TravellerDocument
from arena.site.publish.matches import mixed, worth_watching
from arena.zole.scoring import Pools
from tests.support.made_site import MadeSite

BOTS = ("Anna", "Bert", "Cara")


def line(match: int, points: int, declarer: int | None = 0, **more: object) -> TravellerLine:
    """A seating in which a declarer had some card points."""
    found = TravellerLine(
        match=match,
        deal=0,
        bots=BOTS,
        contract="ordinary",
        declarer=declarer,
        result=Result(
            hands=(),
            talon=(),
            discards=(),
            contract="ordinary",
            declarer=declarer,
            points=Tally(points, 120 - points, (0, 0, 0), 0),
            tricks=Tally(5, 3, (5, 2, 1), 0),
            level="ge61" if points > 60 else "31_60",
            payments=(0, 0, 0),
            pools=Pools(),
            fault=None,
        ),
        payments=(2, -1, -1) if points > 60 else (-4, 2, 2),
        fault=None,
        forfeited=False,
    )
    return msgspec.structs.replace(found, **more)


def deal(*lines: TravellerLine) -> TravellerDocument:
    return msgspec.structs.replace(MadeSite().deal(), lines=lines)


def chosen(deals: Sequence[TravellerDocument], above: dict[str, float] | None = None) -> list[int]:
    """The matches of the deals' best seatings, the worthiest first."""
    shows = [show for each in deals if (show := worth_watching(each, above or {})) is not None]
    return [show.match for show in mixed(shows)]


def test_the_closest_seating_of_a_deal_is_shown() -> None:
    assert chosen([deal(line(1, 90), line(2, 66), line(3, 20))]) == [2]


def test_the_closer_deal_comes_first() -> None:
    assert chosen([deal(line(1, 75)), deal(line(2, 59, 1)), deal(line(3, 120, 2))]) == [2, 1, 3]


def test_cards_that_ended_differently_come_before_those_that_did_not() -> None:
    alike, apart = deal(line(1, 70), line(2, 71)), deal(line(3, 70, 1), line(4, 50, 1))
    assert chosen([alike, apart]) == [3, 1]


def test_strong_players_come_before_weak_ones() -> None:
    weak = line(1, 61, bots=("Dora", "Bert", "Cara"))
    assert chosen([deal(weak), deal(line(2, 61))], {"Anna": 1.0, "Dora": 0.0}) == [2, 1]


def test_a_deal_without_a_declarer_or_with_a_fault_is_not_shown() -> None:
    passed = line(1, 61, declarer=None, contract="table")
    fault = line(2, 61, fault=FaultShown(0, "timeout"))
    assert chosen([deal(passed, fault)]) == []
    assert chosen([deal(passed, fault, line(3, 120))]) == [3]


def test_no_declarer_is_shown_over_and_over() -> None:
    shows = [
        ShownDeal(match=number, number=0, bots=BOTS, stakes=2, declarer=declarer, worth=worth)
        for number, (declarer, worth) in enumerate([("a", 3.0), ("a", 2.9), ("a", 2.8), ("b", 2.5)])
    ]
    assert [show.declarer for show in mixed(shows)] == ["a", "a", "b", "a"]
