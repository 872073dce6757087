"""Errors outside the bots: a user's mistake, or a machine that cannot do the work."""

from dataclasses import dataclass
from typing import Final

from arena.base.harmless import harmless

MOST_TOLD: Final = 20
"""The most errors reported at once."""


@dataclass(frozen=True)
class Mistake:
    """One wrong thing in the user's input: where it is, what it is, what to do about it.

    `lines` are a program's output about it, shown below. Untrusted text in them is escaped.
    `organiser` is what a league's organiser can do: a site does not show it to authors.
    """

    what: str
    place: str = ""
    remedy: str = ""
    lines: tuple[str, ...] = ()
    organiser: str = ""

    def __str__(self) -> str:
        text = f"{self.place}: {self.what}" if self.place else self.what
        told = "; ".join(part for part in (text, self.remedy, self.organiser) if part)
        return "\n".join(map(harmless, (told, *self.lines)))


class ArenaError(Exception):
    """The user's `mistakes` at once; after the first 20, only their number.

    The command line then ends with `exit_code`: 2, or 3 where this machine cannot do it.
    """

    exit_code = 2

    def __init__(self, *mistakes: Mistake) -> None:
        more = len(mistakes) - MOST_TOLD
        if more > 0:
            mistakes = (*mistakes[:MOST_TOLD], Mistake(f"and {more} more"))
        super().__init__("\n".join(map(str, mistakes)))
        self.mistakes = mistakes


class MachineError(ArenaError):
    """This machine cannot do what was asked (disk full, program missing). Exit code 3."""

    exit_code = 3
