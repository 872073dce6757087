"""The terms of a league: from its file, and from the record where it was begun."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.league.draw import draw_tables
from arena.league.file import League
from arena.league.format import OpenFormat, TournamentFormat
from arena.league.ledger import Committed
from arena.league.schedule import commitment, new_seed
from arena.league.terms import OpenTerms, Terms, TournamentTerms, forbidden_changes
from arena.record.facts import MAKERS, first_facts, is_practice, makers_fact, read_seeds
from arena.record.paths import record_path
from arena.record.rows import encode_json
from arena.record.store import Store
from arena.record.submissions import Submission
from arena.record.writer import Writer
from arena.stats.figures import Lineup
from arena.tasks.field import AskedLeague, content_hashes


@contextmanager
def open_or_create(path: Path, league: League, given: int | None = None) -> Iterator[Writer]:
    """The record of a league, created if there is none. Raises `ArenaError`.

    `given` is the seed of a league that is played for practice.
    """
    record = record_path(path)
    if not record.exists():
        try:
            create_record(record, path, league, league.seed if given is None else given)
        except ArenaError:
            if not record.exists():
                raise  # else another process was quicker
    with closing(Writer.open(record)) as writer:
        yield writer


def create_record(
    record: Path,
    path: Path,
    league: League,
    given: int | None,
    more: Mapping[str, str] | None = None,
    entries: Sequence[Submission] = (),
) -> None:
    """Create a record that begins with the terms of a league's file, submissions and `more` facts.

    An open league's ledger begins with the commitment to the season's secret.
    """
    form = league.format
    terms = _ask(league, entries, content_hashes(league), ((0, form.deals),))
    seed = new_seed() if given is None else str(given)
    makers = {MAKERS: makers_fact({}, league.bots)}
    facts = first_facts(path, terms, seed, given is not None, **makers, **(more or {}))
    ledger: list[Committed] = []
    if form.tournament is not None:
        facts["terms"] = encode_json(_tournament(terms, league, form.tournament))
    if form.open is not None:
        opened = _opened(terms, form.open, blocks=(), bots={}, retired=())
        facts["terms"] = encode_json(opened)
        ledger.append(Committed(commitment(seed)))
    Writer.create(record, facts, entries=entries, ledger=ledger).close()


def resume_terms(asked: AskedLeague, store: Store) -> Terms:
    """The terms to go on with: those of the record, extended. Raises `ArenaError`."""
    old, form = store.terms(), asked.league.format
    new = _ask(asked.league, asked.entries, asked.contents, old.blocks, old.trios or ())
    if form.trios is not None:
        drawn = draw_tables(new.all_lineups, form.trios, new.trios or ())
        new = msgspec.structs.replace(new, trios=tuple(drawn))
    changed = forbidden_changes(old, new)
    if form.width is None and old.width is None:
        if old.deals < form.deals:
            blocks = (*old.blocks, (old.deals, form.deals - old.deals))
            new = msgspec.structs.replace(new, blocks=blocks)
        elif old.deals > form.deals:
            changed.append(f"deals is {form.deals}, was {old.deals}")
    _refuse(asked, store, changed)
    return new


def resume_open_terms(asked: AskedLeague, form: OpenFormat, store: Store) -> OpenTerms:
    """The terms of an open league to go on with; its bots are the record's. Raises `ArenaError`.

    Until an author has come, the organiser may change how a season ends and what is shown when.
    """
    old = store.terms()
    new = _ask(asked.league, asked.entries, asked.contents, old.blocks)
    named = _opened(new, form, bots={**old.bots, **new.bots}, retired=old.retired)
    nobody = all(bot.house for bot in store.fold().joined.values())
    free = ("final", "final_deals", "publish") if nobody else ()
    _refuse(asked, store, forbidden_changes(old, named, free))
    return msgspec.structs.replace(named, bots=old.bots)


def resume_tournament_terms(
    asked: AskedLeague, form: TournamentFormat, store: Store
) -> TournamentTerms:
    """The terms of a tournament to go on with; bots come and go only before its first match.

    Raises `ArenaError`.
    """
    old = store.terms()
    asks = _ask(asked.league, asked.entries, asked.contents, old.blocks)
    new = _tournament(asks, asked.league, form)
    changed = forbidden_changes(old, new)
    if store.numbers():
        before, after = (set(each.bots) - set(each.retired) for each in (old, new))
        changed += (f"the bot {bot} comes late" for bot in sorted(after - before))
        changed += (f"the bot {bot} was withdrawn" for bot in sorted(before - after))
    _refuse(asked, store, changed)
    return new


def _refuse(asked: AskedLeague, store: Store, changed: list[str]) -> None:
    """Raise `ArenaError` if something has changed, or another seed is given."""
    facts = store.facts()
    seed = read_seeds(facts)[-1]
    if asked.seed is not None and str(asked.seed) != seed:
        was = seed if is_practice(facts) else "secret"
        changed.append(f"seed is {asked.seed}, was {was}")
    if changed:
        remedy = f"undo that, or move {store.path} away to begin anew (more bots or deals may come)"
        what = "the league has changed since its record was begun"
        raise ArenaError(*(Mistake(f"{what}: {it}", str(asked.path), remedy) for it in changed))


def _opened(terms: Terms, form: OpenFormat, **changes: object) -> OpenTerms:
    """The terms of an open league, from terms that have all but its format."""
    return OpenTerms(**{**msgspec.structs.asdict(terms), **changes}, open=form)


def _tournament(terms: Terms, league: League, form: TournamentFormat) -> TournamentTerms:
    """The terms of a tournament, from terms that have all but its format.

    Its bots are listed as the file has them, those that were submitted after them.
    """
    deals = league.format.deals
    named = [bot.name for bot in league.bots]
    later = [bot for bot in terms.bots if bot not in named]
    return TournamentTerms(
        **{
            **msgspec.structs.asdict(terms),
            "blocks": tuple((number * deals, deals) for number in range(form.rounds)),
        },
        tournament=form,
        listed=(*named, *later) if form.first_round == "listed" else (),
    )


def _ask(
    league: League,
    entries: Sequence[Submission],
    contents: Mapping[str, str],
    blocks: tuple[tuple[int, int], ...],
    trios: tuple[Lineup, ...] = (),
) -> Terms:
    """The terms that a league's file asks for; `trios` are those drawn so far."""
    form = league.format
    hashes = {**contents, **{entry.name: entry.digest for entry in entries}}
    authors = {bot.name: bot.author for bot in league.bots}
    authors |= {entry.name: entry.manifest.author for entry in entries}
    return Terms(
        name=league.name,
        rules=league.rules,
        limits=league.limits,
        max_faults=league.max_faults,
        resources=league.resources,
        session=form.session,
        seatings=form.seatings,
        always=form.always,
        blocks=blocks,
        bots=dict(sorted(hashes.items())),
        retired=tuple(entry.name for entry in entries if entry.state != "playing"),
        mirror=form.kind == "mirror",
        trios=None if form.trios is None else trios,
        authors=authors if form.apart else None,
        width=form.width,
        max_deals=form.max_deals,
    )
