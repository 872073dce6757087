"""Finds a league's record and file, given either."""

from pathlib import Path

from arena.base.errors import ArenaError, Mistake


def record_path(league: Path) -> Path:
    """Return the path of a league's record, given its TOML or the record. Raises `ArenaError`."""
    _refuse_folder(league)
    if league.suffix not in ("", ".db", ".toml") and league.is_file():
        what = "this is neither a league's file nor a record"
        remedy = "these end in .toml and .db; arena pull FILE makes a record of logs"
        raise ArenaError(Mistake(what, str(league), remedy))
    return league if league.suffix == ".db" else league.with_suffix(".db")


def league_path(named: Path) -> Path:
    """Return the path of a league's TOML, given the TOML or the record. Raises `ArenaError`."""
    _refuse_folder(named)
    return named.with_suffix(".toml") if named.suffix == ".db" else named


def _refuse_folder(league: Path) -> None:
    if league.is_dir():
        raise ArenaError(Mistake("this is a folder", str(league), "name a league's file in it"))
