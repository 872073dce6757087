"""The columns of the tables that compare a league's bots, in terminals, on pages and as CSV."""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

import msgspec

from arena.base.words import in_words
from arena.reports.numbers import (
    big_points,
    chance,
    faults_text,
    gap,
    half,
    part_of,
    portion,
    ranks,
    round_text,
    share,
    signed,
    with_half,
)
from arena.reports.table import Column
from arena.stats.figures import HANDS, Company, Gap, HeadToHead, Role, Standing

if TYPE_CHECKING:
    from arena.league.tournament import Ranked

_Interval = tuple[float, float] | None

_LOW_HIGH: Final = ("", "low", "high")
_OF_SHARE: Final = ("", "pm", "of")
_OF_GAP: Final = ("", "pm", "los")


class Measure(msgspec.Struct, frozen=True):
    """The figure that orders standings: its key and its heads in a terminal and on pages.

    `of` returns a bot's value, its interval and the ranks that it leaves open; `ranks` says when
    they hold. `head` and `ranks` are messages.
    """

    key: str
    heading: str
    head: str
    ranks: str
    of: Callable[[Standing], tuple[float | None, _Interval, tuple[int, int] | None]]


SO_FAR: Final = Measure(
    "strength",
    "strength so far",
    "column-strength",
    "ranks-at-all-looks",
    lambda line: (line.strength, line.anytime_ci95, line.anytime_ranks),
)
AT_END: Final = Measure(
    "strength",
    "strength",
    "column-strength",
    "ranks-open",
    lambda line: (line.strength, line.strength_ci95, line.ranks),
)
STAKES: Final = Measure(
    "stakes_per_deal",
    "stakes/deal",
    "column-stakes",
    "ranks-open",
    lambda line: (line.stakes_per_deal, line.ci95, line.ranks),
)


def standing_columns(by: Measure, marks: Mapping[str, str] = {}) -> tuple[Column[Standing], ...]:
    """The columns of standings in the order of a figure; `marks` stand behind names of bots."""
    so_far, by_stakes = by is SO_FAR, by is STAKES
    return (
        Column(
            "rank",
            "#",
            lambda it: it.rank if it.sets else None,
            lambda it: "-" if it.ranks is None else it.rank,
            priority=9,
        ),
        Column(
            "ranks",
            "ranks so far" if so_far else "ranks",
            format=lambda it: ranks(by.of(it)[2]),
            parts=("best", "worst"),
            priority=1,
        ),
        Column("anytime_ranks", parts=("best", "worst")),
        Column("part"),
        Column(
            "bot",
            "bot",
            format=lambda it: f"{it.bot}{marks.get(it.bot, '')}",
            priority=9,
            wraps=True,
        ),
        Column(
            "strength",
            "" if by_stakes else by.heading,
            lambda it: (it.strength, *(it.strength_ci95 or (None, None))),
            lambda it: with_half(*by.of(it)[:2]),
            parts=_LOW_HIGH,
            priority=9,
        ),
        Column("strength_anytime", value=attrgetter("anytime_ci95"), parts=("low", "high")),
        Column(
            "",
            "at one look" if so_far else "",
            format=lambda it: half(it.strength_ci95) or "-",
            priority=-1,
        ),
        Column(
            "stakes_per_deal",
            "stakes/deal",
            lambda it: (it.stakes_per_deal, *(it.ci95 or (None, None))),
            lambda it: with_half(it.stakes_per_deal, it.ci95 if by_stakes else None),
            parts=_LOW_HIGH,
            priority=9 if by_stakes else -2,
        ),
        Column(
            "elo",
            "Elo",
            lambda it: (it.elo, it.elo_bound, it.elo_pm),
            _elo,
            parts=("", "bound", "pm"),
            priority=-3,
        ),
        Column("games"),
        Column(
            "sets",
            "sets",
            priority=2,
        ),
        Column("void_sets", "void", format=lambda it: it.void_sets or "-", priority=-1),
        _faults(lambda it: it),
        Column("disqualified"),
        Column("left", value=lambda it: "yes" if it.left else "no"),
    )


def _elo(line: Standing) -> str:
    found = "-" if line.elo is None else f"{line.elo_bound or ''}{line.elo:z.0f}"
    return found if line.elo_pm is None else f"{found}±{line.elo_pm:.0f}"


def _faults(of: Callable[[Any], Standing]) -> Column[Any]:
    def said(row: Any) -> str:
        line = of(row)
        return faults_text(line.faults) + (
            f", {line.disqualified} out" if line.disqualified else ""
        )

    return Column(
        "faults",
        "faults",
        lambda it: sum(of(it).faults.values()),
        said,
        wraps=True,
    )


