"""How often one may ask: a bucket that fills steadily, for each account and each address.

What costs the site much more than a page counts as so many requests as it costs pages, of about a
millisecond of processor time each, all processes together. What authors ask besides is bounded by
their accounts: files of their own (8 pages) and challenges by how many may wait or be in a day.
"""

import ipaddress
import math
from collections import OrderedDict
from collections.abc import Callable, Hashable
from time import monotonic
from typing import Final

from arena.base.refusals import OverQuota

REPLAY: Final = 30
"""A replay that is not made yet: the clerk reads the match and draws it."""

ARCHIVE: Final = 20
"""An archive on its way, up to 60 pages for 16 MiB; what comes of it, the quotas bound."""

TABLE: Final = 60
"""A guest's table, for which bots start: 800 pages, but an address has two at a time at most."""

ADVICE: Final = 20
"""A hint or a review of a deal: 500 pages, but the host works out one at a time."""

_MOST: Final = 20_000
"""So many are remembered: those who asked last."""


class Buckets:
    """For each key a number of requests a minute, all of which may come at once."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = monotonic) -> None:
        self._most, self._per_s = float(per_minute), per_minute / 60
        self._clock = clock
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, key: Hashable, costs: int = 1) -> None:
        """Count a request, as so many; where that is more than there ever are, as all of them.

        Raises `OverQuota` with the seconds to wait, and counts nothing then.
        """
        now, needed = self._clock(), min(costs, self._most)
        left, at = self._left.get(key, (self._most, now))
        left = min(self._most, left + (now - at) * self._per_s)
        if left < needed:
            wait_s = max(1, math.ceil((needed - left) / self._per_s))
            what = f"more than {self._most:.0f} requests a minute"
            raise OverQuota(what, "ask less often: one stream of events tells what changes", wait_s)
        self._left[key] = left - needed, now
        self._left.move_to_end(key)
        if len(self._left) > _MOST:
            self._left.popitem(last=False)


def place_of(address: str) -> str:
    """Who is counted as one: a machine, or in IPv6 the network that one household is given."""
    try:
        found = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(found, ipaddress.IPv4Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ipaddress.ip_network((found, 64), strict=False))
