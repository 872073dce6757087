"""Schedulers and workers that stop, lie or flood: they cost their own time and nothing else."""

import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.cluster.test_cluster import (
    SEED,
    Machines,
    league_in,
    machines,
    needs_dask,
    open_folder,
    same,
)
from tests.support.bots import open_gate, write_league
from tests.support.command import run
from tests.support.patience import PATIENCE_S

pytestmark = [needs_dask, pytest.mark.slow]

LIE = """
import pickle, time
from arena.cluster import answers, worker

# Dask loads this more than once.
honest, encode = vars(worker).setdefault("ORIGINALS", (worker.work, worker.encode_answer))
before = []

def change(record, **changes):
    import msgspec
    return msgspec.structs.replace(record, **changes)

def forged(jobs, results):
    paid = ((2, -1, -1),) * len(results[0].results.payments)
    return encode(jobs, [change(it, results=change(it.results, payments=paid)) for it in results])

def swapped(jobs, results):
    return encode(jobs, results[::-1]) if len(results) > 1 else encode(jobs, stale(results))

def stale(results):
    before.extend(results)
    return before[:1] * len(results) if len(before) > len(results) else forged_log(results)

def forged_log(results):
    return [change(it, log=it.log[:-20] + b"x" * 20) for it in results]

def others(jobs, results):
    jobs = [change(it, bots=it.bots[::-1]) for it in jobs]
    return encode(jobs, results)

class Bomb:
    def __reduce__(self):
        return open, ("BOMB", "w")

class Boom(Exception):  # Dask loads it on the worker as well
    def __reduce__(self):
        return eval, ("__import__('sys').argv[0].endswith('client.py') and open('BOMB', 'w')",)

def raising(error):
    def work(said):
        raise error
    return work

def never(said):
    while True:
        time.sleep(1)
"""

LIES = {
    "forged payments": "worker.encode_answer = forged",
    "a swapped or spoilt log": "worker.encode_answer = swapped",
    "another match": "worker.encode_answer = others",
    "spoilt bytes": "worker.work = lambda said: honest(said)[::-1]",
    "no bytes": "worker.work = lambda said: {'played': 1}",
    "a huge answer": "worker.work = lambda said: b'a' * (200 << 20)",
    "a pickle that acts": "worker.work = lambda said: Bomb()",
    "an error that acts": "worker.work = raising(Boom())",
    "an error of a terminal": "worker.work = raising(ValueError('\\x1b[2J\\nmore' * 999))",
    "an exit": "worker.work = raising(SystemExit(1))",
    "always void": "worker.work = lambda said: encode("
    "worker.msgspec.msgpack.decode(said, type=worker.AnyOrder).jobs,"
    " [worker.MatchVoid('no')] * 99)",
    "odd readiness": "worker.make_ready = lambda *_: worker.msgspec.msgpack.encode("
    "worker.Readiness(missing=('0' * 64,)))",
    "readiness of another shape": "worker.make_ready = lambda *_: b'yes'",
}


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The league as one machine plays it."""
    league = league_in(tmp_path_factory.mktemp("alone"))
    open_gate(league)
    assert run("league", league, "--seed", SEED).returncode == 0
    return league


@pytest.fixture
def place() -> Iterator[Path]:
    """A test's folder."""
    with open_folder() as folder:
        yield folder


def liar(there: Machines, name: str, address: str, lie: str) -> None:
    """Start a worker that does not do what it should."""
    bomb = there.folder / "BOMB"
    text = f"{LIE}\n{lie}\n".replace("BOMB", str(bomb))
    (there.folder / f"{name}.py").write_text(text)
    there.worker(name, address, "--preload", str(there.folder / f"{name}.py"))
    there.registered(name)


@pytest.mark.parametrize("lie", LIES)
def test_a_worker_that_lies_is_named_and_replaced(place: Path, alone: Path, lie: str) -> None:
    league = league_in(place)
    with machines(place / "machines") as there:
        address = there.scheduler()
        liar(there, "liar", address, LIES[lie])
        there.worker("honest", address)
        there.registered("honest")
        early = "make_ready" in LIES[lie] or lie == "an exit"
        if not early:  # it has to play to lie
            open_gate(league)
        arena = there.league(league, "--seed", SEED, "--cluster", address)
        there.until("is not used" if early else "start it anew")
        open_gate(league)
        assert arena.wait(PATIENCE_S) == 0, there.told()
        assert "Traceback" not in there.told()
        assert "\x1b[2J" not in there.told()
        assert not (there.folder / "BOMB").exists()
        print(there.told())
        same(league, alone)


def test_a_worker_that_stops_is_named_and_replaced(place: Path, alone: Path) -> None:
    league = league_in(place)
    with machines(place / "machines") as there:
        address = there.scheduler()
        there.worker("stops", address, "--no-nanny")
        there.worker("honest", address)
        there.registered("stops", "honest")
        arena = there.league(league, "--seed", SEED, "--cluster", address)
        there.until("1 at a time", 2)
        there.until("decisions a second")
        os.kill(there.all["stops"].pid, signal.SIGSTOP)
        there.until("it has stopped: no sign of life")
        open_gate(league)
        assert arena.wait(PATIENCE_S) == 0, there.told()
        same(league, alone)


def stop_scheduler(there: Machines, league: Path) -> "Callable[[], int]":
    address = there.scheduler()
    there.worker("first", address)
    there.registered("first")
    arena = there.league(league, "--seed", SEED, "--cluster", address)
    there.until("decisions a second")
    os.kill(there.all["scheduler"].pid, signal.SIGSTOP)
    return lambda: arena.wait(PATIENCE_S)


def test_a_scheduler_that_stops_ends_the_run(place: Path) -> None:
    with machines(place / "machines") as there:
        wait = stop_scheduler(there, league_in(place))
        assert wait() == 3
        told = "the scheduler has not answered for 20 s; everything finished is stored; the same"
        assert told in there.told().splitlines()[-1]


def test_ctrl_c_ends_a_run_whose_scheduler_has_stopped(place: Path) -> None:
    with machines(place / "machines") as there:
        wait = stop_scheduler(there, league_in(place))
        there.all["arena"].send_signal(signal.SIGINT)
        assert wait() == 130, there.told()
        assert "every finished match is stored" in there.told().splitlines()[-1]


@contextmanager
def port(talk: Callable[[socket.socket], None]) -> Iterator[str]:
    """The address of something that says what it likes to whoever comes."""

    def answer(there: socket.socket) -> None:
        with suppress(OSError), there:
            talk(there)

    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    threading.Thread(target=answer, args=server.accept()[:1], daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)


def flood(there: socket.socket) -> None:
    while True:
        there.sendall(b"\x07" * 65536)


def zeros(there: socket.socket) -> None:
    while True:
        there.sendall(bytes(65536))


def large(there: socket.socket) -> None:
    there.sendall((1 << 40).to_bytes(8, "little"))
    zeros(there)


def drip(there: socket.socket) -> None:
    while True:
        there.sendall(b"\x01")
        time.sleep(0.5)


@pytest.mark.parametrize("talk", [flood, zeros, large, drip])
def test_what_is_no_scheduler_is_told_in_a_line(
    place: Path, talk: Callable[[socket.socket], None]
) -> None:
    with port(talk) as address:
        done = run("league", write_league(place), "--cluster", address)
    assert done.returncode == 3, done.stderr
    assert done.stderr.splitlines()[-1].startswith(f"{address}: no scheduler answers: ")
    assert "Traceback" not in done.stderr
