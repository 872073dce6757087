"""The picture of the house in `docs/architecture.md`: its packages on floors, by what they import.

A package stands above all that it imports, and a line leads to each package it imports that it does
not reach through another one.
"""

from functools import cache
from html import escape
from importlib import import_module
from textwrap import wrap

import grimp

WIDE, HIGH, GAP, RISE = 214, 72, 18, 116
STYLE = (
    "rect{fill:#f4f1e8;stroke:#6b6250}path{stroke:#6b6250;fill:none}"
    "text{font:12px sans-serif;text-anchor:middle}.name{font-weight:bold;font-size:15px}"
)


@cache
def imported() -> dict[str, set[str]]:
    """The packages that each package imports, anywhere in its files."""
    graph = grimp.build_graph("arena")
    names = {name for name in graph.find_children("arena") if graph.find_children(name)}
    for name in names:
        graph.squash_module(name)
    return {
        name.removeprefix("arena."): {
            other.removeprefix("arena.")
            for other in names & graph.find_modules_directly_imported_by(name) - {name}
        }
        for name in sorted(names)
    }


@cache
def below(name: str) -> frozenset[str]:
    """All packages that a package reaches."""
    own = imported()[name]
    return frozenset(own.union(*map(below, own)))


def lines(name: str) -> list[str]:
    """The packages it imports and does not reach through another one that it imports."""
    own = imported()[name]
    return sorted(each for each in own if not any(each in below(other) for other in own))


@cache
def floor(name: str) -> int:
    """How far above the ground a package stands, by the longest way down from it."""
    return 1 + max(map(floor, imported()[name]), default=-1)


def places() -> dict[str, tuple[int, int]]:
    """The middle of each package's upper edge; on a floor each is near those that it stands on."""
    found: dict[str, tuple[int, int]] = {}
    top = max(map(floor, imported()))
    middle = max(len(each) for each in _floors(top)) * (WIDE + GAP) // 2

    def above(name: str) -> tuple[float, str]:
        under = [found[each][0] for each in lines(name)]
        return (sum(under) / len(under) if under else middle, name)

    for number, names in enumerate(_floors(top)):
        left = middle - (len(names) - 1) * (WIDE + GAP) // 2
        for place, name in enumerate(sorted(names, key=above)):
            found[name] = left + place * (WIDE + GAP), GAP + (top - number) * RISE
    return found


def _floors(top: int) -> list[list[str]]:
    return [[name for name in imported() if floor(name) == number] for number in range(top + 1)]


def said(name: str) -> str:
    """What a package says of itself, up to the colon."""
    told = import_module(f"arena.{name}").__doc__
    assert told, f"{name} says nothing of itself"
    return told.partition("\n\n")[0].partition(":")[0].rstrip(".")


def picture() -> bytes:
    """The picture as SVG."""
    at = places()
    width = max(x for x, _ in at.values()) + WIDE // 2 + GAP
    height = max(y for _, y in at.values()) + HIGH + GAP
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">',
        f"<style>{STYLE}</style>",
        f'<path d="M0 0h{width}v{height}H0z" style="fill:#fff;stroke:none"/>',
    ]
    for name, (x, y) in at.items():
        for each in lines(name):
            far, foot = at[each]  # to the next floor aslant, from there straight down
            parts.append(f'<path d="M{x} {y + HIGH}L{far} {y + RISE}V{foot}"/>')
    for name, (x, y) in at.items():
        parts.append(f'<rect x="{x - WIDE // 2}" y="{y}" width="{WIDE}" height="{HIGH}" rx="6"/>')
        parts.append(f'<text class="name" x="{x}" y="{y + 19}">{name}</text>')
        for row, text in enumerate(wrap(said(name), 32, max_lines=3)):
            parts.append(f'<text x="{x}" y="{y + 35 + 14 * row}">{escape(text)}</text>')
    return "\n".join((*parts, "</svg>\n")).encode()
