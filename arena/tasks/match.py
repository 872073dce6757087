"""Bots that meet outside a league: one table, played as a closed league in its own record.

The record is kept in a file if one is named, and else in memory.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.run_events import Completed, RunEvent
from arena.base.words import whole_number
from arena.bots.manifest import Bot, content_hash, read_bot
from arena.bots.names import LONGEST_NAME, equal_name, free_name, mistake_in_name
from arena.engine.builds import cache, prepare
from arena.engine.job import FunctionSeat, PersonLink
from arena.engine.runner import PATIENCE_S, run
from arena.engine.workers import Players
from arena.league.config import LeagueLimits, MatchConfig
from arena.league.file import read_deals, rules_from
from arena.league.schedule import MatchSpec
from arena.match.record import MatchRecord
from arena.match.wire import Limits
from arena.record.store import IN_MEMORY
from arena.sandbox.isolation import Isolation
from arena.tasks.closed_league import ClosedLeague
from arena.tasks.league_request import LeagueRequest, resumed
from arena.tasks.league_run import Jobs, Roster
from arena.zole.deal import Deal, deal_text, flaw
from arena.zole.rules import Rules, preset_names

FUNCTION_CONTENT: Final = hashlib.sha256(b"a function").hexdigest()
"""The content of a function's entry, instead of the hash of a bot's files."""

_NUMBER: Final = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?")
"""What is meant as a number of deals, and not as a file of them."""

_FUNCTION: Final = ("a function",)
"""A function's entry instead of a command."""

ABSENT_S: Final = 300.0
"""Seconds in which people with a clock must come; one who is away for longer has left the table."""

PERSON_CONTENT: Final = hashlib.sha256(b"a person").hexdigest()
"""The content of a person's entry, instead of the hash of a bot's files."""

_PERSON: Final = Bot("person", "-", "-", ("-",))


class People(msgspec.Struct, frozen=True):
    """The people of a match: their links, the seat of the first, the seconds for an answer.

    They sit side by side. The links have their names.
    """

    links: tuple[PersonLink, ...]
    seat: int
    move_s: float | None

    @property
    def absent_s(self) -> float | None:
        """The seconds after which one who is away has left; None if nobody is timed."""
        return None if self.move_s is None else ABSENT_S

    def limits(self, of_bots: Limits) -> dict[str, Limits]:
        """The limits of each of them, by name."""
        held_to = Limits(self.move_s, self.absent_s, of_bots.line_bytes)
        return {link.name: held_to for link in self.links}


def names_of_people(count: int) -> tuple[str, ...]:
    """The names under which `count` people are entered."""
    if count == 1:
        return (_PERSON.name,)
    return tuple(f"{_PERSON.name} {number}" for number in range(1, count + 1))


def is_person(bot: Bot) -> bool:
    """Whether an entry is a person's."""
    return bot.run == _PERSON.run and not bot.folder


def seat_people(people: People, bots: Sequence[Bot]) -> tuple[Bot, ...]:
    """Everybody by seat; bots that look like people get other names. Raises `ArenaError`."""
    persons = [msgspec.structs.replace(_PERSON, name=link.name) for link in people.links]
    if people.seat + len(persons) > len(persons) + len(bots):
        last = len(bots)
        raise ArenaError(Mistake("there is no such seat", "--seat", f"it may be 0 to {last}"))
    taken = [person.name for person in persons]
    others: list[Bot] = []
    for bot in bots:
        others.append(msgspec.structs.replace(bot, name=free_name(bot.name, taken)))
        taken.append(others[-1].name)
    return (*others[: people.seat], *persons, *others[people.seat :])


class MatchRequest(msgspec.Struct, frozen=True, kw_only=True):
    """Options for a one-off match.

    `players` are folders of bots, or functions; `rules` a preset, a file, or the rules themselves;
    `deals` a number of them, a file, or the deals themselves. Without `all_seatings` all sit once,
    in the order given. `move_s` is the time for an answer, None for that of the rules. If there are
    `people`, they and the bots sit once.
    """

    players: Sequence[Path | Bot | FunctionSeat]
    rules: str | Rules
    deals: str | Sequence[Deal]
    seed: int | str | None
    all_seatings: bool
    timed: bool = True
    move_s: float | None = None
    record: Path | None = None
    people: People | None = None


class BotMatch(ClosedLeague):
    """A match of some bots being played: a closed league of one table."""

    bots: tuple[Bot, ...]
    """The bots in the order in which they were named."""

    def results(self) -> list[tuple[int, MatchSpec, MatchRecord]]:
        """The seatings played, with their numbers."""
        return list(self.store.matches())


@contextmanager
def open_match(asked: MatchRequest, isolation: Isolation) -> Iterator[BotMatch]:
    """Build the bots and plan the match; begin its record or continue it. Raises `ArenaError`.

    A record that was begun gives its seed, and refuses another match.
    """
    if asked.record is not None and asked.record.suffix != ".db":
        raise ArenaError(Mistake("the name of a record must end in .db", str(asked.record)))
    rules, bots, functions = _read(asked)
    config = _config(asked, rules, bots)
    roster = Roster(cache(), isolation)
    links = {link.name: link for link in asked.people.links} if asked.people else {}
    for bot in bots:
        seated = links.get(bot.name) or functions.get(bot.name) or prepare(bot, isolation)
        roster.programs[bot.name] = seated
    contents = {bot.name: _content(bot) for bot in bots}
    league = LeagueRequest(asked.record, config, bots, (), contents)
    with resumed(league) as (store, terms):
        store.set_facts(terms=terms)
        match = BotMatch(store, roster, terms, store.seeds())
        match.bots = bots
        yield match


