"""The arena's own source as tests read it: its files, their packages, and what they import."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import arena

ROOT = Path(arena.__file__).parent


@cache
def parsed(path: Path) -> ast.Module:
    """A file's syntax tree; most files are asked several things."""
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """All that a file is made of."""
    return tuple(ast.walk(parsed(path)))


@cache
def files() -> list[Path]:
    """The arena's own source."""
    return sorted(ROOT.rglob("*.py"))


def place(path: Path) -> str:
    """A file as the tables name it: `zole/cards.py`."""
    return path.relative_to(ROOT).as_posix()


def imports(path: Path) -> Iterator[tuple[str, str]]:
    """Modules that a file imports anywhere in it, each with a name taken from it."""
    for node in nodes(path):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "") for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{place(path)} imports by a relative name"
            yield from ((node.module or "", alias.name) for alias in node.names)


def package(path: Path) -> str | None:
    """The package of a file; None for the few at the top."""
    parts = path.relative_to(ROOT).parts
    return parts[0] if len(parts) > 1 else None


def graph() -> dict[str, set[str]]:
    """Which file imports which, packages standing for their `__init__`."""
    known = {place(path) for path in files()}

    def target(module: str, name: str) -> str | None:
        base = module.removeprefix("arena").removeprefix(".").replace(".", "/")
        for guess in (f"{base}/{name}.py".lstrip("/"), f"{base}.py", f"{base}/__init__.py"):
            if guess in known:
                return guess
        return None

    return {
        place(path): {
            found
            for module, name in imports(path)
            if module.split(".")[0] == "arena" and (found := target(module, name))
        }
        for path in files()
    }
