"""The process `play`: a season to its end, what rests on a full disk, and how it ends."""

import threading
from contextlib import closing
from pathlib import Path

import pytest

from arena.base.errors import MachineError
from arena.record.store import Store
from arena.site import disk, play
from arena.site.config import Site, make_folders, read_site
from arena.site.play import play_ladder
from arena.site.process import SitePart, SiteProcess
from tests.support.whole_site import write_site

OVER = "the season is over"
OVER_AT_ONCE = "final = 3\nfinal_deals = 10\nclose_at = 2020-01-01T12:00:00\n"


class Short(SitePart):
    """A part that ends once it reports a word, such as that the season is over."""

    def __init__(self, site: Site, last: str = OVER) -> None:
        self._last = last
        self.said: list[str] = []
        make_folders(site)
        super().__init__(SiteProcess(site, "play"), "league")

    def say(self, what: str) -> None:
        self.said.append(what)

    def beat(self, doing: str) -> None:
        super().beat(doing)
        if doing == self._last:
            raise KeyboardInterrupt

    def play(self) -> list[str]:
        """Play until the last word; what was said of it."""
        self.said.clear()
        with pytest.raises(KeyboardInterrupt):
            play_ladder(self)
        return self.said


def test_a_season_ends_by_its_calendar_and_its_record_is_left_alone(tmp_path: Path) -> None:
    league = Short(read_site(write_site(tmp_path, "abc", OVER_AT_ONCE)))
    said = league.play()
    assert "season 1 is closed; its final is between" in "\n".join(said)
    assert said[-2] == "season 1 is over; its record is sealed"
    record = tmp_path / "ladder.db"
    with closing(Store.open(record)) as store:
        assert store.sealed() == 1
    before = record.read_bytes()
    assert len(league.play()) == 1
    assert record.read_bytes() == before


def test_no_order_is_drawn_while_the_disk_is_nearly_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "LOW_BYTES", 1 << 62)
    monkeypatch.setattr(disk, "SHARE", 1)
    Short(read_site(write_site(tmp_path)), "the site's disk is nearly full").play()
    with closing(Store.open(tmp_path / "ladder.db")) as store:
        assert store.stored() == {}


@pytest.mark.parametrize(("fails", "code"), [(MachineError(), 3), (KeyError("x"), 1)])
def test_an_error_of_a_thread_ends_the_whole_process(
    fails: Exception,
    code: int,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended = threading.Event()
    codes: list[int] = []

    def leave(number: int) -> None:
        codes.append(number)
        ended.set()

    def fail(part: SitePart, ending: threading.Event) -> None:
        raise fails

    def league(part: SitePart) -> None:
        ended.wait()

    site = read_site(write_site(tmp_path))
    make_folders(site)
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)  # which is put back
    monkeypatch.setattr("arena.site.play.os._exit", leave)
    monkeypatch.setattr(play, "_THREADS", {"requests": fail})
    monkeypatch.setattr(play, "play_ladder", league)
    play.run_play(SiteProcess(site, "play"))
    assert codes == [code]
