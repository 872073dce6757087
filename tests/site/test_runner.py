"""`arena serve`: what dies or hangs is started again, all ends with it, and a site runs once."""

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from arena.base.errors import MachineError
from arena.site import process as site_process
from arena.site import runner
from arena.site.config import Site, make_folders, read_site
from arena.site.process import (
    SitePart,
    SiteProcess,
    alone,
    notifier,
    read_states,
    run_process,
    silent,
)
from arena.site.runner import run_site
from tests.support.command import held_port
from tests.support.patience import PATIENCE_S, until

BEGINS = "import os, signal, socket, sys, time\nNAME, SITE = sys.argv[1:3]\n"
STAYS = """
def end(*_):
    print("ends", file=sys.stderr, flush=True)
    sys.exit()
signal.signal(signal.SIGTERM, end)
print("begun", file=sys.stderr, flush=True)
sys.stdin.read()
"""
END_ALL = "os.kill(os.getppid(), signal.SIGTERM)\n"


@pytest.fixture(name="port")
def _port() -> Iterator[int]:
    with held_port() as port:
        yield port


@pytest.fixture(name="site")
def _site(tmp_path: Path, port: int, monkeypatch: pytest.MonkeyPatch) -> Site:
    path = tmp_path / "site.toml"
    path.write_text(f'league = "ladder.toml"\nlisten = "127.0.0.1:{port}"\n[guests]\ntables = 0\n')
    for module in (runner, site_process):
        monkeypatch.setattr(module, "END_PATIENCE_S", PATIENCE_S)
    monkeypatch.setattr(runner, "_LAST_LINES_S", PATIENCE_S)
    return read_site(path)


def runs(site: Site, monkeypatch: pytest.MonkeyPatch, **scripts: str) -> tuple[int, str]:
    """What the runner returns with these scripts for processes, and its log."""
    words = runner._words

    def script(name: str, path: Path) -> list[str]:
        assert words(name, path) == [sys.executable, "-m", "arena.site", name, str(path)]
        return [
            sys.executable,
            "-I",
            "-S",
            "-c",
            BEGINS + scripts.get(name, STAYS),
            name,
            str(path),
        ]

    monkeypatch.setattr(runner, "_words", script)
    code = run_site(site)
    return code, (site.logs / "site.log").read_text()


