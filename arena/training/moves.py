"""The effects of actions on the arrays of N deals; `arena.zole` has the reasons for each."""

import numpy as np

from arena.training.actions import ACCEPT, BLIND, DISCARD, OFFER, PASS, PLAY, SURRENDER, TAKE
from arena.training.arrays import (
    BIT,
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
    SmallInts,
)
from arena.training.observation import BIDS, CARDS
from arena.zole.rules import RANK, Rules

_RANKS: SmallInts = np.array([RANK.index(bid) for bid in BIDS], np.int8)


class Moves:
    """The actions of some rules, on some arrays. Tables are named by their numbers, each once."""

    def __init__(self, rules: Rules, state: Arrays, surrenders: bool) -> None:
        self._rules = rules
        self._state = state
        self._surrenders = surrenders

    def ask_bid(self, tables: Indices) -> None:
        """Give place `turn` its turn in the auction, the blind question first if it is open."""
        state = self._state
        question = np.full(len(tables), QUESTION["bid"], np.int8)
        if "blind" in self._rules.auction.contracts:
            rank = _RANKS[state.highest[tables]]
            question[rank < RANK.index("blind")] = QUESTION["blind"]
        state.question[tables] = question
        state.asked[tables] = state.turn[tables]

    def take(self, question: int, tables: Indices, actions: Indices) -> None:
        """Take legal actions at tables that ask the same question."""
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

    def _bid(self, tables: Indices, bids: Indices) -> None:
        state = self._state
        turn = state.turn[tables]
        state.bids[tables, turn] = bids
        offers = bids != PASS
        state.highest[tables[offers]] = bids[offers]
        closed = turn == 2
        if self._rules.auction.mode == "first_offer":
            closed |= offers
        going_on = tables[~closed]
        state.turn[going_on] += 1
        self.ask_bid(going_on)
        self._close(tables[closed])

    def _close(self, tables: Indices) -> None:
        state = self._state
        bid = state.highest[tables]
        passed, ordinary = bid == PASS, bid == BIDS.index("ordinary")
        if self._rules.all_pass == "table":
            state.contract[tables[passed]] = CONTRACT["table"]
            self._lead(tables[passed])
        else:
            state.contract[tables[passed]] = CONTRACT["thrown_in"]
            state.question[tables[passed]] = NOBODY
        offered = tables[~passed]
        state.declarer[offered] = (state.highest[offered] == state.bids[offered].T).argmax(axis=0)
        others = ~passed & ~ordinary
        state.contract[tables[others]] = bid[others] - 1  # contracts are numbered like bids
        self._lead(tables[others])
        declared = tables[ordinary]
        state.turn[declared] = state.asked[declared] = state.declarer[declared]
        if self._rules.auction.talon_decision == "after_bid":
            state.question[declared] = QUESTION["talon"]
        else:
            self._take_talon(declared)

    def _take_talon(self, tables: Indices) -> None:
        state = self._state
        talon = BIT[state.talon[tables, 0]] | BIT[state.talon[tables, 1]]
        state.hands[tables, state.declarer[tables]] |= talon
        state.contract[tables] = CONTRACT["ordinary"]
        state.question[tables] = QUESTION["discard"]

    def _discard(self, tables: Indices, second: SmallInts) -> None:
        state = self._state
        cards = BIT[state.aside[tables]] | BIT[second]
        state.hands[tables, state.declarer[tables]] &= ~cards
        state.discards[tables] = cards
        state.aside_points[tables] += VALUE[second]
        state.aside[tables] = NO_CARD
        self._lead(tables)

    def _lead(self, tables: Indices) -> None:
        self._state.turn[tables] = 0
        self._ask_play(tables)

    def _ask_play(self, tables: Indices) -> None:
        """Give place `turn` its turn to play, after the declarer's question if that is due."""
        state = self._state
        state.question[tables] = QUESTION["play"]
        state.asked[tables] = state.turn[tables]
        if self._surrenders and self._rules.surrender.declarer == "before_lead_3":
            completed = state.completed[tables]
            due = (state.declarer[tables] >= 0) & (state.length[tables] == 0) & (completed <= 2)
            first = tables[due & (state.leads_asked[tables] <= completed)]
            state.question[first] = QUESTION["surrender"]
            state.asked[first] = state.declarer[first]

    def _answer_between(self, tables: Indices, actions: Indices) -> None:
        """Take answers to a question between turns: give up, accept, or play on."""
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

    def _play(self, tables: Indices, cards: SmallInts) -> None:
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

    def _join_trick(self, tables: Indices, who: SmallInts, cards: SmallInts) -> None:
        """Add cards to tricks; the seat of the strongest takes the trick so far."""
        state = self._state
        completed = state.completed[tables]
        state.in_trick[tables, completed] |= BIT[cards]
        first = state.length[tables] == 0
        leads = tables[first]
        if len(leads):
            state.led[leads] = cards[first]
            state.led_by[leads, completed[first]] = who[first]
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
        state = self._state
        if self._rules.table.talon == "first_two_tricks":
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
        over = state.completed[tables] == self._rules.play.tricks
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
        """Lay the talon's card, first or last, where it plays to the current trick."""
        state = self._state
        plays = (state.contract[tables] == CONTRACT["table"]) & (state.completed[tables] < 2)
        joins = tables[plays & ((state.leader[tables] == TALON) != last)]
        cards = state.talon[joins, state.completed[joins]]
        state.laid[joins, TALON] |= BIT[cards]
        self._join_trick(joins, np.full(len(joins), TALON, np.int8), cards)
