"""A seat's decisions in one deal: the part of a match that is reviewed and kept as one piece."""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

import msgspec

from arena.match.commands import PlayedDeal
from arena.review.decisions import Decision, decisions
from arena.review.solver import wasm
from arena.review.values import OpenHands
from arena.review.verdict import Verdict, verdict
from arena.zole.deal import Seat
from arena.zole.state import State

METHOD: Final = 3
"""The number of the method: to be raised by any change to the review of the same deal."""


class Turns(msgspec.Struct, frozen=True):
    """A seat's decisions in a deal of a match, in order.

    `begun` is the deal when its contract had just been reached; None if it never was.
    """

    deal: int
    seat: Seat
    decisions: tuple[Decision, ...]
    begun: State | None


class Findings(msgspec.Struct, frozen=True):
    """A review's findings on a seat's turns: a verdict on each decision, in order.

    `par` is the worth of the contract reached to the seat, in stakes, if all had played on with
    open hands from there; None in a table game, where no value is everybody's.
    """

    verdicts: tuple[Verdict, ...]
    par: int | None


def turns(deals: Iterable[PlayedDeal]) -> Iterator[tuple[Turns, ...]]:
    """Each deal's turns by seat.

    Seats that decided nothing are left out, and so are deals in which nobody did.
    """
    for deal, group in groupby(decisions(deals), key=lambda each: each.deal):
        found = tuple(group)
        begun = next((state for state in found[-1].past if _begins(state)), None)
        seats = sorted({each.seat for each in found})
        yield tuple(
            Turns(deal, seat, tuple(each for each in found if each.seat == seat), begun)
            for seat in seats
        )


def draw_name(bots: Sequence[str], first: int) -> str:
    """The key of a match's random worlds: its bots in any order, its first deal.

    It reveals nothing about the cards, and stays the same if the match is exported. In every
    seating of a deal, who knows the same is asked about the same worlds.
    """
    return "\n".join((*sorted(bots), str(first)))


def content_key(of: Turns, draw: str, worlds: int) -> bytes:
    """A hash of everything that the findings depend on: 32 bytes."""
    said = [
        (each.step, each.kind, each.answers, each.given, len(each.past)) for each in of.decisions
    ]
    past = of.decisions[-1].past
    content = (
        METHOD,
        wasm(),
        draw,
        worlds,
        of.deal,
        of.seat,
        of.decisions[0].pools,
        said,
        past,
        of.begun,
    )
    return hashlib.sha256(msgspec.msgpack.encode(content)).digest()


def review(solver: OpenHands, of: Turns, draw: str, worlds: int) -> Findings:
    """The findings of a seat's turns. `worlds` are the most that a decision is valued in."""
    verdicts = tuple(verdict(solver, each, draw, worlds) for each in of.decisions)
    par = None
    if of.begun is not None and of.begun.declarer is not None and of.seat in of.begun.active:
        par = solver.value(of.begun, of.seat, of.decisions[0].pools)
    return Findings(verdicts, par)


def _begins(state: State) -> bool:
    """Whether a contract has just been reached: nothing laid aside, no card laid."""
    if state.phase == "play":
        return not state.completed and not state.trick
    return state.phase == "discard"
