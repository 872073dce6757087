"""A league's format as its organiser wrote it: who meets whom, and on how many deals."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from math import factorial
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from arena.base.toml import Data, TomlFile, closest
from arena.bots.manifest import Bot
from arena.bots.names import name_key
from arena.league.calendar import MOMENTS, Calendar, read_moments
from arena.league.schedule import lineups, too_many
from arena.zole.rules import Rules

DEALS: Final = 100
"""Deals of a lineup if the league does not say; with pools as many whole sessions as fit."""

SESSION: Final = 24
"""Deals of a session if pools are on and the league does not say: a tournament's round."""

ROUND: Final = 20
"""Sets of each lineup that a league plays between two looks at the widths of its intervals."""

MOST_DEALS: Final = 200_000
"""The most deals of a lineup in one go: replaying a match takes some 30 KB of memory for each."""

ORDER_DEALS: Final = 10
"""Deals of an open league's order if there are no sessions."""

MOST_ROUNDS: Final = 100
"""The most rounds of a tournament."""

Deals = Annotated[int, Meta(ge=1, le=MOST_DEALS)]
FormatKind = Literal["round_robin", "gauntlet", "mirror", "open", "tournament"]
FirstRound = Literal["lot", "listed"]
Points = tuple[Annotated[float, Meta(ge=0, le=1000)], ...]
Publish = Literal["at_once", "epoch", "season"]
Positive = Annotated[int, Meta(ge=1)]
Rate = Annotated[float, Meta(gt=0, le=1e6)]


class FormatKeys(msgspec.Struct, frozen=True):
    """The keys of a league's file that make its format, but for those of `FORMATS`."""

    format: FormatKind = "round_robin"
    always: tuple[str, ...] = ()
    trios: Positive | None = None
    apart: Literal["author", "nobody"] | None = None
    seatings: Literal["all"] | Positive = "all"
    session: Deals | None = None
    deals: Deals | None = None
    width: Annotated[float, Meta(gt=0)] | None = None
    max_deals: Deals | None = None
    submit_until: datetime | None = None
    close_at: datetime | None = None


class OpenFormat(Calendar, frozen=True):
    """The settings by which an open league is played; each is a key of its file.

    Orders come as fast as they are played until every bot's interval is expected to be at most
    `width` wide, in stakes per deal from end to end; then `trickle` an hour. With `apart`, bots of
    one author never share a table. An epoch lasts `epoch_hours`; `publish` says when others may see
    how a match was played: at once, after its epoch or after the season. The season's final has
    the best `final` bots, with `final_deals` deals for each of their tables. Authors of one of the
    `teams` never share a table.
    """

    width: float = 0.7
    apart: bool = True
    epoch_hours: Rate = 168.0
    trickle: Rate = 6.0
    publish: Publish = "epoch"
    final: Positive = 8
    final_deals: Deals = DEALS
    teams: tuple[tuple[str, ...], ...] = ()


class TournamentFormat(msgspec.Struct, frozen=True):
    """The settings of a tournament; each is a key of its file.

    The `rounds` have as many deals each as the format says, a table plays them once, and all tables
    of a round have the `same_deals`, or else each its own. Who is best at a table, second and so on
    gets as many big `points`; a bye is worth those of the second. Whoever is level shares. The
    `first_round` is drawn by lot, or the bots are listed from the strongest to the weakest. Where
    their number is no multiple of three, `fours` sit at tables of four, else some have byes.
    """

    rounds: Annotated[int, Meta(ge=1, le=MOST_ROUNDS)] = 7
    points: Points = (6.0, 4.0, 2.0, 0.0)
    first_round: FirstRound = "lot"
    fours: bool = True
    same_deals: bool = True


class Format(msgspec.Struct, frozen=True):
    """A format as read.

    `always` names the bots at every table of a gauntlet and is empty in other formats; `trios` is
    the number of tables drawn, None for all; `apart` keeps bots of one author from one table;
    `seatings` is the number in which each deal is played, None for all; `session` is the number of
    deals of a session if pools are on.

    `deals` are those of each lineup. With a `width`, in stakes per deal from end to end of a 95 %
    interval, they are the deals of a round: rounds are played until every bot's interval is that
    narrow, or each lineup has played `max_deals`. An `open` league has settings of its own instead;
    a `tournament` has some beside the `deals` of a round.
    """

    kind: FormatKind
    always: tuple[str, ...] = ()
    trios: int | None = None
    apart: bool = False
    seatings: int | None = None
    session: int | None = None
    deals: int = 0
    width: float | None = None
    max_deals: int | None = None
    open: OpenFormat | None = None
    tournament: TournamentFormat | None = None


FORMATS: Final = (OpenFormat, TournamentFormat)
"""The formats that have keys of their own."""

_OPEN_ONLY: Final = (
    *(key for key in OpenFormat.__struct_fields__ if key not in FormatKeys.__struct_fields__),
    *MOMENTS,
)

