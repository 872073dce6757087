"""Conducts one deal: who is asked what, what an answer leads to, and what a fault costs.

    blind? -> bid -> ... -> talon? -> discard? -> play -> ... -> over
      (each seat in turn)     (the declarer)      (each seat in turn)

The state (`arena.zole.state`) always names the one seat whose turn it is, and the referee puts one
question to that seat. Two questions come between turns, and only to a declarer that asked for them:
whether it surrenders (before the leads to tricks 1, 2 and 3) and whether it accepts a defender's
offer. The outcome of a question is one of three:

    an answer that moves     the board carries it out; the next turn follows
    an offer                 the declarer answers it; if the deal continues, the same seat is asked
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
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    Ask,
    AskOffer,
    AskSurrender,
    OfferReply,
    Refused,
    SurrenderReply,
)
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
    again: tuple[int, float | None] | None = None
    while (state := board.state).phase != "over":
        if surrenders and leads_asked <= state.completed and play.may_surrender(state):
            leads_asked = state.completed + 1
            declarer = state.declarer
            assert declarer is not None
            if "surrender" in asks[declarer]:
                answer = yield from _ask(board, board.request_between(declarer, None))
                if isinstance(answer, SurrenderReply) and answer.surrender:
                    board.surrender(declarer)
                continue
        seat = state.turn
        assert seat is not None
        in_play = state.phase == "play"
        request = board.play_request(seat, again) if in_play else board.auction_request(seat)
        question = Question(seat, request, request, request.clock_s)
        outcome = yield question
        heard = _heard(board, question, outcome)
        again = None
        if heard is not True:
            offer, left = yield from _correct(board, request, outcome, heard)
            if offer is not None:
                yield from _answer_offer(board, asks, seat)
                again = request.id, left  # if the deal continues, it is still this seat's turn
    return board.played()


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
    question = Question(request.seat, request, request, request.clock_s)
    outcome = yield question
    heard = _heard(board, question, outcome)
    answer, _ = yield from _correct(board, request, outcome, heard)
    return answer


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


def _correct(
    board: Board, request: AnyRequest, outcome: Outcome, heard: Fault | bool
) -> Generator[Question, Outcome, tuple[AnyReply | None, float | None]]:
    """Send faulty answers back while they may be corrected; else the fault counts.

    Return an answer that alone does not move the deal on, or None, and the seconds left.
    """
    left, refused = request.clock_s, 0
    while True:
        if left is not None:
            left = max(0.0, left - outcome.us / 1e6)
        if not isinstance(heard, Fault):
            return outcome.reply if isinstance(outcome, Said) and not heard else None, left
        correctable = heard.kind in ("illegal", "malformed")
        if not correctable or refused == board.plan.rules.conduct.corrections:
            board.blame(heard)
            is_turn = not isinstance(request, AskSurrender | AskOffer)
            if is_turn and board.state.phase != "over":  # on_fault = "substitute"
                board.act(request.seat, play.legal(board.state)[0])
            return None, left
        refused += 1
        again = Refused(request.id, heard.kind, heard.detail)
        question = Question(request.seat, again, request, left)
        outcome = yield question
        heard = _heard(board, question, outcome)
