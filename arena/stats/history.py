"""Ratings over many leagues: one refit of all their sets, with bots known by their content."""

import hashlib
from collections import Counter
from collections.abc import Sequence

import msgspec
import numpy as np

from arena.stats.blocks import Block
from arena.stats.elo import MEAN, Ratings, ratings
from arena.stats.floats import places, settled
from arena.stats.sets import FEWEST, SetBlock
from arena.stats.significance import half_width
from arena.stats.strengths import Strengths, gap_between, plus_minus, strengths, variance_between
from arena.zole.rules import Rules, preset_names, preset_settings


class PastRecord(msgspec.Struct, frozen=True):
    """The contribution of one record to the history.

    `bots` are content hashes by name. `blocks` are its complete sets, and `seeds` the seed of each
    of them: with the names and the number of a deal it identifies the deal. A set is `session`
    deals.
    """

    record: str
    rules: Rules
    bots: dict[str, str]
    blocks: tuple[Block, ...]
    seeds: tuple[str, ...]
    session: int


class HistoryLine(msgspec.Struct, frozen=True):
    """One bot under one set of rules.

    `bot` is the name it last had, `content` its hash. `strength` is in stakes per deal; it and the
    Elo are relative to the anchor, which has 0 and 1500, with half the 95 % interval of the
    difference from it; in parts without the anchor, relative to the part's mean. `part` numbers,
    from 1, the groups of bots that met, directly or through others.
    """

    bot: str
    content: str
    elo: float | None
    elo_pm: float | None
    elo_bound: str | None
    strength: float
    strength_pm: float | None
    sets: int
    leagues: int
    part: int


class RulesTable(msgspec.Struct, frozen=True):
    """All bots that played by the same rules, the anchor's part first, the strongest first in each.

    `rules` is the preset's name, or the hash's beginning. `anchored` is the part that has the
    anchor, None if none has.
    """

    rules: str
    rules_hash: str
    sets: int
    parts: int
    anchored: int | None
    lines: tuple[HistoryLine, ...]


class LeftOut(msgspec.Struct, frozen=True):
    """Sets of a record that do not count, and why."""

    record: str
    lineup: tuple[str, ...]
    sets: int
    why: str


class History(msgspec.Struct, frozen=True):
    """All leagues of a folder refitted together.

    `anchor` is a content hash. `aliases` are bots that one league knew under several names;
    `shared_deals` says that different bots played the same deals, as on one practice seed, where
    intervals take their sets for independent.
    """

    anchor: str
    records: tuple[str, ...]
    tables: tuple[RulesTable, ...]
    left_out: tuple[LeftOut, ...]
    aliases: tuple[tuple[str, ...], ...]
    shared_deals: bool


def history(past: Sequence[PastRecord], anchor: str) -> History:
    """Refit the records, from the oldest to the newest. Nothing decays: a bot never changes.

    Void sets do not count, nor do sets that another record holds already, nor those in which one
    bot sat under two names.
    """
    names = {content: name for each in past for name, content in each.bots.items()}
    left_out: list[LeftOut] = []
    sets: dict[str, list[tuple[tuple[str, ...], SetBlock]]] = {}
    rules: dict[str, Rules] = {}
    leagues: dict[str, Counter[str]] = {}
    seen: dict[tuple[object, ...], set[tuple[str, ...]]] = {}
    shared = False
    for each in past:
        key = rules_hash(each.rules)
        rules[key] = each.rules
        sat: set[str] = set()
        for block, seed in zip(each.blocks, each.seeds, strict=True):
            contents = tuple(each.bots[bot] for bot in block.lineup)
            if block.stakes is None:
                left_out.append(_left_out(each, block, block.sets, "void"))
                continue
            if len(set(contents)) < len(contents):
                left_out.append(_left_out(each, block, block.sets, "one bot under two names"))
                continue
            new = []
            for number in range(block.sets):
                deal = (key, seed, block.lineup, block.first + number * each.session)
                before = seen.setdefault(deal, set())
                new.append(contents not in before)
                before.add(contents)
                shared |= len(before) > 1
            if not all(new):
                again = block.sets - sum(new)
                left_out.append(_left_out(each, block, again, "another record has them"))
            if any(new):
                stakes = block.stakes.stakes[np.array(new)]
                sets.setdefault(key, []).append((contents, SetBlock((), stakes)))
                sat |= set(contents)
        leagues.setdefault(key, Counter()).update(sat)
    tables = [
        _table(rules[key], key, found, names, leagues[key], anchor) for key, found in sets.items()
    ]
    return History(
        anchor,
        tuple(each.record for each in past),
        tuple(sorted(tables, key=lambda table: (-table.sets, table.rules_hash))),
        tuple(left_out),
        tuple(sorted({alias for each in past for alias in _aliases(each)})),
        shared,
    )


