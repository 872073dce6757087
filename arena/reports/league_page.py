"""A league as one self-contained page: standings, figures, faults and matches."""

import json
import shlex
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import groupby
from typing import Final

import jinja2
import msgspec
from markupsafe import Markup, escape

from arena import __version__
from arena.base.harmless import harmless_lines
from arena.base.words import count, in_words
from arena.league.open_draw import DEALS
from arena.match.record import DealFault
from arena.record.facts import read_dates
from arena.record.hands import DealLine
from arena.record.store import Store
from arena.record.summary import Report, summarize_fully
from arena.record.times import read_times
from arena.reports import figures, numbers
from arena.reports.look import SUIT_SHAPES, page_part, page_policy, page_words
from arena.reports.page import commands_note
from arena.reports.standings import (
    bot_remark,
    final_of,
    progress_text,
    remarks_on_seeds,
    remarks_on_sets,
    unit_text,
)
from arena.reports.terminal import faults_text
from arena.stats.figures import HeadToHead, from_other_side
from arena.zole.sources import nearest_preset, titles

FIRST_FAULTS: Final = 5
"""How many faults of each bot and kind the page names."""

_SHADES: Final = ((0.999, 3), (0.975, 2), (0.8, 1))
"""How sure it must be who is better for a shade of the crosstable, the darkest first."""


class Pages(msgspec.Struct, frozen=True):
    """What lies beside the page for a match: addresses of its replay and of its faults' bundles.

    `plies` are the moments of the faults by deal.
    """

    replay: str
    bundles: str | None
    plies: dict[int, int]


class _Cell(msgspec.Struct, frozen=True):
    """A cell of the crosstable: its text, what is told of it, and the class of its shade."""

    text: str
    told: str
    shade: str


class _Fault(msgspec.Struct, frozen=True):
    """A fault, where its replay is, and behind the last of a match where all their bundles are."""

    match: int
    deal: int
    detail: str
    replay: str | None
    bundle: str | None


class _Faults(msgspec.Struct, frozen=True):
    """A bot's faults of one kind: how many, and the first of them."""

    bot: str
    kind: str
    count: int
    first: tuple[_Fault, ...]


class _Maker(msgspec.Struct, frozen=True):
    """What is known of a bot besides its name; `content` is its hash."""

    bot: str
    version: str
    author: str
    content: str


def league_page(
    store: Store,
    league: str,
    pages: Mapping[int, Pages],
    why: Mapping[int, str],
    deals: Sequence[tuple[DealLine, str]],
    private: bool,
) -> str:
    """The page of a record. Commands name the `league` by its file.

    `pages` are by the numbers of matches, as is `why` to look at them.
    `deals` are those that bots played most differently, with the addresses of their pages.
    """
    found = summarize_fully(store)
    analysis, terms = found.analysis, store.terms()
    rows = {line.bot: number for number, line in enumerate(found.standings)}
    place = {bot: number for number, bot in enumerate(analysis.bots)}
    order = [line.bot for line in found.standings if line.sets and line.bot in place]
    measure = "Stakes per deal" if found.equal_schedule else "Strength"
    preset, changes = nearest_preset(terms.rules)
    makers = store.makers()
    style, script = _style(), page_part("league_page.js")
    final = final_of(found)
    page: str = _template().render(
        policy=page_policy(style, script),
        style=Markup(style),
        script=Markup(script),
        suits=SUIT_SHAPES.items(),
        report=found,
        state=progress_text(found),
        final=final,
        final_state=None if final is None else progress_text(final).capitalize(),
        rules=f"{preset} ({titles()[preset]})",
        changes={key: json.dumps(value) for key, value in changes.items()},
        deals=_deals(store, found),
        played=_played(read_dates(store.facts())),
        remarks=remarks_on_sets(found),
        order=order,
        in_order=lambda lines: sorted(lines, key=lambda line: rows.get(line.bot, len(rows))),
        measure=measure,
        unit=unit_text(found),
        intervals=Markup(figures.draw_intervals(_intervals(found), measure)),
        growth=Markup(
            figures.draw_growth(analysis.growth, analysis.bots, [place[bot] for bot in order])
        ),
        cells=_cells(analysis.pairs),
        circles=numbers.circles_text(analysis.circles),
        misfit=numbers.misfit_text(analysis.cycles),
        contracts=numbers.contracts(analysis.roles),
        pools=terms.rules.pools.enabled,
        sits_out=any(line.sitting_out.of for line in analysis.roles),
        times=read_times(store),
        faults=list(_faults(store.faulty(FIRST_FAULTS), store.faults(), pages, private)),
        matches=list(store.outlines()),
        pages=pages,
        why=why,
        apart=deals,
        bots=[
            _Maker(bot, makers[bot].version, makers[bot].author, content)
            if bot in makers
            else _Maker(bot, "-", "-", content)
            for bot, content in terms.bots.items()
        ],
        private=private,
        foot=remarks_on_seeds(found),
        version=__version__,
        record=store.path.name,
        league=shlex.quote(league),
        commands=commands_note(league),
    )
    return harmless_lines(page)


def seconds_text(value: float) -> str:
    """A time in three digits, or to the microsecond."""
    if value >= 0.9995:
        return f"{value:.2f} s"
    milliseconds = value * 1000
    places = 3 if milliseconds < 0.9995 else 2 if milliseconds < 9.995 else 1
    return f"{milliseconds:.{places if milliseconds < 99.95 else 0}f} ms"


