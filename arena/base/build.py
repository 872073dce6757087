"""The form of this arena: compiled in part, or pure Python."""

from importlib.machinery import PathFinder
from pathlib import Path
from typing import Final

_ARENA: Final = Path(__file__).parents[1]


def form(arena: Path = _ARENA) -> str:
    """`compiled` or `pure Python`, by the files in the arena's folder; loads nothing.

    `hatch_build.py` names the library that holds everything compiled.
    """
    library = PathFinder.find_spec("compiled__mypyc", [str(arena)])
    return "pure Python" if library is None else "compiled"
