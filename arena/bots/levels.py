"""The levels of opponents for people, and the sample bot that plays each."""

from collections.abc import Mapping
from typing import Final

LEVELS: Final[Mapping[str, str]] = {
    "beginner": "careful",
    "club": "learned",
    "strong": "sampler",
    "master": "master",
}
"""The sample bot of each level, the weakest first, as `leagues/reference.toml` ranks them.

They differ in how far they see: rules of thumb for the hand held, habits learned from many deals,
thirty ways in which the hidden cards may lie with all hands open, four hundred of them by what
others bid and played.
"""
