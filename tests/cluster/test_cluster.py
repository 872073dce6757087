"""Leagues on a cluster of real processes: losing a worker costs time and nothing else.

Schedulers and workers that stop, lie or flood cost their own time and nothing else either.
"""

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from arena.cluster import executor, scheduler
from arena.record.audit import ledger_flaws
from arena.record.store import Store
from arena.site.config import read_site
from tests.cli.test_league import standings
from tests.site.test_play import OVER_AT_ONCE, Short
from tests.support.bots import good, open_gate, write_bot, write_gated_league, write_league
from tests.support.command import besides_level, run, run_here
from tests.support.machines import (
    Machines,
    dask_forks,
    kept_port,
    machines,
    networks,
    open_folder,
    processes_of,
)
from tests.support.patience import PATIENCE_S, until
from tests.support.records import timeless_matches
from tests.support.whole_site import write_site

# Looks without importing it, which every process of the tests would do.
needs_dask = pytest.mark.skipif(
    find_spec("distributed") is None, reason="the extra [cluster] is not installed"
)

pytestmark = needs_dask

SEED = "23"


# --- what each test has: a folder, machines, a league, and how one machine plays it ---


@pytest.fixture(scope="module", autouse=True)
def _forks() -> Iterator[None]:
    with dask_forks():
        yield


@pytest.fixture(scope="module")
def network() -> Iterator[str]:
    """The address of a scheduler whose workers come and go with the tests."""
    with open_folder() as folder, machines(folder / "machines") as there:
        yield there.scheduler()


@pytest.fixture
def place() -> Iterator[Path]:
    with open_folder() as folder:
        yield folder


@pytest.fixture
def there(place: Path) -> Iterator[Machines]:
    with machines(place / "machines") as found:
        yield found


def league_in(folder: Path) -> Path:
    """A league that cannot be over before its gate is open; one bot is built."""
    league = write_gated_league(folder, "abcd", deals=2, more="seatings = 3\n")
    with (folder / "d" / "bot.toml").open("a") as manifest:
        manifest.write('build = ["sh", "-c", "echo made > made"]\n')
    for each in folder.glob("*/bot.toml"):  # whatever Python a machine has
        each.write_text(each.read_text().replace(sys.executable, "python3"))
    return league


@pytest.fixture
def league(place: Path) -> Path:
    return league_in(place)


@pytest.fixture(scope="session")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    league = league_in(tmp_path_factory.mktemp("alone"))
    open_gate(league)
    assert run_here("league", league, "--seed", SEED).returncode == 0
    return league


def play(there: Machines, league: Path, address: str, *workers: str, nanny: bool = True) -> None:
    """Start workers and a league on them; returns once that is being played."""
    for name in workers:
        there.worker(name, address, *(() if nanny else ("--no-nanny",)))
    there.registered(*workers)
    there.league(league, "--seed", SEED, "--cluster", address)
    there.until("1 at a time", len(workers))
    there.until("decisions a second")


def play_again(league: Path, address: str) -> str:
    """Play the rest of a league in this process; returns what it said of it."""
    open_gate(league)
    done = run_here("league", league, "--seed", SEED, "--cluster", address)
    assert done.returncode == 0, done.stderr
    return done.stderr


def same(league: Path, alone: Path) -> None:
    """Check that a league was played as on one machine."""
    assert standings(league) == standings(alone)
    assert timeless_matches(league.with_suffix(".db")) == timeless_matches(alone.with_suffix(".db"))
    assert run("verify", league).returncode == 0


def ends_as_alone(there: Machines, league: Path, alone: Path) -> None:
    """Let a league come to its end, and check that it was played as on one machine."""
    open_gate(league)
    assert there.all["arena"].wait(PATIENCE_S) == 0, there.log()
    assert "Traceback" not in there.log()
    same(league, alone)


# --- machines that are lost ---


def test_a_lost_machine_costs_time_and_nothing_else(
    league: Path, alone: Path, network: str, there: Machines
) -> None:
    there.worker("first", network, "--no-nanny", of_another_user=True)
    play(there, league, network, "second", nanny=False)
    there.until("1 at a time", 2)
    there.all["first"].kill()  # that process alone: its process and its bots end by themselves
    there.all.pop("first").wait()
    there.vacated("first")
    there.until("it is gone; others play its matches")
    ends_as_alone(there, league, alone)
    assert (there.folder / "second" / "zole-arena" / "bots").is_dir()


