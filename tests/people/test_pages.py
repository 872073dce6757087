"""The site of people's seats: its server over real sockets, and real bots through the page."""

import asyncio
import socket
from base64 import b64encode
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
import pytest
from starlette.types import Receive, Scope, Send

from arena.match.match import Match
from arena.match.wire import AskPlay, Bye, Refused, ToBot, encode
from arena.people import pages
from arena.people.pages import SeatServer
from arena.people.seat import PersonSeat
from arena.people.server import MOST_BODY_BYTES, PLAY_PAGE, Server, policy, spoken
from tests.support.at_a_page import SETTLED, Person
from tests.support.browser import Browser
from tests.support.command import output, start
from tests.support.patience import PATIENCE_S
from tests.support.present import present
from tests.support.scripted import plan_of
from tests.support.seat_client import Client, Events

HELLO = Match(plan_of()).hellos[0]
BYE = Bye("the match is over")


def ask(number: int) -> AskPlay:
    return AskPlay(
        id=number,
        table=0,
        deal=0,
        seat=0,
        events=(),
        clock_s=120.0,
        hand=("7C",),
        trick=(),
        legal=("7C",),
        may_offer=False,
    )


def card(number: int) -> dict[str, Any]:
    return {"type": "play", "id": number, "card": "7C"}


@dataclass
class Referee:
    """The arena's end of a seat, and the seat's page once there is one."""

    end: socket.socket
    file: BinaryIO
    client: Client
    stream: Events = field(init=False)

    def tell(self, *lines: ToBot) -> None:
        self.end.sendall(b"".join(map(encode, lines)))

    def hear(self) -> Any:
        line = self.file.readline()
        return msgspec.json.decode(line) if line else None


@contextmanager
def served(absent_s: float = PATIENCE_S) -> Iterator[tuple[SeatServer, Referee]]:
    """A server of a seat that nobody has looked at, and its referee."""
    ours, theirs = socket.socketpair()
    ours.settimeout(PATIENCE_S)
    with ours, ours.makefile("rb") as file, closing(SeatServer([theirs], absent_s)) as server:
        yield server, Referee(ours, file, Client(server.addresses[0]))


@pytest.fixture
def seat() -> Iterator[Referee]:
    with served() as (_, referee):
        yield referee


def test_a_page_gets_the_seats_lines_and_nothing_else(seat: Referee) -> None:
    sent: list[ToBot] = [HELLO, ask(0), Refused(0, "illegal", "it is not"), ask(1), BYE]
    with seat.client.events() as stream:
        seat.tell(sent[0])
        ready = {"type": "ready", "protocol": 1, "name": "person", "asks": ["surrender", "offer"]}
        assert seat.hear() == ready
        seat.tell(*sent[1:])
        found = list(zip(stream.lines(len(sent)), sent, strict=True))
        assert [(number, msgspec.json.encode(data)) for (number, data), _ in found] == [
            (number, encode(line).strip()) for number, line in enumerate(sent, 1)
        ]
        assert stream.until("over") == {}


def test_a_stream_goes_on_behind_any_event(seat: Referee) -> None:
    sent: list[ToBot] = [HELLO, *map(ask, range(4))]
    seat.tell(*sent)
    with seat.client.events() as stream:
        whole = stream.lines(5)
    for after in range(6):
        with seat.client.events(after) as stream:
            if after < 5:
                assert stream.lines(5 - after) == whole[after:]
            clock = stream.until("clock")
            assert clock["id"] == 3
            assert 0 < clock["left_s"] <= 120


@pytest.fixture
def asked(seat: Referee) -> Iterator[Referee]:
    seat.tell(HELLO, ask(0))
    with seat.client.events() as seat.stream:
        seat.stream.lines(2)
        assert seat.hear()["type"] == "ready"
        yield seat


