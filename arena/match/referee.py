"""Conducts one deal: who is asked what, what an answer leads to, and what a fault costs.

    blind? -> bid -> ... -> talon? -> discard? -> play -> ... -> over
      (each seat in turn)     (the declarer)      (each seat in turn)

The state (`arena.zole.state`) always names the one seat whose turn it is, and the referee puts one
question to that seat. Two questions come between turns, and only to a declarer that asked for them:
whether it surrenders (before the leads to tricks 1, 2 and 3) and whether it accepts a defender's
offer. The outcome of a question is one of three:

    an answer that moves     the board carries it out; the next turn follows
    an offer                 the declarer answers it; if the deal goes on, the same seat is asked
                             again, on what is left of its clock
    a fault                  while corrections are left and the answer was illegal or malformed, it
                             is sent back on the same clock; else it counts, and either the deal
                             is over (`forfeit`) or the first legal answer is played (`substitute`)

The referee knows no process and no clock: it is a generator that yields questions, and is sent each
one's outcome, seconds included.
"""

from collections.abc import Generator
from typing import Final

from arena.match.board import Board
from arena.match.commands import (
    AskedStep,
    DealStep,
    Failed,
    Fault,
    MatchVoid,
    Outcome,
    PlayedDeal,
    Question,
    Said,
)
from arena.match.wire import AnyReply, AnyRequest, Ask, OfferReply, Refused, SurrenderReply, ToBot
from arena.zole import play
from arena.zole.deal import Seat
from arena.zole.state import Illegal

LINE_KEPT: Final = 1000
"""Bytes kept of the line of an answer that was not allowed."""

Conduct = Generator[Question, Outcome, PlayedDeal]
"""A generator that is sent the outcome of each question it yields."""


def conduct(board: Board, asks: tuple[tuple[Ask, ...], ...]) -> Conduct:
    """Play a deal to its end. Raises `MatchVoid`.

    `asks` are, by seat, the questions between turns that a bot wants to be asked.
    """
    surrenders = any("surrender" in each for each in asks)
    leads_asked = 0
    while (state := board.state).phase != "over":
        if surrenders and leads_asked <= state.completed and play.may_surrender(state):
            leads_asked = state.completed + 1
            declarer = state.declarer
            assert declarer is not None
            if "surrender" in asks[declarer]:
                yield from _ask_surrender(board, declarer)
                continue
        seat = state.turn
        assert seat is not None
        request = board.play_request(seat) if state.phase == "play" else board.auction_request(seat)
        question = Question(seat, request, request, request.clock_s)
        outcome = yield question
        heard = _heard(board, question, outcome)
        if heard is not True:
            yield from _hear_out(board, asks, request, outcome, heard)
    return board.played()


def _hear_out(
    board: Board,
    asks: tuple[tuple[Ask, ...], ...],
    request: AnyRequest,
    outcome: Outcome,
    heard: Fault | bool,
) -> Generator[Question, Outcome, None]:
    """Finish a turn whose first answer did not move the deal on: a fault, or an offer."""
    seat = request.seat
    line: ToBot = request
    left = request.clock_s
    refused = 0
    while heard is not True:
        left = _less(left, outcome)
        if isinstance(heard, Fault):
            again = _refusal(board, request, heard, refused)
            if again is None:
                if board.state.phase != "over":  # on_fault = "substitute"
                    board.play_first_legal(seat)
                return
            line, refused = again, refused + 1
        else:
            yield from _answer_offer(board, asks, seat)
            if board.state.phase == "over":
                return
            request = line = board.play_request(seat, (request.id, left))
            refused = 0
        question = Question(seat, line, request, left)
        outcome = yield question
        heard = _heard(board, question, outcome)


def _ask_surrender(board: Board, declarer: Seat) -> Generator[Question, Outcome, None]:
    answer = yield from _ask(board, board.request_between(declarer, None))
    if isinstance(answer, SurrenderReply) and answer.surrender:
        board.surrender(declarer)


def _answer_offer(
    board: Board, asks: tuple[tuple[Ask, ...], ...], seat: Seat
) -> Generator[Question, Outcome, None]:
    """Put a defender's offer to the declarer; one that does not ask for offers plays on."""
    declarer = board.state.declarer
    assert declarer is not None
    accepted = False
    if "offer" in asks[declarer]:
        answer = yield from _ask(board, board.request_between(declarer, seat))
        if board.state.phase == "over":
            return
        accepted = isinstance(answer, OfferReply) and answer.accept
    board.offer(seat, accepted)


def _ask(board: Board, request: AnyRequest) -> Generator[Question, Outcome, AnyReply | None]:
    """Ask a question that is not a turn; return the seat's answer, or None after a fault."""
    line: ToBot = request
    left = request.clock_s
    refused = 0
    while True:
        question = Question(request.seat, line, request, left)
        outcome = yield question
        heard = _heard(board, question, outcome)
        if isinstance(outcome, Said) and heard is False:
            return outcome.reply
        assert isinstance(heard, Fault)
        again = _refusal(board, request, heard, refused)
        if again is None:
            return None
        line, refused, left = again, refused + 1, _less(left, outcome)


def _heard(board: Board, question: Question, outcome: Outcome) -> Fault | bool:
    """Carry out an outcome; return whether it moved the deal on, or the fault."""
    seat = question.seat
    if board.keeps_questions:
        events = len(board.events)
        board.steps.append(AskedStep(seat, outcome, question, board.state, events))
    else:
        board.steps.append(DealStep(seat, outcome))
    if type(outcome) is Said:
        try:
            return board.carry_out(seat, outcome.reply)
        except Illegal as error:
            if outcome.line:
                board.sent[len(board.steps) - 1] = outcome.line[:LINE_KEPT].decode(errors="replace")
            return Fault(seat, "illegal", str(error))
    assert type(outcome) is Failed
    if outcome.kind == "internal":
        raise MatchVoid(outcome.detail)
    return Fault(seat, outcome.kind, outcome.detail)


def _refusal(board: Board, request: AnyRequest, fault: Fault, refused: int) -> Refused | None:
    """The line that sends an answer back; with no correction left, None and the seat is blamed."""
    corrections = board.plan.rules.conduct.corrections
    if refused < corrections and fault.kind in ("illegal", "malformed"):
        return Refused(request.id, fault.kind, fault.detail)
    board.blame(fault)
    return None


def _less(left: float | None, outcome: Outcome) -> float | None:
    """The seconds left of a clock after an answer."""
    return None if left is None else max(0.0, left - outcome.us / 1e6)
