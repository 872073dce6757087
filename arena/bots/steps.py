"""A step of the check of a bot, as a command prints it and a site keeps it."""

import msgspec


class CheckStep(msgspec.Struct, frozen=True):
    """One step of a check. `said` tells what was seen, or what went wrong; `show` the lines before.

    A step that is not `required` is a remark where it fails. `stderr` is what the bot wrote there
    in the match that failed.
    """

    name: str
    passed: bool
    said: str
    show: tuple[str, ...] = ()
    stderr: str = ""
    required: bool = True
