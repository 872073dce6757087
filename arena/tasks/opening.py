"""The opening of a league of any kind, by its file."""

from contextlib import AbstractContextManager
from pathlib import Path

from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.tasks.closed_league import ClosedLeague, resume_closed
from arena.tasks.field import ask_league
from arena.tasks.open_league import OpenLeague, resume_open
from arena.tasks.shards import Shard, resume_shard


def open_league(
    path: Path,
    seed: int | None = None,
    level: IsolationLevel | None = None,
    *,
    shard: Shard | None = None,
    orders: int | None = None,
) -> AbstractContextManager[ClosedLeague | OpenLeague]:
    """Begin or resume the league of a file; `level` takes precedence over the file's isolation.

    A `shard` is a share of a closed league, `orders` are the most that an open one draws. Raises
    `ArenaError` if file, record and these do not fit together.
    """
    asked = ask_league(path, seed, None if shard is None else shard.known_record(path))
    if asked.league.format.open is not None:
        if shard is None:
            return resume_open(asked, level, orders)
        what = "an open league has no shards: what is played next depends on everything before it"
        raise ArenaError(Mistake(what, "--shard", "--cluster plays it on several machines"))
    if orders is not None:
        what = "--orders is for open leagues"
        raise ArenaError(Mistake(what, str(path), 'format = "open" makes it one'))
    return resume_closed(asked, level) if shard is None else resume_shard(asked, shard, level)
