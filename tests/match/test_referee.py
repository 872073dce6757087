"""The conduct of a match: which requests are sent, and what a fault costs."""

from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from typing import Any, TypeVar, get_args

import msgspec
import pytest

from arena.match.commands import FAULT_WORDS, Failed, Fault, Outcome, Question, Said
from arena.match.log import answer_from
from arena.match.match import Match, play_through
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    AskBid,
    AskBlind,
    AskDiscard,
    AskOffer,
    AskPlay,
    AskSurrender,
    AskTalon,
    Bye,
    DealEnd,
    Dealt,
    FaultKind,
    FaultSeen,
    FaultShown,
    Hello,
    Offered,
    PlayReply,
    Ready,
    Refused,
    encode,
)
from arena.zole.rules import Settings, preset
from arena.zole.scoring import Pools
from tests.support.scripted import ASKS_ALL, Answer, Driven, drive, plan_of
from tests.support.transcripts import simple_reply

Line = TypeVar("Line")
Change = Callable[[int, AnyRequest], AnyReply | Failed | None]
"""An answer to some requests, None to all others."""

FAILURES = {*get_args(FaultKind)} - {"illegal", "internal"}
"""Faults that are no answers; an internal one is the arena's own."""


def first(seat: int, request: AnyRequest) -> AnyReply:
    """Forehand declares; everybody plays the first legal card."""
    return simple_reply(0, request)


def says(
    words: str | Iterable[str],
    at: type[AnyRequest] = AskPlay,
    cards: int | None = None,
    **fields: object,
) -> Change:
    """What is said to requests of a kind that have these fields and so many cards.

    It is a word of the log or a kind of fault, each time, or some of them, each once.
    """
    left: Iterator[Any] = repeat(words) if isinstance(words, str) else iter(words)

    def change(_: int, request: AnyRequest) -> AnyReply | Failed | None:
        wanted = {name: getattr(request, name, None) for name in fields} == fields
        if isinstance(request, AskPlay):
            wanted &= cards in (None, len(request.hand))
        if not wanted or not isinstance(request, at) or (said := next(left, None)) is None:
            return None
        if said in FAILURES:
            return Failed(said, "scripted", 7_000_000)
        return answer_from("7C" if said == "illegal" else said, request)

    return change


OFFERS = says("offer", seat=2, may_offer=True)
"""Seat 2 offers to concede whenever it may."""
PASSES = says("pass", AskBid)


def but(*changes: Change) -> Answer:
    """A table at which some requests are answered otherwise, the first change before the next."""

    def answer(seat: int, request: AnyRequest) -> AnyReply | Failed:
        said = (change(seat, request) for change in (*changes, first))
        return next(each for each in said if each is not None)

    return answer


def one(*changes: Change, **settings: object) -> Driven:
    """One deal, seat 1 being forehand and so the declarer."""
    return drive(plan_of(preset("pagat", settings)), but(*changes))


def payments(driven: Driven) -> tuple[int, ...]:
    [game] = driven.games
    return game.result.payments


def sent(driven: Driven, kind: type[Line]) -> list[Line]:
    """The lines of a kind, by seat."""
    seats = range(driven.games[0].deal.players)
    return [line for seat in seats for line in driven.lines_to(seat) if isinstance(line, kind)]


@pytest.mark.parametrize("kind", ["illegal", *sorted(FAILURES)])
def test_a_declarer_that_faults_loses_at_the_simple_level_and_a_defender_pays_for_its_partner(
    kind: FaultKind,
) -> None:
    [game] = one(says(kind, seat=1)).games
    assert (game.result.payments, game.result.level) == ((2, -4, 2), "31_60")
    assert [(fault.seat, fault.kind) for fault in game.faults] == [(1, kind)]
    assert game.result.fault == FaultShown(1, kind)
    seen = [event for event in game.events if isinstance(event, FaultSeen)]
    assert seen == [FaultSeen(1, kind, FAULT_WORDS[kind])]
    guilty = says(kind, seat=2)
    assert payments(one(guilty)) == (0, 2, -2)
    assert payments(one(guilty, conduct={"fault_payer": "side"})) == (-1, 2, -1)


