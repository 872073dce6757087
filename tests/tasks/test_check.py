"""What `arena check` says of good bots and of bad ones, and the sentence that leads to each bug."""

import json
import os
import re
from pathlib import Path
from unittest.mock import Mock

import pytest

from arena.base.check_step import CheckStep
from arena.base.errors import MachineError, Mistake
from arena.bots.templates import KITS, missing_programs
from arena.engine import process
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    AskBid,
    AskDiscard,
    AskPlay,
    BidReply,
    DiscardReply,
    Limits,
    PlayReply,
)
from arena.sandbox.isolation import choose_isolation
from arena.tasks import check, doctor
from arena.tasks.check import Conditions, check_limits
from arena.tasks.check_scenes import (
    STRONG,
    Habit,
    Scene,
    every_role,
    partner_of,
    script_of,
)
from arena.tasks.doctor import examine
from arena.zole.deal import active_seats, flaw
from arena.zole.rules import preset
from tests.support.bots import APART, good, needs_full_sandbox, write_bot
from tests.support.broken import BROKEN, write_broken
from tests.support.checks import WIDE_S, be_patient, be_short_by_lzsf
from tests.support.command import document, output, refusal, run
from tests.support.needs import need

GOOD = """\
 1 ok     manifest: bot 1 by tests
 2 ok     build: nothing to build
 3 ok     start and ready: ready after # s; exited after # s when its input ended
 4 ok     declaring: asked 9 bid, 3 discard, 72 play
 5 ok     a table game: asked 6 bid, 48 play
 6 ok     defending: asked 8 bid, 144 play, 2 discard
"""

# A bot that notes where it sits; deals begin with the event of that name.
SEATED = """
    global seat
    told = [each["seat"] for each in m.get("events", ()) if each["event"] == "deal"]
    seat = told[0] if told else globals().get("seat")
    """

# Computes until its input ends.
SPINS = """
        import select
        while not select.select([0], [], [], 0)[0]: pass
"""

ONE_LINE = """
import sys
sys.stdin.readline()
print('{"type": "ready", "protocol": 1}', flush=True)
"""

WHEN_PLAYING = "if m['type'] == 'play': "


BLIND_AND_TALON = """
    elif t == "blind":
        answer = {"type": t, "id": m["id"], "blind": False}
    elif t == "talon":
        answer = {"type": t, "id": m["id"], "choice": "take"}
    else:
        continue"""


def every(before: str = "pass", after: str = "pass", bid: str = "") -> str:
    """The source of a bot that answers all that any rules ask."""
    return good(before, after, bid).replace("    else:\n        continue", BLIND_AND_TALON)


def checked(
    tmp_path: Path, source: str, more: str = "", answer_s: float = WIDE_S
) -> list[CheckStep]:
    bot = write_bot(tmp_path / "bot", source, more=more)
    limits, apart = check_limits(answer_s), choose_isolation("none")
    return list(check.check(bot, Conditions(preset(), limits, apart, False)))


def without_figures(text: str) -> str:
    return re.sub(r"\b\d+\.\d+\b|\b\d+(?= MiB)", "#", text)


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    be_patient(monkeypatch)
    monkeypatch.setattr(check, "LONG", 2)


def test_a_good_bot_passes_every_step_on_one_core_as_in_a_league(tmp_path: Path) -> None:
    source = "import os\nassert len(os.sched_getaffinity(0)) == 1\n" + every()
    bot = write_bot(tmp_path / "bot", source, more="deterministic = true\n")
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    try:
        shown = output("check", bot)
    finally:
        os.sched_setaffinity(0, before)
    assert without_figures(shown).startswith(GOOD)
    assert shown.splitlines()[14:] == ["passed all 14 steps"]
    assert not re.search("FAILED|remark", shown)
    assert float(re.findall(r"ready after (\S+) s", shown)[0]) > 0


def test_the_end_of_a_bot_after_its_input_and_what_each_seat_was_asked_are_reported(
    tmp_path: Path,
) -> None:
    steps = checked(tmp_path, f"{every()}raise ValueError('the end')\n")
    told = {step.name: without_figures(step.finding) for step in steps}
    ended = "exited after # s, with exit code 1: ValueError: the end when its input ended"
    assert told["start and ready"].endswith(ended)
    asked = re.findall(r"\d+ (bid|discard|play)\b", told["every seat"])
    assert sorted(asked) == ["bid", "discard", "play"]


SLOW = pytest.mark.slow

