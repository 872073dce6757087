"""Folders that bots see are laid out once, for everybody to read; those that they filled are
removed, whatever is in them, and nothing outside is touched."""

import os
import stat
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

import pytest

from arena.base.resources import STANDARD
from arena.sandbox import bubblewrap, folders
from arena.sandbox.folders import (
    SYSTEM,
    Runtimes,
    laid_out,
    reachable,
    remove_folder,
    settings,
)
from tests.support.command import PROJECT
from tests.support.ordinary import ordinary
from tests.support.patience import PATIENCE_S, until


@pytest.fixture
def runtimes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runtimes:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return Runtimes(("/opt/python/3", f"{folders.SCRATCH}/own"), ("/usr/bin",))


def words(runtimes: Runtimes, made: str) -> list[str]:
    fds = {"filter": 7, "info": 8, "go": 9}
    return bubblewrap.arguments("bwrap", 58001, runtimes, STANDARD, "/x", made, fds, ("./bot",))


def test_a_second_start_lays_out_nothing_unless_the_root_is_gone(
    runtimes: Runtimes, tmp_path: Path
) -> None:
    made = laid_out(runtimes, 58000)
    there = sorted(tmp_path.rglob("*"))
    assert laid_out(runtimes, 58000) is made
    assert sorted(tmp_path.rglob("*")) == there
    Path(made, "root").rename(f"{made}/away")
    assert laid_out(runtimes, 58000) != made


def test_everybody_sees_the_settings_and_the_users_and_nothing_else(runtimes: Runtimes) -> None:
    before = os.umask(0o077)
    try:
        made = Path(laid_out(runtimes, 58000), "root")
    finally:
        os.umask(before)
    for path in ("", "etc", "proc", "opt", "opt/python", "opt/python/3", "bot"):
        assert stat.S_IMODE((made / path).stat().st_mode) == 0o755, path
    for path in ("etc/passwd", "../stat"):
        assert stat.S_IMODE((made / path).stat().st_mode) == 0o644, path
    there = {os.path.basename(top) for top in SYSTEM if os.path.lexists(top)}
    seen = {path: {*os.listdir(made / path)} for path in (".", "etc", "tmp")}
    assert seen == {
        ".": {"etc", "proc", "dev", "tmp", "bot", "opt"} | there,
        "etc": {Path(path).parts[2] for path in settings()} | {"passwd", "group"},
        "tmp": set(),
    }
    users = (made / "etc/passwd").read_text().splitlines()
    assert [line.split(":")[2] for line in users] == [str(58000 + seat) for seat in range(8)]
    for path in filter(os.path.islink, ("/bin", "/etc/localtime", "/etc/os-release")):
        assert os.readlink(f"{made}{path}") == os.readlink(path), "it stays a link"


def test_a_setting_that_may_not_be_read_is_left_out(
    runtimes: Runtimes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java = tmp_path / "etc" / "java"
    (java / "pipe").mkdir(parents=True)
    (java / "open").write_text("1")
    (java / "closed").symlink_to("/nowhere")
    os.mkfifo(java / "pipe" / "fifo")  # like a file that may not be read, also as root
    monkeypatch.setattr(folders, "settings", lambda: (str(java),))
    made = f"{laid_out(runtimes, None)}/root{java}"
    assert Path(made, "open").read_text() == "1"
    assert os.readlink(f"{made}/closed") == "/nowhere"
    assert os.listdir(f"{made}/pipe") == []


def test_a_box_has_one_mount_for_all_that_is_laid_out(runtimes: Runtimes) -> None:
    """Each mount costs a reading of the table of all mounts."""
    command = words(runtimes, laid_out(runtimes, 58000))
    shown = [command[at + 2] for at, word in enumerate(command) if word == "--ro-bind"]
    tops = [top for top in SYSTEM if os.path.isdir(top) and not os.path.islink(top)]
    all_but_proc = [path for path in shown if not path.startswith("/proc/")]
    assert (shown[0], shown[-1]) == ("/", "/bot")
    assert all_but_proc[1:-1] == [*tops, *runtimes.folders]
    # the scratch folder is there already
    assert not {"--file", "--ro-bind-data", "--symlink", "--dir"} & set(command)


def test_folders_above_a_runtime_in_the_scratch_folder_may_be_entered(tmp_path: Path) -> None:
    command = words(Runtimes(("/tmp/a/b/c",), ()), "made")
    at = command.index("--dir") - 2
    made = [["--perms", "0755", "--dir", path] for path in ("/tmp/a", "/tmp/a/b")]
    assert [command[at : at + 4], command[at + 4 : at + 8]] == made


@pytest.mark.parametrize("name", ["{tmp_path}/closed/outer/inner", "inner"])
def test_a_folder_within_a_closed_one_is_not_reachable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "closed/outer/inner").mkdir(parents=True)
    (tmp_path / "closed").chmod(0o700)
    monkeypatch.chdir(tmp_path / "closed/outer")
    assert not reachable(name.format(tmp_path=tmp_path))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "strangers"
    made.mkdir()
    return made


