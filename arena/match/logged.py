"""A match replayed: the match itself, with answers from its log."""

from collections.abc import Iterator

import msgspec

from arena.base.words import deal_name
from arena.match.commands import (
    Failed,
    MatchPlan,
    MatchVoid,
    Outcome,
    PlayedDeal,
    Question,
    Said,
)
from arena.match.log import LoggedDeal, LogMismatch, answer_from, read_log
from arena.match.match import Match, play_through
from arena.match.record import MatchRecord, Results
from arena.match.wire import Ready, ToBot
from arena.zole.deal import Seat, deal_text

Answered = Ready | Said | Failed | None
"""The answer to a line, a failure, or None if the line asked nothing."""


class LoggedMatch:
    """A match and its log: `match` is driven deal by deal, in logged order.

    `greeted` are the seats' answers to `hello`. The log's deals must be those of the plan.
    """

    def __init__(self, plan: MatchPlan, log: bytes) -> None:
        """Raises `LogMismatch` if the log cannot be read or lacks a seat's ready message."""
        start, self._lines = read_log(log)
        said = start.ready | {
            seat: Failed(each.kind, each.detail) for seat, each in start.failed.items()
        }
        if said.keys() != set(range(plan.rules.players)):
            raise LogMismatch("the log does not say how each seat started")
        self.match: Match = Match(plan, in_order=True)
        self.greeted: tuple[Ready | Failed, ...] = tuple(said[seat] for seat in sorted(said))
        self._line: LoggedDeal | None = None
        self._step = 0

    def replay(self, stored: Results | None = None) -> Iterator[PlayedDeal]:
        """Yield the deals of the match; at the end compare its results with those stored, if given.

        Raises `LogMismatch` at the first place where the log cannot be what happened.
        """
        try:
            for command in play_through(self.match, self.greeted, self.answer):
                if isinstance(command, PlayedDeal):
                    self.finish()
                    yield command
        except MatchVoid as void:  # such a match is never stored
            raise LogMismatch(f"the arena itself failed: {void}") from None
        if next(self._lines, None) is not None:
            raise LogMismatch("the match was over, but the log continues")
        if stored is not None:
            _compare(self.match.results(), stored)

    def answer(self, question: Question) -> Outcome:
        """The outcome of a question according to the log. Raises `LogMismatch`."""
        request = question.request
        if self._line is None:
            self._line = self._next_line(request.deal)
        line, number = self._line, self._step
        if number >= len(line.steps):
            raise self._wrong(f"the log ends, but seat {question.seat} was due")
        who, text, us = line.steps[number]
        if who != question.seat:
            raise self._wrong(f"seat {who} answered, but seat {question.seat} was due")
        failed, withheld = line.failed.get(number), line.withheld.get(number, 0)
        stderr = line.stderr.get(number, "")
        if text is None and failed is not None:
            self._step += 1
            return Failed(failed.kind, failed.detail, us, withheld, stderr)
        if text is None or failed is not None:
            raise self._wrong("there must be an answer or a failure, not both")
        self._step += 1
        reply = answer_from(text, request, line.notes.get(number))
        return Said(reply, us, line.sent.get(number, "").encode(), withheld, stderr)

    def finish(self) -> None:
        """End a deal. Raises `LogMismatch` if its line has more."""
        line = self._line
        assert line is not None, "every deal begins with a question"
        if self._step < len(line.steps):
            raise self._wrong("the deal was over, but the log continues")
        told = (*line.notes, *line.failed, *line.sent, *line.withheld, *line.stderr)
        if not all(0 <= step < len(line.steps) for step in told):
            what = "a note, failure, line or wait belongs to no step"
            raise LogMismatch(f"{deal_name(line.deal)}: {what}")
        self._line, self._step = None, 0

    def _next_line(self, number: int) -> LoggedDeal:
        """The line of a deal that begins. Raises `LogMismatch` if the log has another one next."""
        deals = self.match.plan.deals
        line = next(self._lines, None)
        if line is None:
            raise LogMismatch(f"{number} of {len(deals)} deals were played")
        if line.deal != number:
            raise LogMismatch(f"found {deal_name(line.deal)} instead of {deal_name(number)}")
        if line.cards != deal_text(deals[number]):
            raise LogMismatch(f"{deal_name(number)}: not the deal that the seed gives")
        return line

    def _wrong(self, message: str) -> LogMismatch:
        assert self._line is not None
        return LogMismatch(f"{deal_name(self._line.deal)}, step {self._step + 1}: {message}")


class Replayed(msgspec.Struct, frozen=True):
    """A whole match replayed from its log.

    `match` is the referee's, `greeted` what each seat answered to `hello`, and `deals` are what
    was played, in order.
    """

    match: Match
    greeted: tuple[Ready | Failed, ...]
    deals: tuple[PlayedDeal, ...]

    def transcript(self, seat: Seat) -> Iterator[tuple[ToBot, Answered]]:
        """Every line to a seat, and its answer."""
        yield self.match.hellos[seat], self.greeted[seat]
        for deal in self.deals:
            for step in deal.asked:
                if step.seat == seat:
                    yield step.question.line, step.outcome
            yield deal.ends[seat], None
        yield self.match.bye(seat), None


def play_again(plan: MatchPlan, log: bytes, stored: Results | None = None) -> Replayed:
    """Replay a whole match; compare it with its results, if given. Raises `LogMismatch`."""
    logged = LoggedMatch(plan, log)
    return Replayed(logged.match, logged.greeted, tuple(logged.replay(stored)))


def verify(plan: MatchPlan, record: MatchRecord) -> None:
    """Replay a stored match and compare what was stored. Raises `LogMismatch` with the place."""
    for _ in LoggedMatch(plan, record.log).replay(record.results):
        pass


def _compare(found: Results, stored: Results) -> None:
    for field, verb in (("courses", "went as"), ("payments", "paid")):
        deals = zip(getattr(found, field), getattr(stored, field), strict=False)
        for deal, (played, kept) in enumerate(deals):
            if played != kept:
                raise LogMismatch(f"{deal_name(deal)}: {verb} {played}, stored {kept}")
    for field in Results.__struct_fields__:
        if getattr(found, field) != getattr(stored, field):
            raise LogMismatch(f"the {_WORDS.get(field, field)} stored are not those of the log")


_WORDS = {"payments": "results", "disqualified": "disqualified seats"}
"""Words for fields of `Results` whose names a user would not understand."""
