"""A step of the check of a bot, as a command prints it and a site keeps it."""

from collections.abc import Iterable
from pathlib import Path

import msgspec


class CheckStep(msgspec.Struct, frozen=True):
    """One step of a check. `finding` is what it found or the error, `show` the lines before it.

    If a step that is not `required` fails, it is a remark. `stderr` is the bot's in the match that
    failed, `asked` the request that it failed in words, `again` the commands that repeat it.
    """

    name: str
    passed: bool
    finding: str
    show: tuple[str, ...] = ()
    stderr: str = ""
    required: bool = True
    asked: str = ""
    again: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        """Whether the bot may not play because of it."""
        return self.required and not self.passed

    def without(self, places: Iterable[Path]) -> "CheckStep":
        """The step without the paths of some folders, for an author who knows other ones."""
        told = [without_places(each, places) for each in (self.finding, self.stderr, *self.show)]
        finding, stderr, *show = told
        return msgspec.structs.replace(self, finding=finding, stderr=stderr, show=tuple(show))


def without_places(text: str, places: Iterable[Path]) -> str:
    """A text without the paths of some folders, fit to be encoded as UTF-8."""
    for path in places:
        for each in dict.fromkeys((str(path.resolve()), str(path))):
            text = text.replace(f"{each}/", "").replace(each, "the bot's folder")
    return text.encode("utf-8", "backslashreplace").decode()
