"""The bots that guests may play: those whose authors agree, and the arena's own."""

from collections.abc import Collection
from contextlib import closing
from pathlib import Path

import msgspec

from arena.bots.levels import LEVELS
from arena.engine.builds import Copy, beside
from arena.league.file import read_league
from arena.match.wire import Limits
from arena.record.paths import league_path
from arena.sandbox.isolation import Isolation
from arena.site.config import Site
from arena.site.documents.league import STANDINGS, Standings
from arena.site.published import Published
from arena.site.registry.file import Registry
from arena.site.registry.stops import benched
from arena.tasks.asked_league import ask_league, league_isolation
from arena.tasks.open_field import house_players, outsiders
from arena.zole.rules import Rules


class GuestTerms(msgspec.Struct, frozen=True):
    """The terms of guests' tables: the league's rules and limits, and its bots that agree, by name.

    `home` is the folder of the league's copies of bots; `house` has the arena's own, with levels.
    """

    rules: Rules
    limits: Limits
    max_faults: int
    home: str
    copies: dict[str, Copy]
    house: dict[str, str]


def benched_bots(site: Site) -> set[str]:
    """Return the bots that the organiser or, by what was published last, the league has benched.

    Raises `ArenaError`.
    """
    with closing(Registry.open(site.registry, site.quotas)) as registry:
        found = {*benched(registry)}
    with closing(Published(site.published)) as published:
        standings = published.document(STANDINGS)
    if standings is not None:
        lines = msgspec.json.decode(standings.data, type=Standings).lines
        found |= {line.bot for line in lines if line.state == "benched"}
    return found


def guest_terms(path: Path, out: Collection[str] = ()) -> GuestTerms:
    """Return the terms of guests, by a league's file and its submissions, without bots in `out`.

    Raises `ArenaError`.
    """
    asked = ask_league(path)
    config, home = asked.config, asked.home
    wanted = outsiders(asked, asked.entries)
    house = house_players({}, wanted, LEVELS.values())
    copies: dict[str, Copy] = {}
    for name, player in (wanted | house).items():
        bot, content = player.bot, player.joined.content
        if (name in house or bot.guests) and name not in out:
            folder = bot.folder or str(beside(home, content))
            bot = msgspec.structs.replace(bot, folder=folder)
            copies[bot.name] = Copy(bot, content, config.resources)
    level_of = {bot: level for level, bot in LEVELS.items()}
    levels = {
        name: level_of[Path(player.bot.folder).name]
        for name, player in house.items()
        if name in copies
    }
    return GuestTerms(
        config.rules, config.match_limits, config.max_faults, str(home), copies, levels
    )


def guest_isolation(path: Path) -> Isolation:
    """Return the isolation of bots at guests' tables, which is the league's.

    Raises `ArenaError`.
    """
    config, _ = read_league(league_path(path), None)
    return league_isolation(config)
