"""The pages of a made site on a port of this machine, under their policy."""

import http.server
import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache, partial
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from arena.reports.language import ENGLISH
from arena.site.pages.public import PAGES, PageAsk
from arena.site.pages.templates import Templates, site_policy, site_templates, static_files
from arena.site.registry.accounts import Invitation
from arena.site.registry.jobs import JobState
from arena.site.web.authors import invitation_values
from tests.support.made_site import NOW, MadeSite, MadeSource

# The parts of paths at which a made site has pages.
PARTS = {"bot": "x", "match": "1", "order": "1", "deal": "1"}


# Of the uploads that have pages.
STATES: Final[tuple[JobState, ...]] = ("waiting", "taken", "failed")


def own_page(made: MadeSite) -> dict[str, object]:
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
        "others": made.names[1:6],
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
        **{
            f"/me/uploads/{it}": ("upload.html", {"upload": made.upload(it), "quotas": quotas})
            for it in STATES
        },
        "/waiting": ("waiting.html", {}),
        "/error": (
            "error.html",
            {
                "status": 429,
                "what": made.text("there were too many requests"),
                "remedy": made.text("ask less often"),
                "wait_s": 800,
            },
        ),
    }
    drawn |= {path: partial(templates.draw, name, **them) for path, (name, them) in told.items()}
    return {path: cache(draw) for path, draw in drawn.items()}


FILES: Final = {each.address: each for each in static_files().values()}


class PageServer(http.server.ThreadingHTTPServer):
    """What it shows may be changed, as may the replay; `reports` are those of its policy."""

    daemon_threads = True

    def __init__(self, made: MadeSite, title: str, language: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.address = f"http://127.0.0.1:{self.server_address[1]}"
        self.reports: list[bytes] = []
        self.templates = site_templates(title, self.address, language)
        self.shown = drawn_pages(made, self.templates)
        self.replay = "<!doctype html><html lang=en><title>replay</title><p>A replay"


class _Handler(http.server.BaseHTTPRequestHandler):
    server: PageServer

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        policy, kind = site_policy() + "; report-uri /report", "text/html; charset=utf-8"
        if path in FILES:
            content, kind = FILES[path].content, FILES[path].kind
        elif path in self.server.shown:
            content = self.server.shown[path]().encode()
        else:
            content, policy = self.server.replay.encode(), ""
        self.send_response(HTTPStatus.OK)
        for name, value in {
            "Content-Security-Policy": policy,
            "Content-Type": kind,
            "ETag": f'"{zlib.crc32(content)}"',
            "Content-Length": len(content),
        }.items():
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(content)

    def do_POST(self) -> None:
        self.server.reports.append(self.rfile.read(int(self.headers["Content-Length"])))
        self.send_error(HTTPStatus.NO_CONTENT)

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def page_server(
    made: MadeSite, title: str = "Zoles trepes", language: str = ENGLISH
) -> Iterator[PageServer]:
    with PageServer(made, title, language) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()
