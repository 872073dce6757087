"""Results of matches outside a league: totals, whether they tie exactly, each bot's troubles."""

import os
import shlex
from collections.abc import Iterator, Sequence

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.league.schedule import MatchSpec
from arena.match.commands import Fault, Said
from arena.match.log import answer_line, read_log
from arena.match.logged import play_again
from arena.match.record import DealFault, MatchRecord
from arena.match.wire import AnyEvent, FaultKind, Result
from arena.record.store import IN_MEMORY
from arena.stats.analysis import crosstable
from arena.stats.figures import HeadToHead
from arena.stats.sets import league_sets
from arena.stats.strengths import means
from arena.tasks.match import BotMatch, is_person
from arena.zole.rules import DEFAULT, Rules

PlayedSeatings = Sequence[tuple[int, MatchSpec, MatchRecord]]
"""The seatings of a match that were played, each with its number."""

_STDERR = 15
"""Lines of stderr that are shown."""


class PlayedGame(msgspec.Struct, frozen=True):
    """One deal in one seating. `bots` and `payments` (stakes) are by seat."""

    bots: tuple[str, ...]
    deal: int
    dealer: int
    events: tuple[AnyEvent, ...]
    result: Result
    payments: tuple[int, ...]
    faults: tuple[Fault, ...]


class Total(msgspec.Struct, frozen=True):
    """A bot's stakes, games and faults by kind, over all matches."""

    bot: str
    stakes: int
    stakes_per_deal: float
    games: int
    faults: dict[str, int]


class Trouble(msgspec.Struct, frozen=True):
    """A kind of fault of a bot: the first of them, their number, and a command that looks closer.

    `forfeited` counts the further deals lost because the bot had ended. `unready` says that the bot
    was never ready, `disqualified` that it was, in some match; `answer` is the line of the first as
    it was sent, if it was not allowed; `stderr` is the end of the bot's in that match, `look` the
    command.
    """

    bot: str
    kind: FaultKind
    detail: str
    deal: int
    count: int
    forfeited: int
    unready: bool
    disqualified: bool
    answer: str | None
    stderr: tuple[str, ...]
    look: str


class MatchResult(msgspec.Struct, frozen=True):
    """The document of `arena match --json`."""

    seed: int | str
    rules: Rules
    isolation: str
    totals: tuple[Total, ...]
    troubles: tuple[Trouble, ...]
    games: tuple[PlayedGame, ...]
    record: str | None


def totals(match: BotMatch, played: PlayedSeatings) -> tuple[Total, ...]:
    """Each bot's total, in the order in which the bots were named."""
    faults = match.store.faults()
    found: list[Total] = []
    for name in (bot.name for bot in match.bots):
        seated = [
            (spec, record.results.payments) for _, spec, record in played if name in spec.seats
        ]
        stakes = [
            paid[seat]
            for spec, payments in seated
            for paid in payments
            for seat, bot in enumerate(spec.seats)
            if bot == name
        ]
        mean = round(sum(stakes) / max(1, len(stakes)), 6) + 0.0
        games = sum(len(payments) for _, payments in seated)
        found.append(Total(name, sum(stakes), mean, games, faults.get(name, {})))
    return tuple(found)


def head_to_head(match: BotMatch) -> tuple[HeadToHead, ...]:
    """Every two bots of a match in all seatings. Raises `ArenaError` if one was disqualified."""
    names = sorted(match.terms.bots)
    [block] = match.store.blocks(match.terms)
    if block.stakes is None:
        what = f"{' and '.join(sorted(block.disqualified))} was disqualified"
        raise ArenaError(Mistake(what, "", "play fewer deals to see its faults"))
    sets = league_sets([block.stakes], len(names))
    return crosstable(sets, names, means(sets), match.terms.session)


def is_tie(match: BotMatch, played: PlayedSeatings) -> bool:
    """Whether all bots made exactly the same of each deal, summed over the seatings."""
    for deal in range(match.terms.deals):
        worth = dict.fromkeys(match.terms.bots, 0)
        for _, spec, record in played:
            for paid in record.results.payments[deal : deal + 1]:
                for bot, stakes in zip(spec.seats, paid, strict=True):
                    worth[bot] += stakes
        if len(set(worth.values())) > 1:
            return False
    return True


def troubles(match: BotMatch, played: PlayedSeatings, rules: str) -> tuple[Trouble, ...]:
    """The troubles by bot and kind of fault; of copies of one bot, for the first alone.

    `rules` is how the command line named them. People are left out: they know what they did.
    """
    found: dict[tuple[str, FaultKind], Trouble] = {}
    for bot in match.bots:
        if is_person(bot):
            continue
        for each in _troubles_of(match, played, bot.name, _check(bot.folder, rules)):
            found.setdefault((bot.folder, each.kind), each)
    return tuple(found.values())


def match_result(
    match: BotMatch, played: PlayedSeatings, found: tuple[Trouble, ...]
) -> MatchResult:
    """Every game in full, replayed from the logs."""
    games = [
        PlayedGame(
            spec.seats,
            game.number,
            game.deal.dealer,
            game.events,
            game.result,
            game.result.payments,
            game.faults,
        )
        for _, spec, record in played
        for game in play_again(match.plan(spec), record.log).deals
    ]
    [seed] = match.seeds
    return MatchResult(
        int(seed) if seed.isdecimal() else seed,
        match.terms.config.rules,
        match.roster.isolation.level,
        totals(match, played),
        found,
        tuple(games),
        None if match.store.path == IN_MEMORY else str(match.store.path),
    )


def _troubles_of(
    match: BotMatch, played: PlayedSeatings, bot: str, check: str
) -> Iterator[Trouble]:
    by_kind: dict[FaultKind, list[tuple[int, MatchSpec, MatchRecord, DealFault, int]]] = {}
    for number, spec, record in played:
        for entry, forfeited in record.results.counted_faults():
            if spec.seats[entry.fault.seat] == bot:
                faults = by_kind.setdefault(entry.fault.kind, [])
                faults.append((number, spec, record, entry, forfeited))
    for kind, faults in by_kind.items():
        number, spec, record, first, _ = faults[0]
        seat, answer = first.fault.seat, None
        if kind == "illegal":
            lines = play_again(match.plan(spec), record.log).transcript(seat)
            sent = (came for _, came in lines if isinstance(came, Said) and came.line)
            line = next(sent, None)
            answer = line and answer_line(line)
        look = check
        if match.store.path != IN_MEMORY:
            look = shlex.join(("arena", "faults", str(match.store.path), str(number)))
        yield Trouble(
            bot=bot,
            kind=kind,
            detail=first.fault.detail,
            deal=first.deal,
            count=len(faults),
            forfeited=sum(forfeited for *_, forfeited in faults),
            unready=any(it.fault.seat in read_log(of.log)[0].failed for _, _, of, it, _ in faults),
            disqualified=any(
                it.fault.seat in of.results.disqualified for _, _, of, it, _ in faults
            ),
            answer=answer,
            stderr=tuple(record.stderr[seat].splitlines()[-_STDERR:]),
            look=look,
        )


def _check(folder: str, rules: str) -> str:
    if not folder:
        return ""
    by = "" if rules == DEFAULT else f" --rules {shlex.quote(rules)}"
    near = os.path.relpath(folder)
    return f"arena check {shlex.quote(folder if near.startswith('..') else near)}{by}"
