"""Walking through a stored match in a terminal, key by key."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from rich.text import Text

from arena.base.words import whole_number
from arena.match.projection import at, seen_by
from arena.match.replay import SeenMatch
from arena.reports.keys import keys_in, without_echo
from arena.reports.replay import picture, totals_text
from arena.reports.terminal import console

_HELP = (
    "→ ← step   ↓ ↑ trick   PgDn PgUp deal   Home End   f F fault   0-{last} seat, a all   q quit"
)
_KEYS = {
    "\x1b[C": "on",
    "\x1bOC": "on",
    " ": "on",
    "l": "on",
    "\x1b[D": "back",
    "\x1bOD": "back",
    "h": "back",
    "\x1b[B": "trick on",
    "\x1bOB": "trick on",
    "j": "trick on",
    "\x1b[A": "trick back",
    "\x1bOA": "trick back",
    "k": "trick back",
    "\x1b[6~": "deal on",
    "n": "deal on",
    "\x1b[5~": "deal back",
    "p": "deal back",
    "\x1b[H": "home",
    "\x1bOH": "home",
    "\x1b[1~": "home",
    "\x1b[F": "end",
    "\x1bOF": "end",
    "\x1b[4~": "end",
    "f": "fault on",
    "F": "fault back",
}

StepPlace = tuple[int, int]
"""A deal of the match and the number of its moments that are past."""


def walk(match: SeenMatch, deal: int, seat: int | None, faults: bool) -> None:
    """Show one picture a step until the user quits."""
    out = console()
    place: StepPlace = (deal, 0)
    said = ""
    if faults:
        place, said = _fault(match, (deal, 0), 1, None)
    with _keys() as keys, out.screen(hide_cursor=True) as screen:
        while True:
            shown = at(match, *place)
            page = picture(shown if seat is None else seen_by(shown, seat), seat, out.height)
            over = place[0] + (place[1] == len(match.deals[place[0]].moments))
            help_line = _HELP.format(last=len(match.bots) - 1)
            screen.update(page, totals_text(match, over), Text(said or help_line, "reverse"))
            key = next(keys, "q")
            said = ""
            if key in ("q", "\x1b", "\x04"):
                return
            if key == "a":
                seat = None
            elif (number := whole_number(key)) is not None and number < len(match.bots):
                seat = number
            else:
                place, said = moved(match, place, _KEYS.get(key, ""), seat)


@contextmanager
def _keys() -> Iterator[Iterator[str]]:
    """The keys as they are pressed, without an echo, until the input ends or Ctrl-C is pressed."""
    fd = sys.stdin.fileno()
    with suppress(KeyboardInterrupt), without_echo(fd):
        yield _pressed(fd)


def _pressed(fd: int) -> Iterator[str]:
    begun = ""
    while chunk := os.read(fd, 1024):
        keys, begun = keys_in(begun + chunk.decode(errors="replace"))
        yield from keys


def moved(
    match: SeenMatch, place: StepPlace, way: str, seat: int | None = None
) -> tuple[StepPlace, str]:
    """The place to which a key leads, and a remark about it. `seat` is the viewer's.

    For a seat that sits out, a deal has only a beginning and an end.
    """
    place = _heard(match, place, seat, back=True)
    to, said = _moved(match, place, way, seat)
    return _heard(match, to, seat, back=to < place), said


def _heard(match: SeenMatch, place: StepPlace, seat: int | None, back: bool) -> StepPlace:
    """The place, or for a seat that sits out the beginning or the end of the deal."""
    deal = match.deals[place[0]]
    end = len(deal.moments)
    if seat is None or seat in deal.active or place[1] == end:
        return place
    return (place[0], 0 if back or not place[1] else end)


def _moved(match: SeenMatch, place: StepPlace, way: str, seat: int | None) -> tuple[StepPlace, str]:
    deal, ply = place
    last = len(match.deals) - 1
    end = len(match.deals[deal].moments)
    match way:
        case "on" if ply < end:
            return (deal, ply + 1), ""
        case "on" | "deal on" if deal < last:
            return (deal + 1, 0), ""
        case "back" if ply:
            return (deal, ply - 1), ""
        case "back" if deal:
            return (deal - 1, len(match.deals[deal - 1].moments)), ""
        case "deal back" if deal:
            return (deal - 1, 0), ""
        case "trick on":
            ends = [ply for ply in _tricks(match, deal) if ply > place[1]]
            return ((deal, ends[0]), "") if ends else _moved(match, (deal, end), "on", seat)
        case "trick back":
            ends = [ply for ply in _tricks(match, deal) if ply < place[1]]
            return ((deal, ends[-1]), "") if ends else _moved(match, (deal, 0), "back", seat)
        case "home":
            return (deal, 0), ""
        case "end":
            return (deal, end), ""
        case "fault on":
            return _fault(match, place, 1, seat)
        case "fault back":
            return _fault(match, place, -1, seat)
        case "on" | "deal on":
            return place, "this is the end of the match"
        case "back" | "deal back":
            return place, "this is the beginning of the match"
    return place, ""


def _tricks(match: SeenMatch, deal: int) -> list[int]:
    """The beginning, the moments at which a trick is complete, and the end of a deal."""
    moments = match.deals[deal].moments
    complete = [ply for ply, each in enumerate(moments, 1) if each.board.winner is not None]
    return sorted({0, *complete, len(moments)})


def _fault(match: SeenMatch, place: StepPlace, way: int, seat: int | None) -> tuple[StepPlace, str]:
    """The next fault from a place, or the one before.

    A seat is led back only, to what it has seen: it does not know whether a fault is still to come.
    One that sits out hears of a fault at the deal's end.
    """
    if seat is not None and way > 0:
        return place, f"seat {seat} does not know whether a fault comes: a looks from all seats"
    faults = [
        (number, ply)
        for number, deal in enumerate(match.deals)
        for ply, moment in enumerate(deal.moments, 1)
        if moment.fault is not None
    ]
    if way > 0:
        return next(((each, "") for each in faults if each > place), (place, "no fault after this"))
    heard = (_heard(match, each, seat, back=False) for each in reversed(faults))
    return next(((each, "") for each in heard if each < place), (place, "no fault before this"))
