"""The host of guests' tables by itself: bounds, absence, garbage, and who is killed with whom."""

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
import trio

from arena.base.errors import ArenaError
from arena.bots.levels import LEVELS
from arena.sandbox.box import children
from arena.sandbox.isolation import NO_ISOLATION
from arena.site.config import Site
from arena.site.documents.league import STANDINGS, Standings
from arena.site.guests import kept as kept_module
from arena.site.guests.bots import benched_bots, guest_terms
from arena.site.guests.host import AT_ADDRESS, Host
from arena.site.guests.wire import (
    LEAVE,
    OWN_LINE,
    AnyAsk,
    DealReviewed,
    End,
    HintAsked,
    Hinted,
    Lounge,
    OpenTable,
    ReviewAsked,
    Sit,
    TableChoice,
    TableEnded,
    TableOpened,
    TableRefused,
    Watch,
    line_of,
    socket_of,
)
from arena.site.published import Publisher
from arena.site.registry.file import Registry
from arena.site.registry.stops import bench
from tests.support.command import lives
from tests.support.guest_site import GuestSite
from tests.support.made_site import MadeSite
from tests.support.patience import PATIENCE_S, until

AnyTold = TableRefused | TableChoice | TableOpened | Hinted | DealReviewed | TableEnded
told_in = msgspec.json.Decoder(AnyTold)


class Asker:
    """What the web process does with the host's socket."""

    def __init__(self, site: Site) -> None:
        self.path = str(socket_of(site))

    def connect(self, first: bytes) -> socket.socket:
        end = socket.socket(socket.AF_UNIX)
        end.settimeout(PATIENCE_S)
        end.connect(self.path)
        end.sendall(first)
        return end

    def ask(self, question: AnyAsk) -> AnyTold:
        with self.connect(line_of(question)) as end, end.makefile("rb") as file:
            told: AnyTold = told_in.decode(file.readline())
            return told

    def open(self, name: str, address: str = "", bots: tuple[str, ...] = ()) -> TableOpened:
        told = self.ask(OpenTable(name, address or name, bots))
        assert isinstance(told, TableOpened)
        return told

    @contextlib.contextmanager
    def sit(self, key: str) -> Iterator[tuple[socket.socket, Any]]:
        """A seat's socket and its lines, behind how the table stands."""
        with self.connect(line_of(Sit(key))) as end, end.makefile("rb") as file:
            assert file.readline().startswith(OWN_LINE)
            yield end, file

    @contextlib.contextmanager
    def begin(self, key: str) -> Iterator[tuple[socket.socket, Any]]:
        """A seat whose guest is ready."""
        with self.sit(key) as (end, file):
            assert b'"hello"' in file.readline()
            end.sendall(b'{"type":"ready","protocol":1}\n' * 3)
            yield end, file

    def over(self, key: str) -> TableEnded | None:
        """What a table came to, if it is over; nobody sits down to learn it."""
        told = self.ask(End(key))
        if isinstance(told, TableEnded):
            return told
        assert isinstance(told, TableRefused)
        assert told.status == 409
        return None

    def ended(self, key: str) -> TableEnded:
        """What a table came to, as soon as it is over."""
        with self.sit(key) as (_, file):
            for _ in file:
                pass
        told = self.ask(End(key))
        assert isinstance(told, TableEnded), told
        return told


@contextlib.contextmanager
def hosted(folder: Path, absent_s: float = PATIENCE_S, more: str = "") -> Iterator[Asker]:
    """A host in a thread of the test, whose guests may be away for so long."""
    with hosted_site(GuestSite(folder, more).site, absent_s) as host:
        yield host


@contextlib.contextmanager
def hosted_site(site: Site, absent_s: float = PATIENCE_S) -> Iterator[Asker]:
    """The same, of a site that is there already."""
    ready, cancel = threading.Event(), trio.CancelScope()
    tokens: list[trio.lowlevel.TrioToken] = []

    async def run() -> None:
        tokens.append(trio.lowlevel.current_trio_token())
        with cancel:
            async with trio.open_nursery() as nursery:
                await nursery.start(Host(site, NO_ISOLATION, absent_s=absent_s).serve)
                ready.set()

    thread = threading.Thread(target=trio.run, args=(run,))
    thread.start()
    try:
        until(lambda: ready.is_set() or not thread.is_alive())
        assert thread.is_alive()
        yield Asker(site)
    finally:
        tokens[0].run_sync_soon(cancel.cancel)
        thread.join()


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asker]:
    with hosted(tmp_path_factory.mktemp("host")) as host:
        yield host