BUGS = {
    "exits at once": ("import sys; sys.exit(3)", "start and ready: exited: exit code 3"),
    "no protocol": (
        "print('hello, world', flush=True); input(); input()",
        "start and ready: malformed: in place of ready: the line is not JSON; print",
    ),
    "another protocol": (
        every().replace('"protocol": 1', '"protocol": 2'),
        "start and ready: malformed: in place of ready: this arena speaks",
    ),
    "does not end": (
        every()
        .replace("for line in sys.stdin:", "while True:\n    line = sys.stdin.readline() or '{}'")
        .replace('t = m["type"]', 't = m.get("type"); time.sleep(0 if t else 0.1)'),
        "start and ready: it does not exit when its input ends",
    ),
    "illegal discard": (
        every(before="if t == 'discard': answer['cards'] = ['QC', 'QC']"),
        'declaring: illegal in deal 1 ("deal": 0), asked discard: the discard',
    ),
    "expects a declarer": (
        every(before='if \'"contract":"table"\' in line: sys.exit(1)'),
        'declaring: exited in deal 2 ("deal": 1), asked play: exit code 1',
    ),
    "one seat": (
        every(before=SEATED + "assert seat != 2 or t != 'play'"),
        'every seat: exited in seat 2 in deal 1 ("deal": 0), asked play: exit code 1',
    ),
    "stdout debugging": (
        good(before=WHEN_PLAYING + "print('thinking', m['trick'])"),
        'malformed in deal 1 ("deal": 0), asked play: the line is not JSON; '
        "print debugging goes to stderr: 'thinking []'",
    ),
    "wrong id": (
        good(before="if 'id' in m: answer['id'] = 0"),
        'malformed in deal 1 ("deal": 0), asked discard: answers id 0, asked 1:',
    ),
    "traceback": (
        good(before=WHEN_PLAYING + "m['lgeal']"),
        "exited in deal 1 (\"deal\": 0), asked play: exit code 1: KeyError: 'lgeal'",
    ),
    "illegal card": (
        good(before=WHEN_PLAYING + "answer['card'] = '7C'"),
        'illegal in deal 1 ("deal": 0), asked play: there is no such card',
    ),
    "reads one line": (
        ONE_LINE,
        'exited in deal 1 ("deal": 0), asked bid: exit code 0; a bot reads on until its input ends',
    ),
    "wrong JSON type": (
        good(before="if 'id' in m: answer['id'] = str(m['id'])"),
        'asked bid: the field id must be a whole number, not a string: \'{"type": "bid"',
    ),
    "exits early": (
        good(after="if m['type'] == 'bid': sys.exit()"),
        'exited in deal 1 ("deal": 0), asked discard: exit code 0; a bot reads on',
    ),
    "wrong encoding": (
        f"import sys; sys.stdout.reconfigure(encoding='utf-16')\n{good()}",
        "in place of ready: the line looks like UTF-16; write UTF-8",
    ),
}

SLOW_BUGS = {
    "no flush": (
        good().replace(", flush=True", ""),
        "it has written nothing since its start; it has read hello and is waiting for more input;"
        " perhaps it does not flush its output",
    ),
    "slow": (
        good(before=WHEN_PLAYING + SPINS),
        "no answer within 2 s: it has read the request and is computing (",
    ),
    "many tables": (
        every(before="if m.get('table'): sys.exit(3)").replace(
            '"protocol": 1', '"protocol": 1, "tables": 8'
        ),
        "every seat: exited in deal ",
    ),
    "unknown fields": (
        every(before="assert 'weather' not in m, 'what weather?'"),
        "unusual lines: exited: exit code 1: AssertionError",
    ),
    "random": (
        every(bid="__import__('random').randrange(3)"),
        "a long session: two runs of the same match differ",
    ),
}


