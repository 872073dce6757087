"""Whole matches with real processes, at one table and at many: the bot at fault gets the blame.

The clocks are real, since a separate process knows no other, and only who is to be late has one;
`test_seats` keeps every deadline on a clock that the test turns.
"""

import json
import sys
from contextlib import closing
from pathlib import Path
from time import monotonic
from typing import Any

import msgspec
import pytest

from arena.engine.job import Job
from arena.engine.worker import play_match
from arena.engine.workers import Worker, play_job
from arena.league.schedule import league_deals, seat_seeds
from arena.match.commands import MatchPlan, untimed
from arena.match.log import LoggedDeal, read_log
from arena.match.logged import play_again, verify
from arena.match.record import MatchRecord
from arena.match.wire import Limits
from arena.sandbox.box import Program
from arena.sandbox.isolation import NO_ISOLATION
from arena.zole.rules import Rules, preset
from tests.support import scripted
from tests.support.bots import APART, good, write_bot
from tests.support.command import run
from tests.zole.test_traces import GROUPS, rules_of

RULES = preset()
LIMITS = Limits(None, None, 2000)

# Clocks of who is late: long enough to do before what a test claims, on any machine.
MOVE_S = 5.0
START_S = 30.0

# A play that is answered late: the second deal ends with it.
LATE = "m['type'] == 'play' and m['deal'] == 1"

# Waits for another line, without reading it: none comes before an answer that is waited for.
GIVEN_UP = "__import__('select').select([0], [], [])"


def plan_of(deals: int, of_first: Limits = LIMITS, max_faults: int = 50) -> MatchPlan:
    """A match in which nobody has a clock, but the first seat where it is to be late."""
    some = league_deals(RULES, "7", ("a", "b", "c"), 0, deals)
    seeds = seat_seeds(RULES, "7", some)
    return MatchPlan(RULES, LIMITS, max_faults, some, seeds, people={0: of_first})


def program(folder: Path, source: str) -> Program:
    return Program(folder.name, (sys.executable, "bot.py"), str(write_bot(folder, source)))


def play(tmp_path: Path, plan: MatchPlan, *sources: str) -> MatchRecord:
    """Play a match of the given sources against honest bots in the seats that are left."""
    all_sources = [*sources, *[good()] * (3 - len(sources))]
    programs = [program(tmp_path / str(seat), source) for seat, source in enumerate(all_sources)]
    record = play_match(Job(plan, tuple(programs), APART))
    verify(plan, record)
    return record


def blamed(record: MatchRecord) -> set[tuple[int, str]]:
    return {(entry.fault.seat, entry.fault.kind) for entry in record.results.faults}


def test_honest_bots_play_without_a_fault_and_their_notes_and_stderr_are_kept(
    tmp_path: Path,
) -> None:
    talkative = """
    answer['note'] = 'because ' + m['type']
    print('I think', m['type'], file=sys.stderr)"""
    plan = plan_of(30)
    record = play(tmp_path, plan, good(before=talkative))
    assert (record.results.faults, record.results.disqualified) == ((), ())
    assert [sum(paid) for paid in record.results.payments] == [0] * 30
    notes = {note for deal in read_log(record.log)[1] for note in deal.notes.values()}
    assert notes == {"because bid", "because discard", "because play"}
    assert "I think hello" in record.stderr[0]
    steps = [step for deal in play_again(plan, record.log).deals for step in deal.asked]
    assert [step.outcome.stderr for step in steps] == [
        "" if step.seat else f"I think {step.question.request.__struct_config__.tag}\n"
        for step in steps
    ]
    assert record.stderr[1:] == ("", "")


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
    began = f"no ready within {START_S:g} s: it has written nothing since its start; it has "
    does = ("not read", "read hello and is waiting for more")
    for entry in record.results.faults:
        assert entry.fault.detail.startswith(began + does[entry.fault.seat])


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
            "it has read the request and is waiting for more input; perhaps it does not flush its"
            " output",
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
    [(deal, fault)] = [(entry.deal, entry.fault) for entry in record.results.faults]
    assert (deal, fault.seat, fault.kind) == (1, 0, "timeout")
    assert len(record.results.payments) == 6
    assert why in fault.detail


