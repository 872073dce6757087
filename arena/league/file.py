"""A league's file: its settings and its bots, with all mistakes in it told at once."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.places import KeyPath
from arena.base.resources import Resources, excesses
from arena.base.toml import Data, TomlFile, as_written, closest, read_table, require_keys
from arena.bots.manifest import Bot, read_bot
from arena.bots.names import NAME_RULE, equal_name, mistake_in_name
from arena.league.config import (
    DEALS,
    FORMATS,
    SESSION,
    YEARS,
    AnyConfig,
    BotEntry,
    ClosedConfig,
    OpenConfig,
    TournamentConfig,
    zone_named,
)
from arena.league.flaws import flaws_of
from arena.zole.rules import (
    DEFAULT,
    Rules,
    contradictions,
    merged,
    preset,
    preset_names,
    preset_settings,
)

MOST_BOTS: Final = 1000
"""The most bots of a file, besides submissions. Each name is compared with all the others."""


def read_league(path: Path, others: Sequence[Bot] | None = ()) -> tuple[AnyConfig, tuple[Bot, ...]]:
    """The settings of a league's file, and its bots. Raises `ArenaError` with all mistakes in them.

    `others` are bots of the field in addition to the file's; None if they are not known yet.
    """
    document = TomlFile(path)
    data = dict(document.data)
    if "run" in data and "bots" not in data:
        raise ArenaError(Mistake("this is a bot's file, not a league's", str(path)))
    rules = read_rules(document, data.pop("rules", DEFAULT), ("rules",)) or preset()
    written = data.pop("bots", [])
    shape = _shape(document, data)
    good = read_table(document, data, (), shape)
    read = msgspec.convert({**good, "rules": msgspec.to_builtins(rules)}, shape)
    bots = _entries(document, written, path.parent, read.resources, others or ())
    for place, folder in enumerate(read.sandbox.read_only):
        if not Path(folder).is_absolute() or not Path(folder).is_dir():
            where = ("sandbox", "read_only", place)
            document.object(where, f"{folder} is not a folder", "write the full path of a folder")
    config = _completed(read, good, path)
    field = None if others is None else (*bots, *others)
    for flaw in flaws_of(config, good, field):
        document.object(*flaw)
    entries = written if isinstance(written, list) else []
    if field is not None and len(bots) == len(entries) and isinstance(config, ClosedConfig):
        _enough(document, len(field), rules.players)
    document.check()
    return msgspec.structs.replace(config, bots=tuple(map(_entry, entries))), bots


def _shape(document: TomlFile, data: Data) -> type[AnyConfig]:
    """The type of a file's format; keys of other formats are noted in the document, and removed."""
    name = data.pop("format", "closed")
    if name not in FORMATS:
        what = f"{as_written(name)} is not a value of format"
        document.object(("format",), what, closest(str(name), FORMATS))
        name = "closed"
    shape = FORMATS[str(name)]
    for key in [key for key in data if key not in shape.__struct_fields__]:
        others = [other for other in FORMATS if key in FORMATS[other].__struct_fields__]
        if others:
            kinds = " and ".join(f"{each} leagues" for each in others)
            what = f"{key} is for {kinds}".replace("tournament leagues", "tournaments")
            document.object((key,), what, f'format = "{others[0]}" makes it one')
            del data[key]
    return shape


def _completed(config: AnyConfig, written: Data, path: Path) -> AnyConfig:
    """Settings as the league is played by them: what depends on the rules or the file filled in."""
    pools, limits = config.rules.pools.enabled, config.limits
    move_s = limits.move_s or config.rules.conduct.move_limit_s
    session = (config.session or SESSION) if pools else None
    more: Data = {"session": session, "name": config.name or path.stem}
    most = max(DEALS - DEALS % (session or 1), session or 1)
    match config:
        case ClosedConfig() if "deals" not in written:
            more["deals"] = most
        case OpenConfig():
            zone = zone_named(config.time_zone)
            for key in ("submit_until", "close_at"):
                at: datetime | None = getattr(config, key)
                if at is not None and at.year in YEARS and zone is not None:
                    more[key] = (at if at.tzinfo else at.replace(tzinfo=zone)).astimezone(UTC)
            if "final_deals" not in written:
                more["final_deals"] = most
        case TournamentConfig():
            more["session"] = config.deals if pools else None
    limits = msgspec.structs.replace(limits, move_s=move_s)
    return msgspec.structs.replace(config, limits=limits, **more)


