"""A site's processes: started again when they die, ended in order, alone under their names."""

import errno
import os
import signal
import sys
import time
from functools import partial
from inspect import signature
from pathlib import Path
from pkgutil import resolve_name

import msgspec
import pytest

from arena.base.errors import MachineError
from arena.site import life as life_module
from arena.site import supervisor
from arena.site.config import GuestLimits, Site, read_site
from arena.site.life import Life, living, read_states, silent
from arena.site.logs import SaidLine, spoken
from arena.site.processes import PROCESSES, make_folders, names_of
from arena.site.supervisor import Start, supervise
from tests.support.patience import PATIENCE_S, until


@pytest.fixture(name="site")
def _site(tmp_path: Path) -> Site:
    (tmp_path / "site.toml").write_text('league = "ladder.toml"\n')
    site = read_site(tmp_path / "site.toml")
    make_folders(site)
    return site


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "END_PATIENCE_S", PATIENCE_S)
    monkeypatch.setattr(supervisor, "LAST_LINES_S", PATIENCE_S)


def script(name: str, text: str) -> Start:
    return Start(name, (sys.executable, "-I", "-S", "-c", f"import os, sys, signal\n{text}"))


STAYS = """
def end(*_):
    print(NAME, "ends", file=sys.stderr, flush=True)
    sys.exit()
signal.signal(signal.SIGTERM, end)
print(NAME, "runs", file=sys.stderr, flush=True)
"""


def stays(name: str, more: str = "") -> Start:
    return script(name, f"NAME = {name!r}\n{STAYS}\n{more}\nsys.stdin.read()")


def logged(site: Site) -> list[SaidLine]:
    lines = (site.logs / "site.log").read_bytes().splitlines()
    return [msgspec.json.decode(line, type=SaidLine) for line in lines]


def told(site: Site) -> list[str]:
    """What the log has, each line as the terminal shows it."""
    return [
        each.said if each.process == "site" else f"{each.process:<9} {each.said}"
        for each in logged(site)
    ]


