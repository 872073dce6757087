"""Bots played outside a league: the same matches, kept in a record only if one is named."""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.numbers import whole_number
from arena.base.resources import STANDARD
from arena.base.run_events import Completed, RunEvent, Void
from arena.bots.manifest import Bot, content_hash, read_bot
from arena.engine.builds import prepare
from arena.engine.function import FunctionSeat
from arena.engine.person import PersonLink
from arena.engine.program import Program
from arena.engine.runner import PATIENCE_S, run, void_error
from arena.engine.worker import Job, play_match
from arena.engine.workers import Lanes
from arena.league.deal_file import read_deals
from arena.league.file import LimitsTable, limits_for, rules_from
from arena.league.plans import match_plan
from arena.league.schedule import MatchSpec, matches, new_seed, seat_seeds, seatings
from arena.league.terms import Terms
from arena.match.commands import MatchPlan
from arena.match.record import MatchRecord
from arena.record.facts import is_practice
from arena.record.rows import encode_json
from arena.record.store import Store
from arena.record.writer import Writer
from arena.sandbox.isolation import Isolation
from arena.tasks.entered_people import PERSON_CONTENT, People, is_person, seat_people
from arena.tasks.league_run import store_event
from arena.tasks.own_record import (
    BegunRecord,
    changed_contents,
    name_apart,
    own_record,
    refuse_changes,
)
from arena.zole.deal import Deal, flaw
from arena.zole.rules import Rules, preset_names

FUNCTION_CONTENT: Final = hashlib.sha256(b"a function").hexdigest()
"""The content of a function's entry, in place of the hash of a bot's files."""

_NUMBER: Final = re.compile(r"[+-]?[0-9]+(\.[0-9]*)?")
"""What is meant as a number of deals, and not as a file of them."""

_FUNCTION: Final = ("a function",)
"""A function's entry in place of a command."""


class Friendly(msgspec.Struct, frozen=True):
    """Matches to play: some bots, the plan that all matches share, and the seats of each.

    `programs` are by the bots' names, each its own, people's links and functions among them; a
    `writer` stores the matches.
    """

    bots: tuple[Bot, ...]
    programs: dict[str, Program | PersonLink | FunctionSeat]
    isolation: Isolation
    plan: MatchPlan
    specs: tuple[MatchSpec, ...]
    seed: str
    writer: Writer | None = None


class FriendlyRequest(msgspec.Struct, frozen=True, kw_only=True):
    """The wishes of a command line, or of a program.

    `players` are folders of bots, or functions; `rules` a preset, a file, or the rules themselves;
    `deals` a number of them, a file, or the deals themselves. Without `all_seatings` all sit once,
    in the order given. With `copies`, one bot plays against itself. `move_s` is the time for an
    answer, None for that of the rules. If there are `people`, they and the bots sit once.
    """

    players: Sequence[Path | FunctionSeat]
    rules: str | Rules
    deals: str | Sequence[Deal]
    seed: int | str | None
    all_seatings: bool
    copies: bool
    timed: bool = True
    move_s: float | None = None
    record: Path | None = None
    people: People | None = None


class TableOfBots(msgspec.Struct, frozen=True):
    """The facts that a match's record has beside its terms: the bots, as named, and seatings."""

    bots: tuple[str, ...]
    all_seatings: bool