def test_an_ordinary_user_removes_closed_folders_too() -> None:
    with tempfile.TemporaryDirectory() as base:  # pytest's are closed to others
        folder = Path(base, "strangers")
        for path in ("a/b/c", "d"):
            (folder / path).mkdir(parents=True)
        for path in ("a/b/c", "a/b", "a", "d", "."):
            (folder / path / "file").touch()
            (folder / path).chmod(0)
        script = f"from arena.sandbox.folders import *; print(remove_folder({str(folder)!r}))"
        words, environment = [sys.executable, "-c", script], {"PYTHONPATH": PROJECT}
        if os.geteuid() == 0:
            words, environment = ordinary(Path(base), words[1:])
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        assert done.stdout == "True\n", done.stderr
        assert not folder.exists()


def test_planted_links_are_removed_and_not_followed(folder: Path, tmp_path: Path) -> None:
    outside, place = tmp_path / "outside", tmp_path / "place"
    outside.mkdir(mode=0o700)
    (outside / "kept").touch(mode=0o600)
    (folder / "inner").mkdir()
    for link, target in (
        (folder / "file", outside / "kept"),
        (folder / "folder", outside),
        (folder / "inner/up", Path("../../outside")),
        (place, outside),
    ):
        link.symlink_to(target)
    (folder / "inner").chmod(0)
    assert [remove_folder(folder), remove_folder(place)] == [True, True]
    assert not place.is_symlink()
    assert os.listdir(outside) == ["kept"]
    modes = [path.stat().st_mode & 0o777 for path in (outside, outside / "kept")]
    assert modes == [0o700, 0o600]


def test_pipes_and_many_files_are_removed(folder: Path) -> None:
    os.mkfifo(folder / "pipe")
    for number in range(40):
        (folder / f"{number}").mkdir()
        (folder / f"{number}/file").touch()
        (folder / f"file {number}").touch()
    assert remove_folder(folder)
    assert not folder.exists()
    assert remove_folder(folder), "a missing folder counts as removed"
    assert remove_folder(folder / "below")


def test_what_cannot_be_removed_is_left_without_an_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.chdir(folder)
        for _ in range(1200):  # deeper than any path can name
            os.mkdir("inner")
            os.chdir("inner")
        os.mkdir("closed", 0)
    with monkeypatch.context() as patched:
        patched.setenv("PATH", str(folder))
        assert not remove_folder(folder, PATIENCE_S)  # since 3.14 Python itself goes as deep
    assert remove_folder(folder)
    assert not folder.exists()


def test_no_folder_is_removed_that_this_process_is_in(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    for above in ("", ".", folder.parent):
        with pytest.raises(ValueError, match="the folder that this process is in"):
            remove_folder(above)
    assert folder.exists()


def abandoned(name: str = "") -> Path:
    """A folder with the mark of a process that has ended."""
    script = "from arena.base.marks import mark; print(mark())"
    made = subprocess.check_output([sys.executable, "-c", script], text=True).strip()
    folder = Path(tempfile.gettempdir(), f"{made}{name}")
    (folder / "inner").mkdir(parents=True)
    return folder


@pytest.mark.usefixtures("runtimes")
def test_a_sweep_removes_what_a_killed_arena_left_and_nothing_else(tmp_path: Path) -> None:
    left, theirs, other = abandoned("a"), abandoned("b"), tmp_path / "zole-c"
    other.mkdir()
    if os.geteuid() == 0:
        os.chown(theirs, 12345, 12345)
    with folders.scratch() as ours:
        folders.sweep()
        kept = [path.exists() for path in (left, theirs, other, Path(ours))]
    assert kept == [False, os.geteuid() == 0, True, True]
    assert not Path(ours).exists()


@pytest.mark.usefixtures("runtimes")
def test_a_sweep_ends_after_some_time_and_some_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    left = abandoned()
    for name in ("_SWEEP_S", "_SWEEP_ENTRIES"):
        with monkeypatch.context() as patched:
            patched.setattr(folders, name, 0)
            folders.sweep()
            assert left.exists()
    folders.sweep()
    assert not left.exists()


def test_a_folder_that_is_refilled_is_given_up_when_time_is_up(folder: Path) -> None:
    ends = threading.Event()

    def refill() -> None:
        while not ends.is_set():
            with suppress(OSError):
                (folder / "inner" / str(time.monotonic())).mkdir(parents=True)

    thread = threading.Thread(target=refill)
    thread.start()
    try:
        until((folder / "inner").exists)
        remove_folder(folder, longest_s=0.2)  # it comes back, however often it goes
        until(folder.exists)
    finally:
        ends.set()
        thread.join()
