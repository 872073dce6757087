"""Messages between a match and its driver: the plan, the commands, and their outcomes.

Real processes, scripted seats in tests and a stored log all answer the same commands.
"""

from collections.abc import Mapping, Sequence
from typing import final

import msgspec

from arena.match.wire import (
    AnyEvent,
    AnyReply,
    AnyRequest,
    DealEnd,
    FaultKind,
    Limits,
    Result,
    ToBot,
)
from arena.zole.deal import Deal, Seat
from arena.zole.rules import Rules
from arena.zole.state import State


class MatchPlan(msgspec.Struct, frozen=True):
    """The plan of a match: deals to play in order, with the same bots in the same seats.

    `seeds` are the `hello.seed` of each seat. `session` is the number of deals after which pools
    and running totals start again, or None if the whole match is one session. Seats of `people`
    have their own limits. With `restart` a bot that ended gets a new process for the next deal.
    """

    rules: Rules
    limits: Limits
    max_faults: int
    deals: Sequence[Deal]
    seeds: tuple[int, ...]
    session: int | None = None
    people: Mapping[Seat, Limits] = {}
    restart: bool = False

    def limits_of(self, seat: Seat) -> Limits:
        """The limits of a seat, which are its own if a person sits there."""
        return self.people.get(seat, self.limits)


class Fault(msgspec.Struct, frozen=True):
    """Misbehaviour of the bot in a `seat`, by its `kind`.

    The `detail` is for its author and the organiser.
    """

    seat: Seat
    kind: FaultKind
    detail: str


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
"""The text of a fault that the other seats get: never a bot's own."""


class Question(msgspec.Struct, frozen=True, gc=False):
    """Write a line to a seat and wait for the answer to its open request.

    `clock_s` is how many seconds the seat has, None for no limit. Answered by `Said` or `Failed`.
    """

    seat: Seat
    line: ToBot
    request: AnyRequest
    clock_s: float | None


class Tell(msgspec.Struct, frozen=True, gc=False):
    """Write a line to a seat; expect no answer."""

    seat: Seat
    line: ToBot


@final
class Said(msgspec.Struct, frozen=True, gc=False):
    """A well-formed answer to the open request, the whole microseconds it took, and its line.

    `line` is empty if nobody kept it. `withheld_us` are further microseconds, during which the bot
    was ready to run but others used its core. `stderr` is what it wrote there meanwhile.
    """

    reply: AnyReply
    us: int
    line: bytes = b""
    withheld_us: int = 0
    stderr: str = ""


@final
class Failed(msgspec.Struct, frozen=True, gc=False):
    """No well-formed answer came: why, and the whole microseconds until that was known.

    `withheld_us` and `stderr` are as for `Said`.
    """

    kind: FaultKind
    detail: str
    us: int = 0
    withheld_us: int = 0
    stderr: str = ""


Outcome = Said | Failed
"""The outcome of a question."""


class DealStep(msgspec.Struct, frozen=True, gc=False):
    """The outcome of a question of a deal."""

    seat: Seat
    outcome: Outcome


class AskedStep(DealStep, frozen=True, gc=False):
    """A step with its question, and the state and the number of events before it.

    Only a match that is played in order keeps these: at many tables they would fill the cache.
    """

    question: Question
    state: State
    events: int


class PlayedDeal(msgspec.Struct, frozen=True):
    """A deal is over: its `steps` and what followed from them. Deals come in their order.

    `number` is its own in the match, from 0. `events` are all that happened, `faults` those of all
    seats. `state` is the last one, `ends` are the last lines, by seat. `sent` are the lines, as
    sent, of steps whose answers were not allowed.
    """

    number: int
    steps: tuple[DealStep, ...]
    faults: tuple[Fault, ...]
    events: tuple[AnyEvent, ...]
    ends: tuple[DealEnd, ...]
    state: State
    sent: dict[int, str] = {}

    @property
    def deal(self) -> Deal:
        """The cards as dealt."""
        return self.state.deal

    @property
    def result(self) -> Result:
        """The result, the same for every seat."""
        return self.ends[0].result

    @property
    def asked(self) -> tuple[AskedStep, ...]:
        """The steps with their questions, if the match was played in order."""
        return tuple(step for step in self.steps if isinstance(step, AskedStep))

    @property
    def states(self) -> tuple[State, ...]:
        """The states from the start, each before a step, to the end."""
        return (*(step.state for step in self.asked), self.state)


Command = Question | Tell | PlayedDeal


class MatchVoid(Exception):
    """The arena itself failed during the match: nobody is blamed, and it is played again."""


def untimed(plan: MatchPlan) -> MatchPlan:
    """The plan without time limits, for bots under a debugger."""
    limits = msgspec.structs.replace(plan.limits, move_s=None, start_s=None)
    return msgspec.structs.replace(plan, limits=limits)
