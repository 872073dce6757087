"""Makes the documents of the league as a whole: its numbers, the table, its rules, the proof."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from math import inf
from typing import TYPE_CHECKING, Literal

import msgspec

from arena.base.resources import Resources
from arena.league.config import LeagueConfig, OpenConfig
from arena.league.fold import LedgerFold
from arena.record.rows import Facts
from arena.reports.language import Saying
from arena.reports.sentences import elo_remarks
from arena.site.documents import (
    LeagueDocument,
    Numbers,
    Proof,
    Rule,
    RulesDocument,
    StandingLine,
)
from arena.site.registry.accounts import Account
from arena.site.registry.requests import Announcement
from arena.stats.figures import Standing
from arena.zole.rules import POINTS_ROWS
from arena.zole.sources import nearest_preset, sources, values


def rules_document(config: LeagueConfig) -> RulesDocument:
    """Return the rules that a league is played by."""
    rules = config.rules
    name, changed = nearest_preset(rules)
    paid = {each: getattr(rules.scoring, each) for each in rules.auction.contracts}
    return RulesDocument(
        preset=name,
        title=sources().titles[name],
        players=rules.players,
        session=config.session,
        rules=tuple(
            Rule(key=key, value=_shown(value), changed=key in changed)
            for key, value in values(rules).items()
        ),
        levels=POINTS_ROWS,
        payments={name: each for name, each in paid.items() if len(each) == len(POINTS_ROWS)},
        limits={**_limits(config), **_resources(config.resources)},
        open=config.public() if isinstance(config, OpenConfig) else None,
    )


def _limits(config: LeagueConfig) -> Mapping[str, str]:
    return {
        "move_s": _shown(config.limits.move_s),
        "start_s": _shown(config.limits.start_s),
        "max_faults": str(config.max_faults),
    }


def _resources(allowed: Resources) -> Mapping[str, str]:
    found = msgspec.structs.asdict(allowed)
    return {key: _shown(value) for key, value in found.items() if value is not None}


# Return a value as a league's file has it.
def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return ", ".join(map(_shown, value))
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


if TYPE_CHECKING:  # the rules of a report need no league that goes on
    from arena.site.publish.league_state import LeagueState


class Counts(msgspec.Struct, frozen=True):
    """The numbers of stored matches, of games and of decisions."""

    stored: int = 0
    games: int = 0
    decisions: int = 0


def league_document(
    state: "LeagueState", facts: Facts, paused: str, waits: str, announced: Announcement | None
) -> LeagueDocument:
    """Return what every page may tell. `waits` says why no table can be formed."""
    ledger, config = state.ledger, state.config
    how: Literal["waiting", "playing", "closed", "sealed"] = "playing" if state.open else "waiting"
    if ledger.season is not None:
        how = "sealed" if ledger.secret is not None else "closed"
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


def numbers_document(state: "LeagueState", made: Counts, plays: bool, at: float) -> Numbers:
    """Return what was played so far; the next table comes some time if the league `plays`."""
    ledger = state.ledger
    ordered = ledger.last_order_at if plays and not state.open else None
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
    row: Standing, ledger: LedgerFold, width: float, accounts: Mapping[str, Account]
) -> StandingLine:
    """Return a bot's line of the live table; `width` is the wanted width of intervals.

    Authors have `accounts` by name, but for those of the league's file.
    """
    bot = row.bot
    joined, left = ledger.joined.get(bot), ledger.left.get(bot)
    account = accounts.get(joined.author) if joined and not joined.house else None
    low, high = row.strength_ci95 or (-inf, inf)
    return StandingLine(
        **msgspec.structs.asdict(row),
        author=joined.author if joined else "",
        team=account.team if account else "",
        house=joined is not None and joined.house,
        state="left" if row.left else "benched" if bot in ledger.benched else "playing",
        why=left[1] if left and row.left else ledger.benched.get(bot, ""),
        joined=ledger.came.get(bot),
        needs=not row.left and high - low > width,
    )


def table_remarks(lines: Sequence[StandingLine], ledger: LedgerFold) -> Iterator[Saying]:
    """Yield sentences that readers of the table must know."""
    if any(line.house and line.state == "playing" for line in lines):
        yield Saying("house-bots-are")
    parts = {line.part for line in lines if line.part is not None and line.state == "playing"}
    if len(parts) > 1:
        yield Saying("groups-not-met")
    yield from elo_remarks(lines)


def proof_document(ledger: LedgerFold) -> Proof:
    """Return the commitment to the season's secret, and the secret once the season is over."""
    return Proof(
        commitment=ledger.commitment,
        committed_at=ledger.committed_at,
        secret=ledger.secret,
        sealed_at=ledger.sealed_at,
        orders=len(ledger.orders),
    )
