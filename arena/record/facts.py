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
from arena.league.terms import OpenTerms, Terms, TournamentTerms
from arena.record.rows import encode_json

IDENTITY: Final = "identity"
"""The fact that all copies of a record share."""


MAKERS: Final = "makers"
"""The fact that names the version and author of each bot of the league's file."""

SECRETS: Final = "secrets"
"""The fact of an open league that nobody may be shown: see `read_secrets`."""

GIVEN_SEED: Final = "given_seed"
"""The fact of an open league for practice: the seed from which the secrets of its epochs follow."""

SEASON: Final = "season"
"""The fact of an open league that numbers its season; the first one has none."""

RESUMED: Final = "resumed"
"""The fact of an open league that lists the benched bots asked to play again, each once."""

SPENT: Final = "spent"
"""The fact of an open league that went on from a backup: the last epoch whose secret may be known,
since the league that was copied may have shown it. No order is drawn in that epoch or an earlier
one.
"""

FIRST_AT: Final = "first_match_at"
LAST_AT: Final = "last_match_at"
"""The moments at which the first and the last match were stored, in UTC; the first match sets both.
"""


_IDENTITY: Final = re.compile(r"[0-9a-f]{32}\Z")


class Maker(msgspec.Struct, frozen=True):
    """A bot's version and author."""

    version: str
    author: str


class _Kind(msgspec.Struct, frozen=True):
    """The fields that tell the terms of an open league and of a tournament from others."""

    open: dict[str, object] | None = None
    tournament: dict[str, object] | None = None


def first_facts(
    league: Path, terms: Terms, seed: str, practice: bool, **more: str
) -> dict[str, str]:
    """Return the facts of a new record. `league` is the path of its TOML or of the record."""
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
    digests = [*read_terms(facts).bots.values(), *read_secrets(facts).values()]
    if not all(map(is_digest, digests)) or not _IDENTITY.match(facts[IDENTITY]):
        raise ValueError("it names files that no arena has made")


def read_terms(facts: Mapping[str, str]) -> Terms:
    """Return the terms that the league began with, as extended so far."""
    kind = msgspec.json.decode(facts["terms"], type=_Kind)
    form = OpenTerms if kind.open else TournamentTerms if kind.tournament else Terms
    return msgspec.json.decode(facts["terms"], type=form)


def read_seeds(facts: Mapping[str, str]) -> tuple[str, ...]:
    """Return the seeds of the league; new deals use the last."""
    return msgspec.json.decode(facts["seeds"], type=tuple[str, ...])


def read_secrets(facts: Mapping[str, str]) -> dict[int, str]:
    """Return by epoch the secrets that are not yet revealed; nobody may be shown them."""
    return msgspec.json.decode(facts.get(SECRETS, "{}"), type=dict[int, str])


def read_season(facts: Mapping[str, str]) -> int:
    """Return the number of an open league's season."""
    return int(facts.get(SEASON, "1"))


def read_spent(facts: Mapping[str, str]) -> int:
    """Return the last epoch whose secret may be known from elsewhere; 0 for none."""
    return int(facts.get(SPENT, "0"))


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


def _identity(league: Path, seed: str) -> str:
    """Return the identity of a league."""
    place = league.resolve().with_suffix("")
    return hashlib.sha256(f"{place}\n{seed}".encode()).hexdigest()[:32]
