"""A match replayed: the match itself, with answers from its log."""

from collections.abc import Iterator, Sequence

import msgspec

from arena.base.words import deal_name
from arena.match.commands import (
    Command,
    Failed,
    Finished,
    MatchPlan,
    MatchVoid,
    Outcome,
    PlayedDeal,
    Question,
    Said,
    Tell,
)
from arena.match.log import (
    LoggedDeal,
    LoggedStart,
    Unfaithful,
    answer_from,
    logged_deal,
    read_log,
)
from arena.match.match import Match, play_through
from arena.match.record import MatchRecord, Results
from arena.match.wire import AnyReply, AnyRequest, Hello, Ready, ToBot
from arena.zole.deal import Seat
from arena.zole.state import State

Answered = Ready | AnyReply | Failed | None
"""The answer to a line, a failure, or None if the line asked nothing."""


class LoggedMatch:
    """A match and its log: `match` is driven deal by deal, in logged order.

    `greeted` says who was ready. The log's deals must be those of the plan.
    """

    def __init__(self, plan: MatchPlan, log: bytes) -> None:
        """Raises `Unfaithful` if the log cannot be read or its deals differ from the plan's."""
        start, lines = read_log(log)
        for line, deal in zip(lines, plan.deals, strict=False):
            if logged_deal(line) != deal:
                raise Unfaithful(f"{deal_name(line.deal)}: not the deal that the seed gives")
        if len(lines) > len(plan.deals):
            raise Unfaithful(f"the log has {len(lines)} deals of {len(plan.deals)}")
        self.plan = plan
        begun = msgspec.structs.replace(plan, deals=plan.deals[: len(lines)])
        self.match = Match(begun, in_order=True)
        self.greeted = _readies(start, plan.rules.players)
        self._answers = _Answers(lines)

    def commands(self) -> Iterator[tuple[Command, Outcome | None]]:
        """Every command of the match, each with its outcome from the log.

        Raises `Unfaithful` at the first place where the log cannot be what happened.
        """
        try:
            for command, outcome in play_through(self.match, self.greeted, self.answer):
                if isinstance(command, Finished):
                    self.finish(command.played)
                yield command, outcome
        except MatchVoid as void:  # such a match is never stored
            raise Unfaithful(f"the arena itself failed: {void}") from None
        self._answers.end()

    def answer(self, question: Question) -> Outcome:
        """The outcome of a question according to the log. Raises `Unfaithful`."""
        return self._answers.next(question.seat, question.request)

    def finish(self, played: PlayedDeal) -> None:
        """Compare the end of a deal with the log's. Raises `Unfaithful`."""
        self._answers.finish(played.number)


class Replayed(msgspec.Struct, frozen=True):
    """A whole match replayed from its log: every line, and the results.

    `commands` come with their outcomes; `states` are those of the deal in play after each
    question, in order.
    """

    plan: MatchPlan
    log: bytes
    hellos: tuple[Hello, ...]
    greeted: tuple[Ready | Failed, ...]
    commands: tuple[tuple[Command, Outcome | None], ...]
    states: tuple[State, ...]
    results: Results

    @property
    def deals(self) -> tuple[PlayedDeal, ...]:
        """The deals, in order."""
        return tuple(each.played for each, _ in self.commands if isinstance(each, Finished))

    def transcript(self, seat: Seat) -> Iterator[tuple[ToBot, Answered]]:
        """Every line to a seat, and its answer."""
        yield self.hellos[seat], self.greeted[seat]
        for command, outcome in self.commands:
            match command:
                case Question(who, line) if who == seat:
                    yield line, outcome.reply if isinstance(outcome, Said) else outcome
                case Tell(who, line) if who == seat:
                    yield line, None

    def sent(self, seat: Seat) -> dict[int, str]:
        """The lines, as sent, of a seat's answers that were not allowed, if they were kept.

        Its answers count from 1.
        """
        answers = (
            it for each, it in self.commands if isinstance(each, Question) and each.seat == seat
        )
        return {
            number: outcome.line.decode(errors="replace")
            for number, outcome in enumerate(answers, 1)
            if isinstance(outcome, Said) and outcome.line
        }

    def record(self, stderr: tuple[str, ...], isolation: str) -> MatchRecord:
        """The record that the log leads to."""
        return MatchRecord(results=self.results, log=self.log, stderr=stderr, isolation=isolation)


def play_again(
    plan: MatchPlan, log: bytes, payments: tuple[tuple[int, ...], ...] | None = None
) -> Replayed:
    """Replay a match from its log. Raises as `LoggedMatch` does.

    Given stored `payments`, also raises at the first deal with other payments.
    """
    logged = LoggedMatch(plan, log)
    commands: list[tuple[Command, Outcome | None]] = []
    states: list[State] = []
    table: int | None = None
    for command, outcome in logged.commands():
        match command:
            case Question(_, _, request):
                if table is not None:
                    states.append(logged.match.state(table))
                table = request.table
            case Finished(played):
                states.append(played.state)
                table = None
                if payments is not None:
                    _compare_payment(played, payments)
        commands.append((command, outcome))
    hellos, greeted = logged.match.hellos, logged.greeted
    return Replayed(plan, log, hellos, greeted, tuple(commands), tuple(states), _results(logged))


