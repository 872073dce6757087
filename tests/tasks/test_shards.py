"""Shares of a league: every match is in exactly one, and all have one league and one seed."""

import json
from contextlib import AbstractContextManager, closing
from pathlib import Path

import pytest

from arena.base.errors import ArenaError
from arena.league.plans import match_key, scheduled
from arena.record.store import Store
from arena.tasks.closed_league import resume_closed
from arena.tasks.field import ask_league
from arena.tasks.shards import Shard, SharedLeague, read_shard, resume_shard
from tests.support.bots import write_league
from tests.support.command import run


def open_shard(path: Path, seed: int | None, shard: Shard) -> AbstractContextManager[SharedLeague]:
    asked = ask_league(path, seed, shard.known_record(path))
    return resume_shard(asked, shard, "none")


@pytest.mark.parametrize("of", [1, 2, 7, 8, 24, 40])
def test_every_match_is_in_one_share_and_shares_are_equal(tmp_path: Path, of: int) -> None:
    with resume_closed(ask_league(write_league(tmp_path, "abcd"), 1), "none") as season:
        schedule = scheduled(season.terms)
    shares = [Shard(number, of).share(schedule) for number in range(1, of + 1)]
    played = [match_key(spec) for share in shares for spec in share]
    assert sorted(played) == sorted(map(match_key, schedule))
    assert max(map(len, shares)) - min(map(len, shares)) <= 1


def test_a_share_has_whole_sets_but_at_its_ends(tmp_path: Path) -> None:
    with resume_closed(ask_league(write_league(tmp_path, "abcdef"), 1), "none") as season:
        schedule = scheduled(season.terms)
    for number in range(1, 8):
        lineups = [spec.lineup for spec in Shard(number, 7).share(schedule)]
        parts = [lineup for lineup in set(lineups) if lineups.count(lineup) < 6]
        assert len(parts) <= 2


@pytest.mark.parametrize("text", ["0/8", "9/8", "3", "3/", "-1/8", "3/8/9", "1/0", "¹/8", "a/b"])
def test_what_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(ArenaError, match="1/8 is the first of eight"):
        read_shard(text)


def test_a_shard_of_a_secret_league_needs_its_record(tmp_path: Path) -> None:
    done = run("league", write_league(tmp_path), "--shard", "1/2")
    assert done.returncode == 2
    assert "league --begin" in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_league_that_is_begun_has_played_nothing_and_committed_to_its_seed(
    tmp_path: Path,
) -> None:
    league = write_league(tmp_path)
    done = run("league", league, "--begin", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    assert (document["sets_played"], document["seed"]) == (0, None)
    assert document["commitment"] in done.stderr
    with (
        open_shard(league, None, Shard(2, 3)) as season,
        closing(Store.open(league.with_suffix(".db"))) as whole,
    ):
        assert season.store.seeds() == whole.seeds()
        assert len(season.remaining()) == 2


def test_a_shard_leaves_out_what_the_whole_has_stored(tmp_path: Path) -> None:
    league = write_league(tmp_path, deals=2)
    assert run("league", league, "--seed", "3").returncode == 0
    with open_shard(league, 3, Shard(1, 2)) as season:
        assert season.remaining() == []


def test_the_whole_is_not_played_beside_a_shard_but_another_shard_is(tmp_path: Path) -> None:
    league = write_league(tmp_path)
    with open_shard(league, 1, Shard(1, 2)):
        with open_shard(league, 1, Shard(2, 2)) as other:
            assert len(other.remaining()) == 3
        for opened in (
            resume_closed(ask_league(league, 1), "none"),
            open_shard(league, 1, Shard(1, 2)),
        ):
            with pytest.raises(ArenaError, match="being played by another arena"), opened:
                pass


def test_a_shard_is_of_the_league_as_it_was_begun(tmp_path: Path) -> None:
    league = write_league(tmp_path, deals=2)
    assert run("league", league, "--begin").returncode == 0
    with open_shard(league, None, Shard(1, 2)):
        pass
    league.write_text(league.read_text().replace("deals = 2", "deals = 4"))
    with (
        pytest.raises(ArenaError, match="asks for more than its record was begun with"),
        open_shard(league, None, Shard(1, 2)),
    ):
        pass
    assert run("league", league, "--begin").returncode == 0
    with (
        pytest.raises(ArenaError, match="no longer, the one of this shard"),
        open_shard(league, None, Shard(1, 2)),
    ):
        pass


def test_a_league_by_width_has_no_shards(tmp_path: Path) -> None:
    league = write_league(tmp_path)
    league.write_text(league.read_text().replace("deals = 5", "width = 0.5\nmax_deals = 40"))
    done = run("league", league, "--seed", "1", "--shard", "1/2")
    assert done.returncode == 2
    assert "has no shards" in done.stderr


def test_tables_that_are_drawn_are_the_same_in_every_shard(tmp_path: Path) -> None:
    league = write_league(tmp_path, "abcde", more="trios = 4\n")
    drawn = []
    for number in (1, 2):
        with open_shard(league, 5, Shard(number, 2)) as season:
            drawn.append(season.terms.trios)
    assert drawn[0] == drawn[1]
    assert len(drawn[0] or ()) == 4
