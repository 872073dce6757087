"""Makes the documents of bots: each with its row of the crosstable, roles, times, faults, hands."""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePath
from typing import Final

import msgspec
import numpy as np

from arena.bots.manifest import Bot as Manifest
from arena.record.submissions import Submission
from arena.site.documents.bot import (
    Against,
    Bot,
    Fault,
    Hand,
    Mean,
    Roles,
    Times,
    Version,
)
from arena.site.documents.league import Standing
from arena.site.documents.play import Match, MatchLine
from arena.site.publish.league_state import LeagueState
from arena.site.publish.ledger_view import LedgerView
from arena.stats.blocks import Block, Lineup
from arena.stats.field import sets_among
from arena.stats.hands import hand_gaps
from arena.stats.head_to_head import HeadToHead, crosstable
from arena.stats.roles import Role, SeatLine, roles, seat_table
from arena.stats.shares import Share
from arena.stats.strengths import Gap, strengths

LAST: Final = 20
"""So many matches and faults of a bot are shown."""

HANDS: Final = 5
HANDS_OF: Final = 500
"""Best and worst hands are looked for in so many of a bot's last tables."""

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
_BINS: Final = 480
"""Bins of answer times, 60 to a factor of ten from a microsecond on: 4 % each."""


class Clocks:
    """The answer times of one bot, as counts in bins; a quantile is right to 4 %."""

    def __init__(self, counts: Mapping[int, int] = {}, most: int = 0) -> None:
        self._counts = np.zeros(_BINS, np.int64)
        for place, count in counts.items():
            self._counts[place] = count
        self.most = most

    @property
    def counts(self) -> dict[int, int]:
        """How many answers there are in each bin that has some."""
        return {int(place): int(self._counts[place]) for place in np.flatnonzero(self._counts)}

    def add(self, microseconds: Sequence[int]) -> None:
        """Count some answers."""
        if microseconds:
            taken = np.maximum(np.array(microseconds, np.float64), 1.0)
            place = np.minimum((60 * np.log10(taken)).astype(np.int64), _BINS - 1)
            self._counts += np.bincount(place, minlength=_BINS)
            self.most = max(self.most, *microseconds)

    def document(self) -> Times | None:
        """The times as a page shows them."""
        total = int(self._counts.sum())
        if not total:
            return None
        below = np.cumsum(self._counts)
        middle, late = (
            float(10 ** ((np.searchsorted(below, share * total) + 0.5) / 60 - 6))
            for share in (0.5, 0.95)
        )
        return Times(
            moves=total,
            median=float(f"{middle:.2g}"),
            late=float(f"{late:.2g}"),
            most=self.most / 1e6,
        )


class Kept(msgspec.Struct, frozen=True):
    """What is kept of what was seen, so that a publisher that begins again need not look again."""

    matches: tuple[MatchLine, ...] = ()
    faults: tuple[Fault, ...] = ()
    counts: dict[int, int] = {}
    most: int = 0
    isolation: str = ""


class Seen:
    """What was seen of one bot's matches: the last of them, its last faults, its times."""

    def __init__(self, kept: Kept) -> None:
        self.matches: deque[MatchLine] = deque(kept.matches, LAST)
        self.faults: deque[Fault] = deque(kept.faults, LAST)
        self.clocks = Clocks(kept.counts, kept.most)
        self.isolation = kept.isolation

    def note(self, line: MatchLine, seat: int, document: Match, times: Sequence[int]) -> None:
        """Note a match, with the microseconds of the bot's answers there."""
        self.matches.append(line)
        self.isolation = document.isolation
        self.clocks.add(times)
        for number, deal in enumerate(document.deals):
            if deal.fault is not None and deal.fault.seat == seat:
                fault = Fault(
                    match=line.match,
                    number=number,
                    order=line.order,
                    deal=deal.deal,
                    kind=deal.fault.kind,
                    shown=line.shown,
                )
                self.faults.append(fault)

    def kept(self) -> Kept:
        """What is kept of it."""
        clocks = self.clocks
        return Kept(
            tuple(self.matches), tuple(self.faults), clocks.counts, clocks.most, self.isolation
        )


