"""The standings of a league and its other tables, in a terminal, with remarks for readers."""

import shlex
from collections.abc import Iterator

import msgspec
from rich.text import Text

from arena.record.store import Store
from arena.record.summary import Report, Summary
from arena.reports.language import ENGLISH, Language, Phrase
from arena.reports.sentences import company_text
from arena.reports.tables import (
    AT_END,
    COMPANY_COLUMNS,
    PAIR_COLUMNS,
    SEAT_COLUMNS,
    SO_FAR,
    STAKES,
    Column,
    Measure,
    Table,
    ranking_columns,
    role_columns,
    signed,
    standing_columns,
)
from arena.reports.terminal import console, show_lines, show_prose, show_table
from arena.stats.figures import Analysis, HeadToHead, from_other_side

_MAX_COMPANY = 40  # pairs of authors that are shown
_NAME, _CELL = 16, 12  # characters of a bot's name at the head of a row, and of a column


def measure_of(summary: Summary) -> Measure:
    """The figure that orders a league's standings."""
    plain = summary.equal_schedule or summary.tournament is not None
    return SO_FAR if summary.open else STAKES if plain else AT_END


def standings_table(summary: Summary) -> Table:
    """The standings, with a line between bots that never met, or left and stayed.

    A tournament's are its ranking; those of a season with a final have the ranks in it.
    """
    title = f"{summary.league}: {Language(ENGLISH).said(progress(summary))}"
    ranking, state, final = summary.tournament, summary.open, summary.final
    if ranking is not None:
        rows = [*zip(ranking.ranking, summary.standings, strict=True)]
        return Table(ranking_columns(ranking.rounds), rows, title)
    marks = dict.fromkeys(state.house if state else (), " (house)")
    marks |= dict.fromkeys(state.benched if state else (), " (benched)")
    columns = standing_columns(measure_of(summary), marks)
    if final is not None:
        ranks = {line.bot: line.rank for line in final.standings}
        columns += (Column("final_rank", value=lambda it: ranks.get(it.bot)),)
    return Table(columns, summary.standings, title, part=lambda it: (it.left, it.part))


def show_summary(summary: Summary, store: Store) -> None:
    """Print the standings with remarks on how to read them, and what to run next.

    The table of a season's final comes before the live one.
    """
    final = summary.final
    if final is not None:
        title = f"Final of season {final.season}: {final.sets_played} of {final.sets} sets"
        columns = standing_columns(STAKES if final.equal_schedule else AT_END)
        show_table(Table(columns, final.standings, title))
        show_lines("")
    show_table(standings_table(summary))
    for remark in remarks(summary):
        show_prose(Language(ENGLISH).said(remark))
    named = shlex.quote(str(store.path))
    if any(line.faults for line in summary.standings):
        show_prose(f"Faults: arena faults {named}")
    show_prose(f"Record: {store.path}   Check it: arena verify {named}")


def show_analysis(report: Report, name: str) -> None:
    """Show another table: `crosstable`, `roles`, `seats` or `company`."""
    show_lines("")
    if name == "crosstable":
        _show_crosstable(report)
        return
    table = analysis_table(report.analysis, name)
    if name == "company":
        table = msgspec.structs.replace(table, rows=table.rows[:_MAX_COMPANY])
    show_table(table)
    if name == "company" and table.rows:
        show_prose(Language(ENGLISH).said(company_text(report.analysis.company)))


def analysis_table(found: Analysis, name: str) -> Table:
    """Such a table as programs read it, too: the crosstable has both sides of every pair."""
    match name:
        case "crosstable":
            both = (each for pair in found.pairs for each in (pair, from_other_side(pair)))
            return Table(PAIR_COLUMNS, [*both])
        case "roles":
            title = "By role: % of hands declared, % of these won, stakes per deal, % of declared"
            return Table(role_columns(found.roles), found.roles, title)
        case "seats":
            return Table(SEAT_COLUMNS, found.seats, "By seat: stakes per deal")
        case _:
            title = "By company: stakes per deal that an author's bots gained on another's"
            none = "By company: no bots of two authors have met."
            return Table(COMPANY_COLUMNS, found.company, title, none=none)


