"""The player of a site plays a season to its end, and then waits."""

from contextlib import closing
from pathlib import Path

import pytest

from arena.record.store import Store
from arena.site import disk
from arena.site.config import read_site
from arena.site.life import Life
from arena.site.player import play_ladder
from arena.site.processes import make_folders
from tests.support.whole_site import write_site

OVER = "the season is over"
OVER_AT_ONCE = "final = 3\nfinal_deals = 10\nclose_at = 2020-01-01T12:00:00\n"


class Short(Life):
    """A life that ends once it is told a word, such as that the season is over."""

    def __init__(self, path: Path, last: str = OVER) -> None:
        self._last = last
        self._site = read_site(path)
        make_folders(self._site)
        super().__init__(self._site, "league")
        self.said: list[str] = []

    def say(self, what: str, warning: bool = False) -> None:
        self.said.append(what)

    def beat(self, doing: str, ended: bool = False) -> None:
        super().beat(doing, ended)
        if doing == self._last:
            raise KeyboardInterrupt

    def play(self) -> list[str]:
        """Play until the last word; what was said of it."""
        self.said.clear()
        with pytest.raises(KeyboardInterrupt):
            play_ladder(self._site, self)
        return self.said


def test_a_season_ends_by_its_calendar_and_its_record_is_left_alone(tmp_path: Path) -> None:
    life = Short(write_site(tmp_path, "abc", OVER_AT_ONCE))
    said = life.play()
    assert "season 1 is closed; its final is between" in "\n".join(said)
    assert said[-2] == "season 1 is over; its record is sealed"
    record = tmp_path / "ladder.db"
    with closing(Store.open(record)) as store:
        assert store.sealed() == 1
    before = record.read_bytes()
    assert len(life.play()) == 1
    assert record.read_bytes() == before


def test_no_order_is_drawn_while_the_disk_is_nearly_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "LOW_BYTES", 1 << 62)
    monkeypatch.setattr(disk, "SHARE", 1)
    Short(write_site(tmp_path), "the site's disk is nearly full").play()
    with closing(Store.open(tmp_path / "ladder.db")) as store:
        assert store.stored() == {}
