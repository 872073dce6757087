"""Takes an archive into the spool: counted, timed, and named once it is whole."""

import asyncio
import os
import re
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import msgspec

from arena.base.refusals import Busy, Conflict, NoRoom, OverQuota, Refusal, Slow, TooLarge
from arena.site.api import Sent
from arena.site.disk import refuse_if_low, tells_of_room
from arena.site.documents import LEAGUE, LeagueDocument
from arena.site.published import Published
from arena.site.registry.accounts import Account
from arena.site.registry.file import Registry
from arena.site.registry.uploads import left, may_upload, new_upload, spool_file, spooled
from arena.site.web.asking import Asking

ARCHIVE_S: Final = 60.0
"""Seconds that an archive may take to come."""

_TOGETHER: Final = 16
"""The most archives that may come at a time."""

_OF_ONE: Final = 2
_DIGEST: Final = re.compile("[0-9a-f]{64}")
_PART: Final = ".part"


async def take_archive(asking: Asking) -> Sent:
    """Take the body of a request as an archive, and queue its upload. Raises `Refusal`."""
    web, who = asking.web, asking.who
    key = asking.request.headers.get("idempotency-key")
    if key is not None and not _DIGEST.fullmatch(key):
        raise Refusal("Idempotency-Key is not a SHA-256 in hex", "it must be that of the body")
    again = asking.request.query_params.get("again") == "1"
    said = asking.request.headers.get("content-length", "")
    size = int(said) if said.isdecimal() and len(said) < 16 else None
    known = None if again else key

    def allowed(registry: Registry) -> None:
        may_upload(registry, who, size, known)
        refuse_if_low(web.site)

    league = await web.published(_published_league)
    if league is not None and league.state == "sealed":
        raise Conflict(f"season {league.season} is over", "send it again once the next has begun")
    await web.registry(allowed)
    if sum(web.sending.values()) >= _TOGETHER:
        raise Busy("too many archives come at once", "try again", wait_s=10)
    if web.sending.get(who.number, 0) >= _OF_ONE:
        raise OverQuota("two archives of yours are on their way", "wait for them", wait_s=10)
    web.sending[who.number] = web.sending.get(who.number, 0) + 1
    try:
        return await _take(asking, key, again)
    finally:
        web.sending[who.number] -= 1
        if not web.sending[who.number]:
            del web.sending[who.number]


def _published_league(published: Published) -> LeagueDocument | None:
    found = published.document(LEAGUE)
    return None if found is None else msgspec.json.decode(found.data, type=LeagueDocument)


def sweep_spool(spool: Path) -> None:
    """Remove archives that were coming when an earlier process ended."""
    for part in spool.glob(f"*{_PART}"):
        part.unlink(missing_ok=True)


async def _take(asking: Asking, key: str | None, again: bool) -> Sent:
    web, who = asking.web, asking.who
    draft = web.site.spool / f"{os.urandom(16).hex()}{_PART}"
    try:
        with draft.open("xb") as file:
            os.fchmod(file.fileno(), 0o600 | web.site.spool.stat().st_mode & 0o060)
            digest, size = await _receive(asking, file.fileno())
            if key is not None and digest != key:
                raise Refusal("the body has another SHA-256 than Idempotency-Key", "send it again")
            if not size:
                raise Refusal("the body is empty", "it must be the archive")
            await asyncio.to_thread(os.fsync, file.fileno())
        return await web.registry(
            lambda registry: _enter(registry, who, draft, digest, size, again)
        )
    except OSError as error:
        if not tells_of_room(error):
            raise
        raise NoRoom from None
    finally:
        with suppress(FileNotFoundError):
            draft.unlink()


async def _receive(asking: Asking, file: int) -> tuple[str, int]:
    """Write the body to a file as it comes; return its SHA-256 in hex and its size."""
    most, hashed, size = asking.web.site.quotas.archive_mib << 20, sha256(), 0
    try:
        async with asyncio.timeout(ARCHIVE_S):
            async for chunk in asking.request.stream():
                size += len(chunk)
                if size > most:
                    mib = most >> 20
                    remedy = "leave out what a build can make"
                    raise TooLarge(f"an archive has at most {mib} MiB", remedy)
                hashed.update(chunk)
                left = memoryview(chunk)
                while left:
                    left = left[os.write(file, left) :]
    except TimeoutError:
        raise Slow(f"the archive took more than {ARCHIVE_S:g} s", "try again") from None
    return hashed.hexdigest(), size


def _enter(
    registry: Registry, who: Account, draft: Path, digest: str, size: int, again: bool
) -> Sent:
    """Name the archive and queue it; remove it if no upload needs it."""
    name = spool_file(who, digest)
    target = draft.with_name(name)
    draft.rename(target)
    try:
        upload, new = new_upload(registry, who, digest, size, again)
    finally:
        if name not in spooled(registry):
            target.unlink(missing_ok=True)
    return Sent(upload, new, left(registry, who))