def replay(plan: MatchPlan, log: bytes) -> Iterator[PlayedDeal]:
    """The deals of a match, replayed from its log. Raises as `LoggedMatch` does."""
    for command, _ in LoggedMatch(plan, log).commands():
        if isinstance(command, Finished):
            yield command.played


def transcript(plan: MatchPlan, log: bytes, seat: Seat) -> Iterator[tuple[ToBot, Answered]]:
    """Every line to a seat, and its answer, from a match's log."""
    return play_again(plan, log).transcript(seat)


def verify(plan: MatchPlan, record: MatchRecord) -> None:
    """Replay a stored match and compare all that was stored. Raises `Unfaithful` with the place."""
    logged = LoggedMatch(plan, record.log)
    for command, _ in logged.commands():
        if isinstance(command, Finished):
            _compare_payment(command.played, record.results.payments)
    _compare(_results(logged), record.results)


def play_verified(plan: MatchPlan, record: MatchRecord) -> Replayed:
    """A stored match replayed and compared with all that was stored. Raises as `verify` does."""
    again = play_again(plan, record.log, record.results.payments)
    _compare(again.results, record.results)
    return again


def _results(logged: LoggedMatch) -> Results:
    """The results that a log leads to. Raises `Unfaithful` if it ends before the match."""
    results = logged.match.results()
    if not results.disqualified and len(results.payments) != len(logged.plan.deals):
        raise Unfaithful(f"{len(results.payments)} of {len(logged.plan.deals)} deals were played")
    return results


def _compare(found: Results, stored: Results) -> None:
    """Raises `Unfaithful` at the first difference."""
    for deal, (course, kept) in enumerate(zip(found.courses, stored.courses, strict=False)):
        if course != kept:
            raise Unfaithful(f"{deal_name(deal)}: went as {course}, stored {kept}")
    for field in Results.__struct_fields__:
        if getattr(found, field) != getattr(stored, field):
            raise Unfaithful(f"the {_WORDS.get(field, field)} stored are not those of the log")


def _compare_payment(played: PlayedDeal, payments: tuple[tuple[int, ...], ...]) -> None:
    """Raises `Unfaithful` if a deal's payments are not those stored."""
    number, paid = played.number, played.result.payments
    before = payments[number : number + 1]
    if before != (paid,):
        raise Unfaithful(f"{deal_name(number)}: paid {paid}, stored {before}")


_WORDS = {"payments": "results", "disqualified": "disqualified seats"}
"""Words for fields of `Results` whose names a user would not understand."""


def _readies(start: LoggedStart, seats: int) -> tuple[Ready | Failed, ...]:
    """The answer to `hello` or the failure of each seat. Raises `Unfaithful` if one is missing."""
    said: list[Ready | Failed] = []
    for seat in range(seats):
        if seat in start.ready:
            said.append(start.ready[seat])
        elif seat in start.failed:
            failed = start.failed[seat]
            said.append(Failed(failed.kind, failed.detail))
        else:
            raise Unfaithful(f"the log does not say how seat {seat} started")
    return tuple(said)


class _Answers:
    """Gives a log's answers in the order in which the referee asks."""

    def __init__(self, lines: Sequence[LoggedDeal]) -> None:
        self._lines = lines
        self._deal = 0
        self._step = 0

    def next(self, seat: Seat, request: AnyRequest) -> Outcome:
        line = self._lines[self._deal]
        place = self._place()
        if self._step >= len(line.steps):
            raise Unfaithful(f"{place}: the log ends, but seat {seat} was due")
        who, text, us = line.steps[self._step]
        if who != seat:
            raise Unfaithful(f"{place}: seat {who} answered, but seat {seat} was due")
        failed = line.failed.get(self._step)
        note, sent = line.notes.get(self._step), line.sent.get(self._step, "")
        withheld = line.withheld.get(self._step, 0)
        self._step += 1
        if failed is not None:
            if text is not None:
                raise Unfaithful(f"{place}: both an answer and a failure")
            return Failed(failed.kind, failed.detail, us, withheld)
        if text is None:
            raise Unfaithful(f"{place}: neither an answer nor a failure")
        return Said(answer_from(text, request, note), us, sent.encode(), withheld)

    def finish(self, number: int) -> None:
        """End a deal. Raises `Unfaithful` if its line says otherwise."""
        line = self._lines[self._deal]
        if line.deal != number:
            raise Unfaithful(f"found {deal_name(line.deal)} in place of {deal_name(number)}")
        if self._step < len(line.steps):
            raise Unfaithful(f"{self._place()}: the deal was over, but the log goes on")
        told = (*line.notes, *line.failed, *line.sent, *line.withheld)
        if not all(0 <= step < len(line.steps) for step in told):
            what = "a note, failure, line or wait belongs to no step"
            raise Unfaithful(f"{deal_name(line.deal)}: {what}")
        self._deal, self._step = self._deal + 1, 0

    def end(self) -> None:
        """End the match. Raises `Unfaithful` if the log has more deals."""
        if self._deal < len(self._lines):
            raise Unfaithful("the match was over, but the log goes on")

    def _place(self) -> str:
        return f"{deal_name(self._lines[self._deal].deal)}, step {self._step + 1}"
