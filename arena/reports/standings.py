"""The standings of a league: its tables in a terminal, and what readers of them must know."""

import json
import shlex
from collections.abc import Iterator
from datetime import UTC
from typing import Final

import msgspec

from arena.base.words import count, deal_number
from arena.league.config import OpenConfig, zone_named
from arena.league.played import SeasonFinal, SetsAndStandings
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
from arena.reports.language import ENGLISH, Language, Saying
from arena.reports.numbers import signed
from arena.reports.sentences import disqualified, elo_remarks
from arena.reports.table import Column, Table
from arena.reports.terminal import show_lines, show_prose, show_table
from arena.zole.sources import nearest_preset, sources

# What a bot did that played no more in a match, by the kind of its fault
_ENDS: Final = {
    "exited": "crashed",
    "flooded": "wrote too much",
    "malformed": "was never ready",
    "resource": "exceeded a limit",
    "unready": "was never ready",
}


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
    if summary.final is not None:
        show_table(standings_table(_as_league(summary, summary.final)))
        show_lines("")
    show_table(standings_table(summary))
    for remark in remarks(summary):
        show_prose(Language(ENGLISH).said(remark))
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


# A season's final as the standings of a league of its own
def _as_league(summary: Summary, final: SeasonFinal) -> Summary:
    figures = {name: getattr(final, name) for name in SetsAndStandings.__struct_fields__}
    return msgspec.structs.replace(
        summary,
        **figures,
        league=f"{summary.league}, final of season {final.season}",
        complete=final.sets_played + final.sets_void == final.sets,
        open=None,
        final=None,
    )


def leaders(summary: Summary, most: int) -> str:
    """The best of the bots that have played a set, with the figure that orders them, in a line."""
    of = measure_of(summary).of
    found = [(line.bot, of(line)[0]) for line in summary.standings if line.sets]
    told = [f"{bot} {signed(value)}" for bot, value in found if value is not None]
    return ", ".join([*told[:most], *(["…"] if told[most:] else [])])


def progress(summary: Summary) -> Saying:
    """The sets played, of how many if the league has an end, and whether it is complete."""
    rounds = summary.tournament
    played, of = (summary.sets_played, summary.sets)
    if rounds is not None:
        message, played, of = "progress-rounds", rounds.played, rounds.rounds
    elif summary.open or (summary.complete and summary.sets_void):
        message, of = "progress-so-far" if summary.open else "progress-all", played
    else:
        message = "progress-of"
    return Saying(
        message,
        {
            "unit": "session" if summary.session else "set",
            "played": played,
            "count": of,
            "void": summary.sets_void,
            "practice": "yes" if summary.practice else "no",
            "complete": "yes" if summary.complete else "no",
        },
    )


def unit_of(summary: Summary) -> Saying:
    """The meaning of a set in this league: the unit that all statistics count."""
    if summary.tournament is not None:
        return Saying("set-is-table", {"deals": summary.tournament.deals})
    some, every = summary.seatings or (1, 1)
    every = 0 if some == every else every
    return Saying("set-is", {"deals": summary.session or 0, "some": some, "every": every})


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
    lines, is_open = summary.standings, summary.open is not None
    playing = [line for line in lines if not line.left]
    parts = sorted({line.part for line in playing if line.part is not None})
    groups = (", ".join(it.bot for it in playing if it.part == part) for part in parts)
    remarks_if = (
        (not parts, Saying("no-set-complete")),
        (len(parts) > 1, Saying("groups-apart", {"groups": "; ".join(groups)})),
        (is_open, Saying("so-far-holds")),
        (is_open, Saying("strength-against-field")),
        (not is_open and not summary.equal_schedule, Saying("strength-against-equals")),
        (any(line.elo_bound for line in lines), Saying("elo-bounds")),
        *((True, remark) for remark in elo_remarks(lines)),
        (any(line.left for line in lines), Saying("left-without-ranks")),
        (any(line.sets and line.ci95 is None for line in lines), Saying("intervals-need")),
        *((True, identical(same)) for same in summary.identical),
    )
    return (remark for holds, remark in remarks_if if holds)


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
    levels = tuple(
        Saying("isolation-in", {"level": level, "count": number})
        for level, number in summary.isolation.items()
    )
    if levels:
        alone = next(iter(summary.isolation))
        yield Saying("isolation-was", {"level": levels if levels[1:] else alone})


# The moments of a season that are still to come or were
def _calendar(state: OpenState) -> Iterator[Saying]:
    if state.submit_until is not None or state.close_at is not None:
        zone = zone_named(state.time_zone)
        until, close = (
            "none" if each is None else f"{each.astimezone(zone or UTC):%Y-%m-%d %H:%M}"
            for each in (state.submit_until, state.close_at)
        )
        yield Saying("season-calendar", {"until": until, "close": close, "zone": str(zone or UTC)})


def remarks_on_seeds(summary: Summary) -> list[Saying]:
    """Remarks on the source of the deals."""
    commitment, seed = {"hash": summary.commitment}, summary.seed or ""
    practice = [Saying("practice-seed", {"seed": seed})] if summary.practice else []
    if summary.open and not summary.complete:
        return [*_calendar(summary.open), *practice, Saying("season-secret", {**commitment})]
    earlier = ", ".join(summary.earlier_seeds)
    before = [Saying("earlier-seeds", {"seeds": earlier})] if earlier else []
    if summary.seed is None:
        return [*before, Saying("seed-committed", {**commitment})]
    return [*before, *(practice or [Saying("seed-shown", {"seed": seed, **commitment})])]


def record_facts(store: Store, found: Summary) -> Iterator[tuple[Saying, Saying]]:
    """Facts with their names."""
    preset, changes = nearest_preset(store.terms().config.rules)
    changed = "".join(f", {key} = {json.dumps(value)}" for key, value in changes.items())
    rules = {"preset": preset, "title": sources().titles[preset], "changes": changed}
    yield Saying("fact", {"fact": "rules"}), Saying("rules-by", {**rules})
    yield Saying("fact", {"fact": "deals"}), _deals(store, found)


# The deals played at each table, and the number of games
def _deals(store: Store, found: Summary) -> Saying:
    terms = store.terms()
    if found.open is not None and isinstance(terms.config, OpenConfig):
        orders = terms.config.order_deals
        return Saying("orders-so-far", {"count": found.open.orders, "deals": orders})
    if found.tournament is not None:
        rounds = found.tournament
        return Saying("deals-in-rounds", {"count": rounds.rounds, "deals": rounds.deals})
    if not terms.lineups:
        return Saying("deals-at-each-table", {"deals": terms.deals})
    (seatings, every), session = found.seatings or (0, 0), terms.config.session or 0
    return Saying(
        "deals-at-tables",
        {
            "deals": terms.deals,
            "tables": len(terms.lineups),
            "sessions": terms.deals // session if session else 0,
            "session": session,
            "seatings": seatings,
            "every": 0 if seatings == every else every,
            "games": found.sets_played * (session or 1) * seatings,
        },
    )