def test_what_dies_is_started_again_and_all_end_in_their_order(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    again, log = site.folder / "again", site.logs / "site.log"
    dies = f"""
if not os.path.exists({str(again)!r}):
    open({str(again)!r}, "w").close()
    os.kill(os.getpid(), 9)
while '"one","said":"runs"' not in open({str(log)!r}).read():
    pass
os.kill(os.getppid(), signal.SIGTERM)
"""
    starts = [stays("one"), stays("two", dies)]
    assert supervise(site, starts, "site") == 0
    said = told(site)
    assert any(line.startswith("two       was ended by signal 9") for line in said)
    assert [line for line in said if line.endswith("ends")] == ["one       ends", "two       ends"]
    assert said[-1] == "ended"


def test_a_mistake_that_the_organiser_must_mend_ends_the_site(site: Site) -> None:
    starts = [stays("one"), script("two", 'print("no such league", file=sys.stderr)\nsys.exit(2)')]
    assert supervise(site, starts, "site") == 2
    assert "two       no such league" in told(site)
    levels = {each.said: each.level for each in logged(site)}
    assert (levels["runs"], levels["no such league"]) == ("info", "error")
    assert not any("again" in line for line in told(site))


def test_what_does_not_end_is_killed(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supervisor, "END_PATIENCE_S", 0.1)
    deaf = """
signal.signal(signal.SIGTERM, signal.SIG_IGN)
os.kill(os.getppid(), signal.SIGINT)
while True:
    signal.pause()
"""
    assert supervise(site, [script("one", deaf)], "site") == 130
    assert "one       does not end, and is killed" in told(site)


def test_a_line_of_the_log_of_requests_is_kept_apart(site: Site) -> None:
    text = """
print('{"path": "/"}', file=sys.stderr, flush=True)
os.kill(os.getppid(), signal.SIGTERM)
sys.stdin.read()
"""
    supervise(site, [script("web", text)], "site")
    assert (site.logs / "requests.log").read_text() == '{"path": "/"}\n'
    assert not any("path" in line for line in told(site))


def test_what_wants_to_be_looked_at_is_a_warning(site: Site) -> None:
    said = spoken("one", "disk full\x1b[2J", warning=True)
    text = f"""
print({said!r}, file=sys.stderr, flush=True)
os.kill(os.getppid(), signal.SIGTERM)
sys.stdin.read()
"""
    supervise(site, [script("one", text)], "site")
    [line] = [each for each in logged(site) if each.process == "one"]
    assert (line.level, line.said) == ("warning", "disk full\\x1b[2J")


def test_a_line_without_an_end_is_told_in_pieces(site: Site) -> None:
    text = """
print("x" * 200_000, file=sys.stderr, flush=True)
os.kill(os.getppid(), signal.SIGTERM)
sys.stdin.read()
"""
    supervise(site, [script("one", text)], "site")
    pieces = [line for line in told(site) if "xxx" in line]
    assert sum(line.count("x") for line in pieces) == 200_000
    assert max(map(len, pieces)) < 70_000


def test_a_process_is_alone_under_its_name_and_leaves_what_it_did(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(life_module, "END_PATIENCE_S", 0.0)
    with living(site, "clerk", watched=False) as life:
        life.beat("answers requests")
        assert read_states(site)["clerk"].doing == "answers requests"
        assert read_states(site)["clerk"].pid == os.getpid()
        with (
            pytest.raises(MachineError, match="running already"),
            living(site, "clerk", watched=False),
        ):
            pass
    assert read_states(site)["clerk"].ended


def test_told_to_end_a_process_ends_without_an_error(site: Site) -> None:
    with living(site, "clerk", watched=False):
        signal.raise_signal(signal.SIGTERM)
        time.sleep(1)  # the interpreter raises a little later
        pytest.fail("it goes on")


def test_in_the_background_of_a_shell_it_ends_too(site: Site) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with living(site, "clerk", watched=False):
            signal.raise_signal(signal.SIGTERM)
            pytest.fail("it goes on")
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_part_of_a_site_has_its_processes_alone(site: Site) -> None:
    assert names_of(site, None) == ["web", *PROCESSES]
    assert set(names_of(site, "player")) == set(PROCESSES) - {"intake", "tables"}
    without = msgspec.structs.replace(site, guests=GuestLimits(tables=0))
    assert set(PROCESSES) - set(names_of(without, None)) == {"tables"}
    for function in PROCESSES.values():
        assert [*signature(resolve_name(function)).parameters] == ["site", "life"]


def test_folders_are_for_whom_the_sites_own_folder_is(tmp_path: Path) -> None:
    (tmp_path / "site.toml").write_text('league = "ladder.toml"\n')
    site = read_site(tmp_path / "site.toml")
    site.folder.mkdir()
    site.folder.chmod(0o2770)
    make_folders(site)
    assert {each.stat().st_mode & 0o7777 for each in site.folder.iterdir()} == {0o2770}


def test_a_process_that_is_stopped_falls_silent(site: Site) -> None:
    pid = os.fork()
    if pid == 0:
        with living(site, "clerk", watched=False) as life:
            while True:
                life.beat(f"at {time.monotonic()}")
                time.sleep(0.01)
    try:
        until(lambda: "clerk" in read_states(site))
        assert not silent(site, ["clerk"], 0.0, PATIENCE_S)
        os.kill(pid, signal.SIGSTOP)
        os.waitpid(pid, os.WUNTRACED)
        at = read_states(site)["clerk"].at
        assert silent(site, ["clerk"], 0.0, 0.0) == {"clerk": at}
        assert silent(site, ["clerk"], 0.0, time.time() - at) == {"clerk": at}
        os.kill(pid, signal.SIGCONT)
        until(lambda: not silent(site, ["clerk"], 0.0, time.time() - at))
    finally:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    assert silent(site, ["clerk", "intake"], 5.0, 0.0).keys() == {"clerk", "intake"}


def test_the_organiser_is_told_of_who_falls_silent_and_goes_on(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "_ASK_S", 0.0)
    monkeypatch.setattr(supervisor, "silent", partial(silent, after_s=0.0))
    begins = f"""
import pathlib, time
log = pathlib.Path({str(site.logs / "site.log")!r})
while '"two","said":"has said nothing' not in log.read_text():
    time.sleep(0.01)
pathlib.Path({str(site.state / "two.json")!r}).write_text(
    '{{"name": "two", "pid": 1, "begun": 1, "at": 1e12, "doing": ""}}'
)
while '"two","said":"goes on"' not in log.read_text():
    time.sleep(0.01)
os.kill(os.getppid(), signal.SIGTERM)
"""
    assert supervise(site, [stays("two", begins)], "site") == 0


def test_a_process_that_hangs_is_killed_and_started_again(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "_ASK_S", 0.05)
    monkeypatch.setattr(supervisor, "HANGS", 3)
    again = site.folder / "again"
    stops = f"""
if not os.path.exists({str(again)!r}):
    open({str(again)!r}, "w").close()
    os.kill(os.getpid(), 19)
os.kill(os.getppid(), signal.SIGTERM)
"""
    assert supervise(site, [stays("one", stops)], "site") == 0
    said = told(site)
    assert "one       hangs, and is killed" in said
    assert any(line.startswith("one       was ended by signal 9") for line in said)


def test_a_process_that_works_does_not_hang_though_it_says_nothing(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(supervisor, "_ASK_S", 0.0)
    monkeypatch.setattr(supervisor, "_TICK_S", 0.0)
    monkeypatch.setattr(supervisor, "HANGS", 2)
    asked = []

    def spent(pid: int) -> str:
        asked.append(pid)
        if len(asked) == 20:
            signal.raise_signal(signal.SIGTERM)
        return str(len(asked))

    monkeypatch.setattr(supervisor, "_spent", spent)
    assert supervise(site, [stays("one")], "site") == 0
    assert not any("hangs" in line for line in told(site))


def test_that_a_process_goes_on_is_heard_and_not_told(site: Site) -> None:
    beats = 'print("\\n\\nserves", flush=True)\nos.kill(os.getppid(), signal.SIGTERM)'
    assert supervise(site, [stays("one", beats)], "site") == 0
    assert "one       serves" in told(site)
    assert not any(line.strip() == "one" for line in told(site))


def test_on_a_full_disk_a_process_is_heard_of_all_the_same(
    site: Site, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    with living(site, "clerk", watched=False) as life:
        life.beat("answers a rather long request")

    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(life_module, "write_whole", full)
    Life(site, "clerk", watched=True).beat("rests")
    found = read_states(site)["clerk"]
    assert (found.doing, found.ended) == ("rests", False)
    assert capfd.readouterr().out == "\n"
