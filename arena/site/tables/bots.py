"""The bots that guests may play: those whose authors agree, and the arena's own."""

from contextlib import closing
from pathlib import Path

import msgspec

from arena.base.refusals import Busy, Refusal
from arena.bots.levels import LEVELS
from arena.engine.builds import Copy, beside
from arena.match.wire import Limits
from arena.sandbox.isolation import Isolation
from arena.site.config import Site
from arena.site.documents import STANDINGS, GuestBot, Standings
from arena.site.published import Published
from arena.tasks.asked_league import ask_league, league_isolation
from arena.tasks.open_field import house_players, outsiders
from arena.zole.rules import Rules


class GuestTerms(msgspec.Struct, frozen=True):
    """The terms of guests' tables: the league's rules and limits, and its bots that agree, by name.

    `home` is the folder of the league's copies of bots; `house` has the levels of the arena's own.
    """

    rules: Rules
    limits: Limits
    max_faults: int
    isolation: Isolation
    home: str
    copies: dict[str, Copy]
    house: dict[str, str]


def guest_terms(site: Site) -> GuestTerms:
    """The terms of guests, by the league's file, its submissions and what is published.

    Raises `ArenaError`.
    """
    asked = ask_league(site.league)
    config = asked.config
    wanted = outsiders(asked, asked.entries)
    house = house_players({}, wanted, LEVELS.values())
    out = _benched(site)
    copies: dict[str, Copy] = {}
    for name, player in (wanted | house).items():
        bot, content = player.bot, player.joined.content
        if (name in house or bot.guests) and name not in out:
            folder = bot.folder or str(beside(asked.home, content))
            bot = msgspec.structs.replace(bot, folder=folder)
            copies[bot.name] = Copy(bot, content, config.resources)
    level_of = {bot: level for level, bot in LEVELS.items()}
    levels = {
        name: level_of[Path(player.bot.folder).name]
        for name, player in house.items()
        if name in copies
    }
    return GuestTerms(
        config.rules,
        config.match_limits,
        config.max_faults,
        league_isolation(config),
        str(asked.home),
        copies,
        levels,
    )


def bots_of(terms: GuestTerms) -> tuple[GuestBot, ...]:
    """The bots that may be played, the arena's own first."""
    house = (GuestBot(name, "house", level) for name, level in terms.house.items())
    others = sorted(terms.copies.keys() - terms.house.keys())
    return (*house, *(GuestBot(name, terms.copies[name].bot.author) for name in others))


def seated(terms: GuestTerms, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """The bots at a table: those that were chosen, then the arena's own. Raises `Refusal`."""
    seats, bots = terms.rules.players - 1, list(wanted)
    if len(bots) > seats or not {*bots} <= terms.copies.keys():
        raise Refusal(f"choose up to {seats} bots that agree to play guests")
    bots += [bot.name for bot in bots_of(terms) if bot.name not in wanted][: seats - len(bots)]
    if not bots:
        raise Busy("no bot plays guests now", "try again later", 60)
    return tuple(bots + bots[:1] * (seats - len(bots)))  # a table of five, and too few agree


def _benched(site: Site) -> set[str]:
    with closing(Published(site.published)) as published:
        standings = published.document(STANDINGS)
    if standings is None:
        return set()
    lines = msgspec.json.decode(standings.data, type=Standings).lines
    return {line.bot for line in lines if line.state == "benched"}
