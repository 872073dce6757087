"""Makes the documents of a league as a whole and of its bots, from its record as it stands."""

from array import array
from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from math import inf
from typing import Any, Final, Literal

import msgspec

from arena.bots.levels import LEVELS
from arena.bots.manifest import Bot
from arena.league.config import LeagueConfig, OpenConfig
from arena.match.log import read_log
from arena.match.record import DealFault
from arena.record.store import Store
from arena.record.summary import Report
from arena.reports.language import Phrase
from arena.site.documents import (
    CROSSTABLE,
    LEAGUE,
    NOW,
    NUMBERS,
    PROOF,
    RULES,
    STANDINGS,
    BotDocument,
    BotFault,
    CrosstableDocument,
    Hand,
    LeagueDocument,
    Numbers,
    OrderLine,
    Proof,
    Rule,
    RulesDocument,
    StandingLine,
    Standings,
    TablesDocument,
    Version,
)
from arena.site.publish.state import LAST, RecordState, key_of
from arena.site.registry.organiser import Announcement
from arena.stats.figures import Analysis, HandGap, Standing, Times, from_other_side
from arena.stats.hands import hand_gaps
from arena.stats.sets import Block
from arena.stats.standings import standings
from arena.zole.rules import POINTS_ROWS
from arena.zole.sources import nearest_preset, sources, values

# The most bots, and pairs of authors, on the page that compares all: the best, the improbable.
MOST: Final = 40

_HANDS_SHOWN: Final = 5
# The number of a bot's last tables that are searched for its best and worst hands.
_HANDS_OF: Final = 500

_HOUR_S: Final = 3600.0
_WEEK_S: Final = 7 * 24 * _HOUR_S


def live_documents(
    state: RecordState,
    at: float,
    paused: str = "",
    waits: str = "",
    announced: Announcement | None = None,
) -> dict[str, object]:
    """Return by key the documents that change with every match, made `at` a moment.

    `paused` are the organiser's words; `waits` is the reason why no table can be formed.
    """
    ledger, config, counts = state.ledger, state.terms.config, state.counts
    how: Literal["waiting", "playing", "closed", "sealed"] = "waiting"
    if state.under_way:
        how = "playing"
    if ledger.season is not None:
        how = "sealed" if ledger.secret is not None else "closed"
    facts = state.store.facts()
    league = LeagueDocument(
        name=config.name,
        practice=facts.practice,
        state=how,
        paused=paused,
        season=facts.season,
        waits=waits,
        publish="at_once",
        announced=announced,
    )
    next_at = None
    if isinstance(config, OpenConfig):
        league = msgspec.structs.replace(
            league,
            publish=config.publish,
            submit_until=_seconds(config.submit_until),
            close_at=_seconds(config.close_at),
        )
        ordered = ledger.last_order_at
        if ordered is not None and how == "waiting" and not waits:
            next_at = ordered + _HOUR_S / config.trickle
    numbers = Numbers(
        at=at,
        next_at=next_at,
        lines=ledger.read,
        hash=ledger.hash,
        orders=len(ledger.orders),
        matches=counts.stored,
        games=counts.games,
        decisions=counts.decisions,
    )
    tables = TablesDocument(
        at=at,
        now=tuple(
            OrderLine(
                order=ledger.orders[key],
                at=ledger.ordered_at[key],
                played=len(state.matches.get(key, ())),
                matches=state.seats(key[0]),
            )
            for key in state.under_way
        ),
        last=tuple(map(state.line, reversed(state.last.get("", ())))),
        orders_an_hour=float(sum(it >= at - _HOUR_S for it in ledger.ordered_at.values())),
    )
    proof = Proof(
        commitment=ledger.commitment,
        committed_at=ledger.committed_at,
        secret=ledger.secret,
        sealed_at=ledger.sealed_at,
        orders=len(ledger.orders),
    )
    rules = rules_document(config)
    return {LEAGUE: league, NUMBERS: numbers, NOW: tables, PROOF: proof, RULES: rules}


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else moment.timestamp()


def rules_document(config: LeagueConfig) -> RulesDocument:
    """Return the rules that a league is played by."""
    rules = config.rules
    name, changed = nearest_preset(rules)
    paid = {each: getattr(rules.scoring, each) for each in rules.auction.contracts}
    limits = {
        "move_s": config.limits.move_s,
        "start_s": config.limits.start_s,
        "max_faults": config.max_faults,
        **{
            key: it
            for key, it in msgspec.structs.asdict(config.resources).items()
            if it is not None
        },
    }
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
        limits={key: _shown(value) for key, value in limits.items()},
        open=config.public() if isinstance(config, OpenConfig) else None,
    )


