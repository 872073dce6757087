"""A stranger's folder is removed whatever is in it, and nothing outside it is touched."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from arena.sandbox.removal import remove_folder
from tests.support.command import PROJECT
from tests.support.ordinary import ordinary


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "strangers"
    made.mkdir()
    return made


def nest(folder: Path, depth: int) -> None:
    """Nest folders, deeper than a path can name."""
    at = os.open(folder, os.O_RDONLY)
    for _ in range(depth):
        os.mkdir("inner", dir_fd=at)
        below = os.open("inner", os.O_RDONLY, dir_fd=at)
        os.close(at)
        at = below
    os.mkdir("closed", 0, dir_fd=at)
    os.close(at)


def test_folders_nested_deeper_than_any_path_go(folder: Path) -> None:
    nest(folder, 1200)
    assert remove_folder(folder)
    assert not folder.exists()


def test_closed_folders_go_for_an_ordinary_user_too() -> None:
    with tempfile.TemporaryDirectory() as base:  # pytest's are closed to others
        folder = Path(base, "strangers")
        for path in ("a/b/c", "d"):
            (folder / path).mkdir(parents=True)
        for path in ("a/b/c", "a/b", "a", "d", "."):
            (folder / path / "file").touch()
            (folder / path).chmod(0)
        script = f"from arena.sandbox.removal import *; print(remove_folder({str(folder)!r}))"
        words, environment = [sys.executable, "-c", script], {"PYTHONPATH": PROJECT}
        if os.geteuid() == 0:
            words, environment = ordinary(Path(base), words[1:])
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        assert done.stdout == "True\n", done.stderr
        assert not folder.exists()


def test_planted_links_are_removed_and_not_followed(folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir(mode=0o700)
    (outside / "kept").touch(mode=0o600)
    (folder / "file").symlink_to(outside / "kept")
    (folder / "folder").symlink_to(outside)
    (folder / "inner").mkdir()
    (folder / "inner/up").symlink_to("../../outside")
    (folder / "inner").chmod(0)
    assert remove_folder(folder)
    assert os.listdir(outside) == ["kept"]
    assert (outside.stat().st_mode & 0o777, (outside / "kept").stat().st_mode & 0o777) == (
        0o700,
        0o600,
    )


def test_a_link_in_the_place_of_the_folder_is_removed_itself(folder: Path, tmp_path: Path) -> None:
    (folder / "kept").touch()
    link = tmp_path / "link"
    link.symlink_to(folder)
    assert remove_folder(link)
    assert not link.is_symlink()
    assert (folder / "kept").exists()


def test_pipes_sockets_and_many_files_go(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("arena.sandbox.removal._AT_ONCE", 7)
    os.mkfifo(folder / "pipe")
    for number in range(40):
        (folder / f"{number}").mkdir()
        (folder / f"{number}/file").touch()
        (folder / f"file {number}").touch()
    assert remove_folder(folder)
    assert not folder.exists()


def test_what_is_marked_as_immutable_goes(folder: Path) -> None:
    (folder / "inner").mkdir()
    (folder / "inner/file").touch()
    done = subprocess.run(
        ("chattr", "+i", folder / "inner/file", folder / "inner"), capture_output=True, check=False
    )
    if done.returncode:
        pytest.skip("this user or file system has no immutable files")
    assert remove_folder(folder)
    assert not folder.exists()


def test_what_is_not_there_counts_as_gone(tmp_path: Path) -> None:
    assert remove_folder(tmp_path / "none")
    assert remove_folder(tmp_path / "none/below")


def test_what_cannot_be_removed_is_left_without_an_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(5, "Input/output error")

    (folder / "inner").mkdir()
    (folder / "inner/file").touch()
    for call in ("unlink", "rmdir", "open", "scandir"):
        with monkeypatch.context() as patched:
            patched.setattr(os, call, refuse)
            assert not remove_folder(folder)
