"""Writes every generated file of the project anew: `.venv/bin/python -m tests.golden`.

Each has a test that compares it, so a difference is never an accident.
"""

import ctypes
from collections.abc import Callable
from ctypes.util import find_library
from functools import partial
from pathlib import Path

import msgspec

from arena.match.wire import schema
from arena.reports.rules import rules_page
from arena.sandbox.seccomp import MACHINE, FilterKind, generate
from tests.support import floors
from tests.support.perft import counted
from tests.support.playthroughs import PLAYTHROUGHS, playthrough
from tests.support.solver import SOLVER, compiled, compiler
from tests.support.transcripts import TRANSCRIPTS, transcript

ROOT = Path(__file__).parents[1]
FILTERS: tuple[FilterKind, ...] = ("box", "reduced", "server")
LIBSECCOMP = (2, 5, 4)
"""The library that made the filters; others may order the same rules otherwise."""

REMEDY = "if this change was meant: .venv/bin/python -m tests.golden, then read git diff"


def schema_file() -> bytes:
    return (
        msgspec.json.format(msgspec.json.encode(schema(), order="deterministic"), indent=2) + b"\n"
    )


def perft_file() -> bytes:
    return msgspec.json.format(msgspec.json.encode(counted()), indent=1) + b"\n"


def libseccomp() -> tuple[int, ...] | None:
    """The version of this system's libseccomp; None where there is none."""
    path = find_library("seccomp")
    if path is None:
        return None
    library = ctypes.CDLL(path)
    library.seccomp_version.restype = ctypes.POINTER(ctypes.c_uint * 3)
    return tuple(library.seccomp_version().contents)


def files() -> dict[str, Callable[[], bytes]]:
    """Each generated file's path in the project, and what makes it."""
    made: dict[str, Callable[[], bytes]] = {
        "protocol/schema.json": schema_file,
        "tests/data/perft.json": perft_file,
        "docs/rules.md": lambda: rules_page().encode(),
        "docs/pictures/architecture.svg": floors.picture,
    }
    if compiler() is not None:
        made[SOLVER] = compiled
    for kind in FILTERS:
        made[f"arena/sandbox/filters/{kind}-{MACHINE}.bpf"] = partial(generate, kind)
    for name in TRANSCRIPTS:
        made[f"protocol/transcripts/{name}.jsonl"] = partial(transcript, name)
    for name in PLAYTHROUGHS:
        made[f"tests/data/playthroughs/{name}.txt"] = partial(playthrough, name)
    return made


def main() -> None:
    for path, make in files().items():
        file, content = ROOT / path, make()
        same = file.exists() and file.read_bytes() == content
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)
        print(path, "as before" if same else "changed")


if __name__ == "__main__":
    main()
