"""The questions that a bot has not answered yet, and when each is late; times are handed in."""

from typing import Final

import msgspec

from arena.match.commands import Failed, Question

NEVER: Final = float("inf")


class Open(msgspec.Struct, gc=False):
    """A question without an answer.

    `end` is where its line ends in the bot's input, None once all of it was seen written. `began`
    is when the arena was about to write it, `late` when the bot's time will be up; neither is known
    before the arena has first looked for the answer.
    """

    key: int
    question: Question
    end: int | None
    began: float | None = None
    late: float = NEVER

    def charge(self, began: float, now: float) -> int:
        """The microseconds that an answer took; `began` counts if it came at the first look.

        An answer that was there in time is charged its clock at most, however late the arena looks.
        """
        spent = now - (began if self.began is None else self.began)
        clock_s = self.question.clock_s
        return int((spent if clock_s is None or spent < clock_s else clock_s) * 1e6)


class OpenQuestions:
    """What one bot still has to answer."""

    def __init__(self) -> None:
        self.open: dict[int, Open] = {}
        """By number of the request, the oldest first."""
        self.overdue: set[int] = set()
        """Requests given up, whose answers may still come."""
        self._new = False
        """Whether some deadline is not fixed yet."""
        self._sent = 0
        """How much input the bot had been written at the last look."""

    def put(self, key: int, question: Question, end: int) -> None:
        """Add a question whose line ends there in the bot's input."""
        number = question.request.id
        if self.overdue:
            self.overdue.discard(number)  # asked again, so its answer is wanted
        self.open[number] = Open(key, question, end)
        self._new = True

    def set_deadlines(self, sent: int, began: float, now: float) -> float:
        """Start the clocks of new questions, unanswered at a look; returns the first deadline.

        `sent` is how much input the bot was written, `began` when that was begun, `now` the time of
        the look. A clock starts anew until its question has been written, for as long as the bot
        reads on: one that has stopped reading is late as well.
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
        """Give up what is late by now; each is charged its clock. Returns them by key."""
        failed: list[tuple[int, Failed]] = []
        for number, each in list(self.open.items()):
            if each.late <= now:
                del self.open[number]
                self.overdue.add(number)
                clock_s = each.question.clock_s or 0.0
                why = f"no answer within {clock_s:g} s"
                failed.append((each.key, Failed("timeout", why, int(clock_s * 1e6))))
        return failed

    def earliest(self) -> float:
        """The first deadline of what is open."""
        return min((each.late for each in self.open.values()), default=NEVER)

    def fail(self, failed: Failed, began: float, now: float) -> list[tuple[int, Failed]]:
        """Give up all that is open for one reason; each is charged its own time."""
        lost = [
            (each.key, msgspec.structs.replace(failed, us=each.charge(began, now)))
            for each in self.open.values()
        ]
        self.open.clear()
        return lost
