"""The opening of a league of any kind, which loads what its kind needs and no other."""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.league.config import OpenConfig
from arena.tasks.league_request import request_league

if TYPE_CHECKING:
    from arena.tasks.closed_league import ClosedLeague
    from arena.tasks.open_league import OpenLeague


def open_league(
    path: Path,
    seed: int | None = None,
    level: IsolationLevel | None = None,
    orders: int | None = None,
) -> "AbstractContextManager[ClosedLeague | OpenLeague]":
    """Begin or resume the league of a file; `level` takes precedence over the file's isolation.

    `orders` are the most that an open league draws. Raises `ArenaError` if file, record and these
    do not fit together.
    """
    asked = request_league(path, seed)
    if isinstance(asked.config, OpenConfig):
        from arena.tasks.open_league import resume_open

        return resume_open(asked, level, orders)
    if orders is not None:
        what = "--orders is for open leagues"
        raise ArenaError(Mistake(what, str(path), 'format = "open" makes it one'))
    from arena.tasks.closed_league import resume_closed

    return resume_closed(asked, level)