class Comparison:
    """What is computed of all bots of a field at once."""

    def __init__(
        self, blocks: Sequence[Block], bots: Sequence[str], field: Sequence[str], session: int
    ) -> None:
        place = {bot: number for number, bot in enumerate(bots)}
        counted = [block.stakes for block in blocks if block.stakes is not None]
        among = sets_among(counted, [place[bot] for bot in field])
        pairs = crosstable(among, field, strengths(among, len(field)), session)
        self._pairs: dict[str, dict[str, HeadToHead]] = {bot: {} for bot in field}
        for pair in pairs:
            self._pairs[pair.bot][pair.other] = pair
            self._pairs[pair.other][pair.bot] = pair
        self._roles = {each.bot: each for each in roles(blocks, bots)}
        self._seats = {each.bot: each for each in seat_table(blocks, bots)}
        self._of: dict[str, deque[Block]] = {bot: deque(maxlen=HANDS_OF) for bot in bots}
        for block in blocks:
            for bot in block.lineup:
                self._of[bot].append(block)
        self.identical = tuple(
            (pair.bot, pair.other) for pair in pairs if pair.identical and pair.sets
        )

    def against(self, bot: str, order: Sequence[str]) -> tuple[Against, ...]:
        """A bot's row of the crosstable."""
        row = self._pairs.get(bot, {})
        return tuple(_against(row[other], bot) for other in order if other in row)

    def roles(self, bot: str | None) -> Roles | None:
        """A bot's roles, or everybody's."""
        role, seats = self._roles.get(bot), self._seats.get(bot)
        return None if role is None or seats is None else _roles(role, seats)

    def hands(
        self, bot: str, best: bool, order_of: Callable[[Lineup, int], tuple[int, bool]]
    ) -> tuple[Hand, ...]:
        """The hands with which a bot made most, or lost most, against others with the same."""
        found = hand_gaps(list(self._of.get(bot, ())), bot, HANDS, best)
        hands = []
        for gap in found.gaps:
            order, shown = order_of(gap.lineup, gap.deal)
            hands.append(
                Hand(
                    order=order,
                    deal=gap.deal,
                    seat=gap.seat,
                    bots=gap.lineup,
                    stakes=gap.stakes,
                    others=gap.others,
                    games=gap.games,
                    declared=gap.declared,
                    other_games=gap.other_games,
                    others_declared=gap.others_declared,
                    shown=shown,
                )
            )
        return tuple(hands)


def bot_document(
    line: Standing,
    at: float,
    lines: Mapping[str, Standing],
    seen: Seen,
    compared: Comparison | None,
    state: LeagueState,
) -> Bot:
    """The page of a bot."""
    bot, view, entries, order_of = line.bot, state.view, state.entries, state.order_of
    entry = entries.get(bot)
    matches = tuple(map(state.refreshed, reversed(seen.matches)))
    shown = {each.match: each.shown for each in matches}
    faults = tuple(
        msgspec.structs.replace(each, shown=shown.get(each.match, each.shown))
        for each in reversed(seen.faults)
    )
    return Bot(
        at=at,
        line=line,
        language="" if entry is None else _language(entry.manifest),
        version="" if entry is None else entry.manifest.version,
        content=view.joined[bot].content,
        isolation=seen.isolation,
        versions=_versions(bot, view, entries, lines),
        against=() if compared is None else compared.against(bot, list(lines)),
        roles=None if compared is None else compared.roles(bot),
        field=None if compared is None else compared.roles(None),
        times=seen.clocks.document(),
        faults=faults,
        best=() if compared is None else compared.hands(bot, True, order_of),
        worst=() if compared is None else compared.hands(bot, False, order_of),
        matches=matches,
    )


def _versions(
    bot: str,
    view: LedgerView,
    entries: Mapping[str, Submission],
    lines: Mapping[str, Standing],
) -> tuple[Version, ...]:
    """The versions of a bot that ever joined, the newest first."""
    entry = entries.get(bot)
    same = [bot]
    if entry is not None:
        called = entry.manifest.name
        same = [name for name, each in entries.items() if each.manifest.name == called]
    found = [
        Version(
            bot=name,
            version=entries[name].manifest.version if name in entries else "",
            content=view.joined[name].content,
            joined=view.came[name],
            left=view.left[name][0] if name in view.left else None,
            why=view.left[name][1] if name in view.left else "",
            was=lines.get(name),
        )
        for name in same
        if name in view.joined
    ]
    return tuple(sorted(found, key=lambda each: -each.joined))


def _against(pair: HeadToHead, bot: str) -> Against:
    turned = pair.bot != bot
    met, league = (_turned(gap, turned) for gap in (pair.met, pair.league))
    return Against(
        other=pair.bot if turned else pair.other,
        sets=pair.sets,
        deals=pair.deals,
        gap=None if met is None else met.stakes,
        half=None if met is None else met.plus_minus,
        sure=None if met is None else met.los,
        sure_by_all=None if league is None else league.los,
        identical=pair.identical,
    )


def _turned(gap: Gap | None, turned: bool) -> Gap | None:
    """A gap as the other bot sees it."""
    if gap is None or not turned:
        return gap
    los = None if gap.los is None else 1 - gap.los
    return msgspec.structs.replace(gap, stakes=-gap.stakes, los=los)


def _roles(role: Role, seats: SeatLine) -> Roles:
    return Roles(
        declares=_share(role.declares, role.declares.ci95),
        wins=_share(role.wins, role.wins.ci95),
        declarer=_share(role.declarer),
        defender=_share(role.defender),
        table=_share(role.table),
        forehand=_share(seats.forehand),
        middlehand=_share(seats.middlehand),
        rearhand=_share(seats.rearhand),
        contracts=role.contracts,
    )


def _share(share: Share, interval: tuple[float, float] | None = None) -> Mean:
    return Mean(value=share.value, half=share.plus_minus, interval=interval, of=share.of)


def _language(manifest: Manifest) -> str:
    """The language of a bot, as far as its command tells."""
    return _LANGUAGES.get(PurePath(manifest.run[0]).name, "")
