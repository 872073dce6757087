"""A file of deals that people wrote: one a line, as `arena.zole.notation` reads them."""

from pathlib import Path

from arena.base.errors import ArenaError, Mistake
from arena.zole.deal import Deal
from arena.zole.notation import read_deal


def read_deals(path: Path, players: int) -> list[Deal]:
    """The deals of a file, in order. Raises `ArenaError` with every line that is not a deal."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        what = f"cannot be read: {error.strerror}"
        raise ArenaError(Mistake(what, str(path))) from None
    except UnicodeDecodeError:
        raise ArenaError(Mistake("this file of deals is not valid UTF-8", str(path))) from None
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
