"""The processes of a site: as `arena serve` starts and ends them, and as its documentation does.

What dies or hangs is started again, all ends with it, and a site runs once. Units of systemd run
the same processes behind a socket that outlasts them, and nginx.
"""

import http.client
import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.base.errors import MachineError
from arena.site import process, runner
from arena.site.config import PROCESSES, Site, make_folders, read_site
from arena.site.published import Published, Publisher
from tests.support.command import PROJECT, held_port
from tests.support.guest_site import listens
from tests.support.killed import die
from tests.support.killed import killed as killed_once
from tests.support.made_site import MADE, PUBLISHED
from tests.support.needs import need
from tests.support.patience import PATIENCE_S, until
from tests.support.registry import killed
from tests.support.web import Served, served

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


# --- as the documentation sets it up ---


EXAMPLES = Path(PROJECT, "examples/site")


def test_units_run_the_same_processes_and_watch_them() -> None:
    units = {path.stem: path.read_text() for path in EXAMPLES.glob("zole-*.service")}
    assert "arena serve backup" in units.pop("zole-backup")
    assert units.keys() == {f"zole-{name}" for name in PROCESSES}
    for unit, text in units.items():
        assert f"-m arena.site {unit.removeprefix('zole-')} /srv/zole/site.toml\n" in text
        assert "Type=notify\nWatchdogSec=" in text
        assert "RestartPreventExitStatus=2\n" in text, "mistakes in a file end it for good"
    assert "ladder.db" in units["zole-work"].partition("InaccessiblePaths=")[2]


# --- the web process by itself ---


HEAVY = (
    *("numpy", "rich", "trio", "dask", "markdown_it"),
    *("arena.stats", "arena.engine", "arena.tasks", "arena.review", "arena.match.re", "arena.zole"),
)
# What documents are made of.
VALUES = {
    *("arena.stats", "arena.stats.figures", "arena.match.record"),
    *("arena.zole", *(f"arena.zole.{name}" for name in ("cards", "deal", "rules", "scoring"))),
    "arena.zole.state",
}


def test_the_web_process_loads_nothing_that_takes_long() -> None:
    """It serves again within half a second of its end: `python -m benchmarks site` measures it."""
    code = "import arena.site.web.process, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    loaded = {name for name in done.stdout.split() if name.startswith(HEAVY)}
    assert loaded == VALUES


