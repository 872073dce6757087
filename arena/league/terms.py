"""The terms of a league as its record keeps them, and the matches that follow from them."""

from collections.abc import Mapping, Sequence, Set
from functools import lru_cache
from typing import Annotated

import msgspec

from arena.league.config import (
    AnyConfig,
    ClosedConfig,
    LeagueConfig,
    MatchConfig,
    OpenConfig,
    TournamentConfig,
    refused_changes,
)
from arena.league.ledger import Ordered
from arena.league.schedule import MatchSpec, league_deals, seat_seeds
from arena.match.commands import MatchPlan
from arena.match.wire import Limits
from arena.stats.figures import Lineup, Standing
from arena.zole.deal import Deal, Seat, read_deal
from arena.zole.rules import Rules

MatchKey = tuple[Lineup, int, int]
"""The identity of a match in its league: lineup, seating, first deal."""

Orders = Mapping[tuple[Lineup, int], Ordered]
"""The orders of an open league by lineup and first deal; no other league has any."""


class Entrant(msgspec.Struct, frozen=True):
    """A bot that ever played: the hash of its content, which names its copy, author and version.

    `network` are the addresses that it may connect to, as HOST:PORT.
    """

    digest: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    author: str = ""
    version: str = ""
    network: tuple[str, ...] = ()


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a league, and what has been played by them.

    `blocks` are runs of deals, first and number; `bots` are all bots that ever played, by name,
    those of the file first; those `retired` no longer play. `trios` are the tables that were drawn.
    """

    config: AnyConfig
    blocks: tuple[tuple[int, int], ...] = ()
    bots: dict[str, Entrant]
    retired: tuple[str, ...] = ()
    trios: tuple[Lineup, ...] = ()

    @property
    def deals(self) -> int:
        """The deals of each lineup."""
        return sum(deals for _, deals in self.blocks)

    @property
    def session(self) -> int:
        """The deals of a set: a session, or else one deal."""
        return self.config.session or 1

    @property
    def field(self) -> Set[str]:
        """The bots that play."""
        return self.bots.keys() - set(self.retired)

    @property
    def authors(self) -> dict[str, str]:
        """The author of each bot."""
        return {name: bot.author for name, bot in self.bots.items()}

    @property
    def allowed_lineups(self) -> list[Lineup]:
        """The tables that the settings allow; none where they follow from what is played."""
        return self.config.lineups(self.field, self.authors)

    @property
    def lineups(self) -> list[Lineup]:
        """The tables that meet: those drawn whose bots are all still there, or all allowed ones."""
        allowed = self.allowed_lineups
        if isinstance(self.config, ClosedConfig) and self.config.trios is not None:
            return sorted(set(self.trios) & set(allowed))
        return allowed

    def games_of(self, lineup: Lineup) -> int:
        """The number of times that some bots play a deal: seatings, or a tournament's tables."""
        if isinstance(self.config, TournamentConfig):
            return len(lineup) // 3
        return len(self.config.seats_of(lineup))


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
    config = terms.config
    if not isinstance(config, ClosedConfig) or config.width is None or config.max_deals is None:
        return None
    width = widest_interval(terms, table)
    if terms.deals >= config.max_deals or (width is not None and width <= config.width):
        return None
    block = terms.deals, config.round_deals(terms.deals)
    return msgspec.structs.replace(terms, blocks=(*terms.blocks, block))


def forbidden_changes(old: Terms, new: Terms, authors: bool = True) -> list[str]:
    """The changes that a league's file asks for and its record cannot take, in words.

    More bots may come; from an open league bots may go. `authors`: see `refused_changes`.
    """
    told = list(refused_changes(old.config, new.config, authors))
    if not isinstance(old.config, OpenConfig):
        told += (f"the bot {bot} is gone" for bot in old.bots if bot not in new.bots)
    told += (
        f"the bot {name} has changed; a new version needs a new name"
        for name, bot in new.bots.items()
        if name in old.bots and old.bots[name].digest != bot.digest
    )
    most = new.config.max_deals if isinstance(new.config, ClosedConfig) else None
    if most is not None and most < old.deals:
        told.append(f"max_deals is {most}, but there are {old.deals} already")
    return told


def match_key(spec: MatchSpec) -> MatchKey:
    return spec.lineup, spec.seating, spec.first


def set_matches(
    terms: Terms, lineup: Lineup, first: int, deals: int, seed: int = 0
) -> list[MatchSpec]:
    """The matches of a lineup over the deals from `first` on, one in each seating."""
    return [
        MatchSpec(lineup, first, deals, number, seats, seed)
        for number, seats in enumerate(terms.config.seats_of(lineup))
    ]


