"""Makes the documents of bots: from their matches, and from the comparison of all bots."""

from bisect import bisect_left
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from math import log10
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

import msgspec

from arena.bots.manifest import Bot as Manifest
from arena.match.log import read_log
from arena.record.store import Store
from arena.record.summary import MANY
from arena.site.documents import (
    BotDocument,
    BotFault,
    CrosstableDocument,
    Hand,
    MatchDocument,
    MatchLine,
    StandingLine,
    Version,
)
from arena.stats.analysis import analysis
from arena.stats.figures import Analysis, HandGap, Times, from_other_side
from arena.stats.hands import hand_gaps
from arena.stats.sets import Block

if TYPE_CHECKING:  # reports need no league that goes on
    from arena.site.publish.league_state import LeagueState

# The number of a bot's matches, and of its faults, that are shown.
LAST: Final = 20

# The most bots, and pairs of authors, on the page that compares all: the best, the improbable.
MOST: Final = 40

HANDS_SHOWN: Final = 5
# The number of a bot's last tables that are searched for its best and worst hands.
HANDS_OF: Final = 500

# Bins of answer times to a factor of ten, from a microsecond on: 4 % each.
_BINS: Final = 60

_LANGUAGES: Final = {
    "python3": "Python",
    "python": "Python",
    "node": "JavaScript",
    "java": "Java",
    "lua": "Lua",
    "ruby": "Ruby",
    "perl": "Perl",
    "sh": "shell",
    "bash": "shell",
    "guile": "Scheme",
    "php": "PHP",
}


def times_by_seat(log: bytes, seats: int) -> list[list[int]]:
    """Return the microseconds of each seat's answers in a match. Raises `Unfaithful`."""
    by_seat: list[list[int]] = [[] for _ in range(seats)]
    for deal in read_log(log)[1]:
        for seat, _, microseconds in deal.steps:
            by_seat[seat].append(microseconds)
    return by_seat


class AnswerTimes(msgspec.Struct):
    """The answer times of one bot, as counts in bins: a quantile is right to 4 %."""

    counts: dict[int, int] = {}
    most: int = 0

    def add(self, microseconds: Iterable[int]) -> None:
        """Count some answers."""
        for each in microseconds:
            place = int(_BINS * log10(max(each, 1)))
            self.counts[place] = self.counts.get(place, 0) + 1
            self.most = max(self.most, each)

    def times(self, bot: str) -> Times | None:
        """Return the times as those of a bot; None without any."""
        if not self.counts:
            return None
        places = sorted(self.counts)
        below = list(accumulate(self.counts[place] for place in places))
        middle, late = (
            10 ** ((places[bisect_left(below, share * below[-1])] + 0.5) / _BINS - 6)
            for share in (0.5, 0.95)
        )
        return Times(bot, below[-1], float(f"{middle:.2g}"), float(f"{late:.2g}"), self.most / 1e6)


def read_times(store: Store) -> dict[str, Times]:
    """Return the answer times of each bot of a record. Raises `ArenaError`."""
    spent: dict[str, AnswerTimes] = {}
    with store.reading():
        for bots, log in store.logs():
            for bot, taken in zip(bots, times_by_seat(log, len(bots)), strict=True):
                spent.setdefault(bot, AnswerTimes()).add(taken)
    return {bot: times for bot, each in spent.items() if (times := each.times(bot)) is not None}


class SeenMatches(msgspec.Struct):
    """What was seen of one bot's matches: the last ones, the last faults, and answer times.

    It is published for the publisher alone, which begins with it again.
    """

    matches: list[MatchLine] = []
    faults: list[BotFault] = []
    answers: AnswerTimes = msgspec.field(default_factory=AnswerTimes)

    def note(
        self, line: MatchLine, seat: int, document: MatchDocument, times: Sequence[int]
    ) -> None:
        """Note a match, with the microseconds of the bot's answers there."""
        self.matches = [*self.matches, line][-LAST:]
        self.answers.add(times)
        faults = [
            BotFault(
                match=line.match,
                number=number,
                order=line.order,
                deal=deal.deal,
                kind=deal.fault.fault,
            )
            for number, deal in enumerate(document.deals)
            if deal.fault is not None and deal.fault.seat == seat
        ]
        self.faults = [*self.faults, *faults][-LAST:]


