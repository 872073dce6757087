"""Clocks on an overloaded machine: answers in time count, late ones do not.

These tests need real time and real load.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from arena.engine.job import Job
from arena.engine.worker import play_match
from arena.match.commands import Failed
from arena.match.logged import play_again, verify
from arena.match.wire import AskPlay, Refused
from arena.sandbox.box import Program
from tests.support.bots import APART, write_bot
from tests.support.scripted import plan_of

MOVES = 100_000
MOVE_S = 0.3
LATE_S = 0.1
LOAD = 4

METRONOME = f"""
import heapq, json, os, select, time
buffer, due = b"", []

def late(m):
    return LATE and m["type"] == "play" and (m["deal"] + 7 * len(m["hand"])) % 97 == 0

while True:
    left = max(0.0, due[0][0] - time.monotonic()) if due else None
    if select.select([0], [], [], left)[0]:
        chunk = os.read(0, 1 << 16)
        if not chunk:
            break
        now = time.monotonic()
        *lines, buffer = (buffer + chunk).split(b"\\n")
        for line in lines:
            m = json.loads(line)
            t = m["type"]
            if t == "hello":
                os.write(1, b'{{"type":"ready","protocol":1,"tables":64}}\\n')
                continue
            if t == "bid":
                answer = {{"bid": "pass"}}
            elif t == "play":
                answer = {{"card": m["legal"][0]}}
            else:
                continue
            after = {MOVE_S} + {LATE_S} if late(m) else {MOVE_S} / 2
            answer |= {{"type": t, "id": m["id"]}}
            heapq.heappush(due, (now + after, json.dumps(answer) + "\\n"))
    while due and due[0][0] <= time.monotonic():
        os.write(1, heapq.heappop(due)[1].encode())
"""
"""Answers each request, of many at once, after half its time; some plays after too long."""


@pytest.fixture
def busy() -> Iterator[None]:
    """Programs that compute without end, four for each core."""
    command = [sys.executable, "-c", "while True: pass"]
    count = LOAD * len(os.sched_getaffinity(0))
    loads = [subprocess.Popen(command, start_new_session=True) for _ in range(count)]
    yield
    for load in loads:
        load.kill()
        load.wait()


@pytest.mark.slow
@pytest.mark.usefixtures("busy")
def test_half_of_the_time_is_enough_and_a_tenth_of_a_second_is_too_late(tmp_path: Path) -> None:
    plan = plan_of(deals=MOVES // 22, max_faults=MOVES)
    limits = msgspec.structs.replace(plan.limits, move_s=MOVE_S, start_s=60.0)
    plan = msgspec.structs.replace(plan, limits=limits)
    programs = tuple(metronome(tmp_path / name, late=name == "c") for name in "abc")
    record = play_match(Job(plan, programs, APART))
    verify(plan, record)
    assert record.results.decisions >= MOVES
    punctual = lates = 0
    for seat in range(3):
        for line, came in play_again(plan, record.log).transcript(seat):
            if not isinstance(line, AskPlay):
                assert not isinstance(came, Failed | Refused), (seat, line, came)
            elif seat == 2 and (line.deal + 7 * len(line.hand)) % 97 == 0:
                assert isinstance(came, Failed), (line, came)
                assert came.kind == "timeout"
                lates += 1
            else:
                assert not isinstance(came, Failed), (seat, line, came)
                punctual += 1
    assert lates > MOVES / 1000
    assert punctual > MOVES / 2


def metronome(folder: Path, late: bool) -> Program:
    write_bot(folder, f"LATE = {late}\n{METRONOME}")
    return Program(folder.name, (sys.executable, "bot.py"), str(folder))
