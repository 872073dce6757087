"""What a league plays: its terms, matches and seeds, its lineups, seatings and deals."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.league.config import ROUND, ClosedConfig, LeagueLimits, OpenConfig, SandboxTable
from arena.league.ledger import Ordered
from arena.league.schedule import (
    draw_tables,
    league_deals,
    lineups,
    seat_seeds,
    seatings,
)
from arena.league.terms import (
    Entrant,
    Orders,
    Terms,
    forbidden_changes,
    match_key,
    mismatch,
    one_more_round,
    remaining,
    scheduled,
    widest_interval,
)
from arena.record.summary import summarize
from arena.stats.figures import Interval, Lineup, Standing
from arena.tasks.closed_league import resume_closed
from arena.tasks.league_request import request_league
from arena.zole.deal import active_seats, flaw
from arena.zole.rules import preset
from tests.support.bots import write_league
from tests.support.scripted import made_up

ABC = {"a": "1", "b": "2", "c": "3"}


def terms(**more: Any) -> Terms:
    """A league of three bots after one round, or with other terms or settings."""
    names = {*Terms.__struct_fields__} - {"trios"}
    own = {"blocks": ((0, ROUND),), **{key: more.pop(key) for key in names & more.keys()}}
    bots = entrants(own.pop("bots", ABC))
    return Terms(config=ClosedConfig(**{"name": "x", "rules": preset(), **more}), bots=bots, **own)


def open_terms(**more: Any) -> Terms:
    """An open league of three bots."""
    bots = entrants(more.pop("bots", ABC))
    return Terms(config=OpenConfig(**{"name": "x", "rules": preset(), **more}), bots=bots)


def entrants(digests: dict[str, str]) -> dict[str, Entrant]:
    """Bots by name, from their hashes."""
    return {name: Entrant(digest) for name, digest in digests.items()}


def line(bot: str, width: float | None, stakes: float = 0.0) -> Standing:
    interval = None if width is None else Interval(stakes - width / 2, stakes + width / 2)
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


CHANGES: list[tuple[dict[str, object], dict[str, object], list[str]]] = [
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
]
OPEN_CHANGES: list[tuple[dict[str, object], bool, list[str]]] = [
    ({"bots": {"a": "1"}}, True, []),
    ({"width": 9, "trickle": 1}, True, []),
    ({"apart": "nobody"}, True, ['apart is "nobody", was "author"']),
    ({"final": 9}, True, ["final is 9, was 8"]),
    ({"final": 9}, False, []),
]


@pytest.mark.parametrize(
    ("old", "new", "authors", "refused"),
    [
        *((terms(**old), terms(**new), True, refused) for old, new, refused in CHANGES),
        *((open_terms(), open_terms(**new), came, refused) for new, came, refused in OPEN_CHANGES),
        (terms(), open_terms(), True, ['format is "open", was "closed"']),
    ],
)
def test_only_what_adds_to_a_league_may_change_and_more_of_an_open_one_until_an_author_came(
    old: Terms, new: Terms, authors: bool, refused: list[str]
) -> None:
    assert forbidden_changes(old, new, authors) == refused


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
        with resume_closed(request_league(path), "none") as season:
            for spec in season.remaining():
                stakes = [worth[bot] for bot in spec.seats]
                paid = [tuple(each * (deal % 3) for each in stakes) for deal in range(spec.deals)]
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
    assert mismatch(league, seeds, spec, orders) == why


RULES = preset()
ANY_DEALER = preset("pagat", {"deal": {"first_dealer": "random"}})
BOTS = ("a", "b", "c")


@pytest.mark.parametrize(
    ("names", "always", "tables"),
    [
        *((names, "", combinations(sorted(names), 3)) for names in ("cba", "dcba", "gfedcba")),
        ("xabc", "x", ["abx", "acx", "bcx"]),
        ("xabc", "xa", ["abx", "acx"]),
    ],
)
def test_a_round_robin_has_every_trio_once_and_a_gauntlet_those_of_who_always_sit(
    names: str, always: str, tables: Iterable[Iterable[str]]
) -> None:
    assert lineups(tuple(names), 3, tuple(always)) == list(map(tuple, tables))


@pytest.mark.parametrize("players", [3, 4, 5])
def test_all_seatings_are_all_orders(players: int) -> None:
    bots = tuple("abcde"[:players])
    assert sorted(seatings(bots, players)) == list(permutations(bots))


@pytest.mark.parametrize(
    ("bots", "players", "some"),
    [(3, 3, 3), (4, 4, 4), (4, 4, 8), (5, 5, 10), (5, 5, 40), (2, 3, None)],
)
def test_every_bot_sits_everywhere_equally_often(bots: int, players: int, some: int | None) -> None:
    """In some seatings of all, or in the six of two bots that mirror."""
    chosen = seatings(tuple("abcde"[:bots]), players, some)
    assert len(set(chosen)) == len(chosen) == (some or 6)
    for seat in range(players):
        count = Counter(seats[seat] for seats in chosen)
        assert [*count.values()] == [len(chosen) // bots] * bots


def test_two_rounds_of_seatings_give_the_same_neighbours_on_either_side() -> None:
    chosen = seatings(tuple("abcd"), 4, 8)
    left = [(seats[seat], seats[(seat + 1) % 4]) for seats in chosen for seat in range(4)]
    assert sorted(left) == sorted((second, first) for first, second in left)


def test_a_session_begins_with_a_dealer_of_its_own() -> None:
    dealers = [deal.dealer for deal in league_deals(ANY_DEALER, "7", BOTS, 0, 400, 4)]
    assert dealers == [(dealers[n - n % 4] + n % 4) % 3 for n in range(400)]
    assert set(dealers[::4]) == {0, 1, 2}


def test_deals_are_fresh_for_each_lineup_and_known_from_the_seed() -> None:
    first = league_deals(RULES, "7", BOTS, 0, 20)
    assert first == league_deals(RULES, "7", BOTS[::-1], 0, 20)
    for seed, bots in (("7", ("a", "b", "d")), ("8", BOTS)):
        others = {deal.hands for deal in league_deals(RULES, seed, bots, 0, 20)}
        assert not {deal.hands for deal in first} & others


@pytest.mark.parametrize("session", [None, 4])
def test_deals_from_a_later_one_on_are_those_of_the_whole_league(session: int | None) -> None:
    whole = league_deals(ANY_DEALER, "7", BOTS, 0, 24, session)
    for first, deals in ((1, 5), (4, 4), (6, 9), (13, 3), (23, 1)):
        later = league_deals(ANY_DEALER, "7", BOTS, first, deals, session)
        assert later == whole[first : first + deals]


def test_the_deal_goes_round() -> None:
    deals = league_deals(RULES, "7", BOTS, 0, 6)
    assert [deal.dealer for deal in deals] == [0, 1, 2, 0, 1, 2]
    assert [flaw(deal) for deal in deals] == [None] * 6
    assert active_seats(3, deals[1].dealer) == (2, 0, 1)


def test_a_seat_seed_depends_on_seed_deals_and_seat_alone() -> None:
    deals = league_deals(RULES, "7", BOTS, 0, 3)
    seeds = seat_seeds(RULES, "7", deals)
    others = seat_seeds(RULES, "8", deals) + seat_seeds(RULES, "7", deals[:2])
    assert len({*seeds, *others}) == 9
    assert all(0 <= seed < 1 << 53 for seed in seeds)
    assert seeds == seat_seeds(RULES, "7", list(deals))


def field(bots: int) -> tuple[str, ...]:
    return tuple(f"bot{number:02}" for number in range(bots))


def trios(bots: int) -> list[Lineup]:
    return lineups(field(bots), 3)


def seats(tables: Sequence[Lineup], bots: Sequence[str]) -> list[int]:
    """How often each bot sits at a table."""
    count = Counter(bot for table in tables for bot in table)
    return [count[bot] for bot in bots]


@pytest.mark.parametrize(
    ("bots", "number"), [(4, 2), (5, 5), (7, 14), (9, 12), (12, 40), (20, 33), (30, 145)]
)
def test_every_bot_is_drawn_equally_often_and_no_pair_meets_much_more(
    bots: int, number: int
) -> None:
    tables = draw_tables(trios(bots), number)
    met = Counter(pair for table in tables for pair in combinations(table, 2))
    meetings = [met[pair] for pair in combinations(field(bots), 2)]
    assert len(tables) == len(set(tables)) == number
    assert max(seats(tables, field(bots))) - min(seats(tables, field(bots))) <= 1
    assert max(meetings) - min(meetings) <= 2


def test_a_large_sample_is_taken_up_again_without_a_search_for_each_table() -> None:
    hashed: list[int] = []

    class Counted(tuple[str, ...]):
        def __hash__(self) -> int:
            hashed.append(1)
            return super().__hash__()

    tables = [Counted(table) for table in trios(12)]
    assert draw_tables(tables, 50, tables[:50]) == tables[:50]
    assert len(hashed) < 3 * len(tables)


def test_a_sample_depends_on_names_alone_and_goes_on_where_a_smaller_one_ended() -> None:
    tables = trios(11)
    fewer, more = draw_tables(tables, 20), draw_tables(tables, 30)
    assert draw_tables(tables[::-1], 20) == fewer == more[:20]
    assert draw_tables(tables, 30, fewer) == more
    assert {*draw_tables(tables, len(tables))} == {*draw_tables(tables, 1000)} == {*tables}
    assert draw_tables([], 5) == []


def test_a_sample_stays_when_bots_come_and_they_sit_as_often_and_no_more() -> None:
    """Before, bots sat at six or seven tables each."""
    before = draw_tables(trios(10), 21)
    after = draw_tables(trios(12), 21, before)
    newcomers = field(12)[10:]
    assert after[:21] == before
    assert set(seats(before, field(10))) == {6, 7}
    assert min(seats(after, field(12))) == min(seats(after, newcomers)) == 6
    assert min(seats(after[:-1], newcomers)) == 5
    assert draw_tables(trios(12), 21, after) == after


def test_tables_of_bots_that_left_are_replaced() -> None:
    before = draw_tables(trios(10), 20)
    after = draw_tables(lineups(field(10)[1:], 3), 20, before)
    stayed = [table for table in before if "bot00" not in table]
    assert after[: len(stayed)] == stayed
    assert len(after) == 20


def test_a_gauntlet_is_drawn_evenly_among_those_who_do_not_always_sit() -> None:
    tables = draw_tables(lineups(field(12), 3, always=("bot03",)), 22)
    assert seats(tables, field(12)) == [4, 4, 4, 22, *[4] * 8]
