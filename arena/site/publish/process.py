"""The process that publishes: one record after another, until it is told to end."""

import os
import signal
import threading
from contextlib import closing
from typing import Final

from arena.record.paths import record_path
from arena.record.store import Store
from arena.site.config import Site
from arena.site.life import Life
from arena.site.publish.publisher import LeaguePublisher
from arena.site.registry.file import Registry

_LOOK_S: Final = 1.0


def publish_league(site: Site, life: Life) -> None:
    """Publish until this process is told to end; begin anew if the record is replaced."""
    record = record_path(site.league)
    ending = threading.Event()
    signal.signal(signal.SIGINT, lambda number, frame: ending.set())  # never amid a version
    with closing(Registry.open(site.registry, site.quotas)) as registry:
        while not ending.is_set():
            if not record.exists():
                life.beat("waits for the league")
                ending.wait(_LOOK_S)
                continue
            file = _identity(os.stat(record))
            with (
                closing(Store.open(record, own=True)) as store,
                closing(LeaguePublisher(site, store, registry, life)) as publisher,
            ):
                while record.exists() and _identity(os.stat(record)) == file:
                    life.beat("publishes")
                    if ending.is_set():
                        publisher.finish()
                        break
                    if not publisher.look():
                        ending.wait(_LOOK_S)


def _identity(found: os.stat_result) -> tuple[int, int]:
    return found.st_dev, found.st_ino
