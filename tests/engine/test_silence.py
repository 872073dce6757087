"""The cause of a silence only adds to what is told; the line of stderr that says why one ended."""

import os

import msgspec
import pytest

from arena.engine.silence import SHOWN, last_words, look_at, with_diagnosis
from arena.match.commands import Failed
from tests.support.inner_bots import scripted, silent


async def test_the_silence_of_a_process_that_is_gone_has_no_cause() -> None:
    async with scripted(silent) as (process, _):
        process.release()
        late = Failed("timeout", "no answer within 5 s")
        assert with_diagnosis(late, process) == late
        given = msgspec.structs.replace(late, withheld_us=3_400_000)
        told = "no answer within 5 s; it was given 3.4 s more, since others used its core"
        assert with_diagnosis(given, process).detail == told


async def test_an_error_of_a_program_that_goes_on_is_told() -> None:
    async with scripted(silent) as (process, _):
        process.stderr.add(b"Traceback (most recent call last):\n  ...\nKeyError: 'lgeal'\n")
        told = with_diagnosis(Failed("timeout", "no answer within 5 s"), process).detail
        assert told.endswith("; its standard error names an error: KeyError: 'lgeal'")


@pytest.mark.parametrize(
    ("stderr", "said"),
    [
        ("", ""),
        ("one\n\ntwo\n \n", "two"),
        (
            "thinking\nTraceback (most recent call last):\n  File 'x'\nKeyError: 'legal'\n",
            "KeyError: 'legal'",
        ),
        (
            "/bot/bot.js:1\nfoo\n^\n\nReferenceError: foo is not defined\n    at Script.run\n\n"
            "Node.js v20.1.0\n",
            "ReferenceError: foo is not defined",
        ),
        (
            'Exception in thread "main" java.lang.NullPointerException\n\tat B.main(B.java:3)\n',
            'Exception in thread "main" java.lang.NullPointerException',
        ),
        ("Segmentation fault\n", "Segmentation fault"),
        ("e" * 1000, "e" * SHOWN),
    ],
)
def test_the_line_that_names_the_error_is_found(stderr: str, said: str) -> None:
    assert last_words(stderr) == said


@pytest.mark.parametrize(
    ("pids", "state"),
    [
        pytest.param([], None, id="no process"),
        pytest.param([2**22 + 1], None, id="a process that is gone"),
        pytest.param([os.getpid()], "computing", id="a process that runs"),
    ],
)
def test_the_state_of_a_silent_process_is_looked_up(pids: list[int], state: str | None) -> None:
    ours, theirs = os.pipe()
    try:
        assert look_at(pids, theirs) == state
    finally:
        os.close(ours)
        os.close(theirs)
