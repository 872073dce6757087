"""A hint: an answer that a person may give, and why."""

import msgspec

from arena.match.wire import AnyReply


class Reason(msgspec.Struct, frozen=True):
    """A sentence on why a hint is good: a message of `arena/words`, with its values.

    Values that are not whole numbers are stakes; all but `ahead` are told with their sign.
    """

    message: str
    values: dict[str, str | int | float] = {}


class Suggestion(msgspec.Struct, frozen=True):
    """An answer that a person may give, and why."""

    answer: AnyReply
    why: tuple[Reason, ...] = ()
