"""A league's file and a file of deals, with all mistakes in them told at once."""

from collections.abc import Sequence
from datetime import UTC
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
    OpenConfig,
    TournamentConfig,
    zone_named,
)
from arena.league.flaws import flaws_of
from arena.zole.deal import Deal
from arena.zole.notation import read_deal
from arena.zole.rules import (
    DEFAULT,
    Rules,
    contradictions,
    merged,
    preset_names,
    preset_settings,
)

_MOST_BYTES: Final = 16 << 20
"""The most bytes of a file of deals, some 200,000 deals."""


def read_league(path: Path, others: Sequence[Bot] | None = ()) -> tuple[AnyConfig, tuple[Bot, ...]]:
    """The settings of a league's file, and its bots. Raises `ArenaError` with all mistakes in them.

    `others` are bots of the field in addition to the file's; None if they are not known yet.
    """
    document = TomlFile(path)
    data = dict(document.data)
    if "run" in data and "bots" not in data:
        raise ArenaError(Mistake("this is a bot's file, not a league's", str(path)))
    data["rules"] = msgspec.to_builtins(_rules(document, data.get("rules", DEFAULT), ("rules",)))
    entries = data.pop("bots", [])
    if not isinstance(entries, list):
        what = f"bots must be a list of texts or tables, not {as_written(entries)}"
        document.object(("bots",), what)
        entries = []
    shape = _shape(document, data)
    good = read_table(document, data, shape)
    config = msgspec.convert(good, shape)
    for place, folder in enumerate(config.sandbox.read_only):
        if not Path(folder).is_absolute() or not Path(folder).is_dir():
            where = ("sandbox", "read_only", place)
            document.object(where, f"{folder} is not a folder", "write the full path of a folder")
    named, bots = _bots(document, entries, config.resources, others or ())
    config = _completed(msgspec.structs.replace(config, bots=named), good, path)
    known = others is not None and len(bots) == len(entries)
    for flaw in flaws_of(config, good, (*bots, *(others or ())) if known else None):
        document.object(*flaw)
    document.check()
    return config, bots


def _shape(document: TomlFile, data: Data) -> type[AnyConfig]:
    """The type of a file's format; keys of other formats are noted in the document, and removed."""
    name = data.pop("format", "closed")
    if str(name) not in FORMATS:
        what = f"{as_written(name)} is not a value of format"
        document.object(("format",), what, closest(str(name), FORMATS))
        name = "closed"
    shape = FORMATS[str(name)]
    for key in [key for key in data if key not in shape.__struct_fields__]:
        other = next((each for each in FORMATS if key in FORMATS[each].__struct_fields__), None)
        if other is not None:
            what = f"{key} is for {other} leagues"
            document.object((key,), what, f'format = "{other}" makes it one')
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
    """The rules written at a place of a file: a preset's name, or a table of changes to one."""
    if not isinstance(written, str | dict):
        document.object(at, f"rules must be a text or a table, not {as_written(written)}")
        written = DEFAULT
    changes: Data = {"preset": written} if isinstance(written, str) else dict(written)
    name = str(changes.pop("preset", DEFAULT))
    if name not in preset_names():
        remedy = closest(name, preset_names())
        document.object((*at, "preset"), f"unknown preset {name}", remedy)
        name = DEFAULT
    base = preset_settings(name)
    good = read_table(document, merged(base, changes), Rules, at)
    rules = msgspec.convert(merged(base, good), Rules)
    for key, what, remedy in contradictions(rules):
        document.object((*at, *key.split(".")), what, remedy)
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
            document.object(at, what)
            continue
        good = read_table(document, {"path": each} if isinstance(each, str) else each, BotEntry, at)
        if "path" not in good:
            continue
        entry = msgspec.convert(good, BotEntry)
        try:
            bot = read_bot(document.path.parent / entry.path, entry.name)
        except ArenaError as error:
            why = " and ".join(map(str, error.mistakes))
            document.object(at, f"the bot {entry.path} cannot play", why)
            continue
        bot = msgspec.structs.replace(bot, name=entry.name or bot.name)
        for problem in excesses(allowed, bot.limits):
            what = f"the bot {entry.path} asks for too much: {problem}"
            document.object(at, what, "raise the league's [limits], or leave the bot out")
        if entry.name and (wrong := mistake_in_name(entry.name)):
            document.object((*at, "name"), wrong, NAME_RULE)
        other = names.get(name_key(bot.name))
        if other is not None and (other != bot.name or any(other == own.name for own in bots)):
            what = f"the name {bot.name} is taken by another bot, {other}"
            document.object(at, what, f'give it another: {{ path = "{entry.path}", name = "…" }}')
        names.setdefault(name_key(bot.name), bot.name)
        named.append(entry)
        bots.append(bot)
    return tuple(named), tuple(bots)


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
