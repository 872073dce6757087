"""The socket at which a site is reached. It outlasts the web process.

Where systemd made it, it outlasts the whole site: requests wait while the site restarts.
"""

import errno
import os
import socket
import time
from typing import Final

from arena.base.errors import MachineError, Mistake
from arena.site.config import Site

HELD_S: Final = 3.0
"""Seconds to wait for an address that parts of a killed site may still hold."""

FIRST_PASSED: Final = 3
"""The first descriptor that systemd passes: `SD_LISTEN_FDS_START` in sd_listen_fds(3)."""

_TICK_S: Final = 0.1
_BACKLOG: Final = 4096


def listen(site: Site) -> socket.socket:
    """Return the socket that systemd passed, else one that listens at the address of a site.

    Raises `MachineError`.
    """
    return _passed() or bound(site, (site.host, site.port))


def _passed() -> socket.socket | None:
    """Return the socket that systemd passed to this very process, if any: sd_listen_fds(3)."""
    pid, count = os.environ.pop("LISTEN_PID", ""), os.environ.pop("LISTEN_FDS", "")
    if pid != str(os.getpid()) or count != "1":
        return None
    passed = socket.socket(fileno=FIRST_PASSED)
    passed.set_inheritable(False)
    return passed


def bound(site: Site, place: tuple[str, int]) -> socket.socket:
    """Return a socket that listens at a host and port of a site. Raises `MachineError`."""
    host, port = place
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    until = time.monotonic() + HELD_S
    while True:
        try:
            return socket.create_server(place, family=family, backlog=_BACKLOG)
        except OSError as error:
            if error.errno != errno.EADDRINUSE or time.monotonic() > until:
                why = os.strerror(error.errno or 0)
                what = f"the site cannot listen at {host}:{port}: {why}"
                remedy = "end what listens there, or name another place in listen"
                raise MachineError(Mistake(what, str(site.path), remedy)) from None
        time.sleep(_TICK_S)
