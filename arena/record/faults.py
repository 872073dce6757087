"""Gathers what helps an author with a fault: the last lines, the time, and how to reproduce it."""

import shlex
from collections.abc import Iterator
from typing import Final

import msgspec

from arena.match.commands import Failed
from arena.match.log import answer_line
from arena.match.logged import Answered
from arena.match.projection import exchange_without_words, public
from arena.match.replay import SeenMatch
from arena.match.wire import FaultKind, Ready, encode
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
    match: ReplayedMatch, found: SeenMatch, league: str, private: bool = True, lines: int = LINES
) -> Iterator[Bundle]:
    """Yield every fault of a match. `league` is the name by which commands find the match.

    Unless `private` is set, notes and stderr are left out of what was `found` in the match, and the
    arena's own words replace the details of faults.
    """
    shown = found if private else public(found)
    named = shlex.quote(league)
    greeted = (each for each in match.greeted if isinstance(each, Ready))
    tables = min((each.tables for each in greeted), default=1)
    asked = [0] * len(match.bots)
    exchanges: dict[int, list[tuple[int, LineAndAnswer]]] = {}
    for deal in shown.deals:
        for ply, moment in enumerate(deal.moments, 1):
            seat = moment.seat
            asked[seat] += 1
            if moment.fault is None:
                continue
            if seat not in exchanges:
                exchanges[seat] = list(_exchanges(match, seat, private))
            unready = isinstance(match.greeted[seat], Failed)
            last = (
                0
                if unready
                else next(i for i, (n, _) in enumerate(exchanges[seat]) if n == asked[seat])
            )
            assert moment.seconds is not None, "its own seat knows its time"
            until = "" if unready else f" --until {asked[seat]}"
            upto = [each for _, each in exchanges[seat][: last + 1]]
            yield Bundle(
                match.number,
                deal.deal,
                ply,
                seat,
                match.bots[seat],
                moment.fault.kind,
                moment.fault.detail,
                moment.seconds,
                asked[seat],
                tuple(upto[-lines:]),
                shown.stderr[seat] if shown.stderr else "",
                tables,
                replay_command(league, match.number, deal.deal, seat),
                f"arena rerun {named} {match.number} --seat {seat}{until}",
                unready,
            )


def _exchanges(
    match: ReplayedMatch, seat: int, private: bool
) -> Iterator[tuple[int, LineAndAnswer]]:
    """Yield all lines to a seat, each with the number of the request that it is or follows."""
    number = 0
    sent = match.sent(seat) if private else {}
    for line, came in match.transcript(seat):
        answers = came is not None and not isinstance(came, Ready)
        number += answers
        to_bot, from_bot = (line, came) if private else exchange_without_words(line, came)
        said = sent[number] if answers and number in sent else _answer(from_bot)
        yield number, LineAndAnswer(encode(to_bot).decode().rstrip("\n"), said)


def _answer(came: Answered) -> str | None:
    match came:
        case None:
            return None
        case Failed(kind, detail):
            return f"{kind}: {detail}"
    return answer_line(came)