@contextmanager
def open_friendly(asked: FriendlyRequest, isolation: Isolation) -> Iterator[Friendly]:
    """Build the bots and plan the matches; begin the record or go on with it. Raises `ArenaError`.

    A record that was begun gives its seed, and refuses another match.
    """
    rules, bots, functions = _read(asked)
    count = whole_number(asked.deals) if isinstance(asked.deals, str) else None
    if count == 0 or not asked.deals:
        raise ArenaError(Mistake("there must be at least one deal", "--deals"))
    if count is None and isinstance(asked.deals, str) and _NUMBER.fullmatch(asked.deals):
        what = f"{asked.deals} is out of range: it must be a whole number of 1 or more"
        raise ArenaError(Mistake(what, "--deals"))
    specs = tuple(_specs(asked, bots, rules.players, count or 0))
    links = {link.name: link for link in asked.people.links} if asked.people else {}
    programs = {
        bot.name: links.get(bot.name) or functions.get(bot.name) or prepare(bot, isolation)
        for bot in bots
    }
    terms = _terms(asked, rules, bots, count or 0)
    if count is None:
        if asked.record is not None:
            what = "a record keeps deals that come from a seed, not those that are given"
            raise ArenaError(Mistake(what, "--deals", "give their number"))
        seed = _seed(asked)
        plan = _plan_of_deals(asked.deals, terms, seed, specs[0].seats)
        yield Friendly(bots, programs, isolation, plan, specs, seed)
    elif asked.record is None:
        seed = _seed(asked)
        plan = match_plan(terms, (seed,), specs[0])
        yield Friendly(bots, programs, isolation, plan, specs, seed)
    else:
        lineup = TableOfBots(tuple(bot.name for bot in bots), asked.all_seatings)
        begun = BegunRecord("match", encode_json(lineup), terms, bots, asked.seed)
        with own_record(asked.record, begun) as writer:
            store = writer.store
            refuse_changes(store, begun, list(_changes(store, terms, lineup)), _same_deals(store))
            [seed] = store.seeds()
            plan = match_plan(terms, (seed,), specs[0])
            yield Friendly(bots, programs, isolation, plan, specs, seed, writer)


def play_friendly(
    friendly: Friendly,
    jobs: int,
    show: Callable[[RunEvent[MatchSpec, MatchRecord]], None] = lambda _: None,
) -> tuple[MatchRecord, ...]:
    """Play every seating not played yet; the matches in the order of `specs`.

    Each event is passed to `show`. Seatings under way may finish after an interruption only if a
    record keeps them. Raises `Interrupted` and `MachineError`. Where functions play, matches take
    place in this process, one after another; then it may raise `FunctionRaised`.
    """
    writer = friendly.writer
    results: dict[MatchSpec, MatchRecord] = {}
    if writer is not None:
        results = {spec: record for _, spec, record in writer.store.matches()}
    left = [(spec, _job(friendly, spec)) for spec in friendly.specs if spec not in results]
    for event in _events(friendly, left, jobs):
        if writer is not None:
            store_event(writer, event)
        if isinstance(event, Completed):
            results[event.key] = event.result
        elif isinstance(event, Void) and event.failed:
            raise void_error(event)
        show(event)
    return tuple(results[spec] for spec in friendly.specs)


def _events(
    friendly: Friendly, left: Sequence[tuple[MatchSpec, Job]], jobs: int
) -> Iterator[RunEvent[MatchSpec, MatchRecord]]:
    """What happens while the matches that are left are played."""
    if any(isinstance(each, FunctionSeat) for each in friendly.programs.values()):
        return (Completed(spec, play_match(job)) for spec, job in left)
    return run(left, Lanes(jobs), 0.0 if friendly.writer is None else PATIENCE_S)


