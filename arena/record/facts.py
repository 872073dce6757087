"""The facts that a record keeps of its league as a whole: terms, seeds, practice, identity.

A fact is a string, stored under a name.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

import msgspec

from arena import __version__
from arena.bots.manifest import Bot
from arena.league.ledger import is_digest
from arena.league.terms import Terms
from arena.record.rows import encode_json

IDENTITY: Final = "identity"
"""The fact that all copies of a record share."""


MAKERS: Final = "makers"
"""The fact that names the version and author of each bot of the league's file."""

SEASON: Final = "season"
"""The fact of an open league that numbers its season; the first one has none."""

RESUMED: Final = "resumed"
"""The fact of an open league that lists the benched bots asked to play again, each once."""

ORIGIN: Final = "site"
"""The fact that names the site of a record of logs; it is empty if they came as a file."""

FIRST_AT: Final = "first_match_at"
LAST_AT: Final = "last_match_at"
"""The moments at which the first and the last match were stored, in UTC; the first match sets both.
"""


_TERMS: Final = msgspec.json.Decoder(Terms)
_IDENTITY: Final = re.compile(r"[0-9a-f]{32}\Z")


class Maker(msgspec.Struct, frozen=True):
    """A bot's version and author."""

    version: str
    author: str


def first_facts(
    league: Path | None, terms: Terms, seed: str, practice: bool, **more: str
) -> dict[str, str]:
    """Return the facts of a new record. `league` is the path of its file or of the record."""
    return {
        "arena": __version__,
        "seeds": encode_json((seed,)),
        "practice": "yes" if practice else "no",
        "terms": encode_json(terms),
        IDENTITY: _identity(league, seed),
        **more,
    }


def check_facts(facts: Mapping[str, str]) -> None:
    """Raise `ValueError` for facts that name files which the arena would not have named."""
    digests = read_terms(facts).bots.values()
    if not all(map(is_digest, digests)) or not _IDENTITY.match(facts[IDENTITY]):
        raise ValueError("it names files that no arena has made")


def read_terms(facts: Mapping[str, str]) -> Terms:
    """Return the terms that the league began with, as extended so far."""
    return _TERMS.decode(facts["terms"])


def read_seeds(facts: Mapping[str, str]) -> tuple[str, ...]:
    """Return the seeds of the league; new deals use the last.

    An open league has one, its season's secret, from which the seeds of its orders follow. A record
    of logs has none.
    """
    return msgspec.json.decode(facts["seeds"], type=tuple[str, ...])


def read_season(facts: Mapping[str, str]) -> int:
    """Return the number of an open league's season."""
    return int(facts.get(SEASON, "1"))


def read_resumed(facts: Mapping[str, str]) -> tuple[str, ...]:
    """Return the bots of an open league that `arena resume` has asked for so far."""
    return msgspec.json.decode(facts.get(RESUMED, "[]"), type=tuple[str, ...])


def read_makers(facts: Mapping[str, str]) -> dict[str, Maker]:
    """Return the versions and authors of the bots that the league's file named, by bot."""
    return msgspec.json.decode(facts.get(MAKERS, "{}"), type=dict[str, Maker])


def read_dates(facts: Mapping[str, str]) -> tuple[str, str] | None:
    """Return the moments of the first and the last match, in UTC; None before the first."""
    return (facts[FIRST_AT], facts[LAST_AT]) if LAST_AT in facts else None


def makers_fact(facts: Mapping[str, str], bots: Iterable[Bot]) -> str:
    """Return the fact `MAKERS` with some bots added."""
    found = {bot.name: Maker(bot.version, bot.author) for bot in bots}
    return encode_json({**read_makers(facts), **found})


def is_practice(facts: Mapping[str, str]) -> bool:
    """Return whether the league is for practice: its seed was given, and so is public."""
    return facts["practice"] == "yes"


def _identity(league: Path | None, seed: str) -> str:
    """Return the identity of a league."""
    place = None if league is None else league.resolve().with_suffix("")
    return hashlib.sha256(f"{place}\n{seed}".encode()).hexdigest()[:32]
