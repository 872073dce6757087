"""Makes the documents of the league as a whole: its numbers, the table, the epochs, the rules."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import msgspec

from arena.base.resources import Resources
from arena.league.epochs import Epoch as Found
from arena.league.ledger import Line
from arena.league.terms import Terms
from arena.record.facts import is_practice, read_season
from arena.record.summary import Final
from arena.site.documents.league import (
    EpochLine,
    Epochs,
    LeagueDocument,
    LedgerLine,
    Rule,
    RulesDocument,
    SeasonFinal,
    StandingLine,
)
from arena.site.publish.league_state import LeagueState
from arena.site.publish.ledger_view import LedgerView, moment
from arena.stats.figures import Standing as Row
from arena.zole.rules import ROWS
from arena.zole.sources import nearest_preset, origins, titles, values


class Counts(msgspec.Struct, frozen=True):
    """How much was played."""

    stored: int = 0
    games: int = 0
    decisions: int = 0


def league_document(
    state: LeagueState, facts: Mapping[str, str], made: Counts, paused: str, at: float
) -> LeagueDocument:
    """The league in a few numbers."""
    view, terms = state.view, state.terms
    open_terms = terms.open
    assert open_terms is not None
    how: Literal["waiting", "playing", "closed", "sealed"] = "playing" if view.open else "waiting"
    if view.field.season is not None:
        how = "sealed" if view.field.sealed else "closed"
    return LeagueDocument(
        name=terms.name,
        practice=is_practice(facts),
        state=how,
        paused=paused,
        at=at,
        season=read_season(facts),
        epoch=view.field.epoch,
        epoch_ends=None if view.begun is None else view.begun + 3600 * open_terms.epoch_hours,
        lines=view.read,
        hash=view.hash,
        orders=view.field.orders,
        matches=made.stored,
        games=made.games,
        decisions=made.decisions,
        width=open_terms.width,
        trickle=open_terms.trickle,
        publish=open_terms.publish,
    )


def standing(row: Row, view: LedgerView, width: float) -> StandingLine:
    """A bot's line of the live table."""
    bot = row.bot
    joined = view.joined.get(bot)
    benched = view.field.benched.get(bot, "")
    left = view.left.get(bot)
    one_look = None
    if row.strength_ci95 is not None:
        one_look = (row.strength_ci95[1] - row.strength_ci95[0]) / 2
    return StandingLine(
        bot=bot,
        author=joined.author if joined else "",
        house=joined is not None and joined.house,
        state="left" if row.left else "benched" if bot in view.field.benched else "playing",
        why=left[1] if left and row.left else benched,
        rank=row.rank if row.sets else None,
        ranks=row.anytime_ranks or row.ranks,
        part=row.part,
        strength=row.strength,
        interval=row.anytime_ci95,
        at_one_look=one_look,
        stakes=row.stakes_per_deal,
        elo=row.elo,
        elo_half=row.elo_pm,
        elo_bound=row.elo_bound,
        games=row.games,
        sets=row.sets,
        void_sets=row.void_sets,
        disqualified=row.disqualified,
        faults=row.faults,
        joined=view.came.get(bot),
        needs=not row.left and (one_look is None or 2 * one_look > width),
    )


def season_final(final: Final, view: LedgerView) -> SeasonFinal:
    """The final of a season that is closed."""
    lines = tuple(
        msgspec.structs.replace(
            standing(row, view, 0.0), interval=row.strength_ci95, ranks=row.ranks, needs=False
        )
        for row in final.standings
    )
    return SeasonFinal(
        season=final.season, sets=final.sets, sets_played=final.sets_played, lines=lines
    )


def remarks(lines: Sequence[StandingLine], view: LedgerView) -> Iterator[str]:
    """What readers of the table must know."""
    if any(line.house and line.state == "playing" for line in lines):
        yield "House bots are the arena's own: they play where fewer than three authors do."
    parts = {line.part for line in lines if line.part is not None and line.state == "playing"}
    if len(parts) > 1:
        yield "Bots of different groups have not met, directly or through others."


def epochs_document(view: LedgerView, hours: float) -> Epochs:
    """All epochs, the newest first."""
    ends = None if view.begun is None else view.begun + 3600 * hours
    found = tuple(_epoch(each) for each in reversed(view.epochs.values()))
    return Epochs(epochs=found, hours=hours, ends=ends)


def ledger_line(line: Line) -> LedgerLine:
    """A line of the ledger: all of it is public, and no secret is in it before its time."""
    return LedgerLine(number=line.number, text=line.text, hash=line.hash)


def rules_document(terms: Terms) -> RulesDocument:
    """What the league is played by."""
    rules, open_terms = terms.rules, terms.open
    assert open_terms is not None
    name, changed = nearest_preset(rules)
    known = origins()
    paid = {each: getattr(rules.scoring, each) for each in rules.auction.contracts}
    return RulesDocument(
        preset=name,
        title=titles()[name],
        players=rules.players,
        session=terms.session,
        rules=tuple(
            Rule(key=key, value=_shown(value), about=known[key].about, changed=key in changed)
            for key, value in values(rules).items()
        ),
        levels=ROWS,
        payments={name: each for name, each in paid.items() if len(each) == len(ROWS)},
        limits={**_limits(terms), **_resources(terms.resources)},
        apart=open_terms.apart,
        width=open_terms.width,
        epoch_hours=open_terms.epoch_hours,
        trickle=open_terms.trickle,
        publish=open_terms.publish,
        final=open_terms.final,
        final_deals=open_terms.final_deals,
    )


def _epoch(found: Found) -> EpochLine:
    return EpochLine(
        epoch=found.epoch,
        commitment=found.commitment,
        committed=moment(found.committed_at),
        field=found.field,
        begun=_moment(found.begun_at),
        orders=found.orders,
        secret=found.secret,
        revealed=_moment(found.revealed_at),
        seed=found.seed,
    )


def _moment(at: str | None) -> float | None:
    return None if at is None else moment(at)


def _limits(terms: Terms) -> Mapping[str, str]:
    return {
        "move_s": _shown(terms.limits.move_s),
        "start_s": _shown(terms.limits.start_s),
        "max_faults": str(terms.max_faults),
    }


def _resources(allowed: Resources) -> Mapping[str, str]:
    found = msgspec.structs.asdict(allowed)
    return {key: _shown(value) for key, value in found.items() if value is not None}


def _shown(value: object) -> str:
    """A value as a league's file has it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return ", ".join(map(_shown, value))
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)
