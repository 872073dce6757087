"""A web process as a test starts it, or its handlers alone, and somebody who asks it things."""

import http.client
import json
import os
import select
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager
from math import inf
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final
from unittest.mock import patch
from urllib.parse import urlsplit

import msgspec
from starlette.testclient import TestClient

from arena.site.config import Site, make_folders, read_site
from arena.site.published import Publisher
from arena.site.registry import Registry
from arena.site.registry.accounts import Accepted, accept, invite
from arena.site.web.app import App
from arena.site.web.public import all_routes
from arena.site.web.web import Web
from tests.support.command import PROJECT
from tests.support.patience import PATIENCE_S, until
from tests.support.registry import patient

# What a browser says of a request by the site's own page.
SAME: dict[str, str] = {"Sec-Fetch-Site": "same-origin"}

FORM: Final = {**SAME, "Content-Type": "application/x-www-form-urlencoded"}
JSON: Final = {"Content-Type": "application/json"}


class Answer(msgspec.Struct, frozen=True):
    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def token(self) -> str:
        return "zole_" + self.body.decode().partition("zole_")[2][:43]

    @property
    def session(self) -> str:
        return self.headers["set-cookie"].partition("=")[2].partition(";")[0]


class Handled(ExitStack):
    """A site's handlers in this process, without a server, and its files as others have them."""

    def __init__(self, site: Site, app: Callable[..., Any] | None = None) -> None:
        super().__init__()
        self.site, self.host = site, urlsplit(site.address).netloc
        self.registry = patient(Registry.open(site.registry, site.quotas))
        self.callback(self.registry.close)
        self.publisher = self.enter_context(closing(Publisher(site.published)))
        if app is not None:
            self._client = TestClient(
                app,
                site.address,
                raise_server_exceptions=False,
                follow_redirects=False,
                client=("127.0.0.1", 1),
            )
            self._client.headers.clear()

    def _answer(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> Answer:
        with self._client.stream(method, path, content=body, headers=headers) as answer:
            raw = b"".join(answer.iter_raw())
        self._client.cookies.clear()
        return Answer(answer.status_code, dict(answer.headers), raw)

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        token: str | None = None,
        cookie: str | None = None,
    ) -> Answer:
        given = {
            **({} if token is None else {"Authorization": f"Bearer {token}"}),
            **({} if cookie is None else {"Cookie": f"zole={cookie}"}),
        }
        return self._answer(method, path, body, {**(headers or {}), **given})

    def get(self, path: str, **more: Any) -> Answer:
        return self.ask("GET", path, **more)

    def comes_in(self, name: str) -> Accepted:
        """Somebody new with a token and a session."""
        return accept(self.registry, invite(self.registry, name))

    def publish(self, **documents: object) -> None:
        for name, value in documents.items():
            self.publisher.put(name, value)
        self.publisher.publish()

    def unpublish(self) -> None:
        with closing(sqlite3.connect(self.site.published, isolation_level=None)) as sql:
            sql.executescript("DELETE FROM documents; DELETE FROM rows")


class Served(Handled):
    def __init__(self, site: Site, process: "subprocess.Popen[bytes]", port: int) -> None:
        super().__init__(site)
        self.process, self.port, self.host = process, port, f"127.0.0.1:{port}"

    def _answer(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> Answer:
        with closing(http.client.HTTPConnection(self.host, timeout=PATIENCE_S)) as connection:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            found = {name.lower(): value for name, value in answer.getheaders()}
            return Answer(answer.status, found, answer.read())

    def connect(self, text: str = "") -> socket.socket:
        """A connection over which something was said already."""
        found = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S)
        found.sendall(text.replace("HOST", self.host).encode())
        return found


def _written(folder: Path, quotas: Mapping[str, int] | None, **keys: str | float) -> Path:
    limits = {"requests_a_minute": 100_000, **(quotas or {})}
    lines = ['league = "ladder.toml"', *(f"{it} = {json.dumps(keys[it])}" for it in keys)]
    lines += ["[quotas]", *(f"{key} = {value}" for key, value in limits.items())]
    (folder / "site.toml").write_text("\n".join(lines))
    return folder / "site.toml"


@contextmanager
def handled(
    folder: Path,
    quotas: Mapping[str, int] | None = None,
    log: list[Any] | None = None,
    **keys: str | float,
) -> Iterator[Handled]:
    """The handlers of a site in a folder, which look for news at each request."""
    site = read_site(_written(folder, quotas, **{"listen": "127.0.0.1:8800", **keys}))
    make_folders(site)
    lines = [] if log is None else log
    web = Web(site, Registry.open(site.registry, site.quotas))
    web.looked_at = inf  # nobody watches its files: however long a test takes, they count as read
    app = App(web, all_routes(), lambda line: lines.append(json.loads(line)))
    with patch("arena.site.web.web.NEWS_S", 0.0), closing(web), Handled(site, app) as found:
        yield found


# It looks for news at each request; else tests would wait for what they have published.
_AT_ONCE = """
import runpy
from arena.site.web import web
web.NEWS_S = 0.0
runpy.run_module("arena.site", run_name="__main__", alter_sys=True)
"""


@contextmanager
def served(
    folder: Path,
    log: list[Any] | None = None,
    quotas: Mapping[str, int] | None = None,
    **keys: str | float,
) -> Iterator[Served]:
    """A web process of a site in a folder; its log is added to a list once it has ended."""
    path = _written(folder, quotas, **{"listen": "127.0.0.1:0", **keys})
    with (
        TemporaryFile() as said,
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices,
    ):
        notices.bind("")  # the kernel chooses an abstract address
        number, address = listener.fileno(), f"@{notices.getsockname()[1:].decode()}"
        process = subprocess.Popen(
            [sys.executable, "-c", _AT_ONCE, "web", str(path), str(number)],
            stdin=subprocess.PIPE,  # it ends with this process
            stderr=said,
            pass_fds=(number,),
            env={**os.environ, "PYTHONPATH": PROJECT, "NOTIFY_SOCKET": address},
        )
        try:
            until(lambda: any(select.select([notices], [], [], 0.05)) or process.poll() is not None)
            said.seek(0)
            assert process.poll() is None, said.read().decode()
            with Served(read_site(path), process, listener.getsockname()[1]) as found:
                yield found
        finally:
            process.terminate()
            with process:  # waits for its end, and closes the pipe
                process.wait(PATIENCE_S)
            said.seek(0)
            if log is not None:
                log += map(json.loads, said.read().splitlines())
