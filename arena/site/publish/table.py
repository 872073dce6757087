"""Makes the documents of the league as a whole: its numbers, the table, the proof of its deals."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from math import inf
from typing import Literal

import msgspec

from arena.record.rows import Facts
from arena.reports.language import Saying
from arena.reports.sentences import elo_remarks
from arena.site.documents.league import (
    LeagueDocument,
    Numbers,
    Proof,
    StandingLine,
)
from arena.site.publish.league_state import LeagueState
from arena.site.publish.ledger_view import LedgerView
from arena.site.registry.accounts import Account
from arena.site.registry.announcements import Announcement
from arena.stats.figures import Standing


class Counts(msgspec.Struct, frozen=True):
    """The numbers of stored matches, of games and of decisions."""

    stored: int = 0
    games: int = 0
    decisions: int = 0


def league_document(
    state: LeagueState, facts: Facts, paused: str, waits: str, announced: Announcement | None
) -> LeagueDocument:
    """Return what every page may tell. `waits` says why no table can be formed."""
    view, config = state.view, state.config
    how: Literal["waiting", "playing", "closed", "sealed"] = "playing" if view.open else "waiting"
    if view.ledger.season is not None:
        how = "sealed" if view.ledger.secret is not None else "closed"
    return LeagueDocument(
        name=config.name,
        practice=facts.practice,
        state=how,
        paused=paused,
        season=facts.season,
        submit_until=_seconds(config.submit_until),
        close_at=_seconds(config.close_at),
        waits=waits,
        publish=config.publish,
        announced=announced,
    )


def numbers_document(state: LeagueState, made: Counts, plays: bool, at: float) -> Numbers:
    """Return what was played so far; the next table comes some time if the league `plays`."""
    ledger = state.view.ledger
    ordered = ledger.last_order_at if plays and not state.view.open else None
    return Numbers(
        at=at,
        next_at=None if ordered is None else ordered + 3600 / state.config.trickle,
        lines=ledger.read,
        hash=ledger.hash,
        orders=len(ledger.orders),
        matches=made.stored,
        games=made.games,
        decisions=made.decisions,
    )


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()


def standing(
    row: Standing, view: LedgerView, width: float, accounts: Mapping[str, Account]
) -> StandingLine:
    """Return a bot's line of the live table; `width` is the wanted width of intervals.

    Authors have `accounts` by name, but for those of the league's file.
    """
    bot = row.bot
    joined, left = view.ledger.joined.get(bot), view.ledger.left.get(bot)
    account = accounts.get(joined.author) if joined and not joined.house else None
    low, high = row.strength_ci95 or (-inf, inf)
    return StandingLine(
        **msgspec.structs.asdict(row),
        author=joined.author if joined else "",
        team=account.team if account else "",
        house=joined is not None and joined.house,
        state="left" if row.left else "benched" if bot in view.ledger.benched else "playing",
        why=left[1] if left and row.left else view.ledger.benched.get(bot, ""),
        joined=view.ledger.came.get(bot),
        needs=not row.left and high - low > width,
    )


def table_remarks(lines: Sequence[StandingLine], view: LedgerView) -> Iterator[Saying]:
    """Yield sentences that readers of the table must know."""
    if any(line.house and line.state == "playing" for line in lines):
        yield Saying("house-bots-are")
    parts = {line.part for line in lines if line.part is not None and line.state == "playing"}
    if len(parts) > 1:
        yield Saying("groups-not-met")
    yield from elo_remarks(lines)


def proof_document(view: LedgerView) -> Proof:
    """Return the commitment to the season's secret, and the secret once the season is over."""
    ledger = view.ledger
    return Proof(
        commitment=ledger.commitment,
        committed_at=ledger.committed_at,
        secret=ledger.secret,
        sealed_at=ledger.sealed_at,
        orders=len(ledger.orders),
    )
