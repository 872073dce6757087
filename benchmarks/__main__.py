"""Measures the arena and prints the tables of docs/performance.md.

    .venv/bin/python -m benchmarks [PART ...] [--against ARENA] [--rounds N]

Run it from the project's folder, on a machine with nothing else to do; all of it takes about ten
minutes. It needs a C compiler. Whatever is compared is measured in turn, round by round. A figure
is the lower quartile of the rounds' times, or the ratio of two; in brackets are the lowest and the
highest ratio of a single round.
"""

import argparse
import os
import platform
import sysconfig
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Final

from benchmarks.figures import Row, Rows, Run, line
from benchmarks.places import places
from benchmarks.speed import build

COMPARED: Final = ("speed", "sandbox", "leagues", "reviews", "site")
"""The parts that can be compared with another arena."""

ALONE: Final = (
    "workers",
    "memory",
    "record",
    "rules",
    "training",
    "ratings",
    "coverage",
    "open_league",
    "tournament",
    "pairing",
    "compare",
    "readers",
    "parts",
)


def main() -> None:
    """Say what machine this is, then measure each part."""
    options = argparse.ArgumentParser(
        prog="python -m benchmarks", description=__doc__.split("\n")[0]
    )
    choices = (*COMPARED, *ALONE)
    options.add_argument(
        "parts", nargs="*", metavar="PART", help=f"of {', '.join(choices)}; or all"
    )
    options.add_argument(
        "--against",
        metavar="ARENA",
        help=f"a commit, or a folder with another arena; measures {', '.join(COMPARED)} of both",
    )
    options.add_argument("--rounds", type=int, default=5, help="times each is measured (5)")
    chosen = options.parse_args()
    if chosen.rounds < 1:
        options.error("--rounds: at least one")
    possible = choices if chosen.against is None else COMPARED
    for name in chosen.parts:
        if name not in possible:
            options.error(f"{name}: choose from {', '.join(possible)}")
    with tempfile.TemporaryDirectory() as folder, places(chosen.against) as found:
        run = Run(found, build("bot", folder), build("parent", folder), chosen.rounds)
        print(machine())
        print("; ".join(f"{place.name}: {place.form}" for place in found), flush=True)
        names = tuple(place.name for place in found)
        heads = ("figure",) if len(names) == 1 else (*names, "relative to the other")
        parts = chosen.parts or possible
        show(heads, [part for part in parts if part != "parts"], run)
        if "parts" in parts:
            show(import_module("benchmarks.parts").HEADS, ["parts"], run)


def show(heads: tuple[str, ...], parts: list[str], run: Run) -> None:
    """Measure some parts, and print their rows as soon as they are known."""
    if not parts:
        return
    print("\n" + line(Row("what", heads), len(heads)))
    print(line(Row("---", ("---",) * len(heads)), len(heads)), flush=True)
    for part in parts:
        measure: Callable[[Run], Rows] = import_module(f"benchmarks.{part}").measure
        for row in measure(run):
            print(line(row, len(heads)), flush=True)


def machine() -> str:
    """Processor, cores, system and Python, and how busy they were before."""
    about = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.partition(": ")[2] for line in about if line.startswith("model name")), "")
    return (
        f"{model or platform.machine()}, {len(os.sched_getaffinity(0))} cores;"
        f" {platform.system()} {platform.release()}; {interpreter()};"
        f" load {os.getloadavg()[0]:.2f}"
    )


def interpreter() -> str:
    """The interpreter, and whether it was built with profile and link-time optimisation."""
    words = sysconfig.get_config_var("CONFIG_ARGS") or ""
    flags = " ".join(
        sysconfig.get_config_var(name) or ""
        for name in ("PY_CFLAGS", "PY_CFLAGS_NODIST", "PY_LDFLAGS_NODIST")
    )
    pgo = "--enable-optimizations" in words or "-fprofile-use" in flags
    lto = "--with-lto" in words or "-flto" in flags
    built = f"{'with' if pgo else 'without'} PGO, {'with' if lto else 'without'} LTO"
    return f"{platform.python_implementation()} {platform.python_version()} built {built}"


if __name__ == "__main__":
    main()
