"""Sums of the reviews of many deals, for each bot, and the moments that cost most.

Means are ratios of sums over deals. The unit of chance is a deal of cards, with all decisions of a
bot on it, in any seats and matches: these decisions go together, whole deals do not. So the error
is that of the ratio's linear part, clustered by deal, with Student's t.
"""

import heapq
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from typing import Final, get_args

import msgspec

from arena.review.decisions import Decision
from arena.review.mistakes import (
    DecisionPhase,
    DecisionRole,
    MistakeKind,
    is_blunder,
    is_clear,
    is_sound,
    mistake_in,
    phase_of,
    role_of,
    sure_loss,
)
from arena.review.turns import Findings, Turns
from arena.review.verdict import Verdict
from arena.stats.figures import Share
from arena.stats.intervals import MIN_SETS, half_width
from arena.stats.sets import round_noise
from arena.zole.cards import NAMES, names
from arena.zole.deal import Deal
from arena.zole.state import GAMES

PHASES: Final[tuple[DecisionPhase, ...]] = get_args(DecisionPhase)
ROLES: Final[tuple[DecisionRole, ...]] = get_args(DecisionRole)


class DealFindings(msgspec.Struct, frozen=True):
    """A deal of a match with a review's findings on each seat's turns.

    `dealt` are its cards, the same wherever bots took turns with them; `payments` are by seat.
    """

    match: int
    deal: int
    dealt: Deal
    bots: tuple[str, ...]
    payments: tuple[int, ...]
    found: tuple[tuple[Turns, Findings], ...]


class CostlyMoment(msgspec.Struct, frozen=True):
    """A decision that lost stakes, with the verdict on it.

    `hand` and `trick_so_far` are cards; `mistake` names its kind if it is a clear one. `request`
    counts the requests to the seat in the match from 1. Of a decision about giving up, `bid` is
    the seat's own bid that led there; None if it declared nothing.
    """

    match: int
    bot: str
    request: int
    phase: DecisionPhase
    role: DecisionRole | None
    hand: tuple[str, ...]
    trick_so_far: tuple[str, ...]
    mistake: MistakeKind | None
    verdict: Verdict
    bid: str | None = None


class ReviewLine(msgspec.Struct, frozen=True):
    """Some of a bot's decisions: the mean loss of one, and the share of clear mistakes."""

    loss: Share
    clear: Share


class Split(msgspec.Struct, frozen=True):
    """A bot's stakes a deal in three parts that add up to them.

    `contract` is the worth of the contracts with open hands when they were reached, `play` the
    difference made after that; `rest` are deals that have no such worth: table games, cards
    thrown in, and deals that ended before there was a contract.
    """

    stakes: Share
    contract: Share
    play: Share
    rest: Share


class BotReview(msgspec.Struct, frozen=True):
    """A bot's figures from reviews. Losses are stakes; each part counts only decisions of its kind.

    `blunders` is the share of decisions that were blunders with open hands, `sound` the share of
    these that nothing was better than by what the seat knew. `mistakes` counts clear ones by kind.
    """

    bot: str
    per_deal: Share
    all: ReviewLine
    blunders: Share
    sound: Share
    phases: dict[str, ReviewLine]
    roles: dict[str, ReviewLine]
    contracts: dict[str, ReviewLine]
    split: Split
    mistakes: dict[str, int]


class ReviewSummary:
    """Sums up deals one by one, keeping a few numbers a deal in memory."""

    def __init__(self, worst: int) -> None:
        """Keep `worst` of the worst moments."""
        self._worst = worst
        self._deals: dict[Deal, int] = {}
        self._bots: dict[str, _BotSums] = {}
        self._heap: list[tuple[float, tuple[int, int, int], CostlyMoment]] = []

    def add(self, deal: DealFindings) -> None:
        """Count a deal, which may have been played before in other seatings."""
        at = self._deals.setdefault(deal.dealt, len(self._deals))
        for turns, found in deal.found:
            bot = deal.bots[turns.seat]
            counted = tuple(_counted(turns, found))
            sums = self._bots.setdefault(bot, _BotSums())
            sums.add(at, counted, found.par, deal.payments[turns.seat])
            for decision, verdict in counted:
                cost = sure_loss(verdict)
                if cost > 0:
                    place = (-deal.match, -deal.deal, -verdict.step)
                    moment = _costly_moment(deal, turns, decision, verdict)
                    heapq.heappush(self._heap, (round_noise(cost), place, moment))
                    if len(self._heap) > self._worst:
                        heapq.heappop(self._heap)

    def bots(self) -> tuple[BotReview, ...]:
        """The figures of each bot, from the least loss a deal to the greatest."""
        found = [sums.review(bot) for bot, sums in self._bots.items()]
        return tuple(sorted(found, key=lambda each: (each.per_deal.value or 0.0, each.bot)))

    def worst(self) -> tuple[CostlyMoment, ...]:
        """The costliest mistakes, ordered by the loss minus two standard errors."""
        return tuple(found for *_, found in sorted(self._heap, reverse=True))


