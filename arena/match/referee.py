"""The conduct of a match: who is asked what, what an answer leads to, and what a fault costs.

A generator that knows no process and no clock: it yields commands and receives what came of them.
"""

import itertools
from collections.abc import Generator
from typing import Literal

from arena import __version__
from arena.match.commands import (
    Command,
    Conduct,
    Failed,
    Fault,
    Finished,
    Game,
    MatchPlan,
    MatchVoid,
    Outcome,
    Question,
    Said,
    Start,
    Step,
    Tell,
)
from arena.match.wire import (
    PROTOCOL,
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
    BidMade,
    BidReply,
    BlindReply,
    BlindSaid,
    Bye,
    CardPlayed,
    ContractMade,
    DealEnd,
    Dealt,
    DiscardReply,
    FaultKind,
    FaultSeen,
    FaultShown,
    Hello,
    Offered,
    OfferReply,
    Placed,
    PlayReply,
    Ready,
    Refused,
    Result,
    Surrendered,
    SurrenderReply,
    Tally,
    TalonChosen,
    TalonReply,
    ToBot,
    TrickTaken,
)
from arena.zole import play, view
from arena.zole.auction import legal_bids
from arena.zole.cards import INDEX, NAMES, Card, mask, names
from arena.zole.deal import Seat
from arena.zole.rules import RANK
from arena.zole.scoring import Pools, Settlement, settle, sides
from arena.zole.state import Action, Choose, Discard, Illegal, Play, Say, SayBlind, State
from arena.zole.tricks import legal_cards, play_card

FAULT_WORDS: dict[FaultKind, str] = {
    "illegal": "the answer is not allowed here",
    "malformed": "the answer could not be read",
    "timeout": "no answer in time",
    "exited": "the program has ended",
    "flooded": "too much output",
    "unready": "not ready in time",
    "resource": "a limit of the machine was crossed",
    "internal": "the arena's own fault",
}
"""What the others at the table read of a fault: never a word that a bot chose."""


MOST_TABLES = 64
"""At how many tables a process is asked to play at once."""


def conduct(plan: MatchPlan) -> Conduct:
    """Play a match, one deal after the other; returns the seats that were disqualified.

    Raises `MatchVoid`. The deals of a match that was played at several tables come in order, too.
    """
    greeted = yield Start(hellos(plan))
    assert isinstance(greeted, tuple)
    sitting = Sitting(plan, greeted)
    for number in range(len(plan.deals)):
        yield from sitting.deal(number)
        if sitting.count(number):
            break
    yield from sitting.byes()
    return sitting.out


def hellos(plan: MatchPlan) -> tuple[Hello, ...]:
    """The first line to each seat."""
    seats = range(plan.rules.players)
    return tuple(
        Hello(PROTOCOL, __version__, plan.rules, plan.limits, len(seats), plan.seeds[seat])
        for seat in seats
    )


