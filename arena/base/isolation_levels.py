"""The levels at which bots are isolated; it imports nothing, since every `--help` reads this."""

from typing import Final, Literal, get_args

IsolationLevel = Literal["bubblewrap", "landlock", "none"]
"""The levels of isolation of bots, the strongest first."""

ISOLATION_LEVELS: Final[tuple[IsolationLevel, ...]] = get_args(IsolationLevel)
