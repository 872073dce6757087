"""Requests to our servers: their bodies, where they come from, and what they take in return."""

import asyncio
from collections.abc import Container
from typing import Final

from starlette.requests import Request

from arena.base.refusals import Forbidden, Slow, TooLarge, WrongKind

MOST_BODY_BYTES: Final = 16_384
"""The most bytes of a body other than an archive."""

BODY_S: Final = 10.0
"""Seconds that such a body may take."""


def check_origin(request: Request, origins: Container[str], unsaid: bool) -> None:
    """Raise `Forbidden` if another site may have made a browser send the request.

    Browsers say from which site a request comes. A request that does not say is a program's, which
    may ask if `unsaid`.
    """
    origin = request.headers.get("origin")
    site = request.headers.get("sec-fetch-site", "same-origin" if unsaid else "")
    if (origin is not None and origin not in origins) or site != "same-origin":
        raise Forbidden("another site has asked", "only the site's own pages may, or a token")


def check_kind(request: Request, wanted: str) -> None:
    """Raise `WrongKind` if the body is of another type."""
    said = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if said != wanted:
        raise WrongKind(f"the body must be {wanted}", f"Content-Type: {wanted}")


async def body_of(request: Request) -> bytes:
    """The body of a request, which must be short and come in time. Raises `Refusal`."""
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_S):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MOST_BODY_BYTES:
                    raise TooLarge(f"the body has more than {MOST_BODY_BYTES} bytes")
    except TimeoutError:
        raise Slow(f"the body took more than {BODY_S:g} s", "try again") from None
    return bytes(body)


def number_in(text: str) -> int | None:
    """The number that a text spells; None for other texts, and for numbers too long to be ours."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 16 else None


def takes_gzip(accepted: str) -> bool:
    """Whether `Accept-Encoding` takes gzip: `gzip;q=0` refuses it."""
    for each in accepted.lower().split(","):
        name, _, weight = each.partition(";")
        if name.strip() in ("gzip", "*"):
            return weight.strip() not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False
