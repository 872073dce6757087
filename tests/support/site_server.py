"""A small site in the place of a real one: the registry behind the paths of `arena.site.api`."""

import gzip
import http.server
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from arena.base.refusals import Missing, Refusal, Unknown
from arena.site.api import Code, Me, Problem
from arena.site.registry import Registry
from arena.site.registry.accounts import accept, account_of, invite, new_code
from arena.site.registry.bots import bots, quotas
from arena.site.registry.jobs import (
    Archive,
    SiteRequest,
    ask_for,
    find_job,
    jobs,
    log_of,
    spool_file,
)


class SiteServer(http.server.ThreadingHTTPServer):
    """What it knows and what it does wrong on purpose."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.registry = Registry.open(folder / "registry.db")
        self.folder = folder
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        self.broken = 0  # so many connections break off before they are answered
        self.lost = 0  # so many answers are lost once what was asked for is done
        self.instead: tuple[int, bytes] | None = None  # in the place of every answer
        self.asked: list[str] = []
        # what is done at the site while a client waits, a step each time that one does
        self.meanwhile: list[Iterator[None]] = []

    def comes_in(self, name: str) -> str:
        """The token of somebody who was invited and came, whose account is kept as `anna`."""
        came = accept(self.registry, invite(self.registry, name))
        self.anna = came.account
        return came.token

    def go_on(self, _: float = 0.0) -> None:
        """In place of a client's sleep: all that is done meanwhile goes on by a step."""
        over = object()
        self.meanwhile = [each for each in self.meanwhile if next(each, over) is not over]


@contextmanager
def served(folder: Path) -> Iterator[SiteServer]:
    """A small site with a registry in a folder."""
    with SiteServer(folder) as server, closing(server.registry):
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
            assert not server.meanwhile, "somebody at the site waits still"
        finally:
            server.shutdown()
            thread.join()


class _Handler(http.server.BaseHTTPRequestHandler):
    server: SiteServer

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""

    def do_POST(self) -> None:
        site, body = self.server, self.rfile.read(int(self.headers["Content-Length"] or 0))
        site.asked.append(f"{self.command} {self.path}")
        if site.broken:
            site.broken -= 1
            return
        try:
            status, data = site.instead or (HTTPStatus.OK, self._found(body))
        except Refusal as refusal:
            status = refusal.status
            data = msgspec.json.encode(Problem(refusal.what, refusal.remedy, refusal.wait_s))
        if site.lost:
            site.lost -= 1
            return
        self.send_response(status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST  # noqa: N815 - as the base class calls them

    def _found(self, body: bytes) -> bytes:
        registry, parts = self.server.registry, urlsplit(self.path)
        who = account_of(registry, self.headers["Authorization"].removeprefix("Bearer "))
        if who is None:
            raise Unknown("")
        found: object
        match [unquote(each) for each in parts.path.removeprefix("/api/v1/").split("/")]:
            case ["me"]:
                own, asked = tuple(bots(registry, who)), tuple(jobs(registry, who))
                found = Me(who.name, own, asked, quotas(registry, who))
            case ["code"]:
                found = Code(f"{self.server.address}/login/{new_code(registry, who)}")
            case ["bots"]:
                digest = sha256(body).hexdigest()
                (self.server.folder / spool_file(who, digest)).write_bytes(body)
                again = parse_qs(parts.query).get("again") == ["1"]
                found = ask_for(registry, who, Archive(digest), again)[0]
            case ["jobs"]:
                found = ask_for(registry, who, msgspec.json.decode(body, type=SiteRequest))[0]
            case ["jobs", id]:
                found = find_job(registry, who, id)
            case ["jobs", id, "log"]:
                return gzip.decompress(log_of(registry, who, id))
            case _:
                raise Missing("there is no such page")
        return msgspec.json.encode(found)
