"""Makes answers: JSON, pages, files, each with its headers."""

import gzip
import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from arena.base.refusals import Refusal
from arena.people.server import takes_gzip
from arena.site.api import Problem

# The headers of what is an account's own, or secret: nobody may keep it.
OWN: Final = {"Cache-Control": "no-store"}

# A cache for many may answer with it for some seconds; a browser asks each time.
SHARED: Final = "max-age=0, s-maxage=5"

# An address that has a hash of its content answers the same forever.
FOREVER: Final = "max-age=31536000, immutable"

# The headers of a page that those of a 304 take the place of.
_REPLACED: Final = ("Content-Security-Policy", "X-Frame-Options")

_WORTH_PACKING: Final = 1000

# The level of gzip: higher ones save two percent of a page and take twice the time.
_PACKING: Final = 5


def document(value: object, status: int = 200, headers: Mapping[str, str] = {}) -> Response:
    """Return an answer with a struct as JSON, for the one who asked alone."""
    kind = {"Content-Type": "application/json"}
    return Response(msgspec.json.encode(value), status, {**kind, **OWN, **headers})


def page(text: str, status: int = 200, headers: Mapping[str, str] = {}) -> Response:
    """Return an answer with a page, for the one who asked alone."""
    kind = {"Content-Type": "text/html; charset=utf-8"}
    return Response(text, status, {**kind, **OWN, **headers})


def to(path: str, headers: Mapping[str, str] = {}) -> Response:
    """Return an answer that leads on to another page."""
    return Response(status_code=303, headers={"Location": path, **OWN, **headers})


def problem(refusal: Refusal) -> Problem:
    """Return the text of a refusal, without any path of this machine."""
    return Problem(refusal.what, refusal.remedy, refusal.wait_s)


class FinishedAnswer(msgspec.Struct, frozen=True):
    """A finished answer, the same for everybody.

    Its `tag` changes with the `data`; `packed` is None for what is too short for that.
    """

    tag: str
    data: bytes
    packed: bytes | None


def finished(data: bytes) -> FinishedAnswer:
    """Return an answer with its tag, packed."""
    packed = _packed(data) if len(data) > _WORTH_PACKING else None
    return FinishedAnswer(hashlib.sha256(data).hexdigest()[:16], data, packed)


def shared(
    made: FinishedAnswer, request: Request, headers: Mapping[str, str], keeps: str = SHARED
) -> Response:
    """Return a finished answer, or 304 if the reader has it; `keeps` is its Cache-Control."""
    asked = request.headers
    packs = made.packed is not None and takes_gzip(asked.get("accept-encoding", ""))
    tags = (f"{made.tag}-gzip", made.tag)[:: 1 if packs else -1]
    seen = _seen(asked.get("if-none-match", ""), tags)
    varies = ", ".join(filter(None, ("Accept-Encoding", headers.get("Vary"))))
    known = {"ETag": f'"{seen or tags[0]}"', "Cache-Control": keeps, "Vary": varies}
    if seen is not None:
        own = {name: headers[name] for name in _REPLACED if name in headers}
        return Response(status_code=304, headers=own | known)
    if packs:
        known["Content-Encoding"] = "gzip"
    return Response(made.packed if packs else made.data, headers={**headers, **known})


# Return the tag of an answer, plain or packed, that `If-None-Match` names, compared weakly.
def _seen(named: str, tags: Sequence[str]) -> str | None:
    if not named:
        return None
    found = {each.strip().removeprefix("W/").strip('"') for each in named.split(",")}
    return tags[0] if "*" in found else next((each for each in tags if each in found), None)


@lru_cache(64)
def _packed(data: bytes) -> bytes:
    return gzip.compress(data, _PACKING, mtime=0)
