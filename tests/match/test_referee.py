"""The conduct of a match: which requests are sent, and what a fault costs."""

from collections.abc import Callable
from typing import TypeVar

import msgspec
import pytest

from arena.match.commands import FAULT_WORDS, Failed, Outcome, Question, Said
from arena.match.match import Match, play_through
from arena.match.wire import (
    AnyEvent,
    AnyReply,
    AnyRequest,
    AskBid,
    AskBlind,
    AskDiscard,
    AskOffer,
    AskPlay,
    AskSurrender,
    AskTalon,
    BidReply,
    BlindReply,
    Bye,
    DealEnd,
    Dealt,
    DiscardReply,
    FaultKind,
    FaultSeen,
    Hello,
    Offered,
    OfferReply,
    PlayReply,
    Ready,
    Refused,
    SurrenderReply,
    TalonReply,
    encode,
)
from arena.zole.rules import Settings, preset
from tests.support.scripted import ASKS_ALL, Answer, Driven, drive, plan_of

Line = TypeVar("Line")
Change = Callable[[int, AnyRequest], AnyReply | Failed | None]
"""An answer to some requests, None to all others."""


def first(seat: int, request: AnyRequest) -> AnyReply:
    """Forehand declares; everybody plays the first legal card."""
    match request:
        case AskBlind():
            return BlindReply(id=request.id, blind=False)
        case AskBid():
            bid = "ordinary" if request.legal[-1] != "pass" else "pass"
            return BidReply(id=request.id, bid=bid)
        case AskTalon():
            return TalonReply(id=request.id, choice="take")
        case AskDiscard():
            return DiscardReply(id=request.id, cards=(request.hand[-2], request.hand[-1]))
        case AskSurrender():
            return SurrenderReply(id=request.id, surrender=False)
        case AskOffer():
            return OfferReply(id=request.id, accept=False)
        case AskPlay():
            return PlayReply(id=request.id, card=request.legal[0])
    raise AssertionError(request)


def passing(seat: int, request: AnyRequest) -> AnyReply:
    if isinstance(request, AskBid):
        return BidReply(id=request.id, bid="pass")
    return first(seat, request)


def passing_once(seat: int, request: AnyRequest) -> AnyReply:
    return (passing if request.deal == 0 else first)(seat, request)


def but(*changes: Change, otherwise: Answer = first) -> Answer:
    """A table at which some requests are answered otherwise, the first change before the next."""

    def answer(seat: int, request: AnyRequest) -> AnyReply | Failed:
        for change in changes:
            if (changed := change(seat, request)) is not None:
                return changed
        return otherwise(seat, request)

    return answer


def bidding(bid: str) -> Answer:
    """A table at which forehand declares a contract."""

    return but(
        lambda _, request: BidReply(id=request.id, bid=bid) if isinstance(request, AskBid) else None
    )


def offering(seat: int, request: AnyRequest) -> AnyReply | None:
    """Seat 2 offers to concede whenever it may."""
    return offering_everywhere(seat, request) if seat == 2 else None


def offering_everywhere(seat: int, request: AnyRequest) -> AnyReply | None:
    """Each seat offers to concede whenever it may."""
    may_offer = isinstance(request, AskPlay) and request.may_offer
    return PlayReply(id=request.id, offer=True) if may_offer else None


KINDS: tuple[FaultKind, ...] = (
    "illegal",
    "malformed",
    "timeout",
    "exited",
    "flooded",
    "unready",
    "resource",
)


def faulting(kind: FaultKind, request: AnyRequest) -> AnyReply | Failed:
    if kind != "illegal":
        return Failed(kind, "scripted", 7_000_000)
    if isinstance(request, AskBid):
        return BidReply(id=request.id, bid="grand")
    return PlayReply(id=request.id, card="7C")


def faulty(
    seat: int,
    kind: type[AnyRequest] = AskPlay,
    *,
    fault: FaultKind = "timeout",
    cards: int | None = None,
    deal: int | None = None,
) -> Change:
    """A seat that fails to answer requests of a kind, or only those with `cards` cards in hand."""

    def change(who: int, request: AnyRequest) -> AnyReply | Failed | None:
        fails = who == seat and isinstance(request, kind) and deal in (None, request.deal)
        if isinstance(request, AskPlay):
            fails &= cards in (None, len(request.hand))
        return faulting(fault, request) if fails else None

    return change


