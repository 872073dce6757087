"""A league's file, with all its errors reported at once; and a file of deals."""

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import UTC
from math import factorial
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.files import read_text
from arena.base.resources import Resources, excesses
from arena.base.toml import Data, KeyPath, TomlFile, as_written, closest, read_table
from arena.bots.manifest import Bot, read_bot
from arena.bots.names import NAME_RULE, mistake_in_name, name_key
from arena.league.config import (
    DEALS,
    FORMATS,
    SESSION,
    AnyConfig,
    BotEntry,
    ClosedConfig,
    LeagueConfig,
    OpenConfig,
    TournamentConfig,
    zone_named,
)
from arena.league.schedule import too_many
from arena.zole.deal import Deal, read_deal
from arena.zole.rules import (
    DEFAULT,
    Rules,
    contradictions,
    merged,
    preset_names,
    preset_settings,
)

Flaw = tuple[KeyPath, str, str]
"""A key, what is wrong with it, and a remedy."""

_Row = tuple[bool, str, str, str]
"""Whether something is wrong, its key, what is wrong, and a remedy."""

_MOST_BYTES: Final = 16 << 20
"""The most bytes of a file of deals, some 200,000 deals."""


def read_league(
    path: Path,
    others: Sequence[Bot] | None = (),
    field_of: Callable[[Path], Sequence[Bot]] | None = None,
) -> tuple[AnyConfig, tuple[Bot, ...]]:
    """The settings of a league's file, and its bots. Raises `ArenaError` with all mistakes in them.

    `others` are bots of the field in addition to the file's; None if they are not known yet. For a
    league that has not begun, `field_of` returns the bots in the field of the league that
    `bots_from` names.
    """
    document = TomlFile(path)
    data = dict(document.data)
    if "run" in data and "bots" not in data:
        raise ArenaError(Mistake("this is a bot's file, not a league's", str(path)))
    data["rules"] = msgspec.to_builtins(_rules(document, data.get("rules", DEFAULT), ("rules",)))
    entries = data.pop("bots", [])
    if not isinstance(entries, list):
        what = f"bots must be a list of texts or tables, not {as_written(entries)}"
        document.add_error(("bots",), what)
        entries = []
    shape = _shape(document, data)
    good = read_table(document, data, shape)
    config = msgspec.convert(good, shape)
    for place, folder in enumerate(config.sandbox.read_only):
        if not Path(folder).is_absolute() or not Path(folder).is_dir():
            where = ("sandbox", "read_only", place)
            document.add_error(
                where, f"{folder} is not a folder", "write the full path of a folder"
            )
    if config.bots_from and field_of is not None:
        others = _bots_from(document, config, field_of)
    named, bots = _bots(document, entries, config.resources, others or ())
    config = _completed(msgspec.structs.replace(config, bots=named), good, path)
    known = others is not None and len(bots) == len(entries)
    for flaw in flaws_of(config, good, (*bots, *(others or ())) if known else None):
        document.add_error(*flaw)
    document.check()
    return config, bots


def _shape(document: TomlFile, data: Data) -> type[AnyConfig]:
    """The type of a file's format; keys of other formats are noted in the document, and removed."""
    name = data.pop("format", "closed")
    if str(name) not in FORMATS:
        what = f"{as_written(name)} is not a value of format"
        document.add_error(("format",), what, closest(str(name), FORMATS))
        name = "closed"
    shape = FORMATS[str(name)]
    for key in [key for key in data if key not in shape.__struct_fields__]:
        other = next((each for each in FORMATS if key in FORMATS[each].__struct_fields__), None)
        if other is not None:
            what = f"{key} is for {other} leagues"
            document.add_error((key,), what, f'format = "{other}" makes it one')
            del data[key]
    return shape


