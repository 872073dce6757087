"""What a record says about when its league was played."""

from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path
from unittest.mock import patch

from arena.record.store import Store
from tests.record.test_store import facts, match
from tests.support.scripted import made_up

EARLY, LATER = "2026-01-01T00:00:00+00:00", "2026-02-01T12:00:00+00:00"


def test_the_first_date_stays_and_the_last_goes_on(tmp_path: Path) -> None:
    with closing(Store.create(tmp_path / "league.db", facts())) as writer:
        assert writer.dates() is None
        with patch("arena.record.store._now", lambda: EARLY):
            writer.add(match(), made_up([(2, -1, -1)]))
        assert writer.dates() == (EARLY, EARLY)
        writer.add(match(1), made_up([(2, -1, -1)]))
        dates = writer.dates()
    assert dates is not None
    assert dates[0] == EARLY
    assert datetime.fromisoformat(dates[1]).utcoffset() == timedelta(0)
    assert dates[1] > LATER
