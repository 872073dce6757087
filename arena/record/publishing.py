"""Tells which matches of a league may be shown to others than their bots' authors."""

from collections.abc import Callable

from arena.league.config import LeagueConfig, OpenConfig
from arena.league.fold import LedgerFold

MayShow = Callable[[tuple[str, ...], int], bool]
"""A test whether others may see how a match was played, by its bots in any order and first deal."""


def everything(bots: tuple[str, ...], first: int) -> bool:
    """Allow all, as an organiser is."""
    return True


def may_show(config: LeagueConfig, ledger: LedgerFold) -> MayShow:
    """Return the test for a league as it stands; of one that is not open, everything may be shown.

    An open league's `publish` says when others may see how a match was played: at once, or once its
    season is sealed. What house bots play among themselves may be seen at once, for everybody has
    them. Results are never secret.
    """
    if not isinstance(config, OpenConfig) or ledger.secret is not None:
        return everything
    if config.publish == "at_once":
        return everything

    def shown(bots: tuple[str, ...], first: int) -> bool:
        return all(ledger.joined[bot].house for bot in bots)

    return shown
