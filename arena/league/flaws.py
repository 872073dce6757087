"""What in a league's settings contradicts the rules, the bots or another setting."""

from collections.abc import Collection, Iterator, Sequence
from math import factorial

from arena.base.toml import KeyPath, closest
from arena.bots.manifest import Bot
from arena.bots.names import name_key
from arena.league.config import (
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
    if "session" in written and isinstance(config, TournamentConfig):
        yield ("session",), "a round is a session", "leave session out"
    elif "session" in written and not config.rules.pools.enabled:
        yield ("session",), "sessions are for pools", "leave session out"
    match config:
        case ClosedConfig():
            yield from _deals(config, written)
            yield from _tables(config)
            if field is not None:
                yield from _closed_field(config, field)
        case OpenConfig():
            yield from _open(config)
        case TournamentConfig():
            yield from _tournament(config, field)


def _deals(config: ClosedConfig, written: Collection[str]) -> Iterator[Flaw]:
    """Numbers of deals that do not fit pools or each other."""
    if config.width is None:
        yield from _sessions(config, "deals", config.deals)
        if config.max_deals is not None:
            yield ("max_deals",), "max_deals is for width", "write deals instead"
        return
    if "deals" in written:
        remedy = "leave deals out; max_deals bounds them"
        yield ("deals",), "width decides how many deals there are", remedy
    if config.max_deals is None:
        yield ("width",), "width needs max_deals, the most deals of each table", ""
    else:
        yield from _sessions(config, "max_deals", config.max_deals)


def _sessions(config: LeagueConfig, key: str, deals: int) -> Iterator[Flaw]:
    """A number of deals that is no whole number of sessions."""
    if config.session is not None and deals % config.session:
        what = f"{deals} deals are not a whole number of sessions of {config.session}"
        yield (key,), what, f"make {key} a multiple of {config.session}, or set session"


def _tables(config: ClosedConfig) -> Iterator[Flaw]:
    """Settings of tables that contradict the rules or each other."""
    players, always, seatings = config.rules.players, config.always, config.seatings
    if len(set(always)) >= players or len(set(always)) < len(always):
        what = f"at a table of {players} at most {players - 1} different bots can always sit"
        yield ("always",), what, ""
    if config.mirror and players != 3:
        yield ("mirror",), f"mirrors are for tables of three, not of {players}", ""
    if config.mirror and always:
        yield ("always",), "in a mirror league all pairs meet", "leave always or mirror out"
    if config.mirror and seatings is not None:
        yield ("seatings",), "a mirror has its own six seatings", "leave seatings out"
    elif seatings is not None and (seatings % players or seatings > factorial(players)):
        what = f"{seatings} seatings do not seat every bot everywhere equally often"
        yield ("seatings",), what, f"take a multiple of {players} up to {factorial(players)}"
    if config.trios is not None and (players != 3 or config.mirror):
        what = "pairs that mirror" if players == 3 else f"tables of {players}"
        yield ("trios",), f"trios are drawn from tables of three, not from {what}", ""


def _closed_field(config: ClosedConfig, field: Sequence[Bot]) -> Iterator[Flaw]:
    """A field that forms too many tables or too few, or that leaves a bot without one."""
    players, names = config.rules.players, [bot.name for bot in field]
    absent = [place for place, name in enumerate(config.always) if name not in names]
    for place in absent:
        name = config.always[place]
        yield ("always", place), f"no bot is called {name}", closest(name, names)
    if len(field) < players and (len(field), players) != (2, 3):
        some = "2 or more" if players == 3 else f"{players} or more"
        yield ("bots",), f"a table of {players} needs {some} bots, here are {len(field)}", ""
    elif too_many(len(field), players, config.mirror):
        yield ("bots",), f"{len(field)} bots form too many tables", "split the league"
    elif not absent:
        tables = config.lineups(names, {bot.name: bot.author for bot in field})
        meeting = {bot for table in tables for bot in table}
        for name in sorted(set(names) - meeting) if config.apart == "author" else ():
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
    if config.final < 3:
        what = f"a final of {config.final} bots has no table of 3"
        yield ("final",), what, "make it 3 or more"
    if zone_named(config.time_zone) is None:
        remedy = 'time_zone = "Europe/Riga", where tzdata is installed'
        yield ("time_zone",), f"this machine knows no time zone {config.time_zone}", remedy
    until, close = config.submit_until, config.close_at
    if until is not None and close is not None and until > close:
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
