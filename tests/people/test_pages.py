"""The site of people's seats: over real sockets, and with real bots through the real page."""

import contextlib
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.match.match import Match
from arena.match.wire import AskPlay, Bye, Refused, ToBot, encode
from arena.people import pages
from arena.people.pages import PLAY_PAGE, SeatServer
from arena.people.seat import PersonSeat
from arena.people.server import MOST_BODY_BYTES, policy
from tests.support.at_a_page import Person, Seen
from tests.support.browser import Browser, program
from tests.support.command import PROJECT, run_here
from tests.support.patience import PATIENCE_S
from tests.support.scripted import plan_of
from tests.support.seat_client import Client, Events

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
        self.stream: Events

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
    """A seat with an open page, whose person has been asked."""
    seat.tell(HELLO, ask(0))
    with seat.client.events() as seat.stream:
        seat.stream.lines(2)
        assert seat.hear()["type"] == "ready"
        yield seat


def test_an_answer_is_taken_once(asked: Referee) -> None:
    post = asked.client.post
    assert post("answer", {"type": "ready", "protocol": 1}) == 409, "the server gives it"
    assert post("answer", card(1)) == 409
    assert post("answer", card(0)) == 204
    assert post("answer", card(0)) == 409
    assert asked.hear() == card(0)
    asked.tell(Refused(0, "illegal", "it is not"))
    asked.stream.lines(1)
    assert post("answer", card(0)) == 204, "a refused answer is asked for again"
    assert asked.hear() == card(0)
    asked.tell(HELLO)
    assert asked.stream.lines(1)[0][0] == 4
    assert asked.hear()["type"] == "ready", "a match that begins anew is greeted anew"
    assert post("answer", card(0)) == 409, "nothing is asked yet"
    assert post("hint", {"id": 0}) == 409


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
    assert (status, body) == (200, PLAY_PAGE.read_bytes())
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
    with contextlib.ExitStack() as stack:
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


def test_a_person_without_a_page_for_too_long_has_left() -> None:
    ours, theirs = socket.socketpair()
    with ours, ours.makefile("rb") as file, contextlib.closing(SeatServer([theirs], 0.2)):
        ours.sendall(encode(HELLO))
        ours.settimeout(PATIENCE_S)
        assert file.readline() == b""


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
            with contextlib.suppress(ConnectionError):
                assert half.recv(12) == answer


@contextmanager
def table(folder: Path, *options: str, people: int = 1) -> Iterator[tuple[list[str], Path]]:
    """The addresses of people at a table with sample bots, and the record of the match.

    Once it is left, the match has been played to its end and its record verified.
    """
    record = folder / "played.db"
    words = ["play", "--no-browser", "--record", str(record), "--people", str(people), *options]
    with subprocess.Popen(
        [sys.executable, "-m", "arena", *words, "--seed", "5"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=PROJECT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        try:
            said: list[str] = []
            while len(said) < people:
                line = process.stdout.readline()
                assert line
                said += [line.split()[-1]] * ("http://" in line)
            yield said, record
            assert process.wait(PATIENCE_S) == 0
        finally:
            process.kill()
    done = run_here("verify", record)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow
def test_the_server_stays_until_the_page_has_shown_the_end_and_its_reviews(
    page: Browser, tmp_path: Path
) -> None:
    rules = tmp_path / "four.toml"
    rules.write_text('preset = "pagat"\nplayers = 4\n')
    with table(tmp_path, "--rules", str(rules), "--deals", "1") as ((address,), _):
        person = Person(page, 4, bids=0)
        page.visit(address)
        page.value('localStorage.setItem("zole:pace", "calmly")')
        page.reload()
        seen = person.looks()
        while not seen.over:
            person.does(seen)
            seen = person.looks(seen)
        page.until("document.querySelector('.better h3') && !document.querySelector('.looking')")
        assert page.value("fetch('../zole').then((answer) => answer.ok)")
        page.leave()


@pytest.mark.slow
def test_two_people_play_in_two_browsers(page: Browser, tmp_path: Path) -> None:
    path = program()
    assert path is not None
    with (
        Browser(path) as other,
        table(tmp_path, "--deals", "4", people=2) as (addresses, _),
    ):
        other.window(390, 844, "dark")
        people = [Person(page, 6), Person(other, 7, taps=True)]
        for person, address in zip(people, addresses, strict=True):
            person.sits(address)
        last: list[Seen | None] = [None, None]
        while not all(seen is not None and seen.over for seen in last):
            for number, person in enumerate(people):
                seen = person.glances(last[number])
                if seen is not None:
                    last[number] = seen
                    if not seen.over:
                        person.does(seen)
        page.leave()
        other.leave()
