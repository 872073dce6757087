"""The conduct of a match: who is asked what, and what a fault costs."""

import itertools
from collections.abc import Callable

import msgspec
import pytest

from arena.match.commands import FAULT_WORDS, Failed, MatchVoid, Outcome, Question, Said
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
from tests.support.scripted import Answer, Driven, drive, plan_of

Change = Callable[[int, AnyRequest], AnyReply | Failed | None]


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


def but(change: Change, otherwise: Answer = first) -> Answer:
    """A table at which some requests are answered otherwise."""
    return lambda seat, request: change(seat, request) or otherwise(seat, request)


def passing(seat: int, request: AnyRequest) -> AnyReply:
    if isinstance(request, AskBid):
        return BidReply(id=request.id, bid="pass")
    return first(seat, request)


def one(answer: Answer, **changes: object) -> Driven:
    """One deal, seat 1 being forehand and so the declarer."""
    return drive(plan_of(preset("pagat", dict(changes))), answer)


def payments(driven: Driven) -> tuple[int, ...]:
    [game] = driven.games
    return game.result.payments


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
        return Failed(kind, "scripted")
    if isinstance(request, AskBid):
        return BidReply(id=request.id, bid="grand")
    return PlayReply(id=request.id, card="7C")


@pytest.mark.parametrize("kind", KINDS)
def test_a_declarer_that_faults_has_lost_at_the_simple_level(kind: FaultKind) -> None:
    def bad(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        return faulting(kind, request) if seat == 1 and isinstance(request, AskPlay) else None

    driven = one(but(bad))
    assert payments(driven) == (2, -4, 2)
    [game] = driven.games
    assert [(fault.seat, fault.kind) for fault in game.faults] == [(1, kind)]
    assert game.result.level == "31_60"
    assert game.result.fault is not None
    assert (game.result.fault.seat, game.result.fault.fault) == (1, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_a_defender_that_faults_pays_for_its_partner(kind: FaultKind) -> None:
    def bad(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        return faulting(kind, request) if seat == 2 and isinstance(request, AskPlay) else None

    assert payments(one(but(bad))) == (0, 2, -2)
    assert payments(one(but(bad), conduct={"fault_payer": "side"})) == (-1, 2, -1)


def test_a_fault_before_there_is_a_contract_costs_the_table_stake() -> None:
    def bad(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        return Failed("timeout", "") if seat == 2 else None

    driven = one(but(bad, passing))
    assert payments(driven) == (2, 2, -4)
    assert driven.games[0].result.contract is None


def test_a_fault_at_the_table_costs_its_stake() -> None:
    def bad(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        late = isinstance(request, AskPlay) and len(request.hand) == 3 and seat == 0
        return Failed("exited", "") if late else None

    assert payments(one(but(bad, passing))) == (-4, 2, 2)


def test_a_declarer_sure_of_its_win_keeps_what_it_had() -> None:
    """Played out, and with a fault at the last card: the tricks so far decide."""
    for deal in plan_of(deals=60).deals:
        plan = plan_of(deals=[deal])
        [whole] = drive(plan, first).games
        [declarer] = [seat for seat in range(3) if seat == whole.result.declarer]

        def bad(
            seat: int, request: AnyRequest, declarer: int = declarer
        ) -> AnyReply | Failed | None:
            if seat == declarer and isinstance(request, AskPlay):
                return Failed("timeout", "") if len(request.hand) == 1 else None
            return None

        result = drive(plan, but(bad)).games[0].result
        points = result.points.declarer
        assert points is not None
        won = 2 if points >= 91 else 1
        assert result.payments[declarer] == (2 * won if points >= 61 else -4)


def test_defenders_sure_of_their_win_keep_it() -> None:
    seen = set()
    for deal in plan_of(deals=60).deals:
        defender = (deal.dealer + 2) % 3  # left of the declarer, who is left of the dealer

        def bad(
            seat: int, request: AnyRequest, defender: int = defender
        ) -> AnyReply | Failed | None:
            last = isinstance(request, AskPlay) and len(request.hand) == 1
            return Failed("timeout", "") if last and seat == defender else None

        [game] = drive(plan_of(deals=[deal]), but(bad)).games
        result = game.result
        declarer, theirs = result.declarer, result.points.defenders
        assert declarer is not None
        assert theirs is not None
        if theirs >= 60:
            assert result.payments[declarer] == (-6 if theirs >= 90 else -4)
            assert min(result.payments) == result.payments[declarer]
        else:
            assert result.payments[declarer] == 2
            assert result.payments[(declarer + 1) % 3] == -2
        seen.add(theirs >= 60)
    assert seen == {True, False}


def test_with_substitution_the_first_legal_choice_is_played_and_the_deal_goes_on() -> None:
    def bad(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        return Failed("timeout", "") if seat == 2 and isinstance(request, AskPlay) else None

    whole = one(first)
    driven = one(but(bad), conduct={"on_fault": "substitute"})
    assert driven.games[0].result.payments == whole.games[0].result.payments
    assert len(driven.games[0].faults) == 8
    assert sum(isinstance(event, FaultSeen) for event in driven.games[0].events) == 8


def test_a_correction_is_asked_for_on_the_same_clock_and_id() -> None:
    tries: list[AnyRequest] = []

    def bad(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        if seat == 2 and isinstance(request, AskPlay) and len(tries) < 1:
            tries.append(request)
            return PlayReply(id=request.id, card="7C")
        return None

    driven = one(but(bad), conduct={"corrections": 1})
    assert driven.games[0].faults == ()
    [refused] = [line for line in driven.lines_to(2) if isinstance(line, Refused)]
    assert (refused.id, refused.fault) == (tries[0].id, "illegal")
    assert payments(driven) == payments(one(first))


def test_a_second_mistake_is_no_longer_corrected() -> None:
    def bad(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        return faulting("illegal", request) if seat == 2 and isinstance(request, AskPlay) else None

    driven = one(but(bad), conduct={"corrections": 1})
    assert [fault.kind for fault in driven.games[0].faults] == ["illegal"]


def test_a_declarer_is_asked_to_surrender_before_the_first_three_leads() -> None:
    asked = []

    def note(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        if isinstance(request, AskSurrender):
            asked.append((seat, len(request.hand)))
        return None

    one(but(note))
    assert asked == [(1, 8), (1, 7), (1, 6)]


def test_a_declarer_that_did_not_ask_is_not_asked() -> None:
    driven = drive(plan_of(), first, Ready(1))
    assert not any(isinstance(line, AskSurrender) for line in driven.lines_to(1))


@pytest.mark.parametrize("tricks", [0, 1, 2])
def test_a_surrender_loses_at_the_simple_level(tricks: int) -> None:
    def give_up(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        if isinstance(request, AskSurrender) and len(request.hand) == 8 - tricks:
            return SurrenderReply(id=request.id, surrender=True)
        return None

    driven = one(but(give_up))
    assert payments(driven) == (2, -4, 2)
    assert sum(driven.games[0].result.tricks.seats) == tricks


def offering(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
    if isinstance(request, AskPlay) and request.may_offer and seat == 2:
        return PlayReply(id=request.id, offer=True)
    return None


def test_an_accepted_offer_ends_the_deal_as_won() -> None:
    def accept(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        if isinstance(request, AskOffer):
            assert (seat, request.from_) == (1, 2)
            return OfferReply(id=request.id, accept=True)
        return offering(seat, request)

    assert payments(one(but(accept))) == (-1, 2, -1)


def test_a_refused_offer_leaves_the_request_open() -> None:
    driven = one(but(offering))
    plays = [line for line in driven.lines_to(2) if isinstance(line, AskPlay)]
    assert plays[0].id == plays[1].id
    assert (plays[0].may_offer, plays[1].may_offer) == (True, False)
    assert plays[1].clock_s == 60.0 - 0.001
    assert not any(line.may_offer for line in plays[1:])
    assert payments(driven) == payments(one(first))


def test_the_arena_plays_on_for_a_declarer_that_did_not_ask() -> None:
    driven = drive(plan_of(), but(offering), Ready(1))
    assert not any(isinstance(line, AskOffer) for line in driven.lines_to(1))
    assert payments(driven) == payments(one(first))


def test_an_offer_where_there_is_none_to_make_is_illegal() -> None:
    def bad(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        mine = isinstance(request, AskPlay) and seat == 1
        return PlayReply(id=request.id, offer=True) if mine else None

    assert [fault.kind for fault in one(but(bad)).games[0].faults] == ["illegal"]


def test_too_many_faults_disqualify() -> None:
    def bad(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        return Failed("timeout", "") if seat == 0 else None

    driven = drive(plan_of(deals=20, max_faults=3), but(bad))
    assert driven.disqualified == (0,)
    assert sum(len(game.faults) for game in driven.games) == 3
    byes = [line.reason for seat in range(3) for line in driven.lines_to(seat) if type(line) is Bye]
    assert byes == ["disqualified", "the match is over", "the match is over"]


def test_the_arenas_own_fault_voids_the_match() -> None:
    def bad(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        return Failed("internal", "the disk is full") if isinstance(request, AskPlay) else None

    with pytest.raises(MatchVoid, match="the disk is full"):
        one(but(bad))


RULESETS: list[Settings] = [
    {},
    {"players": 4},
    {"players": 5},
    {"all_pass": "pool", "pools": {"enabled": True}},
    {"table": {"talon": "first_two_tricks"}},
]


@pytest.mark.parametrize("changes", RULESETS)
@pytest.mark.parametrize("answer", [first, passing, but(offering)])
def test_every_seat_is_told_everything_once_and_in_order(changes: Settings, answer: Answer) -> None:
    driven = drive(plan_of(preset("pagat", changes), 8), answer)
    for game in driven.games:
        for seat in range(len(game.deal.hands)):
            told: list[AnyEvent] = []
            for line in driven.lines_to(seat):
                if not isinstance(line, Hello | Refused | Bye) and line.deal == game.number:
                    told += line.events
            first_event, *rest = told
            assert isinstance(first_event, Dealt)
            assert first_event.seat == seat
            assert tuple(rest) == game.events[1:]


@pytest.mark.parametrize("changes", RULESETS)
def test_ids_count_the_requests_of_a_process(changes: Settings) -> None:
    driven = drive(plan_of(preset("pagat", changes), 8), first)
    for seat in range(driven.games[0].deal.players):
        lines = [line for line in driven.lines_to(seat) if not isinstance(line, Hello | Bye)]
        ids = [line.id for line in lines if not isinstance(line, DealEnd | Refused)]
        assert ids == list(range(len(ids)))


def test_who_sits_out_hears_only_the_end() -> None:
    driven = drive(plan_of(preset("pagat", {"players": 4}), 8), first)
    for game in driven.games:
        lines = [
            line
            for line in driven.lines_to(game.deal.dealer)
            if not isinstance(line, Hello | Bye | Refused) and line.deal == game.number
        ]
        assert [type(line) for line in lines] == [DealEnd]


def test_totals_and_pools_go_from_deal_to_deal() -> None:
    rules = preset("pagat", {"all_pass": "pool", "pools": {"enabled": True}})
    driven = drive(plan_of(rules, 6), passing)
    for number, game in enumerate(driven.games):
        dealt = game.events[0]
        assert isinstance(dealt, Dealt)
        assert dealt.pools.collective == number
        assert game.result.pools.collective == number + 1


MOMENTS: Settings = {
    "auction": {"contracts": ["ordinary", "solo", "blind"], "talon_decision": "after_bid"},
    "table": {"stake": 3},
}
"""Rules in which every kind of request is made, and a stake that tells a table from a contract."""


def stopping(kind: type[AnyRequest], seat: int) -> Answer:
    """A table at which a seat says nothing to one kind of request; seat 2 offers where it may."""

    def silent(who: int, request: AnyRequest) -> AnyReply | Failed | None:
        if who == seat and isinstance(request, kind):
            return Failed("timeout", "scripted")
        return offering(who, request)

    return but(silent)


@pytest.mark.parametrize(
    ("kind", "paid", "level", "contract"),
    [
        (AskBlind, (3, -6, 3), None, None),
        (AskBid, (3, -6, 3), None, None),
        (AskTalon, (3, -6, 3), None, None),  # a declarer, but no contract yet
        (AskDiscard, (2, -4, 2), "31_60", "ordinary"),
        (AskSurrender, (2, -4, 2), "31_60", "ordinary"),
        (AskOffer, (2, -4, 2), "31_60", "ordinary"),
        (AskPlay, (2, -4, 2), "31_60", "ordinary"),
    ],
)
def test_a_fault_costs_its_price_at_every_moment(
    kind: type[AnyRequest], paid: tuple[int, ...], level: str | None, contract: str | None
) -> None:
    driven = one(stopping(kind, 1), **MOMENTS)
    result = driven.games[0].result
    assert [(fault.seat, fault.kind) for fault in driven.games[0].faults] == [(1, "timeout")]
    assert result.contract == contract
    assert result.payments == paid
    assert result.level == level


@pytest.mark.parametrize(
    "kind", [AskBlind, AskBid, AskTalon, AskDiscard, AskSurrender, AskOffer, AskPlay]
)
def test_a_fault_is_made_good_at_every_moment_where_the_rules_substitute(
    kind: type[AnyRequest],
) -> None:
    changes: Settings = {**MOMENTS, "conduct": {"on_fault": "substitute"}}
    driven = one(stopping(kind, 1), **changes)
    [game] = driven.games
    assert game.faults
    assert {(fault.seat, fault.kind) for fault in game.faults} == {(1, "timeout")}
    assert sum(game.result.tricks.seats) == 8
    expected = "ordinary" if kind is not AskBid else game.result.contract
    assert game.result.contract == expected
    assert game.result.declarer == (2 if kind is AskBid else 1)  # the first legal bid is pass
    assert sum(game.result.payments) == 0
    assert game.result.fault is not None


def silent_at(deal: int, seat: int, otherwise: Answer) -> Answer:
    def silent(who: int, request: AnyRequest) -> AnyReply | Failed | None:
        mine = who == seat and request.deal == deal and isinstance(request, AskPlay)
        return Failed("exited", "scripted") if mine else None

    return but(silent, otherwise)


@pytest.mark.parametrize(
    ("payer", "sitout", "paid"),
    [
        ("offender", "as_opponent", (0, 3, -3, 0)),
        ("offender", "none", (0, 2, -2, 0)),
        ("side", "as_opponent", (-1, 3, -1, -1)),
        ("side", "none", (0, 2, -1, -1)),
    ],
)
def test_with_four_a_guilty_defender_owes_what_its_side_does(
    payer: str, sitout: str, paid: tuple[int, ...]
) -> None:
    changes: Settings = {"players": 4, "conduct": {"fault_payer": payer}}
    driven = one(silent_at(0, 2, first), **changes, sitout={"scoring": sitout})
    assert payments(driven) == paid


def test_with_four_a_fault_at_the_table_costs_who_sits_out_nothing() -> None:
    assert payments(one(silent_at(0, 2, passing), players=4)) == (0, 2, -4, 2)


def passing_once(seat: int, request: AnyRequest) -> AnyReply:
    return (passing if request.deal == 0 else first)(seat, request)


WITH_POOLS = preset("pagat", {"all_pass": "pool", "pools": {"enabled": True}})


def test_a_guilty_defender_pays_the_pool_of_its_partner_too() -> None:
    """In deal 1 seat 2 declares and wins the collective pool of deal 0."""
    game = drive(plan_of(WITH_POOLS, 2), silent_at(1, 0, passing_once)).games[1]
    assert game.result.payments == (-4, 0, 4)
    assert (game.result.pools.collective, game.result.pools.personal) == (0, ())


def test_a_guilty_declarer_owes_a_personal_pool() -> None:
    game = drive(plan_of(WITH_POOLS, 2), silent_at(1, 2, passing_once)).games[1]
    assert game.result.payments == (2, 2, -4)
    assert (game.result.pools.collective, game.result.pools.personal) == (1, (2,))


def test_a_fault_before_there_is_a_contract_leaves_the_pools_alone() -> None:
    def silent(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        late = request.deal == 1 and isinstance(request, AskBid)
        return Failed("timeout", "") if late else None

    game = drive(plan_of(WITH_POOLS, 2), but(silent, passing_once)).games[1]
    assert game.result.payments == (2, 2, -4)
    assert (game.result.pools.collective, game.result.pools.personal) == (1, ())


@pytest.mark.parametrize(
    ("bid", "seat", "paid", "level"),
    [
        ("solo", 1, (5, -10, 5), "31_60"),
        ("solo", 2, (0, 8, -8), "ge61"),
        ("small_solo", 1, (7, -14, 7), "lost"),
        ("small_solo", 2, (0, 12, -12), "made"),
    ],
)
def test_a_fault_in_a_solo_costs_its_simple_level(
    bid: str, seat: int, paid: tuple[int, ...], level: str
) -> None:
    def bidding(who: int, request: AnyRequest) -> AnyReply | Failed | None:
        return BidReply(id=request.id, bid=bid) if isinstance(request, AskBid) else None

    contracts = {"contracts": ["ordinary", "solo", "small_solo"]}
    driven = one(silent_at(0, seat, but(bidding)), auction=contracts)
    assert payments(driven) == paid
    assert driven.games[0].result.level == level


def test_a_small_solo_with_a_trick_taken_is_lost_whoever_faults_then() -> None:
    contracts = {"contracts": ["ordinary", "solo", "small_solo"]}
    seen = set()
    for deal in range(12):

        def silent(seat: int, request: AnyRequest, deal: int = deal) -> AnyReply | Failed | None:
            if isinstance(request, AskBid):
                return BidReply(id=request.id, bid="small_solo")
            last = request.deal == deal and isinstance(request, AskPlay) and len(request.hand) == 1
            return Failed("timeout", "") if last and seat == (deal + 2) % 3 else None

        rules = preset("pagat", {"auction": contracts})
        result = drive(plan_of(rules, deal + 1), but(silent)).games[deal].result
        taken = result.tricks.declarer
        assert result.declarer == (deal + 1) % 3
        assert result.level == ("lost" if taken else "made")
        seen.add(bool(taken))
    assert True in seen


def test_both_defenders_may_offer_once() -> None:
    def offer(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        may = isinstance(request, AskPlay) and request.may_offer
        return PlayReply(id=request.id, offer=True) if may else None

    driven = one(but(offer))
    offers = [event for event in driven.games[0].events if isinstance(event, Offered)]
    assert sorted(event.seat for event in offers) == [0, 2]
    assert not any(event.accepted for event in offers)
    assert payments(driven) == payments(one(first))


def clocks(answer: Answer, **changes: object) -> list[tuple[str, int, float | None]]:
    """The lines of a deal to which an answer was due: type, id and seconds left."""
    found: list[tuple[str, int, float | None]] = []

    def answered(question: Question) -> Outcome:
        line, request = question.line, question.request
        found.append((type(line).__name__, request.id, question.clock_s))
        said = answer(question.seat, request)
        return said if isinstance(said, Failed) else Said(said, 7_000_000)

    match = Match(plan_of(preset("pagat", dict(changes))))
    for _ in play_through(match, (Ready(1, asks=("surrender", "offer")),) * 3, answered):
        pass
    return found


def test_a_declarer_that_did_not_ask_for_it_is_never_asked_to_surrender() -> None:
    keen = Ready(1, asks=("surrender", "offer"))
    for ready, expected in (((keen, Ready(1), keen), 0), ((Ready(1), keen, Ready(1)), 3)):
        driven = drive(plan_of(), first, ready)
        asked = [line for seat in range(3) for line in driven.lines_to(seat)]
        assert driven.games[0].result.declarer == 1
        assert len([line for line in asked if isinstance(line, AskSurrender)]) == expected


@pytest.mark.parametrize("kind", [AskSurrender, AskOffer])
def test_the_clock_of_a_question_between_turns_goes_on_over_refusals(
    kind: type[AnyRequest],
) -> None:
    tries = itertools.count()

    def slips(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        if isinstance(request, kind):
            return Failed("malformed", "", 7_000_000) if next(tries) < 2 else None
        may = isinstance(request, AskPlay) and request.may_offer and kind is AskOffer
        return PlayReply(id=request.id, offer=True) if may else None

    tried = clocks(but(slips), conduct={"corrections": 2})
    begun = next(place for place, (line, _, _) in enumerate(tried) if line == kind.__name__)
    assert [left for _, _, left in tried[begun : begun + 3]] == [60.0, 53.0, 46.0]


def test_corrections_are_counted_anew_after_an_offer() -> None:
    script = iter(["illegal", "offer", "illegal", "legal"])

    def slips(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        if seat != 2 or not isinstance(request, AskPlay):
            return None
        match next(script, "legal"):
            case "illegal":
                return PlayReply(id=request.id, card="XX")
            case "offer":
                return PlayReply(id=request.id, offer=True)
        return None

    [game] = one(but(slips), conduct={"corrections": 1}).games
    assert game.faults == ()
    assert next(script, None) is None


def test_of_two_faults_that_were_made_good_the_last_is_shown() -> None:
    def slips(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        if not isinstance(request, AskPlay) or len(request.hand) != 5 or seat == 1:
            return None
        return Failed("timeout", "") if seat == 2 else Failed("malformed", "")

    [game] = one(but(slips), conduct={"on_fault": "substitute"}).games
    first_fault, last = game.faults
    assert first_fault.seat != last.seat
    assert game.result.fault is not None
    assert (game.result.fault.seat, game.result.fault.fault) == (last.seat, last.kind)


def test_a_correction_has_the_seconds_that_are_left() -> None:
    def bad(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        return faulting("illegal", request) if isinstance(request, AskBid) else None

    tried = clocks(but(bad), conduct={"corrections": 9})
    assert [kind for kind, _, _ in tried] == ["AskBid"] + ["Refused"] * 9
    assert {number for _, number, _ in tried} == {0}
    assert [left for _, _, left in tried] == [60, 53, 46, 39, 32, 25, 18, 11, 4, 0]


@pytest.mark.parametrize("kind", ["timeout", "exited", "flooded", "resource", "unready"])
def test_only_what_was_answered_can_be_corrected(kind: FaultKind) -> None:
    def bad(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        return Failed(kind, "scripted")

    assert [line for line, _, _ in clocks(but(bad), conduct={"corrections": 3})] == ["AskBid"]


def test_each_request_has_its_own_clock() -> None:
    assert {left for _, _, left in clocks(first)} == {60.0}


def test_nothing_a_bot_writes_is_told_to_another() -> None:
    word = "psst, QC is here"
    assert len(word) == 16

    def bad(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        if seat == 1 and isinstance(request, AskPlay):
            return PlayReply(id=request.id, card=word, note=word)
        return None

    for changes in ({}, {"corrections": 1}, {"on_fault": "substitute"}):
        driven = one(but(bad), conduct=changes)
        for seat in range(3):
            assert not any(word.encode() in encode(line) for line in driven.lines_to(seat))


@pytest.mark.parametrize("kind", KINDS)
def test_the_others_read_of_a_fault_in_the_arenas_words(kind: FaultKind) -> None:
    def bad(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        return faulting(kind, request) if seat == 1 and isinstance(request, AskPlay) else None

    for event in one(but(bad)).games[0].events:
        if isinstance(event, FaultSeen):
            assert (event.seat, event.fault, event.detail) == (1, kind, FAULT_WORDS[kind])


def test_who_was_not_ready_is_asked_and_forfeits() -> None:
    never = Failed("unready", "no ready within 10 s")
    driven = drive(plan_of(deals=2), lambda seat, request: never, never)
    assert [game.result.payments for game in driven.games] == [(2, -4, 2), (2, 2, -4)]
    assert [fault.kind for game in driven.games for fault in game.faults] == ["unready"] * 2


def test_the_arenas_own_fault_at_the_start_voids_the_match() -> None:
    with pytest.raises(MatchVoid, match="no such sandbox"):
        drive(plan_of(), first, Failed("internal", "no such sandbox"))


def test_pools_and_totals_begin_anew_with_each_session() -> None:
    plan = msgspec.structs.replace(plan_of(WITH_POOLS, 6), session=3)
    driven = drive(plan, passing)
    assert [game.result.pools.collective for game in driven.games] == [1, 2, 3, 1, 2, 3]
    plan = msgspec.structs.replace(plan_of(deals=4), session=2)
    running = [0, 0, 0]
    for number, game in enumerate(drive(plan, first).games):
        dealt = game.events[0]
        assert isinstance(dealt, Dealt)
        assert list(dealt.totals) == ([0, 0, 0] if number % 2 == 0 else running)
        running = list(game.result.payments)


def test_every_line_says_its_table_its_deal_and_its_seat() -> None:
    driven = drive(plan_of(preset("pagat", {"players": 4}), 5), first)
    for seat in range(4):
        hello, *lines, bye = driven.lines_to(seat)
        assert isinstance(hello, Hello)
        assert (hello.protocol, hello.players) == (1, 4)
        assert isinstance(bye, Bye)
        deals = []
        for line in lines:
            assert not isinstance(line, Hello | Bye | Refused)
            assert line.table == 0
            if not isinstance(line, DealEnd):
                assert line.seat == seat
            deals.append(line.deal)
        assert deals == sorted(deals)
        assert set(deals) == set(range(5))


def test_a_disqualified_seat_ends_the_match_after_the_deal_of_its_last_fault() -> None:
    """Where faults are made good, a deal may have many of them; it is still played to its end."""

    def bad(seat: int, request: AnyRequest) -> AnyReply | Failed | None:
        mine = seat == 2 and request.deal == 1 and isinstance(request, AskPlay)
        return Failed("timeout", "") if mine else None

    rules = preset("pagat", {"conduct": {"on_fault": "substitute"}})
    driven = drive(plan_of(rules, 5, max_faults=4), but(bad))
    assert driven.disqualified == (2,)
    assert [len(game.faults) for game in driven.games] == [0, 8]
    assert sum(driven.games[1].result.tricks.seats) == 8
