"""The licences of all that the arena brings along or asks for, as packages and lock files say."""

import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

import msgspec
from packaging.requirements import Requirement

ROOT: Final = Path(__file__).parents[1]
EXTRAS: Final = ("sandbox", "serve", "review", "cluster", "training")

COMPATIBLE: Final = frozenset(
    "0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause CC0-1.0 LGPL-2.0-or-later LLVM-exception MIT MIT-0"
    " MPL-2.0 PSF-2.0 Zlib".split()
)
"""What may be used beside code under MIT. LGPL and MPL are for packages that are only called."""

_SAID: Final = {
    "APL 2": "Apache-2.0",
    "Apache 2.0": "Apache-2.0",
    "Apache Software License": "Apache-2.0",
    "BSD": "BSD-3-Clause",
    "BSD License": "BSD-3-Clause",
    "MIT License": "MIT",
}
"""What packages call their licences where they do not yet do so in SPDX's words."""


class Licensed(msgspec.Struct, frozen=True):
    """A package asked for or bundled: `group` is "run", an extra, or "pages" for bundled."""

    name: str
    version: str
    licence: str
    group: str


def asked_for() -> list[Licensed]:
    """The packages that run the arena and its extras, and what these need, each in its first group.

    Those of this system, in the versions installed here.
    """
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    found: dict[str, Licensed] = {}
    groups = {"run": project["dependencies"]}
    groups |= {name: project["optional-dependencies"][name] for name in EXTRAS}
    for group, wanted in groups.items():
        waiting = [*wanted]
        while waiting:
            requirement = Requirement(waiting.pop(0))
            name = re.sub(r"[-_.]+", "-", requirement.name).lower()
            if name in found or not _applies(requirement):
                continue
            try:
                package = distribution(name)
            except PackageNotFoundError:
                continue  # of another system
            found[name] = Licensed(name, package.version, licence_of(package), group)
            waiting += package.requires or []
    return [*found.values()]


def _applies(requirement: Requirement) -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": ""})


def licence_of(package: Distribution) -> str:
    """What a package says of its licence, in SPDX's words where they are known; else empty."""
    told = package.metadata
    classifiers = (each.split(" :: ") for each in told.get_all("Classifier") or [])
    said = [*(told.get_all("License-Expression") or []), *(told.get_all("License") or [])]
    said += [each[-1] for each in classifiers if each[0] == "License"]
    return next((_SAID.get(each, each) for each in said if each), "")


def bundled() -> list[Licensed]:
    """The packages that are in the viewer's pages, of those that its lock file names."""
    lock = msgspec.json.decode((ROOT / "arena/viewer/package-lock.json").read_bytes())["packages"]
    sources = [*(ROOT / "arena/viewer/src").rglob("*.ts*")]
    text = "\n".join(path.read_text(encoding="utf-8") for path in sources)
    used = {*re.findall(r"from \"((?:@[\w-]+/)?[\w-]+)[\w/-]*\"", text)}
    found = ((path.partition("node_modules/")[2], each) for path, each in lock.items())
    return [
        Licensed(name, each["version"], each["license"], "pages")
        for name, each in found
        if name in used
    ]


def words(licence: str) -> Iterator[str]:
    """The licences in an expression of SPDX."""
    yield from (
        each for each in re.findall(r"[\w.+-]+", licence) if each not in {"AND", "OR", "WITH"}
    )
