"""Two bots compared: the sets they play, counted until the sequential test is decided."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from arena.base.isolation_levels import IsolationLevel
from arena.base.run_events import Completed, RunEvent
from arena.engine.builds import prepare
from arena.engine.program import Program
from arena.engine.worker import Job
from arena.league.plans import match_plan
from arena.league.schedule import MatchSpec, commitment, matches
from arena.league.terms import Terms
from arena.match.record import MatchRecord
from arena.record.rows import encode_json
from arena.record.writer import Writer
from arena.sandbox.isolation import Isolation, choose_isolation
from arena.stats.figures import Lineup
from arena.stats.floats import Floats
from arena.stats.sprt import SprtDecision, decide, first_look
from arena.tasks.compare_terms import (
    AskedComparison,
    ComparedPair,
    name_record,
    read_comparison,
    resume_comparison,
    sets_of_run,
)
from arena.tasks.league_run import store_event
from arena.tasks.own_record import BegunRecord, own_record


class ComparisonResult(ComparedPair, frozen=True):
    """The state of a comparison, as `arena compare --json` prints it.

    `bounds` are those of the log likelihood ratio. The decision leaves out `void_sets`, those of
    runs in which a bot was disqualified at one of the tables, and `later_sets`, played after the
    one that decided. The seed is shown if it is for practice, else once the test is decided.
    """

    thirds: tuple[str, ...]
    bounds: tuple[float, float]
    decision: SprtDecision
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
    """A comparison whose record is open for playing.

    Sets count in the order of the schedule, whichever match is finished first: deal by deal, and
    for each deal table by table, so that thirds alternate.
    """

    def __init__(
        self,
        writer: Writer,
        terms: Terms,
        pair: ComparedPair,
        seeds: Sequence[str],
        programs: dict[str, Program],
        isolation: Isolation,
    ) -> None:
        self.writer = writer
        self.store = writer.store
        self.pair = pair
        self.isolation = isolation
        self._terms = terms
        self._seeds = seeds
        self._programs = programs
        self._bots = (pair.new, pair.old, *sorted(set(terms.bots) - {pair.new, pair.old}))
        self._firsts = [first for first, _ in terms.blocks]
        self._stored = set(self.store.stored())
        self._seatings = Counter((first, lineup) for lineup, _, first in self._stored)
        self.counted = 0
        """The number of entries of the schedule that count: runs complete at all their tables."""
        self._gaps = np.zeros(0)
        self._void = self._complete = 0
        self._count()
        self.decision = self._decide()

    @property
    def decided(self) -> bool:
        """Whether the test has reached a verdict."""
        return self.decision.verdict != "undecided"

    @property
    def max_sets(self) -> int:
        """The sets at which the test ends undecided."""
        return self._terms.deals // (self._terms.session or 1) * len(self._terms.lineups)

    @property
    def first_look(self) -> int:
        """The sets before which nothing is decided."""
        return first_look(sets_of_run(self._terms), len(self._terms.lineups))

    def jobs(self) -> Iterator[tuple[MatchSpec, Job]]:
        """The matches left to play, in the order of sets, until the test is decided."""
        for first, deals in self._terms.blocks:
            for spec in matches(self._terms.lineups, self._terms.rules.players, first, deals):
                if (spec.lineup, spec.seating, spec.first) in self._stored:
                    continue
                if self.decided:
                    return
                plan = match_plan(self._terms, self._seeds, spec)
                programs = tuple(self._programs[bot] for bot in spec.seats)
                yield spec, Job(plan, programs, self.isolation)

    def take(self, event: RunEvent[MatchSpec, MatchRecord]) -> None:
        """Store what happened in a run, and decide anew once more sets count.

        Raises `MachineError` if a match failed too often.
        """
        store_event(self.writer, event)
        if not isinstance(event, Completed):
            return
        spec = event.key
        self._seatings[spec.first, spec.lineup] += 1
        before = self.counted
        self._count()
        if self.counted > before and not self.decided:
            self.decision = self._decide()

    def result(self) -> ComparisonResult:
        """The present state of the comparison."""
        practice = self.store.facts()["practice"] == "yes"
        [seed] = self._seeds
        return ComparisonResult(
            self.pair.new,
            self.pair.old,
            self.pair.hypotheses,
            self._bots[2:],
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
        """Count the complete sets that follow those counted so far."""
        lineups, seats_of = self._terms.lineups, self._terms.seats_of
        for first in self._firsts[self.counted :]:
            if any(self._seatings[first, table] < len(seats_of(table)) for table in lineups):
                return
            found = [gaps for lineup in lineups for gaps in self._run(lineup, first)]
            sets = sets_of_run(self._terms) * len(lineups)
            self._complete += sets
            if len(found) == len(lineups):
                self._gaps = np.concatenate([self._gaps, np.stack(found, axis=1).ravel()])
            else:
                self._void += sets
            self.counted += 1

    def _run(self, lineup: Lineup, first: int) -> Iterator[Floats]:
        """The gaps of a complete run of sets at one table; nothing if it is void."""
        [block] = self.store.blocks(self._terms, lineup, first)
        if block.stakes is not None:
            new, old = (block.lineup.index(bot) for bot in (self.pair.new, self.pair.old))
            yield block.stakes.stakes[:, new] - block.stakes.stakes[:, old]

    def _decide(self) -> SprtDecision:
        run, tables = sets_of_run(self._terms), len(self._terms.lineups)
        return decide(self._gaps, self.pair.hypotheses, run, tables)


@contextmanager
def open_comparison(
    asked: AskedComparison, record: Path | None, seed: int | None, level: IsolationLevel | None
) -> Iterator[Comparison]:
    """Begin a comparison or go on with it, in a record of its own. Raises `ArenaError`.

    Without a `record` it is the one that `name_record` gives.
    """
    terms, pair, bots = read_comparison(asked, record)
    path = record or name_record(terms, pair, seed)
    apart = choose_isolation(level)
    begun = BegunRecord("comparison", encode_json(pair), terms, bots, seed)
    with own_record(path, begun) as writer:
        store = writer.store
        terms, pair = resume_comparison(store, begun, pair, asked.max_sets)
        programs = {bot.name: prepare(bot, apart) for bot in bots}
        writer.set_facts({"terms": encode_json(terms)})
        yield Comparison(writer, terms, pair, store.seeds(), programs, apart)
