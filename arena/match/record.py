"""The record of a match: its results and faults, and the proof that its log leads to them.

Replaying is the referee again, answered from the log.
"""

from collections.abc import Iterator

import msgspec

from arena.match.commands import (
    Command,
    Failed,
    Fault,
    Finished,
    MatchPlan,
    Outcome,
    Question,
    Said,
    Start,
    Tell,
)
from arena.match.commands import Game as PlayedGame
from arena.match.log import (
    LoggedDeal,
    LoggedStart,
    Unfaithful,
    answer_from,
    logged_deal,
    read_log,
)
from arena.match.referee import conduct
from arena.match.wire import AnyReply, AnyRequest, Ready, ToBot
from arena.zole.deal import Seat
from arena.zole.state import Game

Answered = Ready | AnyReply | Failed | None
"""What came of a line to a seat: an answer, a failure, or nothing because nothing was asked."""


class DealFault(msgspec.Struct, frozen=True):
    """A fault and the deal of the match in which it came."""

    deal: int
    fault: Fault


class Course(msgspec.Struct, frozen=True):
    """Who dealt a deal, what was played, and who declared it.

    There is no declarer at the table and where the cards were thrown in, and no contract where a
    fault ended the deal before there was one.
    """

    dealer: Seat
    contract: Game | None
    declarer: Seat | None


class MatchRecord(msgspec.Struct, frozen=True):
    """All that is kept of a match.

    `payments` are stakes by deal and seat; shorter than the plan's deals only where a seat was
    disqualified. `courses` are one for each of these deals. `stderr` is each seat's, head and tail;
    `isolation` the sandbox's level.
    """

    payments: tuple[tuple[int, ...], ...]
    courses: tuple[Course, ...]
    faults: tuple[DealFault, ...]
    disqualified: tuple[Seat, ...]
    decisions: int
    log: bytes
    stderr: tuple[str, ...]
    isolation: str


def course_of(game: PlayedGame) -> Course:
    """The course of a finished deal."""
    return Course(game.deal.dealer, game.result.contract, game.result.declarer)


def replay(plan: MatchPlan, log: bytes) -> Iterator[PlayedGame]:
    """The games of a match again, from its log. Raises `Unfaithful` as `commands` does."""
    for command, _ in commands(plan, log):
        if isinstance(command, Finished):
            yield command.game


def transcript(plan: MatchPlan, log: bytes, seat: Seat) -> Iterator[tuple[ToBot, Answered]]:
    """Every line a seat was written, and what came of it, from a match's log."""
    for command, outcome in commands(plan, log):
        match command:
            case Start(hellos):
                assert isinstance(outcome, tuple)
                said = outcome[seat]
                yield hellos[seat], said
            case Question(who, line) if who == seat:
                assert isinstance(outcome, Said | Failed)
                yield line, outcome.reply if isinstance(outcome, Said) else outcome
            case Tell(who, line) if who == seat:
                yield line, None


def commands(plan: MatchPlan, log: bytes) -> Iterator[tuple[Command, Outcome]]:
    """Every command of a match again, with what came of it by the log.

    The plan's own deals are compared with the log's. Raises `Unfaithful` at the first place where
    the log cannot be what happened.
    """
    start, lines = read_log(log)
    for line, deal in zip(lines, plan.deals, strict=False):
        if logged_deal(line) != deal:
            raise Unfaithful(f"deal {line.deal}: not the deal that the seed gives")
    if len(lines) > len(plan.deals):
        raise Unfaithful(f"the log has {len(lines)} deals of {len(plan.deals)}")
    answers = _Answers(start, lines)
    procedure = conduct(msgspec.structs.replace(plan, deals=plan.deals[: len(lines)]))
    outcome: Outcome = None
    while True:
        try:
            command = procedure.send(outcome)
        except StopIteration:
            answers.ended()
            return
        match command:
            case Start(hellos):
                outcome = answers.started(len(hellos))
            case Question(seat, _, request, _):
                outcome = answers.next(seat, request)
            case Finished(game):
                answers.finished(game.number)
                outcome = None
            case _:
                outcome = None
        yield command, outcome


