"""What is kept of a fault for its author: the last lines, the time, and how to have it again."""

from collections.abc import Iterator
from typing import Final

import msgspec

from arena.match.commands import Failed
from arena.match.log import read_log
from arena.match.logged import Answered, transcript
from arena.match.wire import FaultKind, Ready, encode
from arena.record.matches import StoredMatch, seen

LINES: Final = 6
"""How many of the last lines to a bot a bundle has, with what the bot answered."""

_encoder = msgspec.json.Encoder()


class Exchange(msgspec.Struct, frozen=True):
    """A line to the bot, and its answer as it was understood; None where none was asked for."""

    to_bot: str
    from_bot: str | None


class Bundle(msgspec.Struct, frozen=True):
    """A fault with all that is known about it.

    `request` is which of its answers in the match failed, from 1; `ply` is the moment in the deal,
    as replays count; `detail` names the exit code or the signal where the bot ended. The last of
    `lines` is the one that led to the fault. `rerun` feeds a bot the same lines again; where the
    match was played at several `tables`, deal by deal.
    """

    match: int
    deal: int
    ply: int
    seat: int
    bot: str
    kind: FaultKind
    detail: str
    seconds: float
    request: int
    lines: tuple[Exchange, ...]
    stderr: str
    tables: int
    replay: str
    rerun: str


def bundles(
    match: StoredMatch, league: str, private: bool = True, lines: int = LINES
) -> Iterator[Bundle]:
    """Every fault of a match. `league` is how commands name what the match lies in.

    Unless `private` is asked for, notes, stderr and the fault's details are left out.
    """
    start, _ = read_log(match.record.log)
    tables = min((each.tables for each in start.ready.values()), default=1)
    asked = [0] * len(match.bots)
    exchanges: dict[int, list[tuple[int, Exchange]]] = {}
    for deal in seen(match).deals:
        for ply, moment in enumerate(deal.moments, 1):
            seat = moment.seat
            asked[seat] += 1
            if moment.fault is None:
                continue
            if seat not in exchanges:
                exchanges[seat] = list(_exchanges(match, seat, private))
            last = next(i for i, (n, _) in enumerate(exchanges[seat]) if n == asked[seat])
            upto = [each for _, each in exchanges[seat][: last + 1]]
            stderr = match.record.stderr[seat] if private and match.record.stderr else ""
            yield Bundle(
                match.number,
                deal.deal,
                ply,
                seat,
                match.bots[seat],
                moment.fault.kind,
                moment.fault.detail if private else "",
                moment.seconds,
                asked[seat],
                tuple(upto[-lines:]),
                stderr,
                tables,
                f"arena replay {league} {match.number} --deal {deal.deal} --seat {seat}",
                f"arena rerun {league} {match.number} --seat {seat} --until {asked[seat]}",
            )


def _exchanges(match: StoredMatch, seat: int, private: bool) -> Iterator[tuple[int, Exchange]]:
    """All lines to a seat, each with the number of the request that it is or that it follows."""
    number = 0
    for line, came in transcript(match.plan, match.record.log, seat):
        number += came is not None and not isinstance(came, Ready)
        yield number, Exchange(encode(line).decode().rstrip("\n"), _answer(came, private))


def _answer(came: Answered, private: bool) -> str | None:
    if came is None:
        return None
    if isinstance(came, Failed):
        return f"{came.kind}: {came.detail}" if private else came.kind
    if not private and not isinstance(came, Ready):
        came = msgspec.structs.replace(came, note=None)
    return _encoder.encode(came).decode()