class Sitting:
    """A match under way: what its deals have in common, wherever they are played.

    With `tables` above 1 several deals are in play at once, as many as every bot said it can.
    Table t plays the sessions t, t + tables, t + 2 tables and so on (a deal is a session where the
    plan has none), so that totals and pools follow from the deals alone.
    """

    def __init__(self, plan: MatchPlan, greeted: tuple[Ready | Failed, ...]) -> None:
        """Raises `MatchVoid`."""
        for ready in greeted:
            if isinstance(ready, Failed) and ready.kind == "internal":
                raise MatchVoid(ready.detail)
        players = plan.rules.players
        self.plan = plan
        self.asks = [ready.asks if isinstance(ready, Ready) else () for ready in greeted]
        self.ids = [itertools.count() for _ in range(players)]
        self.out: tuple[Seat, ...] = ()
        self._session = plan.session or (len(plan.deals) if plan.rules.pools.enabled else 1)
        self._endless = plan.session is None
        can = [ready.tables for ready in greeted if isinstance(ready, Ready)]
        sessions = -(-len(plan.deals) // max(1, self._session))
        self.tables = max(1, min(MOST_TABLES, sessions, *can)) if can else 1
        self._pools = [Pools()] * self.tables
        self._totals = [(0,) * players] * self.tables
        self._games: dict[int, Game] = {}
        self._faults = [0] * players

    def table(self, table: int) -> Generator[Command, Outcome, None]:
        """Play all deals of a table."""
        deals, session = len(self.plan.deals), self._session
        for first in range(table * session, deals, self.tables * session):
            for number in range(first, min(first + session, deals)):
                yield from self.deal(number)

    def deal(self, number: int) -> Generator[Command, Outcome, None]:
        """Play a deal; all deals of its table before it must be over."""
        table = self._table_of(number)
        if not self._endless and number % self._session == 0:
            self._pools[table], self._totals[table] = Pools(), (0,) * len(self.asks)
        pools, totals = self._pools[table], self._totals[table]
        game = yield from _Board(self, number, table, pools, totals).conduct()
        self._pools[table] = game.result.pools
        self._totals[table] = tuple(map(sum, zip(totals, game.result.payments, strict=True)))
        self._games[number] = game
        yield Finished(game)

    def count(self, number: int) -> tuple[Seat, ...]:
        """Count the faults of a finished deal; deals are counted in order, each once.

        Returns who is disqualified by them: the match is over then, whatever else is in play.
        """
        for fault in self._games.pop(number).faults:
            self._faults[fault.seat] += 1
        most = self.plan.max_faults
        self.out = tuple(seat for seat, count in enumerate(self._faults) if count >= most)
        return self.out

    def byes(self) -> list[Tell]:
        """The last line to each seat."""
        return [
            Tell(seat, Bye("disqualified" if seat in self.out else "the match is over"))
            for seat in range(len(self.asks))
        ]

    def _table_of(self, number: int) -> int:
        return number // self._session % self.tables


class _Board:
    """One deal in play: its state, what has happened, and how much of it each seat was told."""

    def __init__(
        self, sitting: Sitting, number: int, table: int, pools: Pools, totals: tuple[int, ...]
    ) -> None:
        plan = sitting.plan
        self.plan = plan
        self.asks = sitting.asks
        self.surrenders = any("surrender" in asks for asks in sitting.asks)
        self.ids = sitting.ids
        self.move_s = plan.limits.move_s
        self.number = number
        self.table = table
        self.state = play.start(plan.rules, plan.deals[number])
        self.pools = pools
        self.totals = totals
        self.events: list[AnyEvent] = [self._dealt(0)]
        self.told = [0] * plan.rules.players
        self.steps: list[Step] = []
        self.faults: list[Fault] = []

    def conduct(self) -> Generator[Command, Outcome, Game]:
        """Play the deal to its end and tell every seat what it was."""
        leads_asked = 0
        while (state := self.state).phase != "over":
            if self.surrenders and leads_asked <= state.completed and play.may_surrender(state):
                leads_asked = state.completed + 1
                declarer = state.declarer
                assert declarer is not None
                if "surrender" in self.asks[declarer]:
                    yield from self._ask_surrender(declarer)
                    continue
            seat = state.turn
            assert seat is not None
            request = (
                self._play_request(seat, next(self.ids[seat]), self.move_s)
                if state.phase == "play"
                else self._auction_request(seat)
            )
            outcome = yield Question(seat, request, request, self.move_s)
            heard = self._heard(seat, outcome)
            if heard is not True:
                yield from self._hear_out(seat, request, outcome, heard)
        result = self._result(settle(self.state, self.pools))
        for seat in range(self.plan.rules.players):
            yield Tell(seat, DealEnd(self.table, self.number, self._news(seat), result))
        return Game(
            self.number,
            self.state.deal,
            tuple(self.steps),
            tuple(self.faults),
            tuple(self.events),
            result,
        )

    # --- asking ---

    def _hear_out(
        self, seat: Seat, request: AnyRequest, outcome: Outcome, heard: Fault | bool
    ) -> Generator[Command, Outcome, None]:
        """Bring a turn to its end whose first answer moved nothing: a fault, or an offer."""
        line: ToBot = request
        left = request.clock_s
        refused = 0
        while heard is not True:
            left = _less(left, outcome)
            if isinstance(heard, Fault):
                again = self._refusal(request, heard, refused)
                if again is None:
                    if self.state.phase != "over":  # on_fault = "substitute"
                        self._do(seat, play.legal(self.state)[0])
                    return
                line, refused = again, refused + 1
            else:
                yield from self._answer_offer(seat)
                if self.state.phase == "over":
                    return
                request = line = self._play_request(seat, request.id, left)
                refused = 0
            outcome = yield Question(seat, line, request, left)
            heard = self._heard(seat, outcome)

    def _ask_surrender(self, declarer: Seat) -> Generator[Command, Outcome, None]:
        fields = self._request_fields(declarer)
        request = AskSurrender(*fields, view.hand(self.state, declarer))
        answer = yield from self._ask(declarer, request)
        if isinstance(answer, SurrenderReply) and answer.surrender:
            self.state = play.surrender(self.state)
            self.events.append(Surrendered(declarer))

    def _answer_offer(self, seat: Seat) -> Generator[Command, Outcome, None]:
        """A defender has offered: the declarer accepts or plays on; unasked, it plays on."""
        declarer = self.state.declarer
        assert declarer is not None
        accepted = False
        if "offer" in self.asks[declarer]:
            fields = self._request_fields(declarer)
            request = AskOffer(*fields, view.hand(self.state, declarer), seat)
            answer = yield from self._ask(declarer, request)
            if self.state.phase == "over":
                return
            accepted = isinstance(answer, OfferReply) and answer.accept
        self.state = play.offer(self.state, accepted)
        self.events.append(Offered(seat, accepted))

    def _ask(self, seat: Seat, request: AnyRequest) -> Generator[Command, Outcome, AnyReply | None]:
        """The seat's answer to a question that is no turn, or None after a fault."""
        line: ToBot = request
        left = request.clock_s
        refused = 0
        while True:
            outcome = yield Question(seat, line, request, left)
            heard = self._heard(seat, outcome)
            if isinstance(outcome, Said) and heard is False:
                return outcome.reply
            assert isinstance(heard, Fault)
            again = self._refusal(request, heard, refused)
            if again is None:
                return None
            line, refused, left = again, refused + 1, _less(left, outcome)

    def _heard(self, seat: Seat, outcome: Outcome) -> Fault | bool:
        """Carry out what came of a question: whether it moved anything, or a fault."""
        if type(outcome) is Said:
            self.steps.append((seat, outcome))
            try:
                return self._moved(seat, outcome.reply)
            except Illegal as error:
                return Fault(seat, "illegal", str(error))
        assert type(outcome) is Failed
        self.steps.append((seat, outcome))
        if outcome.kind == "internal":
            raise MatchVoid(outcome.detail)
        return Fault(seat, outcome.kind, outcome.detail)

    def _refusal(self, request: AnyRequest, fault: Fault, refused: int) -> Refused | None:
        """What sends an answer back to be corrected; None where that is over, and it is a fault."""
        corrections = self.plan.rules.conduct.corrections
        if refused < corrections and fault.kind in ("illegal", "malformed"):
            return Refused(request.id, fault.kind, fault.detail)
        self._fault(fault)
        return None

    # --- what happens ---

    def _moved(self, seat: Seat, reply: AnyReply) -> bool:
        """Carry an answer out; whether it moves anything by itself. Raises `Illegal`."""
        if type(reply) is PlayReply:
            if reply.card is not None:
                card = INDEX.get(reply.card)
                if card is None:
                    raise Illegal("there is no such card")
                self._lay(seat, card)
                return True
            if not play.may_offer(self.state):
                raise Illegal("an offer is not allowed here")
            return False
        if isinstance(reply, SurrenderReply | OfferReply):
            return False
        self._do(seat, _action(reply))
        return True

    def _lay(self, seat: Seat, card: Card) -> None:
        """Play a card and note it, and the trick where it is complete. Raises `Illegal`."""
        before = self.state
        self.state = after = play_card(before, card)
        self.events.append(_CARDS_PLAYED[seat][card])
        if after.completed != before.completed:
            self._trick_taken(before, after)

    def _do(self, seat: Seat, action: Action) -> None:
        """Carry an action out and note what everybody may see of it. Raises `Illegal`."""
        if isinstance(action, Play):
            self._lay(seat, action.card)
            return
        before = self.state
        self.state = after = play.apply(before, action)
        match action:
            case Say(bid):
                self.events.append(BidMade(seat, bid))
            case SayBlind(blind):
                self.events.append(BlindSaid(seat, blind))
            case Choose(choice):
                self.events.append(TalonChosen(seat, choice))
            case Discard():
                pass
        if after.contract != before.contract and after.contract is not None:
            self.events.append(ContractMade(after.declarer, after.contract, after.active[0]))

    def _trick_taken(self, before: State, after: State) -> None:
        turned = NAMES[after.deal.talon[before.completed]] if before.order[-1] is None else None
        if turned is not None:
            self.events.append(CardPlayed("talon", turned))
        winner: Seat | Literal["talon"] = "talon"
        gained = after.talon_points - before.talon_points
        for seat in after.active:
            if after.tricks[seat] != before.tricks[seat]:
                winner, gained = seat, after.points[seat] - before.points[seat]
        self.events.append(TrickTaken(after.completed, winner, gained))
        if after.order and after.order[0] is None:
            self.events.append(CardPlayed("talon", NAMES[after.trick[0]]))

    def _fault(self, fault: Fault) -> None:
        self.faults.append(fault)
        self.events.append(FaultSeen(fault.seat, fault.kind, FAULT_WORDS[fault.kind]))
        if self.plan.rules.conduct.on_fault == "forfeit":
            self.state = play.forfeit(self.state, fault.seat)

    # --- what a seat is sent ---

    def _dealt(self, seat: Seat) -> Dealt:
        deal = self.state.deal
        return Dealt(self.number, deal.dealer, self.state.active, seat, self.pools, self.totals)

    def _news(self, seat: Seat) -> tuple[AnyEvent, ...]:
        """What has happened since the seat's last line."""
        told, events = self.told[seat], self.events
        self.told[seat] = len(events)
        if told:
            return tuple(events[told:])
        return self._dealt(seat), *events[1:]

    def _request_fields(
        self, seat: Seat
    ) -> tuple[int, int, int, Seat, tuple[AnyEvent, ...], float | None]:
        """The fields that every request begins with; the id is a new one."""
        return next(self.ids[seat]), self.table, self.number, seat, self._news(seat), self.move_s

    def _auction_request(self, seat: Seat) -> AnyRequest:
        state = self.state
        fields = self._request_fields(seat)
        hand = view.hand(state, seat)
        match state.phase:
            case "blind":
                return AskBlind(*fields)
            case "bid":
                return AskBid(*fields, hand, legal_bids(state))
            case "talon":
                return AskTalon(*fields, hand, ("take", "give"))
            case "discard":
                return AskDiscard(*fields, hand, view.talon(state, seat))
        raise AssertionError(f"nobody is asked in phase {state.phase}")

    def _play_request(self, seat: Seat, number: int, left: float | None) -> AskPlay:
        state = self.state
        return AskPlay(
            number,
            self.table,
            self.number,
            seat,
            self._news(seat),
            left,
            view.hand(state, seat),
            tuple(map(_PLACED.__getitem__, zip(state.order, state.trick))),  # noqa: B905
            names(legal_cards(state)),
            play.may_offer(state),
        )

    def _result(self, settlement: Settlement) -> Result:
        state = self.state
        count = None if state.declarer is None or state.contract is None else sides(state)
        fault = self.faults[-1] if self.faults else None
        return Result(
            tuple(names(hand) for hand in state.deal.hands),
            tuple(NAMES[card] for card in state.deal.talon),
            names(state.discards),
            state.contract,
            state.declarer,
            Tally(
                count.declarer_points if count else None,
                count.defender_points if count else None,
                state.points,
                state.talon_points,
            ),
            Tally(
                count.declarer_tricks if count else None,
                count.defender_tricks if count else None,
                state.tricks,
                state.talon_tricks,
            ),
            settlement.level,
            settlement.payments,
            settlement.pools,
            None if fault is None else FaultShown(fault.seat, fault.kind),
        )


_CARDS_PLAYED = [[CardPlayed(seat, name) for name in NAMES] for seat in range(5)]
_PLACED = {
    (seat, card): Placed("talon" if seat is None else seat, name)
    for seat in (None, *range(5))
    for card, name in enumerate(NAMES)
}


def _less(left: float | None, outcome: Outcome) -> float | None:
    """What is left of a clock after an answer."""
    assert isinstance(outcome, Said | Failed)
    return None if left is None else max(0.0, left - outcome.us / 1e6)


def _action(reply: AnyReply) -> Action:
    """The action an answer stands for. Raises `Illegal` for words that name none."""
    match reply:
        case BidReply():
            if reply.bid not in RANK:
                raise Illegal("there is no such bid")
            return Say(reply.bid)
        case DiscardReply(cards=cards):
            if not all(card in INDEX for card in cards):
                raise Illegal("there is no such card")
            return Discard(mask(INDEX[card] for card in cards))
        case BlindReply(blind=blind):
            return SayBlind(blind)
        case TalonReply(choice="take" | "give" as choice):
            return Choose(choice)
    raise Illegal("there is no such choice")
