"""The standings of a league: its tables in a terminal, and what readers of them must know."""

import json
import shlex
from collections.abc import Iterator
from datetime import UTC
from typing import Final

import msgspec

from arena.base.words import count, deal_number
from arena.league.config import OpenConfig, zone_named
from arena.match.record import ends_program
from arena.record.store import Store
from arena.record.summary import Identical, OpenState, Summary
from arena.reports.columns import (
    AT_END,
    SO_FAR,
    STAKES,
    Measure,
    ranking_columns,
    standing_columns,
)
from arena.reports.language import ENGLISH, Language, Saying, Value
from arena.reports.sentences import disqualified, elo_remarks
from arena.reports.table import Column, Table
from arena.reports.terminal import show_line, show_prose, show_table
from arena.zole.sources import nearest_preset, sources

_ENDS: Final = {
    "exited": "crashed",
    "flooded": "wrote too much",
    "malformed": "was never ready",
    "resource": "exceeded a limit",
    "unready": "was never ready",
}
"""What a bot did that played no more in a match, by the kind of its fault."""


def measure_of(summary: Summary) -> Measure:
    """The figure that orders a league's standings."""
    plain = summary.equal_schedule or summary.tournament is not None
    return SO_FAR if summary.open else STAKES if plain else AT_END


def standings_table(summary: Summary) -> Table:
    """The standings, with a line between bots that never met, or left and stayed.

    A tournament's are its ranking; those of a season with a final have the ranks in it.
    """
    title = f"{summary.league}: {Language(ENGLISH).said(progress(summary))}"
    ranking = summary.tournament
    if ranking is not None:
        rows = [*zip(ranking.ranking, summary.standings, strict=True)]
        return Table(ranking_columns(ranking.rounds), rows, title)
    state, final = summary.open, summary.final
    house, benched = (state.house, state.benched) if state else ((), {})
    marks = {**dict.fromkeys(house, " (house)"), **dict.fromkeys(benched, " (benched)")}
    columns = standing_columns(measure_of(summary), marks)
    if final is not None:
        ranks = {line.bot: line.rank for line in final.standings}
        columns += (Column("final_rank", value=lambda it: ranks.get(it.bot)),)
    return Table(columns, summary.standings, title, part=lambda it: (it.left, it.part))


def show_summary(summary: Summary, store: Store) -> None:
    """Print the standings with remarks on how to read them, and what to run next.

    The table of a season's final comes before the live one.
    """
    final, english = final_of(summary), Language(ENGLISH)
    if final is not None:
        show_table(standings_table(final))
        show_line()
    show_table(standings_table(summary))
    for remark in remarks(summary):
        show_prose(english.said(remark))
    details = shlex.join(("arena", "faults", str(store.path)))
    for bot, (ends, forfeited) in forfeits(store).items():
        lost = f"{', '.join(ends)}; {count(forfeited, 'deal')} forfeited"
        show_prose(f"{bot}: {lost}. Details: {details} --bot {shlex.quote(bot)}")
    command = shlex.join(("arena", "verify", str(store.path)))
    show_prose(f"Record: {store.path}   Check it: {command}")


def forfeits(store: Store) -> dict[str, tuple[list[str], int]]:
    """For each bot that ended: in how many matches and how, and the deals forfeited by that."""
    lost: dict[str, dict[str, set[tuple[int, int]]]] = {}
    for match, bot, entry in store.each_fault():
        if ends_program(entry.fault):
            deals = lost.setdefault(bot, {}).setdefault(entry.fault.kind, set())
            deals.add((match, entry.deal))
    found: dict[str, tuple[list[str], int]] = {}
    for bot, kinds in sorted(lost.items()):
        ended = {kind: len({match for match, _ in deals}) for kind, deals in sorted(kinds.items())}
        ends = [f"{_ENDS[kind]} in {count(matches, 'match')}" for kind, matches in ended.items()]
        found[bot] = ends, sum(map(len, kinds.values())) - sum(ended.values())
    return found


def final_of(summary: Summary) -> Summary | None:
    """The summary of a season's final as that of a league of its own; None before there is one."""
    final = summary.final
    if final is None:
        return None
    return msgspec.structs.replace(
        summary,
        league=f"{summary.league}, final of season {final.season}",
        complete=final.sets_played + final.sets_void == final.sets,
        sets=final.sets,
        sets_played=final.sets_played,
        sets_void=final.sets_void,
        equal_schedule=final.equal_schedule,
        standings=final.standings,
        open=None,
        final=None,
    )


def standings_order(summary: Summary) -> list[tuple[str, float]]:
    """The bots that have played a set, the best first, with the value that orders them.

    A tournament's are in the order of its ranking, with their stakes.
    """
    of = measure_of(summary).of
    found = ((line, of(line)[0]) for line in summary.standings)
    return [(line.bot, value) for line, value in found if line.sets and value is not None]


def progress(summary: Summary) -> Saying:
    """The sets played, of how many if the league has an end, and whether it is complete."""
    values: dict[str, Value | tuple[Saying, ...]] = {
        "unit": "session" if summary.session else "set",
        "count": summary.sets_played,
        "void": summary.sets_void,
        "practice": "yes" if summary.practice else "no",
    }
    if summary.open:
        return Saying("progress-so-far", values)
    if summary.tournament is not None:
        rounds = {"played": summary.tournament.played, "count": summary.tournament.rounds}
        complete = "yes" if summary.complete else "no"
        return Saying("progress-rounds", {**values, **rounds, "complete": complete})
    if summary.complete and summary.sets_void:
        return Saying("progress-all", values)
    complete = "yes" if summary.complete else "no"
    values |= {"played": summary.sets_played, "count": summary.sets, "complete": complete}
    return Saying("progress-of", values)


