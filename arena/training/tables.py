"""N tables at which deals are played a step at a time for all, on NumPy arrays.

Every table asks one seat until its deal is over, and then waits to be dealt anew.
The deals, the questions, the legal actions, the observations and the payments are those of
`arena.training.position`, `observation` and `arena.zole`. Each deal is an episode of its own, with
no tokens on the table before it.
"""

from collections.abc import Sequence
from copy import copy

import numpy as np
from numpy.typing import ArrayLike

from arena.training.arrays import (
    BIT,
    CARDS,
    CONTRACT,
    NO_CARD,
    NOBODY,
    QUESTION,
    RISE,
    SUIT,
    TALON,
    VALUE,
    Arrays,
    Indices,
    Ints,
)
from arena.training.observation import BIDS
from arena.training.payments import Payments, Stakes
from arena.training.planes import Flags, Legal, observed
from arena.training.position import (
    ACCEPT,
    ACTIONS,
    BLIND,
    DISCARD,
    OFFER,
    PASS,
    PLAY,
    SURRENDER,
    TAKE,
)
from arena.zole.cards import members
from arena.zole.deal import Deal, active_seats
from arena.zole.rules import RANK, Rules
from arena.zole.state import Illegal

_RANKS: Ints = np.array([RANK.index(bid) for bid in BIDS], np.int8)


