"""Bots played outside a league: the same matches, nothing stored."""

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
    """What a bot came to over all games."""

    bot: str
    stakes: int
    stakes_per_deal: float
    games: int
    faults: dict[str, int]


class Document(msgspec.Struct, frozen=True):
    """What `arena match --json` prints."""

    seed: int | None
    rules: Rules
    isolation: str
    totals: tuple[Total, ...]
    games: tuple[PlayedGame, ...]


class Exhibition:
    """Some bots, in the order given, over some deals; its matches once they are played."""

    def __init__(
        self,
        bots: Sequence[Program],
        isolation: Isolation,
        plan: MatchPlan,
        seats: Sequence[tuple[int, ...]],
        seed: int | None,
    ) -> None:
        self.bots = bots
        self.isolation = isolation
        self.plan = plan
        self.seats = seats
        self.seed = seed
        self.records: list[MatchRecord] = []

    @classmethod
    def of(
        cls,
        folders: Sequence[Path],
        rules_text: str,
        deals_text: str,
        seed: int | None,
        all_seatings: bool,
        copies: bool,
        isolation: Isolation,
    ) -> "Exhibition":
        """The exhibition of a command line. Raises `ArenaError`."""
        rules = rules_from(rules_text)
        if copies and len(folders) == 1:
            folders = list(folders) * rules.players
        if rules_text in preset_names() and len(folders) in (4, 5):
            rules = msgspec.structs.replace(rules, players=len(folders))
        bots = [prepare(read_bot(folder), isolation) for folder in folders]
        seats = _seats(len(bots), rules.players, all_seatings)
        count = whole_number(deals_text)
        if count:
            seed = randbelow(1 << 32) if seed is None else seed
            lineup = tuple(sorted(bot.name for bot in bots))
            deals = league_deals(rules, str(seed), lineup, 0, count)
        elif count == 0:
            raise ArenaError(Mistake("there must be at least one deal", "--deals"))
        else:
            deals = read_deals(Path(deals_text), rules.players)
        limits, max_faults = limits_for(rules)
        seeds = seat_seeds(rules, str(seed or 0), deals)
        plan = MatchPlan(rules, limits, max_faults, deals, seeds)
        return cls(bots, isolation, plan, seats, seed)

    def play(self, jobs: int, timed: bool, progress: Callable[[int], None]) -> None:
        """Play every seating, telling how many are done. Raises `Interrupted`, `MachineError`."""
        plan = self.plan if timed else untimed(self.plan)
        played: dict[int, MatchRecord] = {}

        def finished(number: int, record: MatchRecord) -> None:
            played[number] = record
            progress(len(played))

        progress(0)
        play_all(
            [
                (number, Job(plan, tuple(self.bots[bot] for bot in seats), self.isolation))
                for number, seats in enumerate(self.seats)
            ],
            Lanes(jobs),
            lambda _: None,
            finished,
            lambda _, __: None,
        )
        self.records = [played[number] for number in range(len(self.seats))]

    def totals(self) -> tuple[Total, ...]:
        """Each bot's stakes, games and faults, in the order of the command line."""
        totals: list[Total] = []
        for number, bot in enumerate(self.bots):
            stakes = games = appearances = 0
            faults: dict[str, int] = {}
            for seats, record in zip(self.seats, self.records, strict=True):
                places = [seat for seat, sitting in enumerate(seats) if sitting == number]
                stakes += sum(paid[seat] for paid in record.results.payments for seat in places)
                games += len(record.results.payments) if places else 0
                appearances += len(record.results.payments) * len(places)
                for entry in record.results.faults:
                    if entry.fault.seat in places:
                        faults[entry.fault.kind] = faults.get(entry.fault.kind, 0) + 1
            mean = stakes / appearances if appearances else 0.0
            totals.append(Total(bot.name, stakes, round(mean, 6) + 0.0, games, faults))
        return tuple(totals)

    def tied(self) -> bool:
        """Whether on each deal all bots came to exactly the same over the seatings."""
        for deal in range(len(self.plan.deals)):
            worth = [0] * len(self.bots)
            for seats, record in zip(self.seats, self.records, strict=True):
                for seat, bot in enumerate(seats):
                    paid = (
                        record.results.payments[deal]
                        if deal < len(record.results.payments)
                        else None
                    )
                    worth[bot] += 0 if paid is None else paid[seat]
            if len(set(worth)) > 1:
                return False
        return True

    def document(self) -> Document:
        """Every game in full, replayed from the logs."""
        games: list[PlayedGame] = []
        for seats, record in zip(self.seats, self.records, strict=True):
            names = tuple(self.bots[bot].name for bot in seats)
            for game in replay(self.plan, record.log):
                result = game.result
                games.append(
                    PlayedGame(
                        names,
                        game.number,
                        game.deal.dealer,
                        game.events,
                        result,
                        result.payments,
                        game.faults,
                    )
                )
        return Document(
            self.seed, self.plan.rules, self.isolation.level, self.totals(), tuple(games)
        )


def _seats(bots: int, players: int, every: bool) -> list[tuple[int, ...]]:
    """Which bot sits where, for each match; two bots at a table of three mirror."""
    if bots == players or (bots == 2 and players == 3 and every):
        numbers = tuple(map(str, range(bots)))
        seats = seatings(numbers, players) if every else [numbers]
        return [tuple(map(int, each)) for each in seats]
    raise ArenaError(
        Mistake(f"a table of {players} needs {players} bots, here are {bots}", "", "name each bot")
    )
