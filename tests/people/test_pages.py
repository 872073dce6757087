"""The site of people's seats over real sockets, the test in the referee's place."""

import contextlib
import socket
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import msgspec
import pytest

from arena.match.match import Match
from arena.match.wire import AskPlay, Bye, Refused, ToBot, encode
from arena.people import pages
from arena.people.pages import PLAY_PAGE, SeatServer
from arena.people.seat import PersonSeat
from arena.people.server import MOST_BODY_BYTES, policy
from tests.support.patience import PATIENCE_S
from tests.support.scripted import plan_of
from tests.support.seat_client import Client

HELLO = Match(plan_of()).hellos[0]
BYE = Bye("the match is over")


def ask(number: int) -> AskPlay:
    """A request to play the last card."""
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


class Referee:
    """The arena's end of a seat."""

    def __init__(self, end: socket.socket, address: str) -> None:
        self.end = end
        self.end.settimeout(PATIENCE_S)
        self.file = end.makefile("rb")
        self.client = Client(address)

    def tell(self, *lines: ToBot) -> None:
        self.end.sendall(b"".join(map(encode, lines)))

    def hear(self) -> Any:
        line = self.file.readline()
        return msgspec.json.decode(line) if line else None


@contextlib.contextmanager
def served(count: int) -> Iterator[tuple[SeatServer, list[Referee]]]:
    """A server of some seats, and their referees."""
    pairs = [socket.socketpair() for _ in range(count)]
    with (
        contextlib.ExitStack() as stack,
        contextlib.closing(SeatServer([end for _, end in pairs], PATIENCE_S)) as server,
    ):
        referees = []
        for (ours, _), address in zip(pairs, server.addresses, strict=True):
            stack.enter_context(ours)
            referees.append(Referee(ours, address))
            stack.enter_context(referees[-1].file)
        yield server, referees


@pytest.fixture(scope="module")
def several() -> Iterator[list[Referee]]:
    """Seats of one server, one for each test."""
    with served(24) as (_, referees):
        yield referees


@pytest.fixture
def seat(several: list[Referee]) -> Referee:
    """A seat that nobody has looked at."""
    return several.pop()


def test_a_page_gets_the_seats_lines_and_nothing_else(seat: Referee) -> None:
    sent: list[ToBot] = [HELLO, ask(0), Refused(0, "illegal", "it is not"), ask(1), BYE]
    with seat.client.events() as stream:
        seat.tell(sent[0])
        assert seat.hear() == {
            "type": "ready",
            "protocol": 1,
            "name": "person",
            "asks": ["surrender", "offer"],
        }
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
    status, _, _ = seat.client.ask("GET", "lines?after=soon")
    assert status == 422


def test_an_answer_is_taken_once(seat: Referee) -> None:
    seat.tell(HELLO)
    with seat.client.events() as stream:
        stream.lines(1)
        assert seat.hear()["type"] == "ready"
        post = seat.client.post
        assert post("answer", card(0)) == 409, "nothing is asked yet"
        seat.tell(ask(0))
        stream.lines(1)
        assert post("answer", {"type": "ready", "protocol": 1}) == 409, "the server gives it"
        assert post("answer", card(1)) == 409
        assert post("answer", {"type": "bid", "id": 0, "bid": "pass"}) == 422
        assert post("answer", b"{") == 422
        assert post("answer", card(0)) == 204
        assert post("answer", card(0)) == 409
        assert seat.hear() == card(0)
        seat.tell(Refused(0, "illegal", "it is not"))
        stream.lines(1)
        assert post("answer", card(0)) == 204, "a refused answer is asked for again"
        assert seat.hear() == card(0)


def test_the_newest_page_leads(seat: Referee) -> None:
    seat.tell(HELLO)
    with seat.client.events() as first:
        assert first.until("tabs") == {"leads": True}
        with seat.client.events() as second:
            assert second.until("tabs") == {"leads": True}
            assert first.until("tabs") == {"leads": False}
        assert first.until("tabs") == {"leads": True}


def test_leaving_ends_the_seat(seat: Referee) -> None:
    seat.tell(HELLO, ask(0))
    with seat.client.events() as stream:
        stream.lines(2)
        assert seat.hear()["type"] == "ready"
        assert seat.client.post("leave", None) == 204
        assert stream.until("over") == {}
    assert seat.hear() is None
    assert seat.client.post("answer", card(0)) == 409


def test_a_match_that_begins_anew_is_greeted_anew(seat: Referee) -> None:
    seat.tell(HELLO, ask(0))
    with seat.client.events() as stream:
        stream.lines(2)
        assert seat.hear()["type"] == "ready"
        seat.tell(HELLO)
        assert stream.lines(1)[0][0] == 3
        assert seat.hear()["type"] == "ready"
        assert seat.client.post("answer", card(0)) == 409


