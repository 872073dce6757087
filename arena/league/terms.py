"""The terms of a league: how it began, how it goes on, and which changes it refuses."""

from collections.abc import Collection, Iterator, Sequence

import msgspec

from arena.base.resources import Resources
from arena.league.format import ROUND, OpenFormat, TournamentFormat
from arena.league.schedule import lineups, seatings
from arena.match.wire import Limits
from arena.stats.figures import Lineup, Standing
from arena.zole.deal import Seat
from arena.zole.rules import Rules


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """The terms with which a league was begun, as its record keeps them.

    `session` is the number of deals of a set if that is a session, `seatings` the number in which
    each deal is played if not all, `always` the bots at every table of a gauntlet. `blocks` are
    runs of deals, first and number; `bots` are content hashes by name, of all that ever played;
    those `retired` no longer play. In a `mirror` league pairs meet; `trios` are the tables that
    were drawn, None if all are played; with `authors`, bots of one author never meet. With a
    `width`, rounds are added until every interval is that narrow, up to `max_deals` deals. Of the
    bots, `people` are persons, with limits of their own.
    """

    name: str
    rules: Rules
    limits: Limits
    max_faults: int
    resources: Resources
    session: int | None = None
    seatings: int | None = None
    always: tuple[str, ...] = ()
    blocks: tuple[tuple[int, int], ...]
    bots: dict[str, str]
    retired: tuple[str, ...] = ()
    mirror: bool = False
    trios: tuple[Lineup, ...] | None = None
    authors: dict[str, str] | None = None
    width: float | None = None
    max_deals: int | None = None
    people: dict[str, Limits] = {}

    @property
    def deals(self) -> int:
        """The deals of each lineup."""
        return sum(deals for _, deals in self.blocks)

    @property
    def all_lineups(self) -> list[Lineup]:
        """The tables that the format allows; none in an open league: its ledger says which meet."""
        field = tuple(bot for bot in self.bots if bot not in self.retired)
        return lineups(field, self.rules.players, self.always, self.mirror, self.authors)

    @property
    def lineups(self) -> list[Lineup]:
        """The tables that meet: those drawn whose bots are all still there, or all allowed ones."""
        allowed = self.all_lineups
        return allowed if self.trios is None else sorted(set(self.trios) & set(allowed))

    def people_at(self, seats: Sequence[str]) -> dict[Seat, Limits]:
        """The limits of each seat that a person has."""
        return {seat: self.people[bot] for seat, bot in enumerate(seats) if bot in self.people}

    @property
    def sizes(self) -> tuple[int, ...]:
        """The numbers of bots that a lineup may have: two mirror."""
        return 2, self.rules.players

    def rules_at(self, lineup: Lineup) -> Rules:
        """The rules at a lineup's table."""
        return self.rules

    def dealt_to(self, lineup: Lineup) -> Lineup:
        """The lineup that a lineup's deals are for: they are its own."""
        return lineup

    def games_of(self, lineup: Lineup) -> int:
        """The number of times that a lineup's deal is played: in each of its seatings."""
        return len(self.seats_of(lineup))

    def seats_of(self, lineup: Lineup) -> list[tuple[str, ...]]:
        """The seatings in which a lineup meets."""
        return seatings(lineup, self.rules_at(lineup).players, self.seatings)

    @property
    def settings(self) -> dict[str, object]:
        """The settings of the format that may never change, by names for people."""
        return {
            "session": self.session,
            "seatings": self.seatings or "all",
            "always": self.always,
            "format": "mirror" if self.mirror else "gauntlet" if self.always else "round_robin",
            "apart": "nobody" if self.authors is None else "author",
            "by width": self.width is not None,
        }


class OpenTerms(Terms, frozen=True, kw_only=True):
    """The terms of an open league: its ledger says which tables meet, and on which deals."""

    open: OpenFormat

    @property
    def all_lineups(self) -> list[Lineup]:
        return []

    @property
    def settings(self) -> dict[str, object]:
        own = {key: getattr(self.open, key) for key in ("publish", "final", "final_deals")}
        apart = "author" if self.open.apart else "nobody"
        return {**super().settings, "format": "open", "apart": apart, **own}


