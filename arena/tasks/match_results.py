"""Results of matches outside a league: totals, each bot's troubles."""

import os
import shlex
from collections.abc import Sequence

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.league.schedule import MatchSpec
from arena.match.commands import Fault
from arena.match.logged import play_again
from arena.match.record import MatchRecord
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


class PlayedGame(msgspec.Struct, frozen=True):
    """One deal in one seating. `bots` and `payments` (stakes) are by seat.

    `deal` is its number in the match, from 0, `dealer` a seat. `events` are all that happened,
    `result` is what came of it, and `faults` are those in it.
    """

    bots: tuple[str, ...]
    deal: int
    dealer: int
    events: tuple[AnyEvent, ...]
    result: Result
    payments: tuple[int, ...]
    faults: tuple[Fault, ...]


class Total(msgspec.Struct, frozen=True):
    """What a `bot` made in all its `games`: its `stakes`, and its mean `stakes_per_deal`.

    `faults` counts its faults by kind.
    """

    bot: str
    stakes: int
    stakes_per_deal: float
    games: int
    faults: dict[str, int]


class Trouble(msgspec.Struct, frozen=True):
    """A `kind` of fault of a `bot`: their `count`, the `deal` and the `detail` of the first one.

    `look` is a command that shows more.
    """

    bot: str
    kind: FaultKind
    detail: str
    deal: int
    count: int
    look: str


class MatchResult(msgspec.Struct, frozen=True):
    """The document of `arena match --json`: the `rules`, and a total and a list of troubles by bot.

    `seed` is what the deals follow from, `isolation` the level that bots were kept apart at.
    `totals` are in the order in which the bots were named, `troubles` are kinds of faults, `games`
    all deals in all seatings. `record` is the file that keeps them, if any.
    """

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


def troubles(match: BotMatch, played: PlayedSeatings, rules: str) -> tuple[Trouble, ...]:
    """The troubles by bot and kind of fault; copies of one bot are counted together.

    `rules` is how the command line named them. People are left out: they know what they did.
    """
    bots = {bot.name: bot for bot in match.bots}
    found: dict[tuple[str, FaultKind], Trouble] = {}
    for number, spec, record in played:
        for entry, _ in record.results.counted_faults():
            bot, fault = bots[spec.seats[entry.fault.seat]], entry.fault
            if is_person(bot):
                continue
            look = _check(bot.folder, rules)
            if match.store.path != IN_MEMORY:
                look = shlex.join(("arena", "faults", str(match.store.path), str(number)))
            key = bot.folder or bot.name, fault.kind
            first = found.get(key) or Trouble(
                bot.name, fault.kind, fault.detail, entry.deal, 0, look
            )
            found[key] = msgspec.structs.replace(first, count=first.count + 1)
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


def _check(folder: str, rules: str) -> str:
    if not folder:
        return ""
    by = "" if rules == DEFAULT else f" --rules {shlex.quote(rules)}"
    near = os.path.relpath(folder)
    return f"arena check {shlex.quote(folder if near.startswith('..') else near)}{by}"
