"""Two bots compared: a record of the sets they play until the sequential test is decided."""

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from arena import __version__
from arena.base.errors import ArenaError, Mistake
from arena.base.resources import STANDARD, Level
from arena.bots.manifest import Bot, content_hash, read_bot
from arena.engine.builds import prepare
from arena.engine.program import Program
from arena.engine.worker import Job
from arena.league.file import limits_for, rules_from
from arena.league.format import SESSION
from arena.league.plans import match_plan
from arena.league.schedule import MatchSpec, commitment, matches, new_seed
from arena.league.terms import Terms
from arena.match.record import MatchRecord
from arena.record.store import Store
from arena.sandbox.isolation import Isolation, isolation
from arena.stats.blocks import complete_blocks
from arena.stats.sprt import Decision, Hypotheses, decide
from arena.tasks.season import only_one, read_seeds, read_terms

RUN: Final = 10
"""Sets that a match plays, so that processes are not started anew for each deal."""


class Asked(msgspec.Struct, frozen=True):
    """What is asked: is `new` better than `old`? The bots' folders, the rules, the test.

    With `thirds`, each meets the two at a table, in turn; else the two mirror. `most` are the sets
    at which an undecided test ends.
    """

    new: Path
    old: Path
    thirds: tuple[Path, ...]
    rules: str
    hypotheses: Hypotheses
    most: int


class Pair(msgspec.Struct, frozen=True):
    """Who is compared, by name, and by which test, as the record keeps it."""

    new: str
    old: str
    hypotheses: Hypotheses


class Result(msgspec.Struct, frozen=True):
    """How a comparison stands, and what `arena compare --json` prints.

    `bounds` are those of the log likelihood ratio. Left out are `void_sets`, in which a bot was
    disqualified, and `later_sets`, those played beyond the one that decided. The seed is shown for
    practice and once the test is decided.
    """

    new: str
    old: str
    thirds: tuple[str, ...]
    hypotheses: Hypotheses
    bounds: tuple[float, float]
    decision: Decision
    max_sets: int
    void_sets: int
    later_sets: int
    practice: bool
    commitment: str
    seed: str | None
    faults: dict[str, dict[str, int]]
    isolation: dict[str, int]
    record: str


class Comparison:
    """A comparison whose record is open for playing. Sets count in their order, whoever is done."""

    def __init__(
        self,
        store: Store,
        terms: Terms,
        pair: Pair,
        seeds: Sequence[str],
        programs: dict[str, Program],
        isolation: Isolation,
    ) -> None:
        self.store = store
        self.pair = pair
        self.isolation = isolation
        self._terms = terms
        self._seeds = seeds
        self._programs = programs
        self._bots = (pair.new, pair.old, *sorted(set(terms.bots) - {pair.new, pair.old}))
        tables = terms.lineups
        self._order = [(first, lineup) for first, _ in terms.blocks for lineup in tables]
        self._stored = set(store.stored())
        self._seatings = Counter((first, lineup) for lineup, _, first in self._stored)
        self._next = 0
        self._gaps = np.zeros(0)
        self._void = self._complete = 0
        self._count()
        self.decision = decide(self._gaps, pair.hypotheses)

    @property
    def decided(self) -> bool:
        """Whether the test has come to an end of its own."""
        return self.decision.verdict != "undecided"

    @property
    def max_sets(self) -> int:
        """The sets at which the test ends undecided."""
        return self._terms.deals // (self._terms.session or 1) * len(self._terms.lineups)

    def jobs(self) -> Iterator[tuple[MatchSpec, Job]]:
        """What is left to play, in the order of sets, for as long as nothing is decided."""
        for first, deals in self._terms.blocks:
            for spec in matches(self._terms.lineups, self._terms.rules.players, first, deals):
                if (spec.lineup, spec.seating, spec.first) in self._stored:
                    continue
                if self.decided:
                    return
                plan = match_plan(self._terms, self._seeds, spec)
                programs = tuple(self._programs[bot] for bot in spec.seats)
                yield spec, Job(plan, programs, self.isolation)

    def add(self, spec: MatchSpec, record: MatchRecord) -> bool:
        """Store a match. Says whether more sets count now."""
        self.store.add(spec, record)
        self._seatings[spec.first, spec.lineup] += 1
        before = self._next
        self._count()
        if self._next > before and not self.decided:
            self.decision = decide(self._gaps, self.pair.hypotheses)
        return self._next > before

    def result(self) -> Result:
        """How it stands."""
        practice = self.store.facts()["practice"] == "yes"
        [seed] = self._seeds
        return Result(
            self.pair.new,
            self.pair.old,
            self._bots[2:],
            self.pair.hypotheses,
            self.pair.hypotheses.bounds,
            self.decision,
            self.max_sets,
            self._void,
            self._complete - self._void - self.decision.sets,
            practice,
            commitment(seed),
            seed if practice or self.decided else None,
            self.store.faults(),
            self.store.isolation(),
            str(self.store.path),
        )

    def _count(self) -> None:
        """Count the sets that are complete and follow on those counted so far."""
        while self._next < len(self._order):
            first, lineup = self._order[self._next]
            if self._seatings[first, lineup] < len(self._terms.seats_of(lineup)):
                return
            played = self.store.played(lineup, first)
            session = self._terms.session or 1
            [block] = complete_blocks(played, self._bots, self._terms.seats_of, session)
            self._complete += block.sets
            if block.stakes is None:
                self._void += block.sets
            else:
                new, old = (block.lineup.index(bot) for bot in (self.pair.new, self.pair.old))
                gaps = block.stakes.stakes[:, new] - block.stakes.stakes[:, old]
                self._gaps = np.concatenate([self._gaps, gaps])
            self._next += 1


