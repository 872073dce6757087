"""Makes `arena/bots/confusables.txt` from Unicode's table of confusables, as a package has it.

Only what names may hold is taken: their letters, decomposed, in both cases.
"""

import json
import unicodedata
from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path

from arena.bots.names import SCRIPTS, mistake_in_name

_HEAD = """\
# Letters, digits and signs of bots' names that look alike: what stands for all, and the others.
# From confusables.txt of Unicode's Technical Standard 39 (Unicode License v3), which has more.
"""


def package() -> Path | None:
    """Where the package `confusable-homoglyphs` is; None where it is not installed."""
    found = find_spec("confusable_homoglyphs")
    return None if found is None or found.origin is None else Path(found.origin).parent


def confusables() -> bytes:
    """The file: a line for each group, in a fixed order."""
    folder = package()
    assert folder is not None, "needs the package confusable-homoglyphs"
    known = json.loads((folder / "confusables.json").read_text(encoding="utf-8"))
    signs = _signs()
    standing: dict[str, str] = {}
    for group in _groups(known):
        ours = sorted(each for each in group if each in signs)
        several = sorted(each for each in group if len(each) > 1 and set(each) <= signs)
        first = (several or ours or [""])[0]
        standing |= {each: first for each in ours if each != first}
    lines = defaultdict(list)
    for each in sorted(standing):
        lines[_settled(each, standing)].append(each)
    text = "".join(f"{first} {''.join(alike)}\n" for first, alike in sorted(lines.items()))
    return (_HEAD + text).encode()


def _signs() -> set[str]:
    """Whatever a name can be decomposed into, in either case."""
    letters = {
        chr(code)
        for ranges in SCRIPTS.values()
        for first, last in ranges
        for code in range(ord(first), ord(last) + 1)
        if not mistake_in_name(chr(code))
    }
    every = {case for each in letters for case in (each, *each.upper(), *each.casefold())}
    plain = {part for each in every for part in unicodedata.normalize("NFD", each)}
    syllables = {each for each in plain if "\u1100" <= each <= "\u11ff"}  # Korean's, as in no font
    return (plain - syllables) | set("0123456789._-+")


def _groups(known: dict[str, list[dict[str, str]]]) -> list[set[str]]:
    """Those that look alike, if only through others."""
    group: dict[str, set[str]] = {}
    for one, others in known.items():
        merged = {one}.union(
            *(group.get(each, {each}) for each in (one, *(o["c"] for o in others)))
        )
        group |= dict.fromkeys(merged, merged)
    return list({id(each): each for each in group.values()}.values())


def _settled(text: str, standing: dict[str, str]) -> str:
    """The text once nothing in it is stood for by others."""
    now = standing.get(text) or "".join(standing.get(each, each) for each in text)
    return text if now == text else _settled(now, standing)
