"""N tables at which deals are played a step at a time for all, on NumPy arrays.

Every table asks one seat until its deal is over, and then waits for a new deal.
The deals, the questions, the legal actions, the observations and the payments are those of
`arena.training.actions`, `observation` and `arena.zole`. Each deal is its own episode, with
no tokens on the table before it.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from arena.training.actions import ACTIONS
from arena.training.arrays import CONTRACT, NOBODY, Arrays, Indices, SmallInts
from arena.training.moves import Moves
from arena.training.observation import BIDS, CARDS, QUESTIONS
from arena.training.payments import Payments, StakesArray
from arena.training.planes import Bools, Legal, observed, unseen_cards
from arena.zole.cards import members
from arena.zole.deal import Deal, active_seats, hand_text
from arena.zole.rules import Rules
from arena.zole.state import Illegal


class Tables:
    """N tables by some rules, dealt again by `redeal`.

    The deals come from the seed, or from the generator given instead. `surrenders` is
    whether seats may give a deal up (`arena.training.actions`), `history` whether observations
    have the order of earlier tricks (`observation.HISTORY`).
    """

    def __init__(
        self,
        rules: Rules,
        count: int,
        seed: int | np.random.Generator,
        surrenders: bool = False,
        history: bool = False,
    ) -> None:
        self.rules = rules
        self._surrenders = surrenders
        self._history = history
        self._random = np.random.default_rng(seed)
        self._payments = Payments(rules)
        self._legal = Legal(rules)
        self._mask: Bools | None = None
        self._state = Arrays(count)
        self._moves = Moves(rules, self._state, surrenders)
        every = np.arange(count)
        self._shuffle(every, (every % rules.players).astype(np.int8))

    @property
    def count(self) -> int:
        """The number of tables."""
        return self._state.count

    @property
    def over(self) -> Bools:
        """Whether each table's deal is over."""
        return np.asarray(self._state.question == NOBODY)

    @property
    def seats(self) -> SmallInts:
        """The seat that each table asks; -1 once the deal is over."""
        state = self._state
        return np.where(self.over, np.int8(-1), self._payments.seats[state.dealer, state.asked])

    @property
    def active(self) -> SmallInts:
        """The seats that play at each table: forehand, middlehand, rearhand."""
        return self._payments.seats[self._state.dealer]

    def observations(self, tables: ArrayLike | None = None) -> SmallInts:
        """The asked seats' observations by table, of some or all: `OBSERVATION_SIZE` numbers each.

        With a history, `HISTORY_SIZE` more. All zeros once the deal is over.
        """
        return observed(self._some(tables), self._history)

    def unseen(self, tables: ArrayLike | None = None) -> SmallInts:
        """All cards from the asked seats, of some tables or all: `UNSEEN_SIZE` numbers each.

        For critics: a player may not know them.
        """
        return unseen_cards(self._some(tables))

    def masks(self, tables: ArrayLike | None = None) -> Bools:
        """The legal actions of `position.ACTIONS` of the asked seats, at some tables or all."""
        if self._mask is None:
            self._mask = self._legal.of(self._state, self._surrenders)
            self._mask.flags.writeable = False
        return self._mask if tables is None else self._mask[np.asarray(tables, np.intp)]

    def step(self, actions: ArrayLike, tables: ArrayLike | None = None) -> Bools:
        """Take an action at each table, or at some; return of all tables which deals this ended.

        Nothing is done at a table whose deal is over already, whatever the action. Raises
        `Illegal`, and then nothing has changed anywhere.
        """
        taken = np.asarray(actions, np.intp)
        which = np.arange(self.count) if tables is None else np.asarray(tables, np.intp)
        before = self.over
        self._check(taken, which)
        self._mask = None
        question = self._state.question[which]
        for number in np.flatnonzero(np.bincount(question + 1, minlength=1)[1:]).tolist():
            rows = np.flatnonzero(question == number)
            self._moves.take(number, which[rows], taken[rows])
        return self.over & ~before

    def payments(self, tables: ArrayLike | None = None) -> StakesArray:
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

    def deal(self, deals: Sequence[Deal]) -> None:
        """Start again, with a deal given for each table."""
        if len(deals) != self.count:
            raise ValueError(f"there must be {self.count} deals, not {len(deals)}")
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

    def text(self, table: int) -> str:
        """A table with all cards, for people."""
        state = self._state
        seats = self._payments.seats[state.dealer[table]].tolist()
        lines = [f"seat_{state.dealer[table]} deals"]
        for place, seat in enumerate(seats):
            role = " declares" if place == state.declarer[table] else ""
            is_asked = place == state.asked[table] and not self.over[table]
            asked = f" is asked: {QUESTIONS[state.question[table]]}" if is_asked else ""
            lines.append(f"seat_{seat} {hand_text(int(state.hands[table, place]))}{role}{asked}")
        bids = zip(seats, state.bids[table].tolist(), strict=True)
        said = ", ".join(f"seat_{seat} {BIDS[bid]}" for seat, bid in bids if bid != NOBODY)
        contract = {number: name for name, number in CONTRACT.items()}.get(state.contract[table])
        lines.append(f"bids: {said or 'none'}; contract: {contract or 'none yet'}")
        trick = hand_text(int(state.trick[table])) or "no card"
        points = ", ".join(map(str, state.points[table, :3]))
        lines.append(f"trick {state.completed[table] + 1}: {trick}; points: {points}")
        return "\n".join(lines)

    def _some(self, tables: ArrayLike | None) -> Arrays:
        return self._state if tables is None else self._state.take(np.asarray(tables, np.intp))

    def _check(self, taken: Indices, which: Indices) -> None:
        if taken.shape != which.shape:
            raise ValueError(f"there must be {len(which)} actions, not {taken.shape}")
        outside = (taken < 0) | (taken >= len(ACTIONS))
        right = self.masks()[which, np.where(outside, 0, taken)] & ~outside
        right |= self._state.question[which] == NOBODY
        if not right.all():
            row = int(np.flatnonzero(~right)[0])
            raise Illegal(f"table {which[row]}: the action {taken[row]} is not allowed here")

    def _shuffle(self, tables: Indices, dealers: SmallInts) -> None:
        decks = np.tile(np.arange(CARDS, dtype=np.int8), (len(tables), 1))
        self._begin(tables, dealers, self._random.permuted(decks, axis=1))

    def _begin(self, tables: Indices, dealers: SmallInts, decks: SmallInts) -> None:
        self._mask = None
        self._state.deal(tables, dealers, decks)
        self._moves.ask_bid(tables)
