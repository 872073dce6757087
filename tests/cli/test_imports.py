"""Commands that only read load nothing that plays: each is run for real and its imports checked."""

import json
import os
import re
import subprocess
import sys
from unittest.mock import patch

import pytest

from tests.support.bots import write_league
from tests.support.command import PROJECT, output
from tests.support.made_up import ByChance

# What takes time to load, or plays bots.
HEAVY = frozenset(
    "msgspec numpy sqlite3 rich jinja2 trio asyncio multiprocessing distributed "
    "arena.zole arena.league arena.stats arena.record arena.reports wasmtime arena.review "
    "arena.sandbox arena.engine arena.tasks arena.cluster".split()
)

PAPER = {"msgspec", "numpy", "arena.zole", "arena.league", "arena.stats"}
TABLES = {"rich", "arena.reports"}
STORED = PAPER | {"sqlite3", "arena.record"}
PLAYED = HEAVY - {"jinja2", "distributed", "arena.cluster", "wasmtime", "arena.review"}

# The heavy modules that commands may load; `arena doctor` loads what `arena check` does.
MAY_LOAD = [
    (set(), ["--help", "--version"]),
    ({"msgspec"}, ["protocol", "new NEW", "init STARTER"]),
    (PAPER | TABLES, ["rules pagat", "rules"]),
    (
        STORED | TABLES | {"arena.review"},
        [
            "verify LEAGUE",
            "export LEAGUE games",
            "export LEAGUE logs --view public",
            "export LEAGUE reviews",
            "backup LEAGUE COPY",
        ],
    ),
    (
        STORED | TABLES,
        [
            "withdraw nobody --league LEAGUE",
            "resume nobody --league LEAGUE",
            "submissions LEAGUE",
            "standings LEAGUE",
            "standings LEAGUE --all",
            "standings LEAGUE --csv",
        ],
    ),
    (PLAYED | {"arena.review"}, ["review LEAGUE --worlds 8"]),
    (
        STORED | TABLES | {"arena.review"},
        [
            "deal LEAGUE 1",
            "deals LEAGUE --worst a",
            "faults LEAGUE",
            "replay LEAGUE",
            "replay LEAGUE 1",
            "replay LEAGUE 1 --html PAGE",
            "replay LEAGUE 1 --html PAGE --review",
        ],
    ),
    (
        STORED | TABLES | {"jinja2", "arena.review"},
        ["report LEAGUE --replays all"],
    ),
    (
        PLAYED,
        [
            "match BOT BOT BOT --deals 1",
            "rerun LEAGUE 1 --seat 0",
            "league LEAGUE",
            "check nowhere",
            "submit nowhere --league LEAGUE",
            "compare BOT nowhere",
        ],
    ),
]

TELL = """
import json, sys
from arena.__main__ import main
heavy, *commands = json.loads(sys.stdin.read())
for words in commands:
    sys.argv = ["arena", *words]
    try:
        main()
    except SystemExit as end:
        loaded = [each for each in heavy if each in sys.modules]
        print("LOADED", json.dumps([end.code, loaded]), file=sys.stderr)
"""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A league played and reviewed, and the words by which commands name its files here."""
    folder = tmp_path_factory.mktemp("imports")
    league = write_league(folder, deals=1)
    output("league", league)
    with patch("arena.tasks.review.solver_here", ByChance):
        output("review", league, "--worlds", "8")
    return {
        "LEAGUE": str(league),
        "FOLDER": str(folder),
        "PAGE": "page.html",
        "COPY": "copy",
        "NEW": "new",
        "STARTER": "starter",
        "BOT": "a",
    }


@pytest.mark.parametrize(("allowed", "commands"), MAY_LOAD, ids=[each[1][0] for each in MAY_LOAD])
def test_commands_load_no_more_than_they_need(
    allowed: set[str], commands: list[str], files: dict[str, str]
) -> None:
    """Commands that may load the same run one after another in one fresh process."""
    words = [[files.get(word, word) for word in command.split()] for command in commands]
    done = subprocess.run(
        [sys.executable, "-c", TELL],
        input=json.dumps([sorted(HEAVY), *words]), capture_output=True, text=True,
        cwd=files["FOLDER"], env={**os.environ, "PYTHONPATH": PROJECT}, check=False,
    )  # fmt: skip
    told = [json.loads(line) for line in re.findall("^LOADED (.*)", done.stderr, re.MULTILINE)]
    for command, (code, loaded) in zip(commands, told, strict=True):
        assert (code == 0) == (not {"nowhere", "nobody"} & {*command.split()}), done.stderr
        assert set(loaded) <= allowed, f"arena {command} loads {set(loaded) - allowed}"
