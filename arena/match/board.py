"""One deal in play: its state, its events so far, and how many of them each seat was sent.

The board carries out what the referee decides and writes the lines to the seats; the referee
decides whom to ask and how to judge the answer.
"""

from collections.abc import Iterator, Sequence
from typing import Literal

from arena.match.commands import FAULT_WORDS, DealStep, Fault, MatchPlan, PlayedDeal
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
    BidMade,
    BidReply,
    BlindReply,
    BlindSaid,
    CardPlayed,
    ContractMade,
    DealEnd,
    Dealt,
    DiscardReply,
    FaultSeen,
    FaultShown,
    Offered,
    OfferReply,
    Placed,
    PlayReply,
    Result,
    Surrendered,
    SurrenderReply,
    Tally,
    TalonChosen,
    TalonReply,
    TrickTaken,
)
from arena.zole import play, view
from arena.zole.auction import legal_bids
from arena.zole.cards import INDEX, NAMES, Card, mask, names, playable
from arena.zole.deal import Seat
from arena.zole.rules import RANK
from arena.zole.scoring import Pools, Settlement, settle, sides
from arena.zole.state import Action, Choose, Discard, Illegal, Play, Say, SayBlind, State
from arena.zole.tricks import play_card


class Board:
    """A deal of a match, from its first question to its result.

    `ids` number the requests of each seat over the whole match; `pools` and `totals` (stakes by
    seat) are those at the beginning of the deal.
    """

    def __init__(
        self,
        plan: MatchPlan,
        number: int,
        table: int,
        ids: Sequence[Iterator[int]],
        pools: Pools,
        totals: tuple[int, ...],
        keeps_questions: bool,
    ) -> None:
        self.plan = plan
        self.number = number
        self.table = table
        self.state: State = play.start(plan.rules, plan.deals[number])
        self.pools = pools
        self.totals = totals
        self.keeps_questions = keeps_questions
        self.steps: list[DealStep] = []
        self.faults: list[Fault] = []
        self.sent: dict[int, str] = {}
        self.events: list[AnyEvent] = [self._dealt(0)]
        self._told = [0] * plan.rules.players
        self._ids = ids
        self._move_s = [plan.limits_of(seat).move_s for seat in range(plan.rules.players)]

    # --- actions and faults ---

    def carry_out(self, seat: Seat, reply: AnyReply) -> bool:
        """Carry out an answer; return whether that alone moves the deal on. Raises `Illegal`."""
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
        self.act(seat, _action(reply))
        return True

    def surrender(self, declarer: Seat) -> None:
        """End the deal: the declarer gives up."""
        self.state = play.surrender(self.state)
        self.events.append(Surrendered(declarer))

    def offer(self, seat: Seat, accepted: bool) -> None:
        """Note that a defender offered its side's surrender, and the declarer's answer."""
        self.state = play.offer(self.state, accepted)
        self.events.append(Offered(seat, accepted))

    def blame(self, fault: Fault) -> None:
        """Note a fault; if faults forfeit the deal, it is over."""
        self.faults.append(fault)
        self.events.append(FaultSeen(fault.seat, fault.kind, FAULT_WORDS[fault.kind]))
        if self.plan.rules.conduct.on_fault == "forfeit":
            self.state = play.forfeit(self.state, fault.seat)

    def played(self) -> PlayedDeal:
        """The deal as played, once it is over."""
        result = self._result(settle(self.state, self.pools))
        return PlayedDeal(
            self.number,
            tuple(self.steps),
            tuple(self.faults),
            tuple(self.events),
            tuple(
                DealEnd(self.table, self.number, self._news(seat), result)
                for seat in range(len(self._told))
            ),
            self.state,
            self.sent,
        )

    def _lay(self, seat: Seat, card: Card) -> None:
        """Play a card; note it, and the trick if it is complete. Raises `Illegal`."""
        before = self.state
        self.state = after = play_card(before, card)
        self.events.append(_CARDS_PLAYED[seat][card])
        if after.completed != before.completed:
            self._trick_taken(before, after)

    def act(self, seat: Seat, action: Action) -> None:
        """Carry out an action and note what everybody may see of it. Raises `Illegal`."""
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

    # --- lines to the seats ---

    def auction_request(self, seat: Seat) -> AnyRequest:
        """The request to the seat to act before the play, under a new id."""
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

    def play_request(self, seat: Seat, again: tuple[int, float | None] | None = None) -> AskPlay:
        """The request to the seat to play, under a new id; or again, by its id and seconds left."""
        state = self.state
        number, left = again or (next(self._ids[seat]), self._move_s[seat])
        hand = legal = view.hand(state, seat)
        placed: tuple[Placed, ...] = ()
        if state.trick:  # the leader may play anything
            order = state.order
            placed = tuple([_PLACED[order[place]][card] for place, card in enumerate(state.trick)])
            legal = names(playable(state.hands[seat], state.trick))
        may_offer = play.may_offer(state)
        news = self._news(seat)
        return AskPlay(
            number, self.table, self.number, seat, news, left, hand, placed, legal, may_offer
        )

    def request_between(self, declarer: Seat, offers: Seat | None) -> AskSurrender | AskOffer:
        """The request whether the declarer gives up, or accepts the offer of a defender."""
        fields = *self._request_fields(declarer), view.hand(self.state, declarer)
        return AskSurrender(*fields) if offers is None else AskOffer(*fields, offers)

    def _request_fields(
        self, seat: Seat
    ) -> tuple[int, int, int, Seat, tuple[AnyEvent, ...], float | None]:
        """The fields that every request begins with, under a new id."""
        number, left = next(self._ids[seat]), self._move_s[seat]
        return number, self.table, self.number, seat, self._news(seat), left

    def _news(self, seat: Seat) -> tuple[AnyEvent, ...]:
        """The events since the seat's last line, marked as sent."""
        told, events = self._told[seat], self.events
        self._told[seat] = len(events)
        if told:
            return tuple(events[told:])
        return self._dealt(seat), *events[1:]

    def _dealt(self, seat: Seat) -> Dealt:
        deal = self.state.deal
        return Dealt(self.number, deal.dealer, self.state.active, seat, self.pools, self.totals)

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
    seat: [Placed("talon" if seat is None else seat, name) for name in NAMES]
    for seat in (None, *range(5))
}


def _action(reply: AnyReply) -> Action:
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
