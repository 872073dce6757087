"""The terms of a league as its record keeps them: its settings, its bots, the deals to play."""

from collections.abc import Sequence, Set
from typing import Annotated

import msgspec

from arena.league.config import (
    AnyConfig,
    ClosedConfig,
    OpenConfig,
    TournamentConfig,
    refused_changes,
)
from arena.stats.figures import Lineup, Standing


class Entrant(msgspec.Struct, frozen=True):
    """A bot that ever played: the hash of its content, which names its copy, author and version."""

    digest: Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
    author: str = ""
    version: str = ""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """The settings of a league, and what has come of them so far.

    `blocks` are runs of deals, first and number; `bots` are all that ever played, by name, those of
    the file first; those `retired` no longer play. `trios` are the tables that were drawn.
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
