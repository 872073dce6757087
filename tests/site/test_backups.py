"""Daily backups: made once a day from an hour on, tried again, the last ones kept."""

import shutil
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import pytest

from arena.site import backups as backups_module
from arena.site.backup import LIST
from arena.site.backups import back_up_daily, backups, is_due
from arena.site.config import BackupKeys, Site, read_site
from arena.site.life import Life
from arena.site.processes import make_folders, names_of
from arena.site.registry.file import Registry
from tests.support.command import run

DAY = datetime(2026, 11, 24, 2, 59, tzinfo=UTC)


class Waiting(Life):
    """A life that ends once there is nothing to do for now."""

    def __init__(self, site: Site) -> None:
        super().__init__(site, "backups")
        self.said: list[str] = []

    def say(self, what: str, warning: bool = False) -> None:
        self.said.append(what)

    def beat(self, doing: str, ended: bool = False) -> None:
        super().beat(doing, ended)
        if doing == "waits for the next backup":
            raise KeyboardInterrupt


def site_of(folder: Path, keep: int = 2) -> Site:
    path = folder / "site.toml"
    path.write_text(f'league = "league.toml"\n[backup]\nfolder = "kept"\nkeep = {keep}\n')
    site = read_site(path)
    make_folders(site)
    with closing(Registry.open(site.registry)):
        return site


def at(moment: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the clock of backups stand at a moment."""

    class Standing(datetime):
        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return moment

    monkeypatch.setattr(backups_module, "datetime", Standing)


def turn(site: Site) -> list[str]:
    """Do what is to be done now; what was said of it."""
    life = Waiting(site)
    with pytest.raises(KeyboardInterrupt):
        back_up_daily(site, life)
    return life.said


def test_a_backup_is_made_once_a_day_and_the_last_ones_are_kept(
    played_league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = site_of(played_league.parent)
    assert "backups" in names_of(site, None)
    at(DAY, monkeypatch)
    assert turn(site) == []
    kept = Path(site.backup.folder)
    (kept / "2026-01-01").mkdir(parents=True)  # no backup of ours
    for day in range(4):
        at(DAY + timedelta(days=day, minutes=1), monkeypatch)
        assert "6 matches" in turn(site)[0]
        assert turn(site) == []
    assert [each.name for each in backups(kept)] == ["2026-11-26", "2026-11-27"]
    assert (kept / "2026-01-01").is_dir()
    done = run("serve", "restore", kept / "2026-11-27", played_league.parent.parent / "again")
    assert done.returncode == 0, done.stderr


def test_a_backup_that_failed_is_told_and_made_later_that_day(
    played_league: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = site_of(played_league.parent)
    moment = DAY + timedelta(minutes=5)
    at(moment, monkeypatch)
    record = played_league.with_suffix(".db")
    shutil.move(record, record.with_suffix(".away"))
    assert turn(site)[0].startswith("no backup: ")
    assert backups(Path(site.backup.folder)) == []
    shutil.move(record.with_suffix(".away"), record)
    assert is_due(site, moment)
    assert "backed up to" in turn(site)[0]
    [made] = backups(Path(site.backup.folder))
    assert (made / LIST).is_file()
    assert not is_due(site, moment + timedelta(hours=20))


def test_without_a_folder_there_are_none(played_league: Path) -> None:
    site = msgspec.structs.replace(site_of(played_league.parent), backup=BackupKeys())
    assert "backups" not in names_of(site, None)
