"""Checks that terms read from a record can be those of a league, before anything uses them."""

import math
import re
from collections.abc import Iterator
from typing import Final

from arena.base.words import deal_name
from arena.league.calendar import YEARS
from arena.league.format import MOST_DEALS, MOST_ROUNDS
from arena.league.schedule import too_many
from arena.league.terms import OpenTerms, Terms, TournamentTerms
from arena.zole.rules import contradictions

MOST_MATCHES: Final = 5_000_000
"""The most matches that a league may have."""

MOST_IN_A_TOURNAMENT: Final = 2000
"""The most bots of a tournament: pairing a round of so many takes a minute."""

_DIGEST: Final = re.compile(r"[0-9a-f]{64}\Z")


def is_digest(text: str) -> bool:
    """Whether a text is a SHA-256 in hexadecimal digits, and so names nothing else."""
    return _DIGEST.match(text) is not None


def terms_flaw(terms: Terms) -> str | None:
    """The reason why no league can have these terms, or None."""
    return next(_flaws(terms), None)


def _flaws(terms: Terms) -> Iterator[str]:
    players = terms.rules.players
    for key, what, _ in contradictions(terms.rules):
        yield f"{'.'.join(key)}: {what}"
    if terms.max_faults < 1:
        yield "a limit is below 1"
    for limits in (terms.limits, *terms.people.values()):
        if limits.line_bytes < 1:
            yield "a limit is below 1"
        for seconds in (limits.move_s, limits.start_s):
            if seconds is not None and not 0 < seconds < math.inf:
                yield f"{seconds} is not a time"
    for bot, digest in terms.bots.items():
        if not is_digest(digest):
            yield f"{digest[:20]} is not the hash of a bot"
        if not bot:
            yield "a bot has no name"
    yield from _unknown(terms)
    if terms.session is not None and not 1 <= terms.session <= MOST_DEALS:
        yield f"a session has {terms.session} deals"
    if terms.seatings is not None and not 1 <= terms.seatings <= math.factorial(players):
        yield f"there are {terms.seatings} seatings"
    if len(terms.always) >= players:
        yield "too many bots sit at every table"
    if terms.mirror and players != 3:
        yield "only tables of three mirror"
    if isinstance(terms, OpenTerms):
        yield from _open(terms)
        return
    if isinstance(terms, TournamentTerms):
        yield from _tournament(terms)
        yield from _deals(terms)
        return
    field = len(terms.bots) - len(terms.retired)
    if too_many(field, players, terms.mirror):
        yield f"{field} bots form too many tables"
        return
    yield from _deals(terms)


def _unknown(terms: Terms) -> Iterator[str]:
    """Flaws of bots that are named but not listed."""
    named = {*terms.always, *terms.retired, *terms.people}
    for trio in terms.trios or ():
        named |= set(trio)
        if len(trio) not in (2, terms.rules.players):
            yield f"a table has {len(trio)} bots"
    if not named <= terms.bots.keys():
        yield f"there is no bot {min(named - terms.bots.keys())}"
    if terms.authors is not None and not terms.bots.keys() <= terms.authors.keys():
        yield "a bot has no author"


def _open(terms: OpenTerms) -> Iterator[str]:
    """Flaws of an open league's terms."""
    if terms.blocks or terms.mirror or terms.always or terms.trios is not None:
        yield "an open league has tables that were fixed beforehand"
    if terms.rules.players != 3:
        yield f"an open league has tables of {terms.rules.players}"
    for name in ("width", "epoch_hours", "trickle"):
        value: float = getattr(terms.open, name)
        if not 0 < value < math.inf:
            yield f"{name} is {value}"
    for moment in (terms.open.submit_until, terms.open.close_at):
        if moment is not None and moment.year not in YEARS:
            yield f"{moment} is no moment of a season"
    if terms.open.final < 3 or not 1 <= terms.open.final_deals <= MOST_DEALS:
        yield f"a final has {terms.open.final} bots and {terms.open.final_deals} deals"


def _tournament(terms: TournamentTerms) -> Iterator[str]:
    """Flaws of a tournament's terms, besides those of its deals."""
    if terms.mirror or terms.always or terms.trios is not None:
        yield "a tournament has tables that were fixed beforehand"
    if terms.rules.players != 3 or len(terms.bots) - len(terms.retired) < 3:
        yield "a tournament has no table of three"
    if len(terms.bots) > MOST_IN_A_TOURNAMENT:
        yield f"{len(terms.bots)} bots are too many for a tournament"
    form = terms.tournament
    if not 1 <= form.rounds <= MOST_ROUNDS or form.rounds != len(terms.blocks):
        yield f"there are {len(terms.blocks)} runs of deals in {form.rounds} rounds"
    if len({deals for _, deals in terms.blocks}) > 1:
        yield "rounds differ in length"
    if len(form.points) != 4 or not all(0 <= each < math.inf for each in form.points):
        yield "points are not those of four places"
    if terms.listed and set(terms.listed) != terms.bots.keys():
        yield "the list of bots by strength has others than play"


def _deals(terms: Terms) -> Iterator[str]:
    if math.factorial(terms.rules.players) * len(terms.blocks) > MOST_MATCHES:
        yield f"there are {len(terms.blocks)} runs of deals"
    begun = 0
    for first, deals in terms.blocks:
        if first != begun or not 1 <= deals <= MOST_DEALS:
            yield f"{deals} deals from {deal_name(first)} on are not a run of deals"
        if deals % (terms.session or 1):
            yield f"{deals} deals are not whole sessions"
        begun += deals
    if terms.width is not None and not 0 < terms.width < math.inf:
        yield f"{terms.width} is not a width"
    if terms.max_deals is not None and not 1 <= terms.max_deals <= MOST_DEALS:
        yield f"{terms.max_deals} is not a number of deals"
