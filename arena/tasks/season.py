"""A league together with its record: begun, resumed, extended, and what is left to play."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from arena.base.isolation_levels import IsolationLevel
from arena.engine.builds import Copy
from arena.engine.program import Program
from arena.engine.worker import Job
from arena.league.file import read_league
from arena.league.plans import MatchKey, match_key, match_plan, remaining, scheduled
from arena.league.schedule import MatchSpec, new_seed
from arena.league.terms import Terms, one_more_round, widest_interval
from arena.match.commands import untimed
from arena.record.facts import MAKERS, is_practice, makers_fact
from arena.record.lock import lock
from arena.record.paths import league_path, record_path
from arena.record.rows import encode_json
from arena.record.store import Store
from arena.record.writer import Writer
from arena.sandbox.isolation import Isolation, choose_isolation
from arena.stats.figures import Standing
from arena.stats.standings import standings
from arena.tasks.field import find_copies, install_copies, read_submissions, submitted_bots
from arena.tasks.own_record import entered_names
from arena.tasks.season_terms import open_or_create, resume_terms


class Season:
    """A league whose record is open for playing."""

    def __init__(
        self,
        *,
        writer: Writer,
        terms: Terms,
        seeds: tuple[str, ...],
        copies: dict[str, Copy],
        programs: dict[str, Program],
        isolation: Isolation,
        elsewhere: Mapping[MatchKey, int] | None = None,
        share: Callable[[list[MatchSpec]], list[MatchSpec]] | None = None,
    ) -> None:
        self.writer = writer
        self.store = writer.store
        self.terms = terms
        self.copies = copies
        self.programs = programs
        self.isolation = isolation
        self.seeds = seeds
        self._elsewhere = elsewhere or {}
        self._share = share

    def remaining(self) -> list[MatchSpec]:
        """What is scheduled and not stored; of a share its own, and not stored elsewhere either."""
        stored = {**self._elsewhere, **self.store.stored()}
        missing = remaining(stored, self.terms, self.seeds)
        if self._share is None:
            return missing
        own = {match_key(spec) for spec in self._share(scheduled(self.terms))}
        return [spec for spec in missing if match_key(spec) in own]

    def next_round(self) -> list[MatchSpec]:
        """The matches of one more round; none where no more precise standings are asked for.

        Rounds are looked at whole, so that a league that was killed ends like one that was not.
        """
        if not self.grow():
            return []
        self.writer.set_facts({"terms": encode_json(self.terms)})
        return self.remaining()

    def grow(self) -> bool:
        """Add a round to the terms, once all others are played, if there is to be one."""
        terms = one_more_round(self.terms, _table(self.store, self.terms))
        self.terms = terms or self.terms
        return terms is not None

    def widest(self) -> float | None:
        """The width of the widest interval of the field; None where a bot has none yet."""
        return widest_interval(self.terms, _table(self.store, self.terms))

    def job(self, spec: MatchSpec, timed: bool = True) -> Job:
        """A match ready to be played."""
        return job_of(self.terms, self.seeds, self.programs, self.isolation, spec, timed)


def job_of(
    terms: Terms,
    seeds: Sequence[str],
    programs: Mapping[str, Program],
    isolation: Isolation,
    spec: MatchSpec,
    timed: bool,
) -> Job:
    """A match of a league with these seeds and programs, ready to be played."""
    plan = match_plan(terms, seeds, spec)
    seated = tuple(programs[bot] for bot in spec.seats)
    return Job(plan if timed else untimed(plan), seated, isolation)


@contextmanager
def open_season(
    path: Path, seed: int | None, level: IsolationLevel | None = None
) -> Iterator[Season]:
    """Begin or resume the league of a file, at a level of isolation that goes before the file's.

    Raises `ArenaError` where they do not fit together.
    """
    path = league_path(path)
    entries = read_submissions(path)
    league = read_league(path, submitted_bots(entries), entered_names(record_path(path)))
    given = league.seed if seed is None else seed
    isolation = choose_isolation(level or league.sandbox.level, league.sandbox.read_only)
    with open_or_create(path, league, given) as writer, lock(writer.store):
        store = writer.store
        facts, seeds = store.facts(), store.seeds()
        shown = _is_over(store, store.terms(), seeds)
        terms = resume_terms(path, store, league, entries, given)
        copies = find_copies(path, league, entries, terms)
        programs = install_copies(copies, path, isolation)
        season = Season(
            writer=writer,
            terms=terms,
            seeds=seeds,
            copies=copies,
            programs=programs,
            isolation=isolation,
        )
        if not season.remaining():
            season.grow()
        if shown and not is_practice(facts) and season.remaining():
            season.seeds = (*seeds, new_seed())  # else the new deals could be foreseen
        new = {"terms": encode_json(season.terms), "seeds": encode_json(season.seeds)}
        writer.set_facts({**new, MAKERS: makers_fact(facts, league.bots)})
        yield season


def _table(store: Store, terms: Terms) -> list[Standing]:
    """The standings by the sets that are complete."""
    return standings(store.blocks(terms), sorted(terms.bots), {})


def _is_over(store: Store, terms: Terms, seeds: Sequence[str]) -> bool:
    """Whether everything was played, so that the seed was shown."""
    stored = store.stored()
    if not stored or remaining(stored, terms, seeds):
        return False
    return one_more_round(terms, _table(store, terms)) is None
