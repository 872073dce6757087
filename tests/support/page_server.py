"""The pages of a made site on a port of this machine, under their policy."""

import http.server
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from http import HTTPStatus
from urllib.parse import urlsplit

from arena.reports.language import ENGLISH
from arena.site.documents.play import MatchesDocument
from arena.site.pages.drawing import Drawing
from arena.site.pages.files import POLICY, static_files
from arena.site.registry.invitations import Invitation
from tests.support.made_site import NOW, MadeSite

REPLAY = "<!doctype html><html lang=en><title>replay</title><p>A replay"


class PageServer(http.server.ThreadingHTTPServer):
    """What it shows may be changed; `reports` are those of the policy that came."""

    daemon_threads = True

    def __init__(self, made: MadeSite, title: str, language: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        self.files = {each.address: each for each in static_files().values()}
        self.reports: list[bytes] = []
        self.posted: list[tuple[str, bytes]] = []
        self.asked: list[str] = []
        self.upload = made.upload("checking")
        self.replay = REPLAY
        self.silent = False
        """Whether pages are refused."""
        pages = Drawing(title, self.address, language)
        self.shown = drawn_pages(made, pages) | {
            "/me/uploads/u5cXy": lambda: pages.upload(None, self.upload, made.left()),
            "/matches/1/replay": lambda: self.replay,
        }


NOW_S = int(NOW) % 1000


def drawn_pages(made: MadeSite, pages: Drawing) -> dict[str, Callable[[], str]]:
    """What draws each page of a made site, by its path; each is drawn once."""
    league, left = made.league(), made.left()
    standings, tables = made.standings(), made.tables()
    upload = made.upload
    own = made.own_bots(), made.tokens(), made.challenges(), made.others()
    drawn: dict[str, Callable[[], str]] = {
        "/": lambda: pages.home(league, standings, tables),
        "/crosstable": lambda: pages.crosstable(league, made.crosstable()),
        "/bots/x": lambda: pages.bot(league, made.bot()),
        "/matches": lambda: pages.matches(
            league, MatchesDocument(rows=made.match_lines(50), older=9)
        ),
        "/matches/1": lambda: pages.match(league, made.match()),
        "/deals/1/1": lambda: pages.deal(league, made.deal()),
        "/ledger": lambda: pages.ledger(league, made.proof(), made.ledger()),
        "/rules": lambda: pages.rules(league, made.rules()),
        "/zole": lambda: pages.zole(league, made.rules()),
        "/start": lambda: pages.start(league),
        "/start/guide": lambda: pages.guide(league, "guide"),
        "/start/deals": lambda: pages.guide(league, "deals"),
        "/tv": lambda: pages.tv(league, made.tv(), tables),
        "/play": lambda: pages.play(made.choice(), {"bot1": "bold", "bot2": ""}),
        "/about": lambda: pages.about(league, made.about()),
        "/join/x": lambda: pages.invitation(Invitation(made.text("Anna"), NOW, False)),
        "/join/class": lambda: pages.invitation(Invitation("", NOW, False, 60)),
        "/welcome": lambda: pages.welcome(made.text("Anna"), "zole_" + "a" * 43),
        "/login/x": lambda: pages.login(made.text("Anna")),
        "/signin": pages.sign_in,
        "/me": lambda: pages.me(
            league,
            made.text("Anna"),
            own[0],
            (upload("failed"), upload("entered")),
            left,
            own[1],
            own[2],
            "",
            own[3],
        ),
        "/me/uploads/u5cXy": lambda: pages.upload(league, upload("queued"), left),
        "/me/uploads/failed": lambda: pages.upload(league, upload("failed"), left),
        "/waiting": lambda: pages.waiting("site-being-set-up"),
        "/error": lambda: pages.error(
            429, made.text("there were too many requests"), made.text("ask less often"), NOW_S
        ),
    }
    return {path: cache(draw) for path, draw in drawn.items()}


class _Handler(http.server.BaseHTTPRequestHandler):
    server: PageServer

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        self.server.asked.append(path)
        if self.server.silent:
            self.send_error(HTTPStatus.SERVICE_UNAVAILABLE)
        elif path in self.server.files:
            found = self.server.files[path]
            self._answer(found.content, found.kind)
        elif path in self.server.shown:
            self._answer(self.server.shown[path]().encode(), "text/html; charset=utf-8")
        elif path.startswith("/matches/") and path.endswith(("/replay", "/replay.json")):
            self._answer(self.server.replay.encode(), "text/html; charset=utf-8")
        else:
            self.send_error(HTTPStatus.NOT_FOUND)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        if self.path == "/report":
            self.server.reports.append(body)
            self._answer(b"", "text/plain")
        else:
            self.server.posted.append((self.path, body))
            self._answer(b'{"upload": {"id": "u5cXy"}}', "application/json")

    def _answer(self, content: bytes, kind: str) -> None:
        self.send_response(HTTPStatus.OK)
        own = kind.startswith("text/html") and not self.path.split("?")[0].endswith("/replay")
        if own:
            self.send_header("Content-Security-Policy", f"{POLICY}; report-uri /report")
        self.send_header("Content-Type", kind)
        self.send_header("ETag", f'"{zlib.crc32(content)}"')
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def page_server(
    made: MadeSite, title: str = "Zoles trepes", language: str = ENGLISH
) -> Iterator[PageServer]:
    """A server until the end of the block."""
    with PageServer(made, title, language) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
