"""Tables of reports: columns, which define how they are computed and formatted, and rows.

A terminal prints them (`reports/terminal.py`), pages draw them (`site/pages/parts.html`), and
programs read them as comma-separated values.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final, Generic, TextIO, TypeVar

import msgspec

from arena.base.harmless import harmless_cell
from arena.base.words import in_words
from arena.stats.figures import HANDS, Company, Gap, HeadToHead, Role, Share, Standing

if TYPE_CHECKING:
    from arena.league.tournament import Ranked

MINUS: Final = "\N{MINUS SIGN}"
NONE: Final = "\N{EN DASH}"

_Interval = tuple[float, float] | None
_Row = TypeVar("_Row", contravariant=True)
Cell = str | int | float | None

_NOTHING = ("", "-")


class Column(msgspec.Struct, Generic[_Row], frozen=True):
    """A column: what programs and people read of a row.

    `value` gives what programs read, by default the field `key` of a row: one value, or as
    many as there are `parts`, which end the names of their columns. A column without a `key` is not
    for programs, one without a `heading` for programs alone. Pages head it by the message
    `column-KEY` if their language has that. `format` gives the text, or a rich one for a terminal;
    "" and a dash mean nothing.

    Where room is short, columns of a lower `priority` go first; pages have none below 0, and one of
    9 is shown even if no row has anything in it. Text `wraps`, numbers do not.
    """

    key: str
    heading: str = ""
    value: Callable[[_Row], Any] | None = None
    format: Callable[[_Row], object] | None = None
    priority: int = 5
    parts: tuple[str, ...] = ("",)
    wraps: bool = False

    def cells(self, row: _Row) -> Sequence[Cell]:
        """A row's plain values, None for each part of nothing."""
        found = getattr(row, self.key) if self.value is None else self.value(row)
        if self.parts == ("",):
            return (found,)
        return (None,) * len(self.parts) if found is None else tuple(found)

    def text(self, row: _Row) -> object:
        """A row's text for people."""
        if self.format is not None:
            return self.format(row)
        found = self.cells(row)[0]
        return "-" if found is None else found if isinstance(found, str) else str(found)


class Table(msgspec.Struct, frozen=True):
    """Rows with their columns; people see `none` if there are no rows.

    An empty line stands between rows that differ in `part`.
    """

    columns: Sequence[Column[Any]]
    rows: Sequence[Any]
    title: str = ""
    part: Callable[[Any], object] | None = None
    none: str = ""

    @property
    def shown(self) -> list[Column[Any]]:
        """The columns for people: the first, and those in which a row has anything."""
        first, *others = (column for column in self.columns if column.heading)
        return [
            first,
            *(
                column
                for column in others
                if column.priority > 8
                or any(str(column.text(row)) not in _NOTHING for row in self.rows)
            ),
        ]

    @property
    def on_pages(self) -> list[Column[Any]]:
        """The columns that a page has room for."""
        return [column for column in self.shown if column.priority >= 0]

    def plain(self) -> Iterator[dict[str, Cell]]:
        """The rows for programs, each as values by the names of columns."""
        columns, names = [column for column in self.columns if column.key], self._names()
        for row in self.rows:
            cells = (cell for column in columns for cell in column.cells(row))
            yield dict(zip(names, cells, strict=True))

    def csv(self) -> str:
        """The rows as comma-separated values, with a head even if there are none."""
        text = io.StringIO()
        write_csv(self.plain(), text, self._names())
        return text.getvalue()

    def _names(self) -> list[str]:
        return [
            f"{column.key}_{part}" if part else column.key
            for column in self.columns
            if column.key
            for part in column.parts
        ]


def write_csv(rows: Iterable[Mapping[str, object]], to: TextIO, names: Sequence[str] = ()) -> None:
    """Write rows of the same names as comma-separated values; None is an empty cell."""
    writer = csv.writer(to, lineterminator="\n")
    if names:
        writer.writerow(names)
    for number, row in enumerate(rows):
        if number == 0 and not names:
            writer.writerow(row)
        writer.writerow(map(harmless_cell, row.values()))


_BETWEEN: Final = re.compile(r"(?<=\d)-(?=\d)")


def in_print(figure: str) -> str:
    """A figure as it is printed: with a minus sign, and an en dash between numbers or alone."""
    return NONE if figure == "-" else _BETWEEN.sub(NONE, figure).replace("-", MINUS)


def ranks(found: tuple[int, int] | None) -> str:
    """The best and the worst rank that the sets leave open."""
    if found is None:
        return "-"
    return str(found[0]) if found[0] == found[1] else f"{found[0]}-{found[1]}"


def signed(value: float | None, places: int = 3, plus_minus: float | None = None) -> str:
    """Stakes per deal, with half of their interval if that is given; a dash for None."""
    if value is None:
        return "-"
    return f"{value:+z.{places}f}" + ("" if plus_minus is None else f"±{plus_minus:.{places}f}")


