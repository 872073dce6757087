"""Which module may import which, do input or output, or know a card: checked on the code itself."""

import ast
import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path

import msgspec
import pytest

from arena.zole.cards import NAMES
from arena.zole.state import GAMES
from tests.support.source import ROOT, files, graph, imports, nodes, package, parsed, place


class Package(msgspec.Struct, frozen=True):
    """A package of the house: what is in it, what else of it the package may import, and why."""

    said: str
    may_import: str
    why: str


def packages() -> dict[str, Package]:
    """The table of packages, which is in the page about the house."""
    text = (ROOT.parent / "docs/architecture.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)/` \| (.+) \| (.+) \| (.+) \|$", text, re.MULTILINE)
    return {name: Package(*row) for name, *row in rows}


PACKAGES = packages()

PURE = ("base", "zole", "match", "review", "training", "stats", "league")

READS = {
    "base/files.py": "files of others, with a bound, and drafts of our own",
    "base/database.py": "SQLite files, guarded",
    "base/marks.py": "who runs on this machine",
    "base/installation.py": "how the arena came to this machine",
    "reports/language.py": "its own catalogues",
    "zole/rules.py": "its own table of presets",
    "zole/sources.py": "its own table of sources",
    "review/solver.py": "its own WebAssembly",
    "training/environment.py": "prints where PettingZoo asks for it",
    "league/file.py": "folders that a league's file names",
}
"""Files of pure packages that read a file all the same, or print, and what."""

OUTSIDE = frozenset(
    "asyncio click concurrent fcntl glob multiprocessing os rich select selectors shutil signal"
    " socket sqlite3 subprocess sys tempfile threading time trio urllib".split()
)
"""Modules by which one reaches the world outside."""

TOUCHES = frozenset(
    "chmod exists glob is_dir is_file iterdir lstat mkdir open read_bytes read_text rename rglob"
    " rmdir stat symlink_to touch unlink walk write_bytes write_text".split()
)
"""What one does to files: methods of paths, and functions."""

KNOW_CARDS = {
    "zole": "the game",
    "match": "the wire, the referee and the log",
    "review": "what each answer was worth",
    "training": "what a learner sees and does",
    "library": "what a program sees of a deal",
    "people": "what a person is asked and told",
    "stats/roles.py": "shares by contract",
    "tasks/check.py": "rules that ask a bot everything",
    "tasks/check_scenes.py": "deals that ask a bot everything",
    "reports/tables.py": "contracts have columns",
}
"""Who may know a card or a contract; all others see seats, bots' names, numbers and `Rules`."""

CARDS_AND_CONTRACTS = frozenset((*NAMES, *GAMES)) - {"table", "blind"}
"""Words that only the game uses (a table and a blind question are also something else)."""

GENERAL = {
    "arena.zole.rules": None,
    "arena.zole.sources": None,
    "arena.zole.deal": None,
    "arena.zole.state": {"GAMES", "Game"},
    "arena.zole.scoring": {"Pools"},
}
"""What others than `KNOW_CARDS` may import of the game: rules, seats and deals to hand on."""


def told(look: Callable[[Path], Iterator[str]], paths: list[Path]) -> list[str]:
    """What a look at files finds, each with its file."""
    return [f"{place(path)}: {found}" for path in paths for found in look(path)]


def forbidden(path: Path) -> Iterator[str]:
    """Each import of a file that the table does not allow, with the sentence that says why."""
    own = package(path)
    if own is None:
        return
    allowed = {own, *PACKAGES[own].may_import.split()}
    for module, _ in imports(path):
        parts = module.split(".")
        if parts[0] == "arena" and len(parts) > 1 and parts[1] not in allowed:
            yield f"it imports {module}: {PACKAGES[own].why}"


def touches_world(path: Path) -> Iterator[str]:
    """What a file does or imports that is input or output."""
    used = {module.split(".")[0] for module, _ in imports(path)} & OUTSIDE
    yield from sorted(used)
    for node in nodes(path):
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Name(id="open" | "print" | "input" as name):
                    yield f"{name}() in line {node.lineno}"
                case ast.Attribute(attr=name) if name in TOUCHES:
                    yield f".{name}() in line {node.lineno}"


def knows_cards(path: Path) -> Iterator[str]:
    """Cards and contracts that a file names, and what it imports of the game's inside."""
    for module, name in imports(path):
        if module.startswith("arena.zole"):
            general = GENERAL.get(module, set())
            if general is not None and name not in general:
                yield f"{module}.{name}"
    for node in nodes(path):
        if isinstance(node, ast.Constant) and node.value in CARDS_AND_CONTRACTS:
            yield f"{node.value!r} in line {node.lineno}"


