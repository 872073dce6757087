"""A file of deals that people wrote: one a line, as `arena.zole.notation` reads them."""

from pathlib import Path
from typing import Final

from arena.base.errors import ArenaError, Mistake
from arena.base.files import read_text
from arena.zole.deal import Deal
from arena.zole.notation import read_deal

_MOST: Final = 16 << 20
"""The most bytes of a file of deals, some 200,000 deals."""


def read_deals(path: Path, players: int) -> list[Deal]:
    """The deals of a file, in order. Raises `ArenaError` with every line that is not a deal."""
    lines = read_text(path, _MOST).splitlines()
    deals: list[Deal] = []
    mistakes: list[Mistake] = []
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            deals.append(read_deal(text, players))
        except ValueError as error:
            mistakes.append(Mistake(str(error), f"{path}:{number}"))
    if mistakes:
        raise ArenaError(*mistakes)
    if not deals:
        raise ArenaError(Mistake("there are no deals in this file", str(path)))
    return deals