MOMENTS: Settings = {
    "auction": {"contracts": ["ordinary", "solo", "blind"], "talon_decision": "after_bid"},
    "table": {"stake": 3},
}
"""Rules in which every kind of request is made, and a stake that tells a table from a contract."""
ALL_BIDS: Settings = {"auction": {"contracts": ["ordinary", "solo", "small_solo"]}}
SOLO, SMALL_SOLO = says("solo", AskBid), says("small_solo", AskBid)


def four(payer: str, sitout: str) -> Settings:
    return {"players": 4, "conduct": {"fault_payer": payer}, "sitout": {"scoring": sitout}}


@pytest.mark.parametrize(
    ("table", "seat", "kind", "settings", "outcome"),
    [
        (first, 1, AskBlind, MOMENTS, ((3, -6, 3), None, None)),
        (first, 1, AskBid, MOMENTS, ((3, -6, 3), None, None)),
        (first, 1, AskTalon, MOMENTS, ((3, -6, 3), None, None)),  # there is no contract yet
        (first, 1, AskDiscard, MOMENTS, ((2, -4, 2), "ordinary", "31_60")),
        (first, 1, AskSurrender, MOMENTS, ((2, -4, 2), "ordinary", "31_60")),
        (first, 1, AskOffer, MOMENTS, ((2, -4, 2), "ordinary", "31_60")),
        (first, 1, AskPlay, MOMENTS, ((2, -4, 2), "ordinary", "31_60")),
        (PASSES, 2, AskBid, {}, ((2, 2, -4), None, None)),
        (PASSES, 0, AskPlay, {}, ((-4, 2, 2), "table", None)),
        (PASSES, 2, AskPlay, {"players": 4}, ((0, 2, -4, 2), "table", None)),
        (first, 2, AskPlay, four("offender", "as_opponent"), ((0, 3, -3, 0), "ordinary", "ge61")),
        (first, 2, AskPlay, four("offender", "none"), ((0, 2, -2, 0), "ordinary", "ge61")),
        (first, 2, AskPlay, four("side", "as_opponent"), ((-1, 3, -1, -1), "ordinary", "ge61")),
        (first, 2, AskPlay, four("side", "none"), ((0, 2, -1, -1), "ordinary", "ge61")),
        (SOLO, 1, AskPlay, ALL_BIDS, ((5, -10, 5), "solo", "31_60")),
        (SOLO, 2, AskPlay, ALL_BIDS, ((0, 8, -8), "solo", "ge61")),
        (SMALL_SOLO, 1, AskPlay, ALL_BIDS, ((7, -14, 7), "small_solo", "lost")),
        (SMALL_SOLO, 2, AskPlay, ALL_BIDS, ((0, 12, -12), "small_solo", "made")),
    ],
)
def test_a_fault_costs_the_price_of_its_moment_and_contract(
    table: Change, seat: int, kind: type[AnyRequest], settings: Settings, outcome: object
) -> None:
    [game] = one(says("timeout", kind, seat=seat), OFFERS, table, **settings).games
    assert [(fault.seat, fault.kind) for fault in game.faults] == [(seat, "timeout")]
    assert (game.result.payments, game.result.contract, game.result.level) == outcome


