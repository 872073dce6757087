"""The record of matches outside a league: begun, resumed, or refused."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.bots.manifest import Bot
from arena.bots.names import LONGEST_NAME, equal_name, free_name, mistake_in_name
from arena.league.schedule import new_seed
from arena.league.terms import Terms
from arena.record.facts import MAKERS, first_facts, is_practice, makers_fact
from arena.record.lock import lock
from arena.record.store import Store
from arena.record.writer import Writer

RecordKind = Literal["comparison", "match"]
"""The kind of a record; a fact of this name tells more of it."""


class BegunRecord(msgspec.Struct, frozen=True):
    """The beginning of a record: its kind with more about it, terms, bots, a given seed."""

    kind: RecordKind
    about: str
    terms: Terms
    bots: tuple[Bot, ...]
    seed: int | str | None


@contextmanager
def own_record(path: Path, begun: BegunRecord) -> Iterator[Writer]:
    """Open a record, or create it, and keep others from writing to it. Raises `ArenaError`.

    Its beginning may differ from `begun`: see `refuse_changes`.
    """
    if path.suffix != ".db":
        raise ArenaError(Mistake("the name of a record must end in .db", str(path)))
    writer = Writer.open(path) if path.exists() else _create(path, begun)
    store = writer.store
    try:
        if begun.kind not in store.facts():
            others = [kind for kind in ("comparison", "match") if kind in store.facts()]
            what = f"this is the record of a {(*others, 'league')[0]}, not of a {begun.kind}"
            raise ArenaError(Mistake(what, str(path)))
        with lock(store):
            yield writer
    finally:
        writer.close()


def refuse_changes(
    store: Store, begun: BegunRecord, changes: Sequence[str], same_deals: str = ""
) -> None:
    """Raise `ArenaError` if there are `changes`, or rules or seed are not the record's.

    `same_deals` ends the remedy: how a new record gets the deals of this one.
    """
    facts, old = store.facts(), store.terms()
    found = list(changes)
    if begun.terms.rules != old.rules:
        found.append("the rules differ")
    [known] = store.seeds()
    if begun.seed is not None and str(begun.seed) != known:
        found.append(f"seed is {begun.seed}, was {known if is_practice(facts) else 'secret'}")
    if found:
        what, remedy = (
            f"this record is of another {begun.kind}",
            f"name another --record, or none{same_deals}",
        )
        raise ArenaError(*(Mistake(f"{what}: {it}", str(store.path), remedy) for it in found))


def changed_contents(asked: Terms, old: Terms) -> Iterator[str]:
    """The bots whose files have changed under the same names, in words."""
    changed = [bot for bot, content in asked.bots.items() if old.bots[bot] != content]
    if changed:
        yield f"the bot {' and the bot '.join(changed)} has changed"


def name_apart(bots: Sequence[Bot]) -> tuple[Bot, ...]:
    """The bots, each under a name of its own.

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


def _create(path: Path, begun: BegunRecord) -> Writer:
    secret = new_seed() if begun.seed is None else str(begun.seed)
    more = {begun.kind: begun.about, MAKERS: makers_fact({}, begun.bots)}
    return Writer.create(
        path, first_facts(path, begun.terms, secret, begun.seed is not None, **more)
    )
