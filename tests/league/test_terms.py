"""How a league goes on, and what it may not change; its matches, and the seeds of these."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.league.config import ROUND, ClosedConfig, LeagueLimits, OpenConfig, SandboxTable
from arena.league.ledger import Ordered
from arena.league.terms import (
    Entrant,
    Orders,
    Terms,
    forbidden_changes,
    match_key,
    misfit,
    one_more_round,
    remaining,
    scheduled,
    widest_interval,
)
from arena.record.summary import summarize
from arena.stats.figures import Standing
from arena.tasks.asked_league import ask_league
from arena.tasks.closed_league import resume_closed
from arena.zole.rules import preset
from tests.support.bots import write_league
from tests.support.scripted import made_up

ABC = {"a": "1", "b": "2", "c": "3"}


def terms(**more: Any) -> Terms:
    """A league of three bots after one round, or with other terms or settings."""
    names = {*Terms.__struct_fields__} - {"trios"}
    settings = {key: each for key, each in more.items() if key not in names}
    own = {key: each for key, each in more.items() if key in names}
    bots = entrants(own.pop("bots", ABC))
    begun = {"blocks": ((0, ROUND),), "bots": bots, **own}
    return Terms(config=ClosedConfig(**{"name": "x", "rules": preset(), **settings}), **begun)


def open_terms(**more: Any) -> Terms:
    """An open league of three bots."""
    bots = more.pop("bots", ABC)
    config = OpenConfig(**{"name": "x", "rules": preset(), **more})
    return Terms(config=config, bots=entrants(bots))


def entrants(digests: dict[str, str]) -> dict[str, Entrant]:
    """Bots by name, from their hashes."""
    return {name: Entrant(digest) for name, digest in digests.items()}


def line(bot: str, width: float | None, stakes: float = 0.0) -> Standing:
    interval = None if width is None else (stakes - width / 2, stakes + width / 2)
    return Standing(
        rank=1, bot=bot, stakes_per_deal=stakes, ci95=interval, games=0, sets=0, faults={}
    )


PRECISE = terms(width=0.2, max_deals=100)
WITH_RETIRED = msgspec.structs.replace(
    PRECISE, bots={**PRECISE.bots, "old": Entrant("4")}, retired=("old",)
)


@pytest.mark.parametrize(
    ("league", "widths", "more"),
    [
        (PRECISE, {"a": 0.1, "b": 0.21, "c": 0.2}, True),
        (PRECISE, {"a": 0.1, "b": 0.2, "c": 0.19}, False),
        (PRECISE, {"a": 0.1, "b": None, "c": 0.1}, True),
        (WITH_RETIRED, {"a": 0.1, "b": 0.1, "c": 0.1, "old": 5.0}, False),
        (terms(deals=100), {"a": 5.0, "b": 5.0, "c": 5.0}, False),
    ],
    ids=["one too wide", "as asked", "one without", "a retired bot", "a league without a width"],
)
@pytest.mark.parametrize("leads", [(0.0, 0.0, 0.0), (9.0, -9.0, 0.0), (-9.0, 9.0, 0.0)])
def test_rounds_are_added_while_an_interval_is_too_wide_whichever_bot_leads(
    league: Terms, widths: dict[str, float | None], more: bool, leads: tuple[float, ...]
) -> None:
    stakes = dict(zip("abc", leads, strict=True))
    table = [line(bot, width, stakes.get(bot, 0.0)) for bot, width in widths.items()]
    assert (one_more_round(league, table) is not None) is more


def test_the_widest_interval_is_that_of_the_bots_that_meet() -> None:
    widths = {"a": 0.1, "b": 0.21, "c": 0.2, "old": 5.0}
    table = [line(bot, width) for bot, width in widths.items()]
    assert widest_interval(WITH_RETIRED, table) == pytest.approx(0.21)


@pytest.mark.parametrize(
    ("settings", "blocks", "last"),
    [
        ({"max_deals": 100}, ((0, ROUND),), (ROUND, ROUND)),
        ({"max_deals": ROUND + 5}, ((0, ROUND),), (ROUND, 5)),
        ({"max_deals": ROUND + 5}, ((0, ROUND), (ROUND, 5)), None),
        ({"max_deals": 9600, "session": 24}, ((0, 480),), (480, 480)),
    ],
    ids=["whole", "what the budget leaves", "no budget left", "whole sessions"],
)
def test_a_round_has_as_many_deals_as_the_budget_and_sessions_allow(
    settings: dict[str, int], blocks: tuple[tuple[int, int], ...], last: tuple[int, int] | None
) -> None:
    league = terms(width=0.2, blocks=blocks, **settings)
    more = one_more_round(league, [line(bot, 1.0) for bot in "abc"])
    assert (more and more.blocks) == (last and (*blocks, last))


@pytest.mark.parametrize(
    ("old", "new", "refused"),
    [
        ({"width": 0.2}, {"width": 0.3}, ["width is 0.3, was 0.2"]),
        ({"width": 0.2}, {"width": 0.1}, []),
        ({}, {"width": 0.1}, ["width is 0.1, was not set"]),
        (
            {"width": 1, "max_deals": 90},
            {"width": 1, "max_deals": 10},
            ["max_deals is 10, but there are 20 already"],
        ),
        ({"width": 1, "max_deals": 90}, {"width": 1, "max_deals": 900}, []),
        ({"deals": 90}, {"deals": 9}, ["deals is 9, was 90"]),
        ({"deals": 90}, {"deals": 900}, []),
        ({"trios": 3}, {}, []),
        ({"trios": 3}, {"trios": 4}, []),
        ({}, {"trios": 3}, ["trios is 3, was not set"]),
        ({}, {"mirror": True}, ["mirror is true, was false"]),
        ({}, {"apart": "author"}, ['apart is "author", was "nobody"']),
        ({}, {"limits": LeagueLimits(tasks=3)}, ["limits.tasks is 3, was not set"]),
        ({}, {"name": "y", "sandbox": SandboxTable("none")}, []),
        ({}, {"bots": {"a": "1", "b": "2"}}, ["the bot c is gone"]),
        ({}, {"bots": {"a": "1", "b": "2", "c": "3", "d": "4"}}, []),
        (
            {},
            {"bots": {"a": "9", "b": "2", "c": "3"}},
            ["the bot a has changed; a new version needs a new name"],
        ),
    ],
)
def test_only_what_adds_to_a_league_may_change(
    old: dict[str, object], new: dict[str, object], refused: list[str]
) -> None:
    assert forbidden_changes(terms(**old), terms(**new)) == refused


@pytest.mark.parametrize(
    ("new", "authors", "refused"),
    [
        ({"bots": {"a": "1"}}, True, []),
        ({"width": 9, "trickle": 1}, True, []),
        ({"apart": "nobody"}, True, ['apart is "nobody", was "author"']),
        ({"final": 9}, True, ["final is 9, was 8"]),
        ({"final": 9}, False, []),
    ],
)
def test_an_open_league_may_change_more_until_an_author_has_come(
    new: dict[str, object], authors: bool, refused: list[str]
) -> None:
    assert forbidden_changes(open_terms(), open_terms(**new), authors) == refused


def test_a_league_keeps_its_format() -> None:
    assert forbidden_changes(terms(), open_terms()) == ['format is "open", was "closed"']


def test_each_setting_is_stored_and_read_back() -> None:
    bots = dict.fromkeys("abc", "1" * 64)
    limits = LeagueLimits(tasks=3)
    for each in (terms(trios=3, limits=limits, bots=bots), open_terms(final=4, bots=bots)):
        assert msgspec.json.decode(msgspec.json.encode(each), type=Terms) == each


def test_a_seed_is_not_shown_between_two_rounds(tmp_path: Path) -> None:
    """All is played, but not yet precise: the seed would tell the next deals."""
    path = write_league(tmp_path, deals=1)
    path.write_text('width = 0.001\nmax_deals = 40\nbots = ["a", "b", "c"]\n')
    worth = {"a": 1, "b": -1, "c": 0}
    for rounds in (1, 2):
        with resume_closed(ask_league(path), "none") as season:
            for spec in season.remaining():
                paid = [
                    tuple(worth[bot] * (deal % 3) for bot in spec.seats)
                    for deal in range(spec.deals)
                ]
                season.store.add(spec, made_up(paid))
            summary = summarize(season.store)
            assert (season.terms.deals, len(season.seeds)) == (rounds * ROUND, 1)
            assert (summary.complete, summary.seed is not None) == (rounds == 2, rounds == 2)


def test_begun_sets_keep_their_seed_and_all_else_has_the_last() -> None:
    league = terms(bots=dict.fromkeys("abcd", "1"))
    begun, *_ = scheduled(league)
    others = remaining({match_key(begun): 1}, league, ("first", "second", "third"))
    assert match_key(begun) not in map(match_key, others)
    assert {(spec.lineup == begun.lineup, spec.seed) for spec in others} == {(True, 1), (False, 2)}


def test_a_later_run_of_deals_of_a_lineup_has_the_last_seed() -> None:
    league = terms()
    longer = msgspec.structs.replace(league, blocks=(*league.blocks, (league.deals, 5)))
    stored = dict.fromkeys(map(match_key, scheduled(league)), 0)
    others = remaining(stored, longer, ("first", "second"))
    assert {(spec.first, spec.seed) for spec in others} == {(league.deals, 1)}


ORDERS: Orders = {
    (("a", "b", "c"), first): Ordered(number, ("a", "b", "c"), first, 10, 0, "table")
    for number, first in ((1, 0), (2, 10))
}
SEEDS = ("1" * 64, "2" * 64)


def test_in_an_open_league_the_matches_of_its_orders_are_left() -> None:
    league = open_terms()
    first, *others = remaining({}, league, SEEDS, ORDERS)
    assert remaining({}, league, SEEDS) == []
    assert [(spec.first, spec.deals, spec.seed) for spec in (first, *others)] == [
        *[(0, 10, 0)] * 6,
        *[(10, 10, 1)] * 6,
    ]
    assert remaining({match_key(first): 0}, league, SEEDS, ORDERS) == others


@pytest.mark.parametrize(
    ("changes", "seeds", "orders", "why"),
    [
        ({}, SEEDS, ORDERS, None),
        ({"lineup": ("a", "b", "x")}, SEEDS, ORDERS, "it is not a match of this league"),
        ({"first": 20}, SEEDS, ORDERS, "it belongs to no order of this league"),
        ({"deals": 9}, SEEDS, ORDERS, "it belongs to no order of this league"),
        ({"seed": 1}, SEEDS, ORDERS, "it belongs to no order of this league"),
        ({}, SEEDS, {}, "it belongs to no order of this league"),
        ({"seats": ("c", "b", "a")}, SEEDS, ORDERS, "its bots sit in no seating of this league"),
        ({}, (), ORDERS, "it was played with a seed that the league does not have"),
    ],
)
def test_every_match_of_an_open_league_fits_an_order(
    changes: dict[str, object], seeds: tuple[str, ...], orders: Orders, why: str | None
) -> None:
    league = open_terms()
    spec = msgspec.structs.replace(scheduled(league, ORDERS)[0], **changes)
    assert misfit(league, seeds, spec, orders) == why