class FieldCompared(msgspec.Struct, frozen=True):
    """The bots of a league compared, and for each its best and its worst hands."""

    found: Analysis
    hands: dict[str, tuple[tuple[HandGap, ...], tuple[HandGap, ...]]]


def compared(
    blocks: Sequence[Block],
    bots: Sequence[str],
    field: Sequence[str],
    session: int,
    authors: Mapping[str, str],
) -> FieldCompared:
    """Compare bots; of more than `MANY` only those of the field.

    It takes longer, the more was played. Hands are those of the last tables of each bot.
    """
    last: dict[str, deque[Block]] = {bot: deque(maxlen=HANDS_OF) for bot in bots}
    for block in blocks:
        for bot in block.lineup:
            last[bot].append(block)
    hands = {bot: best_and_worst(list(found), bot) for bot, found in last.items()}
    among = field if len(bots) > MANY else None
    return FieldCompared(analysis(blocks, bots, session, among, authors), hands)


def best_and_worst(
    blocks: Sequence[Block], bot: str
) -> tuple[tuple[HandGap, ...], tuple[HandGap, ...]]:
    """Return the hands with which a bot made, and lost, most against others with the same."""
    best, worst = (hand_gaps(blocks, bot, HANDS_SHOWN, which)[1] for which in (True, False))
    return best, worst


def crosstable_document(
    found: Analysis, order: Sequence[str], at: float, times: Mapping[str, Times]
) -> CrosstableDocument:
    """Return bots compared, at most the first `MOST` in an order."""
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


def bot_figures(found: Analysis, bot: str, order: Sequence[str]) -> dict[str, Any]:
    """Return what a bot's document tells of its play: against each other bot in an order, by role.

    Everybody's roles and seats follow its own.
    """
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


def bot_document(
    line: StandingLine,
    at: float,
    lines: Mapping[str, StandingLine],
    seen: SeenMatches,
    comparison: FieldCompared,
    state: "LeagueState",
) -> BotDocument:
    """Return the document of a bot; `lines` are those of all bots."""
    bot, manifest = line.bot, state.manifest(line.bot)
    matches = state.refreshed(seen.matches)
    shown = {each.match for each in matches if each.shown}
    best, worst = (
        tuple(_hand(gap, state) for gap in gaps) for gaps in comparison.hands.get(bot, ((), ()))
    )
    return BotDocument(
        at=at,
        line=line,
        language="" if manifest is None else _language(manifest),
        version="" if manifest is None else manifest.version,
        content=state.ledger.joined[bot].content,
        isolation=matches[0].isolation if matches else "",
        versions=_versions(bot, lines, state),
        times=seen.answers.times(bot),
        faults=tuple(
            msgspec.structs.replace(each, shown=each.match in shown)
            for each in reversed(seen.faults)
        ),
        best=best,
        worst=worst,
        matches=matches,
        **bot_figures(comparison.found, bot, list(lines)),
    )


def _hand(gap: HandGap, state: "LeagueState") -> Hand:
    order, shown = state.order_of(gap.lineup, gap.deal)
    return Hand(**msgspec.structs.asdict(gap), order=order, shown=shown)


# Return the versions of a bot that ever joined, the newest first.
def _versions(
    bot: str, lines: Mapping[str, StandingLine], state: "LeagueState"
) -> tuple[Version, ...]:
    ledger, same = state.ledger, [bot]
    if bot in state.entries:
        called = state.entries[bot].manifest.name
        same = [name for name, each in state.entries.items() if each.manifest.name == called]
    manifests = {name: state.manifest(name) for name in same if name in ledger.joined}
    found = [
        Version(
            bot=name,
            version="" if manifest is None else manifest.version,
            content=ledger.joined[name].content,
            joined=ledger.came[name],
            left=ledger.left[name][0] if name in ledger.left else None,
            why=ledger.left[name][1] if name in ledger.left else "",
            was=lines.get(name),
        )
        for name, manifest in manifests.items()
    ]
    return tuple(sorted(found, key=lambda each: ledger.came[each.bot], reverse=True))


# Return a bot's language, as far as its command tells.
def _language(manifest: Manifest) -> str:
    return _LANGUAGES.get(PurePath(manifest.run[0]).name, "")
