"""A table at which people sit in browsers, played in this process: the HTTP of a person's seat.

Everybody else is a function. What the page is sent and what it answers are the real referee's.
"""

import json
import random
import threading
from collections.abc import Collection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import TracebackType
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

import msgspec

import arena
from arena.match.commands import Failed, MatchPlan, Outcome, Question, Said, Tell
from arena.match.match import Match, play_through
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    AskBid,
    AskPlay,
    BidReply,
    Malformed,
    PlayReply,
    ToBot,
    decode,
    encode,
    reply_to,
)
from arena.zole.deal import Seat
from arena.zole.rules import preset
from tests.support.chance import by_chance
from tests.support.patience import PATIENCE_S
from tests.support.scripted import ASKS_ALL, Answer, plan_of

PAGE: Final = Path(arena.__file__).parent / "viewer" / "play.html"

Body = dict[str, Any]


class Chair:
    """A person's seat: the lines to it, and the question that is open."""

    def __init__(self, hint: Answer | None, reviews: dict[int, list[Body]]) -> None:
        self.lines: list[bytes] = []
        self.replies: list[Body] = []
        self.over = False
        self.left = False
        self.streams = 0
        self.cut = 0
        self.refuses: tuple[int, Body] | None = None
        self.hint = hint
        self.reviews = reviews
        self.open: AnyRequest | None = None
        self.answer: AnyReply | None = None
        self.changed = threading.Condition()

    def tell(self, line: ToBot) -> None:
        with self.changed:
            self.lines.append(encode(line).rstrip())
            self.changed.notify_all()

    def ask(self, question: Question) -> Outcome:
        with self.changed:
            self.open, self.answer = question.request, None
        self.tell(question.line)
        with self.changed:
            self.changed.wait_for(lambda: self.answer is not None or self.left)
            self.open = None
            if self.answer is None:
                return Failed("exited", "left")
            return Said(self.answer, 1000)

    def news(self, last: int, stream: int, leads: bool) -> bool:
        """Whether there is something to send to a stream that has sent so many lines."""
        follows = leads is not (self.streams == stream)
        return len(self.lines) > last or self.over or self.cut >= stream or follows

    def take(self, body: bytes) -> tuple[int, Body | None]:
        with self.changed:
            if self.refuses is not None:
                return self.refuses
            if self.open is None or self.answer is not None:
                return 409, {"error": "no such open request"}
            try:
                answer = reply_to(self.open, decode(body))
            except Malformed as error:
                return 422, {"error": str(error)}
            self.replies.append(json.loads(body))
            self.answer = answer
            self.changed.notify_all()
        return 204, None

    def elsewhere(self) -> None:
        """Another tab is opened."""
        with self.changed:
            self.streams += 1
            self.changed.notify_all()

    def hang_up(self) -> None:
        """Cut off whoever follows."""
        with self.changed:
            self.cut = self.streams
            self.changed.notify_all()

    def wait_for_stream(self, number: int) -> None:
        """Wait until so many have followed."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.streams >= number, PATIENCE_S)

    def leave(self) -> None:
        with self.changed:
            self.left = True
            self.changed.notify_all()


class Sitting:
    """A match in a thread, and its server in others; `address` has the page of each person."""

    def __init__(
        self,
        plan: MatchPlan,
        others: Answer,
        people: Collection[int] = (0,),
        hint: Answer | None = None,
        reviews: dict[int, list[Body]] | None = None,
    ) -> None:
        self._plan, self._others = plan, others
        self.chairs = {seat: Chair(hint, reviews or {}) for seat in people}
        handler = type("Handler", (_Handler,), {"chairs": self.chairs})
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        port = self._server.server_address[1]
        self.address = {seat: f"http://127.0.0.1:{port}/{seat}/" for seat in people}
        self._play = threading.Thread(target=self._match, daemon=True)
        self._serve = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)

    def __enter__(self) -> "Sitting":
        self._serve.start()
        self._play.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for chair in self.chairs.values():
            chair.over = True
            chair.leave()
        self._play.join()
        self._server.shutdown()
        self._server.server_close()

    def _match(self) -> None:
        playing = Match(self._plan, in_order=True)
        for seat, hello in enumerate(playing.hellos):
            if seat in self.chairs:
                self.chairs[seat].tell(hello)
        readies = (ASKS_ALL,) * self._plan.rules.players
        for command in play_through(playing, readies, self._answered):
            if isinstance(command, Tell) and command.seat in self.chairs:
                self.chairs[command.seat].tell(command.line)
        for chair in self.chairs.values():
            with chair.changed:
                chair.over = True
                chair.changed.notify_all()

    def _answered(self, question: Question) -> Outcome:
        if question.seat in self.chairs:
            return self.chairs[question.seat].ask(question)
        said = self._others(question.seat, question.request)
        return said if isinstance(said, Failed) else Said(said, 1000)


class _Handler(BaseHTTPRequestHandler):
    chairs: dict[int, Chair]

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        _, seat, what = address.path.split("/")
        chair, query = self.chairs[int(seat)], parse_qs(address.query)
        if what == "":
            self._send(200, PAGE.read_bytes(), "text/html; charset=utf-8")
        elif what == "lines":
            last = self.headers.get("Last-Event-ID") or query.get("after", ["0"])[0]
            self._stream(chair, int(last))
        elif what == "about":
            self._json(200, {"players": ["you", "sampler", "careful", "sampler", "rules"]})
        else:
            verdicts = chair.reviews.get(int(query["deal"][0]))
            found = {"deal": int(query["deal"][0]), "verdicts": verdicts}
            self._json(404 if verdicts is None else 200, {} if verdicts is None else found)

    def do_POST(self) -> None:
        _, seat, what = self.path.split("/")
        chair = self.chairs[int(seat)]
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if what == "answer":
            self._json(*chair.take(body))
        elif what == "leave":
            chair.leave()
            self._json(204, None)
        elif chair.hint is None or chair.open is None:
            self._json(501, {"error": "There is nobody here to give a hint."})
        else:
            said = chair.hint(int(seat), chair.open)
            assert not isinstance(said, Failed)
            self._json(200, {"answer": msgspec.to_builtins(said)})

    def _stream(self, chair: Chair, last: int) -> None:
        """The lines after the one with this number, until the match is over."""
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        with chair.changed:
            chair.streams += 1
            mine = chair.streams
            chair.changed.notify_all()
        self.wfile.write(b"retry: 200\n")
        self._event("tabs", {"leads": True})
        if chair.open is not None:
            self._event("clock", {"id": chair.open.id, "left_s": 90})
        leads = True
        while True:
            with chair.changed:
                while not chair.news(last, mine, leads):
                    chair.changed.wait()
                lines, over, cut = chair.lines[last:], chair.over, chair.cut >= mine
                leads, led = chair.streams == mine, leads
            if cut:
                return
            try:
                for line in lines:
                    last += 1
                    self.wfile.write(b"id: %d\ndata: %s\n\n" % (last, line))
                if leads is not led:
                    self._event("tabs", {"leads": leads})
                if over:
                    self._event("over", {})
                    return
            except OSError:
                return

    def _event(self, name: str, data: Body) -> None:
        self.wfile.write(f"event: {name}\ndata: {json.dumps(data)}\n\n".encode())

    def _json(self, status: int, body: Body | None) -> None:
        self._send(status, b"" if body is None else json.dumps(body).encode(), "application/json")

    def _send(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


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