class Tables:
    """N tables by some rules, dealt anew by `redeal`.

    The deals come from the seed, or from the generator given in its place. `surrenders` says
    whether seats may give a deal up (`arena.training.position`).
    """

    def __init__(
        self, rules: Rules, count: int, seed: int | np.random.Generator, surrenders: bool = False
    ) -> None:
        self.rules = rules
        self._surrenders = surrenders
        self._random = np.random.default_rng(seed)
        self._payments = Payments(rules)
        self._legal = Legal(rules)
        self._mask: Flags | None = None
        self._state = Arrays(count)
        every = np.arange(count)
        self._shuffle(every, (every % rules.players).astype(np.int8))

    @property
    def count(self) -> int:
        """How many tables there are."""
        return self._state.count

    @property
    def over(self) -> Flags:
        """Whether each table's deal is over."""
        return np.asarray(self._state.question == NOBODY)

    @property
    def seats(self) -> Ints:
        """The seat that each table asks; -1 where the deal is over."""
        state = self._state
        return np.where(self.over, np.int8(-1), self._payments.seats[state.dealer, state.asked])

    def observations(self, tables: ArrayLike | None = None) -> Ints:
        """What the asked seats know: `observation.SIZE` numbers by table, of some tables or all.

        All zeros where the deal is over.
        """
        if tables is None:
            return observed(self._state)
        return observed(self._state.take(np.asarray(tables, np.intp)))

    def masks(self, tables: ArrayLike | None = None) -> Flags:
        """Which of `position.ACTIONS` the asked seats may take, at some tables or all."""
        if self._mask is None:
            self._mask = self._legal.of(self._state, self._surrenders)
            self._mask.flags.writeable = False
        return self._mask if tables is None else self._mask[np.asarray(tables, np.intp)]

    def step(self, actions: ArrayLike) -> Flags:
        """Take an action at each table; which deals this ended.

        Where a deal is over already, nothing is done, whatever the action. Raises `Illegal`, and
        then nothing has changed anywhere.
        """
        taken = np.asarray(actions, np.intp)
        before = self.over
        self._check(taken, before)
        self._mask = None
        question = self._state.question.copy()
        for number in np.flatnonzero(np.bincount(question + 1, minlength=1)[1:]).tolist():
            tables = np.flatnonzero(question == number)
            self._take(number, tables, taken[tables])
        return self.over & ~before

    def payments(self, tables: ArrayLike | None = None) -> Stakes:
        """The payments in stakes by table and seat, of some tables or all; zero before the end."""
        which = np.arange(self.count) if tables is None else np.asarray(tables, np.intp)
        paid = np.zeros((len(which), self.rules.players), np.int16)
        over = np.flatnonzero(self._state.question[which] == NOBODY)
        if len(over):
            paid[over] = self._payments.of(self._state, which[over])
        return paid

    def redeal(self) -> None:
        """Begin a new deal wherever one is over, by the next dealer."""
        over = np.flatnonzero(self._state.question == NOBODY)
        if len(over):
            self._shuffle(over, (self._state.dealer[over] + 1) % np.int8(self.rules.players))

    def take(self, tables: ArrayLike) -> "Tables":
        """Some of the tables as they are, in this order, any of them more than once.

        They go on apart from these, and their next deals are others.
        """
        taken = copy(self)
        taken._random = self._random.spawn(1)[0]
        taken._state = self._state.take(np.asarray(tables, np.intp))
        taken._mask = None
        return taken

    def deals(self, tables: ArrayLike | None = None) -> tuple[Deal, ...]:
        """The deals being played, of some tables by their numbers, or of all."""
        state, players = self._state, self.rules.players
        which = np.arange(self.count) if tables is None else np.asarray(tables, np.intp)
        rows = (array[which].tolist() for array in (state.dealer, state.dealt, state.talon))
        found = []
        for dealer, dealt, talon in zip(*rows, strict=True):
            hands = dict(zip(active_seats(players, dealer), dealt, strict=True))
            cards = tuple(hands.get(seat, 0) for seat in range(players))
            found.append(Deal(dealer, cards, (talon[0], talon[1])))
        return tuple(found)

    def deal(self, deals: Sequence[Deal]) -> None:
        """Begin anew, with a deal given for each table."""
        dealers = np.array([each.dealer for each in deals], np.int8)
        decks = np.array(
            [
                [
                    card
                    for seat in active_seats(self.rules.players, each.dealer)
                    for card in members(each.hands[seat])
                ]
                + list(each.talon)
                for each in deals
            ],
            np.int8,
        )
        self._begin(np.arange(self.count), dealers, decks)

    def _check(self, taken: Indices, over: Flags) -> None:
        if taken.shape != (self.count,):
            raise ValueError(f"there must be {self.count} actions, not {taken.shape}")
        outside = (taken < 0) | (taken >= len(ACTIONS))
        right = self.masks()[np.arange(self.count), np.where(outside, 0, taken)] & ~outside
        right |= over
        if not right.all():
            table = int(np.flatnonzero(~right)[0])
            raise Illegal(f"table {table}: the action {taken[table]} is not allowed here")

    def _shuffle(self, tables: Indices, dealers: Ints) -> None:
        decks = np.tile(np.arange(CARDS, dtype=np.int8), (len(tables), 1))
        self._begin(tables, dealers, self._random.permuted(decks, axis=1))

    def _begin(self, tables: Indices, dealers: Ints, decks: Ints) -> None:
        self._mask = None
        self._state.deal(tables, dealers, decks)
        self._ask_bid(tables)

    def _take(self, question: int, tables: Indices, actions: Indices) -> None:
        """Take actions at tables that ask the same question."""
        state = self._state
        if question == QUESTION["play"]:
            offers = actions == OFFER
            if offers.any():
                asking = tables[offers]
                state.offered[asking, state.turn[asking]] = 1
                state.question[asking] = QUESTION["accept"]
                state.asked[asking] = state.declarer[asking]
                tables, actions = tables[~offers], actions[~offers]
            self._play(tables, (actions - PLAY).astype(np.int8))
        elif question == QUESTION["bid"]:
            self._bid(tables, actions)
        elif question == QUESTION["blind"]:
            blind = actions == BLIND
            state.question[tables[~blind]] = QUESTION["bid"]
            self._bid(tables[blind], actions[blind])
        elif question == QUESTION["talon"]:
            takes = actions == TAKE
            self._take_talon(tables[takes])
            state.contract[tables[~takes]] = CONTRACT["solo"]
            self._lead(tables[~takes])
        elif question == QUESTION["discard"]:
            state.aside[tables] = actions - DISCARD
            state.aside_points[tables] = VALUE[actions - DISCARD]
            state.question[tables] = QUESTION["second"]
        elif question == QUESTION["second"]:
            self._discard(tables, (actions - DISCARD).astype(np.int8))
        else:
            self._answer_between(tables, actions)

    def _ask_bid(self, tables: Indices) -> None:
        """The turn in the auction of the place `turn`, the blind question first if it is open."""
        state = self._state
        question = np.full(len(tables), QUESTION["bid"], np.int8)
        if "blind" in self.rules.auction.contracts:
            rank = _RANKS[state.highest[tables]]
            question[rank < RANK.index("blind")] = QUESTION["blind"]
        state.question[tables] = question
        state.asked[tables] = state.turn[tables]

    def _bid(self, tables: Indices, bids: Indices) -> None:
        state = self._state
        turn = state.turn[tables]
        state.bids[tables, turn] = bids
        offers = bids != PASS
        state.highest[tables[offers]] = bids[offers]
        closed = turn == 2
        if self.rules.auction.mode == "first_offer":
            closed |= offers
        going_on = tables[~closed]
        state.turn[going_on] += 1
        self._ask_bid(going_on)
        self._close(tables[closed])

    def _close(self, tables: Indices) -> None:
        """The auction is over: the contract of the bid that stands."""
        state = self._state
        bid = state.highest[tables]
        passed, ordinary = bid == PASS, bid == BIDS.index("ordinary")
        if self.rules.all_pass == "table":
            state.contract[tables[passed]] = CONTRACT["table"]
            self._lead(tables[passed])
        else:
            state.contract[tables[passed]] = CONTRACT["thrown_in"]
            state.question[tables[passed]] = NOBODY
        offered = tables[~passed]
        state.declarer[offered] = (state.highest[offered] == state.bids[offered].T).argmax(axis=0)
        others = ~passed & ~ordinary
        state.contract[tables[others]] = bid[others] - 1  # contracts are numbered as bids
        self._lead(tables[others])
        declared = tables[ordinary]
        state.turn[declared] = state.asked[declared] = state.declarer[declared]
        if self.rules.auction.talon_decision == "after_bid":
            state.question[declared] = QUESTION["talon"]
        else:
            self._take_talon(declared)

    def _take_talon(self, tables: Indices) -> None:
        state = self._state
        talon = BIT[state.talon[tables, 0]] | BIT[state.talon[tables, 1]]
        state.hands[tables, state.declarer[tables]] |= talon
        state.contract[tables] = CONTRACT["ordinary"]
        state.question[tables] = QUESTION["discard"]

    def _discard(self, tables: Indices, second: Ints) -> None:
        state = self._state
        cards = BIT[state.aside[tables]] | BIT[second]
        state.hands[tables, state.declarer[tables]] &= ~cards
        state.discards[tables] = cards
        state.aside_points[tables] += VALUE[second]
        state.aside[tables] = NO_CARD
        self._lead(tables)

    def _lead(self, tables: Indices) -> None:
        """Forehand leads to the first trick."""
        self._state.turn[tables] = 0
        self._ask_play(tables)

    def _ask_play(self, tables: Indices) -> None:
        """The turn to play of the place `turn`; the declarer's question before it if it is due."""
        state = self._state
        state.question[tables] = QUESTION["play"]
        state.asked[tables] = state.turn[tables]
        if self._surrenders and self.rules.surrender.declarer == "before_lead_3":
            completed = state.completed[tables]
            due = (state.declarer[tables] >= 0) & (state.length[tables] == 0) & (completed <= 2)
            first = tables[due & (state.leads_asked[tables] <= completed)]
            state.question[first] = QUESTION["surrender"]
            state.asked[first] = state.declarer[first]

    def _answer_between(self, tables: Indices, actions: Indices) -> None:
        """Answers to a question between turns: give up, accept, or play on."""
        state = self._state
        ends = (actions == SURRENDER) | (actions == ACCEPT)
        state.gave_up[tables] = (actions == SURRENDER) * np.int8(1) - (actions == ACCEPT)
        state.question[tables[ends]] = NOBODY
        goes_on = tables[~ends]
        surrender = state.question[goes_on] == QUESTION["surrender"]
        asked = goes_on[surrender]
        state.leads_asked[asked] = state.completed[asked] + 1
        state.question[goes_on] = QUESTION["play"]
        state.asked[goes_on] = state.turn[goes_on]

    def _play(self, tables: Indices, cards: Ints) -> None:
        """The places to play lay cards."""
        state = self._state
        turn = state.turn[tables]
        bit = BIT[cards]
        state.hands[tables, turn] ^= bit
        state.laid[tables, turn] |= bit
        suit = SUIT[state.led[tables]]
        fails = np.flatnonzero((suit & bit) == 0)
        state.voids[tables[fails], turn[fails]] |= suit[fails]
        self._join_trick(tables, turn, cards)
        full = state.length[tables] == 3 + (state.leader[tables] == TALON)
        going_on = tables[~full]
        state.turn[going_on] = (turn[~full] + 1) % 3
        state.asked[going_on] = state.turn[going_on]
        if full.any():
            self._end_trick(tables[full])

    def _join_trick(self, tables: Indices, who: Ints, cards: Ints) -> None:
        """Cards join tricks; whoever laid the strongest takes it so far."""
        state = self._state
        leads = tables[state.length[tables] == 0]
        if len(leads):
            state.led[leads] = cards[state.length[tables] == 0]
        led = state.led[tables]
        taking = state.taking[tables]
        rises = (taking == NO_CARD) | (RISE[led, cards] > RISE[led, taking % CARDS])
        higher = tables[rises]
        state.taking[higher] = cards[rises]
        state.taker[higher] = who[rises]
        state.trick[tables] |= BIT[cards]
        state.trick_points[tables] += VALUE[cards]
        state.length[tables] += 1

    def _end_trick(self, tables: Indices) -> None:
        """Full tricks are taken; their takers lead to the next."""
        state = self._state
        if self.rules.table.talon == "first_two_tricks":
            self._talon_joins(tables, last=True)
        taker = state.taker[tables]
        state.tricks[tables, taker] += 1
        state.points[tables, taker] += state.trick_points[tables]
        state.completed[tables] += 1
        for array, empty in (
            (state.length, 0),
            (state.led, NO_CARD),
            (state.trick, 0),
            (state.taking, NO_CARD),
            (state.taker, 0),
            (state.trick_points, 0),
        ):
            array[tables] = empty
        over = state.completed[tables] == self.rules.play.tricks
        state.question[tables[over]] = NOBODY
        leader = taker[~over]
        tables = tables[~over]
        after_talon = leader == TALON  # forehand follows the talon's lead, or leads after it
        state.turn[tables] = np.where(after_talon, np.int8(0), leader)
        state.leader[tables] = state.turn[tables]
        if after_talon.any():
            leads = tables[after_talon]
            state.leader[leads[state.completed[leads] < 2]] = TALON
            self._talon_joins(leads, last=False)
        self._ask_play(tables)

    def _talon_joins(self, tables: Indices, last: bool) -> None:
        """Where the talon plays to the current trick, it lays its card, first or last."""
        state = self._state
        plays = (state.contract[tables] == CONTRACT["table"]) & (state.completed[tables] < 2)
        joins = tables[plays & ((state.leader[tables] == TALON) != last)]
        cards = state.talon[joins, state.completed[joins]]
        state.laid[joins, TALON] |= BIT[cards]
        self._join_trick(joins, np.full(len(joins), TALON, np.int8), cards)