# Return a value as a league's file has it.
def _shown(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | list):
        return ", ".join(map(_shown, value))
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def compared_documents(
    state: RecordState, found: Report, blocks: Sequence[Block], at: float, teams: Mapping[str, str]
) -> dict[str, object]:
    """Return by key the standings, the crosstable and the bots' pages, by what was `found`.

    `blocks` are the record's, `teams` by author.
    """
    before = _ranks(state, blocks, at - _WEEK_S)
    lines = {row.bot: _standing(row, state, teams, before) for row in found.standings}
    field = [bot for bot, line in lines.items() if line.state != "left"]
    times = {bot: it for bot in lines if (it := _times(state, bot)) is not None}
    faults: dict[str, deque[tuple[int, DealFault]]] = {bot: deque(maxlen=LAST) for bot in lines}
    for match, bot, entry in state.store.each_fault():
        faults[bot].append((match, entry))
    last: dict[str, deque[Block]] = {bot: deque(maxlen=_HANDS_OF) for bot in lines}
    for block in blocks:
        for bot in block.lineup:
            last[bot].append(block)
    versions: dict[str, list[Version]] = {}
    submitted = {each.name: each.manifest for each in state.store.submissions()}
    called = {name: manifest.name for name, manifest in submitted.items()}
    for bot in lines:
        versions.setdefault(called.get(bot, bot), []).append(_version(state, lines[bot]))
    made: dict[str, object] = {
        STANDINGS: Standings(
            at=at,
            lines=tuple(lines.values()),
            final=found.final,
            remarks=tuple(_remarks(lines.values())),
            identical=tuple(each.bots for each in found.identical),
        ),
        CROSSTABLE: _crosstable(found.analysis, field, at, times),
    }
    for bot, line in lines.items():
        entrant = state.terms.bots[bot]
        same = versions[called.get(bot, bot)]
        best, worst = (
            tuple(
                _hand(state, it) for it in hand_gaps(list(last[bot]), bot, _HANDS_SHOWN, which)[1]
            )
            for which in (True, False)
        )
        made[f"bots/{bot}"] = BotDocument(
            at=at,
            line=line,
            version=entrant.version,
            content=entrant.digest,
            versions=tuple(sorted(same, key=lambda each: each.joined or 0.0, reverse=True)),
            times=times.get(bot),
            faults=tuple(_fault(state, *each) for each in reversed(faults[bot])),
            best=best,
            worst=worst,
            best_at=next((_watched_at(state, hand, bot) for hand in best if hand.shown), None),
            at_tables=_at_tables(line, submitted.get(bot)),
            matches=tuple(map(state.line, reversed(state.last.get(bot, ())))),
            **_figures(found.analysis, bot, list(lines)),
        )
    return made


# Return the ranks of the bots that play, by the tables ordered up to a moment.
def _ranks(state: RecordState, blocks: Sequence[Block], moment: float) -> dict[str, int]:
    ordered = state.ledger.ordered_at
    past = [it for it in blocks if ordered.get((it.lineup, it.first), inf) <= moment]
    table = standings(past, sorted(state.terms.bots), {}, state.terms.field)
    return {row.bot: row.rank for row in table if row.games and not row.left}


# Return a bot's line of the table; authors have teams, but for those of the league's file.
def _standing(
    row: Standing, state: RecordState, teams: Mapping[str, str], before: Mapping[str, int]
) -> StandingLine:
    ledger, author = state.ledger, state.terms.bots[row.bot].author
    joined, left = ledger.joined.get(row.bot), ledger.left.get(row.bot)
    house = joined is not None and joined.house
    return StandingLine(
        **msgspec.structs.asdict(row),
        author=author,
        team="" if house else teams.get(author, ""),
        house=house,
        state="left" if row.left else "benched" if row.bot in ledger.benched else "playing",
        why=left[1] if left and row.left else ledger.benched.get(row.bot, ""),
        joined=ledger.came.get(row.bot),
        rank_before=before.get(row.bot),
    )


# Yield sentences that readers of the table must know.
def _remarks(lines: Collection[StandingLine]) -> Iterator[Phrase]:
    playing = [line for line in lines if line.state == "playing"]
    if any(line.house for line in playing):
        yield Phrase("house-bots-are")
    if len({line.part for line in playing} - {None}) > 1:
        yield Phrase("groups-not-met")


