"""This installation of the arena: its form, and how to install an extra into its Python."""

import shlex
import sys
from importlib.machinery import PathFinder
from pathlib import Path
from typing import Final

import arena

_ARENA: Final = Path(arena.__file__).parent
_PIP: Final = [sys.executable, "-m", "pip", "install"]
_UV: Final = ["uv", "pip", "install", "--python", sys.executable]


def form(folder: Path = _ARENA) -> str:
    """`compiled` or `pure Python`, by the files in the arena's folder; loads nothing.

    `hatch_build.py` names the library that holds everything compiled.
    """
    library = PathFinder.find_spec("compiled__mypyc", [str(folder)])
    return "pure Python" if library is None else "compiled"


def shipped(name: str) -> Path:
    """A folder that ships with the package: inside it, or next to it in a checkout."""
    inside = _ARENA / "_shipped" / name
    return inside if inside.is_dir() else _ARENA.parent / name


def how_to_install(extra: str) -> str:
    """A remedy: the command that installs an extra."""
    return f"to install: {install_command(extra)}"


def install_command(extra: str) -> str:
    """The command that adds an extra to this Python: a clone's own, or that of pip or uv.

    pip and uv keep the installed arena, whatever an index has under its name.
    """
    clone = _ARENA.parent
    if Path(sys.prefix) == clone / ".venv":
        return shlex.join([str(clone / "scripts" / "add"), extra])
    installer = _UV if PathFinder.find_spec("pip") is None else _PIP
    if (clone / "pyproject.toml").is_file():
        return shlex.join([*installer, "-e", f"{clone}[{extra}]"])
    return shlex.join([*installer, f"zole-arena[{extra}]"])
