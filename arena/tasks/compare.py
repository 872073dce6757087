"""Two bots compared: a closed league of them, played until the sequential test is decided."""

import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import numpy as np

from arena.base.errors import ArenaError, Mistake
from arena.base.isolation_levels import IsolationLevel
from arena.bots.manifest import read_bot
from arena.engine.builds import cache, prepare
from arena.league.config import SESSION, ComparisonConfig, LeagueLimits
from arena.league.file import rules_from
from arena.league.schedule import MatchSpec, commitment
from arena.record.store import Store
from arena.sandbox.isolation import choose_isolation
from arena.stats.figures import Hypotheses
from arena.stats.sets import Block, Floats
from arena.stats.sprt import SprtDecision, decide, first_look
from arena.tasks.closed_league import ClosedLeague
from arena.tasks.league_request import LeagueRequest, content_hashes, resumed
from arena.tasks.league_run import Jobs, Roster
from arena.tasks.match import disambiguate


class TestTerms(msgspec.Struct, frozen=True):
    """A sequential test, which ends undecided after `max_sets` sets.

    They are rounded up to whole runs at all tables.
    """

    hypotheses: Hypotheses
    max_sets: int


class ComparisonRequest(TestTerms, frozen=True):
    """The question: is `new` better than `old`? The bots' folders, the rules, the test.

    Each of `thirds` sits at a table with the two in turn; without any, the two mirror.
    """

    new: Path
    old: Path
    thirds: tuple[Path, ...]
    rules: str


class ComparisonResult(TestTerms, frozen=True):
    """The state of a comparison, as `arena compare --json` prints it.

    `bounds` are those of the log likelihood ratio. The decision leaves out `void_sets`, those of
    runs in which a bot was disqualified at one of the tables, and `later_sets`, played after the
    one that decided. The seed is shown if it is for practice, else once the test is decided.
    """

    new: str
    old: str
    thirds: tuple[str, ...]
    bounds: tuple[float, float]
    decision: SprtDecision
    void_sets: int
    later_sets: int
    practice: bool
    commitment: str
    seed: str | None
    faults: dict[str, dict[str, int]]
    isolation: dict[str, int]
    record: str


class Comparison(ClosedLeague):
    """A comparison whose record is open for playing.

    Sets count in the order of the schedule, whichever match is finished first: deal by deal, and
    for each deal table by table, so that thirds alternate.
    """

    def __init__(self, store: Store, roster: Roster, asked: LeagueRequest) -> None:
        terms = store.terms()
        super().__init__(store, roster, terms, store.seeds())
        assert isinstance(terms.config, ComparisonConfig)
        self.config: ComparisonConfig = terms.config
        self._thirds = tuple(bot for bot in asked.contents if bot not in self._pair)
        self.counted: int = 0
        """The number of runs of deals that count: those played at all their tables."""
        self._gaps = np.zeros(0)
        self._void = 0
        self._count_runs()
        self.decision: SprtDecision = self._decide()

    @property
    def decided(self) -> bool:
        """Whether the test has reached a verdict."""
        return self.decision.verdict != "undecided"

    @property
    def max_sets(self) -> int:
        """The sets at which the test ends undecided."""
        return len(self.terms.blocks) * self._sets_of_run

    @property
    def first_look(self) -> int:
        """The sets before which nothing is decided."""
        return first_look(self.config.sets_of_run, len(self.terms.lineups))

    def runs(self, timed: bool = True) -> Iterator[Jobs]:
        """The matches left to play, in the order of sets, until the test is decided."""
        yield self._jobs(timed)

    def stored(self, spec: MatchSpec) -> None:
        """Decide again once more sets count."""
        before = self.counted
        self._count_runs()
        if self.counted > before and not self.decided:
            self.decision = self._decide()

    def result(self) -> ComparisonResult:
        """The present state of the comparison."""
        practice = self.store.facts().practice
        [seed] = self.seeds
        return ComparisonResult(
            self.config.hypotheses,
            self.max_sets,
            self.config.new,
            self.config.old,
            self._thirds,
            self.config.hypotheses.bounds,
            self.decision,
            self._void,
            len(self._gaps) - self.decision.sets,
            practice,
            commitment(seed),
            seed if practice or self.decided else None,
            self.store.faults(),
            self.store.isolation(),
            str(self.store.path),
        )

    @property
    def _pair(self) -> tuple[str, str]:
        return self.config.new, self.config.old

    @property
    def _sets_of_run(self) -> int:
        """The sets of a run at all tables."""
        return self.config.sets_of_run * len(self.terms.lineups)

    def _jobs(self, timed: bool) -> Jobs:
        for spec in self.remaining():
            if self.decided:
                return
            yield spec, self.job(spec, timed)

    def _count_runs(self) -> None:
        lineups = self.terms.lineups
        for first, _ in self.terms.blocks[self.counted :]:
            played = [row for lineup in lineups for row in self.store.run_of(lineup, first)]
            blocks = self.store.blocks(self.terms, played)
            if len(blocks) < len(lineups):
                return
            if any(block.disqualified for block in blocks):
                self._void += self._sets_of_run
            else:
                gaps = np.stack([self._gap(block) for block in blocks], axis=1)
                self._gaps = np.concatenate([self._gaps, gaps.ravel()])
            self.counted += 1

    def _gap(self, block: Block) -> Floats:
        new, old = map(block.lineup.index, self._pair)
        assert block.stakes is not None, "nobody was disqualified"
        return block.stakes.stakes[:, new] - block.stakes.stakes[:, old]

    def _decide(self) -> SprtDecision:
        run, tables = self.config.sets_of_run, len(self.terms.lineups)
        return decide(self._gaps, self.config.hypotheses, run, tables)


