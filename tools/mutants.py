"""Counts the small mistakes that tests notice: `python -m tools.mutants --number 60 --seed 1`.

Each mutant is one small change at a random place: a comparison turned or moved by one, a
condition that always or never holds, `and` for `or`, a sum for a difference, a number one larger, a
statement left out. It is tried in a copy of the project, first by the tests of its own module, then
by those of its package. Survivors are listed to be looked at: some change nothing at all.
"""

import argparse
import ast
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

ROOT = Path(__file__).parents[1]
TIMEOUT_S = 300
COPIED = (
    "arena",
    "examples",
    "tests",
    "protocol",
    "docs",
    "leagues",
    "sample_bots",
    "scripts",
    "tools",
)
FILES = ("pyproject.toml", "README.md", "CONTRIBUTING.md", "CHANGES.md")

TURNED: dict[type[ast.cmpop], str] = {
    ast.Lt: "<=",
    ast.LtE: "<",
    ast.Gt: ">=",
    ast.GtE: ">",
    ast.Eq: "!=",
    ast.NotEq: "==",
    ast.In: "not in",
    ast.NotIn: "in",
    ast.Is: "is not",
    ast.IsNot: "is",
}


class Mutant(msgspec.Struct, frozen=True, order=True):
    """A piece of a line and what stands there instead; columns count bytes, lines from 1."""

    path: str
    line: int
    begin: int
    end: int
    text: str
    kind: str


def mutants(path: Path) -> Iterator[Mutant]:
    """Every mutant of a file. Types, docstrings and what runs over several lines are left alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        for found, text, kind in changes(node):
            if found.lineno == found.end_lineno and found.end_col_offset is not None:
                name = str(path.relative_to(ROOT))
                yield Mutant(name, found.lineno, found.col_offset, found.end_col_offset, text, kind)


def changes(node: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, str, str]]:
    """What may be written in the place of a node, or of a part of it, and what kind that is."""
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            other = f"{ast.unparse(left)} {TURNED[type(op)]} {ast.unparse(right)}"
            yield node, f"({other})", "comparison"
        case ast.BoolOp(op=ast.And(), values=values):
            yield node, f"({' or '.join(f'({ast.unparse(each)})' for each in values)})", "and"
        case ast.BoolOp(op=ast.Or(), values=values):
            yield node, f"({' and '.join(f'({ast.unparse(each)})' for each in values)})", "or"
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield node, f"({ast.unparse(operand)})", "not"
        case ast.If(test=test) | ast.IfExp(test=test):
            yield test, "True", "condition"
            yield test, "False", "condition"
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            sign = "-" if isinstance(op, ast.Add) else "+"
            if not isinstance(left, ast.Constant) or not isinstance(left.value, str):
                yield node, f"({ast.unparse(left)} {sign} {ast.unparse(right)})", "sum"
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            yield node, str(value + 1), "number"
        case ast.Expr(value=ast.Call()):
            yield node, "pass", "statement"


def changed(text: bytes, mutant: Mutant) -> bytes:
    """A file's text with the mutant in it."""
    lines = text.splitlines(keepends=True)
    line = lines[mutant.line - 1]
    lines[mutant.line - 1] = line[: mutant.begin] + mutant.text.encode() + line[mutant.end :]
    return b"".join(lines)


def tests_of(path: Path) -> list[list[str]]:
    """The tests to ask, nearest first: of the module, then of its package, and what spans all."""
    folder = Path("tests", path.parent.name)
    near = folder / f"test_{path.stem}.py"
    steps = [[str(near)]] if (ROOT / near).exists() else []
    spanning = ["tests/test_no_leak.py", "tests/test_golden.py"]
    wide = [str(folder)] if (ROOT / folder).is_dir() else []
    return [*steps, [*wide, *(each for each in spanning if (ROOT / each).exists())]]


def notices(home: Path, tests: list[str]) -> bool:
    """Whether some tests fail, or never end, in a copy of the project."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    with subprocess.Popen(
        command,
        cwd=home,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(home), "PYTHONDONTWRITEBYTECODE": "1"},
    ) as run:
        try:
            return run.wait(TIMEOUT_S) != 0
        except subprocess.TimeoutExpired:
            os.killpg(run.pid, signal.SIGKILL)
            return True


def main() -> None:
    """Try some mutants and tell which were noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--number", type=int, default=60, help="how many mutants")
    parser.add_argument("--seed", type=int, default=1, help="draws the same ones again")
    parser.add_argument("paths", nargs="*", default=["arena"], help="files or folders")
    asked = parser.parse_args()
    sources = [
        path
        for each in asked.paths
        for path in (sorted(Path(ROOT, each).rglob("*.py")) or [Path(ROOT, each)])
    ]
    all_of_them = sorted(mutant for path in sources for mutant in mutants(path))
    chosen = random.Random(asked.seed).sample(all_of_them, min(asked.number, len(all_of_them)))
    survivors: list[Mutant] = []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        for each in COPIED:
            shutil.copytree(ROOT / each, home / each, ignore=shutil.ignore_patterns("__pycache__"))
        for each in FILES:
            shutil.copy(ROOT / each, home / each)
        for number, mutant in enumerate(chosen, 1):
            path = home / mutant.path
            before = path.read_bytes()
            path.write_bytes(changed(before, mutant))
            noticed = any(notices(home, tests) for tests in tests_of(Path(mutant.path)))
            path.write_bytes(before)
            if not noticed:
                survivors.append(mutant)
            word = "noticed " if noticed else "SURVIVED"
            where = f"{mutant.path}:{mutant.line}"
            print(f"{number:4} {word} {where} {mutant.kind}: {mutant.text}", flush=True)
    print(f"{len(chosen) - len(survivors)} of {len(chosen)} were noticed")


if __name__ == "__main__":
    main()