def ranking_columns(rounds: int) -> tuple[Column["tuple[Ranked, Standing]"], ...]:
    """The columns of a tournament's ranking, whose rows have a bot's standing, too.

    A round has the big points that it brought, `-4-` being those of a bye; `out` is disqualified.
    """
    return (
        Column("rank", "#", lambda it: it[0].rank, priority=9),
        Column("bot", "bot", lambda it: it[0].bot, priority=9, wraps=True),
        Column(
            "big_points",
            "points",
            lambda it: it[0].points,
            lambda it: big_points(it[0].points),
            priority=9,
        ),
        Column(
            "small_points",
            "stakes",
            lambda it: it[0].stakes,
            lambda it: signed(it[0].stakes, 0),
            priority=8,
        ),
        Column(
            "stakes_per_deal",
            "stakes/deal",
            lambda it: it[1].stakes_per_deal,
            lambda it: signed(it[1].stakes_per_deal),
        ),
        Column("games", value=lambda it: it[1].games),
        *map(_round, range(rounds)),
        _faults(lambda it: it[1]),
        Column("disqualified", value=lambda it: it[1].disqualified),
    )


def _round(number: int) -> Column["tuple[Ranked, Standing]"]:
    def result(row: "tuple[Ranked, Standing]") -> Any:
        return row[0].results[number] if number < len(row[0].results) else None

    return Column(
        f"round_{number + 1}",
        f"R{number + 1}",
        lambda it: None if (found := result(it)) is None else found.points,
        lambda it: round_text(result(it)),
        priority=1,
    )


# What programs read of two bots
PAIR_COLUMNS: Final[tuple[Column[HeadToHead], ...]] = (
    Column("bot"),
    Column("other"),
    Column("sets"),
    Column("deals"),
    Column("gap", value=lambda it: _gap(it.met), parts=_OF_GAP),
    Column("league_gap", value=lambda it: _gap(it.league), parts=_OF_GAP),
    Column("identical", value=lambda it: "yes" if it.identical else "no"),
)


def _gap(found: Gap | None) -> tuple[float | None, ...] | None:
    return None if found is None else (found.stakes, found.plus_minus, found.los)


# A bot, or all of them together
_BOT: Final[Column[Any]] = Column(
    "bot", "bot", format=lambda it: it.bot or "all", priority=9, wraps=True
)


def _of(key: str, heading: str) -> Column[Any]:
    value = attrgetter(key)
    return Column(
        key,
        heading,
        lambda it: msgspec.structs.astuple(value(it)),
        lambda it: share(value(it)),
        parts=("", "pm", "of"),
    )


def _part(key: str, heading: str) -> Column[Any]:
    value = attrgetter(key)

    def plain(row: Any) -> tuple[float | None, ...]:
        found = value(row)
        return found.value, found.of, *(found.ci95 or (None, None))

    return Column(
        key, heading, plain, lambda it: portion(value(it)), parts=("", "of", "low", "high")
    )


_SITTING_OUT: Final = _of("sitting_out", "sitting out")

# Stakes per deal by place from the dealer
SEAT_COLUMNS: Final = (_BOT, *(_of(hand, hand) for hand in HANDS), _SITTING_OUT)


def role_columns(lines: Sequence[Role]) -> tuple[Column[Any], ...]:
    """Declarations, winnings in each role, and the contracts declared besides ordinary games."""
    contracts = sorted({contract for line in lines for contract in line.contracts} - {"ordinary"})
    return (
        _BOT,
        _part("declares", "declares"),
        _part("wins", "wins"),
        _of("declarer", "as declarer"),
        _of("defender", "as defender"),
        _of("table", "at table"),
        _SITTING_OUT,
        *map(_contract, contracts),
    )


def _contract(name: str) -> Column[Role]:
    return Column(
        f"game_{name}",
        in_words(name),
        lambda it: it.contracts.get(name, 0),
        lambda it: part_of(it, name),
        priority=1,
    )


# What two authors' bots gave each other
COMPANY_COLUMNS: Final[tuple[Column[Company], ...]] = (
    Column("taker", "bots of", wraps=True, priority=9),
    Column("giver", "from those of", wraps=True, priority=9),
    Column("gained", "gained", lambda it: (it.stakes, it.plus_minus), gap, parts=("", "pm")),
    Column("sets", "sets"),
    Column("chance", "chance", format=lambda it: chance(it.chance)),
)
