"""How a bot is started, as a plain value."""

import msgspec

from arena.base.resources import STANDARD, Resources


class Program(msgspec.Struct, frozen=True):
    """A bot's command, the folder it runs in, and what it may use."""

    name: str
    run: tuple[str, ...]
    folder: str
    resources: Resources = STANDARD
