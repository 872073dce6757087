"""The names allowed for bots, their versions and authors, and which names look alike.

A name is read by people: in standings, in commands, in messages. So it has letters of one script,
which all run from left to right, and none that looks like the name of another bot.
"""

import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from arena.base.harmless import harmless

LONGEST_NAME: Final = 40
LONGEST_VERSION: Final = 40
LONGEST_AUTHOR: Final = 80

SCRIPTS: Final[Mapping[str, tuple[tuple[str, str], ...]]] = {
    "Latin": (
        ("A", "Z"),
        ("a", "z"),
        ("\u00c0", "\u01bf"),
        ("\u01cd", "\u024f"),
        ("\u1e00", "\u1eff"),
    ),
    "Greek": (("\u0386", "\u03ce"),),
    "Cyrillic": (("\u0400", "\u052f"),),
    "Armenian": (("\u0531", "\u0587"),),
    "Georgian": (("\u10d0", "\u10fa"),),
    "Chinese or Japanese": (("\u3041", "\u30fa"), ("\u30fc", "\u30fc"), ("\u4e00", "\u9fff")),
    "Korean": (("\uac00", "\ud7a3"),),
}
"""Each script's ranges; signs in them that are no letters, or that NFKC changes, are left out."""

NAME_RULE: Final = (
    f"a name has 1 to {LONGEST_NAME} characters: a letter or digit, and then also . _ - + and"
    f" single blanks; all letters are of one script ({', '.join(SCRIPTS)})"
)
"""The rule for names, in words."""

_DIGITS: Final = frozenset("0123456789")
_SIGNS: Final = frozenset("._-+")
_LETTERS: Final = ("Lu", "Ll", "Lo")
_SHAPE: Final = re.compile(r"[^\s._+-][^\s]*(?: [^\s]+)*")
_CONFUSABLES: Final = Path(__file__).with_name("confusables.txt")


def mistakes_in(manifest: Mapping[str, object]) -> Iterator[tuple[str, str, str]]:
    """Mistakes in a manifest's name, version and author: the key, the mistake, the remedy.

    Only texts are looked at.
    """
    for key, longest in (("name", 0), ("version", LONGEST_VERSION), ("author", LONGEST_AUTHOR)):
        text = manifest.get(key)
        if not isinstance(text, str):
            continue
        if key == "name":
            if wrong := mistake_in_name(text):
                yield key, wrong, NAME_RULE
        elif len(text) > longest:
            yield key, f"{key} has {len(text)} characters", f"at most {longest} are allowed"
        elif text != harmless(text) or text != " ".join(text.split()):
            what = f"{key} is not plain words with single blanks: {text}"
            yield key, what, "leave out unseen characters"


def mistake_in_name(name: str) -> str:
    """The mistake in a bot's name; "" if there is none."""
    if not name:
        return "the name is empty"
    if len(name) > LONGEST_NAME:
        return f"the name has {len(name)} characters"
    scripts: dict[str, str] = {}
    for sign in name:
        script = _script(sign)
        if script is not None:
            scripts.setdefault(script, sign)
        elif sign not in _DIGITS and sign not in _SIGNS and sign != " ":
            return f"the name {name} has {_described(sign)} in it"
    if len(scripts) > 1:
        mixed = " and ".join(f"{sign} is {script}" for script, sign in scripts.items())
        return f"the name {name} mixes scripts: {mixed}"
    if not _SHAPE.fullmatch(name):
        return f"the name {name} begins with a sign, or has a blank too many"
    return ""


def look_alike(name: str, others: Iterable[str], entered: Collection[str] = ()) -> str | None:
    """The first of the others that people may take for this name; None if there is none.

    Of two names that were `entered` long ago, only equal ones are alike.
    """
    forms = _forms(name)
    for other in others:
        alike = any(one == two for one, two in zip(forms, _forms(other), strict=True))
        if other == name or (alike and not (name in entered and other in entered)):
            return other
    return None


def free_name(name: str, taken: Collection[str], entered: Collection[str] = ()) -> str:
    """The name, or the first of `name.2`, `name.3` that looks like none that is taken."""
    number, own = 1, name
    while look_alike(own, taken, entered) is not None:
        number += 1
        own = f"{name}.{number}"
    return own


def same_person(author: str) -> str:
    """A key that is equal for authors whose names look alike."""
    return _skeleton(unicodedata.normalize("NFKC", author).casefold())


@cache
def _script(sign: str) -> str | None:
    """The script of a letter that names may have; None for any other sign."""
    known = unicodedata.category(sign) in _LETTERS or sign == "\u30fc"
    if not known or unicodedata.normalize("NFKC", sign) != sign:
        return None
    for script, ranges in SCRIPTS.items():
        if any(first <= sign <= last for first, last in ranges):
            return script
    return None


def _described(sign: str) -> str:
    return "a blank other than a space" if sign.isspace() else harmless(sign)


@cache
def _forms(name: str) -> tuple[str, str, str]:
    """A name's looks: as it is, in small letters and in capitals.

    Two names that look alike as they are do so whatever the case of the letters.
    """
    plain = " ".join(unicodedata.normalize("NFKC", name).split())
    plain = "".join(sign for sign in plain if sign.isprintable())
    return _skeleton(plain).casefold(), _skeleton(plain.casefold()), _skeleton(plain.upper())


def _skeleton(text: str) -> str:
    """The text with each letter replaced by a representative of all that look like it.

    As Unicode's Technical Standard 39 describes it.
    """
    return unicodedata.normalize("NFD", text).translate(_confusables())


@cache
def _confusables() -> dict[int, str]:
    """The representative of each letter that looks like others: the first word of its line."""
    found: dict[int, str] = {}
    for line in _CONFUSABLES.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            first, alike = line.split(" ")
            found |= {ord(each): first for each in alike}
    return found
