"""The field that an open league should have by its file and submissions, and the changes to it."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from arena.base.installation import shipped
from arena.bots.manifest import Bot, content_hash, read_bot
from arena.bots.names import free_name
from arena.league.fold import LedgerFold
from arena.league.ledger import Benched, Entry, Joined, Left, Resumed, Teamed
from arena.league.terms import Entrant
from arena.record.submissions import Submission, playing
from arena.tasks.league_request import LeagueRequest

HOUSE: Final = ("random", "careful", "sampler")
"""The arena's own bots, which play if too few authors do."""

AUTHORS: Final = 3
"""The number of authors from which no house bots are needed."""


class EnteredPlayer(msgspec.Struct, frozen=True):
    """A bot that is, or is to be, in the field: its entry, and its manifest with its folder."""

    joined: Joined
    bot: Bot


class Ruling(msgspec.Struct, frozen=True):
    """The organiser's rulings: why no orders are drawn now, "" if they are, benched bots, teams.

    `benched` gives the reason for each bot; `teams` are authors, in addition to those of the
    league's file.
    """

    waits: str = ""
    benched: dict[str, str] = {}
    teams: tuple[tuple[str, ...], ...] = ()


def outsiders(asked: LeagueRequest, entries: Sequence[Submission]) -> dict[str, EnteredPlayer]:
    """The bots of a league's file and of the submissions that play, by name.

    Submitted ones have no folder yet.
    """
    found: dict[str, EnteredPlayer] = {}
    for bot in asked.bots:
        joined = Joined(bot.name, asked.contents[bot.name], bot.author, False, organiser=True)
        found[bot.name] = EnteredPlayer(joined, bot)
    for entry in playing(entries):
        bot = msgspec.structs.replace(entry.manifest, name=entry.name, folder="")
        joined = Joined(entry.name, entry.digest, bot.author, False)
        found[entry.name] = EnteredPlayer(joined, bot)
    return found


def house_players(
    names: Mapping[str, Entrant],
    wanted: Mapping[str, EnteredPlayer],
    house: Collection[str] = HOUSE,
) -> dict[str, EnteredPlayer]:
    """The bots of the `house`, except those that play anyway, by names that are theirs alone.

    `names` has all bots that have ever been in the field. A house bot that an update has changed is
    another bot, and gets its own name.
    """
    found: dict[str, EnteredPlayer] = {}
    contents = {player.joined.content for player in wanted.values()}
    for name in house:
        bot = read_bot(shipped("sample_bots") / name)
        content = content_hash(Path(bot.folder))
        if content in contents:
            continue
        others = {it for it in names if names[it].digest != content}
        own = free_name(name, others | wanted.keys())
        joined = Joined(own, content, "house", True)
        found[own] = EnteredPlayer(joined, msgspec.structs.replace(bot, name=own))
    return found


def changes(
    ledger: LedgerFold,
    wanted: Mapping[str, EnteredPlayer],
    house: Mapping[str, EnteredPlayer],
    entries: Sequence[Submission],
) -> Iterator[Joined | Left]:
    """The entries that bring the field to what it should be.

    House bots come while too few authors play. They stay: the draw leaves them out if they are
    not needed.
    """
    replaced = {entry.name for entry in entries if entry.state == "replaced"}
    able = (it.joined for name, it in wanted.items() if name not in ledger.benched)
    few = len(set(map(ledger.person, able))) < AUTHORS
    asked = {name: player.joined for name, player in wanted.items()}
    asked |= {name: it.joined for name, it in house.items() if few or name in ledger.bots}
    for name, bot in ledger.bots.items():
        if asked.get(name) != bot:
            yield Left(name, "replaced" if name in replaced else "withdrawn")
    for name, joined in asked.items():
        if ledger.bots.get(name) != joined:
            yield joined


def rulings(
    ledger: LedgerFold,
    ruling: Ruling,
    teams: tuple[tuple[str, ...], ...],
    resumed: Collection[str],
    failing: Mapping[str, str],
) -> list[Entry]:
    """The entries about bots in the field that the ledger lacks.

    They are the organiser's, whose file has some `teams`, then those on bots that were asked to be
    `resumed`, and on bots that keep `failing`, with the reasons.
    """
    benched, now = ruling.benched, (*teams, *ruling.teams)
    again = sorted(ledger.benched_by_organiser - benched.keys())
    out = sorted(benched.keys() & set(ledger.playing))
    return [
        *([Teamed(now)] if now != ledger.teams else ()),
        *(Resumed(bot, True) for bot in again),
        *(Benched(bot, benched[bot], True) for bot in out),
        *(Resumed(bot) for bot in resumed if ledger.may_resume(bot)),
        *(Benched(bot, why) for bot, why in failing.items() if bot not in out),
    ]


def entered_words(entry: Entry) -> str:
    """A change of the field in words."""
    match entry:
        case Joined(bot, _, author, house):
            return f"{bot} joins, {'a house bot' if house else f'by {author}'}"
        case Left(bot, why):
            return f"{bot} leaves: {why}"
        case Resumed(bot):
            return f"{bot} plays again"
        case Teamed(teams):
            return f"teams that share no table: {'; '.join(map(', '.join, teams)) or 'none'}"
        case Benched(bot, why):
            return f"{bot} is benched: {why}"
        case _:
            raise AssertionError(entry)
