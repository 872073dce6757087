"""This installation of the arena: its form, and how to install an extra into its Python."""

import shlex
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Final

import arena

_ARENA: Final = Path(arena.__file__).parent
_PIP: Final = [sys.executable, "-m", "pip", "install"]


def form(folder: Path = _ARENA) -> str:
    """`compiled` or `pure Python`, by the files in the arena's folder; loads nothing.

    `hatch_build.py` names the library that holds everything compiled.
    """
    library = PathFinder.find_spec("compiled__mypyc", [str(folder)])
    return "pure Python" if library is None else "compiled"


def how_to_install(extra: str) -> str:
    """A remedy: the command for a clone, or for any other environment.

    The arena is on no package index, where a stranger may take its name: its source is the origin.
    """
    clone = _ARENA.parent
    if not (clone / "pyproject.toml").is_file():
        command = shlex.join([*_PIP, f".[{extra}]"])
        return f"to install, in the folder of the arena's source: {command}"
    if Path(sys.prefix) == clone / ".venv":
        return f"to install: {shlex.join([str(clone / 'scripts' / 'add'), extra])}"
    return f"to install: {shlex.join([*_PIP, '-e', f'{clone}[{extra}]'])}"