def test_who_is_another_site_or_does_not_know_the_address_gets_nothing(seat: Referee) -> None:
    seat.tell(HELLO, ask(0))
    client = seat.client
    with client.events() as stream:
        stream.lines(2)
        for foreign in (
            {"Origin": "http://evil.example"},
            {"Origin": "null"},
            {"Sec_Fetch_Site": "cross-site"},
            {"Sec_Fetch_Site": "same-site"},
            {"Host": "evil.example"},
        ):
            for path in ("answer", "leave", "hint"):
                assert client.post(path, card(0), **foreign) == 403
        given = {"Host": "evil.example"}
        assert client.ask("GET", "", headers=given)[0] == 403
        assert client.ask("GET", "lines", headers={"Sec-Fetch-Site": "cross-site"})[0] == 403
        for wrong in (
            "/",
            client.path[:-2] + "/",
            client.path.swapcase(),
            client.path[:-1] + "A/",
            "/%00/",
            "/x/",
        ):
            for path in ("", "lines", "answer", "leave", "hint", "review?deal=0"):
                method = "POST" if path in ("answer", "leave", "hint") else "GET"
                assert client.ask(method, path, card(0), base=wrong)[0] == 404
        assert client.post("answer", card(0), Origin="") == 204, "no browser, but the address"


def test_a_body_is_short_and_is_json(seat: Referee) -> None:
    seat.tell(HELLO, ask(0))
    assert seat.client.post("answer", b" " * (MOST_BODY_BYTES + 1)) == 413
    assert seat.client.post("answer", card(0), Content_Type="text/plain") == 415
    assert seat.client.post("hint", b"[]") == 422


def test_the_page_may_do_nothing_but_talk_to_its_seat(seat: Referee) -> None:
    status, headers, body = seat.client.ask("GET", "")
    assert (status, body) == (200, PLAY_PAGE.read_bytes())
    assert headers["content-security-policy"] == policy(body)
    assert headers["cache-control"] == "no-store"
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "set-cookie" not in headers
    assert "server" not in headers


def test_a_policy_names_the_pages_own_scripts_and_styles() -> None:
    def named(text: bytes) -> str:
        return f"'sha256-{b64encode(sha256(text).digest()).decode()}'"

    page = b'<style>a{}</style><script type="module">1\n2</script><script>3</script>'
    directives = dict(each.strip().split(" ", 1) for each in policy(page).split(";"))
    assert directives["script-src"] == f"{named(b'1' + bytes([10]) + b'2')} {named(b'3')}"
    assert directives["style-src"] == named(b"a{}")
    assert directives["default-src"] == "'none'"
    assert "script-src 'none'" in policy(b"<p>")
    assert policy(b"<p>").endswith("; frame-ancestors 'none'")
    assert policy(b"<p>", "'self'").endswith("; frame-ancestors 'self'")


def test_few_pages_follow_a_seat(seat: Referee) -> None:
    seat.tell(HELLO)
    with contextlib.ExitStack() as stack:
        for _ in range(8):
            stack.enter_context(seat.client.events()).until("tabs")
        assert seat.client.ask("GET", "lines")[0] == 503


def test_a_hint_needs_an_open_request(seat: Referee) -> None:
    seat.tell(HELLO)
    assert seat.client.post("hint", {"id": 0}) == 409


def test_a_review_needs_a_deal_that_is_over(seat: Referee) -> None:
    seat.tell(HELLO, ask(0))
    assert seat.client.ask("GET", "review?deal=0")[0] == 404
    assert seat.client.ask("GET", "review?deal=one")[0] == 422


def test_what_fails_in_a_handler_is_told_without_its_values_and_others_go_on(
    seat: Referee, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def leave(_: object) -> None:
        raise ValueError(seat.client.path)

    with monkeypatch.context() as broken:
        broken.setattr(PersonSeat, "leave", leave)
        assert seat.client.post("leave", None) == 500
    assert capfd.readouterr().err.startswith("internal error: ValueError at leave:")
    assert seat.client.post("leave", None) == 204


def test_the_server_ends_with_open_streams_and_half_requests() -> None:
    with served(1) as (server, [seat]):
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
    with served(1) as (server, [seat]):
        with seat.client.events() as stream:
            seat.tell(HELLO, BYE)
            stream.until("over")
            assert not server.wait(0.3)
        assert server.wait(PATIENCE_S)


def test_who_is_away_for_too_long_has_left() -> None:
    ours, theirs = socket.socketpair()
    with ours, ours.makefile("rb") as file, contextlib.closing(SeatServer([theirs], 0.2)):
        ours.sendall(encode(HELLO))
        ours.settimeout(PATIENCE_S)
        assert file.readline() == b""


@pytest.mark.slow
def test_who_does_not_read_is_cut_off_and_others_go_on(seat: Referee) -> None:
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
    with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as half:
        half.sendall(b"GET / HTTP/1.1\r\nHost: ")
        with contextlib.suppress(ConnectionError):
            assert half.recv(10) == b""
    body = b"POST %sanswer HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\n"
    with socket.create_connection((host, int(port)), timeout=PATIENCE_S) as half:
        head = body % (seat.client.path.encode(), seat.client.host.encode())
        half.sendall(head + b"Content-Length: 100\r\n\r\n{")
        assert half.recv(100).startswith(b"HTTP/1.1 408")
