"""`arena serve`: what dies or hangs is started again, all ends with it, and a site runs once."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.base.errors import MachineError
from arena.site import process, runner
from arena.site.config import Site, make_folders, read_site
from tests.support.command import held_port
from tests.support.patience import PATIENCE_S, until
from tests.support.registry import killed

# A script knows its name, the site's file, what it begins the second time, and the site's log.
BEGINS = """
import os, signal, socket, sys, time
NAME, SITE, LOG = sys.argv[1], sys.argv[2], {log!r}
def first():
    try:
        open(f"{{SITE}}.{{NAME}}", "x").close()
        return True
    except FileExistsError:
        return False
def end_all():
    os.kill(os.getppid(), signal.SIGTERM)
"""
STAYS = """
def end(*_):
    print("ends", file=sys.stderr, flush=True)
    sys.exit()
signal.signal(signal.SIGTERM, end)
print("begun", file=sys.stderr, flush=True)
sys.stdin.read()
"""


@pytest.fixture(name="port")
def _port() -> Iterator[int]:
    with held_port() as port:
        yield port


@pytest.fixture(name="site")
def _site(tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch) -> Site:
    path = tmp_path / "site.toml"
    path.write_text(f'league = "ladder.toml"\nlisten = "127.0.0.1:{port}"\n[guests]\ntables = 0\n')
    for module in (runner, process):
        monkeypatch.setattr(module, "END_PATIENCE_S", PATIENCE_S)
    monkeypatch.setattr(runner, "_LAST_LINES_S", PATIENCE_S)
    return read_site(path)


def runs(site: Site, monkeypatch: pytest.MonkeyPatch, **scripts: str) -> tuple[int, str]:
    """What the runner returns with these scripts for processes, and its log."""
    words, log = runner._words, site.logs / "site.log"

    def script(name: str, path: Path) -> list[str]:
        assert words(name, path) == [sys.executable, "-m", "arena.site", name, str(path)]
        code = BEGINS.format(log=str(log)) + scripts.get(name, STAYS)
        return [sys.executable, "-I", "-S", "-c", code, name, str(path)]

    monkeypatch.setattr(runner, "_words", script)
    return runner.run_site(site), log.read_text()


def test_what_dies_is_started_again_and_all_end(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    dies = f"""
if first():
    os.kill(os.getpid(), 9)
print("x" * 200_000, file=sys.stderr, flush=True)
while "web     begun" not in open(LOG).read():
    pass
end_all()
{STAYS}"""
    code, log = runs(site, monkeypatch, play=dies)
    assert code == 0
    assert "play    was ended by signal 9; starts again in 0.0 s" in log
    assert sorted(line[21:29].strip() for line in log.splitlines() if line.endswith("ends")) == [
        *("play", "web", "work")
    ]
    assert log.count("x") >= 200_000
    assert max(map(len, log.splitlines())) < 70_000
    assert log.splitlines()[-1].endswith("site    ended")


ANSWERS = f"""
with socket.socket(fileno=int(sys.argv[3])) as listener:
    asking = socket.create_connection(listener.getsockname())
    print('{{"path": "/"}}', file=sys.stderr)
    if first():
        os.kill(os.getpid(), 9)
    for _ in range(2):  # the first has waited since before the process was killed
        listener.accept()[0].close()
end_all()
{STAYS}"""
DEAF = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.kill(os.getppid(), signal.SIGINT)
while True:
    signal.pause()
"""
BEATS = """
told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
told.connect("\\0" + os.environ["NOTIFY_SOCKET"][1:])
told.send(b"READY=1")
if NAME == "work":
    if first():
        os.kill(os.getpid(), signal.SIGSTOP)
    end_all()
while True:
    told.send(b"WATCHDOG=1")
    time.sleep(0.01)
"""


@pytest.mark.parametrize(
    ("scripts", "patience", "code", "said"),
    [
        ({"web": ANSWERS}, {}, 0, {'{"path": "/"}': True}),
        (  # a mistake that the organiser must fix
            {"work": 'print("no league\\x1b", file=sys.stderr)\nsys.exit(2)'},
            {},
            2,
            {"work    no league\\x1b\n": True, "fix the error above": True},
        ),
        (
            {"web": DEAF},
            {"END_PATIENCE_S": 0.1},
            130,
            {"web     does not end, and is killed": True},
        ),
        (
            {"web": BEATS, "play": BEATS, "work": BEATS},
            {"HANGS_S": 1.0},
            0,
            {"work    runs": True, "work    hangs, and is killed": True, "web     hangs": False},
        ),
    ],
    ids=["the socket outlasts the web", "a mistake", "Ctrl+C and one is deaf", "one hangs"],
)
def test_a_site_goes_on_ends_or_kills_as_its_processes_do(
    site: Site,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    scripts: dict[str, str],
    patience: dict[str, float],
    code: int,
    said: dict[str, bool],
) -> None:
    for name, seconds in patience.items():
        monkeypatch.setattr(runner, name, seconds)
    found, log = runs(site, monkeypatch, **scripts)
    assert (found, {words: words in log for words in said}) == (code, said)
    assert '"path"' not in capfd.readouterr().err, "requests are in the log alone"


