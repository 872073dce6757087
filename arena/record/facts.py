"""What a record says of its league as a whole: terms, seeds, whether it is practice, whose it is.

Facts are texts by name.
"""

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

from arena import __version__
from arena.league.terms import Terms
from arena.record.rows import encode_json

SHARD: Final = "shard"
"""The fact that tells the record of a shard from that of a league: which share it is."""

IDENTITY: Final = "identity"
"""The fact that all copies of a record share, and all shards of a league."""


def first_facts(
    league: Path, terms: Terms, seed: str, practice: bool, **more: str
) -> dict[str, str]:
    """What the record of a league begins with. `league` is named by its TOML or its record."""
    return {
        "arena": __version__,
        "seeds": encode_json((seed,)),
        "practice": "yes" if practice else "no",
        "terms": encode_json(terms),
        IDENTITY: _identity(league, seed),
        **more,
    }


def read_terms(facts: Mapping[str, str]) -> Terms:
    """What the league was begun with, as far as it has got."""
    return msgspec.json.decode(facts["terms"], type=Terms)


def read_seeds(facts: Mapping[str, str]) -> tuple[str, ...]:
    """The seeds of the league, the one for new deals last."""
    return msgspec.json.decode(facts["seeds"], type=tuple[str, ...])


def is_practice(facts: Mapping[str, str]) -> bool:
    """Whether the seed was given, so that everybody may know it."""
    return facts["practice"] == "yes"


def find_identity(facts: Mapping[str, str], league: Path) -> str:
    """What all copies of the record share; one without it gets it from where it lies now."""
    return facts.get(IDENTITY) or _identity(league, read_seeds(facts)[0])


def _identity(league: Path, seed: str) -> str:
    """The same for a league and for its shards that are begun beside it, each from its file."""
    place = league.resolve().with_suffix("")
    return hashlib.sha256(f"{place}\n{seed}".encode()).hexdigest()[:32]
