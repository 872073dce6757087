"""How often one may ask: a bucket that fills steadily, for each account and each address."""

import ipaddress
import math
from collections import OrderedDict
from collections.abc import Callable, Hashable
from time import monotonic
from typing import Final

from arena.base.refusals import OverQuota

_MOST: Final = 20_000
"""So many are remembered: those who asked last."""


class Buckets:
    """For each key a number of requests a minute, all of which may come at once."""

    def __init__(self, per_minute: int, clock: Callable[[], float] = monotonic) -> None:
        self._most, self._per_s = float(per_minute), per_minute / 60
        self._clock = clock
        self._left: OrderedDict[Hashable, tuple[float, float]] = OrderedDict()

    def take(self, key: Hashable) -> None:
        """Count a request. Raises `OverQuota` with the seconds to wait."""
        now = self._clock()
        left, at = self._left.get(key, (self._most, now))
        left = min(self._most, left + (now - at) * self._per_s)
        if left < 1:
            wait_s = max(1, math.ceil((1 - left) / self._per_s))
            what = f"more than {self._most:.0f} requests a minute"
            raise OverQuota(what, "ask less often: one stream of events tells what changes", wait_s)
        self._left[key] = left - 1, now
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