def test_what_has_run_well_must_find_a_mistake_twice(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    starts, looked = Path(f"{site.path}.starts"), runner._Child.look

    def look(child: Any) -> bool:
        if starts.exists() and len(starts.read_text()) > 1:
            monkeypatch.setattr(runner, "_WELL_S", 1000.0)
        return looked(child)

    monkeypatch.setattr(runner, "_WELL_S", 0.0)
    monkeypatch.setattr(runner._Child, "look", look)
    script = 'open(f"{SITE}.starts", "a").write("x")\nsys.exit(2)'
    code, log = runs(site, monkeypatch, work=script)
    assert code == 2
    assert 3 <= len(starts.read_text()) <= 4
    assert log.count("work    ended with exit code 2; starts again") >= 2


def test_a_site_runs_once_and_says_which_process_has_it(
    site: Site, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("END_PATIENCE_S", "HELD_S"):
        monkeypatch.setattr(process, name, 0.0)
    make_folders(site)
    with (
        process.alone(site, "site"),
        pytest.raises(MachineError, match=f"as process {os.getpid()}; stop"),
    ):
        runner.run_site(site)
    said = "Address already in use; end what listens there"
    with socket.create_server(("127.0.0.1", port)), pytest.raises(MachineError, match=said):
        runner.run_site(site)


def test_a_socket_that_systemd_passed_is_taken_and_passed_to_nobody_else(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as given:
        passed = given.dup().detach()
        monkeypatch.setattr(process, "FIRST_PASSED", passed)
        for pid in (os.getppid(), os.getpid()):
            monkeypatch.setenv("LISTEN_PID", str(pid))
            monkeypatch.setenv("LISTEN_FDS", "1")
            with process.listen(site) as listener:
                assert (listener.fileno() == passed) == (pid == os.getpid())
                assert not listener.get_inheritable()
            assert not {"LISTEN_PID", "LISTEN_FDS"} & os.environ.keys()


# --- one process ---


def test_a_process_is_as_fresh_as_its_slowest_part(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "_BEAT_S", 0.0)
    make_folders(site)
    with process.alone(site, "play"):
        played, notified, now = process.SiteProcess(site, "play"), list[str](), [1000.0]
        played.notify = notified.append
        monkeypatch.setattr("arena.site.process.time.monotonic", lambda: now[0])
        one, _ = process.SitePart(played, "league"), process.SitePart(played, "publisher")
        assert notified == ["WATCHDOG=1"] * 2
        now[0] += process.SILENT_S + 1
        one.beat("plays")
        state = process.read_states(site)["play"]
        assert (state.doing, state.pid) == ({"league": "plays", "publisher": "begins"}, os.getpid())
        assert process.silent(site, ["play", "work"], 5.0) == {"play": state.at, "work": 5.0}
        assert len(notified) == 3
        now[0] += process.HANGS_S
        one.beat("plays on")
        assert len(notified) == 3, "the other part hangs"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # it stays open
def test_a_process_notifies_a_socket_of_systemds_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process.notifier()("WATCHDOG=1")  # to nobody
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        process.notifier()("READY=1")
        assert told.recv(100) == b"READY=1"


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, None])
def test_told_to_end_a_process_ends_without_an_error(
    site: Site, how: signal.Signals | None
) -> None:
    words = [sys.executable, "-m", "arena.site", "work", str(site.path)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        until(lambda: process.holder(process.lock_path(site, "work")) == child.pid)
        if how is None:
            child.communicate()  # which closes its standard input
        else:
            child.send_signal(how)
        assert child.wait(PATIENCE_S) == 0


def test_a_process_that_is_stopped_falls_silent(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    def beats(_: object) -> None:
        make_folders(site)
        with process.alone(site, "work"):
            part = process.SitePart(process.SiteProcess(site, "work"), "work")
            while True:
                part.beat(f"at {time.monotonic()}")
                time.sleep(0.01)

    monkeypatch.setattr(process, "SILENT_S", 0.5)
    with killed(beats):
        pid = until(lambda: process.read_states(site).get("work")).pid
        for number, is_silent in ((signal.SIGCONT, False), (signal.SIGSTOP, True)) * 2:
            os.kill(pid, number)
            until(lambda: bool(process.silent(site, ["work"], 0.0)) == is_silent)  # noqa: B023


def test_folders_are_for_whom_the_sites_own_folder_is(site: Site) -> None:
    site.folder.mkdir()
    site.folder.chmod(0o2770)
    make_folders(site)
    folders = [each for each in site.folder.iterdir() if each.is_dir()]
    assert {each.stat().st_mode & 0o7777 for each in folders} == {0o2770}
