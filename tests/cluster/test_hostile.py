"""Schedulers and workers that stop, lie or flood: they cost their own time and nothing else."""

import os
import signal
import socket
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from tests.cluster.test_cluster import SEED, Machines, needs_dask, port, same
from tests.support.bots import open_gate, write_league
from tests.support.command import run
from tests.support.patience import PATIENCE_S

pytestmark = [needs_dask, pytest.mark.slow]

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


def liar(there: Machines, name: str, address: str, lie: str) -> None:
    """Start a worker that does not do what it should."""
    (there.folder / f"{name}.py").write_text(f"{LIE}\nworker.play_remote = {lie}\n")
    there.worker(name, address, "--preload", str(there.folder / f"{name}.py"))
    there.registered(name)


@pytest.mark.parametrize("lie", LIES)
def test_a_worker_that_lies_is_named_and_replaced(
    league: Path, alone: Path, there: Machines, lie: str
) -> None:
    address = there.scheduler()
    liar(there, "liar", address, LIES[lie])
    there.worker("honest", address)
    there.registered("honest")
    open_gate(league)
    arena = there.league(league, "--seed", SEED, "--cluster", address)
    there.until("others play its matches")
    assert arena.wait(PATIENCE_S) == 0, there.told()
    for words in ("Traceback", "\x1b[2J"):
        assert words not in there.told()
    same(league, alone)


def test_a_worker_that_stops_is_named_and_replaced(
    league: Path, alone: Path, there: Machines
) -> None:
    arena = there.play(league, there.scheduler(), "stops", "honest")
    os.kill(there.all["stops"].pid, signal.SIGSTOP)
    there.until("it has stopped: no sign of life")
    open_gate(league)
    assert arena.wait(PATIENCE_S) == 0, there.told()
    same(league, alone)


def test_a_scheduler_that_stops_leaves_the_matches_to_this_machine(
    league: Path, alone: Path, there: Machines
) -> None:
    arena = there.play(league, there.scheduler(), "first", more=())
    os.kill(there.all["scheduler"].pid, signal.SIGSTOP)
    there.until("the scheduler has not answered for 20 s; it is tried again")
    there.until("this machine plays until one comes")
    open_gate(league)
    assert arena.wait(PATIENCE_S) == 0, there.told()
    same(league, alone)


def test_ctrl_c_ends_a_run_whose_scheduler_has_stopped(league: Path, there: Machines) -> None:
    arena = there.play(league, there.scheduler(), "first", more=())
    os.kill(there.all["scheduler"].pid, signal.SIGSTOP)
    arena.send_signal(signal.SIGINT)
    assert arena.wait(PATIENCE_S) == 130, there.told()
    assert "every finished match is stored" in there.told().splitlines()[-1]


def flood(there: socket.socket, bytes_: bytes = bytes(65536)) -> None:
    while True:
        there.sendall(bytes_)


def large(there: socket.socket) -> None:
    there.sendall((1 << 40).to_bytes(8, "little"))
    flood(there)


def drip(there: socket.socket) -> None:
    while True:
        there.sendall(b"\x01")
        time.sleep(0.5)


@pytest.mark.parametrize("talk", [flood, partial(flood, bytes_=b"\x07" * 65536), large, drip])
def test_a_server_that_floods_is_reported_in_one_line(
    place: Path, talk: Callable[[socket.socket], None]
) -> None:
    with port(talk) as address:
        done = run("league", write_league(place), "--cluster", address)
    assert done.returncode == 3, done.stderr
    assert done.stderr.splitlines()[-1].startswith(f"{address}: no scheduler answers: ")
    assert "Traceback" not in done.stderr
