"""A column that CONTRIBUTING.md adds to the standings is in the terminal, in CSV and on pages."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tests.cli.test_standings import made_up
from tests.support.source import ROOT


def followed(text: str, folder: Path) -> None:
    """Change the files of a folder as the blocks of a section say."""
    for name, block in re.findall(r"```diff\n--- (\S+)\n(.*?)```", text, re.DOTALL):
        lines = block.splitlines(keepends=True)
        before, after = ("".join(it[1:] for it in lines if it[0] in f" {mark}") for mark in "-+")
        path = folder / name
        source = path.read_text(encoding="utf-8")
        assert source.count(before) == 1, f"{name} has changed: adapt the block of CONTRIBUTING"
        path.write_text(source.replace(before, after), encoding="utf-8")


def test_a_column_of_the_standings_touches_two_places(tmp_path: Path) -> None:
    text = (ROOT.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition("## A column of the standings\n")[2]
    source = tmp_path / "source"
    left_out = shutil.ignore_patterns("__pycache__", "node_modules")
    shutil.copytree(ROOT, source / "arena", ignore=left_out)
    followed(section, source)
    league = made_up(tmp_path, "abc", 20)

    def arena(*words: str | Path) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "arena", *words],
            cwd=source,
            env={**os.environ, "PYTHONPATH": str(source)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    head = arena("standings", league).splitlines()[1]
    assert re.search(r"Elo +in all +sets", head)
    assert ",games,total,sets," in arena("standings", league, "--csv").splitlines()[0]
    arena("report", league, "--replays", "none")
    page = league.with_suffix(".html").read_text(encoding="utf-8")
    assert re.search(r"<th [^>]*>in all</th><th [^>]*>sets</th>", page)
