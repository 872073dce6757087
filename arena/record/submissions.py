"""Bots submitted to a league: the names they play under, and the states that make up the field."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Literal

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.bots.manifest import Bot
from arena.bots.names import equal_name, free_name
from arena.bots.tree import MANIFEST

if TYPE_CHECKING:
    from arena.league.fold import LedgerFold


class Submission(msgspec.Struct, frozen=True):
    """A submitted bot, under the name it plays by.

    `manifest` is the one it was checked with, even if its build changed the file; `digest` is the
    hash of its content, `at` the time in UTC. A submission plays until a newer one of the same bot
    replaces it or it is withdrawn; one after the season's deadline waits for the next.
    """

    name: str
    manifest: Bot
    digest: str
    at: str
    state: Literal["playing", "replaced", "withdrawn", "next_season"]


class Listed(Submission, frozen=True):
    """A submission to an open league, with the state that it has there.

    It is `waiting` until the league is played and lets it in; `why` is the reason why a bot is
    benched.
    """

    state: Literal["playing", "replaced", "withdrawn", "next_season", "waiting", "benched"]  # type: ignore[assignment]
    why: str = ""


def playing(entries: Sequence[Submission]) -> list[Submission]:
    """Return the submissions in the field."""
    return [entry for entry in entries if entry.state == "playing"]


def enter_bot(
    entries: Sequence[Submission],
    bot: Bot,
    digest: str,
    at: str,
    others: Collection[str],
    any_author: bool = False,
    late: bool = False,
) -> list[Submission]:
    """Return the submissions that change when a bot is submitted: those it replaces, then its own.

    A bot that comes `late` waits for the next season, and replaces only such as wait, too. Its name
    gets a number if it was used before or is among the `others`. Raises `ArenaError` as
    `refuse_entry` does.
    """
    refuse_entry(entries, bot, digest, any_author)
    state: Literal["next_season", "playing"] = "next_season" if late else "playing"
    replaced = [
        msgspec.structs.replace(old, state="replaced")
        for old in entries
        if old.manifest.name == bot.name and old.state == state
    ]
    taken = {entry.name for entry in entries} | set(others)
    name = free_name(bot.name, taken)
    return [*replaced, Submission(name, bot, digest, at, state)]


def refuse_entry(
    entries: Sequence[Submission], bot: Bot, digest: str, any_author: bool = False
) -> None:
    """Raise `ArenaError` if the very same bot is in the field, or its name is another author's.

    A name belongs to the author of the last bot that was entered under it, withdrawn or not. A new
    name that equals a name in use but for case is refused to everybody.
    """
    named = [entry for entry in entries if entry.manifest.name == bot.name]
    if named and named[-1].manifest.author != bot.author and not any_author:
        what = f"the name {bot.name} is taken by {named[-1].manifest.author}"
        raise ArenaError(
            Mistake(
                what,
                bot.folder,
                f"change it in {MANIFEST}",
                organiser="--any-author passes it on",
            )
        )
    other = equal_name(bot.name, () if named else {entry.manifest.name for entry in entries})
    if other is not None:
        what = f"{bot.name} differs only in case from {other}, a bot that was submitted before"
        raise ArenaError(Mistake(what, bot.folder, "choose another name"))
    for entry in entries:
        if entry.digest == digest and entry.state in ("playing", "next_season"):
            what = f"this very bot is in the field already, as {entry.name}"
            raise ArenaError(Mistake(what, bot.folder))


def withdraw_bot(entries: Sequence[Submission], name: str, place: str) -> Submission:
    """Return the submission of a name, withdrawn. Raises `ArenaError` if it is not in the field."""
    field = {it.name: it for it in entries if it.state in ("playing", "next_season")}
    if name not in field:
        what = f"no bot called {name} was submitted and is playing"
        there = f"there are {', '.join(field)}" if field else "bots of the file are taken out there"
        raise ArenaError(Mistake(what, place, there))
    return msgspec.structs.replace(field[name], state="withdrawn")


def listed(entries: Sequence[Submission], ledger: "LedgerFold") -> list[Listed]:
    """Return the submissions to an open league, each with its state in the field."""
    found: list[Listed] = []
    for entry in entries:
        known = msgspec.structs.asdict(entry)
        if entry.state == "playing" and entry.name in ledger.benched:
            known |= {"state": "benched", "why": ledger.benched[entry.name]}
        elif entry.state == "playing" and entry.name not in ledger.bots:
            known["state"] = "waiting"
        found.append(Listed(**known))
    return found


def ask_to_resume(
    ledger: "LedgerFold", asked: Sequence[str], name: str, place: str
) -> tuple[str, ...]:
    """Return the bots that are `asked` to play again, with one more.

    Raises `ArenaError` if that one is not benched, or was resumed before.
    """
    if name not in ledger.benched:
        benched = ", ".join(ledger.benched)
        what = f"{name} is not benched"
        raise ArenaError(Mistake(what, place, f"benched: {benched}" if benched else "nobody is"))
    if not ledger.may_resume(name):
        what = f"{name} was resumed before, and is benched again: {ledger.benched[name]}"
        raise ArenaError(Mistake(what, place, "arena submit enters a new version"))
    return tuple(dict.fromkeys((*asked, name)))
