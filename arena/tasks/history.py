"""A bot's versions over time: what each made against the same others, from all records at hand."""

import re
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import msgspec

from arena.base.errors import ArenaError, Mistake
from arena.bots.manifest import Bot, content_hash, read_bot
from arena.league.terms import Terms
from arena.record.store import Store
from arena.stats.sets import SetBlock, league_sets
from arena.stats.strengths import plus_minus, relative_to, strengths


class Version(msgspec.Struct, frozen=True):
    """A version of a bot, by the hash of its content: when it first played, in UTC, and its sets.

    `stakes_per_deal` are those above the mean of the other bots, `pm` half the 95 %
    interval of that, None where too few sets connect it with them. `now` is the bot as it is.
    """

    version: str
    content: str
    first: str
    sets: int
    stakes_per_deal: float | None
    pm: float | None
    records: tuple[str, ...]
    now: bool


class _Played(msgspec.Struct, frozen=True):
    """A record in which a bot played: the first and the last date, and its sets."""

    path: Path
    first: str
    last: str
    terms: Terms
    blocks: tuple[SetBlock, ...]

    @property
    def contents(self) -> list[str]:
        """The hashes of the bots, by their places in the blocks."""
        return [self.terms.bots[name].digest for name in sorted(self.terms.bots)]


def history(folder: Path, records: Iterable[Path]) -> list[Version]:
    """The versions of a bot in some records, in the order in which they first played.

    A version has the bot's author, and its name or its folder's, as bots of one name are called,
    also with a number behind as in `mine.2`. All
    records are measured together; those by other rules than the latest are left out. Raises
    `ArenaError` if it has played in none.
    """
    bot, now = read_bot(folder), content_hash(folder)
    played = [each for each in map(_read, records) if each is not None and _versions(each, bot)]
    if not played:
        what = f"{bot.name} by {bot.author} has played in no record here"
        raise ArenaError(Mistake(what, str(folder), "arena match --record FILE.db keeps one"))
    latest = max(played, key=lambda each: (each.last, each.path.stat().st_mtime_ns))
    rules = latest.terms.config.rules
    played = [each for each in played if each.terms.config.rules == rules]
    played.sort(key=lambda each: each.first)
    contents = [*dict.fromkeys(content for each in played for content in each.contents)]
    blocks = [
        SetBlock(tuple(contents.index(each.contents[place]) for place in block.bots), block.stakes)
        for each in played
        for block in each.blocks
    ]
    versions = {content: version for each in played for content, version in _versions(each, bot)}
    others = [place for place, content in enumerate(contents) if content not in versions]
    estimate = relative_to(strengths(league_sets(blocks, len(contents))), others)
    found: list[Version] = []
    for content, version in versions.items():
        place = contents.index(content)
        its = [each for each in played if content in each.contents]
        sets = int(estimate.sets[place])
        found.append(
            Version(
                version,
                content,
                its[0].first,
                sets,
                float(estimate.values[place]) if sets else None,
                plus_minus(estimate, place),
                tuple(each.path.name for each in its),
                content == now,
            )
        )
    return found


def _read(path: Path) -> _Played | None:
    """A record with its sets; None if nothing was played, or it has no league's deals."""
    with closing(Store.open(path)) as store:
        facts, dates = store.facts(), store.dates()
        if dates is None or not facts.seeds:
            return None
        blocks = tuple(each.stakes for each in store.blocks() if each.stakes is not None)
        return _Played(path, *dates, facts.terms, blocks)


def _versions(played: _Played, bot: Bot) -> list[tuple[str, str]]:
    """The contents and versions of a bot in a record."""
    names = {bot.name, Path(bot.folder).name}
    own = re.compile(rf"({'|'.join(map(re.escape, names))})(\.\d+)?")
    return [
        (each.digest, each.version)
        for name, each in played.terms.bots.items()
        if own.fullmatch(name) and each.author == bot.author
    ]
