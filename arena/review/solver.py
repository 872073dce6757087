"""Values of deals with open hands, when everybody plays perfectly.

`solver.c` has the method. Here a state of the game becomes its question, and levels become stakes
by the league's own scoring. Giving up (the declarer's surrender, the defenders' offer) is no part
of it: deals are played to their end.

With a declarer the two defenders are one side, and the values are exact. A table game has three
sides: its values are what a seat is sure of, even if the two others do nothing but harm it. So
they are lower bounds of what it gets from others who look after themselves, and for three seats
they add up to zero at most.
"""

import atexit
import struct
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, Final, NamedTuple, cast

from arena.base.errors import MachineError, Mistake
from arena.base.installation import how_to_install
from arena.zole.cards import Card, Cards, members, points
from arena.zole.deal import Seat
from arena.zole.rules import Contract, Rules
from arena.zole.scoring import Pools, contract_payments, level_of
from arena.zole.state import State, turn_of

ALL_POINTS: Final = 120
NO_POOLS: Final = Pools()

_VALUE, _EACH_CARD, _EACH_DISCARD, _BEST_DISCARD = range(4)
_STAKES, _TABLE = 1, 4
_SETTLEMENTS = ("most_tricks_pays", "most_points_pays", "fewest_tricks_collects")
_NO_CARD = -1
_HEAD, _ROW = struct.Struct("<3i"), struct.Struct("<3i")
_MOST_ROWS = 45


class _Payments(NamedTuple):
    """The outcomes of a contract from the declarer's worst to its best.

    `paid` has the payments by seat of each. The others give the place of a deal's outcome: without
    a trick, with all tricks, and otherwise by the declarer's card points, 0 to 120.
    """

    paid: tuple[tuple[int, ...], ...]
    no_tricks: int
    all_tricks: int
    by_points: tuple[int, ...]


class Solver:
    """One solver with its own memory (1.2 MB); not for several threads at once.

    Positions known from the last question are used again: about the same deal, less is searched.
    """

    def __init__(self) -> None:
        """Load the solver. Raises `MachineError` without the extra `review`."""
        try:
            import wasmtime
        except ImportError:
            what = "a review needs wasmtime"
            raise MachineError(Mistake(what, "", how_to_install("review"))) from None
        self._store = wasmtime.Store()
        self._module = wasmtime.Module(self._store.engine, wasm())
        exports: Any = wasmtime.Instance(self._store, self._module, []).exports(self._store)
        self._memory, self._solve = exports["memory"], exports["solve"]
        self._question: int = exports["buffer"](self._store)
        self._answer: int = exports["answer"](self._store)

    def close(self) -> None:
        """Give the memory back. Left to the interpreter's end, wasmtime complains on stderr."""
        for part in (self._module, self._store, self._store.engine):
            part.close()

    def each(
        self, state: State, pools: Pools = NO_POOLS, among: Sequence[Cards] = ()
    ) -> tuple[tuple[Cards, int], ...]:
        """Cards to lay or discards, and the payments to the seat to act, in the order of `legal`.

        These are `among` some sets of one card or of two, or all.
        """
        seat = turn_of(state)
        task = _EACH_DISCARD if state.phase == "discard" else _EACH_CARD
        rows = sorted(self._ask(task, state, seat, pools, among), key=lambda row: members(row[0]))
        if state.declarer is None:
            return tuple((cards, outcome * state.rules.table.stake) for cards, outcome, _ in rows)
        paid = payments_of(state, pools).paid
        return tuple((cards, paid[outcome][seat]) for cards, outcome, _ in rows)

    def value(self, state: State, seat: Seat, pools: Pools = NO_POOLS) -> int:
        """The payment to a seat from a state in play, or before the declarer's discard."""
        if state.declarer is None and seat not in state.active:
            return 0
        task = _BEST_DISCARD if state.phase == "discard" else _VALUE
        ((_, outcome, _),) = self._ask(task, state, seat, pools)
        if state.declarer is None:
            return outcome * state.rules.table.stake
        return payments_of(state, pools).paid[outcome][seat]

    def _ask(
        self,
        task: int,
        state: State,
        seat: Seat,
        pools: Pools,
        among: Sequence[Cards] = (),
    ) -> list[tuple[Cards, int, int]]:
        """Sets of cards, their outcomes and points. In a table game the `seat`'s payment counts."""
        question = _question(task, state, seat, pools, among)
        self._memory.write(self._store, question, self._question)
        self._solve(self._store)
        end = self._answer + _HEAD.size + _MOST_ROWS * _ROW.size
        answer = bytes(self._memory.read(self._store, self._answer, end))
        _, _, rows = _HEAD.unpack_from(answer)
        body = answer[_HEAD.size : _HEAD.size + rows * _ROW.size]
        return list(_ROW.iter_unpack(body))