def test_an_answer_is_taken_once(asked: Referee) -> None:
    def post(*bodies: object) -> list[int]:
        return [asked.client.post("answer", body) for body in bodies]

    greeting = {"type": "ready", "protocol": 1}  # which the server gives
    assert post(greeting, card(1), card(0), card(0)) == [409, 409, 204, 409]
    assert asked.hear() == card(0)
    asked.tell(Refused(0, "illegal", "it is not"))
    asked.stream.lines(1)
    assert post(card(0)) == [204], "a refused answer is asked for again"
    assert asked.hear() == card(0)
    asked.tell(HELLO)
    assert asked.stream.lines(1)[0][0] == 4
    assert asked.hear()["type"] == "ready", "a match that begins anew is greeted anew"
    assert post(card(0)) == [409], "nothing is asked yet"
    assert asked.client.post("hint", {"id": 0}) == 409


def test_leaving_ends_the_seat(asked: Referee) -> None:
    assert asked.client.post("leave", None) == 204
    assert asked.stream.until("over") == {}
    assert asked.hear() is None
    assert asked.client.post("answer", card(0)) == 409


REFUSED: list[tuple[str, object, dict[str, str], int]] = [
    ("answer", {"type": "bid", "id": 0, "bid": "pass"}, {}, 422),
    ("answer", b"{", {}, 422),
    ("answer", b" " * (MOST_BODY_BYTES + 1), {}, 413),
    ("answer", card(0), {"Content-Type": "text/plain"}, 415),
    ("hint", b"[]", {}, 422),
    ("hint", {"id": 1}, {}, 409),
    ("lines?after=soon", None, {}, 422),
    ("lines", None, {"Sec-Fetch-Site": "cross-site"}, 403),
    ("review?deal=0", None, {}, 404),
    ("review?deal=one", None, {}, 422),
    ("", None, {"Host": "evil.example"}, 403),
    *(
        (path, card(0), foreign, 403)
        for foreign in (
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
            {"Host": "evil.example"},
        )
        for path in ("answer", "leave", "hint")
    ),
]


def test_bad_requests_and_those_of_other_sites_are_refused(asked: Referee) -> None:
    for path, body, headers, status in REFUSED:
        method = "GET" if body is None else "POST"
        found, *_ = asked.client.ask(method, path, body, headers)
        assert found == status, (path, body, headers)
    assert asked.client.post("answer", card(0), Origin="") == 204, "no browser, but the address"


def test_a_wrong_address_is_not_found(asked: Referee) -> None:
    path = asked.client.path
    for wrong in ("/", f"{path[:-2]}/", path.swapcase(), f"{path[:-1]}A/", "/%00/", "/x/"):
        for below in ("", "lines", "answer", "leave", "hint", "review?deal=0"):
            method = "POST" if below in ("answer", "leave", "hint") else "GET"
            assert asked.client.ask(method, below, card(0), base=wrong)[0] == 404


def test_the_newest_page_leads(seat: Referee) -> None:
    seat.tell(HELLO)
    with seat.client.events() as first:
        assert first.until("tabs") == {"leads": True}
        with seat.client.events() as second:
            assert second.until("tabs") == {"leads": True}
            assert first.until("tabs") == {"leads": False}
        assert first.until("tabs") == {"leads": True}


def test_the_page_may_do_nothing_but_talk_to_its_seat(seat: Referee) -> None:
    status, headers, body = seat.client.ask("GET", "")
    assert (status, body) == (200, spoken(PLAY_PAGE.read_bytes(), "en"))
    expected = {
        "content-security-policy": policy(body),
        "cache-control": "no-store",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
    }
    assert headers.items() >= expected.items()
    assert not headers.keys() & {"set-cookie", "server"}


def test_few_pages_follow_a_seat(seat: Referee) -> None:
    seat.tell(HELLO)
    with ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(seat.client.events()).until("tabs")
        assert seat.client.ask("GET", "lines")[0] == 503


