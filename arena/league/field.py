"""The bots in play in an open league by its ledger, and which entry may follow."""

from collections.abc import Iterator
from typing import assert_never

from arena.bots.names import name_key
from arena.league.ledger import (
    Benched,
    Closed,
    Committed,
    Entry,
    Joined,
    Left,
    Ordered,
    Resumed,
    Sealed,
    Teamed,
    is_digest,
)
from arena.league.schedule import commitment
from arena.stats.figures import Lineup


def author_key(joined: Joined) -> str:
    """A key for the author of a submitted bot; house bots and the organiser's stand alone."""
    alone = joined.house or joined.organiser
    return f"bot {joined.bot}" if alone else f"author {name_key(joined.author)}"


class Field:
    """The state that the entries of a ledger, applied in order, have led to.

    `bots` are all that are entered, benched or not, by name in the order in which they came;
    `benched` gives the reasons. `orders` counts orders, `known` is the number of the last match
    that was stored when the last of them was drawn.
    """

    def __init__(self, players: int) -> None:
        self.bots: dict[str, Joined] = {}
        self.benched: dict[str, str] = {}
        self.orders = 0
        self.known = 0
        self.season: int | None = None
        """The season that is closed; None while bots may still enter."""
        self.sealed = False
        self.put_out: set[str] = set()
        """The bots that the organiser has benched."""
        self.teams: tuple[tuple[str, ...], ...] = ()
        """The teams of authors that share no table."""
        self._teams: dict[str, str] = {}
        self._players = players
        self.commitment = ""
        """The SHA-256 of the season's secret; "" before the first line."""
        self._content: dict[str, str] = {}
        self._resumed: set[str] = set()
        self._deals: dict[Lineup, int] = {}
        self._lineups: dict[str, set[Lineup]] = {}

    @property
    def contents(self) -> dict[str, str]:
        """The bots that play and the hash of each."""
        return {name: bot.content for name, bot in self.bots.items() if name not in self.benched}

    def person(self, joined: Joined, apart: bool = True) -> str:
        """A key that is equal for bots that never share a table.

        It is equal for the bots of a team's authors and, if bots of one author are kept `apart`,
        for submitted bots whose authors' names are equal. A house bot stands for itself.
        """
        likeness = name_key(joined.author)
        if not joined.house and likeness in self._teams:
            return self._teams[likeness]
        return author_key(joined) if apart else f"bot {joined.bot}"

    def persons(self, apart: bool) -> dict[str, str]:
        """The `person` of each bot in the field."""
        return {name: self.person(joined, apart) for name, joined in self.bots.items()}

    @property
    def drawn(self) -> list[str]:
        """The bots that get orders; house bots only while too few persons play for a table."""
        playing = [bot for name, bot in self.bots.items() if name not in self.benched]
        persons = {self.person(bot) for bot in playing if not bot.house}
        enough = len(persons) >= self._players
        return [bot.bot for bot in playing if not (bot.house and enough)]

    def deals_of(self, lineup: Lineup) -> int:
        """The number of deals ordered for a lineup so far: its next order begins with this deal."""
        return self._deals.get(lineup, 0)

    def may_resume(self, bot: str) -> bool:
        """Whether a bot is benched for the first time, and not by the organiser."""
        return bot in self.benched and bot not in self._resumed | self.put_out

    def apply(self, entry: Entry) -> None:
        """Apply an entry. Raises `ValueError` for one that cannot follow; then nothing changes."""
        for flaw in self._flaws(entry):
            raise ValueError(flaw)
        match entry:
            case Ordered():  # nearly all entries are orders
                self.orders, self.known = entry.order, entry.known
                for bot in entry.lineup:
                    self._lineups.setdefault(bot, set()).add(entry.lineup)
                self._deals[entry.lineup] = entry.first + entry.deals
            case Committed():
                self.commitment = entry.commitment
            case Joined():
                self.bots[entry.bot] = entry
                self._content[entry.bot] = entry.content
            case Left():
                self._leave(entry)
            case Benched():
                self.benched[entry.bot] = entry.why
                if entry.organiser:
                    self.put_out.add(entry.bot)
            case Resumed():
                del self.benched[entry.bot]
                if entry.organiser:
                    self.put_out.remove(entry.bot)
                else:
                    self._resumed.add(entry.bot)
            case Teamed():
                self.teams = entry.teams
                self._teams = {
                    name_key(author): f"team {number}"
                    for number, team in reversed([*enumerate(entry.teams)])
                    for author in team
                }
            case Closed():
                self.season = entry.season
            case Sealed():
                self.sealed = True
            case _:
                assert_never(entry)

    def _leave(self, entry: Left) -> None:
        del self.bots[entry.bot]
        self.benched.pop(entry.bot, None)
        self.put_out.discard(entry.bot)
        if entry.why == "replaced":  # its name never comes again, so its tables need not be kept
            self._content[entry.bot] = ""
            for lineup in self._lineups.pop(entry.bot, ()):
                self._deals.pop(lineup, None)

    def _flaws(self, entry: Entry) -> Iterator[str]:
        """The reasons why an entry cannot follow."""
        if self.sealed:
            yield "the season is sealed"
        match entry:
            case Ordered():
                yield from self._flaws_of_order(entry)
            case Committed():
                if self.commitment:
                    yield "the season's secret is committed to twice"
                if not is_digest(entry.commitment):
                    yield "a commitment is not a hash"
            case Joined() | Left() | Benched() | Resumed():
                yield from self._flaws_of_bot(entry)
            case Teamed():
                if entry.teams == self.teams:
                    yield "the teams are written down twice"
            case Closed():
                if self.season is not None:
                    yield "the season is closed already"
                if not set(entry.final) <= self.bots.keys():
                    yield "a bot of the final is not in the field"
            case Sealed():
                if self.season != entry.season:
                    yield "a season is sealed before it is over"
                if commitment(entry.secret) != self.commitment:
                    yield "the season's secret is not the one committed to"
            case _:
                assert_never(entry)

    def _flaws_of_bot(self, entry: Joined | Left | Benched | Resumed) -> Iterator[str]:
        bot = entry.bot
        if isinstance(entry, Joined):
            if self.season is not None:
                yield f"{bot} enters a season that is closed"
            if bot in self.bots or not bot:
                yield f"{bot} enters twice"
            if self._content.get(bot, entry.content) != entry.content:
                yield f"{bot} comes back as another bot"
            if not is_digest(entry.content):
                yield f"{bot} has no hash"
            return
        if bot not in self.bots:
            yield f"{bot} is not in the field"
        if (bot in self.benched) != isinstance(entry, Resumed) and not isinstance(entry, Left):
            yield f"{bot} is benched or resumed out of turn"
        if isinstance(entry, Resumed):
            if entry.organiser != (bot in self.put_out):
                yield f"{bot} is not resumed by whoever benched it"
            elif not entry.organiser and bot in self._resumed:
                yield f"{bot} is resumed for a second time"

    def _flaws_of_order(self, entry: Ordered) -> Iterator[str]:
        order, lineup = f"order {entry.order}", entry.lineup
        if entry.order != self.orders + 1:
            yield f"{order} comes out of turn"
        if not self.commitment:
            yield f"{order} comes before a secret is committed to"
        if list(lineup) != sorted(set(lineup)) or len(lineup) != self._players:
            yield f"{order} has no lineup"
        for bot in lineup:
            if bot not in self.bots or bot in self.benched:
                yield f"{order} is for {bot}, which does not play"
        if entry.first != self.deals_of(lineup) or entry.deals < 1:
            yield f"{order} does not have the next deals of its lineup"
        if entry.known < self.known:
            yield f"{order} knows fewer matches than the one before"
        if (entry.kind == "final") != (self.season is not None):
            yield f"{order} is a {entry.kind} at the wrong time"
