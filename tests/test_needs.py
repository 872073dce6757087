"""What is skipped for want of a program is told at the end, with how to get it."""

import os
import subprocess
import sys
from pathlib import Path

from tests.support.browser import Browser, program
from tests.support.needs import sentences


def test_each_missing_program_is_told_with_its_package() -> None:
    reasons = ["Skipped: there is no perl"] * 2 + ["Skipped: there is no go", "this needs root"]
    others = ["there is no Python 3.14", "there is no /dev/fuse", ""]
    assert list(sentences(reasons + others)) == [
        "1 test was skipped: there is no go (Debian: apt-get install golang-go).",
        "2 tests were skipped: there is no perl (Debian: apt-get install perl).",
    ]


def test_a_run_that_must_be_complete_fails_where_a_program_is_missing() -> None:
    test = "tests/test_needs.py::test_without_a_browser_this_is_skipped"
    done = subprocess.run(
        (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", test, "--complete"),
        cwd=Path(__file__).parents[1], env={**os.environ, "PATH": ""}, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1, done.stdout
    assert "1 test was skipped: there is no chromium-headless-shell (Debian: apt-get" in done.stdout


def test_without_a_browser_this_is_skipped(one_browser: Browser) -> None:
    """What the test above runs where there is no browser in the path."""
    assert program() is not None
