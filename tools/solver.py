"""The solver's WebAssembly made from its source, by the one compiler that its bytes hang on."""

import subprocess
import tempfile
from pathlib import Path

SOLVER = "arena/review/solver.wasm"
SOURCE = Path(__file__).parents[1] / "arena/review/solver.c"
COMPILER = "Debian clang version 14.0.6"
LINKER = "Debian LLD 14.0.6"
"""Packages clang-14 and lld-14 of Debian 12."""

MEMORY = 19 << 16
"""All the memory that the solver has, in bytes: 1 MiB is its table of positions."""

COMMAND = (
    "clang-14 --target=wasm32 -O3 -mllvm -inline-threshold=1000 -std=c17"
    " -Wall -Wextra -Werror -mbulk-memory -nostdlib"
    " -Wl,--no-entry,--strip-all,-z,stack-size=65536"
    f" -Wl,--initial-memory={MEMORY},--max-memory={MEMORY} -o solver.wasm"
).split()


def compiler() -> str | None:
    """The compiler's version if it is the one that made the committed file, else None."""
    for program, version in (("clang-14", COMPILER), ("wasm-ld-14", LINKER)):
        try:
            said = subprocess.run((program, "--version"), capture_output=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            return None
        if not said.startswith(version.encode()):
            return None
    return COMPILER


def compiled() -> bytes:
    """The module that the source makes."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run((*COMMAND, SOURCE), cwd=folder, check=True)
        return Path(folder, "solver.wasm").read_bytes()
