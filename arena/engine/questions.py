"""The questions that a bot has not answered yet, and their deadlines; callers pass the time."""

from collections.abc import Callable
from typing import Final

import msgspec
import trio
from trio.lowlevel import notify_closing

from arena.match.commands import Failed, Question, Said
from arena.match.unreadable import quoted
from arena.match.wire import Malformed, Ready, decode, reply_to

Clock = Callable[[], float]
"""The time in seconds, by the clock of the loop that the whole match runs in."""

NEVER: Final = float("inf")

LONGEST: Final = 10
"""The most that a question may stay open, in multiples of its clock, however busy the core.

As long as bots share the core evenly, one that is ready has a quarter of it or more.
"""

_NOTED_S: Final = 0.02
"""Seconds of withheld time that are ignored: looks are no more exact, or the arena itself ran."""


class Open(msgspec.Struct, gc=False):
    """An unanswered question.

    `end` is where its line ends in the bot's input, None once the arena has seen it fully written.
    `began` is when the arena was about to write it, `late` when the bot's time is up; neither is
    known before the arena first looks for the answer. `withheld` is `OpenQuestions.withheld` at the
    time when the question was put.
    """

    key: int
    question: Question
    end: int | None
    began: float | None = None
    late: float = NEVER
    withheld: float = 0.0

    def charge(self, began: float, now: float, extra: float = 0.0) -> int:
        """The microseconds that an answer took, from the given `began` if found at the first look.

        An answer in time is charged its clock at most, however late the arena looks, and not the
        `extra` seconds that it was given.
        """
        spent = now - (began if self.began is None else self.began) - extra
        return charge(spent if spent > 0.0 else 0.0, self.question.clock_s)


class OpenQuestions:
    """The questions that one bot still has to answer."""

    def __init__(self) -> None:
        self.open: dict[int, Open] = {}
        """By number of the request, the oldest first."""
        self.withheld = 0.0
        """Seconds, since the start, in which the bot was asked and ready, but others ran."""
        self.overdue: set[int] = set()
        """Requests given up whose answers may still come."""
        self._new = False
        """Whether a deadline is still to be set."""
        self._sent = 0
        """Bytes of input written to the bot at the last look."""

    def put(self, key: int, question: Question, end: int, began: float | None = None) -> None:
        """Add a question whose line ends at `end` in the bot's input.

        `began` is when the arena was about to write it, if it has been written already.
        """
        number = question.request.id
        if self.overdue:
            self.overdue.discard(number)  # it is asked again, so its answer is wanted
        self.open[number] = Open(key, question, end, began, withheld=self.withheld)
        self._new = True

    def extra(self, clock_s: float | None, before: float) -> float:
        """The seconds given beyond a clock for the time withheld since `withheld` was `before`.

        They are bounded by the clock, since two bots together might withhold time from one.
        """
        most = NEVER if clock_s is None else clock_s * (LONGEST - 1)
        extra = min(self.withheld - before, most)
        return extra if extra > _NOTED_S else 0.0

    def extra_of(self, each: Open) -> float:
        """The seconds that an open question is given beyond its clock."""
        return self.extra(each.question.clock_s, each.withheld)

    def set_deadlines(self, sent: int, began: float, now: float) -> float:
        """Start the clocks of new questions still unanswered; return the first deadline.

        `sent` is the input written so far, in bytes, `began` when writing began, `now` the time of
        the look. While the bot reads on, a clock restarts until its question is fully written; a
        bot that stops reading runs out of time too.
        """
        due = NEVER
        if self._new:
            self._new = False
            reads, self._sent = sent > self._sent, sent
            for each in self.open.values():
                if each.end is not None:
                    clock_s = each.question.clock_s
                    if clock_s is not None and (reads or each.late == NEVER):
                        each.late = now + clock_s
                        due = min(due, each.late)
                    if each.began is None:
                        each.began = began
                    if each.end > sent:
                        self._new = True
                    else:
                        each.end = None
        return due

    def expire(self, now: float) -> list[tuple[int, Failed]]:
        """Give up the late questions, charging each its clock; return the failures with keys."""
        failed: list[tuple[int, Failed]] = []
        for number, each in list(self.open.items()):
            extra = self.extra_of(each)
            if each.late + extra <= now:
                del self.open[number]
                self.overdue.add(number)
                clock_s = each.question.clock_s or 0.0
                us, extra_us = int(clock_s * 1e6), int(extra * 1e6)
                failed.append(
                    (each.key, Failed("timeout", f"no answer within {clock_s:g} s", us, extra_us))
                )
        return failed

    def earliest(self) -> float:
        """The first deadline of an open question."""
        return min((each.late + self.extra_of(each) for each in self.open.values()), default=NEVER)

    def fail(self, failed: Failed, began: float, now: float) -> list[tuple[int, Failed]]:
        """Give up all open questions for one reason, charging each its own time."""
        lost = [
            (
                each.key,
                msgspec.structs.replace(
                    failed,
                    us=each.charge(began, now, extra := self.extra_of(each)),
                    withheld_us=int(extra * 1e6),
                ),
            )
            for each in self.open.values()
        ]
        self.open.clear()
        return lost