@contextmanager
def open_comparison(
    asked: ComparisonRequest, record: Path | None, seed: int | None, level: IsolationLevel | None
) -> Iterator[Comparison]:
    """Begin a comparison or continue it, in its own record. Raises `ArenaError`.

    Without a `record` it is one in the working folder, named by the bots and by a hash of the whole
    question: another version of a bot is another comparison.
    """
    if record is not None and record.suffix != ".db":
        raise ArenaError(Mistake("the name of a record must end in .db", str(record)))
    league = _read(asked, seed)
    config = league.config
    assert isinstance(config, ComparisonConfig)
    if record is None:
        question = msgspec.structs.replace(config, deals=1), league.contents
        digest = hashlib.sha256(msgspec.json.encode(question)).hexdigest()
        record = Path(f"compare-{config.new}-{config.old}-{digest[:8]}.db")
    roster = Roster(cache(), choose_isolation(level))
    for bot in league.bots:
        roster.programs[bot.name] = prepare(bot, roster.isolation)
    league = msgspec.structs.replace(league, path=record)
    with resumed(league) as (store, terms):
        store.set_facts(terms=terms)
        yield Comparison(store, roster, league)


def _read(asked: ComparisonRequest, seed: int | None) -> LeagueRequest:
    rules = rules_from(asked.rules)
    if rules.players != 3:
        what = f"bots are compared at tables of three, and these rules are for {rules.players}"
        raise ArenaError(Mistake(what, asked.rules))
    bots = disambiguate([read_bot(each) for each in (asked.new, asked.old, *asked.thirds)])
    contents = content_hashes(bots)
    new, old = (bot.name for bot in bots[:2])
    if contents[new] == contents[old]:
        what = "the two bots are the same program: their files are equal"
        place, remedy = f"{asked.new} and {asked.old}", "compare two versions of it"
        raise ArenaError(Mistake(what, place, remedy))
    config = ComparisonConfig(
        name=f"{new} against {old}",
        rules=rules,
        limits=LeagueLimits(move_s=rules.conduct.move_limit_s),
        seed=seed,
        session=SESSION if rules.pools.enabled else None,
        always=(new, old) if asked.thirds else (),
        new=new,
        old=old,
        hypotheses=asked.hypotheses,
    )
    run, tables = config.sets_of_run, max(1, len(asked.thirds))
    runs = -(-asked.max_sets // (run * tables))
    deals = runs * run * (config.session or 1)
    return LeagueRequest(None, msgspec.structs.replace(config, deals=deals), bots, (), contents)
