"""A table at which a person sits in a browser: the real referee and the real server of its seat.

Everybody else is a function.
"""

import contextlib
import json
import random
import socket
from threading import Thread
from typing import Any, Final
from unittest.mock import patch

from arena.match.commands import Failed, MatchPlan, Outcome, Question, Said, Tell
from arena.match.match import Match, play_through
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    AskBid,
    AskPlay,
    BidReply,
    PlayReply,
    ToBot,
    decode,
    encode,
    reply_to,
)
from arena.people.pages import SeatServer
from arena.reports.language import Phrase
from arena.zole.deal import Seat
from arena.zole.rules import preset
from tests.support.chance import by_chance
from tests.support.patience import PATIENCE_S
from tests.support.scripted import ASKS_ALL, Answer, plan_of

Reviews = dict[int, list[dict[str, Any]]]
WHY: Final = (Phrase("why-partner-takes", {"count": 10}),)
NAMES: Final = ("you", "sampler", "careful", "sampler", "rules")


class Sitting(contextlib.ExitStack):
    """A match in a thread, with a person at seat 0, whose page is at `address`.

    `replies` are the person's answers, as objects of JSON. Hints are given by chance, and `reviews`
    are the verdicts of each deal, where else a review would take its time. The page itself answers
    the questions of the ids `forced`, with the last card.
    """

    def __init__(
        self,
        plan: MatchPlan,
        others: Answer,
        reviews: Reviews | None = None,
    ) -> None:
        super().__init__()
        self._plan, self._others = plan, others
        self.replies: list[dict[str, Any]] = []
        self.forced = set[int]()
        self.left = False
        self._asked: AnyRequest
        advice: dict[str, Any] = {
            "hint": lambda lines: (by_chance(random.Random(1), self._asked), WHY),
            "verdicts": lambda lines, replies, deal: [
                (each, WHY) for each in (reviews or {}).get(deal, [])
            ],
        }
        self.enter_context(patch.multiple("arena.people.pages", **advice))
        self._end, theirs = socket.socketpair()
        self._lines = self.enter_context(self.enter_context(self._end).makefile("rb"))
        self._play = Thread(target=self._match)
        self.callback(self._play.join)
        self._server = SeatServer([theirs], PATIENCE_S, NAMES)
        self.callback(self._server.close)
        [self.address] = self._server.addresses

    def __enter__(self) -> "Sitting":
        self._play.start()
        return self

    def hang_up(self) -> None:
        """Cut off every connection."""
        for each in tuple(self._server.server.server_state.connections):
            each.loop.call_soon_threadsafe(each.transport.abort)

    def _match(self) -> None:
        playing = Match(self._plan, in_order=True)
        self._tell(playing.hellos[0])
        self._lines.readline()
        readies = (ASKS_ALL,) * self._plan.rules.players
        for command in play_through(playing, readies, self._answered):
            if isinstance(command, Tell) and command.seat == 0:
                self._tell(command.line)

    def _tell(self, line: ToBot) -> None:
        with contextlib.suppress(BrokenPipeError):  # whoever has left hears nothing
            self._end.sendall(encode(line))

    def _answered(self, question: Question) -> Outcome:
        if question.seat:
            said = self._others(question.seat, question.request)
            return said if isinstance(said, Failed) else Said(said, 1000)
        self._asked = question.request
        if isinstance(self._asked, AskPlay) and len(self._asked.hand) == 1:
            self.forced.add(self._asked.id)
        self._tell(question.line)
        if not (line := self._lines.readline()):
            self.left = True
            return Failed("exited", "left")
        self.replies.append(json.loads(line))
        return Said(reply_to(question.request, decode(line)), 1000)


def others(seed: int) -> Answer:
    """Bots that answer by chance, bid little and often offer to give up."""
    dice = random.Random(seed)

    def answer(_: Seat, request: AnyRequest) -> AnyReply:
        match request:
            case AskBid() if dice.random() < 0.7:
                return BidReply(id=request.id, bid="pass")
            case AskPlay(may_offer=True) if dice.random() < 0.2:
                return PlayReply(id=request.id, offer=True)
        return by_chance(dice, request)

    return answer


def plan(name: str, deals: int = 2, **keys: object) -> MatchPlan:
    return plan_of(preset(name, keys), deals)
