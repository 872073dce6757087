"""Bots that were handed in to a league: under which names they play, and which are in the field."""

from collections.abc import Collection, Sequence
from typing import Literal

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.bots.manifest import Bot


class Submission(msgspec.Struct, frozen=True):
    """A bot that was handed in, under the name it plays by.

    `manifest` is what it was checked with, whatever its build has made of the file; `digest` is the
    content's, `at` the time in UTC. A submission plays until it is replaced by a newer one of the
    same bot, or withdrawn.
    """

    name: str
    manifest: Bot
    digest: str
    at: str
    state: Literal["playing", "replaced", "withdrawn"]


def playing(entries: Sequence[Submission]) -> list[Submission]:
    """The submissions that are in the field."""
    return [entry for entry in entries if entry.state == "playing"]


def enter_bot(
    entries: Sequence[Submission], bot: Bot, digest: str, at: str, others: Collection[str]
) -> list[Submission]:
    """The submissions that change when a bot is handed in: those it replaces, then its own.

    It has a number where its name was played under before or is among the `others`. Raises
    `ArenaError` where the very same bot is in the field already.
    """
    refuse_twice(entries, bot, digest)
    replaced = [
        msgspec.structs.replace(old, state="replaced")
        for old in playing(entries)
        if old.manifest.name == bot.name
    ]
    taken = {entry.name for entry in entries} | set(others)
    name, number = bot.name, 1
    while name in taken:
        number += 1
        name = f"{bot.name}.{number}"
    return [*replaced, Submission(name, bot, digest, at, "playing")]


def refuse_twice(entries: Sequence[Submission], bot: Bot, digest: str) -> None:
    """Raise `ArenaError` where the very same bot is in the field already."""
    for entry in playing(entries):
        if entry.digest == digest:
            what = f"this bot is already playing, as {entry.name}"
            raise ArenaError(Mistake(what, bot.folder))


def withdraw_bot(entries: Sequence[Submission], name: str, place: str) -> Submission:
    """The submission of a name, taken out of the field. Raises `ArenaError` if it is not in it."""
    field = {entry.name: entry for entry in playing(entries)}
    if name not in field:
        what = f"no bot called {name} was submitted and is playing"
        there = f"there are {', '.join(field)}" if field else "bots of the file are taken out there"
        raise ArenaError(Mistake(what, place, there))
    return msgspec.structs.replace(field[name], state="withdrawn")
