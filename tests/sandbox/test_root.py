"""The root of boxes: laid out once, for everybody to read and nobody to write."""

import os
import stat
import tempfile
from pathlib import Path

import pytest

from arena.base.resources import STANDARD
from arena.sandbox import bubblewrap, root
from arena.sandbox.root import SYSTEM, Root, Runtimes, laid_out, settings


@pytest.fixture
def runtimes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runtimes:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return Runtimes(("/opt/python/3", f"{root.SCRATCH}/own"), ("/usr/bin",))


def words(runtimes: Runtimes, made: Root) -> list[str]:
    fds = {"filter": 7, "info": 8, "go": 9}
    return bubblewrap.arguments("bwrap", 58001, runtimes, STANDARD, "/x", made, fds, ("./bot",))


def test_a_second_start_lays_out_nothing(runtimes: Runtimes, tmp_path: Path) -> None:
    made = laid_out(runtimes, 58000)
    there = sorted(tmp_path.rglob("*"))
    assert laid_out(runtimes, 58000) is made
    assert sorted(tmp_path.rglob("*")) == there


def test_a_root_that_is_gone_is_laid_out_anew(runtimes: Runtimes) -> None:
    made = laid_out(runtimes, None)
    Path(made.root).rename(f"{made.root}-away")
    assert laid_out(runtimes, None) != made


def test_everybody_may_enter_the_folders_and_read_the_files(runtimes: Runtimes) -> None:
    before = os.umask(0o077)
    try:
        made = laid_out(runtimes, None)
    finally:
        os.umask(before)
    for path in ("", "/etc", "/proc", "/opt", "/opt/python", "/opt/python/3", "/bot"):
        assert stat.S_IMODE(os.stat(made.root + path).st_mode) == 0o755, path
    for file in (f"{made.root}/etc/passwd", made.stat):
        assert stat.S_IMODE(os.stat(file).st_mode) == 0o644


def test_it_has_the_settings_and_the_users_and_nothing_else(runtimes: Runtimes) -> None:
    made = Path(laid_out(runtimes, 58000).root)
    of_etc = {Path(path).parts[2] for path in settings()} | {"passwd", "group"}
    assert set(os.listdir(made / "etc")) == of_etc
    there = [os.path.basename(top) for top in SYSTEM if os.path.lexists(top)]
    assert set(os.listdir(made)) == {"etc", "proc", "dev", "tmp", "bot", "opt", *there}
    assert os.listdir(made / "tmp") == []
    users = (made / "etc/passwd").read_text().splitlines()
    assert [line.split(":")[2] for line in users] == [str(58000 + seat) for seat in range(8)]


def test_links_into_the_system_stay_links(runtimes: Runtimes) -> None:
    made = laid_out(runtimes, None).root
    for path in ("/bin", "/etc/localtime", "/etc/os-release"):
        if os.path.islink(path):
            assert os.readlink(made + path) == os.readlink(path)


def test_a_setting_that_may_not_be_read_is_left_out(
    runtimes: Runtimes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    java = tmp_path / "etc" / "java"
    java.mkdir(parents=True)
    (java / "open").write_text("1")
    (java / "closed").symlink_to("/nowhere")
    (java / "pipe").mkdir()
    os.mkfifo(java / "pipe" / "fifo")  # like a file that may not be read, also as root
    monkeypatch.setattr(root, "settings", lambda: (str(java),))
    made = f"{laid_out(runtimes, None).root}{java}"
    assert Path(made, "open").read_text() == "1"
    assert os.readlink(f"{made}/closed") == "/nowhere"
    assert os.listdir(f"{made}/pipe") == []


def test_a_box_has_one_mount_for_all_that_is_laid_out(runtimes: Runtimes) -> None:
    """Each mount costs a reading of the table of all mounts."""
    made = laid_out(runtimes, 58000)
    command = words(runtimes, made)
    shown = [command[at + 2] for at, word in enumerate(command) if word == "--ro-bind"]
    assert shown[0] == "/"
    assert shown[-1] == "/bot"
    tops = [top for top in SYSTEM if os.path.isdir(top) and not os.path.islink(top)]
    rest = [path for path in shown[1:-1] if not path.startswith("/proc/")]
    assert rest == [*tops, *runtimes.folders]
    assert not {"--file", "--ro-bind-data", "--symlink"} & set(command)
    below = [command[at + 1] for at, word in enumerate(command) if word == "--dir"]
    assert below == []  # the scratch folder is there already


def test_folders_above_a_runtime_in_the_scratch_folder_may_be_entered(tmp_path: Path) -> None:
    command = words(Runtimes(("/tmp/a/b/c",), ()), Root("r", "e", "s"))
    at = command.index("--dir")
    assert command[at - 2 : at + 5] == [
        "--perms",
        "0755",
        "--dir",
        "/tmp/a",
        "--perms",
        "0755",
        "--dir",
    ]
    assert command[at + 5] == "/tmp/a/b"
