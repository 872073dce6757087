"""Jobs: uploads and requests, each done by the one process that does jobs of its kind.

A job is `waiting`, then `taken`. An upload is `checked` by the process `work` and then `entered` by
`play`; a request is `answered`; either may have `failed`. A job that is `taken` when its process
starts was left behind by a dead one, and is taken again, up to `MOST_TRIES` times. The organiser
can stop parts of the site, and bots.
"""

import sqlite3
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Final, Generic, TypeVar

import msgspec

from arena.base.refusals import Busy, Missing
from arena.site.config import DRAWING_ORDERS, UPLOADS
from arena.site.registry.accounts import DAY_S, Account, account_of_number
from arena.site.registry.file import ORGANISER, SITE, Registry, note

# The number of times that a job is begun before it is given up: it may be what kills processes.
MOST_TRIES: Final = 3

# The kinds of jobs that are not taken while a part of the site is paused.
PAUSED_WITH: Final = {"upload": UPLOADS, "challenge": DRAWING_ORDERS}

_A = TypeVar("_A", bound=msgspec.Struct)


class JobSeen(msgspec.Struct, frozen=True):
    """A job as whoever asked for it sees it.

    `number` orders an account's; `at` and `ended` are moments, the latter None until it is done.
    """

    id: str
    number: int
    at: float
    ended: float | None


class Taken(msgspec.Struct, Generic[_A], frozen=True):
    """A job of an account to be done."""

    id: str
    number: int
    account: Account
    about: _A


def kind_of(about: type[msgspec.Struct] | msgspec.Struct) -> str:
    """Return the name, in the file, of jobs about such a thing."""
    return str(about.__struct_config__.tag)


def take(registry: Registry, kinds: Sequence[type[_A]]) -> Taken[_A] | None:
    """Take the job of some kinds that has waited longest; None if there is none.

    Only one process takes jobs of a kind. Challenges take long, so accounts take turns with them.
    """
    with registry.reading() as sql:
        paused = {kind for kind, part in PAUSED_WITH.items() if _stop(sql, part) is not None}
        tags = [tag for tag in map(kind_of, kinds) if tag not in paused]
        query = _NEXT.format(kinds=_marks(tags))
        row = sql.execute(query, (*tags, registry.now() - DAY_S)).fetchone()
        if row is None:
            return None
        id, number, owner, text = row
        account = account_of_number(sql, owner)
    try:
        about: _A = msgspec.json.decode(text, type=reduce(or_, kinds))
    except msgspec.MsgspecError:  # only a compromised web process writes this
        finish(registry, number, "failed", "this cannot be asked")
        return take(registry, kinds)
    _set_state(registry, number, "taken")
    return Taken(id, number, account, about)


def take_back(registry: Registry, kinds: Sequence[type[_A]]) -> list[int]:
    """Return the numbers of jobs that a dead process had taken; they wait again.

    Those that were begun too often have failed. For a process that starts.
    """
    now, tags = registry.now(), list(map(kind_of, kinds))
    with registry.writing() as sql:
        rows = sql.execute(
            "UPDATE jobs SET state = 'waiting', entering = NULL, tries = tries + 1"
            f" WHERE state = 'taken' AND kind IN ({_marks(tags)}) RETURNING number, kind, tries",
            tags,
        ).fetchall()
        for number, kind, tries in rows:
            if tries >= MOST_TRIES:
                why = f"the site itself failed {MOST_TRIES} times over it; tell the organiser"
                end(sql, now, number, "failed", why)
                note(sql, now, SITE, "gave up", f"{kind} {number}")
    return sorted(number for number, _, _ in rows)


def give_back(registry: Registry, taken: Taken[_A]) -> None:
    """Leave a taken job waiting, as if it had never been taken."""
    _set_state(registry, taken.number, "waiting")


def finish(
    registry: Registry, number: int, state: str, answer: str = "", log: bytes | None = None
) -> bool:
    """End a job; return whether it had not ended before, as when its account is revoked."""
    with registry.writing() as sql:
        return end(sql, registry.now(), number, state, answer, log)


