"""A hint: an answer that a person may give, and why."""

import msgspec

from arena.match.wire import AnyReply
from arena.reports.language import Saying


class Suggestion(msgspec.Struct, frozen=True):
    """An answer that a person may give, and why.

    Of the values in a reason, those that are not whole numbers are stakes.
    """

    answer: AnyReply
    why: tuple[Saying, ...] = ()
