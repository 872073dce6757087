"""A league as one self-contained page: standings, figures, faults and matches."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import jinja2
import msgspec
from markupsafe import Markup

from arena.record.store import Store
from arena.record.summary import summarize_fully
from arena.record.times import measure_times
from arena.reports import figures, numbers
from arena.reports.standings import remarks, state
from arena.reports.terminal import faults_text
from arena.stats.head_to_head import HeadToHead, from_other_side

MOST_FAULTS: Final = 300
"""How many faults the page lists one by one."""

_SURE: Final = 0.975


class Cell(msgspec.Struct, frozen=True):
    """A cell of the crosstable: its text, what is told of it, and its shade from 0 to 1."""

    text: str
    told: str
    side: str
    shade: float


class Pages(msgspec.Struct, frozen=True):
    """What lies beside the page for a match: addresses of its replay and of its faults' bundles.

    `plies` are the moments of the faults by deal.
    """

    replay: str
    bundles: str | None
    plies: dict[int, int]


class FaultLine(msgspec.Struct, frozen=True):
    """A fault in a line, and where its replay and its bundle are, if there are any."""

    match: int
    deal: int
    seat: int
    bot: str
    kind: str
    detail: str
    replay: str | None
    bundle: str | None


def league_page(store: Store, pages: Mapping[int, Pages], private: bool) -> str:
    """The page of a record. `pages` are by the numbers of matches."""
    found = summarize_fully(store)
    analysis = found.analysis
    order = [line.bot for line in found.standings if line.sets]
    place = {bot: number for number, bot in enumerate(analysis.bots)}
    faults = [
        FaultLine(
            match,
            entry.deal,
            entry.fault.seat,
            bot,
            entry.fault.kind,
            entry.fault.detail if private else "",
            _moment(pages[match], entry.deal) if match in pages else None,
            pages[match].bundles if match in pages else None,
        )
        for match, bot, entry in store.faulty(MOST_FAULTS)
    ]
    of_all = sum(sum(line.faults.values()) for line in found.standings)
    growth = figures.draw_growth(analysis.growth, analysis.bots, [place[bot] for bot in order])
    means = [
        (line.bot, line.stakes_per_deal, line.ci95)
        for line in found.standings
        if line.stakes_per_deal is not None
    ]
    page: str = _template().render(
        report=found,
        state=state(found),
        remarks=remarks(found),
        order=order,
        intervals=Markup(figures.draw_intervals(means)),
        growth=Markup(growth),
        cells=_cells(analysis.pairs),
        circles=numbers.circles(analysis.circles) + " " + numbers.misfit(analysis.cycles),
        contracts=numbers.contracts(analysis.roles),
        sits_out=any(line.sitting_out.of for line in analysis.roles),
        times=measure_times(store.logs()),
        faults=faults,
        more_faults=of_all - len(faults),
        matches=list(store.outlines()),
        pages=pages,
        private=private,
        record=store.path.name,
    )
    return page


def _moment(pages: Pages, deal: int) -> str:
    """The address of a fault's moment in its replay."""
    return f"{pages.replay}#deal={deal}&ply={pages.plies.get(deal, 0)}"


def _template() -> jinja2.Template:
    words = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    words.globals |= {
        name: getattr(numbers, name)
        for name in ("ranks", "signed", "bounds", "with_half", "percent", "share", "part_of")
    }
    words.globals |= {"faults_text": faults_text, "seconds": _seconds}
    text = Path(__file__).with_name("league_page.html").read_text(encoding="utf-8")
    return words.from_string(text)


def _cells(pairs: Sequence[HeadToHead]) -> dict[tuple[str, str], Cell]:
    """Every pair of bots, from both sides."""
    both = (each for pair in pairs for each in (pair, from_other_side(pair)))
    return {(pair.bot, pair.other): _cell(pair) for pair in both}


def _cell(pair: HeadToHead) -> Cell:
    los = None if pair.league is None else pair.league.los
    told = f"{pair.sets} sets together"
    if los is not None:
        told += f"; from all sets, {pair.bot} is better than {pair.other} with {los:.1%} certainty"
    if pair.identical:
        return Cell("same", f"identical on {pair.deals} deals", "good", 0.0)
    text = "-" if pair.met is None else numbers.gap(pair.met)
    if los is None:
        return Cell(text, told, "good", 0.0)
    sure = los > _SURE or los < 1 - _SURE
    shade = 0.55 * (2 * abs(los - 0.5)) ** 2
    return Cell(f"{text}*" if sure else text, told, "good" if los > 0.5 else "bad", shade)


def _seconds(value: float) -> str:
    return f"{value:.2f} s" if value >= 1 else f"{value * 1000:.3g} ms"
