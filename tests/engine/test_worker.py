"""Whole matches with real processes: the bot at fault gets the blame.

The clocks are real, since a separate process knows no other, and only who is to be late has one;
`test_seats` keeps every deadline on a clock that the test turns.
"""

import sys
from contextlib import closing
from pathlib import Path
from time import monotonic

import msgspec
import pytest

from arena.engine.job import Job
from arena.engine.worker import play_match
from arena.engine.workers import Worker, play_job
from arena.league.schedule import league_deals, seat_seeds
from arena.match.commands import MatchPlan
from arena.match.log import read_log
from arena.match.logged import verify
from arena.match.record import MatchRecord
from arena.match.wire import Limits
from arena.sandbox.box import Program
from arena.sandbox.isolation import NO_ISOLATION
from arena.zole.rules import preset
from tests.support.bots import APART, good, write_bot

RULES = preset()
LIMITS = Limits(None, None, 2000)
MOVE_S = 5.0
START_S = 30.0
"""Clocks of who is late: long enough to do before what a test claims, on any machine."""

LATE = "m['type'] == 'play' and m['deal'] == 1"
"""A play that is answered late: the second deal ends with it."""

GIVEN_UP = "__import__('select').select([0], [], [])"
"""Waits for another line, without reading it: none comes before an answer that is waited for."""


def plan_of(deals: int, of_first: Limits = LIMITS, max_faults: int = 50) -> MatchPlan:
    """A match in which nobody has a clock, but the first seat where it is to be late."""
    some = league_deals(RULES, "7", ("a", "b", "c"), 0, deals)
    seeds = seat_seeds(RULES, "7", some)
    return MatchPlan(RULES, LIMITS, max_faults, some, seeds, people={0: of_first})


def play(tmp_path: Path, plan: MatchPlan, *sources: str) -> MatchRecord:
    """Play a match of the given sources against honest bots in the seats that are left."""
    programs = []
    for seat in range(3):
        source = sources[seat] if seat < len(sources) else good()
        folder = write_bot(tmp_path / str(seat), source)
        programs.append(Program(str(seat), (sys.executable, "bot.py"), str(folder)))
    record = play_match(Job(plan, tuple(programs), APART))
    verify(plan, record)
    return record


def blamed(record: MatchRecord) -> set[tuple[int, str]]:
    return {(entry.fault.seat, entry.fault.kind) for entry in record.results.faults}


def test_honest_bots_play_without_a_fault(tmp_path: Path) -> None:
    results = play(tmp_path, plan_of(30)).results
    assert (results.faults, results.disqualified) == ((), ())
    assert [sum(paid) for paid in results.payments] == [0] * 30


@pytest.mark.parametrize(
    ("source", "kind", "why"),
    [
        ("import sys; sys.exit(3)", "exited", "exit code 3"),
        ("import sys; sys.exit(0)", "exited", "exit code 0; a bot reads on until its input ends"),
        (
            "print('hello there', flush=True); input(); input()",
            "malformed",
            "in place of ready: the line is not JSON; print debugging goes to stderr",
        ),
        (
            'print(\'{"type":"ready","protocol":2}\', flush=True); input(); input()',
            "malformed",
            "this arena speaks protocol 1, not 2",
        ),
        ("print('x' * 100000, flush=True); input(); input()", "flooded", "bytes"),
        ("nonsense", "exited", "exit code 1: NameError: name 'nonsense' is not defined"),
        (good(before="if m['type'] == 'play': sys.exit(5)"), "exited", "exit code 5"),
        (good(before="if m['type'] == 'play': os.kill(os.getpid(), 9)"), "exited", "SIGKILL"),
        (good(before="if m['type'] == 'play': answer['card'] = '7C'"), "illegal", "no such card"),
        (
            good(before="if m['type'] == 'play': answer['card'] = 7"),
            "malformed",
            "the field card must be a string, not a whole number",
        ),
        (
            good(before="if m['type'] == 'bid': answer['bid'] = 'grand'"),
            "illegal",
            "there is no such bid",
        ),
        (
            good(before="answer.get('id') and answer.update(id=answer['id'] + 1)"),
            "malformed",
            "answers id 2, asked 1",
        ),
        (
            good(before="if m['type'] == 'play': answer['type'] = 'bid'"),
            "malformed",
            "the field bid is missing",
        ),
        (good(before="if m['type'] == 'play': print('thinking...')"), "malformed", "stderr"),
        (good(before="if m['type'] == 'play': print('x' * 5000)"), "flooded", "a line of more"),
        (
            good(before="if m['type'] == 'play': print(said(answer))"),
            "malformed",
            "answers id 0, asked 1",
        ),
        (good(before="if m['type'] == 'play': answer['note'] = 'x' * 1025"), "malformed", "note"),
        (good(after="if m['type'] == 'bid': os.close(1)"), "exited", "exit code 120: OSError"),
    ],
)
def test_a_fault_is_blamed_on_its_bot_alone_with_its_cause(
    tmp_path: Path, source: str, kind: str, why: str
) -> None:
    record = play(tmp_path, plan_of(3), source)
    assert blamed(record) == {(0, kind)}
    assert len(record.results.payments) == 3
    assert why in record.results.faults[0].fault.detail


def test_a_bot_that_is_never_ready_is_blamed_with_what_it_does(tmp_path: Path) -> None:
    asleep, reading = "import time; time.sleep(10_000)", "import sys; sys.stdin.read()"
    plan = msgspec.structs.replace(plan_of(3), limits=Limits(None, START_S, 2000))
    record = play(tmp_path, plan, asleep, reading)
    assert blamed(record) == {(0, "unready"), (1, "unready")}
    assert len(record.results.payments) == 3
    why = {entry.fault.seat: entry.fault.detail for entry in record.results.faults}
    began = f"no ready within {START_S:g} s: it has written nothing since its start; it has "
    assert why[0].startswith(f"{began}not read")
    assert why[1].startswith(f"{began}read hello and is waiting for more")