@pytest.mark.parametrize(
    "slip",
    [
        good(before="if m['type'] == 'play' and m['id'] == 3: print('thinking...', flush=True)"),
        good(after="if m.get('id') == 3: print(said(answer), flush=True)"),
        good(after="if m['type'] == 'hello': print(said(answer), flush=True)"),
    ],
)
def test_one_line_too_many_costs_one_fault(tmp_path: Path, slip: str) -> None:
    faults = [entry.fault for entry in play(tmp_path, plan_of(10), slip).results.faults]
    assert [(fault.seat, fault.kind) for fault in faults] == [(0, "malformed")]


def test_the_time_of_a_match_is_divided_as_the_time_of_answers(tmp_path: Path) -> None:
    began = monotonic()
    late = good(before="__import__('time').sleep(0.05)")
    record = play(tmp_path, plan_of(1), good(), late)
    assert 0.05 < record.held_s[1] <= sum(record.held_s) <= monotonic() - began
    assert min(record.held_s) > 0


def test_a_daemon_is_ended_with_the_match_even_without_a_sandbox(tmp_path: Path) -> None:
    """A process that left its bot's group and session goes while the worker that played lives."""
    mark = tmp_path / "pid"
    daemon = f"""if m["type"] == "hello":
        import subprocess
        child = subprocess.Popen(["sleep", "infinity"], start_new_session=True)
        open({str(mark)!r}, "w").write(str(child.pid))"""
    programs = (program(tmp_path / "daemon", good(before=daemon)),) * 3
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
    first, second = (play(tmp_path, plan_of(20), dice, dice, dice) for _ in range(2))
    assert first.results.payments == second.results.payments
    assert len(set(first.results.payments)) > 1


def test_a_mistake_is_corrected_where_the_rules_allow_it(tmp_path: Path) -> None:
    clumsy = good(
        before="""
    if m["type"] == "play":
        print(said({**answer, "card": "7C"}), flush=True)
        assert '"error"' in sys.stdin.readline()"""
    )
    plan = msgspec.structs.replace(plan_of(5), rules=preset("piedalies"))
    assert play(tmp_path, plan, clumsy).results.faults == ()
    assert blamed(play(tmp_path, plan_of(5), clumsy)) >= {(0, "illegal")}


# --- the worked deals over the wire: every legal set, every event, every payment ---

Fields = dict[str, Any]

SCRIPTED = """
import json, os, sys
deals = json.load(open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "script.json")))

for line in sys.stdin:
    m = json.loads(line)
    kind = m["type"]
    if kind == "hello":
        ready = {"type": "ready", "protocol": 1, "asks": ["surrender", "offer"]}
        print(json.dumps(ready), flush=True)
        continue
    if kind in ("bye", "deal_end"):
        continue
    script = deals[m["deal"]]
    if kind == "surrender":
        due = script and script[0][0] == "surrender" and script[0][1] == 9 - len(m["hand"])
        answer = {"surrender": bool(due and script.pop(0))}
    elif kind == "play" and script and script[0][0] == "offer":
        script.pop(0)
        answer = {"offer": True}
    else:
        due, want, legal = script.pop(0)
        key = {"offer": "answer"}.get(kind, kind)
        if due != key or legal is not None and sorted(m["legal"]) != sorted(legal):
            sys.exit(f"differs from the script: {line}")
        field = {"discard": "cards", "play": "card", "offer": "accept"}.get(kind, kind)
        answer = {field: want}
    print(json.dumps({"type": kind, "id": m["id"], **answer}), flush=True)
"""


ASKED = ("bid", "blind", "discard", "play", "surrender", "offer")


def script(trace: Fields, seat: int) -> list[list[object]]:
    """What a seat is asked and answers, in order, each with what is legal where that is listed."""
    steps: list[list[object]] = []
    for event in trace["events"]:
        kind, choice = event["type"], event.get("choice")
        if kind in ASKED and event["seat"] == seat:
            others = {"blind": choice == "blind", "surrender": event.get("trick"), "offer": None}
            said = {**others, "play": event.get("card")}.get(kind, choice)
            steps.append([kind, said, None if kind == "blind" else event.get("legal")])
        elif kind == "offer" and trace["result"]["declarer"] == seat:
            steps.append(["answer", event["answer"] == "accept", None])
    return steps


