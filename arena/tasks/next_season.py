"""The next season of an open league, next to the record of the last, which is kept as it is."""

import os
from collections.abc import Collection, Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from arena.base.database import file_errors
from arena.base.errors import ArenaError, Mistake
from arena.base.files import atomic_target
from arena.league.config import OpenConfig
from arena.record.matches import check_bot
from arena.record.paths import league_path, record_path
from arena.record.rows import RECORD
from arena.record.store import Store
from arena.record.submissions import Submission, playing
from arena.tasks.league_request import LeagueRequest, create_record, with_entries


class NextSeason(msgspec.Struct, frozen=True):
    """A season that begins: its number, its submitted bots, and the path of the last record."""

    season: int
    bots: tuple[str, ...]
    kept: str


def next_season(path: Path, stay: Collection[str] | None) -> NextSeason:
    """Begin the season after one that is over, with those submitted bots that stay, None for all.

    Bots of the league's file play while it names them. The names of the others stay taken. Killed
    at any moment, the league has its old record or the new one, and the same call continues. Raises
    `ArenaError`.
    """
    path = league_path(path)
    record = record_path(path)
    with closing(Store.open(record)) as old, old.lock():
        old.open_config()  # raises if the league is not open: no other has seasons
        season = old.sealed()
        if season is None:
            what, remedy = "this season is not over", "arena season close ends it with its final"
            raise ArenaError(Mistake(what, str(record), remedy))
        entries = _carried(old.submissions(), stay)
        asked = with_entries(path, entries)
        _check_moments(asked)
        played = [entry.name for entry in playing(old.submissions())]
        for name in stay or ():
            check_bot(name, [*(bot.name for bot in asked.bots), *played], "--stay")
        facts = old.facts()
        kept = record.with_name(f"{record.stem}.season-{season}.db")
        with file_errors(RECORD, record), atomic_target(record) as draft:
            old.sql.execute("PRAGMA query_only=OFF")
            # This merges a write-ahead log into the record; it fails while anybody has it open.
            old.sql.execute("PRAGMA journal_mode=DELETE")
            old.sql.execute("BEGIN IMMEDIATE")  # keeps writers out
            _keep(record, kept)
            seed = int(facts.seeds[0]) if facts.practice else None
            config = msgspec.structs.replace(asked.config, seed=seed)
            asked = msgspec.structs.replace(asked, config=config)
            create_record(draft, asked, season + 1).close()
            os.sync()
            draft.replace(record)
    return NextSeason(season + 1, tuple(entry.name for entry in playing(entries)), str(kept))


def _keep(record: Path, kept: Path) -> None:
    if not kept.exists():
        os.link(record, kept)
    elif not kept.samefile(record):  # else a killed call has linked it
        what = "this file is in the way: the old record is to be kept under its name"
        raise ArenaError(Mistake(what, str(kept), "move it away"))


def _carried(entries: Sequence[Submission], stay: Collection[str] | None) -> list[Submission]:
    """The submissions of the last season in the next one; those that waited for it play."""
    new = {entry.manifest.name for entry in entries if entry.state == "next_season"}
    found: list[Submission] = []
    for entry in entries:
        state = entry.state
        if state == "next_season":
            state = "playing"
        elif state == "playing" and entry.manifest.name in new:
            state = "replaced"
        elif state == "playing" and stay is not None and entry.name not in stay:
            state = "withdrawn"
        found.append(msgspec.structs.replace(entry, state=state))
    return found


def _check_moments(asked: LeagueRequest) -> None:
    """Raise `ArenaError` for a season that would be over before anybody has played."""
    at = asked.config.close_at if isinstance(asked.config, OpenConfig) else None
    if at is not None and at <= datetime.now(UTC):
        what = "close_at is that of the season before, or another moment that is over"
        raise ArenaError(
            Mistake(what, str(asked.path), "write the moments of the next season first")
        )
