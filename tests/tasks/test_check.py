"""What `arena check` says of good bots and of bad ones."""

import json
import os
import re
from pathlib import Path

import pytest

from arena.base.check_step import CheckStep
from arena.engine import process
from arena.sandbox.isolation import choose_isolation
from arena.tasks import check
from arena.tasks.check import Conditions, check_limits
from arena.zole.rules import preset
from tests.support.bots import good, write_bot
from tests.support.checks import WIDE_S, be_patient, be_short_by_lzsf
from tests.support.command import run, run_here

GOOD = """\
 1 ok     manifest: bot 1 by tests
 2 ok     build: nothing to build
 3 ok     start and ready: ready after # s; exited after # s when its input ended
 4 ok     declaring: asked 9 bid, 3 discard, 72 play
 5 ok     a table game: asked 6 bid, 48 play
 6 ok     defending: asked 8 bid, 144 play, 2 discard
"""


SEATED = """
    global seat
    told = [each["seat"] for each in m.get("events", ()) if each["event"] == "deal"]
    seat = told[0] if told else globals().get("seat")
    """
"""A bot that notes where it sits; deals begin with the event of that name."""


def every(before: str = "pass", after: str = "pass", bid: str = "") -> str:
    """A good bot that knows every request."""
    source = good(before, after, bid)
    known = 'elif t == "blind":\n        answer = {"type": t, "id": m["id"], "blind": False}\n'
    known += (
        '    elif t == "talon":\n        answer = {"type": t, "id": m["id"], "choice": "take"}\n'
    )
    return source.replace("    else:\n        continue", f"    {known}    else:\n        continue")


def checked(tmp_path: Path, source: str) -> list[CheckStep]:
    """The steps of the check of a bot by the default rules alone."""
    bot = write_bot(tmp_path / "bot", source)
    apart = choose_isolation("none")
    return list(check.check(bot, Conditions(preset(), check_limits(WIDE_S), apart, False)))


def told(text: str) -> str:
    """Without the figures that differ from run to run."""
    return re.sub(r"\b\d+\.\d+\b|\b\d+(?= MiB)", "#", text)


@pytest.fixture(autouse=True)
def _wide(monkeypatch: pytest.MonkeyPatch) -> None:
    be_patient(monkeypatch)


def test_a_good_bot_passes_every_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "LONG", 2)
    bot = write_bot(tmp_path / "bot", every(), more="deterministic = true\n")
    done = run("check", bot)
    assert told(done.stdout).startswith(GOOD)
    assert done.stdout.splitlines()[12:] == ["passed all 12 steps"]
    assert "FAILED" not in done.stdout
    assert "remark" not in done.stdout
    [seconds] = re.findall(r"ready after (\S+) s", done.stdout)
    assert float(seconds) > 0
    assert done.returncode == 0


def test_a_checked_bot_has_one_core_as_in_a_league(tmp_path: Path) -> None:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, range(os.cpu_count() or 1))
    try:
        steps = checked(tmp_path, "import os\nassert len(os.sched_getaffinity(0)) == 1\n" + every())
    finally:
        os.sched_setaffinity(0, before)
    assert all(step.passed for step in steps), steps[-1]


