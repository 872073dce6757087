"""The standings of a league as a table for a terminal, with remarks on how to read them."""

import shlex
from collections.abc import Iterable, Iterator
from datetime import UTC
from itertools import pairwise
from typing import Final

import msgspec
from rich.table import Table
from rich.text import Text

from arena.base.words import count, deal_number
from arena.league.config import zone_named
from arena.match.record import ends_program
from arena.record.store import Store
from arena.record.summary import Identical, OpenState, Summary
from arena.reports.language import ENGLISH, Language, Saying, Value
from arena.reports.numbers import bounds, disqualified, half, ranks, signed, with_half
from arena.reports.terminal import console, faults_text, show_prose, show_table
from arena.reports.tournament import tournament_remarks, tournament_table
from arena.stats.figures import Standing

_ENDS: Final = {
    "exited": "crashed",
    "flooded": "wrote too much",
    "malformed": "was never ready",
    "resource": "exceeded a limit",
    "unready": "was never ready",
}
"""What a bot did that played no more in a match, by the kind of its fault."""


def show_summary(summary: Summary, store: Store) -> None:
    """Print the standings with remarks on how to read them, and what to run next.

    The table of a season's final comes before the live one.
    """
    record = store.path
    out = console()
    final = final_of(summary)
    if final is not None:
        show_table(out, *standings_table(final))
        out.print()
    show_table(out, *standings_table(summary))
    english = Language(ENGLISH)
    for remark in remarks(summary):
        show_prose(out, english.said(remark))
    details = shlex.join(("arena", "faults", str(record)))
    for bot, (ends, forfeited) in forfeits(store).items():
        lost = f"{', '.join(ends)}; {count(forfeited, 'deal')} forfeited"
        show_prose(out, f"{bot}: {lost}. Details: {details} --bot {shlex.quote(bot)}")
    command = shlex.join(("arena", "verify", str(record)))
    show_prose(out, f"Record: {record}   Check it: {command}")


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


def standings_table(summary: Summary) -> tuple[Table, tuple[str, ...]]:
    """The standings as a table, with a line between bots that never met, or left and stayed.

    With it come its columns that a narrow terminal can do without, the first to go first.
    """
    if summary.tournament is not None:
        return tournament_table(summary, summary.tournament, title(summary))
    table = Table(title=title(summary), title_justify="left", box=None, pad_edge=False)
    table.add_column("#", justify="right", no_wrap=True)
    best = "ranks so far" if summary.open else "ranks"
    table.add_column(best, justify="right", no_wrap=True)
    table.add_column("bot", overflow="fold", min_width=8)
    points: tuple[str, ...] = ("strength", "stakes/deal")
    if summary.open:
        points = ("strength so far", "at one look", "stakes/deal")
    elif summary.equal_schedule:
        points = ("stakes/deal", "95 %")
    void = ("void",) if summary.sets_void else ()
    for name in (*points, "Elo", "±", "sets", *void):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("faults", overflow="fold", min_width=8)
    group = None
    for line in summary.standings:
        if group is not None and (line.left, line.part) != group:
            table.add_row()
        group = line.left, line.part
        table.add_row(*_cells(line, summary))
    return table, ("±", "Elo", *points[2:], best, "sets", "void", points[1], "faults")


def standings_order(summary: Summary) -> list[tuple[str, float]]:
    """The bots that have played a set, the best first, with the value that orders them.

    A tournament's are in the order of its ranking, with their stakes.
    """
    found: list[tuple[str, float]] = []
    plain = summary.equal_schedule or summary.tournament is not None
    for line in summary.standings:
        value = line.stakes_per_deal if plain else line.strength
        if line.sets and value is not None:
            found.append((line.bot, value))
    return found


def title(summary: Summary) -> str:
    """The league's name and its `progress`."""
    return f"{summary.league}: {Language(ENGLISH).said(progress(summary))}"


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


def _cells(line: Standing, summary: Summary) -> tuple[str | Text, ...]:
    stakes = signed(line.stakes_per_deal)
    points: tuple[str, ...] = (stakes, bounds(line.ci95))
    if summary.open:
        so_far = with_half(line.strength, line.anytime_ci95)
        points = (so_far, half(line.strength_ci95) or "-", stakes)
    elif not summary.equal_schedule:
        points = (with_half(line.strength, line.strength_ci95), stakes)
    void = (str(line.void_sets),) if summary.sets_void else ()
    return (
        "-" if line.ranks is None else str(line.rank),
        ranks(line.anytime_ranks if summary.open else line.ranks),
        Text(f"{line.bot}{bot_remark(line.bot, summary)}"),
        *points,
        "-" if line.elo is None else f"{line.elo_bound or ''}{line.elo:z.0f}",
        "-" if line.elo_pm is None else f"{line.elo_pm:.0f}",
        str(line.sets),
        *void,
        faults_text(line.faults) + (f", {line.disqualified} out" if line.disqualified else ""),
    )


def bot_remark(bot: str, summary: Summary) -> str:
    """The remark beside the name of a bot of an open league."""
    if summary.open is None:
        return ""
    if bot in summary.open.benched:
        return " (benched)"
    return " (house)" if bot in summary.open.house else ""


def remarks(summary: Summary) -> list[Saying]:
    """Remarks on how to read a league's standings, a sentence each."""
    return [*remarks_on_sets(summary), *remarks_on_seeds(summary)]


def remarks_on_sets(summary: Summary) -> list[Saying]:
    """Remarks on which sets count and how."""
    if summary.tournament is not None:
        return [*tournament_remarks(summary.tournament), *_of_matches(summary)]
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


def elo_remarks(lines: Iterable[Standing]) -> Iterator[Saying]:
    """A remark where Elo would give another order than the ranks; lines come in that of ranks."""
    rated = [
        (line.part, -line.elo)
        for line in lines
        if line.ranks is not None and line.elo is not None and not line.elo_bound
    ]
    if any(below[0] == above[0] and below < above for above, below in pairwise(rated)):
        yield Saying("elo-disagrees")


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