def toml(rules: Rules) -> str:
    """Rules as a file: one line for each key, with its section before a dot."""
    pairs = [
        (f"{name}.{key}", inner) if key else (name, inner)
        for name, value in msgspec.to_builtins(rules).items()
        for key, inner in (value if isinstance(value, dict) else {"": value}).items()
    ]
    return "".join(f"{name} = {json.dumps(value)}\n" for name, value in pairs)


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_of_worked_deals_agrees_over_the_wire(tmp_path: Path, group: str) -> None:
    traces = GROUPS[group]
    rules = rules_of(traces[0]["rules"])
    (tmp_path / "rules.toml").write_text(toml(rules))
    deals = [
        {
            "dealer": trace["dealer"],
            "hands": [trace["hands"].get(str(seat), []) for seat in range(rules.players)],
            "talon": trace["talon"],
        }
        for trace in traces
    ]
    (tmp_path / "deals.jsonl").write_text("".join(json.dumps(deal) + "\n" for deal in deals))
    bots = [write_bot(tmp_path / str(seat), SCRIPTED) for seat in range(rules.players)]
    for seat, bot in enumerate(bots):
        (bot / "script.json").write_text(json.dumps([script(trace, seat) for trace in traces]))
    files = ("--rules", tmp_path / "rules.toml", "--deals", tmp_path / "deals.jsonl")
    done = run("match", *bots, *files, "--seatings", "one", "--isolation", "none", "--json")
    assert done.returncode == 0, done.stderr
    games = json.loads(done.stdout)["games"]
    for trace, game in zip(traces, games, strict=True):
        assert game["faults"] == []
        assert cards_and_tricks(game["events"]) == cards_and_tricks(trace["events"])
        want = trace["result"]["payments"]
        assert game["payments"] == [want.get(str(seat), 0) for seat in range(rules.players)]


def cards_and_tricks(events: list[Fields]) -> list[tuple[object, ...]]:
    """Bids, cards and tricks of a trace or of a game, in one form."""
    seen: list[tuple[object, ...]] = []
    for event in events:
        match event.get("event", event.get("type")):
            case "card" | "play":
                seen.append((event["seat"], event["card"]))
            case "talon_card":
                seen.append(("talon", event["card"]))
            case "trick":
                seen.append((event["winner"], event["points"]))
            case "bid":
                seen.append((event["seat"], event.get("bid", event.get("choice"))))
    return seen


# --- many tables in one process ---


BOT = """
import json, os, sys, threading, time
rest = b""
while chunk := os.read(0, 1 << 16):
    *lines, rest = (rest + chunk).split(b"\\n")
    said = []
    for line in lines:
        m = json.loads(line)
        t = m["type"]
        if t == "hello":
            answer = {"type": "ready", "protocol": 1, "tables": TABLES}
        elif t == "bid":
            answer = {"type": t, "id": m["id"], "bid": m["legal"][m["deal"] % len(m["legal"])]}
        elif t == "discard":
            answer = {"type": t, "id": m["id"], "cards": m["hand"][-2:]}
        elif t == "play":
            answer = {"type": t, "id": m["id"], "card": m["legal"][0]}
        else:
            continue
        deal = m.get("deal")
        SPECIAL
        said.append(answer)
    os.write(1, "".join(json.dumps(each) + chr(10) for each in said).encode())
"""


def bot(folder: Path, name: str, tables: int, special: str = "pass") -> Program:
    place = folder / f"{name} {tables}"
    place.mkdir(parents=True)
    source = BOT.replace("TABLES", str(tables)).replace("SPECIAL", special)
    (place / "bot.py").write_text(source)
    return Program(name, (sys.executable, "bot.py"), str(place))


