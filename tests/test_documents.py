"""Every code block of every page runs as it stands, or says why it does not.

The language of a block says what is done with it, in the order of the page and in one scratch copy
of the project for each page:

    ```sh               each line is run, with `arena` on the path; its exit code is 0, or what a
                        comment behind it says ("# exits with 1"); `cd` lasts until the page's end
    ```toml bot/x.toml  is written to that file; so is a block of any language with a file's name
    ```diff bot/bot.py  changes that file: its lines with - become those with +
    ```toml             must be TOML; `json` JSON in each line, `python` Python

Comments above a block, which no reader sees, say more of it:

    <!-- before: COMMAND -->    is run first: what the page takes for granted. A tutorial has none
    <!-- needs: PROGRAM -->     where it is missing, the rest of the page is skipped
    <!-- run by: tests/… -->    this file of tests reads the page, and runs or compares the block
    <!-- not run: REASON -->    is only read

With `all` before it (<!-- all not run: REASON -->), such a comment below a page's title says so of
every block of the page that says nothing itself.

The example leagues are shorter in the copy, and `scripts/test` is what runs this.
"""

import json
import os
import platform
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from collections.abc import Iterator
from importlib.util import cache_from_source
from pathlib import Path
from shlex import quote
from types import FrameType
from typing import NamedTuple

import pytest

from arena.base.installation import form
from arena.match.wire import AnyReply, AnyRequest, Event, Message
from arena.tasks import check
from tests.support.bots import write_league
from tests.support.checks import be_patient, be_short_by_lzsf
from tests.support.command import keep_to_one_core, output, run_here
from tests.support.needs import need
from tools.docs_site import pages

ROOT = Path(__file__).parents[1]

PAGES = pages()


def read(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


DECISIONS = [page for page in PAGES if re.match(r"docs/decisions/\d", page)]
TUTORIALS = [page for page in PAGES if page.startswith("docs/start/")]

BLOCK = re.compile(
    r"((?:^ *<!-- [^\n]* -->\n)*)^( *)```(\w*) ?(\S*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL
)
MARK = re.compile(r"^ *<!-- (before|needs|run by|not run): (.+) -->$", re.MULTILINE)
OF_ALL = re.compile(r"^<!-- all (run by|not run): (.+) -->$", re.MULTILINE)


class Block(NamedTuple):
    """A code block: its first line, its language, the file it belongs into, its text.

    `marks` are the comments above it: what each is about, and what it says.
    """

    line: int
    language: str
    file: str
    text: str
    marks: tuple[tuple[str, str], ...] = ()

    def said(self, what: str) -> list[str]:
        return [text for about, text in self.marks if about == what]

    @property
    def runs(self) -> bool:
        """Whether the block is run here, written to a file or used to change one."""
        apart = self.said("run by") or self.said("not run")
        return not apart and (self.language == "sh" or self.file != "")


def blocks(page: str) -> Iterator[Block]:
    """The code blocks of a page, from above."""
    text = read(page)
    of_all = tuple(OF_ALL.findall(text))
    for found in BLOCK.finditer(text):
        line = text.count("\n", 0, found.end(1)) + 1
        inner = textwrap.dedent(found[5]) if found[2] else found[5]
        yield Block(line, found[3], found[4], inner, tuple(MARK.findall(found[1])) or of_all)


RUN = [page for page in PAGES if any(it.runs for it in blocks(page))]


def scratch_copy(folder: Path) -> Path:
    """The tracked files with this Python in the place of .venv, and `arena` in a folder beside.

    What Python has compiled of them already comes along.
    """
    root = folder / "project"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True)
    for name in filter(None, listed.stdout.decode().split("\0")):
        if not name.startswith(("tests/", "arena/viewer/src/")):
            compiled = cache_from_source(name) if name.endswith(".py") else name
            for each in {name, compiled if (ROOT / compiled).exists() else name}:
                (root / each).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / each, root / each)
    for league in root.glob("leagues/*.toml"):
        league.write_text(re.sub(r"^deals = \d+", "deals = 1", league.read_text(), flags=re.M))
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
    path.chmod(0o755)


