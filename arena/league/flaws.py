"""What in a league's settings contradicts the rules, the bots or another setting."""

from collections.abc import Collection, Iterator, Sequence
from math import factorial

from arena.base.places import KeyPath
from arena.base.toml import closest
from arena.bots.manifest import Bot
from arena.bots.names import name_key
from arena.league.config import (
    YEARS,
    ClosedConfig,
    LeagueConfig,
    OpenConfig,
    TournamentConfig,
    zone_named,
)
from arena.league.schedule import too_many

Flaw = tuple[KeyPath, str, str]
"""A key, what is wrong with it, and a remedy."""


def flaws_of(
    config: LeagueConfig, written: Collection[str], field: Sequence[Bot] | None
) -> Iterator[Flaw]:
    """The flaws of settings, of which those `written` in a file are not its defaults.

    `field` are all bots that are to play, None if they are not known yet.
    """
    pools = config.rules.pools.enabled
    if "session" in written and (not pools or isinstance(config, TournamentConfig)):
        rounds = isinstance(config, TournamentConfig)
        what = "a round is a session" if rounds else "sessions are for pools"
        yield ("session",), what, "leave session out"
    match config:
        case ClosedConfig():
            yield from _deals(config, written)
            yield from _tables(config, field)
        case OpenConfig():
            yield from _open(config)
        case TournamentConfig():
            yield from _tournament(config, field)


def _deals(config: ClosedConfig, written: Collection[str]) -> Iterator[Flaw]:
    """Numbers of deals that do not fit pools or each other."""
    by_width = config.width is not None
    if by_width and "deals" in written:
        remedy = "leave deals out; max_deals bounds them"
        yield ("deals",), "width decides how many deals there are", remedy
    if by_width and config.max_deals is None:
        yield ("width",), "width needs max_deals, the most deals of each table", ""
    if not by_width and config.max_deals is not None:
        yield ("max_deals",), "max_deals is for width", "write deals instead"
    yield from _sessions(config, "max_deals", config.max_deals)
    if not by_width:
        yield from _sessions(config, "deals", config.deals)


def _sessions(config: LeagueConfig, key: str, deals: int | None) -> Iterator[Flaw]:
    """A number of deals that is no whole number of sessions."""
    if config.session is not None and deals is not None and deals % config.session:
        what = f"{deals} deals are not a whole number of sessions of {config.session}"
        yield (key,), what, f"make {key} a multiple of {config.session}, or set session"


def _tables(config: ClosedConfig, field: Sequence[Bot] | None) -> Iterator[Flaw]:
    """A field that forms too many tables or too few, or that leaves a bot without one."""
    players, always = config.rules.players, config.always
    names = None if field is None else [bot.name for bot in field]
    for place, name in enumerate(always):
        if names is not None and name not in names:
            yield ("always", place), f"no bot is called {name}", closest(name, names)
    if len(set(always)) >= players or len(set(always)) < len(always):
        what = f"at a table of {players} at most {players - 1} different bots can always sit"
        yield ("always",), what, ""
    if config.mirror and players != 3:
        yield ("mirror",), f"mirrors are for tables of three, not of {players}", ""
        return
    if config.mirror and always:
        yield ("always",), "in a mirror league all pairs meet", "leave always or mirror out"
        return
    if config.seatings is not None:
        every = factorial(players)
        if config.mirror or (field is not None and len(field) < players):
            yield ("seatings",), "a mirror has its own six seatings", "leave seatings out"
        elif config.seatings % players or config.seatings > every:
            what = f"{config.seatings} seatings do not seat every bot everywhere equally often"
            yield ("seatings",), what, f"take a multiple of {players} up to {every}"
    if config.trios is not None and (players != 3 or config.mirror):
        what = "pairs that mirror" if players == 3 else f"tables of {players}"
        yield ("trios",), f"trios are drawn from tables of three, not from {what}", ""
        return
    if field is None or names is None or len(field) < 2 or not set(always) <= set(names):
        return
    if too_many(len(field), players, config.mirror):
        yield ("bots",), f"{len(field)} bots form too many tables", "split the league"
        return
    tables = config.lineups(names, {bot.name: bot.author for bot in field})
    if config.apart == "author":
        for name in sorted(set(names) - {bot for table in tables for bot in table}):
            what = f"the bot {name} meets nobody: too few others have another author"
            yield ("apart",), what, "leave apart out, or leave out the bot"
    if config.trios is not None and config.trios > len(tables) > 0:
        what = f"{config.trios} trios cannot be drawn: these bots form {len(tables)}"
        yield ("trios",), what, "leave trios out, and all are played"


def _open(config: OpenConfig) -> Iterator[Flaw]:
    """Tables, moments, a final or teams that an open league cannot have."""
    players = config.rules.players
    if players != 3:
        yield ("format",), f"open leagues are for tables of three, not of {players}", ""
    yield from _sessions(config, "final_deals", config.final_deals)
    if config.final < players:
        what = f"a final of {config.final} bots has no table of {players}"
        yield ("final",), what, f"make it {players} or more"
    until, close = config.submit_until, config.close_at
    far = [at.year for at in (until, close) if at is not None and at.year not in YEARS]
    if zone_named(config.time_zone) is None:
        remedy = 'time_zone = "Europe/Riga", where tzdata is installed'
        yield ("time_zone",), f"this machine knows no time zone {config.time_zone}", remedy
    elif far:
        key = "close_at" if until is None or until.year in YEARS else "submit_until"
        yield (key,), f"the year {far[0]} is none of {YEARS[0]} to {YEARS[-1]}", ""
    elif until is not None and close is not None and until > close:
        yield ("submit_until",), "submit_until is after close_at", "give a moment before it"
    seen: dict[str, str] = {}
    for place, team in enumerate(config.teams):
        if len(team) < 2:
            yield ("teams", place), "a team has two authors or more", ""
        for name in team:
            if other := seen.get(name_key(name)):
                what = f"{name} is in two teams, or twice in one"
                yield ("teams", place), what, f"it is the same as {other}"
            seen[name_key(name)] = name


def _tournament(config: TournamentConfig, field: Sequence[Bot] | None) -> Iterator[Flaw]:
    players, points = config.rules.players, config.points
    if players != 3:
        what = f"tournaments begin with rules for tables of three, not of {players}"
        yield ("format",), what, "fours = true adds tables of four where they are needed"
    if list(points) != sorted(points, reverse=True) or len(points) != 4:
        what = "points are those of the first to the fourth at a table, the most first"
        yield ("points",), what, "points = [6, 4, 2, 0]"
    if field is not None and len(field) < 3:
        yield ("bots",), f"a tournament needs 3 bots or more, here are {len(field)}", ""
