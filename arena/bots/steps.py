"""A step of the check of a bot, as a command prints it and a site keeps it."""

import msgspec


class CheckStep(msgspec.Struct, frozen=True):
    """One step of a check. `said` has the finding or the mistake, `show` the lines before it.

    If a step that is not `required` fails, it is a remark. `stderr` is the bot's in the match that
    failed.
    """

    name: str
    passed: bool
    said: str
    show: tuple[str, ...] = ()
    stderr: str = ""
    required: bool = True
