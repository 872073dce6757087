"""People play against real bots through the real page: `arena play` and Chromium."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.support.at_a_page import Person, Seen
from tests.support.browser import Browser, program
from tests.support.command import PROJECT, run_here
from tests.support.patience import PATIENCE_S

pytestmark = pytest.mark.slow


@contextmanager
def table(folder: Path, *options: str, people: int = 1) -> Iterator[tuple[list[str], Path]]:
    """The addresses of people at a table with sample bots, and the record of the match.

    Once it is left, the match has been played to its end and its record verified.
    """
    record = folder / "played.db"
    words = ["play", "--no-browser", "--record", str(record), "--people", str(people), *options]
    with subprocess.Popen(
        [sys.executable, "-m", "arena", *words, "--seed", "5"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=PROJECT,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        try:
            said: list[str] = []
            while len(said) < people:
                line = process.stdout.readline()
                assert line
                said += [line.split()[-1]] * ("http://" in line)
            yield said, record
            assert process.wait(PATIENCE_S) == 0
        finally:
            process.kill()
    done = run_here("verify", record)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_server_stays_until_the_page_has_shown_the_end_and_its_reviews(
    page: Browser, tmp_path: Path
) -> None:
    rules = tmp_path / "four.toml"
    rules.write_text('preset = "pagat"\nplayers = 4\n')
    with table(tmp_path, "--rules", str(rules), "--deals", "1") as ((address,), _):
        person = Person(page, 4, bids=0)
        page.visit(address)
        page.value('localStorage.setItem("zole:pace", "calmly")')
        page.reload()
        seen = person.looks()
        while not seen.over:
            person.does(seen)
            seen = person.looks(seen)
        page.until("document.querySelector('.better h3') && !document.querySelector('.looking')")
        assert page.value("fetch('../zole').then((answer) => answer.ok)")
        page.leave()


def test_two_people_play_in_two_browsers(page: Browser, tmp_path: Path) -> None:
    path = program()
    assert path is not None
    with (
        Browser(path) as other,
        table(tmp_path, "--deals", "4", people=2) as (addresses, _),
    ):
        other.window(390, 844, "dark")
        people = [Person(page, 6), Person(other, 7, taps=True)]
        for person, address in zip(people, addresses, strict=True):
            person.sits(address)
        last: list[Seen | None] = [None, None]
        while not all(seen is not None and seen.over for seen in last):
            for number, person in enumerate(people):
                seen = person.glances(last[number])
                if seen is not None:
                    last[number] = seen
                    if not seen.over:
                        person.does(seen)
        page.leave()
        other.leave()
