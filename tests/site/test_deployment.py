"""A site as its documentation sets it up: units of systemd, a socket that outlasts, and nginx.

The web process is killed and back at once, and no killed writer keeps its pages away.
"""

import http.client
import os
import re
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from arena.site.config import PROCESSES
from arena.site.published import Published, Publisher
from tests.support.command import PROJECT, held_port
from tests.support.guest_site import listens
from tests.support.killed import die, killed
from tests.support.made_site import MADE, PUBLISHED
from tests.support.needs import need
from tests.support.patience import PATIENCE_S, until
from tests.support.web import Served, served

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

    killed(write)


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