@pytest.mark.parametrize("page", PAGES)
def test_the_blocks_of_a_page_are_what_they_say(page: str) -> None:
    for block in blocks(page):
        where = f"{page}:{block.line}"
        run_by = block.said("run by")
        match block.language:
            case "toml":
                tomllib.loads(block.text)
            case "json":
                assert [json.loads(line) for line in block.text.splitlines()], where
            case "python":
                compile(block.text, where, "exec")
            case _:
                how = f"{where}: name a file, or say above it: not run, or run by"
                assert block.runs or run_by or block.said("not run"), how
        assert all(page in read(tests) for tests in run_by), where
        assert page not in TUTORIALS or not block.said("before"), f"{where}: a reader must see it"


@pytest.mark.slow
@pytest.mark.parametrize("page", RUN)
def test_the_blocks_of_a_page_run_as_they_stand(page: str, tmp_path: Path) -> None:
    here = scratch_copy(tmp_path)
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    for block in (it for it in blocks(page) if it.runs):
        need(*block.said("needs"))
        file = here / block.file
        if block.file:
            file.parent.mkdir(parents=True, exist_ok=True)
            changes = block.language == "diff"
            file.write_text(applied(block.text, file.read_text()) if changes else block.text)
        lines = block.text.replace("\\\n", " ").splitlines() if block.language == "sh" else []
        for line in (*block.said("before"), *lines):
            if line.startswith("cd "):
                here = (here / line.split()[1]).resolve()
            elif not line.startswith("scripts/test"):
                want = re.search(r"#.*\bexits with (\d+)", line)
                done = subprocess.run(
                    ["sh", "-c", line], cwd=here, stdin=subprocess.DEVNULL,
                    env={**os.environ, "PATH": path, "NO_COLOR": "1"},
                    capture_output=True, text=True, check=False, preexec_fn=keep_to_one_core,
                )  # fmt: skip
                said = f"{page}:{block.line}: {line}\n{done.stdout}{done.stderr}"
                assert done.returncode == (int(want[1]) if want else 0), said
                assert "Traceback" not in done.stderr, said


def applied(change: str, text: str) -> str:
    """A text in which the lines of a change with - are those with +; each must be there once."""
    lines = change.splitlines(keepends=True)
    old, new = ("".join(line[1:] for line in lines if line[0] in f" {sign}") for sign in "-+")
    assert text.count(old) == 1, old
    return text.replace(old, new)


def test_a_match_is_played_by_the_script_for_a_debugger(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (script,) = (it for it in blocks("docs/debugging-the-arena.md") if it.file == "one.py")
    monkeypatch.setattr("sys.argv", ["one.py", str(write_league(tmp_path, deals=1))])
    exec(script.text, {})
    assert capsys.readouterr().out.startswith("Results(payments=((")


@pytest.mark.parametrize("page", PAGES)
def test_the_links_of_a_page_lead_somewhere(page: str) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", read(page)):
        path, _, section = target.partition("#")
        there = (ROOT / page).parent / path if path else ROOT / page
        assert "://" in target or there.exists(), target
        assert not section or section in sections(there), target


def test_each_message_of_troubleshooting_is_one_of_the_arenas() -> None:
    messages = re.findall(r"^\| `([^`]+)` \|", read("docs/troubleshooting.md"), re.MULTILINE)
    sources = [*(ROOT / "arena").rglob("*.py"), ROOT / "scripts/venv"]
    text = "\n".join(each.read_text(encoding="utf-8") for each in sources)
    parts = [part.strip(" .,:") for message in messages for part in message.split("…")]
    assert len(messages) > 20
    assert [part for part in parts if part not in text] == []


def test_every_decision_is_in_the_list() -> None:
    rows = "".join(re.findall(r"^\|.*", read("docs/decisions/README.md"), re.M))
    found = re.findall(r"\]\(([\w/.-]+\.md)(?:#[\w-]+)?\)", rows)
    assert {f"docs/decisions/{path}" for path in found} == {*DECISIONS}


@pytest.mark.parametrize("page", DECISIONS)
def test_a_decision_says_the_same_four_things(page: str) -> None:
    number, title = re.findall(r"^# (\d+)\. (.+)$", read(page), re.M)[0]
    assert f"| {number} | [{title}]({Path(page).name}) |" in read("docs/decisions/README.md")
    assert Path(page).name.startswith(f"{int(number):02}-")
    told = {"context", "decision", "what-was-tried-instead", "what-it-costs"}
    assert sections(ROOT / page) > told


def sections(page: Path) -> set[str]:
    titles = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M)
    return {re.sub(r"[^\w -]", "", title.lower()).replace(" ", "-") for title in titles}


