"""The reviewer: reviews the decisions of each bot at its first tables, little by little.

It takes a tenth of one core's time, behind everything else. Its findings are kept as `arena review`
keeps them, and summed up in a file of the site that the publisher reads.
"""

import os
import time
from collections import Counter
from contextlib import closing
from math import factorial
from pathlib import Path
from typing import Final

import msgspec

from arena.base.errors import ArenaError, MachineError
from arena.base.files import write_whole
from arena.league.played import MatchOutline
from arena.match.commands import MatchVoid
from arena.record.paths import record_path
from arena.record.reviews import Reviews, reviews_path
from arena.record.store import Store
from arena.review.solver import Solver
from arena.review.summary import BotReview, ReviewSummary
from arena.review.verdict import WORLDS
from arena.site.config import Site
from arena.site.life import Life
from arena.stats.figures import Lineup
from arena.tasks.review import ReviewRequest, missing, review_deal, reviewed

_SHARE: Final = 10
"""Reviews may take 1 / `_SHARE` of the time."""

_LOOK_S: Final = 10.0
_NICE: Final = 19


class SiteReviews(msgspec.Struct, frozen=True):
    """The summed reviews of each bot of a record, which is named by its identity."""

    record: str
    bots: tuple[BotReview, ...]


def read_reviews(site: Site, record: str) -> dict[str, BotReview]:
    """Return the summed reviews of a record so far, by bot; none if it was not reviewed."""
    try:
        data = _path(site).read_bytes()
    except OSError:
        return {}
    found = msgspec.json.decode(data, type=SiteReviews)
    return {each.bot: each for each in found.bots if found.record == record}


class Reviewer:
    """Reviews the first tables of each bot, in a record that grows."""

    def __init__(self, site: Site, life: Life) -> None:
        self._site, self._life = site, life
        self._league = Store.open(record_path(site.league), own=True)
        self._kept = Reviews.open(reviews_path(self._league.path), create=True)
        self._seats = factorial(self._league.terms().config.rules.players)
        self._summary = ReviewSummary(0)
        self._tables: Counter[str] = Counter()
        self._parts: dict[tuple[Lineup, int], list[MatchOutline]] = {}
        self._last = 0

    def close(self) -> None:
        """Close the record and the file of reviews."""
        self._kept.close()
        self._league.close()

    def go_on(self) -> None:
        """Review the tables that were completed since the last time."""
        for outline in list(self._league.outlines(self._last)):  # or the read lasts for hours
            self._last = outline.match
            lineup = tuple(sorted(set(outline.bots)))
            if all(self._tables[bot] >= self._site.review_tables for bot in lineup):
                continue
            parts = self._parts.setdefault((lineup, outline.first), [])
            parts.append(outline)
            if len(parts) == self._seats:
                del self._parts[lineup, outline.first]
                self._review(lineup, [each.match for each in parts])

    def _review(self, lineup: Lineup, numbers: list[int]) -> None:
        wanted = ReviewRequest(tuple(numbers), None, WORLDS)
        for deal in missing(self._league, wanted, self._kept):
            began = time.thread_time()
            try:
                found = review_deal(deal, 0)
            except MatchVoid as void:
                self._life.say(f"{deal.name} is not reviewed: {void}", True)
            else:
                self._kept.keep(WORLDS, zip(deal.keys, found, strict=True))
            self._rest((_SHARE - 1) * (time.thread_time() - began))
        for each in reviewed(self._league, wanted, self._kept):
            self._summary.add(each)
        self._tables.update(lineup)
        summed = SiteReviews(self._league.facts().identity, self._summary.bots())
        write_whole(_path(self._site), msgspec.json.encode(summed))

    def _rest(self, seconds: float) -> None:
        self._life.beat("reviews")
        time.sleep(min(seconds, 60.0))


def review_played(site: Site, life: Life) -> None:
    """Review until this process is told to end. Raises `ArenaError` if there is no solver."""
    os.nice(_NICE)
    try:
        Solver()
    except MachineError as error:  # the organiser must install it, or take the key away
        raise ArenaError(*error.mistakes) from None
    while not record_path(site.league).exists():
        life.beat("waits for the league")
        time.sleep(1.0)
    with closing(Reviewer(site, life)) as reviewer:
        while True:
            reviewer.go_on()
            life.beat("waits for tables to review")
            time.sleep(_LOOK_S)


def _path(site: Site) -> Path:
    return site.folder / "reviews.json"