@contextmanager
def open_comparison(
    asked: Asked, record: Path | None, seed: int | None, level: Level | None
) -> Iterator[Comparison]:
    """Begin a comparison or go on with it, in a record of its own. Raises `ArenaError`.

    Without a `record` it is one in the working folder, named by the bots and by all that is asked
    of them, so that another version of a bot is another comparison.
    """
    terms, pair, bots = _read(asked)
    path = record or _record(terms, pair, seed)
    if path.suffix != ".db":
        raise ArenaError(Mistake("the name of a record ends with .db", str(path)))
    apart = isolation(level)
    store = _opened(path, terms, pair, seed)
    try:
        with only_one(path):
            seeds = read_seeds(store)
            terms = _resumed(store, terms, pair, asked.most, seed)
            programs = {bot.name: prepare(bot, apart) for bot in bots}
            store.set_facts({"terms": _word(terms)})
            yield Comparison(store, terms, pair, seeds, programs, apart)
    finally:
        store.close()


def _read(asked: Asked) -> tuple[Terms, Pair, list[Bot]]:
    """The terms of a comparison that is yet to begin."""
    rules = rules_from(asked.rules)
    if rules.players != 3:
        what = f"bots are compared at tables of three, these rules are for {rules.players}"
        raise ArenaError(Mistake(what, asked.rules))
    bots = _named([read_bot(folder) for folder in (asked.new, asked.old, *asked.thirds)])
    new, old = (bot.name for bot in bots[:2])
    limits, max_faults = limits_for(rules)
    terms = Terms(
        f"{new} against {old}",
        rules,
        limits,
        max_faults,
        STANDARD,
        SESSION if rules.pools.enabled else None,
        None,
        (new, old) if asked.thirds else (),
        (),
        {bot.name: content_hash(Path(bot.folder)) for bot in bots},
    )
    return _up_to(terms, asked.most), Pair(new, old, asked.hypotheses), bots


def _named(bots: Sequence[Bot]) -> list[Bot]:
    """The bots, each under a name of its own: a second `mine` goes by its folder's if it can."""
    named: list[Bot] = []
    for bot in bots:
        taken = {other.name for other in named}
        name, number = bot.name, 1
        if name in taken:
            name = Path(bot.folder).name[:40]
        while name in taken:
            number += 1
            name = f"{bot.name}.{number}"
        named.append(msgspec.structs.replace(bot, name=name))
    return named


def _up_to(terms: Terms, most: int) -> Terms:
    """The terms with runs of deals for `most` sets, shared evenly by the tables, rounded up."""
    session = terms.session or 1
    deals = -(-most // len(terms.lineups)) * session
    run = max(1, RUN // session) * session
    blocks = [(first, min(run, deals - first)) for first in range(terms.deals, deals, run)]
    return msgspec.structs.replace(terms, blocks=(*terms.blocks, *blocks))


def _record(terms: Terms, pair: Pair, seed: int | None) -> Path:
    whole = (msgspec.structs.replace(terms, blocks=()), pair, seed)
    digest = hashlib.sha256(msgspec.json.encode(whole)).hexdigest()
    return Path(f"compare-{pair.new}-{pair.old}-{digest[:8]}.db")


def _opened(path: Path, terms: Terms, pair: Pair, seed: int | None) -> Store:
    if path.exists():
        return Store.open(path, writing=True)
    secret = new_seed() if seed is None else str(seed)
    facts = {
        "arena": __version__,
        "seeds": _word((secret,)),
        "practice": "no" if seed is None else "yes",
        "terms": _word(terms),
        "comparison": _word(pair),
    }
    return Store.create(path, facts)


def _resumed(store: Store, asked: Terms, pair: Pair, most: int, seed: int | None) -> Terms:
    """The terms to go on with: the record's, with more sets if more are asked for."""
    facts, place = store.facts(), str(store.path)
    if "comparison" not in facts:
        raise ArenaError(Mistake("this is the record of a league, not of a comparison", place))
    old = read_terms(store)
    before = msgspec.json.decode(facts["comparison"], type=Pair)
    tests = msgspec.structs.asdict(pair.hypotheses), msgspec.structs.asdict(before.hypotheses)
    changes = [
        f"{key} is {tests[0][key]:g}, was {was:g}"
        for key, was in tests[1].items()
        if tests[0][key] != was
    ]
    if (pair.new, pair.old) != (before.new, before.old) or set(asked.bots) != set(old.bots):
        changes.append(f"it compares {old.name}, with {_others(old, before)}")
    elif asked.bots != old.bots:
        changed = [bot for bot, content in asked.bots.items() if old.bots[bot] != content]
        changes.append(f"the bot {' and the bot '.join(changed)} has changed")
    if asked.rules != old.rules:
        changes.append("the rules are others")
    practice = facts["practice"] == "yes"
    [known] = read_seeds(store)
    if seed is not None and str(seed) != known:
        changes.append(f"seed is {seed}, was {known if practice else 'secret'}")
    if asked.deals < old.deals:
        session = old.session or 1
        changes.append(f"max-sets is {most}, was {old.deals // session * len(old.lineups)}")
    if changes:
        what = "this record is of another comparison"
        remedy = "give another --record, or none"
        raise ArenaError(*(Mistake(f"{what}: {it}", place, remedy) for it in changes))
    return _up_to(old, most)


def _others(terms: Terms, pair: Pair) -> str:
    return ", ".join(sorted(set(terms.bots) - {pair.new, pair.old})) or "nobody else"


def _word(value: object) -> str:
    return msgspec.json.encode(value).decode()
