"""Which module may import which, do input or output, or know a card: checked on the code itself."""

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

import msgspec
import pytest

import arena
from arena.zole.cards import NAMES
from arena.zole.state import GAMES

ROOT = Path(arena.__file__).parent


class Package(msgspec.Struct, frozen=True):
    """A package of the house: what else of it the package may import, and why no more."""

    may_import: str
    why: str


PACKAGES = {
    "base": Package("", "what every package may use must itself need nothing"),
    "zole": Package("", "the game is complete without bots, files or processes"),
    "match": Package("base zole", "a match is the wire and the game, whoever plays it"),
    "review": Package(
        "base zole match stats", "what an answer was worth follows from the game and the log alone"
    ),
    "training": Package("zole", "who learns the game needs no match, process or record"),
    "stats": Package("zole", "numbers come from sets of deals, wherever these were stored"),
    "bots": Package("base", "a bot's folder is read without playing it"),
    "league": Package(
        "base zole match stats bots", "a league on paper has no record and no process"
    ),
    "record": Package(
        "base zole match review stats bots league", "who only reads must not load what plays"
    ),
    "sandbox": Package("base", "a sandbox holds any program, not only bots"),
    "engine": Package("base bots match sandbox", "processes know neither Zole nor leagues"),
    "tasks": Package(
        "base zole match review stats bots league record sandbox engine",
        "a task is what a person asks for, however it is shown or spread over machines",
    ),
    "library": Package(
        "base zole match league record stats sandbox engine tasks",
        "a program calls what a person asks for, and is shown values",
    ),
    "cluster": Package(
        "base bots match sandbox engine tasks", "other machines play matches, not leagues"
    ),
    "reports": Package(
        "base zole match review stats league record sandbox tasks",
        "a report shows what it is given and starts nothing",
    ),
    "people": Package(
        "base zole match bots record engine tasks review reports",
        "who plays at a table is a person there, whatever the command",
    ),
    "site": Package(
        "base zole match bots league record stats sandbox engine tasks review reports people",
        "a site takes bots in, has them play and shows what came of it",
    ),
    "cli": Package(
        "base zole match stats bots league record sandbox engine tasks cluster review reports"
        " people site",
        "the command line may use everything and is used by nobody",
    ),
}

PURE = ("base", "zole", "match", "review", "training", "stats", "league")

READS = {
    "base/files.py": "files of others, with a bound",
    "base/marks.py": "who runs on this machine",
    "base/descriptors.py": "which system this is",
    "base/caches.py": "where this user's caches lie",
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
    "tasks/check_match.py": "deals that ask a bot everything",
    "reports/numbers.py": "contracts have columns",
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
    "arena.zole.notation": None,
}
"""What others than `KNOW_CARDS` may import of the game: rules, seats and deals to hand on."""


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
    """The arena's own source, but the bots that it brings along."""
    skipped = {"sparring", "probe"}
    return [path for path in sorted(ROOT.rglob("*.py")) if not skipped & set(path.parts)]


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


@pytest.mark.parametrize("name", ["standings", "ratings", "compare", "league"])
def test_nothing_that_ranks_bots_knows_of_reviews(name: str) -> None:
    """A review is a diagnosis; no standings, ratings or comparison may read one."""
    found = reached(graph(), f"cli/{name}.py")
    assert "record/store.py" in found
    assert not [each for each in found if "review" in each]


def test_the_house_of_a_site_leads_to_no_record_and_nothing_that_plays() -> None:
    """The process that strangers talk to opens it: no seed and no program is within its reach."""
    arrows = graph()
    house = [each for each in arrows if re.match(r"site/(house|config|disk|refusals)", each)]
    assert len(house) > 10
    found = {each for one in house for each in reached(arrows, one)}
    assert {each.split("/")[0] for each in found} == {"base", "bots", "site"}


def test_the_web_process_of_a_site_reaches_no_record_and_nothing_that_plays() -> None:
    """Of the sandbox it has what it shuts itself in by."""
    found = reached(graph(), "site/web/__main__.py")
    assert "site/house/file.py" in found
    assert not {each.split("/")[0] for each in found} & {"record", "engine", "tasks", "cluster"}
    assert "people/children.py" not in found
    confinement = {"sandbox/calls.py", "sandbox/landlock.py", "sandbox/seccomp.py"}
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


@pytest.mark.parametrize("name", PACKAGES)
def test_a_package_says_what_is_in_it_and_what_it_may_import(name: str) -> None:
    said = ast.get_docstring(parsed(ROOT / name / "__init__.py"))
    others = PACKAGES[name].may_import.split()
    last = f"{', '.join(others[:-1])} and {others[-1]}" if others[1:] else "".join(others)
    if name == "cli":
        last = "everything"
    assert said is not None
    assert (
        " ".join(said.split("\n\n")[-1].split()) == f"May import {last or 'nothing of the arena'}."
    )


ONE_NAME_FOR_TWO = {
    "Begun": "an entry of a ledger; a record that somebody began",
    "Conversation": "what a person is asked, and the part of it that a terminal shows",
    "Entry": "a bot of a league's file; a match that a worker plays",
    "Known": "what is known of cards; what is known of strengths",
    "Line": "of a ledger, of a review, of what a terminal tells",
    "Lines": "that come from a process; that a terminal shows",
    "Moment": "of a replay; that a review found costly",
    "Payments": "of a solver's question; of what is learnt from",
    "Player": "a process that plays; a bot that orders are drawn for",
    "Server": "of a person's table; its process as the table has it",
    "Stream": "of a person's lines; what a terminal writes to",
}
"""Names of public classes that mean two things, each in a place of its own. No more are wanted."""


def test_the_name_of_a_public_class_means_one_thing() -> None:
    found = Counter(
        node.name
        for path in files()
        for node in parsed(path).body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    assert {name for name, count in found.items() if count > 1} == {*ONE_NAME_FOR_TWO}


def test_contributing_has_a_line_for_each_package_and_names_files_that_exist() -> None:
    text = (ROOT.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    said = dict(re.findall(r"^\| `(\w+)/` \|.*\| (.+) \|$", text, re.MULTILINE))
    words = {name: one.may_import or "nothing of the arena" for name, one in PACKAGES.items()}
    assert said == {**words, "cli": "everything"}
    for name in re.findall(r"`([\w/]+(?:/|\.py|\.toml|\.md|\.html))`", text):
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
    monkeypatch.setattr("tests.test_layout.ROOT", tmp_path)
    found = [*forbidden(path), *knows_cards(path)]
    if WRONG[text] in PURE:
        found += touches_world(path)
    assert found


def test_a_circle_would_be_noticed() -> None:
    assert circles({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c"]