class _Sums:
    """A sum and a count for each deal, by the deal's place."""

    def __init__(self) -> None:
        self._sums = array("d")
        self._counts = array("d")

    def add(self, at: int, value: float, count: int = 1) -> None:
        missing = at + 1 - len(self._sums)
        if missing > 0:
            self._sums.extend([0.0] * missing)
            self._counts.extend([0.0] * missing)
        self._sums[at] += value
        self._counts[at] += count

    def share(self) -> Share:
        """The mean, and half its 95 % interval if there are enough deals."""
        of = sum(self._counts)
        if not of:
            return Share(None, None, 0)
        mean = sum(self._sums) / of
        deals = sum(1 for count in self._counts if count)
        half = None
        if deals >= MIN_SETS:
            pairs = zip(self._sums, self._counts, strict=True)
            squares = sum((total - mean * count) ** 2 for total, count in pairs)
            half = round_noise(half_width(deals - 1, squares * deals / (deals - 1) / of**2))
        return Share(round_noise(mean), half, int(of))


class _BotSums:
    def __init__(self) -> None:
        self._sums: defaultdict[str, _Sums] = defaultdict(_Sums)
        self._mistakes: Counter[str] = Counter()

    def add(
        self, at: int, counted: Sequence[tuple[Decision, Verdict]], par: int | None, paid: int
    ) -> None:
        parts = (0, 0, paid) if par is None else (par, paid - par, 0)
        for name, value in zip(Split.__struct_fields__, (paid, *parts), strict=True):
            self._sums[name].add(at, value)
        self._sums["per deal"].add(at, sum(verdict.loss for _, verdict in counted))
        for decision, verdict in counted:
            for line in ("all", *_lines_of(verdict)):
                self._sums[f"loss {line}"].add(at, verdict.loss)
                self._sums[f"clear {line}"].add(at, is_clear(verdict))
            self._sums["blunders"].add(at, is_blunder(verdict))
            if is_blunder(verdict):
                self._sums["sound"].add(at, is_sound(verdict))
            if is_clear(verdict):
                self._mistakes[mistake_in(decision, verdict)] += 1

    def review(self, bot: str) -> BotReview:
        sums = self._sums
        return BotReview(
            bot=bot,
            per_deal=sums["per deal"].share(),
            all=self._line("all"),
            blunders=sums["blunders"].share(),
            sound=sums["sound"].share(),
            phases=self._lines("", PHASES),
            roles=self._lines("as ", ROLES),
            contracts=self._lines("in ", GAMES),
            split=Split(*(sums[name].share() for name in Split.__struct_fields__)),
            mistakes=dict(sorted(self._mistakes.items(), key=lambda each: (-each[1], each[0]))),
        )

    def _line(self, name: str) -> ReviewLine:
        return ReviewLine(self._sums[f"loss {name}"].share(), self._sums[f"clear {name}"].share())

    def _lines(self, prefix: str, names: Sequence[str]) -> dict[str, ReviewLine]:
        return {
            name: self._line(prefix + name)
            for name in names
            if f"loss {prefix}{name}" in self._sums
        }


def _costly_moment(
    deal: DealFindings, turns: Turns, decision: Decision, verdict: Verdict
) -> CostlyMoment:
    state, mistake = decision.state, mistake_in(decision, verdict)
    own = verdict.declarer == verdict.seat and mistake == "giving up"
    bids = [each.given for each in turns.decisions if each.kind == "bid" and each.given != "pass"]
    return CostlyMoment(
        match=deal.match,
        bot=deal.bots[verdict.seat],
        request=decision.request,
        phase=phase_of(verdict),
        role=role_of(verdict),
        hand=names(state.hands[verdict.seat]),
        trick_so_far=tuple(NAMES[card] for card in state.trick),
        mistake=mistake if is_clear(verdict) else None,
        verdict=verdict,
        bid=bids[-1] if own and bids else None,
    )


def _counted(turns: Turns, found: Findings) -> Iterator[tuple[Decision, Verdict]]:
    """The decisions that count, each with its verdict.

    Whether to give up is asked again at each trick. Once a seat has decided that clearly wrong, its
    later answers are the same mistake: what it lost is lost already.
    """
    mistaken = False
    for decision, verdict in zip(turns.decisions, found.verdicts, strict=True):
        gives_up = mistake_in(decision, verdict) == "giving up"
        if not (gives_up and mistaken):
            yield decision, verdict
        mistaken = mistaken or (gives_up and is_clear(verdict))


def _lines_of(verdict: Verdict) -> Iterator[str]:
    yield phase_of(verdict)
    role = role_of(verdict)
    if role is not None:
        yield f"as {role}"
        yield f"in {verdict.contract}"
