"""A match ready to be played, and who sits in its seats: programs, people, functions."""

import socket
from collections.abc import Callable

import msgspec

from arena.match.commands import MatchPlan, Question, Said
from arena.match.wire import AnyReply, AnyRequest, Ready
from arena.sandbox.box import Program
from arena.sandbox.isolation import Isolation


class PersonLink(msgspec.Struct, frozen=True):
    """A seat's player instead of a program: the arena's end of a socketpair.

    It can be sent to a worker. The other end belongs to the program that the person uses, and
    closing it means leaving.
    """

    name: str
    end: socket.socket


class FunctionSeat(msgspec.Struct, frozen=True):
    """A seat's player instead of a program. It cannot be sent to a worker."""

    name: str
    ready: Ready
    answer: Callable[[AnyRequest], AnyReply]

    def answer_to(self, question: Question) -> Said:
        """The function's answer. Raises `FunctionRaised`."""
        try:
            return Said(self.answer(question.request), 0)
        except Exception as error:
            raise FunctionRaised(str(error)) from error


class FunctionRaised(Exception):
    """A function raised its cause: the match ends, and its caller gets the error."""


class Job(msgspec.Struct, frozen=True):
    """A match to play: the plan, the player of each seat, and the isolation of programs."""

    plan: MatchPlan
    programs: tuple[Program | PersonLink | FunctionSeat, ...]
    isolation: Isolation
