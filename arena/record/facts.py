"""What a record keeps of its league as a whole, in one value."""

import hashlib
import re
from pathlib import Path
from typing import Final

import msgspec

from arena import __version__
from arena.league.ledger import is_digest
from arena.league.terms import Terms

_IDENTITY: Final = re.compile(r"[0-9a-f]{32}\Z")


class Facts(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The facts about a league. `identity` is what all copies of its record have in common.

    New deals come from the last of the `seeds`. An open league has one, its season's secret, from
    which the seeds of its orders follow; a record of logs has none, and the site that they are
    from. A league is for `practice` if its seed was given, and so is public. `resumed` are the
    benched bots for which `arena resume` has asked, each once.
    """

    arena: str = __version__
    identity: str
    terms: Terms
    seeds: tuple[str, ...]
    practice: bool = False
    season: int = 1
    resumed: tuple[str, ...] = ()
    site: str | None = None


def first_facts(league: Path | None, terms: Terms, seed: str, practice: bool) -> Facts:
    """Return the facts of a new record. `league` is the path of its file or of the record."""
    place = None if league is None else league.resolve().with_suffix("")
    identity = hashlib.sha256(f"{place}\n{seed}".encode()).hexdigest()[:32]
    return Facts(identity=identity, terms=terms, seeds=(seed,), practice=practice)


def decode_facts(text: str) -> Facts:
    """Return facts from a record. Raises `ValueError` for files that the arena did not name."""
    facts = _DECODER.decode(text)
    digests = (bot.digest for bot in facts.terms.bots.values())
    if not all(map(is_digest, digests)) or not _IDENTITY.match(facts.identity):
        raise ValueError("it names files that no arena has made")
    return facts


_DECODER: Final = msgspec.json.Decoder(Facts)
