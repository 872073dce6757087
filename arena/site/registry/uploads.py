"""Uploads: the archives that authors sent, and the progress of each.

An upload is `queued`, then `checking`, then `entered` under a name or `failed`.
"""

import re
import secrets
import sqlite3
from contextlib import suppress
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta

from arena.base.check_step import CheckStep
from arena.base.refusals import Missing, Refusal, TooLarge
from arena.site.processes import UPLOADS
from arena.site.registry.accounts import Account, refuse_if_revoked
from arena.site.registry.file import Registry
from arena.site.registry.jobs import JobSeen
from arena.site.registry.quotas import left_of, refuse_if_none
from arena.site.registry.stops import refuse_if_paused

_DIGEST: Final = r"\A[0-9a-f]{64}\Z"

UploadState = Literal["queued", "checking", "entered", "failed"]


class Archive(msgspec.Struct, frozen=True, tag="upload"):
    """The subject of an upload: the SHA-256 of the archive in hex, which cannot be a path."""

    digest: Annotated[str, Meta(pattern=_DIGEST)]


class Upload(JobSeen, frozen=True):
    """An upload as its owner sees it.

    `digest` is the SHA-256 of the archive in hex, `place` its place in the queue, from 1. `name` is
    that of the bot that entered the league, `why` what went wrong.
    """

    digest: str
    size: int
    state: UploadState
    place: int | None
    name: str | None
    why: str
    steps: tuple[CheckStep, ...] = ()

    @property
    def under_way(self) -> bool:
        """Whether the upload waits or is being checked."""
        return self.state in ("queued", "checking")


def is_content(text: str) -> bool:
    """Return whether a text is a SHA-256 in hex, and so cannot be a path."""
    return re.match(_DIGEST, text) is not None


def spool_file(account: Account, digest: str) -> str:
    """Return the name of an upload's archive in the spool."""
    return f"{account.number}-{digest}"


def may_upload(
    registry: Registry, account: Account, size: int | None, digest: str | None = None
) -> None:
    """Raise `Refusal` for an upload that cannot succeed, before its body is read.

    If the digest is that of a known upload, nothing is refused.
    """
    with registry.reading() as sql:
        if digest is None or _latest(sql, account.number, digest) is None:
            _refuse(sql, registry, account.number, size)


def new_upload(
    registry: Registry, account: Account, digest: str, size: int, again: bool = False
) -> tuple[Upload, bool]:
    """Queue an archive that lies in the spool; return the upload, and whether it is a new one.

    The same archive of the same account is the same upload, however often it is sent; only with
    `again` is one that has ended begun anew, as another upload. Raises `Refusal`.
    """
    now = registry.now()
    if not is_content(digest):
        raise Refusal("this is not a SHA-256 in hex", "it must be that of the archive")
    with registry.writing() as sql:
        refuse_if_revoked(sql, account.number)
        known = _latest(sql, account.number, digest)
        if known is not None and not (again and known[1] != "waiting"):
            return _upload(sql, known[0]), False
        _refuse(sql, registry, account.number, size)
        number = sql.execute(
            "INSERT INTO jobs (id, account, kind, about, size, at)"
            " VALUES (?, ?, 'upload', ?, ?, ?)",
            (secrets.token_urlsafe(16), account.number, _about(digest), size, now),
        ).lastrowid
        assert number is not None
        return _upload(sql, number), True


def uploads(
    registry: Registry, account: Account, before: int | None = None, most: int = 50
) -> list[Upload]:
    """Return an account's uploads, or those before a number, the newest first."""
    with registry.reading() as sql:
        numbers = sql.execute(
            "SELECT number FROM jobs WHERE account = :account AND kind = 'upload'"
            " AND (:before IS NULL OR number < :before) ORDER BY number DESC LIMIT :most",
            {"account": account.number, "before": before, "most": most},
        ).fetchall()
        return [_upload(sql, number, steps=False) for (number,) in numbers]


def upload(registry: Registry, account: Account, id: str) -> Upload:
    """Return an account's upload with its steps. Raises `Missing`, also for those of others."""
    with registry.reading() as sql:
        row = sql.execute(
            "SELECT number FROM jobs WHERE id = ? AND account = ? AND kind = 'upload'",
            (id, account.number),
        ).fetchone()
        if row is None:
            raise Missing("there is no such upload")
        return _upload(sql, row[0])


def queue(registry: Registry) -> int:
    """Return the number of uploads that wait or are being checked."""
    with registry.reading() as sql:
        query = "SELECT count(*) FROM jobs WHERE state = 'waiting' AND kind = 'upload'"
        return int(sql.execute(query).fetchone()[0])


def spooled(registry: Registry, kept_s: float = 3600.0) -> set[str]:
    """Return the files of the spool that are needed: of uploads not ended `kept_s` seconds ago."""
    with registry.reading() as sql:
        rows = sql.execute(
            "SELECT account, about FROM jobs"
            " WHERE kind = 'upload' AND (state = 'waiting' OR ended > ?)",
            (registry.now() - kept_s,),
        ).fetchall()
    found = set()
    for owner, text in rows:
        with suppress(msgspec.MsgspecError):  # no web process of ours has written it
            found.add(f"{owner}-{msgspec.json.decode(text, type=Archive).digest}")
    return found


def _refuse(sql: sqlite3.Connection, registry: Registry, account: int, size: int | None) -> None:
    """Raise `Refusal` if an account may not send an archive of `size` bytes now."""
    refuse_if_paused(sql, UPLOADS)
    left = left_of(sql, registry, account)
    if size is not None and size > left.archive_bytes:
        mib = left.archive_bytes >> 20
        raise TooLarge(f"an archive has at most {mib} MiB", "leave out what a build can make")
    what = "one of your uploads is still being checked"
    refuse_if_none(left.checks, what, "wait until it has ended")
    refuse_if_none(left.uploads, f"you may send {left.uploads.most} uploads in 24 hours")
    refuse_if_none(left.build_minutes, "the minutes for building in 24 hours are used up")


def _about(digest: str) -> str:
    return msgspec.json.encode(Archive(digest)).decode()


def _latest(sql: sqlite3.Connection, account: int, digest: str) -> tuple[int, str] | None:
    """Return the number and the state of the last upload of an archive, or None."""
    row = sql.execute(
        "SELECT number, state FROM jobs WHERE account = ? AND about = ?"
        " ORDER BY number DESC LIMIT 1",
        (account, _about(digest)),
    ).fetchone()
    return None if row is None else (row[0], row[1])


def _upload(sql: sqlite3.Connection, number: int, steps: bool = True) -> Upload:
    row = sql.execute(
        "SELECT id, number, at, ended, json_extract(about, '$.digest'), size,"
        " CASE WHEN state != 'waiting' THEN state WHEN lease IS NULL THEN 'queued'"
        " ELSE 'checking' END, CASE state WHEN 'waiting' THEN (SELECT count(*) FROM jobs AS other"
        " WHERE other.state = 'waiting' AND other.kind = 'upload'"
        " AND other.number <= jobs.number) END, name, answer FROM jobs WHERE number = ?",
        (number,),
    ).fetchone()
    texts = sql.execute("SELECT step FROM steps WHERE job = ? ORDER BY number", (number,))
    found = [msgspec.json.decode(text, type=CheckStep) for (text,) in texts] if steps else []
    return msgspec.structs.replace(Upload(*row), steps=tuple(found))
