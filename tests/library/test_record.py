"""A program reads a record's standings and matches."""

from pathlib import Path

import pytest

import arena
from tests.support.stored_league import stored_league


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league with a record that an earlier arena wrote."""
    return stored_league(tmp_path_factory.mktemp("record"))


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
    with pytest.raises(arena.ArenaError, match="no such record"):
        arena.Record(tmp_path / "nothing.db")
    with arena.Record(league.with_suffix(".db")) as record, pytest.raises(arena.ArenaError):
        record.match(99)
    with pytest.raises(arena.ArenaError, match="nowhere"):
        arena.play([tmp_path / "nowhere"] * 3, isolation="none")