_NOT_OPEN: Final = {
    "deals": "an order has ten deals",
    "max_deals": "an open league has no end",
    "trios": "an open league draws its tables as it goes",
    "always": "an open league draws its tables as it goes",
    "seatings": "an open league plays all seatings",
}

_NOT_IN_TOURNAMENTS: Final = {
    "width": "rounds decide how many deals there are",
    "max_deals": "rounds decide how many deals there are",
    "session": "a round is a session",
    "trios": "a tournament draws its tables as it goes",
    "always": "a tournament draws its tables as it goes",
    "seatings": "a table plays its deals once",
}


def order_deals(session: int | None) -> int:
    """The deals of an order of an open league, one `session` if there are any."""
    return session or ORDER_DEALS


def read_format(
    document: TomlFile, good: Data, rules: Rules, known: Sequence[Bot], complete: bool
) -> Format:
    """The format made of a file's usable values; mistakes in them are noted in the document.

    `known` are the bots of the field so far, `complete` says whether these are all.
    """
    keys = msgspec.convert(_of(FormatKeys, good), FormatKeys)
    session = (keys.session or SESSION) if rules.pools.enabled else None
    if keys.format != "tournament":
        for key in _of(TournamentFormat, good):
            remedy = 'format = "tournament" makes it one'
            document.object((key,), f"{key} is for tournaments", remedy)
    if keys.format == "open":
        return _open(document, keys, good, rules, session)
    for key in _OPEN_ONLY:
        if key in good:
            remedy = 'format = "open" makes it one'
            document.object((key,), f"{key} is for open leagues", remedy)
    if keys.format == "tournament":
        return _tournament(document, keys, good, rules, session, known if complete else None)
    _deals(document, keys, session)
    _seatings(document, keys, rules.players, len(known) if complete else rules.players)
    _gauntlet(document, keys, rules.players, [bot.name for bot in known] if complete else None)
    _tables(document, keys, rules.players, known if complete else None)
    per_set = session or 1
    deals = DEALS - DEALS % per_set if keys.deals is None else keys.deals
    if keys.width is not None:
        deals = min(ROUND * per_set, keys.max_deals or ROUND * per_set)
    return Format(
        keys.format,
        keys.always,
        keys.trios,
        keys.apart == "author",
        None if keys.seatings == "all" else keys.seatings,
        session,
        deals,
        keys.width,
        keys.max_deals,
    )


def _of(shape: type[msgspec.Struct], good: Data) -> Data:
    """The values whose keys are fields of a struct."""
    return {key: good[key] for key in shape.__struct_fields__ if key in good}


def _open(
    document: TomlFile, keys: FormatKeys, good: Data, rules: Rules, session: int | None
) -> Format:
    """The format of an open league, where bots come and go and the arena draws the tables."""
    _refuse(document, keys, _NOT_OPEN)
    if rules.players != 3:
        what = f"open leagues are for tables of three, not of {rules.players}"
        document.object(("format",), what)
    if session is None and keys.session is not None:
        document.object(("session",), "sessions are for pools", "leave session out")
    moments = {key: each for key in MOMENTS if (each := getattr(keys, key)) is not None}
    written = _of(OpenFormat, good) | {
        "apart": keys.apart != "nobody",
        **dict.fromkeys(MOMENTS),
        **read_moments(document, str(good.get("time_zone", "UTC")), moments),
    }
    written.setdefault("final_deals", max(DEALS - DEALS % (session or 1), session or 1))
    form = msgspec.convert(written, OpenFormat)
    if form.final_deals % (session or 1):
        what = f"{form.final_deals} deals are not a whole number of sessions of {session}"
        remedy = f"make final_deals a multiple of {session}, or set session"
        document.object(("final_deals",), what, remedy)
    if form.final < rules.players:
        what = f"a final of {form.final} bots has no table of {rules.players}"
        document.object(("final",), what, f"make it {rules.players} or more")
    _teams(document, form.teams)
    return Format(keys.format, session=session, open=form)


def _refuse(document: TomlFile, keys: FormatKeys, words: Mapping[str, str]) -> None:
    """Note the keys that a format does not have, each with the words that say why."""
    unwritten = FormatKeys()
    for key, what in words.items():
        if getattr(keys, key) != getattr(unwritten, key):
            document.object((key,), what, f"leave {key} out")


def _tournament(
    document: TomlFile,
    keys: FormatKeys,
    good: Data,
    rules: Rules,
    session: int | None,
    field: Sequence[Bot] | None,
) -> Format:
    """The format of a tournament, whose tables follow from the standing; a round is a session."""
    _refuse(document, keys, _NOT_IN_TOURNAMENTS)
    if rules.players != 3:
        what = f"tournaments begin with rules for tables of three, not of {rules.players}"
        document.object(("format",), what, "fours = true adds tables of four where they are needed")
    form = msgspec.convert(_of(TournamentFormat, good), TournamentFormat)
    if list(form.points) != sorted(form.points, reverse=True) or len(form.points) != 4:
        what = "points are those of the first to the fourth at a table, the most first"
        document.object(("points",), what, "points = [6, 4, 2, 0]")
    if field is not None and len(field) < 3:
        document.object(("bots",), f"a tournament needs 3 bots or more, here are {len(field)}")
    deals = keys.deals or SESSION
    own = deals if session else None
    apart = keys.apart == "author"
    return Format(keys.format, apart=apart, session=own, deals=deals, tournament=form)


