"""Whatever is printed passes the guarded streams: no file has a way of its own to the terminal."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from arena.cli import SECTIONS
from tests.support.source import files, nodes, place
from tests.test_layout import told

PRINTS = {
    "__main__.py": "errors, in streams that it guards itself",
    "cli/crash.py": "what went wrong when nothing else works",
    "cli/options.py": "the functions by which commands print",
    "cli/record.py": "the writer of sheets, whose every cell is made harmless",
    "reports/terminal.py": "the console, which makes harmless what it is given",
    "base/harmless.py": "the guard itself",
    "bots/intake.py": "a process that takes in a bot, whose output the arena reads",
    "training/environment.py": "the picture of a table for who trains, in cards and numbers alone",
    "site/__main__.py": "the mistakes that end a process of a site",
    "site/play.py": "the mistakes that end a process of a site",
    "site/process.py": "a process of a site, which makes its lines harmless",
    "site/runner.py": "the terminal of a site: each line is made harmless",
    "people/pages.py": "tells what failed in a handler, without its values",
    "site/tables.py": "a process of a site",
    "site/web/app.py": "the log of requests, as JSON",
}
"""The files that may print or name a stream to print on."""


def prints(path: Path) -> Iterator[str]:
    """Ways to the terminal in a file: print, click's echo, the streams, and consoles."""
    for node in nodes(path):
        match node:
            case ast.Call(func=ast.Name(id="print" | "Console" as name)):
                yield f"{name}() in line {node.lineno}"
            case ast.Attribute(attr="echo" | "secho" | "__stdout__" | "__stderr__" as name):
                yield f".{name} in line {node.lineno}"
            case ast.Attribute(value=ast.Name(id="sys"), attr="stdout" | "stderr" as name):
                yield f"sys.{name} in line {node.lineno}"
            case ast.Call(
                func=ast.Attribute(value=ast.Name(id="os"), attr="write"),
                args=[ast.Constant(value=1 | 2), *_],
            ):
                yield f"os.write() in line {node.lineno}"


def test_files_print_only_by_the_functions_that_make_it_harmless() -> None:
    assert not told(prints, [path for path in files() if place(path) not in PRINTS])


def test_the_files_that_may_print_are_those_that_do() -> None:
    printing = {place(path) for path in files() if list(prints(path))}
    assert printing | {"base/harmless.py"} == {*PRINTS}


NAMES = "|".join(name for names in SECTIONS.values() for name in names)
COMMAND = re.compile(rf"\barena ({NAMES})( [a-z]+)* $|\bchmod \S+ $")
SAFE = ("quote(", "named", "address")
"""Values that a shell takes as one word: quoted, or addresses of sites, which have no blanks."""


def unquoted(path: Path) -> Iterator[str]:
    """Values after the name of a command in a text that a user may paste into a shell."""
    for node in nodes(path):
        if not isinstance(node, ast.JoinedStr):
            continue
        for before, value in pairwise(node.values):
            if isinstance(before, ast.Constant) and isinstance(value, ast.FormattedValue):
                shown = ast.unparse(value.value)
                if COMMAND.search(str(before.value)) and not any(word in shown for word in SAFE):
                    yield f"{shown} in line {node.lineno}"


def test_commands_that_are_shown_can_be_pasted() -> None:
    assert not told(unquoted, files())