@pytest.mark.slow
def test_a_worker_and_then_the_scheduler_are_lost_and_the_record_is_the_same(
    league: Path, alone: Path, there: Machines
) -> None:
    with networks("h", "a", "b") as (h, a, b):
        address = there.scheduler(host=h.host, within=h.within)
        assert address.startswith(f"tcp://{h.host}:")
        there.worker("first", address, within=a.within, of_another_user=True)
        there.worker("second", address, "--no-nanny", within=b.within)
        there.registered("first", "second")
        there.league(league, "--seed", SEED, "--cluster", address, within=h.within)
        there.until("1 at a time", 2)
        assert all(f"worker tcp://{its.host}:" in there.log() for its in (a, b))
        there.until("decisions a second")
        there.kill("first")
        there.vacated("first")
        there.until("it is gone; others play its matches")
        there.kill("scheduler")
        there.until("the scheduler is gone; it is tried again every 60 s")
        there.all.pop("second").wait(PATIENCE_S)  # for a service to start anew
        there.vacated("second")
        there.until("this machine plays until one comes")
        there.scheduler("--port", address.rpartition(":")[2], host=h.host, within=h.within)
        there.worker("third", address, within=a.within)
        there.registered("third")
        there.until("1 at a time", 3)
        ends_as_alone(there, league, alone)
        for name in list(there.all):
            there.kill(name)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]
)
def test_a_run_that_is_stopped_or_killed_is_continued_by_the_same_command(
    league: Path, alone: Path, network: str, there: Machines, number: signal.Signals, code: int
) -> None:
    play(there, league, network, "first", nanny=False)
    there.all["arena"].send_signal(number)
    open_gate(league)
    assert there.all["arena"].wait(PATIENCE_S) == code
    told = "stopped; every finished match is stored. Run the same command to continue"
    assert (there.log().splitlines()[-1] == told) is (number != signal.SIGKILL)
    assert "Traceback" not in there.log()
    play_again(league, network)
    same(league, alone)


@pytest.mark.slow
def test_the_match_of_a_killed_run_is_ended(place: Path, network: str, there: Machines) -> None:
    league = write_league(place, deals=2, sandbox="")
    write_bot(place / "a", good(before="time.sleep(10_000)"))
    there.worker("first", network, "--no-nanny")
    there.registered("first")
    there.league(league, "--cluster", network, "--no-timeout")
    there.until("the first matches")
    until(lambda: any(processes_of(there.folder / "first" / "zole-arena" / "bots")))
    there.kill("arena")
    there.vacated("first/zole-arena")


def test_a_worker_without_the_arena_says_so(place: Path, network: str, there: Machines) -> None:
    broken = place / "broken" / "arena" / "__init__.py"
    broken.parent.mkdir(parents=True)
    broken.write_text("raise ModuleNotFoundError(\"No module named 'arena'\")\n")
    there.worker("bare", network, "--no-nanny", packages=place / "broken")
    there.registered("bare")
    done = run_here("league", write_league(place), "--cluster", network)
    assert done.returncode == 0
    for words in (
        ": it fails to answer: No module named 'arena'; restart it",
        "this machine plays until one comes",
    ):
        assert words in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_cluster_of_this_machine_starts_and_ends_with_the_run(league: Path, alone: Path) -> None:
    assert play_again(league, "local:2").count("1 at a time") == 2
    same(league, alone)


# --- schedulers behind TLS, servers that are none, and words that name none ---


def certificates(folder: Path) -> dict[str, str]:
    from distributed.security import Security

    new = Security.temporary()
    folder.mkdir()
    texts = {"ca-file": new.tls_ca_file, "cert": new.tls_client_cert, "key": new.tls_client_key}
    for option, text in texts.items():
        (folder / option).write_text(text)
    return {option: str(folder / option) for option in texts}


def configured(files: Mapping[str, str]) -> Any:
    import dask.config

    names = {"ca-file": "ca-file", "cert": "client.cert", "key": "client.key"}
    return dask.config.set(
        {f"distributed.comm.tls.{names[it]}": file for it, file in files.items()}
    )


@pytest.mark.slow
def test_a_scheduler_behind_tls_is_reached_with_its_certificates_alone(
    place: Path, league: Path, alone: Path, there: Machines
) -> None:
    def refusal(address: str) -> str:
        done = run_here("league", league, "--seed", SEED, "--cluster", address)
        assert done.returncode == 3
        [_, refused] = besides_level(done.stderr)
        return refused

    own, other = certificates(place / "own"), certificates(place / "other")
    words = [f"--tls-{option}={file}" for option, file in own.items()]
    address = there.scheduler("--protocol", "tls", *words)
    assert address.startswith("tls://")
    there.worker("first", address, "--no-nanny", *words)
    there.registered("first")
    assert "this address needs certificates" in refusal(address)
    plain = address.replace("tls:", "tcp:")
    refused = refusal(plain)
    assert refused.startswith(f"{plain}: no scheduler answers: ")
    assert refused.endswith(f"or is it behind {address}?")
    with configured({**other, "ca-file": own["ca-file"]}):
        assert "no scheduler answers: " in refusal(address)
    with configured(own):
        play_again(league, address)
    same(league, alone)