def play_tables(
    folder: Path,
    tables: int,
    special: str = "pass",
    move_s: float | None = None,
    max_faults: int = 50,
) -> MatchRecord:
    """A match of 24 deals; seat 1 does something special, and only it may have a clock."""
    plan = untimed(scripted.plan_of(deals=24, max_faults=max_faults))
    odd = msgspec.structs.replace(plan.limits, move_s=move_s)
    plan = msgspec.structs.replace(plan, people={1: odd})
    specials = {"a": "pass", "b": special, "c": "pass"}
    programs = tuple(bot(folder, name, tables, each) for name, each in specials.items())
    record = play_match(Job(plan, programs, APART))
    verify(plan, record)
    return record


def lines(record: MatchRecord) -> list[LoggedDeal]:
    """The deals of a log without their microseconds, which are never the same twice."""
    return [
        msgspec.structs.replace(
            deal, steps=tuple((seat, answer, 0) for seat, answer, _ in deal.steps), withheld={}
        )
        for deal in read_log(record.log)[1]
    ]


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> MatchRecord:
    """A match of honest bots at 64 tables."""
    return play_tables(tmp_path_factory.mktemp("many"), 64)


def test_logs_are_the_same_with_one_table_and_with_many(tmp_path: Path, many: MatchRecord) -> None:
    one = play_tables(tmp_path, 1)
    assert lines(one) == lines(many)
    assert one.results.payments == many.results.payments
    assert one.results.decisions == many.results.decisions


def test_requests_of_many_tables_come_together(tmp_path: Path) -> None:
    record = play_tables(tmp_path, 64, 'answer["note"] = str(len(lines))')
    notes = [note for deal in read_log(record.log)[1] for note in deal.notes.values()]
    assert max(map(int, notes)) >= 8


@pytest.mark.parametrize(
    ("special", "kind"),
    [
        ("if deal == 5 and t != 'deal_end': answer['id'] = 10**6", "malformed"),
        ("if deal == 5 and t == 'play': answer['card'] = 'ZZ'", "illegal"),
        ("if deal == 5: continue", "timeout"),
        ("if deal == 5: answer = {'type': t, 'id': m['id'], 'card': [1]}", "malformed"),
    ],
)
def test_a_fault_at_one_table_costs_the_others_nothing(
    tmp_path: Path, many: MatchRecord, special: str, kind: str
) -> None:
    """In real time, which is the machine's and not a test's to turn: bots are real processes."""
    results = play_tables(tmp_path, 64, special, 10.0 if kind == "timeout" else None).results
    faults = [(each.deal, each.fault.kind, each.fault.seat) for each in results.faults]
    assert faults == [(5, kind, 1)] or kind == "malformed"
    others = set(range(24)) - {each.deal for each in results.faults}
    assert len(others) >= 22
    for number in others:
        assert results.payments[number] == many.results.payments[number]


def test_a_bot_that_dies_loses_what_is_open_and_all_that_follows(tmp_path: Path) -> None:
    record = play_tables(tmp_path, 8, "if deal == 9 and t == 'play': os.kill(os.getpid(), 9)")
    assert {entry.fault.kind for entry in record.results.faults} == {"exited"}
    assert len(record.results.payments) == 24
    assert {entry.deal for entry in record.results.faults} >= set(range(18, 24))


def test_a_disqualification_ends_the_match_at_the_same_deal(tmp_path: Path) -> None:
    odd = "if deal % 4 == 1 and t != 'hello': answer['id'] = None"
    one, many = (play_tables(tmp_path, tables, odd, max_faults=3) for tables in (1, 64))
    assert one.results.disqualified == many.results.disqualified == (1,)
    assert len(one.results.faults) == 3
    assert len(one.results.payments) < 24


def test_a_bot_that_ends_is_restarted_for_the_next_deal_where_practice_allows_it(
    tmp_path: Path,
) -> None:
    crash = "m.get('deal') in (1, 2) and m['type'] == 'play' and exec(\"raise KeyError('gone')\")"
    plan = msgspec.structs.replace(plan_of(6), restart=True)
    record = play(tmp_path, plan, good(f"print(m.get('deal'), file=sys.stderr); {crash}"))
    assert {(it.fault.seat, it.deal) for it in record.results.faults} == {(0, 1), (0, 2)}
    assert [more for _, more in record.results.counted_faults()] == [0, 0]
    assert record.stderr[0].count("KeyError: 'gone'") == 2
    assert {*record.stderr[0].split()} >= {"0", "5"}, "it plays on"
