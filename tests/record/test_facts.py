"""What a record says about when its league was played and who wrote its bots."""

from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

from arena.bots.manifest import Bot
from arena.record.facts import (
    FIRST_AT,
    LAST_AT,
    MAKERS,
    Maker,
    makers_fact,
    read_dates,
)
from arena.record.writer import Writer
from tests.record.test_store import facts, match
from tests.support.scripted import made_up

EARLY, LATER = "2026-01-01T00:00:00+00:00", "2026-02-01T12:00:00+00:00"


def test_the_first_date_stays_and_the_last_goes_on(tmp_path: Path) -> None:
    early = facts() | {FIRST_AT: EARLY, LAST_AT: EARLY}
    with closing(Writer.create(tmp_path / "league.db", early)) as writer:
        writer.add(match(), made_up([(2, -1, -1)]))
        dates = read_dates(writer.store.facts())
    assert dates is not None
    assert dates[0] == EARLY
    assert datetime.fromisoformat(dates[1]).utcoffset() == timedelta(0)
    assert dates[1] > LATER


def test_a_record_without_dates_has_none(tmp_path: Path) -> None:
    with closing(Writer.create(tmp_path / "league.db", facts())) as writer:
        assert read_dates(writer.store.facts()) is None
        writer.add(match(), made_up([(2, -1, -1)]))
        first, last = read_dates(writer.store.facts()) or ("", "-")
    assert first == last


def test_makers_are_those_of_the_file_and_of_submissions(tmp_path: Path) -> None:
    def bot(name: str, version: str) -> Bot:
        return Bot(name=name, version=version, author="Anna", run=("./run",))

    first = makers_fact({}, [bot("a", "1"), bot("b", "1")])
    makers = {MAKERS: makers_fact({MAKERS: first}, [bot("b", "2")])}
    anna = {name: Maker(version, "Anna") for name, version in (("a", "1"), ("b", "2"), ("c", "7"))}
    with closing(Writer.create(tmp_path / "league.db", facts() | makers)) as writer:
        writer.submit(bot("c", "7"), "d" * 64, EARLY, ())
        assert writer.store.makers() == anna
