"""Serves the counts of a site's processes at a port of their own, which strangers do not reach.

No header could tell whether a proxy passes on what a stranger asks; a port can.
"""

import os
from collections.abc import Iterator, Mapping
from time import monotonic

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from arena.site.config import Site
from arena.site.life import heard_seconds_ago, read_states, resident_bytes
from arena.site.processes import WEB
from arena.site.web.metrics import series
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
        web = self._web
        alone = {
            "archives_coming": sum(web.sending.values()),
            "looked_at_seconds_ago": monotonic() - web.looked_at,
        }
        told = [series(name, "gauge", {"": value}) for name, value in alone.items()]
        return "".join([web.metrics.text(), *told, *_of_processes(web.site)])


def _of_processes(site: Site) -> Iterator[str]:
    """What each process has told of itself, and the web process of itself here."""
    states = read_states(site)
    cpu_s = {name: each.cpu_s for name, each in states.items()} | {WEB: sum(os.times()[:4])}
    resident = {name: each.resident_bytes for name, each in states.items()}
    resident[WEB] = resident_bytes()
    begun = {name: each.begun for name, each in states.items()}
    yield series("heard_seconds_ago", "gauge", _labelled(heard_seconds_ago(site)))
    yield series("process_start_time_seconds", "gauge", _labelled(begun))
    yield series("process_cpu_seconds_total", "counter", _labelled(cpu_s))
    yield series("process_resident_bytes", "gauge", _labelled(resident))
    done = {
        f'process="{name}",what="{what}"': number
        for name, each in states.items()
        for what, number in each.done.items()
    }
    yield series("done_total", "counter", done)
    workers = {
        f'process="{name}",state="{word}"': [*map(_word, each.workers.values())].count(word)
        for name, each in states.items()
        for word in {*map(_word, each.workers.values())}
    }
    yield series("workers", "gauge", workers)


def _word(told: str) -> str:
    return told if told == "works" else "asked" if told.startswith("is asked") else "refused"


def _labelled(values: Mapping[str, float]) -> dict[str, float]:
    return {f'process="{name}"': value for name, value in values.items()}
