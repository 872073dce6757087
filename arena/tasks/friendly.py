"""Bots played outside a league: the same matches, and nothing stored."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from secrets import randbelow

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.numbers import whole_number
from arena.bots.manifest import read_bot
from arena.engine.builds import prepare
from arena.engine.program import Program
from arena.engine.runner import play_all
from arena.engine.worker import Job
from arena.engine.workers import Lanes
from arena.league.deal_file import read_deals
from arena.league.file import limits_for, rules_from
from arena.league.schedule import league_deals, seat_seeds, seatings
from arena.match.commands import Fault, MatchPlan, untimed
from arena.match.logged import replay
from arena.match.record import MatchRecord
from arena.match.wire import AnyEvent, Result
from arena.sandbox.isolation import Isolation
from arena.zole.rules import Rules, preset_names


class Friendly(msgspec.Struct, frozen=True):
    """What is played: some bots, the plan of each match, and who sits where in each.

    `seats` has the numbers of bots, for each match by seat; `seed` is None where the deals are
    given.
    """

    bots: tuple[Program, ...]
    isolation: Isolation
    plan: MatchPlan
    seats: tuple[tuple[int, ...], ...]
    seed: int | None


class FriendlyRequest(msgspec.Struct, frozen=True, kw_only=True):
    """What a command line asks for: folders of bots, a preset or file of rules, deals or a file.

    Without `all_seatings` the bots sit once, in the order given. With `copies`, one bot plays
    against itself.
    """

    folders: Sequence[Path]
    rules: str
    deals: str
    seed: int | None
    all_seatings: bool
    copies: bool


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


class FriendlyDocument(msgspec.Struct, frozen=True):
    """What `arena match --json` prints."""

    seed: int | None
    rules: Rules
    isolation: str
    totals: tuple[Total, ...]
    games: tuple[PlayedGame, ...]


def prepare_friendly(asked: FriendlyRequest, isolation: Isolation) -> Friendly:
    """Build the bots and plan the matches. Raises `ArenaError`."""
    rules, folders = rules_from(asked.rules), list(asked.folders)
    if asked.copies and len(folders) == 1:
        folders *= rules.players
    if asked.rules in preset_names() and len(folders) in (4, 5):
        rules = msgspec.structs.replace(rules, players=len(folders))
    bots = tuple(prepare(read_bot(folder), isolation) for folder in folders)
    seats = _seats(len(bots), rules.players, asked.all_seatings)
    seed, count = asked.seed, whole_number(asked.deals)
    if count:
        seed = randbelow(1 << 32) if seed is None else seed
        lineup = tuple(sorted(bot.name for bot in bots))
        deals = league_deals(rules, str(seed), lineup, 0, count)
    elif count == 0:
        raise ArenaError(Mistake("there must be at least one deal", "--deals"))
    else:
        deals = read_deals(Path(asked.deals), rules.players)
    limits, max_faults = limits_for(rules)
    seeds = seat_seeds(rules, str(seed or 0), deals)
    plan = MatchPlan(rules, limits, max_faults, deals, seeds)
    return Friendly(bots, isolation, plan, seats, seed)


def play_friendly(
    friendly: Friendly, jobs: int, timed: bool, progress: Callable[[int], None]
) -> tuple[MatchRecord, ...]:
    """Play every seating, reporting how many are done. Raises `Interrupted`, `MachineError`."""
    plan = friendly.plan if timed else untimed(friendly.plan)
    played: dict[int, MatchRecord] = {}

    def finished(number: int, record: MatchRecord) -> None:
        played[number] = record
        progress(len(played))

    progress(0)
    play_all(
        [
            (number, Job(plan, tuple(friendly.bots[bot] for bot in seats), friendly.isolation))
            for number, seats in enumerate(friendly.seats)
        ],
        Lanes(jobs),
        lambda _: None,
        finished,
        lambda _, __: None,
    )
    return tuple(played[number] for number in range(len(friendly.seats)))


def totals(friendly: Friendly, records: Sequence[MatchRecord]) -> tuple[Total, ...]:
    """Each bot's total, in the order of the command line."""
    found: list[Total] = []
    for number, bot in enumerate(friendly.bots):
        stakes = games = appearances = 0
        faults: Counter[str] = Counter()
        for seats, record in zip(friendly.seats, records, strict=True):
            mine = [seat for seat, sitting in enumerate(seats) if sitting == number]
            stakes += sum(paid[seat] for paid in record.results.payments for seat in mine)
            games += len(record.results.payments) if mine else 0
            appearances += len(record.results.payments) * len(mine)
            faults.update(
                entry.fault.kind for entry in record.results.faults if entry.fault.seat in mine
            )
        mean = stakes / appearances if appearances else 0.0
        found.append(Total(bot.name, stakes, round(mean, 6) + 0.0, games, dict(faults)))
    return tuple(found)


def is_tie(friendly: Friendly, records: Sequence[MatchRecord]) -> bool:
    """Whether all bots made exactly the same of each deal, summed over the seatings."""
    for deal in range(len(friendly.plan.deals)):
        worth = [0] * len(friendly.bots)
        for seats, record in zip(friendly.seats, records, strict=True):
            paid = record.results.payments[deal : deal + 1]
            for seat, bot in enumerate(seats):
                worth[bot] += paid[0][seat] if paid else 0
        if len(set(worth)) > 1:
            return False
    return True


def friendly_document(friendly: Friendly, records: Sequence[MatchRecord]) -> FriendlyDocument:
    """Every game in full, replayed from the logs."""
    games = [
        PlayedGame(
            tuple(friendly.bots[bot].name for bot in seats),
            game.number,
            game.deal.dealer,
            game.events,
            game.result,
            game.result.payments,
            game.faults,
        )
        for seats, record in zip(friendly.seats, records, strict=True)
        for game in replay(friendly.plan, record.log)
    ]
    return FriendlyDocument(
        friendly.seed,
        friendly.plan.rules,
        friendly.isolation.level,
        totals(friendly, records),
        tuple(games),
    )


def _seats(bots: int, players: int, every: bool) -> tuple[tuple[int, ...], ...]:
    """Which bot sits where, for each match; two bots at a table of three mirror."""
    if bots == players or (bots == 2 and players == 3 and every):
        numbers = tuple(map(str, range(bots)))
        seats = seatings(numbers, players) if every else [numbers]
        return tuple(tuple(map(int, each)) for each in seats)
    raise ArenaError(
        Mistake(f"a table of {players} needs {players} bots, not {bots}", "", "name each bot")
    )
