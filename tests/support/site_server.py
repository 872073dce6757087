"""A small site in the place of a real one: the registry behind the paths of `arena.site.api`."""

import gzip
import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http import HTTPStatus
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from arena.base.refusals import Missing, Refusal
from arena.site.api import (
    ChallengeOf,
    Code,
    Me,
    OwnMatch,
    Problem,
    Pulled,
    RequestMade,
    RequestSeen,
    Sent,
    Uploads,
    UploadSeen,
)
from arena.site.registry.accounts import Account, account_of, new_code
from arena.site.registry.file import Registry
from arena.site.registry.requests import (
    About,
    Challenge,
    OwnLog,
    Resume,
    SiteRequest,
    Withdraw,
    find_request,
    log_of,
    request,
)
from arena.site.registry.uploads import bots, left, new_upload, spool_file, upload, uploads


class SiteServer(http.server.ThreadingHTTPServer):
    """What it knows and what it does wrong on purpose."""

    daemon_threads = True

    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.registry = Registry.open(folder / "registry.db")
        self.folder = folder
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        self.matches: list[OwnMatch] = []
        self.broken = 0
        """So many connections break off before they are answered."""
        self.lost = 0
        """So many answers are lost once what was asked for is done."""
        self.instead: tuple[int, bytes] | None = None
        """A status and a body in the place of every answer."""
        self.asked: list[str] = []
        self.meanwhile: list[Iterator[None]] = []
        """What is done at the site while a client waits, a step each time that one does."""

    def go_on(self, _: float = 0.0) -> None:
        """In place of a client's sleep: all that is done meanwhile goes on by a step."""
        over = object()
        self.meanwhile = [each for each in self.meanwhile if next(each, over) is not over]


@contextmanager
def served(folder: Path) -> Iterator[SiteServer]:
    """A small site with a registry in a folder."""
    with SiteServer(folder) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
            assert not server.meanwhile, "somebody at the site waits still"
        finally:
            server.shutdown()
            thread.join()
            server.registry.close()


class _Handler(http.server.BaseHTTPRequestHandler):
    server: SiteServer

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""

    def do_GET(self) -> None:
        self._answer(b"")

    def do_POST(self) -> None:
        self._answer(self.rfile.read(int(self.headers["Content-Length"])))

    def _answer(self, body: bytes) -> None:
        site = self.server
        site.asked.append(f"{self.command} {self.path}")
        if site.broken:
            site.broken -= 1
            return
        try:
            if site.instead is not None:
                status, data = site.instead
            else:
                status, data = self._found(body)
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

    def _found(self, body: bytes) -> tuple[int, bytes]:
        token = self.headers["Authorization"].removeprefix("Bearer ")
        scope = "submit" if self.command == "POST" else "read"
        who = account_of(self.server.registry, token, scope)  # type: ignore[arg-type]
        if who is None:
            return HTTPStatus.UNAUTHORIZED, b""
        found = self._of(who, body)
        if isinstance(found, bytes):
            return HTTPStatus.OK, found
        cutting = isinstance(found, RequestMade) and self.path.endswith("/log")
        return HTTPStatus.ACCEPTED if cutting else HTTPStatus.OK, msgspec.json.encode(found)

    def _of(self, who: Account, body: bytes) -> object:
        registry = self.server.registry
        parts = urlsplit(self.path)
        query = {key: values[0] for key, values in parse_qs(parts.query).items()}
        match [unquote(each) for each in parts.path.removeprefix("/api/v1/").split("/")]:
            case ["me"]:
                return Me(who.name, tuple(bots(registry, who)), left(registry, who))
            case ["code"]:
                return Code(f"{self.server.address}/login/{new_code(registry, who)}")
            case ["bots"]:
                digest = sha256(body).hexdigest()
                assert self.headers["Idempotency-Key"] == digest
                (self.server.folder / spool_file(who, digest)).write_bytes(body)
                sent = new_upload(registry, who, digest, len(body), query.get("again") == "1")
                return Sent(*sent, left(registry, who))
            case ["uploads"]:
                return Uploads(tuple(uploads(registry, who)), left(registry, who))
            case ["uploads", id]:
                return UploadSeen(upload(registry, who, id), left(registry, who))
            case ["pull"]:
                known = [each for each in self.server.matches if each.number > int(query["after"])]
                newest = known[-int(query["most"]) :]
                return Pulled(tuple(newest), len(known) - len(newest), left(registry, who))
            case ["matches", number, "log"]:
                found, _ = request(registry, who, OwnLog(int(number)))
                if (log := log_of(registry, who, found.id)) is not None:
                    return gzip.decompress(log)
                return self._asked(who, found)
            case ["bots", bot, ("withdraw" | "resume") as what]:
                asked: About = Withdraw(bot) if what == "withdraw" else Resume(bot)
                return self._asked(who, request(registry, who, asked)[0])
            case ["challenges"]:
                told = msgspec.json.decode(body, type=ChallengeOf)
                key = self.headers["Idempotency-Key"]
                return self._asked(who, request(registry, who, Challenge(told.bots), key)[0])
            case ["requests", id]:
                return self._asked(who, find_request(registry, who, id))
        raise Missing("there is no such page")

    def _asked(self, who: Account, found: SiteRequest) -> RequestMade:
        seen = RequestSeen(found.id, found.state, found.answer)
        return RequestMade(seen, left(self.server.registry, who))