def _version(state: RecordState, line: StandingLine) -> Version:
    entrant, left = state.terms.bots[line.bot], state.ledger.left.get(line.bot)
    return Version(
        bot=line.bot,
        version=entrant.version,
        content=entrant.digest,
        joined=line.joined,
        left=left and left[0],
        why=left[1] if left else "",
        was=line,
    )


def _fault(state: RecordState, match: int, entry: DealFault) -> BotFault:
    [outline] = state.store.outlines(match - 1, match)
    key = key_of(outline)
    return BotFault(
        match=match,
        number=entry.deal,
        order=state.number(key),
        deal=outline.first + entry.deal,
        kind=entry.fault.kind,
        shown=state.shows(key[0]),
    )


def _hand(state: RecordState, gap: HandGap) -> Hand:
    order = state.number(state.table_of(gap.lineup, gap.deal))
    return Hand(**msgspec.structs.asdict(gap), order=order, shown=state.shows(gap.lineup))


# Return the first match in which a bot held a hand, and the number of the deal in it.
def _watched_at(state: RecordState, hand: Hand, bot: str) -> tuple[int, int] | None:
    for number in state.matches.get(state.table_of(hand.lineup, hand.deal), ()):
        [outline] = state.store.outlines(number - 1, number)
        if outline.bots[hand.seat] == bot:
            return number, hand.deal - outline.first
    return None


# Return the name by which guests choose a bot: those of the arena's own have people's names.
def _at_tables(line: StandingLine, manifest: Bot | None) -> str:
    if line.state != "playing":
        return ""
    if line.house:
        return next((it.names[0] for it in LEVELS.values() if it.bot == line.bot), "")
    return line.bot if manifest is not None and manifest.guests else ""


# Return a bot's answer times in its last matches; None without any.
def _times(state: RecordState, bot: str) -> Times | None:
    spent: list[int] = []
    for outline in state.last.get(bot, ()):
        by_seat = _spent(state.store, outline.match)
        spent += (it for seat, own in enumerate(by_seat) if outline.bots[seat] == bot for it in own)
    if not spent:
        return None
    spent.sort()
    middle, late, most = (spent[int(share * (len(spent) - 1))] / 1e6 for share in (0.5, 0.95, 1))
    return Times(bot, len(spent), middle, late, most)


@lru_cache(2000)
def _spent(store: Store, match: int) -> Sequence[Sequence[int]]:
    _, spec, record = next(iter(store.matches(match)))
    return times_by_seat(record.log, len(spec.seats))


def times_by_seat(log: bytes, seats: int) -> Sequence[Sequence[int]]:
    """Return the microseconds of each seat's answers in a match. Raises `LogMismatch`."""
    by_seat = [array("Q") for _ in range(seats)]
    for deal in read_log(log)[1]:
        for seat, _, microseconds in deal.steps:
            by_seat[seat].append(microseconds)
    return by_seat


def _crosstable(
    found: Analysis, order: Sequence[str], at: float, times: Mapping[str, Times]
) -> CrosstableDocument:
    bots = [bot for bot in order if bot in found.bots][:MOST]
    place = {bot: number for number, bot in enumerate((*bots, None))}
    return CrosstableDocument(
        at=at,
        bots=tuple(bots),
        pairs=tuple(pair for pair in found.pairs if {pair.bot, pair.other} <= {*bots}),
        roles=_in_order(found.roles, place),
        seats=_in_order(found.seats, place),
        times=tuple(times[bot] for bot in bots if bot in times),
        company=found.company[:MOST],
    )


def _in_order(lines: Iterable[Any], place: Mapping[str | None, int]) -> tuple[Any, ...]:
    there = (each for each in lines if each.bot in place)
    return tuple(sorted(there, key=lambda each: place[each.bot]))


# Return what a bot's document has of its play: against each other bot in an order, by role.
# Everybody's roles and seats follow its own.
def _figures(found: Analysis, bot: str, order: Sequence[str]) -> dict[str, Any]:
    both = {
        each.other: each
        for pair in found.pairs
        if bot in (pair.bot, pair.other)
        for each in (pair, from_other_side(pair))
        if each.bot == bot
    }
    place = {bot: 0, None: 1}
    return {
        "against": tuple(both[other] for other in order if other in both),
        "roles": _in_order(found.roles, place),
        "seats": _in_order(found.seats, place),
    }