@pytest.mark.parametrize(
    ("source", "more", "last"),
    [
        (
            "import sys; sys.exit(3)",
            "",
            " 3 FAILED start and ready: exited: exit code 3",
        ),
        (
            "print('hello, world', flush=True); input(); input()",
            "",
            " 3 FAILED start and ready: malformed: in place of ready: the line is not JSON; print",
        ),
        (
            every().replace('"protocol": 1', '"protocol": 2'),
            "",
            " 3 FAILED start and ready: malformed: in place of ready: this arena speaks",
        ),
        (
            every(before="if t == 'discard': answer['cards'] = ['QC', 'QC']"),
            "",
            ' 4 FAILED declaring: illegal in deal 1 ("deal": 0), asked discard: the discard',
        ),
        (
            every(before='if \'"contract":"table"\' in line: sys.exit(1)'),
            "",
            ' 4 FAILED declaring: exited in deal 2 ("deal": 1), asked play: exit code 1',
        ),
        pytest.param(
            every(before="if m.get('table'): sys.exit(3)").replace(
                '"protocol": 1', '"protocol": 1, "tables": 8'
            ),
            "",
            " 9 FAILED every seat: exited in deal ",
            marks=pytest.mark.slow,
        ),
        (
            every(before=SEATED + "assert seat != 2 or t != 'play'"),
            "",
            ' 9 FAILED every seat: exited in seat 2 in deal 1 ("deal": 0), asked play: exit code 1',
        ),
        pytest.param(
            every(before="assert 'weather' not in m, 'what weather?'"),
            "",
            "10 FAILED unusual lines: exited: exit code 1: AssertionError",
            marks=pytest.mark.slow,
        ),
        (
            every()
            .replace(
                "for line in sys.stdin:", "while True:\n    line = sys.stdin.readline() or '{}'"
            )
            .replace('t = m["type"]', 't = m.get("type"); time.sleep(0 if t else 0.1)'),
            "",
            " 3 FAILED start and ready: it does not exit when its input ends",
        ),
        pytest.param(
            every(bid="__import__('random').randrange(3)"),
            "deterministic = true\n",
            "11 FAILED a long session: two runs of the same match differ",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_bad_bot_fails_at_its_step(
    tmp_path: Path, source: str, more: str, last: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "LONG", 2)
    if "does not exit" in last:
        monkeypatch.setattr(process, "GRACE_S", 0.5)
    bot = write_bot(tmp_path / "bot", source, more=more)
    done = run("check", bot, "--isolation", "none")
    assert done.returncode == 1
    [failed] = [line for line in done.stdout.splitlines() if " FAILED " in line[:11]]
    assert failed.startswith(last)
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_what_no_rules_asked_for_need_is_a_remark(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "LONG", 2)
    be_short_by_lzsf(monkeypatch)
    bot = write_bot(tmp_path / "bot", good())
    done = run("check", bot, "--json", "--isolation", "none")
    document = json.loads(done.stdout)
    assert (done.returncode, document["passed"]) == (0, True)
    [remark] = document["remarks"]
    assert "would not survive rules of lzsf: blind" in remark
    assert re.search(r"asked blind: no answer within \S+ s: it has read the request", remark)
    [step] = [step for step in document["steps"] if not step["passed"]]
    assert not step["required"]


def test_a_check_that_passes_with_a_remark_says_so_and_shows_its_lines(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    lines = ('> {"type":"bid"}', "! timeout: no answer")
    steps = [
        CheckStep("build", True, "built"),
        CheckStep("pools", False, "it exited", lines, "words", required=False),
    ]
    monkeypatch.setattr("arena.cli.bots.steps_of", lambda *_: iter(steps))
    done = run_here("check", write_bot(tmp_path / "bot", good()))
    assert done.returncode == 0
    assert list(filter(None, done.stdout.splitlines()))[-6:] == [
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
    assert (
        ' 4 FAILED declaring: timeout in deal 1 ("deal": 0), asked blind: no answer within'
        in done.stdout
    )
    assert "it may not flush its output, or not know this request" in done.stdout
    assert "3 s an answer, 7.5 s to start; leagues give 60 s: --move-s 60" in done.stderr


@pytest.mark.slow
def test_a_slow_bot_plays_fewer_deals_and_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "STEP_S", 0.1)
    steps = checked(tmp_path, every(before="time.sleep(0.01)"))
    assert all(step.passed for step in steps)
    assert any(" answers in 1 deal;" in step.said for step in steps)


def test_how_a_bot_ends_after_its_input_and_what_it_was_are_told(tmp_path: Path) -> None:
    steps = checked(tmp_path, f"{every()}raise ValueError('the end')\n")
    said = {step.name: told(step.said) for step in steps}
    ended = "exited after # s, with exit code 1: ValueError: the end when its input ended"
    assert said["start and ready"].endswith(ended)
    for kind in ("bid", "discard", "play"):
        assert re.search(rf"\d+ {kind}\b", said["every seat"]), kind


def test_rules_that_are_not_known_are_told(tmp_path: Path) -> None:
    done = run("check", tmp_path, "--rules", "lzfs")
    assert done.returncode == 2
    assert "lzsf" in done.stderr


def test_a_failure_shows_the_transcript_and_stderr(tmp_path: Path) -> None:
    source = every(before="if t == 'discard': print('oh no', file=sys.stderr); sys.exit(4)")
    done = run("check", write_bot(tmp_path / "bot", source))
    lines = done.stdout.splitlines()
    assert "! exited: exit code 4: oh no" in lines
    assert any(line.startswith('> {"type":"discard","id":1,') for line in lines)
    assert any(line.startswith('< {"type":"bid","id":0') for line in lines)
    assert lines[-1] == "oh no"


def test_json_has_every_step(tmp_path: Path) -> None:
    done = run("check", write_bot(tmp_path / "bot", "import sys; sys.exit(3)"), "--json")
    document = json.loads(done.stdout)
    assert not document["passed"]
    assert [step["passed"] for step in document["steps"]] == [True, True, False]
    assert done.returncode == 1


def test_a_folder_that_is_no_bot_is_told(tmp_path: Path) -> None:
    done = run("check", tmp_path)
    assert done.returncode == 1
    assert " 1 FAILED manifest:" in done.stdout
    assert "bot.toml: there is no such file" in done.stdout