# Every two bots in as many panels as the terminal's width asks for
def _show_crosstable(report: Report) -> None:
    pairs = {(it.bot, it.other): it for it in analysis_table(report.analysis, "crosstable").rows}
    names = [line.bot for line in report.standings if line.bot in report.analysis.bots]

    def column(name: str) -> Column[str]:
        return Column("", name[: _CELL - 1], format=lambda row: _met(pairs.get((row, name))))

    show_prose("Stakes per deal of the row against the column in common sets (*: over 97.5 % sure)")
    step = max(1, (console().width - _NAME) // _CELL)
    for begin in range(0, len(names), step):
        across = map(column, names[begin : begin + step])
        show_table(Table((Column("", "bot", format=str, wraps=True), *across), names))


# The row's gap to the column, marked and coloured if it is sure who is better
def _met(pair: HeadToHead | None) -> Text:
    if pair is None or pair.identical or pair.met is None:
        return Text("" if pair is None else "same" if pair.identical else "-")
    text = signed(pair.met.stakes_per_deal, 2, pair.met.pm)
    if not pair.met.decided:
        return Text(text)
    return Text(f"{text}*", "green" if pair.met.stakes_per_deal > 0 else "red")


def progress(summary: Summary) -> Phrase:
    """The sets played, of how many if the league has an end, and whether it is complete."""
    rounds = summary.tournament
    played, of = (summary.sets_played, summary.sets)
    if rounds is not None:
        message, played, of = "progress-rounds", rounds.played, rounds.rounds
    elif summary.open or (summary.complete and summary.sets_void):
        message, of = "progress-so-far" if summary.open else "progress-all", played
    else:
        message = "progress-of"
    return Phrase(
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


def remarks(summary: Summary) -> list[Phrase]:
    """Remarks on how to read a league's standings, a sentence each."""
    levels = summary.isolation
    level = ", ".join(f"{it} ({of})" if len(levels) > 1 else it for it, of in levels.items())
    remarks_if = (
        *([] if summary.tournament else _of_ratings(summary)),
        (summary.sets_void, Phrase("sets-are-void", {"count": summary.sets_void})),
        *(
            (True, Phrase("to-be-played-again", {"lineup": ", ".join(it.lineup), "why": it.why}))
            for it in summary.owed
        ),
        (level, Phrase("isolation-was", {"level": level})),
        *(
            (True, Phrase("network-of", {"bot": bot, "addresses": ", ".join(addresses)}))
            for bot, addresses in summary.network.items()
        ),
    )
    found = [remark for holds, remark in remarks_if if holds]
    if summary.tournament is not None:
        order = Phrase("tournament-order", {"deals": summary.tournament.deals})
        found = [order, Phrase("tournament-no-interval"), *found]
    return [*found, *_of_seeds(summary)]


def _of_ratings(summary: Summary) -> Iterator[tuple[object, Phrase]]:
    lines, is_open = summary.standings, summary.open is not None
    playing = [line for line in lines if not line.left]
    parts = sorted({line.part for line in playing if line.part is not None})
    groups = (", ".join(it.bot for it in playing if it.part == part) for part in parts)
    yield not parts, Phrase("no-set-complete")
    yield parts[1:], Phrase("groups-apart", {"groups": "; ".join(groups)})
    yield is_open, Phrase("so-far-holds")
    yield is_open, Phrase("strength-against-field")
    yield not is_open and not summary.equal_schedule, Phrase("strength-against-equals")
    yield any(line.elo_bound for line in lines), Phrase("elo-bounds")
    yield any(line.sets and line.ci95 is None for line in lines), Phrase("intervals-need")
    for same in summary.identical:
        one, other = same.bots
        yield True, Phrase("identical-on", {"one": one, "other": other, "count": same.deals})


def _of_seeds(summary: Summary) -> Iterator[Phrase]:
    seed, commitment = summary.seed or "", summary.commitment
    if summary.earlier_seeds:
        yield Phrase("earlier-seeds", {"seeds": ", ".join(summary.earlier_seeds)})
    if summary.practice:
        yield Phrase("practice-seed", {"seed": seed})
    elif summary.open and not summary.complete:
        yield Phrase("season-secret", {"hash": commitment})
    elif seed:
        yield Phrase("seed-shown", {"seed": seed, "hash": commitment})
    else:
        yield Phrase("seed-committed", {"hash": commitment})