def unit_of(summary: Summary) -> Saying:
    """The meaning of a set in this league: the unit that all statistics count."""
    if summary.tournament is not None:
        return Saying("set-is-table", {"deals": summary.tournament.deals})
    some, every = summary.seatings or (1, 1)
    values = {"some": some, "every": 0 if some == every else every}
    return Saying("set-is", {"deals": summary.session or 0, **values})


def remarks(summary: Summary) -> list[Saying]:
    """Remarks on how to read a league's standings, a sentence each."""
    return [*remarks_on_sets(summary), *remarks_on_seeds(summary)]


def remarks_on_sets(summary: Summary) -> list[Saying]:
    """Remarks on which sets count and how."""
    if summary.tournament is not None:
        order = Saying("tournament-order", {"deals": summary.tournament.deals})
        return [order, Saying("tournament-no-interval"), *_of_matches(summary)]
    return [*_of_ratings(summary), *_of_matches(summary)]


def _of_ratings(summary: Summary) -> Iterator[Saying]:
    lines = summary.standings
    playing = [line for line in lines if not line.left]
    parts = sorted({line.part for line in playing if line.part is not None})
    if not parts:
        yield Saying("no-set-complete")
    if len(parts) > 1:
        groups = (", ".join(it.bot for it in playing if it.part == part) for part in parts)
        yield Saying("groups-apart", {"groups": "; ".join(groups)})
    if summary.open:
        yield Saying("so-far-holds")
        yield Saying("strength-against-field")
    elif not summary.equal_schedule:
        yield Saying("strength-against-equals")
    if any(line.elo_bound for line in lines):
        yield Saying("elo-bounds")
    yield from elo_remarks(lines)
    if any(line.left for line in lines):
        yield Saying("left-without-ranks")
    if any(line.sets and line.ci95 is None for line in lines):
        yield Saying("intervals-need")
    yield from map(identical, summary.identical)


def identical(same: Identical) -> Saying:
    """The bots that did the same on all their deals."""
    one, other = same.bots
    return Saying("identical-on", {"one": one, "other": other, "count": same.deals})


def _of_matches(summary: Summary) -> Iterator[Saying]:
    if summary.sets_void:
        yield Saying("sets-are-void", {"count": summary.sets_void})
    for void in summary.void:
        begin, end = deal_number(void.first), deal_number(void.first + void.deals - 1)
        yield Saying(
            "void-deals",
            {
                "lineup": ", ".join(void.lineup),
                "first": str(begin),
                "last": str(end),
                "count": void.deals,
                "disqualified": disqualified(void.disqualified, void.seatings),
            },
        )
    for owed in summary.owed:
        yield Saying("to-be-played-again", {"lineup": ", ".join(owed.lineup), "why": owed.why})
    if summary.isolation:
        levels = [
            Saying("isolation-in", {"level": level, "count": number})
            for level, number in summary.isolation.items()
        ]
        alone = next(iter(summary.isolation))
        yield Saying("isolation-was", {"level": tuple(levels) if levels[1:] else alone})


def _calendar(state: OpenState) -> Iterator[Saying]:
    """The moments of a season that are still to come or were."""
    if state.submit_until is not None or state.close_at is not None:
        zone = zone_named(state.time_zone)
        until, close = (
            "none" if each is None else f"{each.astimezone(zone or UTC):%Y-%m-%d %H:%M}"
            for each in (state.submit_until, state.close_at)
        )
        yield Saying("season-calendar", {"until": until, "close": close, "zone": str(zone or UTC)})


def remarks_on_seeds(summary: Summary) -> Iterator[Saying]:
    """Remarks on the source of the deals."""
    commitment = {"hash": summary.commitment}
    practice = Saying("practice-seed", {"seed": summary.seed or ""})
    if summary.open and not summary.complete:
        yield from _calendar(summary.open)
        if summary.practice:
            yield practice
        yield Saying("season-secret", {**commitment})
        return
    if summary.earlier_seeds:
        yield Saying("earlier-seeds", {"seeds": ", ".join(summary.earlier_seeds)})
    if summary.seed is None:
        yield Saying("seed-committed", {**commitment})
    elif summary.practice:
        yield practice
    else:
        yield Saying("seed-shown", {"seed": summary.seed, **commitment})


def record_facts(store: Store, found: Summary) -> Iterator[tuple[Saying, Saying]]:
    """Facts with their names."""
    preset, changes = nearest_preset(store.terms().config.rules)
    changed = "".join(f", {key} = {json.dumps(value)}" for key, value in changes.items())
    rules = {"preset": preset, "title": sources().titles[preset], "changes": changed}
    yield Saying("fact", {"fact": "rules"}), Saying("rules-by", {**rules})
    yield Saying("fact", {"fact": "deals"}), _deals(store, found)


def _deals(store: Store, found: Summary) -> Saying:
    """The deals played at each table, and the number of games."""
    terms = store.terms()
    if found.open is not None and isinstance(terms.config, OpenConfig):
        orders = {"count": found.open.orders, "deals": terms.config.order_deals}
        return Saying("orders-so-far", {**orders})
    if found.tournament is not None:
        rounds = {"count": found.tournament.rounds, "deals": found.tournament.deals}
        return Saying("deals-in-rounds", {**rounds})
    if not terms.lineups:
        return Saying("deals-at-each-table", {"deals": terms.deals})
    seatings, every = found.seatings or (0, 0)
    session = terms.config.session or 0
    values = {
        "deals": terms.deals,
        "tables": len(terms.lineups),
        "sessions": terms.deals // session if session else 0,
        "session": session,
        "seatings": seatings,
        "every": 0 if seatings == every else every,
        "games": found.sets_played * (session or 1) * seatings,
    }
    return Saying("deals-at-tables", {**values})