@cache
def declared() -> frozenset[str]:
    """The modules of packages that `pyproject.toml` names for those who install the arena."""
    project = tomllib.loads((ROOT.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    asked = project["dependencies"] + [
        each for name in extras if name != "dev" for each in extras[name]
    ]
    names = {re.split(r"[^\w.-]", each)[0].lower() for each in asked}
    found = packages_distributions().items()
    return frozenset(module for module, of in found if names & {name.lower() for name in of})


def undeclared(path: Path) -> Iterator[str]:
    """What a file imports that neither Python nor a declared package brings along."""
    used = {module.partition(".")[0] for module, _ in imports(path)}
    yield from sorted(used - sys.stdlib_module_names - declared() - {"arena"})


def circles(arrows: dict[str, set[str]]) -> list[str]:
    """Files that import each other, if only through others."""
    reached = {one: set(others) for one, others in arrows.items()}
    grown = True
    while grown:
        grown = False
        for others in reached.values():
            further = set().union(*(reached[other] for other in others)) - others
            grown = grown or bool(further)
            others |= further
    return sorted(one for one, others in reached.items() if one in others)


def test_files_import_only_what_their_packages_may() -> None:
    assert not told(forbidden, files())


def test_files_import_only_packages_that_are_declared() -> None:
    assert told(undeclared, files()) == []


def test_no_file_imports_itself_through_others() -> None:
    assert not circles(graph())


def reached(arrows: dict[str, set[str]], begin: str) -> set[str]:
    """The files that a file imports, itself or through others."""
    found, waiting = {begin}, [begin]
    while waiting:
        more = arrows[waiting.pop()] - found
        found |= more
        waiting += more
    return found


@pytest.mark.parametrize("name", ["reports/standings", "cli/bots", "cli/league"])
def test_nothing_that_ranks_bots_knows_of_reviews(name: str) -> None:
    """A review is a diagnosis; no standings, ratings or comparison may read one."""
    found = reached(graph(), f"{name}.py")
    assert "record/store.py" in found
    assert not [each for each in found if "review" in each]


def test_the_registry_of_a_site_leads_to_no_record_and_nothing_that_plays() -> None:
    """The process that strangers talk to opens it: no seed and no program is within its reach."""
    arrows = graph()
    registry = [each for each in arrows if re.match(r"site/(registry|config|disk)", each)]
    assert len(registry) > 5
    found = {each for one in registry for each in reached(arrows, one)}
    assert {each.split("/")[0] for each in found} == {"base", "bots", "site"}


def test_the_web_process_of_a_site_reaches_no_record_and_nothing_that_plays() -> None:
    """Of the sandbox it has what it shuts itself in by."""
    found = reached(graph(), "site/web/process.py")
    assert "site/registry/jobs.py" in found
    assert not {each.split("/")[0] for each in found} & {"record", "engine", "tasks", "cluster"}
    confinement = {"sandbox/landlock.py", "sandbox/seccomp.py"}
    assert {each for each in found if each.startswith("sandbox/")} == confinement


def test_pure_packages_do_no_input_or_output() -> None:
    pure = [path for path in files() if package(path) in PURE]
    assert not told(touches_world, [path for path in pure if place(path) not in READS])


def test_only_who_must_knows_a_card_or_a_contract() -> None:
    others = [path for path in files() if not {package(path), place(path)} & {*KNOW_CARDS}]
    assert not told(knows_cards, others)


def test_the_tables_name_only_what_there_is_and_needs_it() -> None:
    assert {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()} == {*PACKAGES}
    for name in READS:
        assert list(touches_world(ROOT / name)), f"{name} needs no exception"
    for name in KNOW_CARDS:
        assert any(
            list(knows_cards(path)) for path in files() if name in (package(path), place(path))
        ), f"{name} knows no card"


def public(body: list[ast.stmt]) -> Iterator[str]:
    """The public names that a module defines at its top, but those of commands, which they are."""
    for node in body:
        match node:
            case ast.ClassDef(name=name) if not name.startswith("_"):
                yield name
            case ast.FunctionDef() | ast.AsyncFunctionDef() if not node.name.startswith("_"):
                asked = (ast.unparse(each) for each in node.decorator_list)
                if not any(re.search(r"\.(command|group)\b", each) for each in asked):
                    yield node.name
            case ast.Assign(targets=targets):
                names = (
                    each.id for it in targets for each in ast.walk(it) if type(each) is ast.Name
                )
                yield from (name for name in names if not name.startswith("_"))
            case ast.AnnAssign(target=ast.Name(id=name)) if not name.startswith("_"):
                yield name
            case ast.If(body=first, orelse=other):
                yield from (*public(first), *public(other))


def test_a_public_name_means_one_thing_in_the_whole_house() -> None:
    homes: dict[str, set[str]] = {}
    for path in files():
        for name in public(parsed(path).body):
            homes.setdefault(name, set()).add(place(path))
    twice = {name: sorted(own) for name, own in homes.items() if len(own) > 1}
    assert not twice, "rename one of each"


ABOUT_THE_HOUSE = [
    ROOT.parent / "CONTRIBUTING.md",
    *(ROOT.parent / f"docs/{name}.md" for name in ("architecture", "glossary", "record")),
    *ROOT.parent.glob("docs/decisions/*.md"),
]


@pytest.mark.parametrize("page", ABOUT_THE_HOUSE, ids=lambda page: page.stem)
def test_a_page_about_the_house_names_files_that_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for name in re.findall(r"`([\w/]+(?:/|\.py|\.toml|\.md|\.html|\.c))`", text):
        assert (ROOT / name).exists() or (ROOT.parent / name).exists(), name


def test_few_modules_lie_at_the_top() -> None:
    assert len([path for path in files() if package(path) is None]) <= 5


WRONG = {
    "import os\nfor name in os.walk('.'):\n    pass\n": "stats",
    "from pathlib import Path\n\nPath('x').read_text()\n": "match",
    "print('x')\n": "zole",
    "from arena.engine import worker\n": "record",
    "from arena.zole.cards import NAMES\n": "engine",
    "best = 'QC'\n": "record",
    "if kind == 'small_solo':\n    pass\n": "tasks",
}


@pytest.mark.parametrize("text", WRONG)
def test_a_file_out_of_place_would_be_noticed(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / WRONG[text]
    folder.mkdir()
    path = folder / "wrong.py"
    path.write_text(text)
    monkeypatch.setattr("tests.support.source.ROOT", tmp_path)
    found = [*forbidden(path), *knows_cards(path)]
    if WRONG[text] in PURE:
        found += touches_world(path)
    assert found


def test_a_circle_would_be_noticed() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c"]
