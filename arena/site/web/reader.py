"""Who asks: from which address and how often it may, in which language, for a page or for data.

Requests are limited with a bucket that fills steadily, for each account and each address. A
request that costs the site much more than a page counts as several, by its cost in pages: a page
takes about a millisecond of processor time, all processes together. Other requests of authors are
bounded by their accounts: their own files (8 pages) by how many may wait, challenges by how many
there may be in a day.
"""

import ipaddress
import math
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import lru_cache
from time import monotonic
from typing import Final

from starlette.requests import Request

from arena.base.refusals import OverQuota
from arena.people.server import LANGUAGE_COOKIE, cookie_of
from arena.site.pages.templates import ALL_LANGUAGES

# An address may ask as often as this many accounts: a class or a household sits behind one.
TOGETHER: Final = 5

# The cost of an archive: 16 MiB take as long as 60 pages, and quotas bound its check.
ARCHIVE: Final = 20

# The cost of a guest's table: its bots' start takes as long as 800 pages, but an address has at
# most half of the tables.
TABLE: Final = 60

# The cost of a hint or a deal's review: it takes as long as 500 pages, but the host works out one
# at a time.
ADVICE: Final = 20

# The most keys that are remembered: those that asked last.
_MOST: Final = 20_000


class Buckets:
    """A number of requests a minute for each key, all of which may come at once."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = monotonic) -> None:
        self._most, self._per_s = float(per_minute), per_minute / 60
        self._clock = clock
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, key: Hashable, costs: int = 1) -> None:
        """Count a request as `costs` requests, but never as more than a full bucket.

        Raises `OverQuota` with the seconds to wait, and counts nothing then.
        """
        now, needed = self._clock(), min(costs, self._most)
        left, at = self._left.get(key, (self._most, now))
        left = min(self._most, left + (now - at) * self._per_s)
        if left < needed:
            wait_s = max(1, math.ceil((needed - left) / self._per_s))
            what = f"more than {self._most:.0f} requests a minute"
            raise OverQuota(what, "ask less often", wait_s)
        self._left[key] = left - needed, now
        self._left.move_to_end(key)
        if len(self._left) > _MOST:
            self._left.popitem(last=False)


# Return what counts as one asker: a machine, or in IPv6 the network of one household.
@lru_cache(_MOST)
def _place_of(address: str) -> str:
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))


def address_of(request: Request, trusted: str | None) -> str:
    """Return the address of a request; only the `trusted` proxy may name another than its own."""
    found = request.client.host if request.client is not None else ""
    if found == trusted:
        said = ",".join(request.headers.getlist("x-forwarded-for"))
        found = said.rpartition(",")[2].strip() or found
    return _place_of(found)


_KEPT_S: Final = 365 * 86400


def wants_page(request: Request) -> bool:
    """Return whether a refusal is shown on a page: a browser asks, and not for data."""
    path = request.scope["path"]
    wants = request.headers.get("accept", "").startswith("text/html")
    return wants and not path.startswith("/api/") and not path.endswith(".json")


def choice_to_keep(request: Request) -> str | None:
    """Return the header `Set-Cookie` that keeps the language an address asks for, if it does."""
    tag = request.query_params.get("lang")
    if tag not in ALL_LANGUAGES or tag == cookie_of(request, LANGUAGE_COOKIE):
        return None
    return f"{LANGUAGE_COOKIE}={tag}; Path=/; Max-Age={_KEPT_S}; SameSite=Lax"
