"""Gathers what helps an author with a fault: the last lines, the time, and how to reproduce it."""

import shlex
from collections import deque
from collections.abc import Iterator
from typing import Final

import msgspec

from arena.match.commands import Failed, Outcome
from arena.match.log import answer_line
from arena.match.projection import exchange_without_words, public
from arena.match.replay import SeenMatch
from arena.match.wire import FaultKind, Ready, ToBot, encode
from arena.record.deals import replay_command
from arena.record.matches import ReplayedMatch

LINES: Final = 6
"""The number of last lines to a bot that a bundle shows, with the bot's answers."""


class LineAndAnswer(msgspec.Struct, frozen=True):
    """A line to the bot, and its answer; None where no answer was due.

    An answer that was not allowed is shown as it was sent, if that was kept; others as understood.
    """

    to_bot: str
    from_bot: str | None


class Bundle(msgspec.Struct, frozen=True):
    """A fault with everything known about it.

    `request` counts the bot's requests in the match from 1; `ply` is the moment in the deal, as
    replays count; `detail` names the exit code or signal if the bot ended. The last of `lines` is
    the one that led to the fault. `rerun` is the command that feeds a bot the same lines again,
    deal by deal if the match was played at several `tables`. A bot that was never ready was asked
    nothing: then `unready` is true, and the only line is `hello`.
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
    lines: tuple[LineAndAnswer, ...]
    stderr: str
    tables: int
    replay: str
    rerun: str
    unready: bool


def bundles(
    match: ReplayedMatch, found: SeenMatch, league: str, private: bool = True
) -> Iterator[Bundle]:
    """Yield every fault of a match. `league` is the name by which commands find the match.

    Unless `private` is set, notes and stderr are left out of what was `found` in the match, and the
    arena's own words replace the details of faults.
    """
    shown = found if private else public(found)
    asked = [0] * len(match.bots)
    last = [
        deque([_exchange(hello, ready, private)], LINES)
        for hello, ready in zip(match.match.hellos, match.greeted, strict=True)
    ]
    for deal, seen in zip(match.deals, shown.deals, strict=True):
        for ply, (step, moment) in enumerate(zip(deal.asked, seen.moments, strict=True), 1):
            seat = moment.seat
            asked[seat] += 1
            unready = isinstance(match.greeted[seat], Failed)
            if not unready:
                last[seat].append(_exchange(step.question.line, step.outcome, private))
            if moment.fault is None:
                continue
            assert moment.seconds is not None, "its own seat knows its time"
            rerun = ["arena", "rerun", league, str(match.number), "--seat", str(seat)]
            if not unready:
                rerun += ["--until", str(asked[seat])]
            yield Bundle(
                match.number,
                deal.number,
                ply,
                seat,
                match.bots[seat],
                moment.fault.kind,
                moment.fault.detail,
                moment.seconds,
                asked[seat],
                tuple(last[seat]),
                shown.stderr[seat] if shown.stderr else "",
                match.match.tables,
                replay_command(league, match.number, deal.number, seat),
                shlex.join(rerun),
                unready,
            )
        for seat, end in enumerate(deal.ends):
            last[seat].append(_exchange(end, None, private))


def _exchange(line: ToBot, came: Ready | Outcome | None, private: bool) -> LineAndAnswer:
    to_bot, from_bot = (line, came) if private else exchange_without_words(line, came)
    match from_bot:
        case None:
            said = None
        case Failed(kind, detail):
            said = f"{kind}: {detail}"
        case _:
            said = answer_line(from_bot)
    return LineAndAnswer(encode(to_bot).decode().rstrip("\n"), said)