def rules_hash(rules: Rules) -> str:
    """The SHA-256 of rules, in hexadecimal."""
    return hashlib.sha256(msgspec.json.encode(rules, order="deterministic")).hexdigest()


def _table(
    rules: Rules,
    key: str,
    found: Sequence[tuple[tuple[str, ...], SetBlock]],
    names: dict[str, str],
    leagues: Counter[str],
    anchor: str,
) -> RulesTable:
    field = sorted({content for contents, _ in found for content in contents})
    place = {content: number for number, content in enumerate(field)}
    blocks = [
        SetBlock(tuple(place[content] for content in contents), block.stakes)
        for contents, block in found
    ]
    strong, rated = strengths(blocks, len(field)), ratings(blocks, len(field))
    origin = place.get(anchor)
    anchored = None if origin is None else int(strong.part[origin])
    height = places(strong.values)
    order = sorted(
        range(len(field)),
        key=lambda bot: (strong.part[bot] != anchored, strong.part[bot], height[bot], field[bot]),
    )
    lines = [
        _line(bot, origin, names[field[bot]], field[bot], leagues[field[bot]], strong, rated)
        for bot in order
    ]
    return RulesTable(
        _rules_name(rules, key),
        key,
        sum(len(block.stakes) for block in blocks),
        len({line.part for line in lines}),
        None if anchored is None else anchored + 1,
        tuple(lines),
    )


def _line(
    bot: int,
    origin: int | None,
    name: str,
    content: str,
    leagues: int,
    strong: Strengths,
    rated: Ratings,
) -> HistoryLine:
    """A bot's line, relative to the anchor if they met, directly or through others."""
    rating = rated.each[bot]
    elo = None if rating is None else rating.elo
    elo_pm = None if rating is None else rating.plus_minus
    strength, strength_pm = float(strong.values[bot]), plus_minus(strong, bot)
    apart = None if origin is None else gap_between(strong, bot, origin)
    if origin is not None and apart is not None:
        base = rated.each[origin]
        strength, strength_pm = apart.stakes, apart.plus_minus
        if elo is not None and base is not None:
            elo += MEAN - base.elo
        elo_pm = _elo_gap_pm(bot, origin, strong, rated)
    if bot == origin:
        elo_pm = strength_pm = None
    return HistoryLine(
        name,
        content,
        None if elo is None else round(settled(elo), 2),
        None if elo_pm is None else round(elo_pm, 2),
        None if rating is None else rating.bound,
        round(settled(strength), 6),
        None if strength_pm is None else round(settled(strength_pm), 6),
        int(strong.sets[bot]),
        leagues,
        int(strong.part[bot]) + 1,
    )


def _elo_gap_pm(one: int, other: int, strong: Strengths, rated: Ratings) -> float | None:
    """Half the 95 % interval of a difference of two Elos, from their full covariance."""
    cov, free = rated.covariance, int(strong.free[one])
    variance = float(variance_between(cov, one, other))
    if np.isnan(variance) or free < 1 or min(strong.sets[one], strong.sets[other]) < FEWEST:
        return None
    return half_width(free, variance)


def _left_out(past: PastRecord, block: Block, sets: int, why: str) -> LeftOut:
    return LeftOut(past.record, block.lineup, sets, why)


def _aliases(past: PastRecord) -> list[tuple[str, ...]]:
    """The bots of a record that have several names in it, by these names."""
    by_content: dict[str, list[str]] = {}
    for name, content in past.bots.items():
        by_content.setdefault(content, []).append(name)
    return [tuple(sorted(names)) for names in by_content.values() if len(names) > 1]


def _rules_name(rules: Rules, key: str) -> str:
    for name in preset_names():
        if msgspec.convert(preset_settings(name), Rules) == rules:
            return name
    return key[:8]