@pytest.mark.parametrize("bug", [*BUGS, *(pytest.param(each, marks=SLOW) for each in SLOW_BUGS)])
def test_a_check_ends_with_the_sentence_that_leads_to_the_bug(
    tmp_path: Path, bug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, sentence = (BUGS | SLOW_BUGS)[bug]
    if bug == "does not end":
        monkeypatch.setattr(process, "GRACE_S", 0.5)
    more = "deterministic = true\n" if bug == "random" else ""
    answer_s = 2.0 if bug in ("no flush", "slow") else WIDE_S
    *passed, last = checked(tmp_path, source, more, answer_s)
    assert [step for step in passed if not step.passed] == []
    assert not last.passed
    assert sentence in f"{last.name}: {last.finding}"


@pytest.mark.slow
def test_what_only_other_rules_need_is_a_remark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    be_short_by_lzsf(monkeypatch)
    found = document("check", write_bot(tmp_path / "bot", good()), "--isolation", "none")
    assert found["passed"] is True
    [remark] = found["remarks"]
    late = r"asked blind: no answer within \S+ s: it has read the request"
    assert re.search(f"it fails elsewhere: rules of lzsf: blind.*{late}", remark, re.DOTALL)
    assert [step["required"] for step in found["steps"] if not step["passed"]] == [False]


def test_a_check_that_passes_with_a_remark_says_so_and_shows_its_lines(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lines = ('> {"type":"bid"}', "! timeout: no answer")
    steps = [
        CheckStep("build", True, "built"),
        CheckStep("pools", False, "it exited", lines, "words", required=False),
    ]
    monkeypatch.setattr("arena.cli.bots.steps_of", lambda *_: iter(steps))
    shown = output("check", write_bot(tmp_path / "bot", good()))
    assert [line for line in shown.splitlines() if line][-6:] == [
        "The last lines of pools (> to the bot, < from it):",
        *lines,
        "What it wrote to standard error:",
        "words",
        "passed, 1 remark",
    ]


def test_what_the_rules_ask_for_is_required_and_their_hands_are_played_by_them(
    tmp_path: Path,
) -> None:
    bot = write_bot(tmp_path / "bot", good())
    done = run("check", bot, "--rules", "lzsf", "--move-s", "3", "--isolation", "none")
    assert done.returncode == 1
    asked = ' 4 FAILED declaring: timeout in deal 1 ("deal": 0), asked blind: no answer within'
    assert asked in done.stdout
    assert "perhaps it does not flush its output, or not know this request" in done.stdout
    assert "3 s an answer, 7.5 s to start; leagues give 60 s: --move-s 60" in done.stderr
    assert "lzsf" in refusal("check", bot, "--rules", "lzfs")


@pytest.mark.slow
def test_a_slow_bot_plays_fewer_deals_and_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "STEP_S", 0.1)
    steps = checked(tmp_path, every(before="time.sleep(0.01)"))
    assert all(step.passed for step in steps)
    assert any(" answers in 1 deal;" in step.finding for step in steps)


def test_a_failure_shows_the_lines_of_its_deal_and_stderr(tmp_path: Path) -> None:
    """The fault is in the second of two deals at once; nothing is shown of the first."""
    wrong = "if t == 'discard' and m['deal']: print('oh no', file=sys.stderr); sys.exit(4)"
    done = run("check", write_bot(tmp_path / "bot", every(before=wrong)))
    lines = done.stdout.splitlines()
    assert (done.returncode, done.stderr.count("Traceback")) == (1, 0)
    assert "! exited: exit code 4: oh no" in lines
    assert any(re.match(r'> \{"type":"discard",.*"deal":[1-9]', line) for line in lines)
    assert any(line.startswith('< {"type":"bid"') for line in lines)
    assert not any(re.match(r'> .*"deal":0\b', line) for line in lines)
    assert lines[lines.index("What it wrote to standard error:") + 1] == "oh no"


def test_json_has_every_step_also_of_a_folder_that_is_no_bot(tmp_path: Path) -> None:
    bot = write_bot(tmp_path / "bot", "import sys; sys.exit(3)")
    for folder, passed in ((bot, [True, True, False]), (tmp_path, [False])):
        done = run("check", folder, "--json")
        found = json.loads(done.stdout)
        assert (done.returncode, found["passed"]) == (1, False)
        assert [step["passed"] for step in found["steps"]] == passed
    assert "bot.toml: there is no such file" in found["steps"][0]["finding"]


# Bots whose checks are over soon, each broken in another way.
TELLING = (
    "careful: ends in seat 2",
    "careful: plays any card as defender",
    "careful: forgets the talon",
    "careful: knows its hand from its bid",
    "careful: discards plain cards alone",
    "careful: expects a declarer",
    "careful: expects eight tricks",
    "careful: expects no faults",
)

# Faults of bots that never answer, so that their clock may be short.
LATE = ("timeout", "unready")


@pytest.mark.slow
def test_a_refused_answer_is_asked_about_by_rules_that_have_corrections(tmp_path: Path) -> None:
    bot = write_broken("careful: ends on a refused answer", tmp_path / "bot")
    limits, apart = check_limits(WIDE_S), choose_isolation("none")
    steps = check.check(bot, Conditions(preset("piedalies"), limits, apart, other_rules=False))
    assert [step.name for step in steps if not step.passed] == ["unusual lines"]


@pytest.mark.parametrize(
    "name", [pytest.param(each, marks=() if each in TELLING else SLOW) for each in BROKEN]
)
def test_a_broken_bot_is_caught_and_what_is_no_fault_is_not(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.undo()  # by default no check is patient or short here
    bot, says = name.split(":")[0], BROKEN[name].says
    need(*(missing_programs(bot) if bot in KITS else ()))
    late = any(word in says for word in LATE)
    if not late:
        be_patient(monkeypatch)
    if "does not exit" in says:
        monkeypatch.setattr(process, "GRACE_S", 0.5)
    conditions = Conditions(preset(), check_limits(2.0 if late else WIDE_S), APART, True)
    reported: list[str] = []
    for step in check.check(write_broken(name, tmp_path / "bot"), conditions):
        if not step.passed:
            reported.append(f"{step.name}: {step.finding}")
            if says and says in reported[-1]:
                assert len(reported) == 1 or name not in TELLING, reported
                return
    assert BROKEN[name].passes, f"a check says {reported}, not {says}"
    assert reported == []


UNTIMED = Limits(None, None, 65536)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_each_scene_is_played_with_each_dealer(players: int) -> None:
    rules = preset("lzsf", {"players": players})
    scenes = every_role(rules)
    for seat in range(players):
        deals = script_of(rules, UNTIMED, scenes, seat).plan.deals
        assert [flaw(deal) for deal in deals] == [None] * len(deals)
        for number, scene in enumerate(scenes):
            assert {deal.dealer for deal in deals[number :: len(scenes)]} == set(range(players)), (
                scene
            )
        sitting_out = [seat not in active_seats(players, deal.dealer) for deal in deals]
        assert sum(sitting_out) == len(scenes) * (players - 3)


BID = AskBid(0, 0, 0, 0, (), None, (), ("pass", "ordinary", "solo"))
DISCARD = AskDiscard(0, 0, 0, 0, (), None, ("QC", "9H", "KH"), ("AS", "TS"))
PLAY = AskPlay(1, 0, 0, 0, (), None, ("9H", "KH"), (), ("9H", "KH"), may_offer=True)


@pytest.mark.parametrize(
    ("habit", "asked", "reply"),
    [
        ("pass", BID, BidReply(id=0, bid="pass")),
        ("solo", BID, BidReply(id=0, bid="solo")),
        ("small_solo", BID, BidReply(id=0, bid="pass")),
        ("accept", BID, BidReply(id=0, bid="ordinary")),
        ("misbid", BID, BidReply(id=0, bid="grand")),
        ("ordinary", DISCARD, DiscardReply(id=0, cards=("9H", "KH"))),
        ("misdiscard", DISCARD, DiscardReply(id=0, cards=("KH", "KH"))),
        ("pass", PLAY, PlayReply(id=1, card="KH")),
        ("misplay", PLAY, PlayReply(id=1, card="7C")),
        ("offer", PLAY, PlayReply(id=1, offer=True)),
    ],
)
def test_a_partner_follows_its_habit(habit: Habit, asked: AnyRequest, reply: AnyReply) -> None:
    script = script_of(preset(), UNTIMED, [Scene(STRONG, habit, habit)], most=1)
    assert partner_of(script, 0).answer(asked) == reply


@needs_full_sandbox
def test_a_machine_with_the_full_sandbox_says_how_it_works() -> None:
    found = document("doctor")
    assert (found["level"], bool(found["groups"])) == ("bubblewrap", True)
    assert found["levels"]["bubblewrap"].startswith("works: ")
    assert "bots play at: bubblewrap (namespaces" in output("doctor").replace("\n", " ")


def test_a_machine_without_any_level_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = Mock(side_effect=MachineError(Mistake("there is nothing", "", "get something")))
    monkeypatch.setattr(doctor, "choose_isolation", nothing)
    found, why = examine(None), "there is nothing; get something"
    assert (found.level, found.sound) == (None, False)
    assert found.levels == {"bubblewrap": why, "landlock": why}


def test_a_kernel_that_tells_no_waits_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "text_of", lambda path: None)
    found = examine("none")
    why = "this kernel does not tell how long a bot waits for its core"
    assert (found.clock, found.sound) == (why, False)
