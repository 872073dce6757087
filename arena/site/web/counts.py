"""Serves the counts of the web process at a port of their own, which strangers do not reach.

No header could tell whether a proxy passes on what a stranger asks; a port can.
"""

from time import monotonic

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.site.life import heard_seconds_ago
from arena.site.web.web import Web

_KIND = "text/plain; version=0.0.4; charset=utf-8"


class CountsApart:
    """The application: one port serves the counts, every other one the site."""

    def __init__(self, web: Web, site: ASGIApp, port: int) -> None:
        self._web, self._site, self._port = web, site, port

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["server"][1] != self._port:
            await self._site(scope, receive, send)
            return
        answer = PlainTextResponse("there is nothing here but /metrics\n", 404)
        if scope["path"] == "/metrics" and scope["method"] in ("GET", "HEAD"):
            answer = PlainTextResponse(self._counts(), headers={"Content-Type": _KIND})
        await answer(scope, receive, send)

    def _counts(self) -> str:
        web, heard = self._web, heard_seconds_ago(self._web.site)
        gauges = {
            **{f"heard_seconds_ago_{name}": ago for name, ago in heard.items()},
            "readers": web.board.readers,
            "archives_coming": sum(web.sending.values()),
            "looked_at_seconds_ago": monotonic() - web.looked_at,
            "published_version": web.version,
        }
        return web.metrics.text(gauges)
