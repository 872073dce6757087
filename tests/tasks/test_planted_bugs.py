"""Ten mistakes that first bots make, and the sentence of `arena check` that leads to each."""

from pathlib import Path

import pytest

from tests.support.bots import good, write_bot
from tests.support.checks import be_patient
from tests.support.command import run

WHEN_PLAYING = "if m['type'] == 'play': "

SPINS = """
        import select
        while not select.select([0], [], [], 0)[0]: pass
"""
"""Computes until its input ends."""

ONE_LINE = """
import sys
sys.stdin.readline()
print('{"type": "ready", "protocol": 1}', flush=True)
"""

BUGS = {
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
    "no flush": (
        good().replace(", flush=True", ""),
        "it has written nothing since its start; it has read hello and is waiting for more input;"
        " it may not flush its output",
    ),
    "reads one line": (
        ONE_LINE,
        'exited in deal 1 ("deal": 0), asked bid: exit code 0; a bot reads on until its input ends',
    ),
    "slow": (
        good(before=WHEN_PLAYING + SPINS),
        "no answer within 2 s: it has read the request and is computing (",
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

LATE = ("no flush", "slow")
"""Bugs by which an answer never comes."""


@pytest.mark.parametrize(
    "bug", [pytest.param(bug, marks=pytest.mark.slow if bug in LATE else ()) for bug in BUGS]
)
def test_a_check_says_what_leads_to_the_bug(
    tmp_path: Path, bug: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, sentence = BUGS[bug]
    be_patient(monkeypatch)
    bot = write_bot(tmp_path / "bot", source)
    short = ("--move-s", "2") if bug in LATE else ()
    done = run("check", bot, *short, "--isolation", "none")
    assert done.returncode == 1
    [failed] = [line for line in done.stdout.splitlines() if " FAILED " in line]
    assert sentence in failed
    assert "leagues give 60 s: --move-s 60" in done.stderr
