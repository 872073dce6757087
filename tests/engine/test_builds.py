"""Copies of bots: kept for a week, and never removed while another arena chooses them."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import time

import pytest

from arena.base.errors import ArenaError, MachineError
from arena.bots.manifest import read_bot
from arena.engine.build import build
from arena.engine.builds import cache, prepare
from arena.sandbox.folders import remove_folder
from arena.sandbox.isolation import NO_ISOLATION, Isolation
from tests.support.bots import APART, good, write_bot
from tests.support.command import PROJECT
from tests.support.patience import PATIENCE_S, until

# Choose a copy, and pause once it is chosen; say whether it is there in the end.
CHOOSE = """
import sys
from pathlib import Path
from arena.bots.manifest import read_bot
from arena.engine import builds
from arena.sandbox.isolation import NO_ISOLATION
from arena.sandbox.folders import remove_folder

startable = builds._unstartable

def paused(*found):
    print("chosen", flush=True)
    sys.stdin.readline()
    return startable(*found)

if "pause" in sys.argv:
    builds._unstartable = paused
program = builds.prepare(read_bot(Path(sys.argv[1])), NO_ISOLATION)
print(Path(program.folder, "bot.py").exists())
"""


MANIFEST = 'name = "b"\nversion = "1"\nauthor = "a"\n'


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


def unused_for(bot: Path, days: float) -> Path:
    """Prepare a bot's copy, as if that was some `days` ago; returns where it lies."""
    folder, then = Path(prepare(read_bot(bot), NO_ISOLATION).folder), time() - days * 24 * 3600
    os.utime(folder.with_suffix(".built"), (then, then))
    return folder


def test_a_copy_is_removed_after_a_week_without_use(tmp_path: Path) -> None:
    bots = [write_bot(tmp_path / name, f"{good()}\n# {name}") for name in "abc"]
    recent, old = unused_for(bots[0], 6.9), unused_for(bots[1], 7.1)
    prepare(read_bot(bots[2]), NO_ISOLATION)
    assert recent.exists()
    assert list(cache().glob(f"{old.name}*")) == []


def test_where_no_copy_can_be_kept_the_remedy_names_the_variable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = write_bot(tmp_path / "b", good())
    monkeypatch.setenv("XDG_CACHE_HOME", str(bot / "bot.toml"))
    with pytest.raises(MachineError, match=r"cannot be kept here: .*; set XDG_CACHE_HOME to"):
        prepare(read_bot(bot), NO_ISOLATION)


@contextmanager
def arena(bot: Path, *words: str) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [sys.executable, "-c", CHOOSE, str(bot), *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": PROJECT},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def waits(pid: int) -> bool:
    locks = Path("/proc/locks").read_text().splitlines()
    return any("->" in line and str(pid) in line.split() for line in locks)


def test_a_copy_chosen_by_one_arena_is_not_removed_by_another(tmp_path: Path) -> None:
    mine, other = (write_bot(tmp_path / name, f"{good()}\n# {name}") for name in "ab")
    unused_for(mine, 8)
    with arena(mine, "pause") as choosing:
        assert choosing.stdout is not None
        assert choosing.stdout.readline() == "chosen\n"
        with arena(other) as evicting:
            until(lambda: evicting.poll() is not None or waits(evicting.pid))
            said, _ = choosing.communicate("\n", timeout=PATIENCE_S)
            evicting.communicate(timeout=PATIENCE_S)
            assert (said, evicting.returncode) == ("True\n", 0)


@pytest.mark.parametrize(
    ("run", "line", "way"),
    [
        ("", 'run = ["node", "x.js"]', "nodejs.org"),
        ('run = ["python3", "bot.py"]', 'build = ["rustc"]', "rustup.rs"),
    ],
)
def test_a_language_that_is_not_installed_comes_with_the_way_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: str, line: str, way: str
) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for each in ("sh", "mkdir", "cp"):
        (programs / each).symlink_to(str(shutil.which(each)))
    monkeypatch.setenv("PATH", str(programs))
    (tmp_path / "bot.toml").write_text(f"{MANIFEST}{run}\n{line}\n")
    with pytest.raises(ArenaError, match=f"; get it: apt install .*{way}"):
        prepare(read_bot(tmp_path), NO_ISOLATION)


NEST = 'import os\nfor _ in range(600):\n    os.mkdir("nested")\n    os.chdir("nested")\n'


def test_a_build_that_nests_folders_too_deep_fails_alone_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scratch = tmp_path / "tmp"
    scratch.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(scratch))
    build = f'build = ["{sys.executable}", "-S", "nest.py"]\n'
    bot = write_bot(tmp_path / "bot", good(), more=build)
    (bot / "nest.py").write_text(NEST)
    with pytest.raises(ArenaError, match="cannot be built: "):
        prepare(read_bot(bot), NO_ISOLATION)
    assert list(scratch.iterdir()) == []


@pytest.mark.parametrize("apart", [NO_ISOLATION, APART], ids=["none", "strongest"])
@pytest.mark.parametrize("stops", ["kill -STOP $$", "sh -c 'kill -STOP $$'"])
def test_a_build_that_stops_itself_has_failed_at_once(
    tmp_path: Path, stops: str, apart: Isolation
) -> None:
    bot = write_bot(tmp_path / "bot", good(), more=f'build = ["sh", "-c", "{stops}"]\n')
    copy = shutil.copytree(bot, tmp_path / "copy")
    with pytest.raises(ArenaError, match="cannot be built: a process of the build was stopped"):
        build(read_bot(bot), copy, apart, tmp_path / "log", build_s=24 * 3600)


def test_a_bots_folder_that_is_too_deep_is_refused(tmp_path: Path) -> None:
    bot = write_bot(tmp_path / "bot", good())
    subprocess.run([sys.executable, "-S", "-c", NEST + 'open("file", "w")'], cwd=bot, check=True)
    with pytest.raises(ArenaError):
        prepare(read_bot(bot), NO_ISOLATION)
    assert remove_folder(bot)


def test_modules_that_a_build_has_compiled_are_not_compiled_again(tmp_path: Path) -> None:
    compiles = "python3 -m compileall -q --invalidation-mode unchecked-hash ."
    files = {
        "helper.py": "value = 'compiled by the build'\n",
        "bot.py": "import helper\nprint(helper.value)\n",
        "bot.toml": f"""{MANIFEST}run = ["python3", "bot.py"]
            build = ["sh", "-c", "{compiles} && echo 'value = 0' > helper.py"]
            """,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    program = prepare(read_bot(tmp_path), NO_ISOLATION)
    words = [sys.executable, *program.run[1:]]
    assert subprocess.check_output(words, cwd=program.folder) == b"compiled by the build\n"
