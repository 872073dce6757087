"""The events of a run: what becomes of its matches or other work, and that the user stops it."""

from typing import Generic, TypeVar

import msgspec

_Key = TypeVar("_Key")
_Result = TypeVar("_Result")


class Playing(msgspec.Struct, frozen=True):
    """The first work was handed to workers; from now on signals stop the run in good order."""


class Waiting(msgspec.Struct, frozen=True):
    """Nothing has ended for `idle_s` seconds."""

    idle_s: float


class Completed(msgspec.Struct, Generic[_Key, _Result], frozen=True):
    """A match was played, or other work done."""

    key: _Key
    result: _Result


class Void(msgspec.Struct, Generic[_Key], frozen=True):
    """A match failed by no player's fault; it is played again, or has `failed` too often."""

    key: _Key
    why: str
    failed: bool = False


class Stopping(msgspec.Struct, frozen=True):
    """The user stops the run; matches under way have `patience_s` seconds to finish."""

    patience_s: float


class Interrupted(SystemExit):
    """The user stopped the run; every finished match was yielded. `code` is the exit code."""


RunEvent = Playing | Waiting | Completed[_Key, _Result] | Void[_Key] | Stopping
"""What happens in a run."""