def half(interval: _Interval, places: int = 3) -> str:
    """Half an interval, nothing for none."""
    return "" if interval is None else f"±{(interval[1] - interval[0]) / 2:.{places}f}"


def share(found: Share) -> str:
    """Stakes per deal in some role."""
    return signed(found.value, 2, found.pm)


def faults_text(faults: Mapping[str, int]) -> str:
    """Faults by kind."""
    return ", ".join(f"{count} {kind}" for kind, count in faults.items()) or "none"


_LOW_HIGH: Final = ("", "low", "high")


class Measure(msgspec.Struct, frozen=True):
    """The figure that orders standings: its key and its heads in a terminal and on pages.

    `of` returns a bot's value, its interval and the ranks that it leaves open; `ranks` is when
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
            lambda it: signed(by.of(it)[0]) + half(by.of(it)[1]),
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
            lambda it: signed(it.stakes_per_deal) + half(it.ci95 if by_stakes else None),
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
        Column("void_sets"),
        _faults(lambda it: it),
        Column("disqualified"),
        Column("left", value=lambda it: "yes" if it.left else "no"),
    )


def _elo(line: Standing) -> str:
    if line.elo is None:
        return "-"
    error = "" if line.elo_pm is None else f"±{line.elo_pm:.0f}"
    return f"{line.elo_bound or ''}{line.elo:z.0f}{error}"


def _faults(of: Callable[[Any], Standing]) -> Column[Any]:
    def said(row: Any) -> str:
        out = of(row).disqualified
        return faults_text(of(row).faults) + (f", {out} out" if out else "")

    return Column("faults", "faults", lambda it: sum(of(it).faults.values()), said, wraps=True)


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
            lambda it: _points(it[0].points),
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


def _points(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")  # whole but where bots share places


def _round(number: int) -> Column["tuple[Ranked, Standing]"]:
    def points(row: "tuple[Ranked, Standing]") -> float | None:
        result = dict(enumerate(row[0].results)).get(number)
        return None if result is None else result.points

    def told(row: "tuple[Ranked, Standing]") -> str:
        result = dict(enumerate(row[0].results)).get(number)
        if result is None:
            return ""  # it is being played
        if result.table is None:
            return f"-{_points(result.points)}-"
        return "out" if result.place is None else _points(result.points)

    return Column(f"round_{number + 1}", f"R{number + 1}", points, told, priority=1)


# What programs read of two bots
PAIR_COLUMNS: Final[tuple[Column[HeadToHead], ...]] = (
    Column("bot"),
    Column("other"),
    Column("sets"),
    Column("deals"),
    Column("gap", value=lambda it: _gap(it.met), parts=("", "pm", "los")),
    Column("league_gap", value=lambda it: _gap(it.league), parts=("", "pm", "los")),
    Column("identical", value=lambda it: "yes" if it.identical else "no"),
)


def _gap(found: Gap | None) -> tuple[float | None, ...] | None:
    return None if found is None else (found.stakes_per_deal, found.pm, found.los)


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
    def plain(row: Any) -> tuple[float | None, ...]:
        found = getattr(row, key)
        return found.value, found.of, *(found.ci95 or (None, None))

    def told(row: Any) -> str:
        value, _, low, high = plain(row)
        if value is None:
            return "-"
        bounds = "" if low is None or high is None else f" ({low * 100:.0f}-{high * 100:.0f})"
        return f"{value * 100:.0f}{bounds}"

    return Column(key, heading, plain, told, parts=("", "of", "low", "high"))


_SITTING_OUT: Final = _of("sitting_out", "sitting out")

# Stakes per deal by place from the dealer
SEAT_COLUMNS: Final = (_BOT, *(_of(hand, hand) for hand in HANDS), _SITTING_OUT)


def role_columns(lines: Sequence[Role]) -> tuple[Column[Any], ...]:
    """Declarations, winnings in each role, and the contracts declared other than ordinary games."""
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
    def told(line: Role) -> str:
        total = sum(line.contracts.values())
        return f"{line.contracts.get(name, 0) / total * 100:.0f}" if total else "-"

    return Column(
        f"game_{name}", in_words(name), lambda it: it.contracts.get(name, 0), told, priority=1
    )


# What two authors' bots gave each other
COMPANY_COLUMNS: Final[tuple[Column[Company], ...]] = (
    Column("taker", "bots of", wraps=True, priority=9),
    Column("giver", "from those of", wraps=True, priority=9),
    Column(
        "gained",
        "gained",
        lambda it: (it.stakes_per_deal, it.pm),
        lambda it: signed(it.stakes_per_deal, 2, it.pm),
        parts=("", "pm"),
    ),
    Column("sets", "sets"),
    Column(
        "chance",
        "chance",
        format=lambda it: "< 0.001" if it.chance < 0.0005 else f"{it.chance:.3f}",
    ),
)