def answering(seat: int, kind: type[AnyRequest], *answers: str) -> Change:
    """The first answers of a seat to requests of a kind: a kind of fault, or `offer`."""
    left = iter(answers)

    def change(who: int, request: AnyRequest) -> AnyReply | Failed | None:
        if who != seat or not isinstance(request, kind) or (said := next(left, None)) is None:
            return None
        if said == "offer":
            return PlayReply(id=request.id, offer=True)
        return faulting(said, request)  # type: ignore[arg-type]

    return change


def one(answer: Answer, **changes: object) -> Driven:
    """One deal, seat 1 being forehand and so the declarer."""
    return drive(plan_of(preset("pagat", dict(changes))), answer)


def payments(driven: Driven) -> tuple[int, ...]:
    [game] = driven.games
    return game.result.payments


def sent(driven: Driven, kind: type[Line]) -> list[Line]:
    """The lines of a kind, by seat."""
    seats = range(driven.games[0].deal.players)
    return [line for seat in seats for line in driven.lines_to(seat) if isinstance(line, kind)]


@pytest.mark.parametrize("kind", KINDS)
def test_a_declarer_that_faults_loses_at_the_simple_level_and_a_defender_pays_for_its_partner(
    kind: FaultKind,
) -> None:
    [game] = one(but(faulty(1, fault=kind))).games
    assert (game.result.payments, game.result.level) == ((2, -4, 2), "31_60")
    assert [(fault.seat, fault.kind) for fault in game.faults] == [(1, kind)]
    assert game.result.fault is not None
    assert (game.result.fault.seat, game.result.fault.fault) == (1, kind)
    [event] = [event for event in game.events if isinstance(event, FaultSeen)]
    assert (event.seat, event.fault, event.detail) == (1, kind, FAULT_WORDS[kind])
    bad = but(faulty(2, fault=kind))
    assert payments(one(bad)) == (0, 2, -2)
    assert payments(one(bad, conduct={"fault_payer": "side"})) == (-1, 2, -1)


MOMENTS: Settings = {
    "auction": {"contracts": ["ordinary", "solo", "blind"], "talon_decision": "after_bid"},
    "table": {"stake": 3},
}
"""Rules in which every kind of request is made, and a stake that tells a table from a contract."""
ALL_BIDS: Settings = {"auction": {"contracts": ["ordinary", "solo", "small_solo"]}}


def four(payer: str, sitout: str) -> Settings:
    return {"players": 4, "conduct": {"fault_payer": payer}, "sitout": {"scoring": sitout}}


@pytest.mark.parametrize(
    ("table", "seat", "kind", "changes", "paid", "contract", "level"),
    [
        (first, 1, AskBlind, MOMENTS, (3, -6, 3), None, None),
        (first, 1, AskBid, MOMENTS, (3, -6, 3), None, None),
        (first, 1, AskTalon, MOMENTS, (3, -6, 3), None, None),  # a declarer, but no contract yet
        (first, 1, AskDiscard, MOMENTS, (2, -4, 2), "ordinary", "31_60"),
        (first, 1, AskSurrender, MOMENTS, (2, -4, 2), "ordinary", "31_60"),
        (first, 1, AskOffer, MOMENTS, (2, -4, 2), "ordinary", "31_60"),
        (first, 1, AskPlay, MOMENTS, (2, -4, 2), "ordinary", "31_60"),
        (passing, 2, AskBid, {}, (2, 2, -4), None, None),
        (passing, 0, AskPlay, {}, (-4, 2, 2), "table", None),
        (passing, 2, AskPlay, {"players": 4}, (0, 2, -4, 2), "table", None),
        (first, 2, AskPlay, four("offender", "as_opponent"), (0, 3, -3, 0), "ordinary", "ge61"),
        (first, 2, AskPlay, four("offender", "none"), (0, 2, -2, 0), "ordinary", "ge61"),
        (first, 2, AskPlay, four("side", "as_opponent"), (-1, 3, -1, -1), "ordinary", "ge61"),
        (first, 2, AskPlay, four("side", "none"), (0, 2, -1, -1), "ordinary", "ge61"),
        (bidding("solo"), 1, AskPlay, ALL_BIDS, (5, -10, 5), "solo", "31_60"),
        (bidding("solo"), 2, AskPlay, ALL_BIDS, (0, 8, -8), "solo", "ge61"),
        (bidding("small_solo"), 1, AskPlay, ALL_BIDS, (7, -14, 7), "small_solo", "lost"),
        (bidding("small_solo"), 2, AskPlay, ALL_BIDS, (0, 12, -12), "small_solo", "made"),
    ],
)
def test_a_fault_costs_the_price_of_its_moment_and_contract(
    table: Answer,
    seat: int,
    kind: type[AnyRequest],
    changes: Settings,
    paid: tuple[int, ...],
    contract: str | None,
    level: str | None,
) -> None:
    [game] = one(but(faulty(seat, kind), offering, otherwise=table), **changes).games
    assert [(fault.seat, fault.kind) for fault in game.faults] == [(seat, "timeout")]
    result = game.result
    assert (result.payments, result.contract, result.level) == (paid, contract, level)