class TournamentTerms(Terms, frozen=True, kw_only=True):
    """The terms of a tournament, with a run of deals for each round; its standing says which meet.

    `listed` are the bots from the strongest to the weakest if the first round goes by that, else
    nobody.
    """

    tournament: TournamentFormat
    listed: tuple[str, ...] = ()

    @property
    def all_lineups(self) -> list[Lineup]:
        return []

    @property
    def sizes(self) -> tuple[int, ...]:
        return 3, 4

    def rules_at(self, lineup: Lineup) -> Rules:
        return msgspec.structs.replace(self.rules, players=len(lineup))

    def dealt_to(self, lineup: Lineup) -> Lineup:
        return () if self.tournament.same_deals else lineup

    def games_of(self, lineup: Lineup) -> int:
        """The number of tables at which some bots play a deal."""
        return len(lineup) // 3

    @property
    def settings(self) -> dict[str, object]:
        own = msgspec.structs.asdict(self.tournament)
        return {**super().settings, "format": "tournament", **own, "deals": self.blocks[0][1]}


def widest_interval(terms: Terms, table: Sequence[Standing]) -> float | None:
    """The width of the widest 95 % interval of the bots that meet, in stakes per deal.

    None if one of them has no interval.
    """
    field = {bot for lineup in terms.lineups for bot in lineup}
    intervals = [line.ci95 for line in table if line.bot in field]
    if None in intervals:
        return None
    return max((each[1] - each[0] for each in intervals if each is not None), default=0.0)


def one_more_round(terms: Terms, table: Sequence[Standing]) -> Terms | None:
    """The terms with another round of deals, or None if there is to be none.

    Only the widths of intervals decide, never who leads: a league that stopped once it showed a
    result that someone hoped for would show it too often.
    """
    if terms.width is None or terms.max_deals is None or terms.deals >= terms.max_deals:
        return None
    width = widest_interval(terms, table)
    if width is not None and width <= terms.width:
        return None
    deals = min(ROUND * (terms.session or 1), terms.max_deals - terms.deals)
    return msgspec.structs.replace(terms, blocks=(*terms.blocks, (terms.deals, deals)))


def forbidden_changes(old: Terms, new: Terms, free: Collection[str] = ()) -> list[str]:
    """The changes that a league's file asks for and its record cannot take, in words.

    More bots may come, more trios, a narrower width and more deals; from an open league bots may
    go, and its width and its trickle are the organiser's to change, and so are `free` keys.
    """
    told = [
        f"{key} is {_word(after)}, was {_word(before)}"
        for key, before, after in _differences(old, new)
        if key not in free
    ]
    if not isinstance(old, OpenTerms):
        told += (f"the bot {bot} is gone" for bot in old.bots if bot not in new.bots)
    told += (
        f"the bot {bot} has changed; a new version needs a new name"
        for bot, content in new.bots.items()
        if old.bots.get(bot, content) != content
    )
    if old.trios is None and new.trios is not None:
        told.append("trios are drawn, but all were played")
    if new.width is not None and old.width is not None and new.width > old.width:
        told.append(f"width is {_word(new.width)}, was {_word(old.width)}")
    if new.max_deals is not None and old.max_deals is not None and new.max_deals < old.deals:
        told.append(f"max_deals is {new.max_deals}, but there are {old.deals} already")
    return told


def _differences(old: Terms, new: Terms) -> Iterator[tuple[str, object, object]]:
    """The rules and limits that differ: key, before, after."""
    before, after = _settings(old), _settings(new)
    for key, value in after.items():
        if key in before and before[key] != value:
            yield key, before[key], value


def _settings(terms: Terms) -> dict[str, object]:
    settings = {"limits.max_faults": terms.max_faults, **terms.settings}
    parts = (("rules", terms.rules), ("limits", terms.limits), ("limits", terms.resources))
    for part, value in parts:
        for key, inner in msgspec.to_builtins(value).items():
            if isinstance(inner, dict):
                settings |= {f"{part}.{key}.{name}": each for name, each in inner.items()}
            else:
                settings[f"{part}.{key}"] = inner
    return settings


def _word(value: object) -> str:
    return msgspec.json.encode(value).decode()
