"""Questions as a match puts them, made from just an id, a clock and a seat."""

from arena.match.commands import Question
from arena.match.wire import AskPlay


def question(number: int, clock_s: float | None = 1.0, seat: int = 0) -> Question:
    """A request to play, by its id."""
    request = AskPlay(
        id=number,
        table=number,
        deal=0,
        seat=seat,
        events=(),
        clock_s=clock_s,
        hand=(),
        trick=(),
        legal=(),
        may_offer=False,
    )
    return Question(seat, request, request, clock_s)