def test_an_internal_error_is_reported_without_values_and_the_server_goes_on(
    seat: Referee, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def leave(_: object) -> None:
        raise ValueError(seat.client.path)

    with monkeypatch.context() as broken:
        broken.setattr(PersonSeat, "leave", leave)
        assert seat.client.post("leave", None) == 500
    said = capfd.readouterr().err
    assert said.startswith("internal error: ValueError at leave:")
    assert seat.client.path not in said.splitlines()[0]
    assert seat.client.post("leave", None) == 204


def test_the_server_ends_with_open_streams_and_half_requests() -> None:
    with served() as (server, seat):
        seat.tell(HELLO, ask(0))
        host, port = seat.client.host.split(":")
        with seat.client.events() as stream, socket.create_connection((host, int(port))) as half:
            half.sendall(b"GET / HTTP/1.1\r\nHost: ")
            stream.lines(2)
            assert seat.hear()["type"] == "ready"
            server.close()
            assert server.wait(PATIENCE_S)
        assert seat.hear() is None, "everybody has left"


def test_the_server_ends_by_itself_once_nobody_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pages, "LINGER_S", 0.05)
    with served() as (server, seat):
        with seat.client.events() as stream:
            seat.tell(HELLO, BYE)
            stream.until("over")
            assert not server.wait(0.3)
        assert server.wait(PATIENCE_S)


def test_a_person_without_a_page_for_too_long_has_left() -> None:
    with served(0.2) as (_, seat):
        seat.tell(HELLO)
        assert seat.hear() is None


@pytest.mark.slow
def test_a_page_that_does_not_read_is_cut_off_and_others_go_on(seat: Referee) -> None:
    host, port = seat.client.host.split(":")
    seat.tell(HELLO)
    with socket.socket() as stalled, seat.client.events() as stream:
        stream.lines(1)
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stalled.connect((host, int(port)))
        head = f"GET {seat.client.path}lines HTTP/1.1\r\nHost: {host}:{port}\r\n\r\n"
        stalled.sendall(head.encode())
        assert stream.until("tabs") == {"leads": False}
        seat.tell(*[Refused(0, "illegal", "x" * 60_000)] * 200)
        assert len(stream.lines(200)) == 200
        assert stream.until("tabs") == {"leads": True}


@pytest.mark.slow
def test_half_requests_are_cut_off(seat: Referee) -> None:
    host, port = seat.client.host.split(":")
    head = (
        f"POST {seat.client.path}answer HTTP/1.1\r\nHost: {seat.client.host}\r\n"
        "Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"
    )
    for sent, answer in (("GET / HTTP/1.1\r\nHost: ", b""), (head, b"HTTP/1.1 408")):
        with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as half:
            half.sendall(sent.encode())
            with suppress(ConnectionError):
                assert half.recv(12) == answer


# --- connections ---


async def answering(scope: Scope, receive: Receive, send: Send) -> None:
    """An application that answers each request once its body has come."""
    while (await receive()).get("more_body"):
        pass
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]}
    )
    await send({"type": "http.response.body", "body": b""})


