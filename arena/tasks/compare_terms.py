"""The terms of a comparison, as asked for or as in the record where it was begun."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.base.resources import STANDARD
from arena.bots.manifest import Bot, content_hash, read_bot
from arena.league.file import limits_for, rules_from
from arena.league.format import SESSION
from arena.league.terms import Terms
from arena.record.store import Store
from arena.stats.sprt import RUN, Hypotheses
from arena.tasks.own_record import (
    BegunRecord,
    changed_contents,
    name_apart,
    refuse_changes,
)


class AskedComparison(msgspec.Struct, frozen=True):
    """The question: is `new` better than `old`? The bots' folders, the rules, the test.

    Each of `thirds` sits at a table with the two in turn; without any, the two mirror. The test
    ends undecided after `max_sets` sets, rounded up to whole runs at all tables.
    """

    new: Path
    old: Path
    thirds: tuple[Path, ...]
    rules: str
    hypotheses: Hypotheses
    max_sets: int


class ComparedPair(msgspec.Struct, frozen=True):
    """The names of the two bots and the test that compares them, as the record keeps them."""

    new: str
    old: str
    hypotheses: Hypotheses


def read_comparison(
    asked: AskedComparison, record: Path | None = None
) -> tuple[Terms, ComparedPair, tuple[Bot, ...]]:
    """The terms of a comparison that is yet to begin, and its bots. Raises `ArenaError`.

    Bots keep the names that they have in a `record` that exists.
    """
    rules = rules_from(asked.rules)
    if rules.players != 3:
        what = f"bots are compared at tables of three, and these rules are for {rules.players}"
        raise ArenaError(Mistake(what, asked.rules))
    folders = (asked.new, asked.old, *asked.thirds)
    bots = name_apart([read_bot(folder) for folder in folders])
    new, old = (bot.name for bot in bots[:2])
    contents = {bot.name: content_hash(Path(bot.folder)) for bot in bots}
    if contents[new] == contents[old]:
        what = "the two bots are the same program: their files are equal"
        raise ArenaError(
            Mistake(what, f"{asked.new} and {asked.old}", "compare two versions of it")
        )
    limits, max_faults = limits_for(rules)
    terms = Terms(
        name=f"{new} against {old}",
        rules=rules,
        limits=limits,
        max_faults=max_faults,
        resources=STANDARD,
        session=SESSION if rules.pools.enabled else None,
        always=(new, old) if asked.thirds else (),
        blocks=(),
        bots=contents,
    )
    return _extend(terms, asked.max_sets), ComparedPair(new, old, asked.hypotheses), bots


def name_record(terms: Terms, pair: ComparedPair, seed: int | None) -> Path:
    """A record in the working folder, named by the bots and by a hash of the whole question.

    So another version of a bot is another comparison.
    """
    asked = (msgspec.structs.replace(terms, blocks=()), pair, seed)
    digest = hashlib.sha256(msgspec.json.encode(asked)).hexdigest()
    return Path(f"compare-{pair.new}-{pair.old}-{digest[:8]}.db")


def resume_comparison(
    store: Store, begun: BegunRecord, pair: ComparedPair, max_sets: int
) -> tuple[Terms, ComparedPair]:
    """The terms to go on with, the record's with more sets if more are asked for, and its pair.

    Raises `ArenaError` if the record is that of another comparison.
    """
    asked, old = begun.terms, store.terms()
    before = msgspec.json.decode(store.facts()["comparison"], type=ComparedPair)
    changes = [*_changed_test(pair, before), *_changed_bots(asked, pair, old, before)]
    if asked.deals < old.deals:
        sets = old.deals // (old.session or 1) * len(old.lineups)
        changes.append(f"max-sets is {max_sets}, was {sets}")
    refuse_changes(store, begun, changes)
    return _extend(old, max_sets), before


def sets_of_run(terms: Terms) -> int:
    """The sets that a match plays: whole sessions, where a set is a session."""
    return max(1, RUN // (terms.session or 1))


def _extend(terms: Terms, max_sets: int) -> Terms:
    """The terms with deals for `max_sets` sets, shared evenly by the tables, in whole runs."""
    run = sets_of_run(terms)
    runs = -(-max_sets // (run * len(terms.lineups)))
    deals = run * (terms.session or 1)
    blocks = [(first, deals) for first in range(terms.deals, runs * deals, deals)]
    return msgspec.structs.replace(terms, blocks=(*terms.blocks, *blocks))


def _changed_test(pair: ComparedPair, before: ComparedPair) -> Iterator[str]:
    now = msgspec.structs.asdict(pair.hypotheses)
    for key, was in msgspec.structs.asdict(before.hypotheses).items():
        if now[key] != was:
            yield f"{key} is {now[key]:g}, was {was:g}"


def _changed_bots(
    asked: Terms, pair: ComparedPair, old: Terms, before: ComparedPair
) -> Iterator[str]:
    if (pair.new, pair.old) != (before.new, before.old) or set(asked.bots) != set(old.bots):
        thirds = ", ".join(sorted(set(old.bots) - {before.new, before.old})) or "nobody else"
        yield f"it compares {old.name}, with {thirds}"
        return
    yield from changed_contents(asked, old)