def _completed(config: AnyConfig, written: Data, path: Path) -> AnyConfig:
    """Settings as the league is played by them: what depends on the rules or the file filled in."""
    pools, limits = config.rules.pools.enabled, config.limits
    move_s = limits.move_s or config.rules.conduct.move_limit_s
    session = (config.session or SESSION) if pools else None
    more: Data = {
        "limits": msgspec.structs.replace(limits, move_s=move_s),
        "session": config.deals if pools and isinstance(config, TournamentConfig) else session,
        "name": config.name or path.stem,
    }
    key = "final_deals" if isinstance(config, OpenConfig) else "deals"
    if key not in written and not isinstance(config, TournamentConfig):
        more[key] = max(DEALS - DEALS % (session or 1), session or 1)
    if isinstance(config, OpenConfig):
        zone = zone_named(config.time_zone) or UTC
        for key, at in (("submit_until", config.submit_until), ("close_at", config.close_at)):
            if at is not None:
                more[key] = (at if at.tzinfo else at.replace(tzinfo=zone)).astimezone(UTC)
    return msgspec.structs.replace(config, **more)


def rules_from(text: str) -> Rules:
    """The rules of a preset, by its name, or of a file. Raises `ArenaError`."""
    if text in preset_names():
        return msgspec.convert(preset_settings(text), Rules)
    path = Path(text)
    if path.suffix != ".toml" and not path.exists():
        raise ArenaError(Mistake(f"unknown rules {text}", "", closest(text, preset_names())))
    document = TomlFile(path)
    rules = _rules(document, document.data, ())
    document.check()
    return rules


def preset_of(text: str) -> str:
    """The preset that rules, a preset's name or a file, start from. Raises `ArenaError`."""
    return text if text in preset_names() else str(TomlFile(Path(text)).data.get("preset", DEFAULT))


def _rules(document: TomlFile, written: object, at: KeyPath) -> Rules:
    if not isinstance(written, str | dict):
        document.add_error(at, f"rules must be a text or a table, not {as_written(written)}")
        written = DEFAULT
    changes: Data = {"preset": written} if isinstance(written, str) else dict(written)
    name = str(changes.pop("preset", DEFAULT))
    if name not in preset_names():
        remedy = closest(name, preset_names())
        document.add_error((*at, "preset"), f"unknown preset {name}", remedy)
        name = DEFAULT
    base = preset_settings(name)
    good = read_table(document, merged(base, changes), Rules, at)
    rules = msgspec.convert(merged(base, good), Rules)
    for key, what, remedy in contradictions(rules):
        document.add_error((*at, *key.split(".")), what, remedy)
    return rules


def _bots(
    document: TomlFile, entries: list[object], allowed: Resources, others: Sequence[Bot]
) -> tuple[tuple[BotEntry, ...], tuple[Bot, ...]]:
    """The usable entries and their bots; mistakes in the others are noted in the document."""
    named: list[BotEntry] = []
    bots: list[Bot] = []
    names = {name_key(other.name): other.name for other in others}
    for place, each in enumerate(entries):
        at: KeyPath = ("bots", place)
        if not isinstance(each, str | dict):
            what = f"bots, item {place + 1}, must be a text or a table, not {as_written(each)}"
            document.add_error(at, what)
            continue
        good = read_table(document, {"path": each} if isinstance(each, str) else each, BotEntry, at)
        if "path" not in good:
            continue
        entry = msgspec.convert(good, BotEntry)
        try:
            bot = read_bot(document.path.parent / entry.path, entry.name)
        except ArenaError as error:
            why = " and ".join(map(str, error.mistakes))
            document.add_error(at, f"the bot {entry.path} cannot play", why)
            continue
        bot = msgspec.structs.replace(bot, name=entry.name or bot.name)
        for problem in excesses(allowed, bot.limits):
            what = f"the bot {entry.path} asks for too much: {problem}"
            document.add_error(at, what, "raise the league's [limits], or leave the bot out")
        if entry.name and (wrong := mistake_in_name(entry.name)):
            document.add_error((*at, "name"), wrong, NAME_RULE)
        other = names.get(name_key(bot.name))
        if other is not None and (other != bot.name or any(other == own.name for own in bots)):
            what = f"the name {bot.name} is taken by another bot, {other}"
            document.add_error(
                at, what, f'give it another: {{ path = "{entry.path}", name = "…" }}'
            )
        names.setdefault(name_key(bot.name), bot.name)
        named.append(entry)
        bots.append(bot)
    return tuple(named), tuple(bots)


