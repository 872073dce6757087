"""A program reads a record's standings and matches; an old record too."""

import gzip
import shutil
from pathlib import Path

import pytest

import arena

DATA = Path(__file__).parents[1] / "data" / "format_3"


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league with a record that an earlier arena wrote."""
    league = tmp_path_factory.mktemp("record") / "league.toml"
    shutil.copy(DATA / "league.toml", league)
    league.with_suffix(".db").write_bytes(gzip.decompress((DATA / "league.db.gz").read_bytes()))
    return league


def test_a_record_has_its_bots_rules_standings_and_matches(league: Path) -> None:
    with arena.Record(league) as record:
        assert record.rules.players == 3
        assert [line.bot for line in record.standings()] != []
        assert {line.bot for line in record.standings()} == {*record.bots}
        found = list(record.matches())
        one = record.match(found[0].number)
        assert (one.bots, one.deals) == (found[0].bots, found[0].deals)
        for match in found:
            assert {*match.bots} <= {*record.bots}
            paid = tuple(deal.result.payments for deal in match.deals)
            assert paid == match.record.results.payments


def test_a_record_or_bot_that_is_not_there_is_a_mistake_with_its_place(
    league: Path, tmp_path: Path
) -> None:
    with pytest.raises(arena.ArenaError, match="no such file"):
        arena.Record(tmp_path / "nothing.db")
    with arena.Record(league.with_suffix(".db")) as record, pytest.raises(arena.ArenaError):
        record.match(99)
    with pytest.raises(arena.ArenaError, match="nowhere"):
        arena.play_bots([tmp_path / "nowhere"] * 3, isolation="none")