# Starts the web process as systemd does, with a socket that outlasts it.
PASSED = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv(sys.executable, [sys.executable, "-m", "arena.site", "web", sys.argv[2]])
"""


def test_requests_wait_at_the_socket_while_the_web_process_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    with held_port() as port, socket.create_server(("127.0.0.1", port)) as listener:
        path.write_text(f'league = "ladder.toml"\nlisten = "127.0.0.1:{port}"\n')
        for _ in range(3):
            asking = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
            asking.request("GET", "/start")  # while nothing serves, not yet or not again
            with (
                closing(asking),
                subprocess.Popen(
                    [sys.executable, "-c", PASSED, str(listener.fileno()), str(path)],
                    stdin=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    pass_fds=(listener.fileno(),),
                    env={**os.environ, "PYTHONPATH": PROJECT},
                ) as web,
            ):
                assert asking.getresponse().read()
                web.kill()


def killed_inside(path: Path, statement: str) -> None:
    """Have a process write more than SQLite keeps in memory, and kill it before it commits."""

    def write() -> None:
        sql = sqlite3.connect(path, isolation_level=None)
        sql.execute("PRAGMA cache_size = 1")
        sql.execute("BEGIN IMMEDIATE")
        sql.executemany(statement, [(f"{number}", b"x" * 10_000) for number in range(200)])
        die()

    killed_once(write)


def test_pages_come_back_after_the_publisher_was_killed_inside_a_transaction(web: Served) -> None:
    web.publish(**PUBLISHED)
    path = web.site.published
    known = web.get("/ledger").body
    size = path.stat().st_size
    killed_inside(path, "INSERT INTO documents VALUES (?, ?)")
    assert path.with_name(f"{path.name}-journal").stat().st_size > 0, "it is hot"
    assert path.stat().st_size > size, "a part was written"
    assert web.get("/rules.json").status == 503, "who may only read cannot roll it back"
    with closing(Publisher(path)), closing(Published(path)) as found:  # as `play` opens it again
        assert web.get("/standings.json").status == 200
        assert web.get("/ledger").body == known
        assert found.document("0") is None
    until(lambda: web.get("/health").json["ok"] is True, 0.2)


def test_accounts_are_there_after_a_process_was_killed_inside_a_transaction(web: Served) -> None:
    who = web.comes_in("Anna")
    killed_inside(web.site.registry, "INSERT INTO facts VALUES (?, CAST(? AS TEXT))")
    assert web.get("/api/v1/me", token=who.token).json["name"] == "Anna"
    assert web.comes_in("Berta").account.name == "Berta"
    with web.registry.reading() as sql:
        assert sql.execute("SELECT count(*) FROM facts WHERE key = '1'").fetchone() == (0,)


# --- behind nginx ---


@contextmanager
def behind_nginx(folder: Path, log: list[Any]) -> Iterator[Served]:
    """A site that is asked through nginx, with all that it publishes."""
    need("nginx")
    with held_port() as port, held_port() as behind:  # nginx listens only where nobody holds it
        pass
    address, listen = f"http://127.0.0.1:{port}", f"127.0.0.1:{behind}"
    with served(folder, log, address=address, listen=listen, trusted_proxy="127.0.0.1") as site:
        site.publish(**PUBLISHED)
        text = re.sub(r"\tssl_.*\n", "", (EXAMPLES / "nginx-zole.conf").read_text(encoding="utf-8"))
        for theirs, ours in (
            ("443 ssl http2", f"127.0.0.1:{port}"),
            ("127.0.0.1:8800", site.host),
            ("/var/cache/nginx/zole", f"{folder}/cache"),
            ("/var/log/nginx/zole.log", f"{folder}/access"),
        ):
            assert theirs in text
            text = text.replace(theirs, ours)
        kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        places = "".join(f"{kind}_temp_path {folder}/{kind};" for kind in kinds)
        user = "user root;" if os.geteuid() == 0 else ""
        (folder / "nginx.conf").write_text(
            f"{user} daemon off; pid {folder}/pid; error_log {folder}/error;"
            f" events {{}} http {{ {places} {text} }}"
        )
        words = ["nginx", "-c", str(folder / "nginx.conf"), "-e", str(folder / "error")]
        with subprocess.Popen(words) as nginx:
            try:
                until(lambda: listens(port))
                site.port, site.host = port, f"127.0.0.1:{port}"
                yield site
                site.port = behind
            finally:
                nginx.terminate()


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with behind_nginx(tmp_path_factory.mktemp("proxied"), []) as site:
        yield site


@pytest.mark.slow
def test_the_proxy_asks_the_site_once_for_what_is_the_same_for_many(tmp_path: Path) -> None:
    log: list[Any] = []
    readers = [{"Accept-Encoding": "gzip"}, {}, {"Cookie": "zole=x; language=lv"}] * 16
    with behind_nginx(tmp_path, log) as site, ThreadPoolExecutor(16) as many:
        pages = [*many.map(lambda reader: site.get("/", headers=reader), readers)]
        assert {each.status for each in pages} == {200}
        assert len({each.headers["etag"] for each in pages}) == 3
        assert [b'lang="lv"' in each for each in {each.body for each in pages[2::3]}] == [True]
        known = {"If-None-Match": pages[1].headers["etag"]}
        assert {site.get("/", headers=known).status for _ in range(16)} == {304}
        site.publish(now=msgspec.structs.replace(MADE.tables(), now=()))
        until(lambda: b"No table is playing" in site.get("/").body)
    asked = [each for each in log if each.get("path") == "/" and each["status"] == 200]
    assert len(asked) == 3 + 1, "plain, packed, in Latvian; and plain again once it changed"


TRICKS: list[dict[str, str]] = [
    {"Cookie": "LANGUAGE=; language=lv"},
    {"Cookie": "language=en; language=lv"},
    {"Cookie": "language=; language=lv"},
    {"Cookie": "x=language=en; language=lv"},
    {"Accept-Language": "lv"},
    {"Accept-Language": "lv "},
    {"Accept-Language": "lv, language=en"},
]
OTHERS: list[dict[str, str]] = [
    {},
    {"Cookie": "language=en"},
    {"Accept-Language": "en", "Cookie": "language=en"},
]


@pytest.mark.slow
def test_nobody_chooses_the_language_of_others(proxied: Served) -> None:
    for path, trick in product(("/", "/matches", "/start"), TRICKS):
        proxied.get(path, headers=trick)
        for other in OTHERS:
            page = proxied.get(path, headers=other).body
            assert b'<html lang="en"' in page, (path, trick, other)
    assert b'<html lang="lv"' in proxied.get("/", headers={"Accept-Language": "lv"}).body


@pytest.mark.slow
def test_what_is_somebodys_own_and_what_comes_later_pass_the_proxy(proxied: Served) -> None:
    people = [proxied.comes_in(name) for name in ("Anna", "Bert")] * 2
    for who in people:
        page = proxied.get("/me", cookie=who.session)
        assert page.headers["x-cache"] == "MISS"
        assert f"<h1><bdi>{who.account.name}</bdi>".encode() in page.body
    assert proxied.get("/me").status == 401
    chosen = [proxied.get("/?lang=lv").headers for _ in range(2)]
    assert [each["x-cache"] for each in chosen] == ["MISS", "MISS"]
    assert "set-cookie" in chosen[0]
    archive = os.urandom(2 << 20)
    sent = proxied.ask("POST", "/api/v1/bots", archive, token=people[0].token)
    assert (sent.status, sent.json["state"]) == (202, "waiting")


@pytest.mark.slow
def test_the_proxys_log_has_no_codes_and_no_keys(proxied: Served) -> None:
    code, key, log = "c0de" * 11, "s3at" * 6, proxied.site.path.with_name("access")
    referer = {"Referer": f"http://{proxied.host}/join/{code}"}
    for path in (f"/join/{code}", f"/login/{code}?x={code}", f"/tables/{key}/", "/last"):
        proxied.get(path, headers=referer)
    until(lambda: '"GET /last"' in log.read_text(encoding="utf-8"))
    said = log.read_text(encoding="utf-8")
    assert [each in said for each in ('"GET /join/-"', code, key)] == [True, False, False]
