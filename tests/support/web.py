"""A web process as a test starts it, and a browser or a program that asks it things."""

import http.client
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
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

SAME: dict[str, str] = {"Sec-Fetch-Site": "same-origin"}
"""What a browser says of a request by the site's own page."""

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
        """The token on the page."""
        return "zole_" + self.body.decode().partition("zole_")[2][:43]

    @property
    def session(self) -> str:
        """The session that its cookie begins."""
        return self.headers["set-cookie"].partition("=")[2].partition(";")[0]


class Asked(ABC):
    """The web process's answers, with its files as the others have them."""

    def __init__(self, site: Site, host: str) -> None:
        self.site, self.host = site, host
        self.registry = patient(Registry.open(site.registry, site.quotas))
        self.publisher = Publisher(site.published)

    @abstractmethod
    def _answer(
        self, method: str, path: str, body: bytes | None, headers: dict[str, str]
    ) -> Answer:
        """Send a request."""

    def ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        token: str | None = None,
        cookie: str | None = None,
    ) -> Answer:
        given = dict(headers or {})
        if token is not None:
            given["Authorization"] = f"Bearer {token}"
        if cookie is not None:
            given["Cookie"] = f"zole={cookie}"
        return self._answer(method, path, body, given)

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


class Handled(Asked):
    """Its handlers alone, called in this process, without a server and its sockets."""

    def __init__(self, site: Site, app: App) -> None:
        super().__init__(site, urlsplit(site.address).netloc)
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


class Served(Asked):
    """The process at its socket."""

    def __init__(self, site: Site, process: "subprocess.Popen[bytes]", port: int) -> None:
        super().__init__(site, f"127.0.0.1:{port}")
        self.process, self.port = process, port

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

    def end(self) -> int:
        """Tell it to end; its exit code."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_S)


def _written(
    folder: Path, quotas: Mapping[str, int] | None, keys: Mapping[str, str | float]
) -> Path:
    """The file of a site in a folder."""
    path = folder / "site.toml"
    given = {"league": "ladder.toml", "listen": "127.0.0.1:0", **keys}
    limits = {"requests_a_minute": 100_000, **(quotas or {})}
    lines = [f"{key} = {json.dumps(value)}" for key, value in given.items()]
    lines += ["[quotas]", *(f"{key} = {value}" for key, value in limits.items())]
    path.write_text("\n".join(lines) + "\n")
    return path


@contextmanager
def handled(
    folder: Path,
    quotas: Mapping[str, int] | None = None,
    log: list[Any] | None = None,
    **keys: str | float,
) -> Iterator[Handled]:
    """The handlers of a site in a folder, which look for news at each request."""
    site = read_site(_written(folder, quotas, {"listen": "127.0.0.1:8800", **keys}))
    make_folders(site)
    lines = [] if log is None else log
    web = Web(site, Registry.open(site.registry, site.quotas))
    with patch("arena.site.web.web.NEWS_S", 0.0), closing(web):
        found = Handled(site, App(web, all_routes(), lambda line: lines.append(json.loads(line))))
        with closing(found.registry), closing(found.publisher):
            yield found


# It looks for news at each request; else tests would wait for what they have published.
_AT_ONCE = """
import runpy
from arena.site.web import web
web.NEWS_S = 0.0
runpy.run_module("arena.site", run_name="__main__", alter_sys=True)
"""


def is_told(notices: socket.socket) -> bool:
    """Whether a process has notified a socket."""
    with suppress(BlockingIOError):
        return bool(notices.recv(100))
    return False


@contextmanager
def served(
    folder: Path,
    log: list[Any] | None = None,
    quotas: Mapping[str, int] | None = None,
    **keys: str | float,
) -> Iterator[Served]:
    """A web process of a site in a folder; its log is added to a list once it has ended."""
    path = _written(folder, quotas, keys)
    with (
        TemporaryFile() as said,
        socket.create_server(("127.0.0.1", 0)) as listener,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_NONBLOCK) as notices,
    ):
        number = listener.fileno()
        notices.bind("")  # the kernel chooses an abstract address
        address = f"@{notices.getsockname()[1:].decode()}"
        process = subprocess.Popen(
            [sys.executable, "-c", _AT_ONCE, "web", str(path), str(number)],
            stdin=subprocess.PIPE,  # it ends with this process
            stderr=said,
            pass_fds=(number,),
            env={**os.environ, "PYTHONPATH": PROJECT, "NOTIFY_SOCKET": address},
        )
        try:
            site = read_site(path)
            until(lambda: is_told(notices) or process.poll() is not None)
            if process.poll() is not None:
                said.seek(0)
                raise AssertionError(said.read().decode())
            found = Served(site, process, listener.getsockname()[1])
            with closing(found.registry), closing(found.publisher):
                yield found
        finally:
            process.terminate()
            with process:  # waits for its end, and closes the pipe
                process.wait(PATIENCE_S)
            said.seek(0)
            if log is not None:
                log += [json.loads(line) for line in said.read().splitlines()]