def _teams(document: TomlFile, teams: Sequence[Sequence[str]]) -> None:
    """Note teams of fewer than two authors, and authors of two teams."""
    seen: dict[str, str] = {}
    for place, team in enumerate(teams):
        if len(team) < 2:
            document.object(("teams", place), "a team has two authors or more")
        for name in team:
            if other := seen.get(name_key(name)):
                what = f"{name} is in two teams, or twice in one"
                document.object(("teams", place), what, f"it is the same as {other}")
            seen[name_key(name)] = name


def _deals(document: TomlFile, keys: FormatKeys, session: int | None) -> None:
    """Note numbers of deals that do not fit pools or each other."""
    if keys.width is not None and keys.deals is not None:
        what = "width decides how many deals there are"
        document.object(("deals",), what, "leave deals out; max_deals bounds them")
    if keys.width is not None and keys.max_deals is None:
        what = "width needs max_deals, the most deals of each table"
        document.object(("width",), what)
    if keys.width is None and keys.max_deals is not None:
        document.object(("max_deals",), "max_deals is for width", "write deals instead")
    if session is None:
        if keys.session is not None:
            document.object(("session",), "sessions are for pools", "leave session out")
        return
    name = "deals" if keys.width is None else "max_deals"
    written = keys.deals if keys.width is None else keys.max_deals
    deals = DEALS - DEALS % session if written is None else written
    if deals == 0 or deals % session:
        what = f"{deals or DEALS} deals are not a whole number of sessions of {session}"
        remedy = f"make {name} a multiple of {session}, or set session"
        document.object((name,) if written is not None else ("session",), what, remedy)


def _seatings(document: TomlFile, keys: FormatKeys, players: int, bots: int) -> None:
    if keys.seatings == "all":
        return
    every = factorial(players)
    if keys.format == "mirror" or bots < players:
        document.object(("seatings",), "a mirror has its own six seatings", "leave seatings out")
    elif keys.seatings % players or keys.seatings > every:
        what = f"{keys.seatings} seatings do not seat every bot everywhere equally often"
        remedy = f"take a multiple of {players} up to {every}"
        document.object(("seatings",), what, remedy)


def _gauntlet(
    document: TomlFile, keys: FormatKeys, players: int, names: Sequence[str] | None
) -> None:
    """Note mistakes in `always`: it needs one bot or more, and room for others beside them."""
    always, gauntlet = keys.always, keys.format == "gauntlet"
    if gauntlet != bool(always):
        what = "format gauntlet and always need each other"
        document.object(("format",) if gauntlet else ("always",), what, 'always = ["…"] names bots')
    for place, name in enumerate(always):
        if names is not None and name not in names:
            document.object(("always", place), f"no bot is called {name}", closest(name, names))
    if len(set(always)) >= players or len(set(always)) < len(always):
        what = f"at a table of {players} at most {players - 1} different bots can always sit"
        document.object(("always",), what)


def _tables(
    document: TomlFile, keys: FormatKeys, players: int, field: Sequence[Bot] | None
) -> None:
    """Note a field that forms too many tables or too few, or that leaves a bot without one."""
    if keys.format == "mirror" and players != 3:
        document.object(("format",), f"mirrors are for tables of three, not of {players}")
        return
    if keys.trios is not None and (players != 3 or keys.format == "mirror"):
        what = "pairs that mirror" if players == 3 else f"tables of {players}"
        document.object(("trios",), f"trios are drawn from tables of three, not from {what}")
        return
    if field is None or len(field) < 2 or not set(keys.always) <= {bot.name for bot in field}:
        return
    if too_many(len(field), players, keys.format == "mirror"):
        document.object(("bots",), f"{len(field)} bots form too many tables", "split the league")
        return
    authors = {bot.name: bot.author for bot in field} if keys.apart == "author" else None
    names = tuple(bot.name for bot in field)
    tables = lineups(names, players, keys.always, keys.format == "mirror", authors)
    if authors is not None:
        seated = {bot for table in tables for bot in table}
        for name in sorted(set(authors) - seated):
            what = f"the bot {name} meets nobody: too few others have another author"
            document.object(("apart",), what, "leave apart out, or leave out the bot")
    if keys.trios is not None and keys.trios > len(tables) > 0:
        what = f"{keys.trios} trios cannot be drawn: these bots form {len(tables)}"
        document.object(("trios",), what, "leave trios out, and all are played")
