"""How a league goes on: by the width of intervals alone, and never against its first terms."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.league.config import ROUND, ClosedConfig, LeagueLimits, OpenConfig, SandboxTable
from arena.league.terms import Entrant, Terms, forbidden_changes, one_more_round, widest_interval
from arena.record.summary import summarize
from arena.stats.figures import Standing
from arena.tasks.asked_league import ask_league
from arena.tasks.closed_league import resume_closed
from arena.zole.rules import preset
from tests.support.bots import write_league
from tests.support.scripted import made_up


def terms(**more: Any) -> Terms:
    """A league of three bots after one round, or with other terms or settings."""
    names = {*Terms.__struct_fields__} - {"trios"}
    settings = {key: each for key, each in more.items() if key not in names}
    own = {key: each for key, each in more.items() if key in names}
    bots = entrants(own.pop("bots", {"a": "1", "b": "2", "c": "3"}))
    begun = {"blocks": ((0, ROUND),), "bots": bots, **own}
    return Terms(config=ClosedConfig(**{"name": "x", "rules": preset(), **settings}), **begun)


def open_terms(**more: Any) -> Terms:
    """An open league of three bots."""
    bots = more.pop("bots", {"a": "1", "b": "2", "c": "3"})
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


def test_rounds_are_added_while_one_interval_is_too_wide() -> None:
    table = [line("a", 0.1), line("b", 0.21), line("c", 0.2)]
    more = one_more_round(PRECISE, table)
    assert more is not None
    assert more.blocks == ((0, ROUND), (ROUND, ROUND))
    assert widest_interval(PRECISE, table) == pytest.approx(0.21)
    assert one_more_round(PRECISE, [line("a", 0.1), line("b", 0.2), line("c", 0.19)]) is None


def test_a_bot_without_an_interval_is_not_precise() -> None:
    assert one_more_round(PRECISE, [line("a", 0.1), line("b", None), line("c", 0.1)]) is not None


def test_who_leads_changes_nothing() -> None:
    for leads in ((0.0, 0.0, 0.0), (9.0, -9.0, 0.0), (-9.0, 9.0, 0.0)):
        wide = [line(bot, 0.3, stakes) for bot, stakes in zip("abc", leads, strict=True)]
        fine = [line(bot, 0.1, stakes) for bot, stakes in zip("abc", leads, strict=True)]
        assert one_more_round(PRECISE, wide) is not None
        assert one_more_round(PRECISE, fine) is None


def test_bots_that_meet_nobody_any_more_do_not_count() -> None:
    retired = msgspec.structs.replace(
        PRECISE, bots={**PRECISE.bots, "old": Entrant("4")}, retired=("old",)
    )
    table = [*(line(bot, 0.1) for bot in "abc"), line("old", 5.0)]
    assert one_more_round(retired, table) is None


def test_the_last_round_is_what_the_budget_leaves() -> None:
    nearly = terms(width=0.2, max_deals=ROUND + 5)
    wide = [line(bot, 1.0) for bot in "abc"]
    more = one_more_round(nearly, wide)
    assert more is not None
    assert more.blocks[-1] == (ROUND, 5)
    assert one_more_round(more, wide) is None


def test_a_round_is_of_whole_sessions() -> None:
    more = one_more_round(
        terms(width=0.2, max_deals=9600, session=24, blocks=((0, 480),)),
        [line(bot, 1.0) for bot in "abc"],
    )
    assert more is not None
    assert more.blocks[-1] == (480, 480)


@pytest.mark.parametrize(
    ("old", "new", "told"),
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
        ({}, {"bots": {"a": "9", "b": "2", "c": "3"}}, ["the bot a has changed; a new"]),
    ],
)
def test_only_what_adds_to_a_league_may_change(
    old: dict[str, object], new: dict[str, object], told: list[str]
) -> None:
    found = forbidden_changes(terms(**old), terms(**new))
    assert len(found) == len(told)
    assert all(each.startswith(start) for each, start in zip(found, told, strict=True))


@pytest.mark.parametrize(
    ("new", "authors", "told"),
    [
        ({"bots": {"a": "1"}}, True, []),
        ({"width": 9, "trickle": 1}, True, []),
        ({"apart": "nobody"}, True, ['apart is "nobody", was "author"']),
        ({"final": 9}, True, ["final is 9, was 8"]),
        ({"final": 9}, False, []),
    ],
)
def test_an_open_league_may_change_more_until_an_author_has_come(
    new: dict[str, object], authors: bool, told: list[str]
) -> None:
    assert forbidden_changes(open_terms(), open_terms(**new), authors) == told


def test_a_league_keeps_its_format() -> None:
    assert forbidden_changes(terms(), open_terms()) == ['format is "open", was "closed"']


def test_each_setting_is_stored_and_read_back() -> None:
    bots = dict.fromkeys("abc", "1" * 64)
    limits = LeagueLimits(tasks=3)
    for each in (terms(trios=3, limits=limits, bots=bots), open_terms(final=4, bots=bots)):
        assert msgspec.json.decode(msgspec.json.encode(each), type=Terms) == each


def test_a_seed_is_not_shown_between_two_rounds(tmp_path: Path) -> None:
    """All is played, but not yet precise: whoever saw the seed would know the next deals."""
    path = write_league(tmp_path, deals=1)
    path.write_text('width = 0.001\nmax_deals = 40\nbots = ["a", "b", "c"]\n')
    for rounds in (1, 2):
        with resume_closed(ask_league(path), "none") as season:
            assert season.terms.deals == rounds * ROUND
            assert len(season.seeds) == 1
            for spec in season.remaining():
                worth = {"a": 1, "b": -1, "c": 0}
                paid = tuple(
                    tuple(worth[bot] * (deal % 3) for bot in spec.seats)
                    for deal in range(spec.deals)
                )
                season.store.add(spec, made_up(paid))
            told = summarize(season.store)
            assert told.complete is (told.seed is not None) is (rounds == 2)