async def connected(server: Server) -> tuple[socket.socket, asyncio.Transport]:
    """Both ends of a connection to a server: ours, and the one that it has taken."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        ours = socket.create_connection(listener.getsockname())
        theirs, _ = listener.accept()
    if not server.config.loaded:
        server.config.load()

    def protocol() -> asyncio.Protocol:
        return server.config.http_protocol_class(
            config=server.config,  # type: ignore[call-arg]
            server_state=server.server_state,
            app_state={},
        )

    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_accepted_socket(protocol, theirs)
    return ours, transport


def test_answers_are_sent_without_delay_and_a_connection_too_many_is_dropped_at_once() -> None:
    async def look() -> tuple[bool, list[bool]]:
        server = Server(answering, lambda: None, most=2)
        ends = [await connected(server) for _ in range(3)]
        taken: socket.socket = ends[0][1].get_extra_info("socket")
        is_prompt = taken.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
        ends[2][0].setblocking(False)
        receiving = asyncio.get_running_loop().sock_recv(ends[2][0], 1)
        with suppress(ConnectionError):
            assert await asyncio.wait_for(receiving, PATIENCE_S) == b""
        dropped = [transport.is_closing() for _, transport in ends]
        for ours, transport in ends:
            ours.close()
            transport.abort()
        await asyncio.sleep(0)
        return is_prompt, dropped

    assert asyncio.run(look()) == (True, [False, False, True])


GET = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"
CHUNKED = b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"


def said_to(data: bytes) -> bytes:
    """All that is answered to somebody who sends this, until the connection is dropped."""

    async def look() -> bytes:
        ours, transport = await connected(Server(answering, lambda: None))
        with closing(ours), closing(transport):
            ours.setblocking(False)
            loop, found = asyncio.get_running_loop(), b""
            sending = asyncio.create_task(loop.sock_sendall(ours, data))
            with suppress(ConnectionError):
                while got := await asyncio.wait_for(loop.sock_recv(ours, 1 << 16), PATIENCE_S):
                    found += got
                    if found.count(b"HTTP/1.1") == data.count(b"HTTP/1.1") and sending.done():
                        break
            sending.cancel()
            await asyncio.wait([sending])
            return found

    return asyncio.run(look())


def test_requests_that_come_at_once_are_answered_in_turn() -> None:
    assert said_to(20 * GET).count(b"200 OK") == 20
    assert said_to(CHUNKED + 1000 * b"4\r\nbody\r\n" + b"0\r\n\r\n" + GET).count(b"200 OK") == 2


@pytest.mark.parametrize(
    "data",
    [
        1000 * GET,
        GET[:-2] + b"X: " + (1 << 20) * b"x",
        GET[:-2] + 100_000 * b"X: y\r\n",
        b"GET /" + (1 << 20) * b"x",
        CHUNKED + b"0\r\n" + 100_000 * b"X: y\r\n",
        CHUNKED + b"1;" + (1 << 20) * b"x",
    ],
    ids=("requests", "a header", "headers", "a path", "trailers", "an extension of a chunk"),
)
def test_a_client_that_sends_too_much_at_once_is_dropped(data: bytes) -> None:
    assert said_to(data).count(b"200 OK") < 30


def test_a_policy_names_the_pages_own_scripts_and_styles() -> None:
    def named(text: bytes) -> str:
        return f"'sha256-{b64encode(sha256(text).digest()).decode()}'"

    page = b'<style>a{}</style><script type="module">1\n2</script><script>3</script>'
    directives = dict(each.strip().split(" ", 1) for each in policy(page).split(";"))
    expected = {
        "script-src": f"{named(b'1' + bytes([10]) + b'2')} {named(b'3')}",
        "style-src": named(b"a{}"),
        "default-src": "'none'",
        "frame-ancestors": "'none'",
    }
    assert directives.items() >= expected.items()
    assert "script-src 'none'" in policy(b"<p>")
    assert policy(b"<p>", "'self'").endswith("; frame-ancestors 'self'")


# --- a match ---


@pytest.mark.slow
def test_the_server_stays_until_the_page_has_shown_the_end_and_its_reviews(
    page: Browser, tmp_path: Path
) -> None:
    rules, record = tmp_path / "four.toml", tmp_path / "played.db"
    rules.write_text('preset = "pagat"\nplayers = 4\n')
    words = "play --no-browser --deals 1 --seed 5".split()
    with start(*words, "--record", record, "--rules", rules) as process:
        try:
            page.visit(present(process.stdout).readline().split()[-1])
            page.value('localStorage.setItem("zole:pace", "calmly")')
            page.reload()
            person = Person(page, 4, bids=0)
            person.plays(until=lambda seen: seen.ended)
            page.value(SETTLED)
            page.value("document.querySelectorAll('.parts button')[2].click()")
            page.until("document.querySelector('.ended.of-review') !== null")
            page.until("document.querySelector('.looking') === null")
            person.plays()
            assert page.value("fetch('../zole').then((answer) => answer.ok)")
            page.leave()
            assert process.wait(PATIENCE_S) == 0
        finally:
            process.kill()
    output("verify", record)
