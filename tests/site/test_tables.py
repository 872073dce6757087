"""The service of guests' tables by itself: bounds, absence, garbage, and who ends with whom."""

import asyncio
import contextlib
import errno
import os
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.base.errors import ArenaError, MachineError
from arena.bots.levels import LEVELS
from arena.sandbox.box import children
from arena.site import process as site_process
from arena.site import tables
from arena.site.documents import STANDINGS, Standings
from arena.site.published import Publisher
from arena.site.tables import GuestTables, guest_terms
from tests.support.command import held_port, lives
from tests.support.guest_site import GuestSite, SeatClient
from tests.support.made_site import MADE
from tests.support.patience import PATIENCE_S, until
from tests.support.web import SAME


@contextlib.contextmanager
def hosted(folder: Path, more: str = "") -> Iterator[GuestSite]:
    """The service in a thread of the test."""
    with held_port() as port, running(GuestSite(folder, more, tables_port=port)) as site:
        yield site


@contextlib.contextmanager
def running(site: GuestSite) -> Iterator[GuestSite]:
    tables = GuestTables(site.site)
    thread = threading.Thread(target=lambda: asyncio.run(tables.run()))
    thread.start()
    try:
        until(lambda: tables.server.started or not thread.is_alive())
        assert thread.is_alive()
        yield site
    finally:
        tables.server.stop()
        thread.join()


def opened(site: GuestSite) -> SeatClient:
    status, headers, said = site.sit()
    assert status == 303, said
    return SeatClient(site, headers["location"])


@contextlib.contextmanager
def seated(site: GuestSite) -> Iterator[tuple[SeatClient, Any]]:
    """A guest to whom something was said, and all that is said to it later."""
    seat = opened(site)
    with seat.events() as stream:
        assert stream.lines(1)
        yield seat, stream


def over(seat: SeatClient) -> Any:
    """What is told of a table that is over, None before."""
    about = seat.about()
    return about if about["log"] or not about["watch"] else None


def log_of(seat: SeatClient) -> bytes:
    until(lambda: over(seat), 0.1)
    return seat.ask("GET", "log")[2]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[GuestSite]:
    with hosted(tmp_path_factory.mktemp("tables")) as site:
        yield site


def test_an_unknown_key_opens_nothing(site: GuestSite) -> None:
    at_seat = [("GET", path) for path in ("", "lines", "about", "log", "review?deal=0")]
    at_seat += [("POST", path) for path in ("answer", "hint", "leave")]
    for key in ("x", "..%2f..%2fx", "%c3%a9"):
        asked = [(method, f"/tables/{key}/{path}") for method, path in at_seat]
        asked += [("GET", f"/tables/watch/{key}/{path}") for path in ("", "lines", "about")]
        for method, path in asked:
            assert site.ask(method, path, {"id": 1} if method == "POST" else None)[0] == 404, path


@pytest.mark.parametrize(
    ("body", "status"), [(b"bot1=\xff", 422), (b"&".join([b"a=b"] * 30), 422), (b"x" * 20_000, 413)]
)
def test_a_body_that_is_no_form_is_told_so(site: GuestSite, body: bytes, status: int) -> None:
    kind = "application/x-www-form-urlencoded"
    assert site.ask("POST", "/tables/", body, Content_Type=kind)[0] == status
    assert site.ask("POST", "/tables/", {})[0] == 415


def test_what_is_not_of_tables_is_the_sites(site: GuestSite) -> None:
    status, headers, _ = site.ask("GET", "/matches")
    assert (status, headers["location"]) == (303, f"{site.site.address}/matches")
    assert site.ask("POST", "/matches", {})[0] == 404


def publish_benched(site: GuestSite, *bots: str) -> None:
    playing, benched = map(MADE.standing, (0, 9))
    lines = [msgspec.structs.replace(benched, bot=bot) for bot in bots]
    with closing(Publisher(site.site.published)) as publisher:
        publisher.put(STANDINGS, Standings(at=0.0, lines=(playing, *lines)))
        publisher.publish()


def test_only_what_its_author_allows_and_nobody_has_benched_is_played(tmp_path: Path) -> None:
    site = GuestSite(tmp_path)
    bots = ["careful", "learned", "master", "sampler", "willing"]
    assert sorted(guest_terms(site.site).copies) == bots
    publish_benched(site, "learned", "willing")
    terms = guest_terms(site.site)
    assert sorted(terms.copies) == ["careful", "master", "sampler"]
    assert terms.levels == {"careful": "beginner", "sampler": "strong", "master": "master"}
    (tmp_path / "ladder.toml").write_text("wrong")
    with pytest.raises(ArenaError):
        guest_terms(site.site)


