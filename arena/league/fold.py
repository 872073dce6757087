"""The state of an open league, added up from the lines of its ledger: the one place for that.

It takes each line as it was written. Whether it should have been written `arena verify` finds out.
"""

from typing import assert_never

from arena.bots.names import name_key
from arena.league.ledger import (
    Benched,
    Closed,
    Committed,
    Dated,
    Joined,
    Left,
    Line,
    Ordered,
    Resumed,
    Sealed,
    Teamed,
    moment,
    order_seed,
    read_line,
)
from arena.stats.figures import Lineup


def author_key(joined: Joined) -> str:
    """A key for the author of a submitted bot; house bots and the organiser's stand alone."""
    alone = joined.house or joined.organiser
    return f"bot {joined.bot}" if alone else f"author {name_key(joined.author)}"


class LedgerFold:
    """The ledger of a league with `players` at a table, as far as it has been read.

    `read` is the number of the last line read; `orders`, and the moments at which they were
    written, are by lineup and first deal. Moments are in seconds since 1970.
    """

    def __init__(self, players: int) -> None:
        self.read: int = 0
        self.hash: str = ""
        """The hash of the last line; "" before the first."""
        self.commitment: str = ""
        """The SHA-256 of the season's secret; "" before the first line."""
        self.committed_at: str | None = None
        self.secret: str | None = None
        """The season's secret, once the season is sealed."""
        self.sealed_at: str | None = None
        self.orders: dict[tuple[Lineup, int], Ordered] = {}
        self.ordered_at: dict[tuple[Lineup, int], float] = {}
        self.order_hashes: list[str] = []
        self._seeds: list[str] = []
        """The hashes of the lines of the orders, the first order's first."""
        self.bots: dict[str, Joined] = {}
        """The bots in the field, benched or not, in the order in which they came."""
        self.benched: dict[str, str] = {}
        """The bots in the field that get no orders, and the reasons."""
        self.benched_by_organiser: set[str] = set()
        self.joined: dict[str, Joined] = {}
        """The last `Joined` of every bot that ever came."""
        self.came: dict[str, float] = {}
        """The moment at which each bot last came."""
        self.left: dict[str, tuple[float, str]] = {}
        """When and why each bot left that has not come again, in the order of leaving."""
        self.teams: tuple[tuple[str, ...], ...] = ()
        """The teams of authors that share no table."""
        self.season: int | None = None
        """The season that is closed; None while bots may still enter."""
        self.final: tuple[str, ...] = ()
        """The bots of the season's final, best first, once it is closed."""
        self._players = players
        self._team_of: dict[str, str] = {}
        self._resumed: set[str] = set()
        self._deals: dict[Lineup, int] = {}

    @property
    def last_order_at(self) -> float | None:
        """The moment of the last order."""
        return next(reversed(self.ordered_at.values()), None)

    @property
    def playing(self) -> list[str]:
        """The bots in the field that are not benched."""
        return [name for name in self.bots if name not in self.benched]

    def person(self, joined: Joined, apart: bool = True) -> str:
        """A key that is equal for bots that never share a table.

        It is equal for the bots of a team's authors and, if bots of one author are kept `apart`,
        for submitted bots whose authors' names are equal. A house bot stands for itself.
        """
        alone = author_key(joined) if apart else f"bot {joined.bot}"
        return alone if joined.house else self._team_of.get(name_key(joined.author), alone)

    @property
    def drawn(self) -> list[str]:
        """The bots that get orders; house bots only while too few persons play for a table."""
        own = [name for name in self.playing if not self.bots[name].house]
        persons = {self.person(self.bots[name]) for name in own}
        return own if len(persons) >= self._players else self.playing

    def deals_of(self, lineup: Lineup) -> int:
        """The number of deals ordered for a lineup so far: its next order begins with this deal."""
        return self._deals.get(lineup, 0)

    def may_resume(self, bot: str) -> bool:
        """Whether a bot is benched for the first time, and not by the organiser."""
        return bot in self.benched and bot not in self._resumed | self.benched_by_organiser

    def seeds(self, secret: str) -> tuple[str, ...]:
        """The seeds of the orders so far, the first order's first, by the season's secret."""
        new = self.order_hashes[len(self._seeds) :]
        self._seeds += (order_seed(secret, each) for each in new)
        return tuple(self._seeds)

    def apply(self, line: Line) -> Dated:
        """Apply a line and return its content.

        Raises `ValueError` as `read_line` does, and `LookupError` for a line about a bot that is
        not there.
        """
        dated = read_line(line.text)
        entry, at = dated.entry, moment(dated.at)
        match entry:
            case Ordered():
                self.orders[entry.lineup, entry.first] = entry
                self.order_hashes.append(line.hash)
                self.ordered_at[entry.lineup, entry.first] = at
                self._deals[entry.lineup] = entry.first + entry.deals
            case Joined():
                self.bots[entry.bot] = self.joined[entry.bot] = entry
                self.came[entry.bot] = at
                self.left.pop(entry.bot, None)
            case Left():
                del self.bots[entry.bot]
                self.benched.pop(entry.bot, None)
                self.benched_by_organiser.discard(entry.bot)
                self.left[entry.bot] = at, entry.why
            case Benched():
                self.benched[entry.bot] = entry.why
                if entry.organiser:
                    self.benched_by_organiser.add(entry.bot)
            case Resumed():
                del self.benched[entry.bot]
                if entry.organiser:
                    self.benched_by_organiser.remove(entry.bot)
                else:
                    self._resumed.add(entry.bot)
            case Teamed():
                self.teams = entry.teams
                self._team_of = {  # an author in two teams is in the first
                    name_key(author): f"team {number}"
                    for number, team in reversed([*enumerate(entry.teams)])
                    for author in team
                }
            case Committed():
                self.commitment, self.committed_at = entry.commitment, dated.at
            case Closed():
                self.season, self.final = entry.season, entry.final
            case Sealed():
                self.secret, self.sealed_at = entry.secret, dated.at
            case _:
                assert_never(entry)
        self.read, self.hash = line.number, line.hash
        return dated