def test_what_dies_is_started_again_and_all_end(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = site.folder / "again"
    dies = f"""
if not os.path.exists({str(again)!r}):
    open({str(again)!r}, "w").close()
    os.kill(os.getpid(), 9)
print("x" * 200_000, file=sys.stderr, flush=True)
while "web     begun" not in open(f"{site.logs}/site.log").read():
    pass
{END_ALL}{STAYS}"""
    code, log = runs(site, monkeypatch, play=dies)
    assert code == 0
    assert "play    was ended by signal 9; starts again in 0.0 s" in log
    assert sorted(line[21:29].strip() for line in log.splitlines() if line.endswith("ends")) == [
        *("play", "web", "work")
    ]
    assert log.count("x") >= 200_000
    assert max(map(len, log.splitlines())) < 70_000
    assert log.splitlines()[-1].endswith("site    ended")


def test_the_web_process_has_the_socket_which_outlasts_it(
    site: Site, port: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    answers = f"""
with socket.socket(fileno=int(sys.argv[3])) as listener:
    asking = socket.create_connection(("127.0.0.1", {port}))
    print('{{"path": "/"}}', file=sys.stderr)
    if not os.path.exists(SITE + ".again"):
        open(SITE + ".again", "w").close()
        os.kill(os.getpid(), 9)
    for _ in range(2):  # the first has waited since before the process was killed
        listener.accept()[0].close()
{END_ALL}{STAYS}"""
    code, log = runs(site, monkeypatch, web=answers)
    assert (code, '{"path": "/"}' in log) == (0, True)
    assert "path" not in capfd.readouterr().err


def test_mistakes_that_the_organiser_must_fix_end_the_site(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, log = runs(
        site, monkeypatch, work='print("no league\\x1b", file=sys.stderr)\nsys.exit(2)'
    )
    assert code == 2
    assert "work    no league\\x1b\n" in log
    assert "fix the error above" in log


def test_what_has_run_well_must_find_a_mistake_twice(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "_WELL_S", 0.0)
    starts = site.folder / "starts"
    script = f"""
with open({str(starts)!r}, "a") as file:
    file.write("x")
sys.exit(2)
"""

    def look(child: Any) -> bool:
        if starts.exists() and len(starts.read_text()) > 1:
            monkeypatch.setattr(runner, "_WELL_S", 1000.0)
        return looked(child)

    looked = runner._Child.look
    monkeypatch.setattr(runner._Child, "look", look)
    code, log = runs(site, monkeypatch, work=script)
    assert code == 2
    assert 3 <= len(starts.read_text()) <= 4
    assert log.count("work    ended with exit code 2; starts again") >= 2


def test_ctrl_c_ends_it_and_what_does_not_end_is_killed(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "END_PATIENCE_S", 0.1)
    deaf = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.kill(os.getppid(), signal.SIGINT)
while True:
    signal.pause()
"""
    code, log = runs(site, monkeypatch, web=deaf)
    assert code == 130
    assert "web     does not end, and is killed" in log


def test_what_hangs_is_killed_and_started_again(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runner, "HANGS_S", 1.0)
    beats = f"""
told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
told.connect("\\0" + os.environ["NOTIFY_SOCKET"][1:])
told.send(b"READY=1")
hangs = NAME == "work" and not os.path.exists(SITE + ".again")
ends = NAME == "work" and not hangs
if hangs:
    open(SITE + ".again", "w").close()
    os.kill(os.getpid(), signal.SIGSTOP)
if ends:
    {END_ALL}
while True:
    told.send(b"WATCHDOG=1")
    time.sleep(0.01)
"""
    code, log = runs(site, monkeypatch, web=beats, play=beats, work=beats)
    assert code == 0
    assert "work    runs" in log
    assert "work    hangs, and is killed" in log
    assert "web     hangs" not in log


def test_a_site_runs_once_and_says_which_process_has_it(
    site: Site, port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("END_PATIENCE_S", "HELD_S"):
        monkeypatch.setattr(site_process, name, 0.0)
    make_folders(site)
    with alone(site, "site"), pytest.raises(MachineError, match=f"as process {os.getpid()}; stop"):
        run_site(site)
    said = "Address already in use; end what listens there"
    with socket.create_server(("127.0.0.1", port)), pytest.raises(MachineError, match=said):
        run_site(site)


def test_a_socket_that_systemd_passed_is_taken_and_passed_to_nobody_else(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as given:
        passed = given.dup().detach()
        monkeypatch.setattr(site_process, "FIRST_PASSED", passed)
        for pid in (os.getppid(), os.getpid()):
            monkeypatch.setenv("LISTEN_PID", str(pid))
            monkeypatch.setenv("LISTEN_FDS", "1")
            with site_process.listen(site) as listener:
                assert (listener.fileno() == passed) == (pid == os.getpid())
                assert not listener.get_inheritable()
            assert not {"LISTEN_PID", "LISTEN_FDS"} & os.environ.keys()


# --- one process ---


def test_a_process_is_as_fresh_as_its_slowest_part(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_process, "_BEAT_S", 0.0)
    notified: list[str] = []
    make_folders(site)
    with alone(site, "play"):
        process = SiteProcess(site, "play")
        process.notify = notified.append
        now = [1000.0]
        monkeypatch.setattr("arena.site.process.time.monotonic", lambda: now[0])
        one, _ = SitePart(process, "league"), SitePart(process, "publisher")
        assert notified == ["WATCHDOG=1"] * 2
        now[0] += site_process.SILENT_S + 1
        one.beat("plays")
        state = read_states(site)["play"]
        assert (state.doing, state.pid) == ({"league": "plays", "publisher": "begins"}, os.getpid())
        assert silent(site, ["play", "work"], 5.0) == {"play": state.at, "work": 5.0}
        assert len(notified) == 3
        now[0] += site_process.HANGS_S
        one.beat("plays on")
        assert len(notified) == 3, "the other part hangs"


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")  # it stays open
def test_a_process_notifies_a_socket_of_systemds_kind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notifier()("WATCHDOG=1")  # to nobody
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as told:
        told.bind(str(tmp_path / "notify"))
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        notifier()("READY=1")
        assert told.recv(100) == b"READY=1"


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT, None])
def test_told_to_end_a_process_ends_without_an_error(
    site: Site, how: signal.Signals | None
) -> None:
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(writing)
        os.dup2(reading, 0)
        try:
            run_process(site, "work", lambda process: time.sleep(PATIENCE_S))
        finally:
            os._exit(0 if sys.exception() is None else 1)
    os.close(reading)
    until(lambda: site_process.holder(site_process.lock_path(site, "work")) == pid)
    with os.fdopen(writing, "w") as parent:
        if how is not None:
            os.kill(pid, how)
        else:
            parent.close()
        assert os.waitpid(pid, 0)[1] == 0


def test_a_process_that_is_stopped_falls_silent(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_process, "SILENT_S", 0.5)
    pid = os.fork()
    if pid == 0:
        make_folders(site)
        with alone(site, "work"):
            part = SitePart(SiteProcess(site, "work"), "work")
            while True:
                part.beat(f"at {time.monotonic()}")
                time.sleep(0.01)
    try:
        until(lambda: "work" in read_states(site))
        for number, is_silent in ((signal.SIGCONT, False), (signal.SIGSTOP, True)) * 2:
            os.kill(pid, number)
            until(lambda: bool(silent(site, ["work"], 0.0)) == is_silent)  # noqa: B023
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)


def test_folders_are_for_whom_the_sites_own_folder_is(site: Site) -> None:
    site.folder.mkdir()
    site.folder.chmod(0o2770)
    make_folders(site)
    folders = [each for each in site.folder.iterdir() if each.is_dir()]
    assert {each.stat().st_mode & 0o7777 for each in folders} == {0o2770}
