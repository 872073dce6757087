"""A match without processes: functions answer in place of bots, and every line is kept."""

from collections.abc import Callable, Sequence

import msgspec

from arena.league.schedule import league_deals, seat_seeds
from arena.match.commands import (
    Failed,
    Finished,
    Game,
    MatchPlan,
    Outcome,
    Question,
    Said,
    Start,
    Tell,
)
from arena.match.referee import conduct
from arena.match.wire import AnyReply, AnyRequest, Limits, Ready, ToBot
from arena.zole.deal import Deal, Seat
from arena.zole.rules import Rules, preset

Answer = Callable[[Seat, AnyRequest], AnyReply | Failed]

ASKS_ALL = Ready(1, asks=("surrender", "offer"))


class Driven(msgspec.Struct):
    """What came of a match. `exchange` is, in order, what was written to a seat or came of it."""

    games: list[Game]
    exchange: list[tuple[Seat, ToBot | Ready | AnyReply | Failed]]
    disqualified: tuple[Seat, ...] = ()

    def lines_to(self, seat: Seat) -> list[ToBot]:
        """What the arena wrote to a seat."""
        return [line for to, line in self.exchange if to == seat and isinstance(line, ToBot)]


def plan_of(
    rules: Rules | None = None, deals: Sequence[Deal] | int = 1, max_faults: int = 50
) -> MatchPlan:
    """A match of some deals, or of so many from a practice seed."""
    rules = rules or preset()
    if isinstance(deals, int):
        names = tuple("abcde"[: rules.players])
        deals = league_deals(rules, "7", names, 0, deals)
    seeds = seat_seeds(rules, "7", list(deals))
    return MatchPlan(rules, Limits(60.0, 10.0, 65536), max_faults, deals, seeds)


def drive(
    plan: MatchPlan, answer: Answer, ready: Ready | Failed | tuple[Ready | Failed, ...] = ASKS_ALL
) -> Driven:
    """Conduct a match; seats greet alike, or each in its way. Raises what the referee raises."""
    driven = Driven([], [])
    procedure = conduct(plan)
    outcome: Outcome = None
    try:
        while True:
            command = procedure.send(outcome)
            outcome = None
            match command:
                case Start(hellos):
                    greeted = ready if isinstance(ready, tuple) else (ready,) * len(hellos)
                    for seat, hello in enumerate(hellos):
                        driven.exchange += [(seat, hello), (seat, greeted[seat])]
                    outcome = greeted
                case Question(seat, line, request, _):
                    said = answer(seat, request)
                    driven.exchange += [(seat, line), (seat, said)]
                    outcome = said if isinstance(said, Failed) else Said(said, 1000)
                case Tell(seat, line):
                    driven.exchange.append((seat, line))
                case Finished(game):
                    driven.games.append(game)
    except StopIteration as stop:
        driven.disqualified = stop.value
        return driven