@contextmanager
def port(talk: Callable[[socket.socket], object]) -> Iterator[str]:
    """The address of something that talks in its own way to each client."""

    def answer(client: socket.socket) -> None:
        with suppress(OSError), client:
            talk(client)

    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    threading.Thread(target=answer, args=server.accept()[:1], daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)


def speak_http(client: socket.socket) -> None:
    client.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    client.recv(1 << 16)


def be_silent(client: socket.socket) -> None:
    while client.recv(1 << 16):
        pass


def flood(client: socket.socket, pause_s: float, said: Sequence[bytes]) -> None:
    """Say something, and its last part again and again."""
    client.sendall(b"".join(said))
    while True:
        client.sendall(said[-1])
        time.sleep(pause_s)


@pytest.mark.parametrize(
    ("talk", "why"),
    [
        (speak_http, ""),
        (be_silent, "nothing that a scheduler says in 0.5 s"),
        *(
            pytest.param(
                partial(flood, pause_s=pause, said=said), "", marks=pytest.mark.slow, id=it
            )
            for it, pause, said in (
                ("zeros", 0.0, [bytes(65536)]),
                ("sevens", 0.0, [b"\x07" * 65536]),
                ("a large message", 0.0, [(1 << 40).to_bytes(8, "little"), bytes(65536)]),
                ("a byte at a time", 0.5, [b"\x01"]),
            )
        ),
    ],
)
def test_another_server_is_not_taken_for_a_scheduler(
    place: Path,
    monkeypatch: pytest.MonkeyPatch,
    talk: Callable[[socket.socket], None],
    why: str,
) -> None:
    monkeypatch.setattr(scheduler, "REACH_S", 0.5)
    with port(talk) as address:
        done = run_here("league", write_league(place), "--cluster", address)
    assert done.returncode == 3, done.stderr
    told = done.stderr.splitlines()[-1]
    assert told.startswith(f"{address}: no scheduler answers: ")
    assert (why in told, "Traceback" in done.stderr) == (True, False)


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("--cluster", "here"), 2, "here is not a cluster"),
        (("--cluster", "local:0"), 2, "local:0 is not a cluster"),
        (("--cluster", "local:2", "--jobs", "2"), 2, "--jobs is for this machine"),
        (("--cluster", "tcp://127.0.0.1:1"), 3, "no scheduler answers"),
        (("--cluster", "tcp://nowhere"), 2, "is not a cluster"),
        (("--cluster", "tls://127.0.0.1:1"), 3, "this address needs certificates"),
    ],
)
def test_mistakes_are_reported_in_one_line(
    place: Path, arguments: tuple[str, ...], code: int, told: str
) -> None:
    league = write_league(place)
    done = run_here("league", league, *arguments)
    assert done.returncode == code
    assert told in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    assert league.with_suffix(".db").exists() is (code == 3)  # a mistake of words begins nothing


# --- machines that stop, and those that lie ---


LIE = """
import time
import msgspec
from arena.cluster import worker
from arena.cluster.worker import RemoteAnswer, RemoteMatch

# Dask loads this more than once.
honest = vars(worker).setdefault("HONEST", worker.play_remote)
encode, replace = msgspec.msgpack.encode, msgspec.structs.replace

def lying(change):
    def play_remote(asked, *packed):
        answer = msgspec.msgpack.decode(honest(asked, *packed), type=RemoteAnswer)
        if answer.record is not None:
            answer = RemoteAnswer(change(answer.record))
        return encode(answer)
    return play_remote

def forged(record):
    paid = ((2, -1, -1),) * len(record.results.payments)
    return replace(record, results=replace(record.results, payments=paid))

def spoilt(record):
    return replace(record, log=record.log[:-20] + b"x" * 20)

def other(asked, *packed):
    match = msgspec.msgpack.decode(asked, type=RemoteMatch)
    plan = replace(match.plan, deals=match.plan.deals[::-1])
    return honest(encode(replace(match, plan=plan)), *packed)

def raising(error):
    def play_remote(asked, *packed):
        raise error
    return play_remote
"""

