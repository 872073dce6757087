"""Walking through a stored match in a terminal, key by key."""

import os
import re
import sys
import termios
import tty
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from rich.text import Text

from arena.base.words import whole_number
from arena.match.projection import at, seen_by
from arena.match.replay import SeenMatch
from arena.reports.replay import picture, totals_text
from arena.reports.terminal import console

_HELP = (
    "→ ← step   ↓ ↑ trick   PgDn PgUp deal   Home End   f F fault   0-{last} seat, a all   q quit"
)
_WAYS = {
    "on": "\x1b[C \x1bOC l",
    "back": "\x1b[D \x1bOD h",
    "trick on": "\x1b[B \x1bOB j",
    "trick back": "\x1b[A \x1bOA k",
    "deal on": "\x1b[6~ n",
    "deal back": "\x1b[5~ p",
    "home": "\x1b[H \x1bOH \x1b[1~",
    "end": "\x1b[F \x1bOF \x1b[4~",
    "fault on": "f",
    "fault back": "F",
}
_KEYS = {" ": "on"} | {key: way for way, keys in _WAYS.items() for key in keys.split()}

_KEY = re.compile(r"\x1b\[[0-9;]*[A-Za-z~]|\x1bO.|.", re.DOTALL)
_BEGUN = re.compile(r"\x1b(?:\[[0-9;]*|O)\Z")

# A deal of the match and the number of its moments that are past
StepPlace = tuple[int, int]


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
    fd = sys.stdin.fileno()
    before = termios.tcgetattr(fd)
    try:
        tty.setcbreak(fd)
        with suppress(KeyboardInterrupt):
            yield _pressed(fd)
    finally:
        termios.tcsetattr(fd, termios.TCSADRAIN, before)


def _pressed(fd: int) -> Iterator[str]:
    begun = ""
    while chunk := os.read(fd, 1024):
        keys, begun = keys_in(begun + chunk.decode(errors="replace"))
        yield from keys


def keys_in(text: str) -> tuple[list[str], str]:
    """The keys in a text from a terminal, and the beginning of a key that is not complete yet.

    An arrow is one key of several characters, which a slow line may cut in two.
    """
    begun = _BEGUN.search(text)
    rest = begun[0] if begun else ""
    return _KEY.findall(text.removesuffix(rest)), rest


def moved(
    match: SeenMatch, place: StepPlace, way: str, seat: int | None = None
) -> tuple[StepPlace, str]:
    """The place to which a key leads, and a remark about it. `seat` is the viewer's.

    For a seat that sits out, a deal has only a beginning and an end.
    """
    place = _heard(match, place, seat, back=True)
    to, said = _moved(match, place, way, seat)
    return _heard(match, to, seat, back=to < place), said


# The place, or for a seat that sits out the beginning or the end of the deal
def _heard(match: SeenMatch, place: StepPlace, seat: int | None, back: bool) -> StepPlace:
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


# The beginning, the moments at which a trick is complete, and the end of a deal
def _tricks(match: SeenMatch, deal: int) -> list[int]:
    moments = match.deals[deal].moments
    complete = [ply for ply, each in enumerate(moments, 1) if each.board.winner is not None]
    return sorted({0, *complete, len(moments)})


# The next fault from a place, or the one before.
# A seat is led back only, to what it has seen: it does not know whether a fault is still to come.
# One that sits out hears of a fault at the deal's end.
def _fault(match: SeenMatch, place: StepPlace, way: int, seat: int | None) -> tuple[StepPlace, str]:
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