def order_matches(terms: Terms, order: Ordered) -> list[MatchSpec]:
    """The matches of an order, in every seating."""
    return set_matches(terms, order.lineup, order.first, order.deals, order.order - 1)


def scheduled(terms: Terms, orders: Orders | None = None, seed: int = 0) -> list[MatchSpec]:
    """Every match of a closed league, with this seed; of an open league those of its orders."""
    if isinstance(terms.config, OpenConfig):
        return [spec for order in (orders or {}).values() for spec in order_matches(terms, order)]
    tables = terms.lineups
    return [
        spec
        for first, deals in terms.blocks
        for lineup in tables
        for spec in set_matches(terms, lineup, first, deals, seed)
    ]


def remaining(
    stored: Mapping[MatchKey, int],
    terms: Terms,
    seeds: Sequence[str],
    orders: Orders | None = None,
) -> list[MatchSpec]:
    """The matches that are scheduled but not stored; `stored` has the number of each match's seed.

    Sets that have begun keep their seed; all others get the last, or that of their order.
    """
    begun = {(lineup, first): seed for (lineup, _, first), seed in stored.items()}
    return [
        msgspec.structs.replace(spec, seed=begun.get((spec.lineup, spec.first), spec.seed))
        for spec in scheduled(terms, orders, len(seeds) - 1)
        if match_key(spec) not in stored
    ]


def mismatch(
    terms: Terms, seeds: Sequence[str], spec: MatchSpec, orders: Orders | None = None
) -> str | None:
    """The reason why a match is not one of a league with these seeds and orders; None if it is."""
    if not set(spec.lineup) <= terms.bots.keys():
        return "it is not a match of this league"
    if isinstance(terms.config, OpenConfig):
        order = (orders or {}).get((spec.lineup, spec.first))
        if order is None or (spec.deals, spec.seed) != (order.deals, order.order - 1):
            return "it belongs to no order of this league"
    elif (spec.first, spec.deals) not in terms.blocks:
        return "it is not a match of this league"
    players = terms.config.rules_at(spec.lineup).players
    if len(spec.lineup) not in terms.config.sizes or len(spec.seats) != players:
        return "it is not a match of this league"
    seats = terms.config.seats_of(spec.lineup)
    if not 0 <= spec.seating < len(seats) or seats[spec.seating] != spec.seats:
        return "its bots sit in no seating of this league"
    if not 0 <= spec.seed < len(seeds):
        return "it was played with a seed that the league does not have"
    return None


def match_plan(terms: Terms, seeds: Sequence[str], spec: MatchSpec) -> MatchPlan:
    """The plan of a match in a league with these seeds."""
    config, seed = terms.config, seeds[spec.seed]
    rules = config.rules_at(spec.lineup)
    if isinstance(config, MatchConfig) and config.given:
        deals, of_seats = _given(rules, seed, config.given)
    else:
        table = tuple(sorted(config.dealt_to(spec.lineup)))
        deals, of_seats = _dealt(rules, seed, table, spec.first, spec.deals, config.session)
    return plan_of(config, spec, deals, of_seats)


def plan_of(
    config: LeagueConfig, spec: MatchSpec, deals: Sequence[Deal] = (), seeds: tuple[int, ...] = ()
) -> MatchPlan:
    """The plan of a match over some deals, with the seeds of the seats."""
    people: dict[Seat, Limits] = {}
    if isinstance(config, MatchConfig):
        seated = enumerate(spec.seats)
        people = {seat: config.people[bot] for seat, bot in seated if bot in config.people}
    rules, limits = config.rules_at(spec.lineup), config.match_limits
    again = config.limits.restart
    return MatchPlan(rules, limits, config.max_faults, deals, seeds, config.session, people, again)


@lru_cache(maxsize=2)
def _given(
    rules: Rules, seed: str, texts: tuple[str, ...]
) -> tuple[tuple[Deal, ...], tuple[int, ...]]:
    deals = [read_deal(text, rules.players) for text in texts]
    return tuple(deals), seat_seeds(rules, seed, deals)


@lru_cache(maxsize=2)
def _dealt(
    rules: Rules, seed: str, table: Lineup, first: int, deals: int, session: int | None
) -> tuple[tuple[Deal, ...], tuple[int, ...]]:
    """The deals of a table and the seeds of its seats, which all its seatings have in common."""
    dealt = league_deals(rules, seed, table, first, deals, session)
    return tuple(dealt), seat_seeds(rules, seed, dealt)
