"""A function at a seat: it answers requests in this very process, and nothing is timed."""

from collections.abc import Callable

import msgspec

from arena.match.commands import Question, Said
from arena.match.wire import AnyReply, AnyRequest, Ready


class FunctionSeat(msgspec.Struct, frozen=True):
    """A seat's player in place of a program. It cannot be sent to a worker."""

    name: str
    ready: Ready
    answer: Callable[[AnyRequest], AnyReply]

    def said(self, question: Question) -> Said:
        """The function's answer. Raises `FunctionRaised`."""
        try:
            return Said(self.answer(question.request), 0)
        except Exception as error:
            raise FunctionRaised(error) from error


class FunctionRaised(Exception):
    """A function raised an `error`: the match ends, and whoever asked for it is told."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error
