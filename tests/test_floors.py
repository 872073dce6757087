"""Who may import whom: the floors of the house, read from the imports themselves."""

import ast
from pathlib import Path

import arena

ROOT = Path(arena.__file__).parent

FLOORS: tuple[tuple[str, ...], ...] = (
    ("base", "__init__"),
    ("zole",),
    ("match", "stats", "bots", "league"),
    ("sandbox", "record", "engine", "tasks", "cluster"),
    ("reports", "cli", "__main__"),
)

KNOW_ZOLE = {"zole", "match", "league", "tasks"}
"""Who may know more of `arena.zole` than `Rules` and its parts, or a `Deal` to hand on."""

ZOLE_INSIDE = tuple(
    f"arena.zole.{room}" for room in "state tricks auction play scoring view".split()
)


def imports(path: Path) -> set[tuple[str, str]]:
    """Modules that a file imports, each with a name taken from it."""
    found: set[tuple[str, str]] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {(alias.name, "") for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {(node.module, alias.name) for alias in node.names}
    return found


def room(module: str) -> str:
    """The room of a module of ours: `arena.zole.play` is in `zole`."""
    return module.split(".")[1] if "." in module else "__init__"


def files() -> list[tuple[str, Path]]:
    return [
        (path.relative_to(ROOT).parts[0].removesuffix(".py"), path)
        for path in sorted(ROOT.rglob("*.py"))
    ]


def floor_of(name: str) -> int:
    return next(number for number, rooms in enumerate(FLOORS) if name in rooms)


def test_nothing_imports_from_a_floor_above() -> None:
    for name, path in files():
        for module, _ in imports(path):
            if module.split(".")[0] == "arena":
                assert floor_of(room(module)) <= floor_of(name), f"{path} imports {module}"


def test_the_game_the_wire_and_the_procedure_do_no_input_or_output() -> None:
    barred = {"trio", "socket", "subprocess", "threading", "asyncio", "click", "rich", "sqlite3"}
    for name, path in files():
        if floor_of(name) <= floor_of("league"):
            used = {module.split(".")[0] for module, _ in imports(path)}
            assert not used & barred, f"{path} imports {used & barred}"


def test_only_few_rooms_know_zole() -> None:
    for name, path in files():
        if name in KNOW_ZOLE:
            continue
        for module, what in imports(path):
            if module in ZOLE_INSIDE and what != "CONTRACTS":
                raise AssertionError(f"{path} imports {what} from {module}")


def test_help_imports_nothing_heavy() -> None:
    for name, path in files():
        if name != "cli":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in tree.body:
            if isinstance(node, ast.ImportFrom) and node.module:
                assert not node.module.startswith(
                    (
                        "arena.tasks",
                        "arena.record",
                        "arena.engine",
                        "arena.cluster",
                        "arena.sandbox",
                        "arena.reports",
                    )
                ), f"{path} imports {node.module} at its top"
