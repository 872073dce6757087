"""Finds what was published of a record before, by a publisher that ended or was killed."""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import msgspec

from arena.record.store import Store
from arena.site.publish.edition import PublishedPart, published_part
from arena.site.publish.orders import seen_key
from arena.site.publish.seen import KeptMatches
from arena.site.published import Published, Publisher


class PublishedBefore(msgspec.Struct, frozen=True):
    """The part of a record that is published, and the file where publishing goes on.

    `seen` is what was seen of each bot.
    """

    path: Path
    part: PublishedPart
    seen: dict[str, KeptMatches] = {}


def published_before(path: Path, store: Store, bots: Iterable[str]) -> PublishedBefore:
    """Return what is published of a record at a path; nothing if that is of another record.

    Then what is there stays, and this record goes into a draft beside it, which takes its place
    once all is in it.
    """
    draft = path.with_name(f"anew-{path.name}")
    known = _known(path, store, bots)
    if known is not None:
        _remove(draft)
        return known
    known = _known(draft, store, bots) if draft.exists() else None
    if known is not None:
        return known
    with closing(Published(path)) as published:
        version = published.version()
        begun = path if published_part(published) is None else draft
    _remove(begun)
    with closing(Publisher.open(begun)) as publisher:
        publisher.number_from(version)  # no number is used twice
    return PublishedBefore(begun, PublishedPart(store.facts().identity))


def _known(path: Path, store: Store, bots: Iterable[str]) -> PublishedBefore | None:
    Publisher.open(path).close()  # takes back a version that was cut off by a kill
    with closing(Published(path)) as published:
        part = published_part(published)
        if part is None or part.record != store.facts().identity:
            return None
        line = next(iter(store.ledger(part.lines - 1)), None)
        if line is None or line.hash != part.hash:
            return None
        kept = {bot: published.document(seen_key(bot)) for bot in bots}
        return PublishedBefore(
            path,
            part,
            {
                bot: msgspec.json.decode(found.data, type=KeptMatches)
                for bot, found in kept.items()
                if found is not None
            },
        )


def _remove(path: Path) -> None:
    for each in (path, path.with_name(f"{path.name}-journal")):
        each.unlink(missing_ok=True)
