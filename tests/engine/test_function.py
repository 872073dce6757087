"""A function at a seat answers beside bots, and what it raises ends the match."""

import pytest

from arena.engine.job import FunctionRaised, FunctionSeat
from arena.match.commands import Question, Said
from arena.match.wire import AskBid, BidReply, Ready

ASKED = AskBid(0, 0, 0, 1, (), None, ("QC",), ("pass",))


def test_an_answer_takes_no_time() -> None:
    seat = FunctionSeat("me", Ready(1), lambda request: BidReply(id=request.id, bid="pass"))
    said = seat.said(Question(1, ASKED, ASKED, None))
    assert said == Said(BidReply(id=0, bid="pass"), 0)


def test_what_it_raises_is_kept() -> None:
    wrong = LookupError("mine")

    def fails(request: object) -> BidReply:
        raise wrong

    with pytest.raises(FunctionRaised, match="mine") as raised:
        FunctionSeat("me", Ready(1), fails).said(Question(1, ASKED, ASKED, None))
    assert raised.value.error is wrong