def play_seatings(
    match: BotMatch,
    jobs: int,
    show: Callable[[RunEvent[MatchSpec, MatchRecord]], None] = lambda _: None,
) -> None:
    """Play every seating not played yet.

    Each event is passed to `show`. Seatings under way may finish after an interruption only if a
    file keeps them. Raises `Interrupted` and `MachineError`. Where functions play, matches take
    place in this process, one after another; then it may raise `FunctionRaised`.
    """
    for todo in match.runs():
        for event in _events(match, todo, jobs):
            match.take(event)
            show(event)


def _events(match: BotMatch, todo: Jobs, jobs: int) -> Iterator[RunEvent[MatchSpec, MatchRecord]]:
    if any(isinstance(each, FunctionSeat) for each in match.roster.programs.values()):
        from arena.engine.worker import play_match  # else only workers load what plays

        yield from (Completed(spec, play_match(job)) for spec, job in filter(None, todo))
        return
    with closing(Players(jobs)) as players:
        yield from run(todo, players, 0.0 if match.store.path == IN_MEMORY else PATIENCE_S)


def _read(asked: MatchRequest) -> tuple[Rules, tuple[Bot, ...], dict[str, FunctionSeat]]:
    """The rules, and the bots under their own names, with the functions among them.

    The bots' number may make the table.
    """
    rules = asked.rules if isinstance(asked.rules, Rules) else rules_from(asked.rules)
    players, people = list(asked.players), asked.people
    sitting = len(players) + (len(people.links) if people else 0)
    if isinstance(asked.rules, str) and asked.rules in preset_names() and sitting in (4, 5):
        rules = msgspec.structs.replace(rules, players=sitting)
    bots = disambiguate(
        [
            Bot(each.name, "-", "-", _FUNCTION)
            if isinstance(each, FunctionSeat)
            else each
            if isinstance(each, Bot)
            else read_bot(each)
            for each in players
        ]
    )
    functions = {
        bot.name: each
        for bot, each in zip(bots, players, strict=True)
        if isinstance(each, FunctionSeat)
    }
    return rules, bots if people is None else seat_people(people, bots), functions


def _config(asked: MatchRequest, rules: Rules, bots: Sequence[Bot]) -> MatchConfig:
    players = rules.players
    if len(bots) != players and not (asked.all_seatings and (len(bots), players) == (2, 3)):
        what = f"a table of {players} needs {players} bots, not {len(bots)}"
        remedy = "name one for each seat, or two to mirror" if players == 3 else "name each bot"
        if len(bots) > players:
            remedy = f"leave {len(bots) - players} out"
        raise ArenaError(Mistake(what, "", remedy))
    number, given = _deals(asked, players)
    move_s = asked.move_s or rules.conduct.move_limit_s
    limits = LeagueLimits(move_s=move_s) if asked.timed else LeagueLimits(start_s=None)
    names = tuple(bot.name for bot in bots)
    config = MatchConfig(
        name=", ".join(names),
        rules=rules,
        limits=limits,
        seed=asked.seed,
        session=number if rules.pools.enabled and not given else None,
        deals=number,
        seats=() if asked.all_seatings else names,
        given=given,
    )
    if asked.people is None:
        return config
    return msgspec.structs.replace(config, people=asked.people.limits(config.match_limits))


def _deals(asked: MatchRequest, players: int) -> tuple[int, tuple[str, ...]]:
    count = whole_number(asked.deals) if isinstance(asked.deals, str) else None
    if count == 0 or not asked.deals:
        raise ArenaError(Mistake("there must be at least one deal", "--deals"))
    if count is not None:
        return count, ()
    if isinstance(asked.deals, str) and _NUMBER.fullmatch(asked.deals):
        what = f"{asked.deals} is out of range: it must be a whole number of 1 or more"
        raise ArenaError(Mistake(what, "--deals"))
    deals = asked.deals
    if isinstance(deals, str):
        deals = read_deals(Path(deals), players)
    for number, deal in enumerate(deals):
        wrong = flaw(deal)
        if deal.players != players:
            wrong = f"it deals at a table of {deal.players}, not {players}"
        if wrong is not None:
            raise ArenaError(Mistake(wrong, f"deal {number}"))
    return len(deals), tuple(map(deal_text, deals))


def disambiguate(bots: Sequence[Bot]) -> tuple[Bot, ...]:
    """The bots, each under its own name.

    Different bots that share a name are called by their folders; copies of one bot are numbered.
    """
    folders = [Path(bot.folder).resolve() for bot in bots]
    homes = {(bot.name, folder) for bot, folder in zip(bots, folders, strict=True)}
    named: list[Bot] = []
    for bot, folder in zip(bots, folders, strict=True):
        others = [name for name, home in homes if (name, home) != (bot.name, folder)]
        shared = equal_name(bot.name, others) is not None
        by_folder = folder.name[:LONGEST_NAME] if bot.folder else ""
        name = by_folder if shared and not mistake_in_name(by_folder) else bot.name
        own = free_name(name, [other.name for other in named])
        named.append(msgspec.structs.replace(bot, name=own))
    return tuple(named)


def _content(bot: Bot) -> str:
    """The hash of a bot's files. A person and a function have none, whatever they are today."""
    if is_person(bot):
        return PERSON_CONTENT
    return content_hash(Path(bot.folder)) if bot.folder else FUNCTION_CONTENT