def _read(asked: FriendlyRequest) -> tuple[Rules, tuple[Bot, ...], dict[str, FunctionSeat]]:
    """The rules, and the bots under names of their own, with the functions among them.

    The bots' number may make the table.
    """
    rules = asked.rules if isinstance(asked.rules, Rules) else rules_from(asked.rules)
    players = list(asked.players)
    people = asked.people
    if asked.copies and len(players) == 1:
        players *= rules.players
    sitting = len(players) + (len(people.links) if people else 0)
    if isinstance(asked.rules, str) and asked.rules in preset_names() and sitting in (4, 5):
        rules = msgspec.structs.replace(rules, players=sitting)
    bots = name_apart(
        [
            Bot(each.name, "-", "-", _FUNCTION)
            if isinstance(each, FunctionSeat)
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


def _specs(
    asked: FriendlyRequest, bots: Sequence[Bot], players: int, deals: int
) -> Iterator[MatchSpec]:
    """The seats of each match; two bots at a table of three mirror."""
    names = tuple(bot.name for bot in bots)
    lineup = tuple(sorted(names))
    if asked.all_seatings and (len(bots) == players or (len(bots) == 2 and players == 3)):
        yield from matches([lineup], players, 0, deals)
    elif len(bots) == players:
        yield MatchSpec(lineup, seatings(lineup, players).index(names), names, 0, deals)
    else:
        what = f"a table of {players} needs {players} bots, not {len(bots)}"
        remedy = "name each, or two, which mirror" if players == 3 else "name each bot"
        if len(bots) > players:
            remedy = f"leave {len(bots) - players} out"
        raise ArenaError(Mistake(what, "", remedy))


def _terms(asked: FriendlyRequest, rules: Rules, bots: Sequence[Bot], deals: int) -> Terms:
    limits, max_faults = limits_for(rules, LimitsTable(move_s=asked.move_s))
    if not asked.timed:
        limits = msgspec.structs.replace(limits, move_s=None, start_s=None)
    return Terms(
        name=", ".join(bot.name for bot in bots),
        rules=rules,
        limits=limits,
        max_faults=max_faults,
        resources=STANDARD,
        session=deals if rules.pools.enabled else None,
        blocks=((0, deals),),
        bots={bot.name: _content(bot) for bot in bots},
        people={} if asked.people is None else asked.people.limits(limits),
    )


def _content(bot: Bot) -> str:
    """The hash of a bot's files. A person and a function have none, whatever they are today."""
    if is_person(bot):
        return PERSON_CONTENT
    return content_hash(Path(bot.folder)) if bot.folder else FUNCTION_CONTENT


def _plan_of_deals(
    given: str | Sequence[Deal], terms: Terms, seed: str, seats: tuple[str, ...]
) -> MatchPlan:
    """The plan of deals that are given, or a file; the seed makes only the bots' own seeds."""
    players = terms.rules.players
    deals = read_deals(Path(given), players) if isinstance(given, str) else list(given)
    for number, deal in enumerate(deals):
        wrong = flaw(deal)
        if deal.players != players:
            wrong = f"it deals at a table of {deal.players}, not {players}"
        if wrong is not None:
            raise ArenaError(Mistake(wrong, f"deal {number}"))
    seeds = seat_seeds(terms.rules, seed, deals)
    people = terms.people_at(seats)
    return MatchPlan(terms.rules, terms.limits, terms.max_faults, deals, seeds, people=people)


def _seed(asked: FriendlyRequest) -> str:
    """The seed that was given, or a secret one: from a known one bots could tell all hands."""
    return new_seed() if asked.seed is None else str(asked.seed)


def _same_deals(store: Store) -> str:
    """How to play the deals of a record again; "" while others are still to be played in it."""
    [seed] = store.seeds()
    lineup = msgspec.json.decode(store.facts()["match"], type=TableOfBots)
    terms = store.terms()
    table = [tuple(sorted(lineup.bots))]
    count = 1
    if lineup.all_seatings:
        count = sum(1 for _ in matches(table, terms.rules.players, 0, terms.deals))
    shown = is_practice(store.facts()) or len(store.stored()) == count
    return f"; with --seed {seed} the deals are the same" if shown else ""


def _changes(store: Store, terms: Terms, lineup: TableOfBots) -> Iterator[str]:
    """The differences from the match that a record was begun with, in words."""
    old = store.terms()
    before = msgspec.json.decode(store.facts()["match"], type=TableOfBots)
    if lineup.bots != before.bots:
        yield f"the bots are {', '.join(lineup.bots)}, were {', '.join(before.bots)}"
    else:
        yield from changed_contents(terms, old)
    if lineup.all_seatings != before.all_seatings:
        yield "seatings is all, was one" if lineup.all_seatings else "seatings is one, was all"
    if terms.deals != old.deals:
        yield f"deals is {terms.deals}, was {old.deals}"
    if terms.people != old.people:
        yield "the people differ, or their clocks"
    if terms.limits != old.limits:
        yield f"move_s is {_word(terms.limits.move_s)}, was {_word(old.limits.move_s)}"


def _word(seconds: float | None) -> str:
    return "without limit" if seconds is None else f"{seconds:g}"


def _job(friendly: Friendly, spec: MatchSpec) -> Job:
    programs = tuple(friendly.programs[bot] for bot in spec.seats)
    return Job(friendly.plan, programs, friendly.isolation)
