"""A bot's network: the addresses that its league's file names, at every level, and nothing else."""

import os
import socketserver
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from arena.base.isolation_levels import IsolationLevel
from arena.bots.manifest import read_bot
from arena.cluster.executor import DaskExecutor
from arena.engine.builds import Copy, prepare
from arena.engine.job import Job
from arena.engine.network import MOST_CONNECTIONS
from arena.engine.worker import play_match
from arena.match.record import MatchRecord
from arena.sandbox.folders import remove_folder
from arena.sandbox.isolation import Isolation
from arena.tasks.league_run import Roster
from tests.engine.test_worker import plan_of
from tests.support.bots import good, isolation_at, needs_full_sandbox, write_bot
from tests.support.command import held_port

LEVELS: list[IsolationLevel] = ["bubblewrap", "landlock", "none"]

ASKING = """
import os, socket, sys, time
arena = socket.socket(fileno=int(os.environ["ARENA_NETWORK"]))
def ask(address):
    arena.send(address if isinstance(address, bytes) else address.encode())
    text, streams, _, _ = socket.recv_fds(arena, 2000, 1)
    return socket.socket(fileno=streams[0]) if streams else text.decode()
def echo(stream):
    stream.sendall(b"x" * 200_000)
    stream.shutdown(socket.SHUT_WR)
    return sum(map(len, iter(lambda: stream.recv(65536), b"")))
def tell(attempt):
    try:
        said = attempt()
    except (OSError, KeyError) as error:
        said = type(error).__name__
    print(said, file=sys.stderr, flush=True)
"""


class _Echo(socketserver.BaseRequestHandler):
    def handle(self) -> None:
        while data := self.request.recv(65536):
            self.request.sendall(data)


@contextmanager
def echoing() -> Iterator[str]:
    """The address of a server that sends back what it gets."""
    socketserver.ThreadingTCPServer.allow_reuse_address = True
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), _Echo) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def played(
    folder: Path, apart: Isolation, attempts: list[str], network: tuple[str, ...]
) -> MatchRecord:
    """A match in which the first bot makes its attempts before it plays; two have no network."""
    tried = "".join(f"tell(lambda: {attempt})\n" for attempt in attempts)
    alone = 'print("ARENA_NETWORK" in os.environ, "KEY" in os.environ, file=sys.stderr)\n'
    asking = write_bot(folder / "asking", ASKING + tried + good())
    other = write_bot(folder / "other", f"import os, sys\n{alone}{good()}")
    for bot in (asking, other):  # the Python that all users can reach
        manifest = bot / "bot.toml"
        manifest.write_text(manifest.read_text().replace(sys.executable, "python3"))
    programs = [prepare(read_bot(bot), apart) for bot in (asking, other, other)]
    programs[0] = msgspec.structs.replace(
        programs[0], network=network, environment=("KEY", "MISSING")
    )
    return play_match(Job(plan_of(1), tuple(programs), apart))


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder for copies that bots which run as other users can reach."""
    if os.geteuid() != 0:
        yield
        return
    own = Path(f"/var/cache/zole-arena-tests-{os.getpid()}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(own))
    yield
    remove_folder(own)


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_reaches_what_its_league_names_and_no_more(
    tmp_path: Path, level: IsolationLevel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEY", "of the organiser")
    monkeypatch.setenv("SECRET", "of the arena")
    with echoing() as named, echoing() as other, held_port() as silent:
        closed = f"127.0.0.1:{silent}"
        outcomes = {
            f"echo(ask('{named}'))": "200000",
            f"ask('{other}')": f"no connection to {other}: the league's file does not allow it",
            f"ask('{named} ')": f"no connection to {named} : the league's file does not allow it",
            "ask(b'\\xff' * 9000)[-35:]": "the league's file does not allow it",
            f"'refused' in ask('{closed}') or 'failed' in ask('{closed}')": "True",
            f"[type(ask('{named}')) for _ in range({MOST_CONNECTIONS})] and echo(ask('{named}'))": (
                "200000"  # streams that are let go are no longer counted
            ),
            f"[ask('{named}') for _ in range({MOST_CONNECTIONS + 1})][-1]": (
                f"no connection to {named}: {MOST_CONNECTIONS} are open already"
            ),
            "os.environ['KEY']": "of the organiser",
            "os.environ['MISSING']": "KeyError",
            "os.environ['SECRET']": "KeyError",
        }
        record = played(tmp_path, isolation_at(level), list(outcomes), (named, closed))
    assert record.results.faults == ()
    assert record.stderr[0].splitlines() == list(outcomes.values())
    assert record.stderr[1].split() == ["False", "False"]


@pytest.mark.usefixtures("kept")
@pytest.mark.parametrize("level", LEVELS[:2])
def test_a_stream_leads_nowhere_else(tmp_path: Path, level: IsolationLevel) -> None:
    with echoing() as named, echoing() as other:
        port = other.rpartition(":")[2]
        outcomes = {
            f"ask('{named}').connect('/run/other')": "PermissionError",
            f"socket.create_connection(('127.0.0.1', {port}))": "OSError",
            "socket.socket(socket.AF_UNIX)": "OSError",
            "arena.bind('\\0name')": "PermissionError",
            f"socket.send_fds(ask('{named}'), [b'x'], [0])": "PermissionError",
            "socket.send_fds(arena, [b'x'], [0])": "PermissionError",
            "arena.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 24)": "OSError",
        }
        record = played(tmp_path, isolation_at(level), list(outcomes), (named,))
    assert record.stderr[0].splitlines() == list(outcomes.values())


@needs_full_sandbox
@pytest.mark.parametrize(
    "attempt",
    [
        "[arena.send(b'junk', socket.MSG_DONTWAIT) for _ in range(100_000)]",
        "[arena.send(b'{named}', socket.MSG_DONTWAIT) for _ in range(100_000)]",
        "[ask('{named}').close() for _ in range(7)]",
        "ask('{named}').send(b'x' * 5_000_000, socket.MSG_DONTWAIT) and os.close(arena.fileno())",
        "arena.send(b'')",
    ],
)
def test_nobody_else_suffers_from_how_a_bot_uses_its_network(tmp_path: Path, attempt: str) -> None:
    with echoing() as named:
        attempts = [attempt.replace("{named}", named)]
        record = played(tmp_path, isolation_at("bubblewrap"), attempts, (named,))
    assert record.results.faults == ()


def test_a_league_with_a_network_is_played_by_this_machine_alone(tmp_path: Path) -> None:
    bot = read_bot(write_bot(tmp_path / "a", good()))
    roster = Roster(tmp_path, isolation_at("none"))
    roster.copies["a"] = Copy(bot, "0" * 64, network=("example.org:443",))
    with pytest.raises(Exception, match="play the league without --cluster"):
        DaskExecutor(1, roster, print)
