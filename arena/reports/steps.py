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
    out, place = console(), (deal, 0)
    place, said = moved(match, place, "fault on") if faults else (place, "")
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

    For a seat that sits out, a deal has only a beginning and an end. A seat is led back to faults
    only, not on: it does not know whether one is still to come.
    """
    deal, ends = place[0], [len(deal.moments) for deal in match.deals]
    places = [
        (number, ply)
        for number, each in enumerate(match.deals)
        for ply in range(ends[number] + 1)
        if seat is None or seat in each.active or ply in (0, ends[number])
    ]
    place = place if place in places else (deal, 0)
    kind, _, direction = way.rpartition(" ")
    if way in ("home", "end"):
        return (deal, 0 if way == "home" else ends[deal]), ""
    if way == "fault on" and seat is not None:
        return place, f"seat {seat} does not know whether a fault comes: a looks from all seats"
    stops = places
    if kind:
        wanted = _stops(match, kind)
        stops = [each if each in places else (each[0], ends[each[0]]) for each in wanted]
    if direction == "on":
        found, end = next((each for each in stops if each > place), None), "end"
    else:
        found, end = next((each for each in reversed(stops) if each < place), None), "beginning"
    if found is not None and direction:
        return found, ""
    if kind == "fault":
        return place, f"no fault {'after' if direction == 'on' else 'before'} this"
    return place, f"this is the {end} of the match" if direction else ""


# The places at which one can stop by deals, by tricks or by faults
def _stops(match: SeenMatch, kind: str) -> list[StepPlace]:
    found: list[StepPlace] = []
    for number, deal in enumerate(match.deals):
        moments = [*enumerate(deal.moments, 1)]
        if kind == "fault":
            plies = [ply for ply, each in moments if each.fault is not None]
        elif kind == "trick":
            taken = (ply for ply, each in moments if each.board.winner is not None)
            plies = sorted({0, *taken, len(moments)})
        else:
            plies = [0]
        found += [(number, ply) for ply in plies]
    return found
