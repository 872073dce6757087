"""What CONTRIBUTING.md adds as examples, a column and a page, is there once it is followed."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import arena
from tests.cli.test_standings import made_up

ROOT = Path(arena.__file__).parent


def followed(title: str, source: Path) -> None:
    """Change a copy of the package as the blocks of a section say."""
    left_out = shutil.ignore_patterns("__pycache__", "node_modules")
    shutil.copytree(ROOT, source / "arena", ignore=left_out)
    text = (ROOT.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition(f"## {title}\n")[2].partition("\n## ")[0]
    blocks = re.findall(r"```diff\n--- (\S+)\n(.*?)```", section, re.DOTALL)
    assert len(blocks) > 1
    for name, block in blocks:
        path, lines = source / name, block.splitlines(keepends=True)
        before, after = ("".join(it[1:] for it in lines if it[0] in f" {mark}") for mark in "-+")
        known = path.read_text(encoding="utf-8") if before else ""
        assert not before or known.count(before) == 1, f"{name} has changed: adapt the block"
        path.write_text(known.replace(before, after) if before else after, encoding="utf-8")


def run_in(source: Path, *words: str | Path) -> str:
    done = subprocess.run(
        [sys.executable, *words], cwd=source, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONPATH": f"{source}{os.pathsep}{ROOT.parent}"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_column_of_the_standings_touches_two_places(tmp_path: Path) -> None:
    source, league = tmp_path / "source", made_up(tmp_path, "abc", 20)
    followed("A column of the standings", source)
    shown, sheet, _ = (
        run_in(source, "-m", "arena", command, league, *words)
        for command, *words in (
            ("standings",),
            ("standings", "--csv"),
            ("report", "--replays", "none"),
        )
    )
    assert re.search(r"Elo +in all +sets", shown.splitlines()[1])
    assert ",games,total,sets," in sheet.splitlines()[0]
    page = league.with_suffix(".html").read_text(encoding="utf-8")
    assert re.search(r"<th [^>]*>in all</th><th [^>]*>sets</th>", page)


DRAW = """
from tests.support.made_site import MadeSite, MadeSource
from arena.site.pages.public import PAGES, PageAsk
from arena.site.pages.templates import site_templates
from arena.site.web.public import all_routes
import arena
[page] = [each for each in PAGES if each.path == "/levels"]
print(page.draw(PageAsk(MadeSource(MadeSite())), site_templates("Zole", "http://x", "lv")))
print(sorted(each.path for each in all_routes() if "levels" in each.path), arena.__file__)
"""


def test_a_page_touches_three_places(tmp_path: Path) -> None:
    followed("A page", tmp_path)
    told = run_in(tmp_path, "-c", DRAW)
    assert "<h1>Levels</h1>" in told, "English until the other languages have the message"
    assert "['/levels', '/levels.json']" in told
    assert str(tmp_path) in told.splitlines()[-1]
