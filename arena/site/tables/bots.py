"""The bots that guests may play: those whose authors agree, and the arena's own."""

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
from arena.site.documents import STANDINGS, Standings
from arena.site.published import Published
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


def guest_terms(site: Site) -> GuestTerms:
    """The terms of guests, by the league's file, its submissions and what is published.

    Raises `ArenaError`.
    """
    asked = ask_league(site.league)
    config, home = asked.config, asked.home
    wanted = outsiders(asked, asked.entries)
    house = house_players({}, wanted, LEVELS.values())
    copies: dict[str, Copy] = {}
    out = _benched(site)
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


def _benched(site: Site) -> set[str]:
    with closing(Published(site.published)) as published:
        standings = published.document(STANDINGS)
    if standings is None:
        return set()
    lines = msgspec.json.decode(standings.data, type=Standings).lines
    return {line.bot for line in lines if line.state == "benched"}


def guest_isolation(path: Path) -> Isolation:
    """Return the isolation of bots at guests' tables, which is the league's.

    Raises `ArenaError`.
    """
    config, _ = read_league(league_path(path), None)
    return league_isolation(config)
