"""A record keeps the ledger of an open league, and tells a draw what it may know of matches."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from arena.base.errors import ArenaError
from arena.bots.manifest import Bot
from arena.league.ledger import Closed, Committed, Joined, Left, Sealed, chain_flaw
from arena.league.outcomes import StoredOutcome
from arena.match.commands import Fault
from arena.match.record import DealFault
from arena.record.store import Store
from tests.record.test_store import facts, match
from tests.support.open_record import Opened
from tests.support.scripted import made_up

JOINED = Joined("a", "a" * 64, "tests", False)
TABLE = ("a", "b", "c")


@pytest.fixture
def writer(tmp_path: Path) -> Iterator[Store]:
    with closing(Store.create(tmp_path / "league.db", facts())) as writer:
        yield writer


def test_lines_are_appended_as_one_chain(writer: Store) -> None:
    assert writer.ledger() == []
    first = writer.append([Committed("c" * 64), JOINED])
    second = writer.append([Left("a", "withdrawn")])
    assert writer.ledger() == [*first, *second]
    assert writer.ledger(after=2) == second
    assert chain_flaw(writer.ledger()) is None


def test_a_record_may_begin_with_a_ledger(tmp_path: Path) -> None:
    began = Store.create(tmp_path / "open.db", facts(), ledger=[Committed("c" * 64)])
    with closing(began) as writer:
        writer.append([JOINED])
        assert [line.number for line in writer.ledger()] == [1, 2]
        assert chain_flaw(writer.ledger()) is None


def test_entries_and_facts_are_stored_together_or_not_at_all(writer: Store) -> None:
    writer.append([JOINED], season=3)
    assert writer.facts().season == 3
    with pytest.raises(TypeError):
        writer.append([JOINED], season=object())
    assert len(writer.ledger()) == 1


def test_what_a_ledger_comes_to_is_read_on_from_where_it_was(tmp_path: Path) -> None:
    league = Opened(tmp_path / "ladder.db")
    with closing(league.store), closing(Store.open(league.path)) as reader:
        first = league.order()
        ledger = reader.fold()
        assert ledger.orders == {(first.lineup, 0): first}
        league.play(first)
        second = league.order()
        assert reader.fold() is ledger
        assert list(ledger.orders.values()) == [first, second]
        assert ledger.read == len(reader.ledger())


def test_a_ledger_whose_lines_cannot_follow_is_damage(writer: Store) -> None:
    writer.append([JOINED, Left("b", "withdrawn")])
    with pytest.raises(ArenaError, match="this record is damaged"):
        writer.fold()


def test_a_draw_is_told_who_was_out_and_how_long_programs_ran(writer: Store) -> None:
    writer.add(match(), made_up([(0, 0, 0)], disqualified=(1,)))
    writer.add(match(1), made_up([(1, 0, -1)], held_s=(0.5, 0.25, 3.0)))
    first, second = writer.outcomes()
    assert first == StoredOutcome(TABLE, 0, 1, 1, TABLE, (1,), ())
    assert second == StoredOutcome(TABLE, 0, 1, 2, TABLE, (), (0.5, 0.25, 3.0))
    assert list(writer.outcomes(after=1)) == [second]
    [(_, _, record)] = writer.matches(2)
    assert record.held_s == (0.5, 0.25, 3.0)


def test_a_draw_is_told_who_played_no_deal(writer: Store) -> None:
    played = made_up([(0, 0, 0)])
    for seating, fault in enumerate((Fault(1, "exited", ""), Fault(1, "illegal", ""))):
        results = msgspec.structs.replace(played.results, faults=(DealFault(0, fault),))
        writer.add(match(seating), msgspec.structs.replace(played, results=results))
    assert [outcome.gone for outcome in writer.outcomes()] == [(match().seats[1],), ()]


def test_nobody_enters_or_leaves_a_closed_season(writer: Store) -> None:
    own = Bot("own", "1", "tests", ("./run",))
    writer.submit(own, "d" * 64, "2026-01-01T00:00:00+00:00", ())
    writer.append([JOINED, Closed(2, ("a",))])
    other = msgspec.structs.replace(own, name="other")
    for change in (
        lambda: writer.submit(other, "e" * 64, "2026-01-01T00:00:00+00:00", ()),
        lambda: writer.withdraw("own"),
    ):
        with pytest.raises(ArenaError, match="season 2 is closed: its bots neither come nor go"):
            change()
    assert [entry.state for entry in writer.submissions()] == ["playing"]


def test_a_sealed_record_is_only_read(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    began = Store.create(path, facts(), ledger=[Committed("c" * 64)])
    with closing(began) as writer:
        writer.append([Closed(1, ("a", "b", "c"))])
        writer.append([Sealed(1, "5e" * 32)])
    with closing(Store.open(path)) as reader:
        assert reader.sealed() == 1
    before = path.read_bytes()
    with pytest.raises(ArenaError, match="season 1 is over and its record is sealed"):
        Store.write(path)
    assert path.read_bytes() == before