def _intervals(found: Report) -> list[figures.Interval]:
    """The measure that orders the standings, in their order."""
    drawn = []
    for line in found.standings:
        value, bounds = line.stakes_per_deal, line.ci95
        if not found.equal_schedule:
            value, bounds = line.strength, line.anytime_ci95 or line.strength_ci95
        if value is not None:
            drawn.append(figures.Interval(line.bot, value, bounds))
    return drawn


def _faults(
    first: Iterable[tuple[int, str, DealFault]],
    counts: Mapping[str, Mapping[str, int]],
    pages: Mapping[int, Pages],
    private: bool,
) -> Iterable[_Faults]:
    """Faults by bot and kind, in their order."""
    for (bot, kind), group in groupby(first, lambda it: (it[1], it[2].fault.kind)):
        told: list[_Fault] = []
        last: dict[int, int] = {}
        for match, _, entry in group:
            beside = pages.get(match)
            detail = entry.fault.detail if private else ""
            replay = _moment(beside, entry.deal) if beside else None
            told.append(_Fault(match, entry.deal, detail, replay, None))
            last[match] = len(told) - 1
        for match, number in last.items():
            if match in pages:
                bundle = pages[match].bundles
                told[number] = msgspec.structs.replace(told[number], bundle=bundle)
        yield _Faults(bot, kind, counts[bot][kind], tuple(told))


def _moment(pages: Pages, deal: int) -> str:
    """The address of a fault's moment in its replay."""
    return f"{pages.replay}#deal={deal}&ply={pages.plies.get(deal, 0)}"


def _cells(pairs: Sequence[HeadToHead]) -> dict[tuple[str, str], _Cell]:
    """Every pair of bots, from both sides."""
    both = (each for pair in pairs for each in (pair, from_other_side(pair)))
    return {(pair.bot, pair.other): _cell(pair) for pair in both}


def _cell(pair: HeadToHead) -> _Cell:
    """What the two made where they met; bots that did not have no mark and no shade."""
    told = f"{pair.bot} against {pair.other}: {count(pair.sets, 'set')} together"
    if pair.league is not None and pair.league.los is not None:
        told += f"; by all sets it is better with {pair.league.los:.1%} certainty"
    if pair.met is None:
        return _Cell("-", told, "")
    if pair.identical:
        return _Cell("same", f"identical on {count(pair.deals, 'deal')}", "")
    los = 0.5 if pair.met.los is None else pair.met.los
    shade = next((number for sure, number in _SHADES if max(los, 1 - los) > sure), None)
    side = "ahead" if los > 0.5 else "behind"
    text = numbers.gap(pair.met) + ("*" if pair.met.decided else "")
    return _Cell(text, told, "" if shade is None else f"{side}-{shade}")


def _deals(store: Store, found: Report) -> str:
    """How many deals are played where, and how many games that is."""
    terms = store.terms()
    if found.open is not None:
        orders = count(found.open.orders, "order")
        each = count(terms.session or DEALS, "deal")
        return f"{orders} so far, each a table's next {each} in 6 seatings"
    tables = len(terms.lineups)
    if not tables:
        return f"{terms.deals:,} at each table"
    seatings, every = found.seatings or (0, 0)
    games = found.sets_played * (terms.session or 1) * seatings
    at = "at one table" if tables == 1 else f"at each of {tables:,} tables"
    if terms.session:
        at += f" in {count(terms.deals // terms.session, 'session')} of {terms.session}"
    of = "" if seatings == every else f"of {every} "
    return f"{terms.deals:,} {at}, each in {seatings} {of}seatings; {games:,} games count"


def _played(dates: tuple[str, str] | None) -> str | None:
    """When the first and the last match were stored, in UTC."""
    if dates is None:
        return None
    first, last = (datetime.fromisoformat(each) for each in dates)
    begin, end = (f"{at.day} {at:%B %Y, %H:%M}" for at in (first, last))
    if first.date() == last.date():
        end = f"{last:%H:%M}"
    return f"{begin} UTC" if begin.endswith(end) else f"{begin} to {end} UTC"


def _template() -> jinja2.Template:
    words = page_words()
    words.globals |= {
        name: getattr(numbers, name)
        for name in (
            "ranks",
            "signed",
            "bounds",
            "half",
            "with_half",
            "percent",
            "share",
            "part_of",
        )
    }
    words.filters |= {"command": _command, "foldable": _foldable}
    words.globals |= {"in_words": in_words, "mark": bot_remark, "line_class": figures.line_class}
    words.globals |= {"faults_text": faults_text, "seconds": seconds_text}
    return words.get_template("league_page.html")


def _command(text: str) -> Markup:
    """A command whose options are not broken between lines."""
    words = (
        Markup('<span class="option">{}</span>').format(word) if word.startswith("--") else word
        for word in text.split(" ")
    )
    return Markup(" ").join(words)


def _foldable(text: str) -> Markup:
    """A figure that may be broken before its interval."""
    return escape(text).replace("±", Markup("<wbr>±"))


def _style() -> str:
    """The style of all pages and what this one adds."""
    own: str = jinja2.Template(page_part("league_page.css")).render(colours=figures.COLOURS)
    return page_part("style.css") + own