LIES = {
    "forged payments": "lying(forged)",
    "a spoilt log": "lying(spoilt)",
    "another match": "other",
    "spoilt bytes": "lambda asked, *packed: honest(asked, *packed)[::-1]",
    "no bytes": "lambda asked, *packed: {'played': 1}",
    "a huge answer": "lambda asked, *packed: b'a' * (200 << 20)",
    "an error of a terminal": "raising(ValueError('\\x1b[2J\\nmore' * 999))",
    "an exit": "raising(SystemExit(1))",
    "always void": "lambda asked, *packed: encode(RemoteAnswer(void='no'))",
}


@pytest.mark.slow
@pytest.mark.parametrize("lie", LIES)
def test_a_worker_that_lies_is_named_and_replaced(
    league: Path, alone: Path, there: Machines, lie: str
) -> None:
    address, file = there.scheduler(), there.folder / "liar.py"
    file.write_text(f"{LIE}\nworker.play_remote = {LIES[lie]}\n")
    there.worker("liar", address, "--preload", str(file))
    there.worker("honest", address)
    there.registered("liar", "honest")
    open_gate(league)
    there.league(league, "--seed", SEED, "--cluster", address)
    there.until("others play its matches")
    ends_as_alone(there, league, alone)
    assert "\x1b[2J" not in there.log()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stops", "workers", "told"),
    [
        ("first", ("first", "honest"), ("it has stopped: no sign of life",)),
        (
            "scheduler",
            ("first",),
            (
                "the scheduler has not answered for 20 s; it is tried again",
                "this machine plays until one comes",
            ),
        ),
    ],
)
def test_a_machine_that_stops_is_named_and_others_play(
    league: Path,
    alone: Path,
    there: Machines,
    stops: str,
    workers: Sequence[str],
    told: Sequence[str],
) -> None:
    play(there, league, there.scheduler(), *workers, nanny=stops == "scheduler")
    os.kill(there.all[stops].pid, signal.SIGSTOP)
    for words in told:
        there.until(words)
    ends_as_alone(there, league, alone)


@pytest.mark.slow
def test_ctrl_c_ends_a_run_whose_scheduler_has_stopped(league: Path, there: Machines) -> None:
    play(there, league, there.scheduler(), "first")
    os.kill(there.all["scheduler"].pid, signal.SIGSTOP)
    there.all["arena"].send_signal(signal.SIGINT)
    assert there.all["arena"].wait(PATIENCE_S) == 130, there.log()
    assert "every finished match is stored" in there.log().splitlines()[-1]


# --- the league of a site ---


def played_site(address: str, folder: Path, kind: type[Short] = Short) -> str:
    """What a site said while it played its league, after which its record is checked."""
    path = write_site(folder, "abc", OVER_AT_ONCE, f'cluster = "{address}"\n')
    said = kind(read_site(path)).play()
    with closing(Store.open(folder / "ladder.db")) as store:
        assert (store.sealed(), [*ledger_flaws(store)]) == (1, [])
        assert len(store.stored()) == 6 * len(store.fold().orders) >= 12
    return "\n".join(said)


@pytest.mark.parametrize("there_is", ["a scheduler without workers", "no scheduler"])
def test_without_workers_a_site_plays_by_itself(
    there_is: str, tmp_path: Path, there: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "ALONE_S", 0.0)
    address = there.scheduler()
    if there_is == "no scheduler":
        there.kill("scheduler")
    assert f"{address} has no worker: this machine plays until one comes" in played_site(
        address, tmp_path
    )


def test_the_workers_of_a_scheduler_play_a_sites_league_also_if_it_comes_later(
    tmp_path: Path, there: Machines, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(executor, "RETRY_S", 0.2)
    monkeypatch.setattr(executor, "ALONE_S", PATIENCE_S)

    class Watched(Short):
        def say(self, what: str) -> None:
            super().say(what)
            if "no scheduler answers" in what and "scheduler" not in there.all:
                there.worker("first", there.scheduler("--port", kept))

    with kept_port() as kept:
        said = played_site(f"tcp://127.0.0.1:{kept}", tmp_path, Watched)
    assert "worker tcp://127.0.0.1:" in said
    assert "this machine plays" not in said


def test_an_unforeseen_error_while_workers_are_followed_ends_a_sites_play(tmp_path: Path) -> None:
    class Failing(Short):
        def say(self, what: str) -> None:
            super().say(what)
            if "no scheduler answers" in what:
                raise OSError("nobody reads this")

    with pytest.raises(OSError, match="nobody reads this"), kept_port() as kept:
        played_site(f"tcp://127.0.0.1:{kept}", tmp_path, Failing)
