"""Uploads as the intake handles them: checked step by step, until their bots enter the league."""

from typing import Final

import msgspec

from arena.base.check_step import CheckStep
from arena.site.registry.audit import note
from arena.site.registry.file import Registry
from arena.site.registry.jobs import LEASE_S, Taken, finish, hold
from arena.site.registry.quotas import left_of, refuse_if_none
from arena.site.registry.uploads import Archive

MOST_STEPS: Final = 64
LONGEST_TEXT: Final = 32 << 10
"""The most characters that are kept of a step's words, of its lines and of its stderr."""

_LINE: Final = 2000


def build_seconds(registry: Registry, taken: Taken[Archive]) -> float:
    """Return the seconds that the bot of a taken upload may build."""
    with registry.reading() as sql:
        left = left_of(sql, registry, taken.account.number).build_minutes.left
    return 60.0 * min(registry.quotas.build_minutes, left)


def add_step(registry: Registry, taken: Taken[Archive], step: CheckStep) -> None:
    """Add a step to a taken upload. Raises `LeaseLost`."""
    now = registry.now()
    with registry.writing() as sql:
        hold(sql, taken, now + LEASE_S)
        query = "SELECT count(*) FROM steps WHERE job = ?"
        (count,) = sql.execute(query, (taken.number,)).fetchone()
        if count < MOST_STEPS:
            text = msgspec.json.encode(_shortened(step)).decode()
            sql.execute("INSERT INTO steps VALUES (?, ?, ?)", (taken.number, count, text))


def built(registry: Registry, taken: Taken[Archive], seconds: float) -> None:
    """Charge the account with the seconds of a build. Raises `LeaseLost`."""
    with registry.writing() as sql:
        hold(sql, taken)
        sql.execute(
            "UPDATE jobs SET build_s = build_s + ? WHERE number = ?", (seconds, taken.number)
        )


def may_enter(registry: Registry, taken: Taken[Archive], called: str) -> None:
    """Keep a place in the field for the bot of a taken upload, under its manifest's name.

    Raises `OverQuota` if the account has as many other bots there as it may, and `LeaseLost`.
    """
    with registry.writing() as sql:
        hold(sql, taken)
        sql.execute("UPDATE jobs SET entering = NULL WHERE number = ?", (taken.number,))
        known = sql.execute(
            "SELECT 1 FROM bots"
            " WHERE account = ? AND called = ?"
            " AND state IN ('playing', 'benched', 'next_season')",
            (taken.account.number, called),
        ).fetchone()
        if known is None:
            left = left_of(sql, registry, taken.account.number).bots
            what = f"there are {left.most} bots of an author in the field"
            refuse_if_none(left, what, "withdraw one of yours, or send a new version of it")
        sql.execute("UPDATE jobs SET entering = ? WHERE number = ?", (called, taken.number))


LATE: Final = "it came after the deadline and waits for the next season"
"""What is told of a bot that will play in the next season."""


def entered(
    registry: Registry, taken: Taken[Archive], name: str, called: str, late: bool = False
) -> None:
    """End a taken upload whose bot plays under a name; its manifest calls it `called`.

    An older version of it leaves the field, unless it is `late` and waits for the next season.
    Raises `LeaseLost`.
    """
    now = registry.now()
    state = "next_season" if late else "playing"
    old = ("next_season", "next_season") if late else ("playing", "benched")
    with registry.writing() as sql:
        hold(sql, taken)
        finish(sql, taken.number, now, "entered", name=name, answer=LATE if late else "")
        sql.execute(
            "UPDATE bots SET state = 'replaced', why = ?, at = ?"
            " WHERE account = ? AND called = ? AND name != ? AND state IN (?, ?)",
            (f"by {name}", now, taken.account.number, called, name, *old),
        )
        sql.execute(
            "INSERT INTO bots VALUES (?, ?, ?, ?, '', ?) ON CONFLICT (name) DO UPDATE"
            " SET state = excluded.state, why = '', at = excluded.at",
            (name, taken.account.number, called, state, now),
        )
        note(sql, now, taken.account.name, "entered a bot", name)


def _shortened(step: CheckStep) -> CheckStep:
    """Return a step with no more text than people read; of output the end is kept."""
    room, shown = LONGEST_TEXT, 0
    for line in reversed(step.show):
        room -= min(len(line), _LINE)
        if room < 0:
            break
        shown += 1
    return msgspec.structs.replace(
        step,
        name=step.name[:200],
        said=step.said[:LONGEST_TEXT],
        show=tuple(line[:_LINE] for line in step.show[len(step.show) - shown :]),
        stderr=step.stderr[-LONGEST_TEXT:],
    )
