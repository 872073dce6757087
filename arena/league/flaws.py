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

_Row = tuple[bool, str, str, str]
"""Whether something is wrong, its key, what is wrong, and a remedy."""


def flaws_of(
    config: LeagueConfig, written: Collection[str], field: Sequence[Bot] | None
) -> Iterator[Flaw]:
    """The flaws of settings, of which those `written` in a file are not its defaults.

    `field` are all bots that are to play, None if they are not known yet.
    """
    rows: list[_Row] = []
    if "session" in written and isinstance(config, TournamentConfig):
        yield ("session",), "a round is a session", "leave session out"
    elif "session" in written and not config.rules.pools.enabled:
        yield ("session",), "sessions are for pools", "leave session out"
    match config:
        case ClosedConfig():
            rows = [*_deals(config, written), *_tables(config)]
        case OpenConfig():
            rows = _open(config)
            yield from _teams(config)
        case TournamentConfig():
            rows = _tournament(config, field)
    yield from (((key,), what, remedy) for wrong, key, what, remedy in rows if wrong)
    for key in ("deals", "max_deals", "final_deals"):
        deals = getattr(config, key, None)
        if deals is not None and config.session is not None and deals % config.session:
            what = f"{deals} deals are not a whole number of sessions of {config.session}"
            yield (key,), what, f"make {key} a multiple of {config.session}, or set session"
    if isinstance(config, ClosedConfig) and field is not None:
        yield from _closed_field(config, field)


def _deals(config: ClosedConfig, written: Collection[str]) -> list[_Row]:
    by_width, most = config.width is not None, config.max_deals
    return [
        (
            by_width and "deals" in written,
            "deals",
            "width decides how many deals there are",
            "leave deals out; max_deals bounds them",
        ),
        (
            by_width and most is None,
            "width",
            "width needs max_deals, the most deals of each table",
            "",
        ),
        (
            not by_width and most is not None,
            "max_deals",
            "max_deals is for width",
            "write deals instead",
        ),
    ]


def _tables(config: ClosedConfig) -> list[_Row]:
    players, seatings, mirror = config.rules.players, config.seatings, config.mirror
    always, most = set(config.always), factorial(players)
    uneven = seatings is not None and (seatings % players > 0 or seatings > most)
    return [
        (
            len(always) >= players or len(always) < len(config.always),
            "always",
            f"at a table of {players} at most {players - 1} different bots can always sit",
            "",
        ),
        (
            mirror and players != 3,
            "mirror",
            f"mirrors are for tables of three, not of {players}",
            "",
        ),
        (
            mirror and bool(always),
            "always",
            "in a mirror league all pairs meet",
            "leave always or mirror out",
        ),
        (
            mirror and seatings is not None,
            "seatings",
            "a mirror has its own six seatings",
            "leave seatings out",
        ),
        (
            not mirror and uneven,
            "seatings",
            f"{seatings} seatings do not seat every bot everywhere equally often",
            f"take a multiple of {players} up to {most}",
        ),
        (
            mirror and config.trios is not None,
            "trios",
            "trios are drawn from tables of three, not from pairs that mirror",
            "",
        ),
        (
            players != 3 and config.trios is not None,
            "trios",
            f"trios are drawn from tables of three, not from tables of {players}",
            "",
        ),
    ]


def _closed_field(config: ClosedConfig, field: Sequence[Bot]) -> Iterator[Flaw]:
    players, names = config.rules.players, [bot.name for bot in field]
    for place, name in enumerate(config.always):
        if name not in names:
            yield ("always", place), f"no bot is called {name}", closest(name, names)
    least = 2 if players == 3 else players
    if len(field) < least:
        what = f"a table of {players} needs {least} or more bots, here are {len(field)}"
        yield ("bots",), what, ""
    elif too_many(len(field), players, config.mirror):
        yield ("bots",), f"{len(field)} bots form too many tables", "split the league"
    elif set(config.always) <= set(names):
        tables = config.lineups(names, {bot.name: bot.author for bot in field})
        meeting = {bot for table in tables for bot in table}
        for name in sorted(set(names) - meeting) if config.apart == "author" else ():
            what = f"the bot {name} meets nobody: too few others have another author"
            yield ("apart",), what, "leave apart out, or leave out the bot"
        if config.trios is not None and config.trios > len(tables) > 0:
            what = f"{config.trios} trios cannot be drawn: these bots form {len(tables)}"
            yield ("trios",), what, "leave trios out, and all are played"


def _open(config: OpenConfig) -> list[_Row]:
    players, until, close = config.rules.players, config.submit_until, config.close_at
    return [
        (
            players != 3,
            "format",
            f"open leagues are for tables of three, not of {players}",
            "",
        ),
        (
            config.final < 3,
            "final",
            f"a final of {config.final} bots has no table of 3",
            "make it 3 or more",
        ),
        (
            zone_named(config.time_zone) is None,
            "time_zone",
            f"this machine knows no time zone {config.time_zone}",
            'time_zone = "Europe/Riga", where tzdata is installed',
        ),
        (
            until is not None and close is not None and until > close,
            "submit_until",
            "submit_until is after close_at",
            "give a moment before it",
        ),
    ]


def _teams(config: OpenConfig) -> Iterator[Flaw]:
    seen: dict[str, str] = {}
    for place, team in enumerate(config.teams):
        if len(team) < 2:
            yield ("teams", place), "a team has two authors or more", ""
        for name in team:
            if other := seen.get(name_key(name)):
                what = f"{name} is in two teams, or twice in one"
                yield ("teams", place), what, f"it is the same as {other}"
            seen[name_key(name)] = name


def _tournament(config: TournamentConfig, field: Sequence[Bot] | None) -> list[_Row]:
    players, points = config.rules.players, config.points
    return [
        (
            players != 3,
            "format",
            f"tournaments begin with rules for tables of three, not of {players}",
            "fours = true adds tables of four where they are needed",
        ),
        (
            len(points) != 4 or list(points) != sorted(points, reverse=True),
            "points",
            "points are those of the first to the fourth at a table, the most first",
            "points = [6, 4, 2, 0]",
        ),
        (
            field is not None and len(field) < 3,
            "bots",
            f"a tournament needs 3 bots or more, here are {len(field or ())}",
            "",
        ),
    ]