@pytest.mark.parametrize(
    ("source", "why"),
    [
        (
            good(before=f"if {LATE}: {GIVEN_UP}"),
            f"no answer within {MOVE_S:g} s: it has read the request and is idle",
        ),
        pytest.param(
            good(before=f"while {LATE} and not {GIVEN_UP[:-1]}, 0)[0]: pass"),
            "it has read the request and is computing (",
            marks=pytest.mark.slow,
        ),
        (
            good().replace("print(said", f"{LATE} or print(said"),
            "it has read the request and is waiting for more input; it may not flush its output",
        ),
        (
            good(before=f"if {LATE}: os.write(1, b'{{\"type\"'); {GIVEN_UP}").replace(
                "print(said(answer)", f"print(said(answer)[7 if {LATE} else 0:]"
            ),
            "it wrote 7 bytes without the end of a line: '{\"type\"'",
        ),
    ],
)
def test_a_late_answer_is_one_timeout_with_its_cause(tmp_path: Path, source: str, why: str) -> None:
    record = play(tmp_path, plan_of(6, Limits(MOVE_S, None, 2000)), source)
    assert [(entry.deal, entry.fault.kind) for entry in record.results.faults] == [(1, "timeout")]
    assert blamed(record) == {(0, "timeout")}
    assert len(record.results.payments) == 6
    assert why in record.results.faults[0].fault.detail


@pytest.mark.parametrize(
    "slip",
    [
        good(before="if m['type'] == 'play' and m['id'] == 3: print('thinking...', flush=True)"),
        good(after="if m.get('id') == 3: print(said(answer), flush=True)"),
        good(after="if m['type'] == 'hello': print(said(answer), flush=True)"),
    ],
)
def test_one_line_too_many_costs_one_fault(tmp_path: Path, slip: str) -> None:
    record = play(tmp_path, plan_of(10), slip)
    assert [(entry.fault.seat, entry.fault.kind) for entry in record.results.faults] == [
        (0, "malformed")
    ]


def test_a_bot_of_too_many_faults_is_out_of_the_match(tmp_path: Path) -> None:
    bad = good(before="if m['type'] in ('play', 'bid'): answer['type'] = 'nonsense'")
    record = play(tmp_path, plan_of(30, max_faults=4), bad)
    assert record.results.disqualified == (0,)
    assert len(record.results.faults) == 4
    assert len(record.results.payments) < 30


def test_the_time_of_a_match_is_divided_as_the_time_of_answers(tmp_path: Path) -> None:
    began = monotonic()
    late = good(before="__import__('time').sleep(0.05)")
    record = play(tmp_path, plan_of(1), good(), late)
    assert 0.05 < record.held_s[1] <= sum(record.held_s) <= monotonic() - began
    assert min(record.held_s) > 0


def test_stderr_is_kept_for_each_seat(tmp_path: Path) -> None:
    loud = good(before="print('I think', m['type'], file=sys.stderr)")
    record = play(tmp_path, plan_of(1), loud)
    assert "I think hello" in record.stderr[0]
    assert record.stderr[1:] == ("", "")


def test_notes_are_kept_in_the_log(tmp_path: Path) -> None:
    record = play(tmp_path, plan_of(1), good(before="answer['note'] = 'because ' + m['type']"))
    _, [deal] = read_log(record.log)
    assert set(deal.notes.values()) <= {"because bid", "because discard", "because play"}
    assert deal.notes


def test_a_daemon_is_ended_with_the_match_even_without_a_sandbox(tmp_path: Path) -> None:
    """A process that left its bot's group and session goes while the worker that played lives."""
    mark = tmp_path / "pid"
    daemon = f"""if m["type"] == "hello":
        import subprocess
        child = subprocess.Popen(["sleep", "infinity"], start_new_session=True)
        open({str(mark)!r}, "w").write(str(child.pid))"""
    folder = write_bot(tmp_path / "daemon", good(before=daemon))
    programs = (Program("daemon", (sys.executable, "bot.py"), str(folder)),) * 3
    with closing(Worker[Job, MatchRecord](None, 0, play_job)) as worker:
        worker.call(Job(plan_of(1), programs, NO_ISOLATION))
        assert not Path(f"/proc/{mark.read_text()}").exists()
        assert Path(f"/proc/{worker.pid}").exists()


def test_copies_of_a_deterministic_bot_tie_exactly(tmp_path: Path) -> None:
    """All seatings are the same match, so each copy has each seat's stakes equally often."""
    dice = good(
        bid="random.Random(SEED + m['deal']).randrange(9)",
        before="""
    global SEED, random
    import random
    SEED = m.get("seed", globals().get("SEED"))""",
    )
    plan = plan_of(20)
    first, second = play(tmp_path, plan, dice, dice, dice), play(tmp_path, plan, dice, dice, dice)
    assert first.results.payments == second.results.payments
    assert len(set(first.results.payments)) > 1


def test_a_mistake_is_corrected_where_the_rules_allow_it(tmp_path: Path) -> None:
    clumsy = good(
        before="""
    if m["type"] == "play":
        print(said({**answer, "card": "7C"}), flush=True)
        assert '"error"' in sys.stdin.readline()"""
    )
    rules = preset("piedalies")
    plan = msgspec.structs.replace(plan_of(5), rules=rules)
    assert play(tmp_path, plan, clumsy).results.faults == ()
    strict = play(tmp_path, plan_of(5), clumsy)
    assert blamed(strict) >= {(0, "illegal")}
