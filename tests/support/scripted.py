"""A match without processes: functions answer in place of bots, and every line is kept."""

import gzip
from collections.abc import Callable, Sequence

import msgspec

from arena.league.schedule import league_deals, seat_seeds
from arena.match.commands import (
    Failed,
    MatchPlan,
    Outcome,
    PlayedDeal,
    Question,
    Said,
    Tell,
)
from arena.match.match import Match, play_through
from arena.match.record import Course, MatchRecord, Results
from arena.match.wire import AnyReply, AnyRequest, Limits, Ready, Reply, ToBot, encode
from arena.zole.deal import Deal, Seat
from arena.zole.rules import Rules, preset

Answer = Callable[[Seat, AnyRequest], AnyReply | Failed]

ASKS_ALL = Ready(1, asks=("surrender", "offer"))


class Driven(msgspec.Struct):
    """What came of a match. `exchange` is, in order, what was written to a seat or came of it."""

    games: list[PlayedDeal]
    exchange: list[tuple[Seat, ToBot | Ready | AnyReply | Failed]]
    disqualified: tuple[Seat, ...] = ()

    def lines_to(self, seat: Seat) -> list[ToBot]:
        """What the arena wrote to a seat."""
        return [line for to, line in self.exchange if to == seat and isinstance(line, ToBot)]


def exchanged(driven: Driven) -> tuple[list[bytes], dict[int, AnyReply]]:
    """The lines to seat 0, and its replies by the number of the line before each."""
    lines, replies = list[bytes](), dict[int, AnyReply]()
    for line in (line for seat, line in driven.exchange if seat == 0):
        if isinstance(line, ToBot):
            lines.append(encode(line))
        elif isinstance(line, Reply):
            replies[len(lines)] = line
    return lines, replies


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
    """Play a match in order; seats greet alike, or each in its way. Raises as a match does."""
    playing = Match(plan, in_order=True)
    readies = ready if isinstance(ready, tuple) else (ready,) * plan.rules.players
    driven = Driven([], [])
    for seat, hello in enumerate(playing.hellos):
        driven.exchange += [(seat, hello), (seat, readies[seat])]

    def answered(question: Question) -> Outcome:
        said = answer(question.seat, question.request)
        driven.exchange += [(question.seat, question.line), (question.seat, said)]
        return said if isinstance(said, Failed) else Said(said, 1000)

    for command in play_through(playing, readies, answered):
        match command:
            case Tell(seat, line):
                driven.exchange.append((seat, line))
            case PlayedDeal():
                driven.games.append(command)
    driven.disqualified = playing.disqualified
    return driven


def made_up(
    payments: Sequence[tuple[int, ...]],
    courses: Sequence[Course] = (),
    disqualified: tuple[Seat, ...] = (),
    decisions: int = 0,
    held_s: tuple[float, ...] = (),
) -> MatchRecord:
    """A record of stakes that nobody has played for, with no deal in its log."""
    results = Results(
        payments=tuple(payments),
        courses=tuple(courses) or (Course(0, None, None),) * len(payments),
        faults=(),
        disqualified=disqualified,
        decisions=decisions,
    )
    stderr = ("",) * len(payments[0])
    log = gzip.compress(b'{"ready":{}}', mtime=0)
    return MatchRecord(results=results, log=log, stderr=stderr, isolation="none", held_s=held_s)