def charge(spent: float, clock_s: float | None) -> int:
    """The whole microseconds that an answer in time is charged for the seconds spent on it."""
    return int((spent if clock_s is None or spent < clock_s else clock_s) * 1e6)


def outcome_of(
    questions: OpenQuestions, line: bytes, began: float, now: float
) -> tuple[int, Said | Failed] | None:
    """Close the question that a line was meant for; return its key and outcome.

    None for a late answer to a question given up. A line that answers nothing fails the question
    with its id, else the oldest. Times are as for `Open.charge`.
    """
    waiting = questions.open
    try:
        said = decode(line)
        each = None if type(said) is Ready else waiting.get(said.id)
        if each is None:
            if type(said) is not Ready and said.id in questions.overdue:
                questions.overdue.discard(said.id)
                return None
            each = next(iter(waiting.values()))
        reply = reply_to(each.question.request, said)
    except Malformed as error:
        number = _meant(line, questions)
        questions.overdue.add(number)  # the line may have been stray, and the answer still follow
        each = waiting.pop(number)
        detail = f"{error}: {quoted(line)}"
        extra = questions.extra_of(each)
        us = each.charge(began, now, extra)
        return each.key, Failed("malformed", detail, us, int(extra * 1e6))
    del waiting[reply.id]
    if questions.withheld == each.withheld:  # nearly always
        return each.key, Said(reply, each.charge(began, now), line)
    extra = questions.extra_of(each)
    return each.key, Said(reply, each.charge(began, now, extra), line, int(extra * 1e6))


class _Numbered(msgspec.Struct):
    id: int


_numbered = msgspec.json.Decoder(_Numbered)


def _meant(line: bytes, questions: OpenQuestions) -> int:
    """The open request that a malformed line was meant for."""
    try:
        number = _numbered.decode(line).id
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return next(iter(questions.open))
    return number if number in questions.open else next(iter(questions.open))


class Alarm:
    """Wakes the waiter for a descriptor by `trio.ClosedResourceError` once a deadline has passed.

    The waiter then looks once more before it gives up: an answer that has arrived was in time,
    however late the arena itself looks.
    """

    def __init__(self, fd: int, clock: Clock) -> None:
        self._fd = fd
        self._clock = clock
        self._due = float("inf")
        self._scope = trio.CancelScope()

    async def run(self) -> None:
        """Watch the deadline forever."""
        while True:
            with trio.CancelScope(deadline=self._due) as self._scope:
                await trio.sleep_forever()
            if self._due <= self._clock():
                self._due = float("inf")
                notify_closing(self._fd)

    def set(self, due: float) -> None:
        """Wake the waiter at a time of the clock."""
        self._due = due
        if due < self._scope.deadline:
            self._scope.deadline = due

    def clear(self) -> None:
        """Wake nobody. The sleep goes on, since the next deadline is usually later."""
        self._due = float("inf")
