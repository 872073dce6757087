"""What is made aside is whole when it gets its name, and a low limit of open files is raised."""

import os
import resource
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.base.files import allow_descriptors, atomic_target, sweep_drafts


def forsaken_draft(path: Path) -> Path:
    """What a process that was killed has left of a draft of this path."""
    namespace = os.stat("/proc/self/ns/pid").st_ino
    return path.with_name(f"zole-{namespace}-999999999-1-1-{path.name}")


def names(folder: Path) -> list[str]:
    return sorted(each.name for each in folder.iterdir())


def test_a_renamed_draft_stays_and_its_temporary_files_are_removed(tmp_path: Path) -> None:
    path = tmp_path / "league.db"
    with atomic_target(path) as draft:
        draft.touch()
        Path(f"{draft}-wal").touch()
        draft.rename(path)
    assert names(tmp_path) == ["league.db"]


def test_a_draft_that_was_given_up_leaves_nothing(tmp_path: Path) -> None:
    def give_up() -> None:
        with atomic_target(tmp_path / "backup") as draft:
            (draft / "in it").mkdir(parents=True)
            raise KeyError

    with pytest.raises(KeyError):
        give_up()
    assert names(tmp_path) == []


def test_what_killed_processes_left_is_swept_and_what_others_make_stays(tmp_path: Path) -> None:
    path, other = tmp_path / "league.db", tmp_path / "other.db"
    forsaken_draft(path).touch()
    (forsaken_draft(tmp_path / "league.db.old") / "in it").mkdir(parents=True)
    forsaken_draft(other).touch()
    with atomic_target(path) as draft:
        draft.touch()
        sweep_drafts(path)
        assert names(tmp_path) == sorted([forsaken_draft(other).name, draft.name])


def test_a_swept_link_is_removed_but_not_its_target(tmp_path: Path) -> None:
    (tmp_path / "mine" / "folder").mkdir(parents=True)
    path = tmp_path / "league.db"
    forsaken_draft(path).symlink_to(tmp_path / "mine")
    sweep_drafts(path)
    sweep_drafts(tmp_path / "nowhere" / "league.db")
    assert names(tmp_path) == ["mine"]
    assert names(tmp_path / "mine") == ["folder"]


@pytest.fixture(autouse=True)
def _limit_as_before() -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_a_low_limit_is_raised_as_far_as_allowed_and_a_higher_one_is_left() -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (200, most))
    limits = []
    for wanted in (300, 250, most + 1):
        allow_descriptors(wanted)
        limits.append(resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    assert limits == [300, 300, most]
