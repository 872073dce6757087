"""The web process is killed and back at once, and no killed writer keeps its pages away."""

import http.client
import os
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from arena.site.published import Publisher
from tests.support.command import PROJECT, held_port
from tests.support.killed import die, killed
from tests.support.made_site import MadeSite
from tests.support.patience import PATIENCE_S, until
from tests.support.web import Served, served

HEAVY = (
    *("numpy", "rich", "trio", "dask", "markdown_it"),
    *("arena.stats", "arena.engine", "arena.tasks", "arena.review", "arena.match.re", "arena.zole"),
)
VALUES = {
    *("arena.stats", "arena.stats.figures", "arena.match.record"),
    *("arena.zole", *(f"arena.zole.{name}" for name in ("cards", "deal", "rules", "scoring"))),
    "arena.zole.state",
}
"""What documents are made of."""


def test_the_web_process_loads_nothing_that_takes_long() -> None:
    """It serves again within half a second of its end: `python -m benchmarks site` measures it."""
    code = "import arena.site.web.process, sys; print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    loaded = {name for name in done.stdout.split() if name.startswith(HEAVY)}
    assert loaded == VALUES


PASSED = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv(sys.executable, [sys.executable, "-m", "arena.site", "web", sys.argv[2]])
"""
"""Starts the web process as systemd does, with a socket that outlasts it."""


def test_requests_wait_at_the_socket_while_the_web_process_is_killed(tmp_path: Path) -> None:
    path = tmp_path / "site.toml"
    with held_port() as port:
        path.write_text(f'league = "ladder.toml"\nlisten = "127.0.0.1:{port}"\n')
        with socket.create_server(("127.0.0.1", port)) as listener:
            number = listener.fileno()

            def begin() -> "subprocess.Popen[bytes]":
                return subprocess.Popen(
                    [sys.executable, "-c", PASSED, str(number), str(path)],
                    stdin=subprocess.PIPE,
                    stderr=subprocess.DEVNULL,
                    pass_fds=(number,),
                    env={**os.environ, "PYTHONPATH": PROJECT},
                )

            asking = [http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)]
            asking[0].request("GET", "/start")  # before anything serves
            for turn in range(3):
                with begin() as web:
                    assert asking[-1].getresponse().read()
                    web.kill()
                asking[-1].close()
                if turn < 2:
                    asking.append(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S))
                    asking[-1].request("GET", "/start")  # while nothing serves


def killed_inside(path: Path, statement: str) -> None:
    """Have a process write more than SQLite keeps in memory, and kill it before it commits."""

    def write() -> None:
        sql = sqlite3.connect(path, isolation_level=None)
        sql.execute("PRAGMA cache_size = 1")
        sql.execute("BEGIN IMMEDIATE")
        for number in range(200):
            sql.execute(statement, (f"{number}", "x" * 10_000))
        die()

    killed(write)


@pytest.fixture(name="web", scope="module")
def _web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("web")) as web:
        made = MadeSite()
        web.publish(league=made.league(), proof=made.proof(), standings=made.standings())
        yield web


def test_pages_come_back_after_the_publisher_was_killed_inside_a_transaction(web: Served) -> None:
    path = web.site.published
    known = web.get("/ledger").body
    size = path.stat().st_size
    statement = "INSERT INTO documents VALUES (?, CAST(? AS BLOB))"
    killed_inside(path, statement)
    assert path.with_name(f"{path.name}-journal").stat().st_size > 0, "it is hot"
    assert path.stat().st_size > size, "a part was written"
    assert web.get("/rules.json").status == 503, "who may only read cannot roll it back"
    with closing(Publisher(path)):  # as `play` opens it when it is started again
        assert web.get("/standings.json").status == 200
        assert web.get("/ledger").body == known
    until(lambda: web.get("/health").json["ok"] is True, 0.2)


def test_accounts_are_there_after_a_process_was_killed_inside_a_transaction(web: Served) -> None:
    who = web.comes_in("Anna")
    killed_inside(web.site.registry, "INSERT INTO facts VALUES (?, ?)")
    assert web.get("/api/v1/me", token=who.token).json["name"] == "Anna"
    assert web.comes_in("Berta").account.name == "Berta"
    with web.registry.reading() as sql:
        assert sql.execute("SELECT count(*) FROM facts WHERE key = '1'").fetchone() == (0,)