ABOUT_CODE = [
    "CONTRIBUTING.md",
    *(f"docs/{name}.md" for name in ("architecture", "glossary", "record")),
    *DECISIONS,
    "docs/decisions/README.md",
]


@pytest.mark.parametrize("page", ABOUT_CODE)
def test_a_page_about_the_code_names_files_that_exist(page: str) -> None:
    named = re.findall(r"`([\w/]+(?:/|\.py|\.toml|\.md|\.html|\.c))`", read(page))
    places = (ROOT / "arena", ROOT)
    assert [each for each in named if not any((place / each).exists() for place in places)] == []


GUIDE = read("protocol/README.md")
FIRST = {block.file: block.text for block in blocks("protocol/README.md")}
"""The files of the first bot."""


@pytest.mark.slow
def test_the_first_bot_of_the_guide_passes_its_check_and_is_entered_into_a_league(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "LONG", 2)
    be_patient(monkeypatch)
    be_short_by_lzsf(monkeypatch)
    for file in ("first/bot.py", "first/bot.toml"):
        (tmp_path / "first").mkdir(exist_ok=True)
        (tmp_path / file).write_text(FIRST[file])
    assert "remark it fails elsewhere: rules of lzsf: blind" in output("check", tmp_path / "first")
    league = tmp_path / "spring.toml"
    league.write_text(read("leagues/spring.toml").replace("../", f"{ROOT}/"))
    assert "entered: as first" in output("submit", tmp_path / "first", "--league", league)


def test_the_first_bot_of_the_guide_has_ten_lines() -> None:
    assert len([line for line in FIRST["first/bot.py"].splitlines() if line.strip()]) <= 10


@pytest.mark.parametrize("kind", [Event, Message])
def test_the_guide_names_every_field_of_every_line(kind: type[Event | Message]) -> None:
    rows: dict[str, str] = {}
    for tag, row in re.findall(r"^\| (`.*?) +(\|.*)", GUIDE, re.MULTILINE):
        rows[tag] = rows.get(tag, "") + row
    for each in kind.__subclasses__():
        for message in each.__subclasses__() or [each]:
            shared = set(each.__struct_encode_fields__) if message is not each else set()
            for field in set(message.__struct_encode_fields__) - shared:
                tag = f"`{message.__struct_config__.tag}`"
                assert f"`{field}`" in rows[tag], f"{field} of {tag}"


def test_every_answer_names_its_request() -> None:
    tags = {request.__struct_config__.tag for request in AnyRequest.__args__}
    assert tags == {reply.__struct_config__.tag for reply in AnyReply.__args__}


@pytest.mark.skipif(form() == "compiled", reason="compiled functions are not seen when called")
def test_the_life_of_a_deal_goes_the_way_that_the_page_tells(tmp_path: Path) -> None:
    steps = re.findall(r"^\| \d+ \| (.*?) \|", read("docs/architecture.md"), re.MULTILINE)
    coming = [pair for step in steps for pair in re.findall(r"`([\w/]+\.py)` `(\w+)`", step)]

    def note(frame: FrameType, event: str, _: object) -> None:
        path, name = frame.f_code.co_filename, frame.f_code.co_name
        if (
            event == "call"
            and coming
            and (path, name) == (f"{ROOT}/arena/{coming[0][0]}", coming[0][1])
        ):
            del coming[0]

    league = write_league(tmp_path, deals=1)
    sys.setprofile(note)
    try:
        done = run_here("league", league)
        run_here("verify", league)
    finally:
        sys.setprofile(None)
    assert not coming, f"{done.stdout}\n{done.stderr}"
