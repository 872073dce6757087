"""Makes the reference of the Python API from types and docstrings, as pages of the documentation.

Each public name has its signature or its fields, with links to the types in them, and what its
docstring says.
"""

import re
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path

import griffe

ROOT = Path(__file__).parents[1]

PARTS = {
    "game": ("Rules, deals and states", ("zole", "library.view", "base")),
    "matches": (
        "Matches and comparisons",
        ("library.matches", "library.players", "tasks", "match.commands", "stats"),
    ),
    "messages": ("Requests and events", ("match.wire",)),
    "records": ("Records", ("library.record", "record")),
    "training": ("Training", ("training",)),
}
"""The pages: the title of each, and the modules whose names it has."""

TRAINING = {
    "training.environment": "env Environment",
    "training.vector": "VectorEnvironment",
    "training.tables": "Tables",
    "training.policies": "Policy Pool choose_actions",
    "training.observation": "Plane PLANES HISTORY UNSEEN OBSERVATION_SIZE LARGEST_NUMBERS",
    "training.actions": "ACTIONS",
}
"""What is public of `arena.training`, which `import arena` does not load, by its module."""

SHORT = {
    "base.isolation_levels": "IsolationLevel",
    "library.record": "TableName",
    "match.wire": "Ask FaultKind",
    "zole.cards": "Card Cards",
    "zole.deal": "Seat",
    "zole.rules": "Bid Contract",
    "zole.scoring": "Level",
    "zole.state": "Choice Game Phase",
}
"""Names that types in signatures have, and no program needs, by their modules."""

_WORD = re.compile(r"[A-Za-z_]\w*")


@cache
def public() -> dict[str, griffe.Object]:
    """What each public name is, by the name that a program uses."""
    package = griffe.load("arena", search_paths=[ROOT])
    names_for_checkers = (ROOT / "arena/__init__.pyi").read_text()
    imported = re.findall(r"^from arena\.(\S+) import (\w+)", names_for_checkers, re.MULTILINE)
    homes = {name: f"{module}.{name}" for module, name in imported}
    homes |= {
        f"{module}.{name}": f"{module}.{name}"
        for module, names in TRAINING.items()
        for name in names.split()
    }
    return {name: _object(package[path]) for name, path in homes.items()}


def _object(found: griffe.Object | griffe.Alias) -> griffe.Object:
    return found.final_target if isinstance(found, griffe.Alias) else found


def part_of(name: str) -> str:
    """The page that has a public name."""
    home = public()[name].canonical_path.removeprefix("arena.")
    [part] = [
        part
        for part, (_, modules) in PARTS.items()
        if any(home.startswith(f"{module}.") for module in modules)
    ]
    return part


def pages() -> dict[str, str]:
    """The pages by their paths on the site."""
    found = {"reference/index.md": _index()}
    for part, (title, _) in PARTS.items():
        names = [name for name in sorted(public(), key=str.lower) if part_of(name) == part]
        list_ = "".join(f"- [`{name}`](#{name}): {_summary(public()[name])}\n" for name in names)
        entries = "\n\n".join("\n\n".join(_entry(name)) for name in names)
        found[f"reference/{part}.md"] = f"# {title}\n\n{list_}\n{entries}\n"
    return found


def _index() -> str:
    package = griffe.load("arena", search_paths=[ROOT])
    parts = (f"- [{title}]({part}.md)\n" for part, (title, _) in PARTS.items())
    rows = []
    for module, names in SHORT.items():
        for name in names.split():
            of = _object(package[f"{module}.{name}"])
            assert isinstance(of, griffe.Attribute)
            rows.append(f"| `{name}` | {_code(str(of.value))} | {_summary(of)} |\n")
    table = "".join(["| name | is | meaning |\n| --- | --- | --- |\n", *sorted(rows)])
    words = "What types in signatures are called for short; no program needs these names."
    return f"# Python reference\n\n{''.join(parts)}\n## Types\n\n{words}\n\n{table}"


def fields(of: griffe.Class) -> list[griffe.Attribute]:
    """The fields of a struct in their order, those of its bases first; no properties."""
    bases = [base for base in of.resolved_bases if isinstance(base, griffe.Class)]
    found = {field.name: field for base in bases for field in fields(base)}
    for name, it in of.attributes.items():
        if not name.startswith("_") and "property" not in it.labels and it.annotation is not None:
            found[name] = it
    return [*found.values()]


def _summary(of: griffe.Object) -> str:
    return _said(of).partition("\n\n")[0].replace("\n", " ")


def _said(of: griffe.Object) -> str:
    return of.docstring.value if of.docstring else ""


def _entry(name: str) -> Iterator[str]:
    of = public()[name]
    bases = f"({', '.join(map(str, of.bases))})" if isinstance(of, griffe.Class) else ""
    shown = "" if "Struct" in bases or "[" in bases else bases
    yield f"## {name}{shown} {{ #{name} }}"
    if isinstance(of, griffe.Function):
        yield f"```python\n{_signature(of, name)}\n```"
    elif isinstance(of, griffe.Attribute) and of.value is not None:
        value = str(of.value)
        if len(value) < 400:
            yield f"<pre><code>{name} = {_linked(value)}</code></pre>"
    yield _said(of)
    if isinstance(of, griffe.Class):
        yield from _members(of, name)


def _members(of: griffe.Class, name: str) -> Iterator[str]:
    if own := fields(of):
        rows = (
            f"| `{it.name}` | {_code(str(it.annotation))} |"
            f" {_code(str(it.value)) if it.value is not None else ''} |"
            for it in own
        )
        yield "\n".join(["| field | type | default |", "| --- | --- | --- |", *rows])
    for each in of.all_members.values():
        shown = _object(each) if not each.is_alias else None
        if shown is None or shown.name.startswith("_") or not _said(shown):
            continue
        if isinstance(shown, griffe.Function):
            yield f"### {name}.{shown.name}\n\n```python\n{_signature(shown, shown.name)}\n```"
            yield _said(shown)
        elif "property" in shown.labels and isinstance(shown, griffe.Attribute):
            yield f"### {name}.{shown.name}\n\n{_code(str(shown.annotation))}\n\n{_said(shown)}"


def _signature(of: griffe.Function, name: str) -> str:
    parts, apart = [], False
    for it in of.parameters:
        if it.name in ("self", "cls"):
            continue
        if it.kind is griffe.ParameterKind.keyword_only and not apart:
            parts.append("*")
            apart = True
        star = {"variadic positional": "*", "variadic keyword": "**"}.get(
            it.kind.value if it.kind else "", ""
        )
        kind = f": {it.annotation}" if it.annotation is not None else ""
        default = f" = {it.default}" if it.default is not None and not star else ""
        parts.append(f"{star}{it.name}{kind}{default}")
    back = f" -> {of.returns}" if of.returns is not None else ""
    line = f"{name}({', '.join(parts)}){back}"
    if len(line) <= 80:
        return line
    return f"{name}(\n" + "".join(f"    {each},\n" for each in parts) + f"){back}"


def _code(text: str) -> str:
    return f"<code>{_linked(text)}</code>"


def _linked(text: str) -> str:
    """A type as it is written, its public names as links."""

    def link(found: re.Match[str]) -> str:
        name = found[0]
        return f'<a href="{part_of(name)}.html#{name}">{name}</a>' if name in public() else name

    return _WORD.sub(link, escape(text)).replace("|", "&#124;")
