"""Gathers what helps an author with a fault: the last lines, the time, and how to reproduce it."""

import shlex
from collections import deque
from typing import Final

import msgspec
from msgspec.structs import replace

from arena.match.commands import AskedStep, Failed, Outcome
from arena.match.log import answer_line
from arena.match.record import ends_program
from arena.match.wire import FaultKind, Ready, ToBot, encode
from arena.record.deals import replay_command
from arena.record.matches import ReplayedMatch, seen
from arena.zole.deal import Seat

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

    `forfeited` counts the further deals lost because the bot had ended, which are no faults of
    their own. `request` counts the bot's requests in the match from 1; `ply` is the moment in the
    deal, as replays count; `detail` names the exit code or signal if the bot ended. The last of
    `lines` is the one that led to the fault, `asked` its request in words. `rerun` is the command
    that feeds a bot the same lines again, deal by deal if the match was played at several `tables`.
    A bot that was never ready was asked nothing: then `unready` is true, and the only line is
    `hello`.
    """

    match: int
    deal: int
    ply: int
    seat: int
    bot: str
    kind: FaultKind
    detail: str
    seconds: float
    forfeited: int
    request: int
    lines: tuple[LineAndAnswer, ...]
    asked: str
    stderr: str
    tables: int
    replay: str
    rerun: str
    unready: bool


def bundles(match: ReplayedMatch, league: str) -> list[Bundle]:
    """Return every fault of a match. `league` names the match in commands."""
    shown = seen(match)
    asked = [0] * len(match.bots)
    kept: list[Bundle] = []
    ended: dict[Seat, int] = {}
    last = [
        deque([_exchange(hello, ready)], LINES)
        for hello, ready in zip(match.match.hellos, match.greeted, strict=True)
    ]
    for deal, watched in zip(match.deals, shown.deals, strict=True):
        for ply, (step, moment) in enumerate(zip(deal.asked, watched.moments, strict=True), 1):
            seat = moment.seat
            asked[seat] += 1
            unready = isinstance(match.greeted[seat], Failed)
            if not unready:
                last[seat].append(_exchange(step.question.line, step.outcome))
            if moment.fault is None:
                continue
            if seat in ended:
                first = kept[ended[seat]]
                kept[ended[seat]] = replace(first, forfeited=first.forfeited + 1)
                continue
            if unready or ends_program(moment.fault):
                ended[seat] = len(kept)
            assert moment.seconds is not None, "its own seat knows its time"
            rerun = ["arena", "rerun", league, str(match.number), "--seat", str(seat)]
            if not unready:
                rerun += ["--until", str(asked[seat])]
            kept.append(
                Bundle(
                    match=match.number,
                    deal=deal.number,
                    ply=ply,
                    seat=seat,
                    bot=match.bots[seat],
                    kind=moment.fault.kind,
                    detail=moment.fault.detail,
                    seconds=moment.seconds,
                    forfeited=0,
                    request=asked[seat],
                    lines=tuple(last[seat]),
                    asked=asked_in_words(step),
                    stderr=shown.stderr[seat] if shown.stderr else "",
                    tables=match.match.tables,
                    replay=replay_command(league, match.number, deal.number, seat),
                    rerun=shlex.join(rerun),
                    unready=unready,
                )
            )
        for seat, end in enumerate(deal.ends):
            last[seat].append(_exchange(end, None))
    return kept


def asked_in_words(step: AskedStep) -> str:
    """A request in words: the seat's hand, the cards laid before it, and the answers allowed."""
    request = step.question.request
    kind = request.__struct_config__.tag
    told = {
        "hand": " ".join(getattr(request, "hand", ())),
        "talon": " ".join(getattr(request, "talon", ())),
        "led": ", ".join(
            f"{each.card} by {'the talon' if each.seat == 'talon' else f'seat {each.seat}'}"
            for each in getattr(request, "trick", ())
        ),
        "allowed": " ".join(getattr(request, "legal", ())),
    }
    return "; ".join((f"asked to {kind}", *(f"{key}: {it}" for key, it in told.items() if it)))


def _exchange(line: ToBot, came: Ready | Outcome | None) -> LineAndAnswer:
    match came:
        case None:
            said = None
        case Failed(kind, detail):
            said = f"{kind}: {detail}"
        case _:
            said = answer_line(came)
    return LineAndAnswer(encode(line).decode().rstrip("\n"), said)
