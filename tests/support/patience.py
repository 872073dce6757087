"""How tests wait: for events, and only where one never comes until their patience ends."""

import time
from collections.abc import Callable
from typing import Final, TypeVar

Found = TypeVar("Found")

PATIENCE_S: Final = 900.0
"""What comes at all has come by then, on the slowest and busiest machine."""


def until(look: Callable[[], Found | None], every_s: float = 0.02) -> Found:
    """What a look finds, as soon as it finds anything; fails where it never does."""
    end = time.monotonic() + PATIENCE_S
    while not (found := look()):
        assert time.monotonic() < end, f"it did not come within {PATIENCE_S:g} s"
        time.sleep(every_s)
    return found