def test_garbage_is_no_question_and_disturbs_nobody(host: Asker) -> None:
    for line in (b"\n", b"{\n", b"[" * 9000 + b"\n", b'{"ask":"sit"}\n', b"x" * 100_000, b"\xff\n"):
        with host.connect(line) as end, end.makefile("rb") as file:
            told = told_in.decode(file.readline())
            assert isinstance(told, TableRefused)
            assert told.status == 400
    assert isinstance(host.ask(Lounge("nobody")), TableChoice)


def test_an_unknown_key_opens_nothing(host: Asker) -> None:
    for question in (HintAsked("x"), ReviewAsked("x", 0), End("../../x"), End("é")):
        told = host.ask(question)
        assert isinstance(told, TableRefused)
        assert told.status == 404
    for follow in (Sit("x"), Watch("x"), Watch("é")):
        with host.connect(line_of(follow)) as end:
            assert end.recv(1) == b""


def test_who_goes_without_reading_to_the_end_disturbs_nobody(host: Asker) -> None:
    table = host.open("gone")
    for question in (Sit(table.seat), Watch(table.watch)):
        with host.connect(line_of(question)) as end:
            assert end.recv(1) == OWN_LINE[:1]  # closed with unread lines, the connection is reset
    for _ in range(3):
        assert isinstance(host.ask(Lounge("nobody")), TableChoice)


def test_only_what_its_author_allows_is_played(tmp_path: Path) -> None:
    site = GuestSite(tmp_path)
    terms = guest_terms(site.site.league)
    assert sorted(terms.copies) == ["careful", "learned", "master", "sampler", "willing"]
    (tmp_path / "ladder.toml").write_text("wrong")
    with pytest.raises(ArenaError):
        guest_terms(site.site.league)


def test_a_bot_that_was_benched_plays_no_guests(tmp_path: Path) -> None:
    site = GuestSite(tmp_path).site
    with closing(Registry.open(site.registry)) as registry:
        assert benched_bots(site) == set()
        bench(registry, "willing", "it prints rude words")
        assert benched_bots(site) == {"willing"}
    playing, benched = map(MadeSite().standing, (0, 9))
    failing = msgspec.structs.replace(benched, bot="learned")
    playing = msgspec.structs.replace(playing, bot="careful")
    with closing(Publisher.open(site.published)) as publisher, publisher.news() as news:
        table = Standings(version=1, at=0.0, lines=(playing, failing))
        news.put(STANDINGS, msgspec.json.encode(table))
    terms = guest_terms(site.league, benched_bots(site))
    assert sorted(terms.copies) == ["careful", "master", "sampler"]
    assert terms.house == {"careful": "beginner", "sampler": "strong", "master": "master"}
    assert guest_terms(site.league, {*LEVELS.values(), "willing"}).copies == {}


@pytest.mark.slow
def test_where_all_are_benched_there_is_no_table(tmp_path: Path) -> None:
    site = GuestSite(tmp_path).site
    with closing(Registry.open(site.registry)) as registry:
        for bot in (*LEVELS.values(), "willing"):
            bench(registry, bot, "")
    with hosted_site(site) as host:
        told = host.ask(OpenTable("a", "a", ()))
        assert isinstance(told, TableRefused)
        assert told.status == 503
        assert isinstance(host.ask(Lounge("nobody")), TableChoice), "the host goes on"


@pytest.mark.slow
def test_a_table_that_nobody_comes_to_is_given_up(tmp_path: Path) -> None:
    with hosted(tmp_path, absent_s=1.0) as host:
        opened = host.open("a")
        told = until(lambda: host.over(opened.seat), 0.1)
        assert told.log.count('"exited"') >= 1, "its guest has left, as a bot that ends"


def test_a_full_disk_ends_nobodys_table_and_loses_no_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    site = GuestSite(tmp_path).site
    with hosted_site(site) as host:
        one, other = host.open("a"), host.open("b")
        with monkeypatch.context() as patched:
            patched.setattr(kept_module, "write_whole", full)
            with host.begin(one.seat) as (end, _):
                end.sendall(LEAVE + b"\n")
            ended = until(lambda: host.over(one.seat))
        with host.begin(other.seat) as (end, _):
            end.sendall(LEAVE + b"\n")
        assert until(lambda: host.over(other.seat)).log
    with hosted_site(site) as host:
        assert host.over(one.seat) == ended


@pytest.mark.slow
def test_a_guest_who_is_away_for_too_long_has_left(tmp_path: Path) -> None:
    with hosted(tmp_path, absent_s=3.0) as host:
        opened = host.open("a")
        with host.sit(opened.seat) as (_, file):
            assert b'"hello"' in file.readline()
        assert until(lambda: host.over(opened.seat), 0.1).log


