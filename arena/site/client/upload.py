"""Sends a bot to a site: packs it the same way each time, follows it until it plays or fails."""

import gzip
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from arena.base.files import read_file
from arena.bots.archive import pack
from arena.bots.manifest import read_bot
from arena.site.api import Sent, UploadSeen
from arena.site.client.client import Remote
from arena.site.registry.uploads import Upload

UPLOAD_LOOK_S: Final = 1.0
_LARGEST: Final = 64 << 20


def packed(source: Path) -> bytes:
    """Return the archive of a bot, given a folder or an archive; equal folders give equal bytes.

    Raises `ArenaError`, also for what is plainly no bot.
    """
    if not source.is_dir():
        return read_file(source, _LARGEST)
    read_bot(source)
    return gzip.compress(pack(source), mtime=0)


def send(remote: Remote, archive: bytes, again: bool = False) -> Sent:
    """Send an archive; the same one is the same upload, unless it is to be checked `again`."""
    digest = hashlib.sha256(archive).hexdigest()
    return remote.send(f"bots{'?again=1' if again else ''}", Sent, archive, digest)


def follow(remote: Remote, upload: Upload) -> Iterator[Upload]:
    """Yield an upload whenever it has changed, until it has ended. Raises `ArenaError`."""
    while True:
        seen = remote.watch(f"uploads/{upload.id}", UploadSeen).upload
        if seen != upload:
            yield seen
        if not seen.under_way:
            return
        upload = seen
        remote.sleep(UPLOAD_LOOK_S)