def _bots_from(
    document: TomlFile, config: LeagueConfig, field_of: Callable[[Path], Sequence[Bot]]
) -> Sequence[Bot] | None:
    """The bots of another league, or None; mistakes in them are noted in the document."""
    at: KeyPath = ("bots_from",)
    try:
        found = field_of(document.path.parent / config.bots_from)
    except ArenaError as error:
        why = " and ".join(map(str, error.mistakes))
        document.add_error(at, f"the bots of {config.bots_from} cannot play", why)
        return None
    for bot in found:
        for problem in excesses(config.resources, bot.limits):
            what = f"the bot {bot.name} of {config.bots_from} asks for too much: {problem}"
            document.add_error(at, what, "raise the league's [limits]")
    return found


def flaws_of(
    config: LeagueConfig, written: Collection[str], field: Sequence[Bot] | None
) -> Iterator[Flaw]:
    """The flaws of settings, of which those `written` in a file are not its defaults.

    `field` are all bots that are to play, None if they are not known yet.
    """
    rows: list[_Row] = []
    if config.limits.restart and not isinstance(config, ClosedConfig):
        what = "bots of an open league or a tournament are never started again"
        yield ("limits", "restart"), what, "leave restart out"
    for place, entry in enumerate(config.bots) if not isinstance(config, ClosedConfig) else ():
        if entry.network or entry.environment:
            what = "bots of an open league or a tournament reach no network and no variables"
            yield ("bots", place), what, "leave network and environment out"
    if "session" in written and isinstance(config, TournamentConfig):
        yield ("session",), "a round is a session", "leave session out"
    elif "session" in written and not config.rules.pools.enabled:
        yield ("session",), "sessions are for pools", "leave session out"
    match config:
        case ClosedConfig():
            rows = [*_deal_flaws(config, written), *_table_flaws(config)]
        case OpenConfig():
            rows = _open_flaws(config)
            yield from _team_flaws(config)
        case TournamentConfig():
            rows = _tournament_flaws(config, field)
    yield from (((key,), what, remedy) for wrong, key, what, remedy in rows if wrong)
    for key in ("deals", "max_deals", "final_deals"):
        deals = getattr(config, key, None)
        if deals is not None and config.session is not None and deals % config.session:
            what = f"{deals} deals are not a whole number of sessions of {config.session}"
            yield (key,), what, f"make {key} a multiple of {config.session}, or set session"
    if isinstance(config, ClosedConfig) and field is not None:
        yield from _field_flaws(config, field)


def _deal_flaws(config: ClosedConfig, written: Collection[str]) -> list[_Row]:
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


def _table_flaws(config: ClosedConfig) -> list[_Row]:
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


def _field_flaws(config: ClosedConfig, field: Sequence[Bot]) -> Iterator[Flaw]:
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


def _open_flaws(config: OpenConfig) -> list[_Row]:
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
        (
            bool(config.bots_from),
            "bots_from",
            "bots come to an open league by themselves",
            "leave bots_from out; arena submit enters bots",
        ),
    ]


def _team_flaws(config: OpenConfig) -> Iterator[Flaw]:
    seen: dict[str, str] = {}
    for place, team in enumerate(config.teams):
        if len(team) < 2:
            yield ("teams", place), "a team has two authors or more", ""
        for name in team:
            if other := seen.get(name_key(name)):
                what = f"{name} is in two teams, or twice in one"
                yield ("teams", place), what, f"it is the same as {other}"
            seen[name_key(name)] = name


def _tournament_flaws(config: TournamentConfig, field: Sequence[Bot] | None) -> list[_Row]:
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


def read_deals(path: Path, players: int) -> list[Deal]:
    """The deals of a file, in order. Raises `ArenaError` with every line that is not a deal."""
    lines = read_text(path, _MOST_BYTES).splitlines()
    deals: list[Deal] = []
    mistakes: list[Mistake] = []
    for number, text in enumerate(lines, 1):
        if not text.strip():
            continue
        try:
            deals.append(read_deal(text, players))
        except ValueError as error:
            mistakes.append(Mistake(str(error), f"{path}:{number}"))
    if mistakes:
        raise ArenaError(*mistakes)
    if not deals:
        raise ArenaError(Mistake("there are no deals in this file", str(path)))
    return deals