def rules_from(text: str) -> Rules:
    """The rules of a preset, by its name, or of a file. Raises `ArenaError`."""
    if text in preset_names():
        return msgspec.convert(preset_settings(text), Rules)
    path = Path(text)
    if path.suffix != ".toml" and not path.exists():
        raise ArenaError(Mistake(f"unknown rules {text}", "", closest(text, preset_names())))
    document = TomlFile(path)
    rules = read_rules(document, document.data, ())
    document.check()
    assert rules is not None
    return rules


def preset_of(text: str) -> str:
    """The preset that rules, a preset's name or a file, start from. Raises `ArenaError`."""
    return text if text in preset_names() else str(TomlFile(Path(text)).data.get("preset", DEFAULT))


def read_rules(document: TomlFile, data: object, at: KeyPath) -> Rules | None:
    """The rules written at a place of a file: a preset's name, or a table of changes to one."""
    if not isinstance(data, str | dict):
        document.object(at, f"rules must be a text or a table, not {as_written(data)}")
        return None
    table: Data = dict(data) if isinstance(data, dict) else {"preset": data}
    name = table.pop("preset", DEFAULT)
    known = preset_names()
    before = len(document.mistakes)
    if name not in known:
        where = at if isinstance(data, str) else (*at, "preset")
        document.object(where, f"unknown preset {name}", closest(str(name), known))
        name = DEFAULT
    changes = read_table(document, table, at, Rules)
    rules = msgspec.convert(merged(preset_settings(str(name)), changes), Rules)
    for key, what, remedy in contradictions(rules):
        document.object((*at, *key), what, remedy)
    return rules if len(document.mistakes) == before else None


def _entry(written: str | Data) -> BotEntry:
    return BotEntry(written) if isinstance(written, str) else msgspec.convert(written, BotEntry)


def _entries(
    document: TomlFile, written: object, beside: Path, allowed: Resources, others: Sequence[Bot]
) -> tuple[Bot, ...]:
    """The bots of the usable entries; mistakes in the others are noted in the document."""
    bots: list[Bot] = []
    names: list[str] = []
    lacking: set[Path] = set()
    if not isinstance(written, list):
        what = f"bots must be a list of texts or tables, not {as_written(written)}"
        document.object(("bots",), what)
        return ()
    if len(written) > MOST_BOTS:
        document.object(("bots",), f"{len(written):,} bots are more than {MOST_BOTS:,}")
        document.check()
    for place, each in enumerate(written):
        if not isinstance(each, str | dict):
            what = f"bots, item {place + 1}, must be a text or a table, not {as_written(each)}"
            document.object(("bots", place), what)
            continue
        at: KeyPath = ("bots", place)
        data = {"path": each} if isinstance(each, str) else each
        good = read_table(document, data, at, BotEntry)
        require_keys(document, data, ("path",), at)
        if "path" not in good:
            continue
        entry = msgspec.convert(good, BotEntry)
        folder = beside / entry.path
        try:
            bot = read_bot(folder, entry.name)
        except ArenaError as error:
            why = " and ".join(map(str, error.mistakes))
            if not folder.parent.exists():  # told once, however many bots are to lie there
                lacks = next(each for each in folder.parents if each.parent.exists())
                if lacks in lacking:
                    continue
                lacking.add(lacks)
                why = f"{lacks}: there is no such folder"
            document.object(at, f"the bot {entry.path} cannot play", why)
            continue
        bot = msgspec.structs.replace(bot, name=entry.name or bot.name)
        for problem in excesses(allowed, bot.limits):
            what = f"the bot {entry.path} asks for too much: {problem}"
            document.object(at, what, "raise the league's [limits], or leave the bot out")
        if entry.name and (wrong := mistake_in_name(entry.name)):
            document.object((*at, "name"), wrong, NAME_RULE)
        other = equal_name(bot.name, (*names, *(other.name for other in others)))
        if other is not None and (other in names or other != bot.name):
            what = f"a second bot is called {other}"
            if other != bot.name:
                what = f"{bot.name} differs from {other} only in case"
            document.object(at, what, f'give it another: {{ path = "{entry.path}", name = "…" }}')
        names.append(bot.name)
        bots.append(bot)
    return tuple(bots)


def _enough(document: TomlFile, bots: int, players: int) -> None:
    if bots >= players or (bots == 2 and players == 3):
        return
    some = "2 or more" if players == 3 else f"{players} or more"
    document.object(("bots",), f"a table of {players} needs {some} bots, here are {bots}")