@pytest.mark.slow
def test_where_all_are_benched_there_is_no_table(tmp_path: Path) -> None:
    with hosted(tmp_path) as site:
        publish_benched(site, *LEVELS.values(), "willing")
        assert site.sit()[0] == 503
        assert "willing" not in site.ask("GET", "/tables/")[2]


@pytest.mark.slow
@pytest.mark.parametrize("comes", [True, False])
def test_a_table_whose_guest_is_away_for_too_long_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, comes: bool
) -> None:
    monkeypatch.setattr(tables, "GUEST_ABSENT_S", 3.0 if comes else 1.0)
    with hosted(tmp_path) as site:
        seat = opened(site)
        if comes:
            with seat.events() as stream:
                assert stream.lines(1)
        log = log_of(seat)
        assert comes or b'"exited"' in log or b'"unready"' in log, "it failed, as a bot does"


def test_a_full_disk_ends_nobodys_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with held_port() as port:
        site = GuestSite(tmp_path, tables_port=port)
        with running(site):
            one, other = opened(site), opened(site)
            with monkeypatch.context() as patched:
                patched.setattr(tables, "write_whole", full)
                assert one.leave() == 204
                assert log_of(one)
            assert other.leave() == 204
            log = log_of(other)
        with running(site):
            assert log_of(other) == log


@pytest.mark.slow
def test_a_guest_is_advised_and_its_garbage_is_not_handed_on(site: GuestSite) -> None:
    seat = opened(site)
    with seat.events() as stream:
        hinted = 0
        for name, _, said in stream:
            if name == "line" and said["type"] == "deal_end":
                break
            if name != "line" or "hand" not in said:
                continue
            assert seat.post("answer", b"garbage", **SAME) == 422
            status, _, data = seat.ask("POST", "hint", {"id": said["id"]}, SAME)
            assert status == 200, data
            answer = msgspec.json.decode(data)["answer"]
            assert (answer["id"], seat.answer(answer)) == (said["id"], 204)
            hinted += 1
        assert hinted
    assert seat.ask("GET", "review?deal=7")[0] == 404
    assert msgspec.json.decode(seat.ask("GET", "review?deal=0")[2])["verdicts"]
    seat.leave()
    assert b"malformed" not in log_of(seat)


@pytest.mark.slow
def test_a_reader_who_does_not_read_holds_up_nobody(site: GuestSite) -> None:
    with seated(site) as (seat, _), contextlib.ExitStack() as stalled:
        for path in [f"{seat.path}lines"] * 5 + [f"{seat.watching.path}lines"] * 20:
            end = socket.create_connection(("127.0.0.1", site.tables_port))
            stalled.enter_context(end)
            end.sendall(f"GET {path} HTTP/1.1\r\nHost: {seat.host}\r\n\r\n".encode())
        assert seat.leave() == 204
        assert log_of(seat)


@pytest.mark.slow
def test_no_process_outlives_its_table_or_the_service(tmp_path: Path) -> None:
    with held_port() as port:
        site = GuestSite(tmp_path, tables_port=port)
        site.begin_tables()
        try:
            with seated(site) as (seat, stream):
                [table] = children(site.tables.pid)
                os.kill(table, signal.SIGKILL)  # the machine's means are at an end, say
                stream.until("over")
            assert until(lambda: over(seat), 0.1)["log"] == ""
            with seated(site):
                [table] = children(site.tables.pid)
                bots = children(table)
                assert len(bots) == 2
                site.tables.send_signal(signal.SIGTERM)
                assert site.tables.wait(PATIENCE_S) == 0
            until(lambda: not any(map(lives, (table, *bots))))
        finally:
            site.end()


def test_a_table_whose_process_stops_is_broken_off_and_keeps_nobody_from_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {*children(os.getpid())}  # tables of other tests, say

    def of_the_table() -> list[int]:
        """The process once its program is loaded: before, its parent waits for that."""
        found = []
        for pid in {*children(os.getpid())} - before:
            with contextlib.suppress(FileNotFoundError):
                if b"arena.engine.workers" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    found.append(pid)
        return found

    monkeypatch.setattr(tables, "END_S", 2.0)
    with hosted(tmp_path) as site:
        seat = opened(site)
        [process] = until(of_the_table)
        os.kill(process, signal.SIGSTOP)
        assert seat.leave() == 204
        assert lives(process)
        assert opened(site).leave() == 204
        assert until(lambda: over(seat), 0.1)["log"] == ""
    assert not lives(process)


def test_a_port_that_something_else_has_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_process, "HELD_S", 0.0)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        service = GuestTables(GuestSite(tmp_path, tables_port=port).site)
        with pytest.raises(MachineError, match=rf"cannot listen at 127\.0\.0\.1:{port}: .*in use"):
            asyncio.run(service.run())