@cache
def solver_here() -> Solver:
    """The solver of this process, closed when it ends. Raises `MachineError`."""
    solver = Solver()
    atexit.register(solver.close)
    return solver


@cache
def wasm() -> bytes:
    """The solver's program."""
    return files(__package__).joinpath("solver.wasm").read_bytes()


@lru_cache(maxsize=256)
def payments(
    rules: Rules, active: tuple[Seat, ...], declarer: Seat, contract: Contract, pools: Pools
) -> _Payments:
    """All payments that a contract may lead to, by the league's own scoring."""

    def paid(card_points: int, tricks: int) -> tuple[int, ...]:
        level = level_of(rules, contract, card_points, tricks)
        return contract_payments(rules, active, declarer, contract, level, pools)[0]

    none, full = paid(0, 0), paid(ALL_POINTS, rules.play.tricks)
    # One trick stands for any number but none and all; if a deal has only one, that is also all.
    some = [paid(total, 1) for total in range(ALL_POINTS + 1)]
    order = sorted({none, full, *some}, key=lambda each: each[declarer])
    place = {each: number for number, each in enumerate(order)}
    return _Payments(tuple(order), place[none], place[full], tuple(place[each] for each in some))


def payments_of(state: State, pools: Pools) -> _Payments:
    """All payments that a seat's declared contract may lead to."""
    declarer, contract = cast(Seat, state.declarer), cast(Contract, state.contract)
    return payments(state.rules, state.active, declarer, contract, pools)


def _question(
    task: int,
    state: State,
    seat: Seat,
    pools: Pools,
    among: Sequence[Cards],
) -> bytes:
    """The question in the layout of `solver.c`."""
    if state.phase not in ("play", "discard"):
        raise ValueError(f"nothing is played in a state of the phase {state.phase}")
    active = state.active
    table = state.declarer is None
    hero = seat if state.declarer is None else state.declarer
    turn = active[0] if state.phase == "discard" else turn_of(state)
    taken = [state.points[each] for each in active]
    if not table:
        taken[active.index(hero)] += points(state.discards)
    trick = [*state.trick, _NO_CARD, _NO_CARD, _NO_CARD][:3]
    levels = (0,) * (ALL_POINTS + 3)
    if not table:
        found = payments_of(state, pools)
        levels = (found.no_tricks, found.all_tricks, *found.by_points)
    numbers = (
        task,
        _TABLE if table else _STAKES,
        active.index(hero),
        *(state.hands[each] for each in active),
        active.index(turn),
        state.rules.play.tricks - state.completed,
        len(state.trick),
        *trick,
        bool(state.order) and state.order[0] is None,
        *_talon_to_play(state),
        *(state.tricks[each] for each in active),
        *taken,
        _SETTLEMENTS.index(state.rules.table.settlement),
        0,  # no limit of positions to search
        0,  # all outcomes are distinguished
        *levels,
        len(among),
        *among,
    )
    return struct.pack(f"<{len(numbers)}i", *numbers)


def _talon_to_play(state: State) -> tuple[Card, Card]:
    """The talon's cards still to be laid to this trick and to the next. lzsf, Galds."""
    if state.contract != "table" or state.rules.table.talon == "unused":
        return _NO_CARD, _NO_CARD
    due = [*state.deal.talon[state.completed :], _NO_CARD, _NO_CARD]
    return (_NO_CARD if state.order[0] is None else due[0]), due[1]