class _Answers:
    """A log's answers, handed out in the order in which the referee asks."""

    def __init__(self, start: LoggedStart, lines: list[LoggedDeal]) -> None:
        self._start = start
        self._lines = lines
        self._deal = 0
        self._step = 0

    def started(self, seats: int) -> tuple[Ready | Failed, ...]:
        said: list[Ready | Failed] = []
        for seat in range(seats):
            if seat in self._start.ready:
                said.append(self._start.ready[seat])
            elif seat in self._start.failed:
                failed = self._start.failed[seat]
                said.append(Failed(failed.kind, failed.detail))
            else:
                raise Unfaithful(f"the log does not say how seat {seat} started")
        return tuple(said)

    def next(self, seat: Seat, request: AnyRequest) -> Said | Failed:
        line = self._lines[self._deal]
        place = self._place()
        if self._step >= len(line.steps):
            raise Unfaithful(f"{place}: the log ends, but seat {seat} was to be asked")
        who, text, us = line.steps[self._step]
        if who != seat:
            raise Unfaithful(f"{place}: seat {who} answered, but seat {seat} was to be asked")
        failed = line.failed.get(self._step)
        note = line.notes.get(self._step)
        self._step += 1
        if failed is not None:
            if text is not None:
                raise Unfaithful(f"{place}: both an answer and a failure")
            return Failed(failed.kind, failed.detail, us)
        if text is None:
            raise Unfaithful(f"{place}: neither an answer nor a failure")
        return Said(answer_from(text, request, note), us)

    def finished(self, number: int) -> None:
        line = self._lines[self._deal]
        if line.deal != number:
            raise Unfaithful(f"deal {line.deal} stands in the place of deal {number}")
        if self._step < len(line.steps):
            raise Unfaithful(f"{self._place()}: the deal was over, but the log goes on")
        if not all(0 <= step < len(line.steps) for step in (*line.notes, *line.failed)):
            raise Unfaithful(f"deal {line.deal}: a note or a failure of no step")
        self._deal, self._step = self._deal + 1, 0

    def ended(self) -> None:
        if self._deal < len(self._lines):
            raise Unfaithful("the match was over, but the log goes on")

    def _place(self) -> str:
        return f"deal {self._lines[self._deal].deal}, step {self._step + 1}"


class Replayed(msgspec.Struct, frozen=True):
    """What a log leads to, as a record holds it."""

    payments: tuple[tuple[int, ...], ...]
    courses: tuple[Course, ...]
    faults: tuple[DealFault, ...]
    disqualified: tuple[Seat, ...]
    decisions: int


def replayed(
    plan: MatchPlan, log: bytes, stored: tuple[tuple[int, ...], ...] | None = None
) -> Replayed:
    """Replay a log and add up. Raises `Unfaithful`, also at the first deal not paid as `stored`."""
    payments: list[tuple[int, ...]] = []
    courses: list[Course] = []
    faults: list[DealFault] = []
    counts = [0] * plan.rules.players
    decisions = 0
    for command, _ in commands(plan, log):
        decisions += isinstance(command, Question)
        if not isinstance(command, Finished):
            continue
        game = command.game
        paid = game.result.payments
        if stored is not None and stored[game.number : game.number + 1] != (paid,):
            before = stored[game.number : game.number + 1]
            raise Unfaithful(f"deal {game.number}: paid {paid}, stored {before}")
        payments.append(paid)
        courses.append(course_of(game))
        for fault in game.faults:
            faults.append(DealFault(game.number, fault))
            counts[fault.seat] += 1
    out = tuple(seat for seat, count in enumerate(counts) if count >= plan.max_faults)
    if not out and len(payments) != len(plan.deals):
        raise Unfaithful(f"{len(payments)} of {len(plan.deals)} deals were played")
    return Replayed(tuple(payments), tuple(courses), tuple(faults), out, decisions)


def verify(plan: MatchPlan, record: MatchRecord) -> None:
    """Replay a stored match and compare all that was stored. Raises `Unfaithful` with the place."""
    found = replayed(plan, record.log, record.payments)
    _same("results", found.payments, record.payments)
    for deal, (course, stored) in enumerate(zip(found.courses, record.courses, strict=False)):
        if course != stored:
            raise Unfaithful(f"deal {deal}: went as {course}, stored {stored}")
    _same("courses", found.courses, record.courses)
    _same("faults", found.faults, record.faults)
    _same("disqualified seats", found.disqualified, record.disqualified)
    _same("decisions", found.decisions, record.decisions)


def _same(what: str, replayed: object, stored: object) -> None:
    if replayed != stored:
        raise Unfaithful(f"the {what} stored are not those of the log")