@pytest.mark.parametrize("is_declarer", [True, False])
def test_a_side_that_faults_at_its_last_card_keeps_a_win_of_which_it_is_sure(
    is_declarer: bool,
) -> None:
    outcomes = set()
    for deal in plan_of(deals=60).deals:
        declarer, defender = (deal.dealer + 1) % 3, (deal.dealer + 2) % 3
        bad = faulty(declarer if is_declarer else defender, cards=1)
        [game] = drive(plan_of(deals=[deal]), but(bad)).games
        paid, points = game.result.payments, game.result.points
        assert points.declarer is not None
        assert points.defenders is not None
        if is_declarer:
            due = 4 if points.declarer >= 91 else 2 if points.declarer >= 61 else -4
        else:
            due = -6 if points.defenders >= 90 else -4 if points.defenders >= 60 else 2
            assert paid[defender] == (-2 if due > 0 else -due // 2)
        assert paid[declarer] == due
        outcomes.add(due > 0)
    assert outcomes == {True, False}


def test_a_small_solo_is_lost_by_a_trick_taken_before_a_defender_faults() -> None:
    rules, outcomes = preset("pagat", ALL_BIDS), set()
    for deal in range(12):
        bad = faulty((deal + 2) % 3, cards=1, deal=deal)
        driven = drive(plan_of(rules, deal + 1), but(bad, otherwise=bidding("small_solo")))
        result = driven.games[deal].result
        assert result.declarer == (deal + 1) % 3
        assert result.level == ("lost" if result.tricks.declarer else "made")
        outcomes.add(result.level)
    assert "lost" in outcomes


WITH_POOLS = preset("pagat", {"all_pass": "pool", "pools": {"enabled": True}})


@pytest.mark.parametrize(
    ("seat", "kind", "paid", "collective", "personal"),
    [
        (0, AskPlay, (-4, 0, 4), 0, ()),  # a guilty defender pays the pool of its partner too
        (2, AskPlay, (2, 2, -4), 1, (2,)),  # a guilty declarer owes a personal pool
        (2, AskBid, (2, 2, -4), 1, ()),  # there is no contract yet
    ],
)
def test_a_fault_counts_for_the_pools_once_there_is_a_contract(
    seat: int, kind: type[AnyRequest], paid: tuple[int, ...], collective: int, personal: object
) -> None:
    """In deal 1 seat 2 declares for the collective pool of deal 0."""
    answer = but(faulty(seat, kind, deal=1), otherwise=passing_once)
    result = drive(plan_of(WITH_POOLS, 2), answer).games[1].result
    assert result.payments == paid
    assert (result.pools.collective, result.pools.personal) == (collective, personal)


@pytest.mark.parametrize(
    "kind", [AskBlind, AskBid, AskTalon, AskDiscard, AskSurrender, AskOffer, AskPlay]
)
def test_with_substitution_the_first_legal_choice_is_made_and_the_deal_goes_on(
    kind: type[AnyRequest],
) -> None:
    answer = but(faulty(1, kind), offering)
    [game] = one(answer, **MOMENTS, conduct={"on_fault": "substitute"}).games
    assert {(fault.seat, fault.kind) for fault in game.faults} == {(1, "timeout")}
    assert sum(isinstance(event, FaultSeen) for event in game.events) == len(game.faults)
    assert sum(game.result.tricks.seats) == 8
    assert sum(game.result.payments) == 0
    assert game.result.declarer == (2 if kind is AskBid else 1)  # the first legal bid is pass
    assert game.result.contract == "ordinary"
    assert game.result.fault is not None
    if kind is AskPlay:
        assert len(game.faults) == 8
        assert game.result.payments == payments(one(first, **MOMENTS))


def test_of_two_faults_that_were_made_good_the_last_is_shown() -> None:
    slips = but(faulty(2, cards=5), faulty(0, cards=5, fault="malformed"))
    [game] = one(slips, conduct={"on_fault": "substitute"}).games
    first_fault, last = game.faults
    assert first_fault.seat != last.seat
    assert game.result.fault is not None
    assert (game.result.fault.seat, game.result.fault.fault) == (last.seat, last.kind)


def test_a_seat_is_disqualified_after_the_deal_of_its_last_fault() -> None:
    """Where faults are made good, a deal may have many of them; it is still played to its end."""
    rules = preset("pagat", {"conduct": {"on_fault": "substitute"}})
    driven = drive(plan_of(rules, 5, max_faults=4), but(faulty(2, deal=1)))
    assert driven.disqualified == (2,)
    assert [len(game.faults) for game in driven.games] == [0, 8]
    assert sum(driven.games[1].result.tricks.seats) == 8


def test_a_bot_that_was_not_ready_is_asked_and_forfeits() -> None:
    never = Failed("unready", "no ready within 10 s")
    driven = drive(plan_of(deals=2), lambda seat, request: never, never)
    assert [game.result.payments for game in driven.games] == [(2, -4, 2), (2, 2, -4)]
    assert [fault.kind for game in driven.games for fault in game.faults] == ["unready"] * 2


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
    driven = one(but(answering(2, AskPlay, *answers)), conduct={"corrections": 1})
    assert [fault.kind for fault in driven.games[0].faults] == faults
    request, *_ = (line for line in driven.lines_to(2) if isinstance(line, AskPlay))
    refused = [(line.id, line.fault) for line in sent(driven, Refused)]
    assert refused == [(request.id, "illegal")] * (answers.count("illegal") - len(faults))
    assert faults or payments(driven) == payments(one(first))


def clocks(answer: Answer, **changes: object) -> list[tuple[str, int, float | None]]:
    """The lines of a deal to which an answer was due, each 7 s late: type, id and seconds left."""
    found: list[tuple[str, int, float | None]] = []

    def answered(question: Question) -> Outcome:
        line, request = question.line, question.request
        found.append((type(line).__name__, request.id, question.clock_s))
        said = answer(question.seat, request)
        return said if isinstance(said, Failed) else Said(said, 7_000_000)

    match = Match(plan_of(preset("pagat", dict(changes))))
    for _ in play_through(match, (ASKS_ALL,) * 3, answered):
        pass
    return found


def test_each_request_has_its_own_clock() -> None:
    assert {left for _, _, left in clocks(first)} == {60.0}


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
    tried = clocks(but(answering(1, kind, *slips), offering), conduct={"corrections": 9})
    lines, numbers, left = zip(*tried, strict=True)
    begun, refused = lines.index(kind.__name__), len(seconds) - 1
    end = begun + len(seconds)
    assert lines[begun + 1 : end] == ("Refused",) * refused
    assert lines.count("Refused") == refused
    assert len({*numbers[begun:end]}) == 1
    assert [*left[begun:end]] == seconds


@pytest.mark.parametrize("kind", ["timeout", "exited", "flooded", "resource", "unready"])
def test_only_an_answer_can_be_corrected(kind: FaultKind) -> None:
    bad = but(faulty(1, AskBid, fault=kind))
    assert [line for line, _, _ in clocks(bad, conduct={"corrections": 3})] == ["AskBid"]


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
    def give_up(seat: int, request: AnyRequest) -> AnyReply | None:
        gives_up = isinstance(request, AskSurrender) and len(request.hand) == 8 - tricks
        return SurrenderReply(id=request.id, surrender=True) if gives_up else None

    driven = one(but(give_up))
    assert payments(driven) == (2, -4, 2)
    assert sum(driven.games[0].result.tricks.seats) == tricks


def test_an_accepted_offer_ends_the_deal_as_won() -> None:
    def accept(seat: int, request: AnyRequest) -> AnyReply | None:
        return OfferReply(id=request.id, accept=True) if isinstance(request, AskOffer) else None

    driven = one(but(accept, offering))
    assert [(line.seat, line.from_) for line in sent(driven, AskOffer)] == [(1, 2)]
    assert payments(driven) == (-1, 2, -1)


def test_a_refused_offer_leaves_the_request_open() -> None:
    driven = one(but(offering))
    plays = [line for line in driven.lines_to(2) if isinstance(line, AskPlay)]
    assert plays[0].id == plays[1].id
    assert [line.may_offer for line in plays] == [True] + [False] * (len(plays) - 1)
    assert plays[1].clock_s == 60.0 - 0.001
    assert payments(driven) == payments(one(first))


def test_an_offer_is_refused_for_a_declarer_that_does_not_want_to_be_asked() -> None:
    driven = drive(plan_of(), but(offering), PLAIN)
    assert not sent(driven, AskOffer)
    assert payments(driven) == payments(one(first))


def test_each_defender_may_offer_once_and_a_declarer_never() -> None:
    driven = one(but(offering_everywhere))
    offers = [event for event in driven.games[0].events if isinstance(event, Offered)]
    assert sorted((event.seat, event.accepted) for event in offers) == [(0, False), (2, False)]
    assert payments(driven) == payments(one(first))
    [game] = one(but(answering(1, AskPlay, "offer"))).games
    assert [(fault.seat, fault.kind) for fault in game.faults] == [(1, "illegal")]


RULESETS: list[Settings] = [
    {},
    {"players": 4},
    {"players": 5},
    {"all_pass": "pool", "pools": {"enabled": True}},
    {"table": {"talon": "first_two_tricks"}},
]


@pytest.mark.parametrize("changes", RULESETS)
@pytest.mark.parametrize("answer", [first, passing, but(offering)])
def test_every_seat_receives_every_event_once_and_in_order(
    changes: Settings, answer: Answer
) -> None:
    driven = drive(plan_of(preset("pagat", changes), 8), answer)
    for game in driven.games:
        for seat in range(game.deal.players):
            told: list[AnyEvent] = []
            for line in driven.lines_to(seat):
                if not isinstance(line, Hello | Refused | Bye) and line.deal == game.number:
                    told += line.events
            dealt, *rest = told
            assert isinstance(dealt, Dealt)
            assert dealt.seat == seat
            assert tuple(rest) == game.events[1:]


@pytest.mark.parametrize("changes", RULESETS)
def test_every_line_has_its_table_deal_and_seat_and_requests_are_counted(changes: Settings) -> None:
    driven = drive(plan_of(preset("pagat", changes), 5), first)
    players = driven.games[0].deal.players
    for seat in range(players):
        hello, *lines, bye = driven.lines_to(seat)
        assert isinstance(hello, Hello)
        assert (hello.protocol, hello.players) == (1, players)
        assert isinstance(bye, Bye)
        deals: list[int] = []
        requests: list[tuple[int, int]] = []
        for line in lines:
            assert not isinstance(line, Hello | Bye | Refused)
            assert line.table == 0
            deals.append(line.deal)
            if not isinstance(line, DealEnd):
                requests.append((line.seat, line.id))
        assert deals == sorted(deals)
        assert set(deals) == set(range(5))
        assert requests == [(seat, number) for number in range(len(requests))]
        out = [game.number for game in driven.games if not game.deal.hands[seat]]
        assert [deals.count(number) for number in out] == [1] * len(out)  # its end alone


@pytest.mark.parametrize("session", [None, 3])
def test_pools_and_totals_go_from_deal_to_deal_and_begin_anew_with_each_session(
    session: int | None,
) -> None:
    """Each deal leaves a token in the collective pool, or pays stakes."""
    plans = [
        msgspec.structs.replace(plan, session=session)
        for plan in (plan_of(WITH_POOLS, 6), plan_of(deals=6))
    ]
    tokens, totals = 0, list[int]()
    games = zip(drive(plans[0], passing).games, drive(plans[1], first).games, strict=True)
    for number, (pooled, paid) in enumerate(games):
        if number % (session or 6) == 0:
            tokens, totals = 0, [0, 0, 0]
        begins = pooled.events[0], paid.events[0]
        assert isinstance(begins[0], Dealt)
        assert isinstance(begins[1], Dealt)
        assert (begins[0].pools.collective, [*begins[1].totals]) == (tokens, totals)
        tokens += 1
        assert pooled.result.pools.collective == tokens
        totals = [sum(both) for both in zip(totals, paid.result.payments, strict=True)]


def test_nothing_a_bot_writes_is_sent_to_another() -> None:
    word = "psst, QC is here"
    assert len(word) == 16

    def bad(seat: int, request: AnyRequest) -> AnyReply | None:
        plays = seat == 1 and isinstance(request, AskPlay)
        return PlayReply(id=request.id, card=word, note=word) if plays else None

    for changes in ({}, {"corrections": 1}, {"on_fault": "substitute"}):
        driven = one(but(bad), conduct=changes)
        for seat in range(3):
            assert not any(word.encode() in encode(line) for line in driven.lines_to(seat))
