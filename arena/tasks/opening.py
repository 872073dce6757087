"""The opening of a league of any kind, by its file."""

from contextlib import AbstractContextManager
from pathlib import Path

from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.tasks.closed_league import ClosedLeague, resume_closed
from arena.tasks.field import ask_league
from arena.tasks.open_league import OpenLeague, resume_open
from arena.tasks.tournament import TournamentLeague, resume_tournament


def open_league(
    path: Path,
    seed: int | None = None,
    level: IsolationLevel | None = None,
    orders: int | None = None,
) -> AbstractContextManager[ClosedLeague | OpenLeague | TournamentLeague]:
    """Begin or resume the league of a file; `level` takes precedence over the file's isolation.

    `orders` are the most that an open league draws. Raises `ArenaError` if file, record and these
    do not fit together.
    """
    asked = ask_league(path, seed)
    form = asked.league.format
    if form.open is not None:
        return resume_open(asked, level, orders)
    if orders is not None:
        what = "--orders is for open leagues"
        raise ArenaError(Mistake(what, str(path), 'format = "open" makes it one'))
    if form.tournament is not None:
        return resume_tournament(asked, form.tournament, level)
    return resume_closed(asked, level)
