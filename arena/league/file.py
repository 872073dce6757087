"""A league as its organiser wrote it: rules, limits, deals and bots."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.base.places import KeyPath
from arena.base.resources import STANDARD, Resources, Seconds, excesses, over
from arena.base.toml import Data, TomlFile, closest, read_table, require_keys
from arena.bots.manifest import Bot, read_bot
from arena.bots.names import NAME_RULE, equal_name, mistake_in_name
from arena.league.format import FORMATS, Format, FormatKeys, Positive, order_deals, read_format
from arena.match.wire import Limits
from arena.zole.rules import DEFAULT, Rules, contradictions, merged, preset_names, preset_settings

MOST_BOTS = 1000
"""The most bots of a file, besides submissions. Each name is compared with all the others."""

LINE_BYTES = 65536
START_S = 10.0


class LimitsTable(Resources, frozen=True):
    """The `[limits]` of a league.

    If the time for a move or the number of faults is not given, that of the rules' `[conduct]`
    holds.
    """

    move_s: Seconds | None = None
    start_s: Seconds = START_S
    line_bytes: Annotated[int, Meta(ge=256)] = LINE_BYTES
    max_faults: Positive | None = None


class SandboxTable(msgspec.Struct, frozen=True):
    """The `[sandbox]` of a league: its level, and further folders that bots may read."""

    level: IsolationLevel | None = None
    read_only: tuple[str, ...] = ()


class BotEntry(msgspec.Struct, frozen=True):
    """A bot's entry: its folder, beside the league's file, and another name if it needs one."""

    path: str
    name: str | None = None


class LeagueFile(FormatKeys, frozen=True, kw_only=True):
    """The keys of a league's file, but for those of `FORMATS`."""

    name: str
    rules: str | dict[str, object]
    seed: Annotated[int, Meta(ge=0)]
    limits: LimitsTable
    sandbox: SandboxTable
    bots: tuple[str | dict[str, object], ...]


class League(msgspec.Struct, frozen=True):
    """A league as read from its file. A `seed` in the file is for practice."""

    name: str
    rules: Rules
    limits: Limits
    max_faults: int
    resources: Resources
    sandbox: SandboxTable
    format: Format
    seed: int | None
    bots: tuple[Bot, ...]


def read_league(path: Path, others: Sequence[Bot] | None = ()) -> League:
    """The league of a file. Raises `ArenaError` with all the mistakes in it and its bots.

    `others` are bots of the field in addition to the file's; None if they are not known yet.
    """
    document = TomlFile(path)
    data = document.data
    if "run" in data and "bots" not in data:
        raise ArenaError(Mistake("this is a bot's file, not a league's", str(path)))
    good = read_table(document, data, (), LeagueFile, *FORMATS)
    rules = read_rules(document, good.get("rules", DEFAULT), ("rules",)) or _default_rules()
    table = msgspec.convert(good.get("limits", {}), LimitsTable)
    resources = over(STANDARD, table)
    bots = _entries(document, path.parent, resources, others or ())
    sandbox = msgspec.convert(good.get("sandbox", {}), SandboxTable)
    for place, folder in enumerate(sandbox.read_only):
        if not Path(folder).is_absolute() or not Path(folder).is_dir():
            where = ("sandbox", "read_only", place)
            document.object(where, f"{folder} is not a folder", "write the full path of a folder")
    field = (*bots, *(others or ()))
    written = data.get("bots", [])
    if (
        others is not None
        and isinstance(written, list)
        and len(bots) == len(written)
        and good.get("format") not in ("open", "tournament")
    ):
        _enough(document, len(field), rules.players)
    form = read_format(document, good, rules, field, others is not None)
    document.check()
    limits, max_faults = limits_for(rules, table)
    if form.open is not None:
        max_faults = min(max_faults, _most_faults_of_an_order(form))
    name = str(good.get("name", path.stem))
    seed = msgspec.convert(good.get("seed"), int | None)
    return League(name, rules, limits, max_faults, resources, sandbox, form, seed, bots)


def limits_for(rules: Rules, table: LimitsTable | None = None) -> tuple[Limits, int]:
    """The limits of a bot, and the number of faults that disqualify it from a match."""
    table = table or LimitsTable()
    move_s = rules.conduct.move_limit_s if table.move_s is None else table.move_s
    faults = rules.conduct.max_faults if table.max_faults is None else table.max_faults
    return Limits(move_s, table.start_s, table.line_bytes), faults


def _most_faults_of_an_order(form: Format) -> int:
    """The most that `max_faults` may be in an open league: faults in a third of a match's deals.

    In a closed league all bots meet a failing one equally often. In an open one they do not, so its
    orders are void, which keeps its opponents' standings from profiting and leads it to the bench.
    """
    return max(1, order_deals(form.session) // 3)


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


def _default_rules() -> Rules:
    return msgspec.convert(preset_settings(DEFAULT), Rules)


def _entries(
    document: TomlFile,
    beside: Path,
    allowed: Resources,
    others: Sequence[Bot],
) -> tuple[Bot, ...]:
    """The bots of the usable entries; mistakes in the others are noted in the document."""
    entries = document.data.get("bots")
    bots: list[Bot] = []
    names: list[str] = []
    lacking: set[Path] = set()
    if isinstance(entries, list) and len(entries) > MOST_BOTS:
        document.object(("bots",), f"{len(entries):,} bots are more than {MOST_BOTS:,}")
        document.check()
    for place, written in enumerate(entries if isinstance(entries, list) else []):
        if not isinstance(written, str | dict):
            continue
        at: KeyPath = ("bots", place)
        data = {"path": written} if isinstance(written, str) else written
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
