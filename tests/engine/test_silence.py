"""The cause of a silence only adds to what is told; the line of stderr that says why one ended."""

import os

import msgspec
import pytest
import trio

from arena.engine.silence import SHOWN, because, last_words, look_at
from arena.match.commands import Failed
from tests.support.inner_bots import InnerBot, process_of


async def test_what_can_no_longer_be_looked_at_is_told_without_its_cause() -> None:
    async with trio.open_nursery() as nursery:
        bot = InnerBot(nursery, lambda bot: trio.sleep_forever())
        process = process_of(bot)
        process.release()
        late = Failed("timeout", "no answer within 5 s")
        assert because(late, process) == late
        given = msgspec.structs.replace(late, withheld_us=3_400_000)
        told = "no answer within 5 s; it was given 3.4 s more, since others used its core"
        assert because(given, process).detail == told
        bot.kill()


async def test_an_error_of_a_program_that_goes_on_is_told() -> None:
    async with trio.open_nursery() as nursery:
        bot = InnerBot(nursery, lambda bot: trio.sleep_forever())
        process = process_of(bot)
        process.stderr.add(b"Traceback (most recent call last):\n  ...\nKeyError: 'lgeal'\n")
        told = because(Failed("timeout", "no answer within 5 s"), process).detail
        assert told.endswith("; its standard error names an error: KeyError: 'lgeal'")
        bot.kill()
        process.release()


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


def test_of_processes_that_are_gone_nothing_is_claimed() -> None:
    ours, theirs = os.pipe()
    try:
        assert look_at([], theirs) is None
        assert look_at([2**22 + 1], theirs) is None
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_process_that_runs_is_computing() -> None:
    ours, theirs = os.pipe()
    try:
        assert look_at([os.getpid()], theirs) == "computing"
    finally:
        os.close(ours)
        os.close(theirs)
