"""Every code block of the pages that people begin with runs as it stands.

The language of a block says what is done with it, in the order of the page and in one scratch copy
of the project for each page:

    ```sh               each line is run, with `arena` on the path; its exit code is 0, or what a
                        comment behind it says ("# exits with 1"); `cd` lasts until the page's end
    ```toml bot/x.toml  is written to that file; so is a block of any language with a file's name
    ```toml             must be TOML; `json` JSON in each line, `python` Python
    ```text             is only read: what needs a stranger's host, or shows what something prints

The example leagues are shorter in the copy, and `scripts/test` is what runs this.
"""

import json
import os
import platform
import re
import shutil
import stat
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.util import cache_from_source
from pathlib import Path
from shlex import quote
from typing import NamedTuple

import pytest

from tests.support.bots import write_league
from tests.support.command import keep_to_one_core

ROOT = Path(__file__).parents[1]

RUN = ("README.md", "protocol/README.md")
"""Pages whose blocks are run."""

DOCS = sorted(str(path.relative_to(ROOT)) for path in ROOT.glob("docs/**/*.md"))
DECISIONS = [page for page in DOCS if re.match(r"docs/decisions/\d", page)]
PAGES = (*RUN, "CONTRIBUTING.md", *DOCS)


class Block(NamedTuple):
    """A code block: the line it begins at, its language, the file it belongs into, its text."""

    line: int
    language: str
    file: str
    text: str


def blocks(page: str) -> Iterator[Block]:
    """The code blocks of a page, from above."""
    text = (ROOT / page).read_text(encoding="utf-8")
    for found in re.finditer(r"^```(\w*) ?(\S*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        line = text.count("\n", 0, found.start()) + 1
        yield Block(line, found[1], found[2], found[3])


def scratch_copy(folder: Path) -> Path:
    """The tracked files with this Python in the place of .venv, and `arena` in a folder beside.

    What Python has compiled of them already comes along.
    """
    root = folder / "project"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        if not name.startswith(("tests/", "arena/viewer/src/")):
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, root / name)
            compiled = Path(cache_from_source(name))
            if name.endswith(".py") and (ROOT / compiled).exists():
                (root / compiled).parent.mkdir(exist_ok=True)
                shutil.copy2(ROOT / compiled, root / compiled)
    for league in root.glob("leagues/*.toml"):
        short = "deals = 1\nseatings = 3"
        league.write_text(re.sub(r"^deals = \d+", short, league.read_text(), flags=re.M))
    python = f'PYTHONPATH={quote(str(root))} exec {quote(sys.executable)} "$@"\n'
    write_program(root / ".venv" / "bin" / "python", python)
    write_program(folder / "bin" / "arena", f'exec {quote(str(root))}/scripts/arena "$@"\n')
    asked = ("pyproject.toml", "scripts/constraints.txt", "scripts/run.txt")
    packages = f"$(cat {' '.join(f'{root}/{name}' for name in asked)} | cksum)"
    want = f'echo "{platform.python_version()} {packages} {root}"'
    stamp = subprocess.run(["sh", "-c", want], capture_output=True, check=True).stdout
    (root / ".venv" / "stamp-run").write_bytes(stamp)
    return root


def write_program(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{text}")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)


@pytest.mark.parametrize("page", PAGES)
def test_the_blocks_of_a_page_are_what_they_say(page: str) -> None:
    for block in blocks(page):
        where = f"{page}:{block.line}"
        match block.language:
            case "toml":
                tomllib.loads(block.text)
            case "json":
                assert [json.loads(line) for line in block.text.splitlines()], where
            case "python":
                compile(block.text, where, "exec")
            case language:
                assert language in ("sh", "text"), f"{where}: sh, toml, json, python or text?"


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN)
def test_the_blocks_of_a_page_run_as_they_stand(page: str, tmp_path: Path) -> None:
    root = scratch_copy(tmp_path)
    here = root
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "NO_COLOR": "1"}
    for block in blocks(page):
        if block.file:
            (here / block.file).parent.mkdir(parents=True, exist_ok=True)
            (here / block.file).write_text(block.text, encoding="utf-8")
        elif block.language == "sh":
            for line in block.text.replace("\\\n", " ").splitlines():
                if line.startswith("scripts/test"):
                    continue
                if line.startswith("cd "):
                    here = (here / line.split()[1]).resolve()
                    continue
                want = re.search(r"#.*\bexits with (\d+)", line)
                done = subprocess.run(
                    ["sh", "-c", line], cwd=here, env=environment, stdin=subprocess.DEVNULL,
                    capture_output=True, text=True, check=False, preexec_fn=keep_to_one_core,
                )  # fmt: skip
                said = f"{page}:{block.line}: {line}\n{done.stdout}{done.stderr}"
                assert done.returncode == (int(want[1]) if want else 0), said
                assert "Traceback" not in done.stderr, said


def test_a_match_is_played_by_the_script_for_a_debugger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (script,) = (it for it in blocks("docs/debugging-the-arena.md") if it.file == "one.py")
    monkeypatch.setattr("sys.argv", ["one.py", str(write_league(tmp_path, deals=1))])
    exec(script.text, {})
    assert capsys.readouterr().out.startswith("Results(payments=((")


def test_a_page_s_blocks_are_found_with_their_files() -> None:
    languages = {(block.language, block.file) for block in blocks("protocol/README.md")}
    assert {("python", "first/bot.py"), ("toml", "first/bot.toml"), ("sh", "")} <= languages


@pytest.mark.parametrize("page", PAGES)
def test_the_links_of_a_page_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, section = target.partition("#")
        there = (ROOT / page).parent / path if path else ROOT / page
        assert "://" in target or there.exists(), target
        if section:
            assert section in sections(there), target


def linked(page: str) -> set[str]:
    """The pages to which a page's tables lead."""
    rows = "\n".join(re.findall(r"^\|.*", (ROOT / page).read_text(encoding="utf-8"), re.M))
    found = re.findall(r"\]\(([\w/.-]+\.md)(?:#[\w-]+)?\)", rows)
    return {str(Path(page).parent / path) for path in found}


def test_every_page_is_in_one_list() -> None:
    assert linked("docs/decisions/README.md") == {*DECISIONS}
    protocol = {f"protocol/{path.name}" for path in ROOT.glob("protocol/*.md")}
    assert linked("README.md") == {"CONTRIBUTING.md", *protocol, *DOCS} - {*DECISIONS}


@pytest.mark.parametrize("page", DECISIONS)
def test_a_decision_says_the_same_four_things(page: str) -> None:
    number, title = re.findall(
        r"^# (\d+)\. (.+)$", (ROOT / page).read_text(encoding="utf-8"), re.M
    )[0]
    index = (ROOT / "docs/decisions/README.md").read_text(encoding="utf-8")
    assert f"| {number} | [{title}]({Path(page).name}) |" in index
    assert Path(page).name.startswith(f"{int(number):02}-")
    told = {"context", "decision", "what-was-tried-instead", "what-it-costs"}
    assert sections(ROOT / page) > told


def sections(page: Path) -> set[str]:
    """The addresses of a page's headings."""
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}
