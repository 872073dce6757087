"""Matches each line from a bot to the open question that it answers."""

import msgspec

from arena.engine.deadlines import OpenQuestions
from arena.match.commands import Failed, Said
from arena.match.unreadable import quoted
from arena.match.wire import Malformed, Ready, decode, reply_to


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
