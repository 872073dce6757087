"""Runs the whole of `scripts/test` as other machines would: `scripts/test-anywhere [CONDITION …]`.

Each condition is a way in which machines differ (`tools/conditions.py`). It is tried in a clone of
its own, which has what is committed and nothing else, from the set-up on, and told in a line:
passed, failed, or not possible here and why. What failed has its output kept. All of them take
hours; as root all are possible.
"""

import argparse
import os
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from arena.zole.rules import preset
from benchmarks.processor import group
from benchmarks.rules import DEALS, seconds_of
from tools.conditions import CONDITIONS, ImpossibleHere, Way

ROOT: Final = Path(__file__).parents[1]
ANYBODYS: Final = "/var/tmp"
"""Where the clones lie: not in /tmp, which one of the conditions makes small."""

SET_UP: Final = "root=$PWD; . scripts/venv; venv dev; venv run"

WORDS: Final = {True: "passed", False: "FAILED", None: "not possible here"}


class Told(NamedTuple):
    """What came of a condition: whether all tests passed, None where it is not possible."""

    passed: bool | None
    said: str


def main() -> int:
    options = argparse.ArgumentParser(
        prog="scripts/test-anywhere", description=__doc__.split("\n")[0]
    )
    options.add_argument("conditions", nargs="*", metavar="CONDITION", help="all, if none is named")
    options.add_argument("--list", action="store_true", help="name the conditions and do nothing")
    chosen = options.parse_args()
    if chosen.list:
        print("\n".join(CONDITIONS))
        return 0
    if unknown := [name for name in chosen.conditions if name not in CONDITIONS]:
        options.error(f"there is no condition {unknown[0]!r}: see --list")
    passed = True
    for name in chosen.conditions or CONDITIONS:
        began = time.strftime("%Y-%m-%d %H:%M")
        told = tell(name)
        print(f"| {began} | {name} | {WORDS[told.passed]} | {told.said} |", flush=True)
        passed = passed and told.passed is not False
    return 0 if passed else 1


def tell(name: str) -> Told:
    """Try a condition, in a folder that stays where it failed."""
    folder = Path(tempfile.mkdtemp(prefix="anywhere-", dir=ANYBODYS))
    folder.chmod(0o755)
    try:
        with CONDITIONS[name](folder) as way:
            told = tried(folder, way)
    except ImpossibleHere as error:
        told = Told(None, str(error))
    if told.passed is False:
        return Told(False, f"{told.said}; see {folder}")
    shutil.rmtree(folder)
    return told


def tried(folder: Path, way: Way) -> Told:
    """Whether all tests pass in some way, how they ended, and what that cost."""
    bundle = folder / "project.bundle"
    subprocess.run(("git", "bundle", "create", "-q", bundle, "HEAD"), cwd=ROOT, check=True)
    environment = {**os.environ, **way.environment}
    there = {key: value for key, value in environment.items() if value is not None}
    tests = ("scripts/test", *(("-n", "3", *way.arguments) if way.arguments else ()))
    with ExitStack() as stack:
        running, logs = [], []
        for number in range(way.times):
            clone = folder / f"{way.folder}{number or ''}"
            log = stack.enter_context((folder / f"log{number or ''}").open("w+", encoding="utf-8"))
            logs.append(log)
            do = partial(subprocess.Popen, env=there, stdout=log, stderr=log)
            made = do((*way.words, "git", "clone", "-q", bundle, clone)).wait()
            if way.constraints is not None:
                (clone / "scripts/constraints.txt").write_text(way.constraints)
            if made or do((*way.words, "sh", "-c", SET_UP), cwd=clone).wait():
                return Told(False, "the set-up failed")
            running.append(partial(do, (*way.words, *way.apart, *tests), cwd=clone))
        unit, before, began = a_million_deals_s(), waited_s(), time.monotonic()
        with group(folder.name) as counted:
            codes = [each.wait() for each in [start(preexec_fn=counted.enter) for start in running]]
            took, spent = time.monotonic() - began, counted.spent_s()
        if spent is None:  # where nobody may make groups, what nobody waits for is missing
            spent = waited_s() - before
        unit = min(unit, a_million_deals_s())
        ends = []
        for log in logs:
            log.seek(0)
            ends.append(end(log.read()))
    cost = f"{took:.0f} s, {spent:.0f} s of processor time: {spent / unit:.2f} million deals"
    return Told(not any(codes), f"{'; '.join(ends)}; {cost}")


def end(said: str) -> str:
    """How pytest summed up, or else the last line."""
    found = re.findall(r"^=+ (.*\b(?:passed|failed|error).*) =+$", said, re.MULTILINE)
    return found[-1] if found else said.strip().rpartition("\n")[2]


def a_million_deals_s() -> float:
    """Processor seconds for a million deals by the pure rules: costs in them travel."""
    return min(seconds_of(preset(), time.process_time) for _ in range(5)) / DEALS * 1e6


def waited_s() -> float:
    """Processor seconds of all that this process has started and waited for."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
