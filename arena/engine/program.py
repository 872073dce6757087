"""A bot's program, ready to be started, as a plain value."""

import msgspec

from arena.base.resources import STANDARD, Resources


class Program(msgspec.Struct, frozen=True):
    """A bot's command, the folder it runs in, and the resources it may use."""

    name: str
    run: tuple[str, ...]
    folder: str
    resources: Resources = STANDARD
