"""The programs that tests need of a machine: what is skipped without them, and how to get them."""

import re
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest

_PROGRAMS = Path(__file__).parents[2] / "scripts" / "programs"


def need(*programs: str) -> None:
    """Skip this test unless some programs are there."""
    for program in programs:
        if shutil.which(program) is None:
            pytest.skip(lack_of(program))


def lack_of(program: str) -> str:
    """The reason to skip a test for want of a program."""
    return f"there is no {program}"


def sentences(reasons: Iterable[str]) -> Iterator[str]:
    """For each missing program, how many tests were skipped for want of it, and how to get it."""
    named = (re.fullmatch(r"(?:Skipped: )?there is no (\S+)", reason) for reason in reasons)
    for program, count in sorted(Counter(found[1] for found in named if found).items()):
        if program in packages():
            tests = "1 test was" if count == 1 else f"{count:,} tests were"
            how = f"Debian: apt-get install {packages()[program]}"
            yield f"{tests} skipped: there is no {program} ({how})."


@cache
def packages() -> dict[str, str]:
    """The packages of Debian that bring each program."""
    lines = _PROGRAMS.read_text(encoding="utf-8").splitlines()
    pairs = (line.partition(" ") for line in lines if not line.startswith("#"))
    return {program: names for program, _, names in pairs}
