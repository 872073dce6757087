"""A league as its organiser wrote it: rules, limits, deals and bots."""

from collections.abc import Sequence
from math import factorial
from pathlib import Path
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from arena.bots import Bot, Name, read_bot
from arena.config import Data, Document, KeyPath, closest, read_table, require
from arena.errors import ArenaError, Mistake
from arena.messages import Limits
from arena.resources import STANDARD, Level, Resources, excesses, over
from arena.zole.rules import DEFAULT, Rules, contradictions, merged, preset_names, preset_settings

LINE_BYTES = 65536
START_S = 10.0
DEALS = 100
"""Deals of a lineup where the league does not say; with pools as many whole sessions as fit."""

SESSION = 24
"""Deals of a session where pools are on and the league does not say: a tournament's round."""

Seconds = Annotated[float, Meta(gt=0)]
Positive = Annotated[int, Meta(ge=1)]


class LimitsTable(Resources, frozen=True):
    """The `[limits]` of a league.

    Time for a move and faults come from the rules' `[conduct]` where they are not given.
    """

    move_s: Seconds | None = None
    start_s: Seconds = START_S
    line_bytes: Annotated[int, Meta(ge=256)] = LINE_BYTES
    max_faults: Positive | None = None


class SandboxTable(msgspec.Struct, frozen=True):
    """The `[sandbox]` of a league: its level, and folders that bots may read besides."""

    level: Level | None = None
    read_only: tuple[str, ...] = ()


class Entry(msgspec.Struct, frozen=True):
    """A bot's entry: its folder, beside the league's file, and another name if it needs one."""

    path: str
    name: Name | None = None


class LeagueFile(msgspec.Struct, frozen=True):
    """The keys of a league's file."""

    name: str
    rules: str | dict[str, object]
    deals: Positive
    session: Positive
    seatings: Literal["all"] | Positive
    seed: Annotated[int, Meta(ge=0)]
    format: Literal["round_robin", "gauntlet"]
    always: tuple[str, ...]
    limits: LimitsTable
    sandbox: SandboxTable
    bots: tuple[str | dict[str, object], ...]


class Numbers(msgspec.Struct, frozen=True):
    """The numbers of a league's file."""

    deals: int | None = None
    session: int | None = None
    seatings: Literal["all"] | int = "all"
    seed: int | None = None


class League(msgspec.Struct, frozen=True):
    """A league as read. `deals` are those of each lineup; a `seed` given is for practice.

    `session` is the deals of a session where pools are on, `seatings` how many each deal is played
    in, None for all; `always` who sits at every table of a gauntlet, nobody in a round robin.
    """

    name: str
    rules: Rules
    limits: Limits
    max_faults: int
    resources: Resources
    sandbox: SandboxTable
    deals: int
    session: int | None
    seatings: int | None
    always: tuple[str, ...]
    seed: int | None
    bots: tuple[Bot, ...]


def read_league(path: Path, others: Sequence[str] | None = ()) -> League:
    """The league of a file. Raises `ArenaError` with all the mistakes in it and its bots.

    `others` are bots of the field besides those of the file; None where they are not known yet.
    """
    document = Document(path)
    data = document.data
    good = read_table(document, data, LeagueFile, ())
    rules = read_rules(document, good.get("rules", DEFAULT), ("rules",)) or _default_rules()
    table = msgspec.convert(good.get("limits", {}), LimitsTable)
    resources = over(STANDARD, table)
    bots = _entries(document, path.parent, resources)
    sandbox = msgspec.convert(good.get("sandbox", {}), SandboxTable)
    for place, folder in enumerate(sandbox.read_only):
        if not Path(folder).is_absolute() or not Path(folder).is_dir():
            where = ("sandbox", "read_only", place)
            document.object(where, f"{folder} is no folder", "write the whole path of one")
    field = [bot.name for bot in bots] + list(others or ())
    if others is not None and ("bots" in good or "bots" not in data):
        _enough(document, len(field), rules.players)
    numbers = msgspec.convert(good, Numbers)
    session = (numbers.session or SESSION) if rules.pools.enabled else None
    some = None if numbers.seatings == "all" else numbers.seatings
    deals = DEALS - DEALS % (session or 1) if numbers.deals is None else numbers.deals
    _fitting(
        document, rules, numbers, deals, session, rules.players if others is None else len(field)
    )
    always = _gauntlet(document, good, rules.players, None if others is None else field)
    document.check()
    limits, max_faults = limits_for(rules, table)
    name = str(good.get("name", path.stem))
    return League(
        name,
        rules,
        limits,
        max_faults,
        resources,
        sandbox,
        deals,
        session,
        some,
        always,
        numbers.seed,
        bots,
    )


def limits_for(rules: Rules, table: LimitsTable | None = None) -> tuple[Limits, int]:
    """The limits a bot is held to, and the faults after which it is out of a match."""
    table = table or LimitsTable()
    move_s = rules.conduct.move_limit_s if table.move_s is None else table.move_s
    faults = rules.conduct.max_faults if table.max_faults is None else table.max_faults
    return Limits(move_s, table.start_s, table.line_bytes), faults


