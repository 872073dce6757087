"""The pages of a made site on a port of this machine, under their policy."""

import http.server
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from http import HTTPStatus
from urllib.parse import urlsplit

from arena.reports.language import ENGLISH
from arena.site.pages.public import PAGES, PageAsk
from arena.site.pages.templates import POLICY, Templates, site_templates, static_files
from arena.site.registry.accounts import Invitation
from arena.site.web.authors import invitation_values
from tests.support.made_site import NOW, MadeSite, MadeSource

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
        self.upload = made.upload("taken")
        self.replay = REPLAY
        self.silent = False
        """Whether pages are refused."""
        self.templates = site_templates(title, self.address, language)
        self.shown = drawn_pages(made, self.templates) | {
            "/me/uploads/u5cXy": lambda: self.templates.draw(
                "upload.html", every=2, upload=self.upload, quotas=made.quotas()
            ),
            "/matches/1/replay": lambda: self.replay,
        }


NOW_S = int(NOW) % 1000


PARTS = {"bot": "x", "match": "1", "order": "1", "deal": "1"}
"""The parts of paths at which a made site has pages."""


def own_page(made: MadeSite) -> dict[str, object]:
    """The values of an author's own page."""
    return {
        "here": "/me",
        "again": "/me",
        "every": 2,
        "name": made.text("Anna"),
        "bots": made.own_bots(),
        "uploads": (made.upload("failed"), made.upload("done")),
        "quotas": made.quotas(),
        "most": 16 << 20,
        "challenges": made.challenges(),
        "new_token": "",
        "others": made.others(),
    }


def drawn_pages(made: MadeSite, templates: Templates) -> dict[str, Callable[[], str]]:
    """What draws each page of a made site, by its path; each is drawn once."""
    drawn: dict[str, Callable[[], str]] = {}
    for each in PAGES:
        ask = PageAsk(MadeSource(made), PARTS)
        drawn[each.path.format(**PARTS)] = partial(each.draw, ask, templates)
    anna, quotas = made.text("Anna"), made.quotas()
    told: dict[str, tuple[str, dict[str, object]]] = {
        "/play": (
            "play.html",
            {"here": "/play", **made.choice(), "chosen": {"bot1": "bold", "bot2": ""}},
        ),
        "/join/x": ("join.html", invitation_values(Invitation(anna, NOW, 1, ""))),
        "/join/class": ("join.html", invitation_values(Invitation("", NOW, 60, ""))),
        "/welcome": ("join.html", {"name": anna, "token": "zole_" + "a" * 43, "again": "/me"}),
        "/login/x": ("login.html", {"name": anna}),
        "/signin": ("sign_in.html", {"here": "/me"}),
        "/me": ("me.html", own_page(made)),
        "/me/uploads/u5cXy": ("upload.html", {"upload": made.upload("waiting"), "quotas": quotas}),
        "/me/uploads/failed": ("upload.html", {"upload": made.upload("failed"), "quotas": quotas}),
        "/waiting": ("waiting.html", {}),
        "/error": (
            "error.html",
            {
                "status": 429,
                "what": made.text("there were too many requests"),
                "remedy": made.text("ask less often"),
                "wait_s": NOW_S,
            },
        ),
    }
    drawn |= {path: partial(templates.draw, name, **them) for path, (name, them) in told.items()}
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
            self._answer(b'{"id": "u5cXy"}', "application/json")

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