def end(
    sql: sqlite3.Connection,
    now: float,
    number: int,
    state: str,
    answer: str = "",
    log: bytes | None = None,
    name: str | None = None,
) -> bool:
    """End a job in a transaction under way; return whether it had not ended before."""
    done = sql.execute(
        "UPDATE jobs SET state = ?, answer = ?, log = ?, name = ?, ended = ?, entering = NULL"
        " WHERE number = ? AND ended IS NULL",
        (state, answer[:1000], log, name, now, number),
    )
    return bool(done.rowcount)


# Let a job be taken or wait, without what earlier tries have noted.
def _set_state(registry: Registry, number: int, state: str) -> None:
    with registry.writing() as sql:
        change = "UPDATE jobs SET state = ?, entering = NULL WHERE number = ? AND ended IS NULL"
        sql.execute(change, (state, number))
        sql.execute("DELETE FROM steps WHERE job = ?", (number,))


def _marks(values: Sequence[str]) -> str:
    return ", ".join("?" for _ in values)


# The number of challenges that an account had asked for in the last 24 hours before this one.
_TURN: Final = """
(SELECT count(*) FROM jobs AS sooner WHERE sooner.account = jobs.account
 AND sooner.kind = jobs.kind AND sooner.at > ? AND sooner.number < jobs.number)
"""

_NEXT: Final = f"""
SELECT id, number, account, about FROM jobs
WHERE state IN ('waiting', 'taken') AND kind IN ({{kinds}})
ORDER BY CASE kind WHEN 'challenge' THEN {_TURN} ELSE 0 END, number LIMIT 1
"""


# --- stops by the organiser ---

_PAUSED: Final = "paused "
_BENCHED: Final = "benched "


def pause(registry: Registry, part: str, why: str) -> None:
    """Pause a part of the site. What is under way is finished."""
    _set(registry, _PAUSED + part, why, "paused", part)


def go_on(registry: Registry, part: str) -> bool:
    """Let a part go on; return whether it was paused."""
    return _unset(registry, _PAUSED + part, part)


def paused(registry: Registry, part: str) -> str | None:
    """Return why a part is paused; None if it is not."""
    with registry.reading() as sql:
        return _stop(sql, part)


def refuse_if_paused(sql: sqlite3.Connection, part: str) -> None:
    """Raise `Busy` if a part is paused."""
    why = _stop(sql, part)
    if why is not None:
        what = f"{part} {'are' if part == UPLOADS else 'is'} paused{why and f': {why}'}"
        raise Busy(what, "try again later", wait_s=600)


def bench(registry: Registry, bot: str, why: str) -> None:
    """Keep a bot from being drawn; orders under way are finished."""
    _set(registry, _BENCHED + bot, why, "benched", bot)


def unbench(registry: Registry, bot: str) -> None:
    """Let a bot be drawn again that the organiser has benched. Raises `Missing`."""
    if not _unset(registry, _BENCHED + bot, bot):
        raise Missing(f"{bot} was not benched by the organiser")


def benched(registry: Registry) -> dict[str, str]:
    """Return by name why the organiser has benched bots."""
    query = "SELECT substr(key, ?), value FROM facts WHERE key GLOB ? ORDER BY key"
    return dict(registry.read(query, (len(_BENCHED) + 1, f"{_BENCHED}*")))


def _stop(sql: sqlite3.Connection, part: str) -> str | None:
    row = sql.execute("SELECT value FROM facts WHERE key = ?", (_PAUSED + part,)).fetchone()
    return None if row is None else str(row[0])


def _set(registry: Registry, key: str, why: str, what: str, about: str) -> None:
    with registry.writing() as sql:
        sql.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (key, why[:1000]))
        note(sql, registry.now(), ORGANISER, what, f"{about}: {why}" if why else about)


def _unset(registry: Registry, key: str, about: str) -> bool:
    with registry.writing() as sql:
        was = bool(sql.execute("DELETE FROM facts WHERE key = ?", (key,)).rowcount)
        if was:
            note(sql, registry.now(), ORGANISER, "resumed", about)
        return was