def rules_from(text: str) -> Rules:
    """The rules of a preset's name or of a file. Raises `ArenaError`."""
    if text in preset_names():
        return msgspec.convert(preset_settings(text), Rules)
    path = Path(text)
    if path.suffix != ".toml" and not path.exists():
        raise ArenaError(Mistake(f"there are no rules {text}", "", closest(text, preset_names())))
    document = Document(path)
    rules = read_rules(document, document.data, ())
    document.check()
    assert rules is not None
    return rules


def preset_of(text: str) -> str:
    """The preset that rules named so begin from. Raises `ArenaError`."""
    return text if text in preset_names() else str(Document(Path(text)).data.get("preset", DEFAULT))


def read_rules(document: Document, data: object, at: KeyPath) -> Rules | None:
    """The rules written at a place of a file: a preset's name, or a table of changes to one."""
    table: Data = dict(data) if isinstance(data, dict) else {"preset": data}
    name = table.pop("preset", DEFAULT)
    known = preset_names()
    before = len(document.mistakes)
    if name not in known:
        where = at if isinstance(data, str) else (*at, "preset")
        document.object(where, f"there is no preset {name}", closest(str(name), known))
        name = DEFAULT
    changes = read_table(document, table, Rules, at)
    rules = msgspec.convert(merged(preset_settings(str(name)), changes), Rules)
    for key, what, remedy in contradictions(rules):
        document.object((*at, *key), what, remedy)
    return rules if len(document.mistakes) == before else None


def _default_rules() -> Rules:
    return msgspec.convert(preset_settings(DEFAULT), Rules)


def _entries(document: Document, beside: Path, allowed: Resources) -> tuple[Bot, ...]:
    """The bots of the entries that are in order; what is wrong with the others is noted."""
    entries = document.data.get("bots")
    bots: list[Bot] = []
    places: dict[str, int] = {}
    for place, written in enumerate(entries if isinstance(entries, list) else []):
        if not isinstance(written, str | dict):
            continue
        at: KeyPath = ("bots", place)
        data = {"path": written} if isinstance(written, str) else written
        good = read_table(document, data, Entry, at)
        require(document, data, ("path",), at)
        if "path" not in good:
            continue
        entry = msgspec.convert(good, Entry)
        try:
            bot = read_bot(beside / entry.path)
        except ArenaError as error:
            what = f"the bot {entry.path} cannot play"
            document.object(at, what, " and ".join(map(str, error.mistakes)))
            continue
        bot = msgspec.structs.replace(bot, name=entry.name or bot.name)
        for problem in excesses(allowed, bot.limits):
            what = f"the bot {entry.path} asks for too much: {problem}"
            document.object(at, what, "raise the league's [limits], or leave the bot out")
        if bot.name in places:
            what = f"a second bot is called {bot.name}"
            document.object(at, what, f'give it another: {{ path = "{entry.path}", name = "…" }}')
        places[bot.name] = place
        bots.append(bot)
    return tuple(bots)


def _gauntlet(
    document: Document, good: Data, players: int, bots: list[str] | None
) -> tuple[str, ...]:
    """Who sits at every table: one bot or more, and room for others beside them."""
    always = msgspec.convert(good.get("always", ()), tuple[str, ...])
    gauntlet = good.get("format") == "gauntlet"
    if gauntlet != bool(always):
        what = "format gauntlet and always need each other"
        document.object(("format",) if gauntlet else ("always",), what, 'always = ["…"] names bots')
    for place, name in enumerate(always):
        if bots is not None and name not in bots:
            document.object(("always", place), f"no bot is called {name}", closest(name, bots))
    if len(set(always)) >= players or len(set(always)) < len(always):
        what = f"at a table of {players} at most {players - 1} different bots can always sit"
        document.object(("always",), what)
    return always


def _enough(document: Document, bots: int, players: int) -> None:
    if bots >= players or (bots == 2 and players == 3):
        return
    some = "2 or more" if players == 3 else f"{players} or more"
    document.object(("bots",), f"a table of {players} needs {some} bots, here are {bots}")


def _fitting(
    document: Document,
    rules: Rules,
    numbers: Numbers,
    deals: int,
    session: int | None,
    bots: int,
) -> None:
    """Note numbers that do not fit the rules or each other."""
    if numbers.session is not None and session is None:
        document.object(("session",), "sessions are for pools", "leave session out")
    if session is not None and (deals == 0 or deals % session):
        what = f"{deals or DEALS} deals are no whole number of sessions of {session}"
        remedy = f"make deals a multiple of {session}, or set session"
        document.object(("deals",) if "deals" in document.data else ("session",), what, remedy)
    if numbers.seatings == "all":
        return
    every = factorial(rules.players)
    if bots < rules.players:
        document.object(("seatings",), "a mirror has its own six seatings", "leave seatings out")
    elif numbers.seatings % rules.players or numbers.seatings > every:
        what = f"{numbers.seatings} seatings do not seat every bot everywhere equally often"
        remedy = f"take a multiple of {rules.players} up to {every}"
        document.object(("seatings",), what, remedy)