@pytest.mark.slow
def test_there_are_only_so_many_tables(tmp_path: Path) -> None:
    with hosted(tmp_path, more="tables = 3\n") as host, contextlib.ExitStack() as seats:
        first = []
        for number in range(AT_ADDRESS):
            first.append(host.open(str(number), "home"))
            seats.enter_context(host.sit(first[-1].seat))  # it would be given up
        assert host.open("0", "home") == msgspec.structs.replace(first[0], old=True)
        told = host.ask(OpenTable("another", "home", ()))
        assert isinstance(told, TableRefused)
        assert (told.status, told.wait_s) == (429, 60)
        third = host.open("x", "elsewhere")
        told = host.ask(OpenTable("y", "further", ()))
        assert isinstance(told, TableRefused)
        assert (told.status, told.wait_s) == (503, 60)
        assert len({each.seat for each in (*first, third)}) == 3
        for session, own in (("x", f"/tables/{third.seat}/"), ("y", "")):
            choice = host.ask(Lounge(session))
            assert isinstance(choice, TableChoice)
            assert (choice.free, choice.own) == (0, own)
        with host.sit(third.seat) as (end, file):
            end.sendall(LEAVE + b"\n")
            assert file.read() is not None
        assert host.ended(third.seat)
        assert host.open("y", "further")


@pytest.mark.slow
def test_a_guest_is_advised_and_its_garbage_is_not_handed_on(host: Asker) -> None:
    opened = host.open("advised")
    with host.begin(opened.seat) as (end, file):
        asked: Any = {}
        while "hand" not in asked:
            asked = msgspec.json.decode(file.readline())
        end.sendall(b"garbage\n{}\n\xff\n" + b'{"type":"play","id":99,"card":"QC"}\n')
        told = host.ask(HintAsked(opened.seat))
        assert isinstance(told, Hinted), told
        assert told.suggestion.answer.id == asked["id"]
        refused = host.ask(ReviewAsked(opened.seat, 7))
        assert isinstance(refused, TableRefused)
        assert refused.status == 404
        end.sendall(msgspec.json.encode(told.suggestion.answer) + b"\n")
        while (said := msgspec.json.decode(file.readline()))["type"] != "deal_end":
            assert said["type"] != "error"
            hint = host.ask(HintAsked(opened.seat))
            assert isinstance(hint, Hinted)
            assert hint.suggestion.answer.id == said["id"]
            end.sendall(msgspec.json.encode(hint.suggestion.answer) + b"\n")
        review = host.ask(ReviewAsked(opened.seat, 0))
        assert isinstance(review, DealReviewed)
        assert review.verdicts
        end.sendall(LEAVE + b"\n")
    log = host.ended(opened.seat).log
    assert "malformed" not in log


@pytest.mark.slow
def test_a_reader_who_does_not_read_holds_up_nobody(host: Asker) -> None:
    opened = host.open("stalled")
    stalled = [host.connect(line_of(Watch(opened.watch))) for _ in range(20)]
    stalled += [host.connect(line_of(Sit(opened.seat))) for _ in range(20)]
    with host.begin(opened.seat) as (end, file):
        assert file.readline()
        end.sendall(LEAVE + b"\n")
    assert host.ended(opened.seat).seed
    for each in stalled:
        each.close()


@pytest.mark.slow
def test_no_process_outlives_its_table_or_its_host(tmp_path: Path) -> None:
    site = GuestSite(tmp_path)
    site.begin_host()
    try:
        host = Asker(site.site)
        opened = host.open("a")
        assert site.host is not None
        with host.begin(opened.seat) as (_, file):
            assert file.readline()
            [table] = children(site.host.pid)
            os.kill(table, signal.SIGKILL)  # the machine's means are at an end, say
            assert file.read() == b"", "its guest is told"
        assert host.ended(opened.seat).log == ""
        other = host.open("b")
        with host.begin(other.seat) as (_, file):
            assert file.readline()
            [table] = children(site.host.pid)
            bots = children(table)
            assert len(bots) == 2
            site.host.send_signal(signal.SIGTERM)
            assert site.host.wait(PATIENCE_S) == 0
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
                if b"arena.site.guests.play" in Path(f"/proc/{pid}/cmdline").read_bytes():
                    found.append(pid)
        return found

    with hosted(tmp_path) as host:
        table = host.open("stopped")
        [process] = until(of_the_table)
        os.kill(process, signal.SIGSTOP)
        with host.sit(table.seat) as (end, _):
            end.sendall(LEAVE + b"\n")
            until(lambda: host.open("stopped").seat != table.seat)
        assert lives(process)
        monkeypatch.setattr("arena.site.guests.table.limit_s", lambda limits, deals: 0.0)
        assert host.ended(table.seat).log == ""
    assert not lives(process)
