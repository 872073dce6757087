"""Makes answers: JSON, pages, files, each with its headers."""

import gzip
import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final

import msgspec
from starlette.responses import Response

from arena.base.refusals import Refusal
from arena.people.server import policy, takes_gzip
from arena.site.api import Problem

# The headers of what is an account's own, or secret: nobody may keep it.
OWN: Final = {"Cache-Control": "no-store"}

# Who keeps an answer asks each time whether it is still the same.
CHECKED: Final = "no-cache"

# A cache for many may answer with it for some seconds; a browser asks each time.
SHARED: Final = "max-age=0, s-maxage=5"

# The headers of a page that those of a 304 take the place of.
_REPLACED: Final = ("content-security-policy", "x-frame-options")

_CHUNK: Final = 1 << 16

_WORTH_PACKING: Final = 1000
# Answers from this size on are packed anew each time: memory is dearer.
_LARGE: Final = 1 << 19

# The level of gzip: higher ones save two percent of a page and take twice the time.
_PACKING: Final = 5


def document(value: object, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return an answer with a struct as JSON, for the one who asked alone."""
    return json_bytes(msgspec.json.encode(value), status, {**OWN, **(headers or {})})


def json_bytes(data: bytes, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return an answer with JSON as it is."""
    return Response(data, status, {"Content-Type": "application/json", **(headers or {})})


def page(data: bytes | str, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """Return an answer with a page."""
    return Response(data, status, {"Content-Type": "text/html; charset=utf-8", **(headers or {})})


def complete_page(data: bytes, asked: Mapping[str, str], keeps: str = CHECKED) -> Response:
    """Return an answer with a page that holds all it needs, and may do no more."""
    return versioned(page(data, headers={"Content-Security-Policy": policy(data)}), asked, keeps)


class FinishedAnswer(msgspec.Struct, frozen=True):
    """A finished answer, the same for everybody.

    Its `tag` changes with the `data`; `packed` is None where they are packed each time. `signs` are
    those of what it was made from.
    """

    tag: str
    data: bytes
    packed: bytes | None
    signs: Mapping[tuple[str, int | None], int] = {}


def finished(data: bytes, signs: Mapping[tuple[str, int | None], int] = {}) -> FinishedAnswer:
    """Return an answer that is packed only once, if it is not too large for that."""
    packs = _WORTH_PACKING < len(data) < _LARGE
    packed = gzip.compress(data, _PACKING, mtime=0) if packs else None
    return FinishedAnswer(_tag(data), data, packed, signs)


def sent(
    answer: Response, made: FinishedAnswer, asked: Mapping[str, str], keeps: str = SHARED
) -> Response:
    """Return a finished answer, as `versioned` does."""
    return versioned(answer, asked, keeps, made.tag, made.packed)


def versioned(
    answer: Response,
    asked: Mapping[str, str],
    keeps: str = CHECKED,
    tag: str = "",
    packed: bytes | None = None,
) -> Response:
    """Return an answer that is the same for everybody, or 304 if the reader has it already.

    `asked` are the headers of the request, `keeps` says who may keep the answer for how long.
    Without a `tag`, the hash of the content serves as one. `packed` is the content as it is sent to
    who takes that, if it is known.
    """
    body = bytes(answer.body)
    tag = tag or _tag(body)
    packs = len(body) > _WORTH_PACKING and takes_gzip(asked.get("accept-encoding", ""))
    tags = (f"{tag}-gzip", tag) if packs else (tag, f"{tag}-gzip")
    seen = _seen(asked.get("if-none-match", ""), tags)
    varies = ", ".join(filter(None, ("Accept-Encoding", answer.headers.get("Vary"))))
    shared = {"ETag": f'"{seen or tags[0]}"', "Cache-Control": keeps, "Vary": varies}
    if seen is not None:
        own = {name: value for name, value in answer.headers.items() if name in _REPLACED}
        return Response(status_code=304, headers=own | shared)
    if packs:
        if packed is None:
            packed = _packed(body) if len(body) < _LARGE else gzip.compress(body, _PACKING)
        answer.body = packed
        shared |= {"Content-Encoding": "gzip", "Content-Length": str(len(answer.body))}
    answer.headers.update(shared)
    return answer


def _tag(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


# Return the tag of an answer, plain or packed, that `If-None-Match` names, compared weakly.
def _seen(named: str, tags: Sequence[str]) -> str | None:
    if not named:
        return None
    found = {each.strip().removeprefix("W/").strip('"') for each in named.split(",")}
    return tags[0] if "*" in found else next((each for each in tags if each in found), None)


@lru_cache(64)
def _packed(body: bytes) -> bytes:
    return gzip.compress(body, _PACKING, mtime=0)


def to(path: str, headers: dict[str, str] | None = None) -> Response:
    """Return an answer that leads on to another page."""
    return Response(status_code=303, headers={"Location": path, **OWN, **(headers or {})})


def problem(refusal: Refusal) -> Problem:
    """Return what is told of a refusal: no path of this machine is in it."""
    return Problem(refusal.what, refusal.remedy, refusal.wait_s)