@pytest.mark.parametrize("guilty", ["declarer", "defender"])
def test_a_side_that_faults_at_its_last_card_keeps_a_win_of_which_it_is_sure(guilty: str) -> None:
    outcomes = set()
    for deal in plan_of(deals=60).deals:
        seats = {"declarer": (deal.dealer + 1) % 3, "defender": (deal.dealer + 2) % 3}
        bad = says("timeout", cards=1, seat=seats[guilty])
        [game] = drive(plan_of(deals=[deal]), but(bad)).games
        paid, points = game.result.payments, game.result.points
        assert points.declarer is not None
        assert points.defenders is not None
        if guilty == "declarer":
            due = 4 if points.declarer >= 91 else 2 if points.declarer >= 61 else -4
        else:
            due = -6 if points.defenders >= 90 else -4 if points.defenders >= 60 else 2
            assert paid[seats["defender"]] == (-2 if due > 0 else -due // 2)
        assert paid[seats["declarer"]] == due
        outcomes.add(due > 0)
    assert outcomes == {True, False}


def test_a_small_solo_is_lost_by_a_trick_taken_before_a_defender_faults() -> None:
    rules, outcomes = preset("pagat", ALL_BIDS), set()
    for deal in range(12):
        bad = says("timeout", cards=1, seat=(deal + 2) % 3, deal=deal)
        result = drive(plan_of(rules, deal + 1), but(bad, SMALL_SOLO)).games[deal].result
        level = "lost" if result.tricks.declarer else "made"
        assert (result.declarer, result.level) == ((deal + 1) % 3, level)
        outcomes.add(level)
    assert "lost" in outcomes


WITH_POOLS = preset("pagat", {"all_pass": "pool", "pools": {"enabled": True}})


@pytest.mark.parametrize(
    ("seat", "kind", "paid", "pools"),
    [
        (0, AskPlay, (-4, 0, 4), Pools(0)),  # a guilty defender pays the pool of its partner too
        (2, AskPlay, (2, 2, -4), Pools(1, (2,))),  # a guilty declarer owes a personal pool
        (2, AskBid, (2, 2, -4), Pools(1)),  # there is no contract yet
    ],
)
def test_a_fault_counts_for_the_pools_once_there_is_a_contract(
    seat: int, kind: type[AnyRequest], paid: tuple[int, ...], pools: Pools
) -> None:
    """In deal 1 seat 2 declares for the collective pool of deal 0."""
    answer = but(says("timeout", kind, seat=seat, deal=1), says("pass", AskBid, deal=0))
    result = drive(plan_of(WITH_POOLS, 2), answer).games[1].result
    assert (result.payments, result.pools) == (paid, pools)


SUBSTITUTE: Settings = {"conduct": {"on_fault": "substitute"}}


@pytest.mark.parametrize(
    ("kind", "declarer"),  # the first legal bid is pass
    [
        *((AskBlind, 1), (AskBid, 2), (AskTalon, 1), (AskDiscard, 1)),
        *((AskSurrender, 1), (AskOffer, 1), (AskPlay, 1)),
    ],
)
def test_with_substitution_the_first_legal_choice_is_made_and_the_deal_goes_on(
    kind: type[AnyRequest], declarer: int
) -> None:
    [game] = one(says("timeout", kind, seat=1), OFFERS, **MOMENTS, **SUBSTITUTE).games
    assert {(fault.seat, fault.kind) for fault in game.faults} == {(1, "timeout")}
    assert sum(isinstance(event, FaultSeen) for event in game.events) == len(game.faults)
    result = game.result
    assert (result.contract, result.declarer, result.fault) == (
        "ordinary",
        declarer,
        FaultShown(1, "timeout"),
    )
    assert (sum(result.tricks.seats), sum(result.payments)) == (8, 0)
    if kind is AskPlay:
        assert (len(game.faults), result.payments) == (8, payments(one(**MOMENTS)))


def test_of_two_faults_that_were_made_good_the_last_is_shown() -> None:
    slips = says("timeout", cards=5, seat=2), says("malformed", cards=5, seat=0)
    [game] = one(*slips, **SUBSTITUTE).games
    faults = [FaultShown(fault.seat, fault.kind) for fault in game.faults]
    assert {fault.seat for fault in faults} == {0, 2}
    assert game.result.fault == faults[-1]


def test_a_seat_is_disqualified_after_the_deal_of_its_last_fault() -> None:
    """Where faults are made good, a deal may have many of them; it is still played to its end."""
    plan = plan_of(preset("pagat", SUBSTITUTE), 5, max_faults=4)
    driven = drive(plan, but(says("timeout", seat=2, deal=1)))
    assert driven.disqualified == (2,)
    assert [len(game.faults) for game in driven.games] == [0, 8]
    assert sum(driven.games[1].result.tricks.seats) == 8


def test_a_bot_that_was_not_ready_is_asked_and_forfeits() -> None:
    never = Failed("unready", "no ready within 10 s")
    driven = drive(plan_of(deals=2), lambda seat, request: never, never)
    assert [(game.result.payments, game.faults) for game in driven.games] == [
        ((2, -4, 2), (Fault(1, "unready", never.detail),)),
        ((2, 2, -4), (Fault(2, "unready", never.detail),)),
    ]


@pytest.mark.parametrize(
    ("answers", "faults"),
    [
        (["illegal"], []),
        (["illegal", "illegal"], ["illegal"]),
        (["illegal", "offer", "illegal"], []),  # counted anew after an offer
    ],
)
def test_a_mistake_is_corrected_under_the_same_id_but_no_second_one(
    answers: list[str], faults: list[str]
) -> None:
    driven = one(says(answers, seat=2), conduct={"corrections": 1})
    assert [fault.kind for fault in driven.games[0].faults] == faults
    request, *_ = (line for line in driven.lines_to(2) if isinstance(line, AskPlay))
    refused = [(line.id, line.fault) for line in sent(driven, Refused)]
    assert refused == [(request.id, "illegal")] * (answers.count("illegal") - len(faults))
    assert faults or payments(driven) == payments(one())


def clocks(*changes: Change, **settings: object) -> list[tuple[str, int, float | None]]:
    """The lines of a deal to which an answer was due, each 7 s late: type, id and seconds left."""
    found: list[tuple[str, int, float | None]] = []

    def answered(question: Question) -> Outcome:
        line, request = question.line, question.request
        found.append((type(line).__name__, request.id, question.clock_s))
        said = but(*changes)(question.seat, request)
        return said if isinstance(said, Failed) else Said(said, 7_000_000)

    match = Match(plan_of(preset("pagat", settings)))
    assert [*play_through(match, (ASKS_ALL,) * 3, answered)]
    return found


def test_each_request_has_its_own_clock() -> None:
    assert {left for *_, left in clocks()} == {60.0}


@pytest.mark.parametrize(
    ("kind", "slips", "seconds"),
    [
        (AskBid, ["illegal"] * 10, [60, 53, 46, 39, 32, 25, 18, 11, 4, 0]),
        (AskSurrender, ["malformed"] * 2, [60, 53, 46]),
        (AskOffer, ["malformed"] * 2, [60, 53, 46]),
    ],
)
def test_a_correction_has_the_seconds_that_are_left(
    kind: type[AnyRequest], slips: list[str], seconds: list[float]
) -> None:
    tried = clocks(says(slips, kind, seat=1), OFFERS, conduct={"corrections": 9})
    lines = [line for line, *_ in tried]
    begun, again = lines.index(kind.__name__), ["Refused"] * (len(seconds) - 1)
    _, number, _ = tried[begun]
    assert tried[begun : begun + len(seconds)] == [
        (line, number, left) for line, left in zip([kind.__name__, *again], seconds, strict=True)
    ]
    assert lines.count("Refused") == len(again)


@pytest.mark.parametrize("kind", sorted(FAILURES - {"malformed"}))
def test_only_an_answer_can_be_corrected(kind: FaultKind) -> None:
    bad = says(kind, AskBid, seat=1)
    assert [line for line, *_ in clocks(bad, conduct={"corrections": 3})] == ["AskBid"]


PLAIN = Ready(1)


@pytest.mark.parametrize(
    ("ready", "asked"),
    [
        ((ASKS_ALL, ASKS_ALL, ASKS_ALL), [(1, 8), (1, 7), (1, 6)]),
        ((PLAIN, ASKS_ALL, PLAIN), [(1, 8), (1, 7), (1, 6)]),
        ((ASKS_ALL, PLAIN, ASKS_ALL), []),
    ],
)
def test_a_declarer_that_wants_it_is_asked_to_surrender_before_the_first_three_leads(
    ready: tuple[Ready, ...], asked: list[tuple[int, int]]
) -> None:
    driven = drive(plan_of(), first, ready)
    assert [(line.seat, len(line.hand)) for line in sent(driven, AskSurrender)] == asked


@pytest.mark.parametrize("tricks", [0, 1, 2])
def test_a_surrender_loses_at_the_simple_level(tricks: int) -> None:
    [game] = one(says(["no"] * tricks + ["yes"], AskSurrender)).games
    assert (game.result.payments, sum(game.result.tricks.seats)) == ((2, -4, 2), tricks)


@pytest.mark.parametrize(
    ("said", "ready", "asked", "paid"),
    [
        ("yes", ASKS_ALL, [(1, 2)], (-1, 2, -1)),
        ("no", ASKS_ALL, [(1, 2)], payments(one())),
        ("yes", PLAIN, [], payments(one())),
    ],
    ids=["accepted", "refused", "not wanted"],
)
def test_an_offer_that_is_accepted_ends_the_deal_as_won_and_any_other_leaves_the_request_open(
    said: str, ready: Ready, asked: list[tuple[int, int]], paid: tuple[int, ...]
) -> None:
    driven = drive(plan_of(), but(says(said, AskOffer), OFFERS), ready)
    assert [(line.seat, line.from_) for line in sent(driven, AskOffer)] == asked
    assert payments(driven) == paid
    plays = [line for line in driven.lines_to(2) if isinstance(line, AskPlay)]
    assert [line.may_offer for line in plays] == [True] + [False] * (len(plays) - 1)
    again = [(line.id, line.clock_s) for line in plays[1:2]]
    assert again == ([(plays[0].id, 60.0 - 0.001)] if paid == payments(one()) else [])


def test_each_defender_may_offer_once_and_a_declarer_never() -> None:
    driven = one(says("offer", may_offer=True))
    offers = [event for event in driven.games[0].events if isinstance(event, Offered)]
    assert sorted((event.seat, event.accepted) for event in offers) == [(0, False), (2, False)]
    assert payments(driven) == payments(one())
    [game] = one(says(["offer"], seat=1)).games
    assert [(fault.seat, fault.kind) for fault in game.faults] == [(1, "illegal")]


RULESETS: list[Settings] = [
    {},
    {"players": 4},
    {"players": 5},
    {"all_pass": "pool", "pools": {"enabled": True}},
    {"table": {"talon": "first_two_tricks"}},
]


@pytest.mark.parametrize("settings", RULESETS)
@pytest.mark.parametrize("change", [first, PASSES, OFFERS])
def test_each_seat_is_told_all_events_once_in_order_in_counted_requests_of_its_deals(
    settings: Settings, change: Change
) -> None:
    driven = drive(plan_of(preset("pagat", settings), 8), but(change))
    players = driven.games[0].deal.players
    for seat in range(players):
        hello, *lines, bye = driven.lines_to(seat)
        assert isinstance(hello, Hello)
        assert (hello.protocol, hello.players) == (1, players)
        assert isinstance(bye, Bye)
        plain = [line for line in lines if not isinstance(line, Hello | Bye | Refused)]
        assert len(plain) == len(lines)
        assert {line.table for line in plain} == {0}
        for game in driven.games:
            told = [event for line in plain if line.deal == game.number for event in line.events]
            assert isinstance(told[0], Dealt)
            assert (told[0].seat, tuple(told[1:])) == (seat, game.events[1:])
        requests = {line.id: line.seat for line in plain if not isinstance(line, DealEnd)}
        assert [*requests.items()] == [(number, seat) for number in range(len(requests))]
        deals = [line.deal for line in plain]
        assert deals == sorted(deals)
        out = [game.number for game in driven.games if not game.deal.hands[seat]]
        assert [deals.count(number) for number in out] == [1] * len(out)  # its end alone


@pytest.mark.parametrize("session", [None, 3])
def test_pools_and_totals_go_from_deal_to_deal_and_begin_anew_with_each_session(
    session: int | None,
) -> None:
    """Each deal leaves a token in the collective pool, or pays stakes."""
    pooled, paid = (
        drive(msgspec.structs.replace(plan_of(rules, 6), session=session), answer).games
        for rules, answer in ((WITH_POOLS, but(PASSES)), (preset(), first))
    )
    for number, (pool, plain) in enumerate(zip(pooled, paid, strict=True)):
        before = number % (session or 6)
        results = [game.result.payments for game in paid[number - before : number]]
        totals = tuple(map(sum, zip((0, 0, 0), *results, strict=True)))
        for game, begins in ((pool, {"pools": Pools(before)}), (plain, {"totals": totals})):
            assert game.events[0] == msgspec.structs.replace(game.events[0], **begins)
        assert pool.result.pools == Pools(before + 1)


def test_nothing_a_bot_writes_is_sent_to_another() -> None:
    word = "psst, QC is here"
    assert len(word) == 16

    def bad(seat: int, request: AnyRequest) -> AnyReply | None:
        plays = seat == 1 and isinstance(request, AskPlay)
        return PlayReply(id=request.id, card=word, note=word) if plays else None

    for conduct in ({}, {"corrections": 1}, {"on_fault": "substitute"}):
        driven = one(bad, conduct=conduct)
        for seat in range(3):
            assert not any(word.encode() in encode(line) for line in driven.lines_to(seat))
