"""The page that replays a match, alone on a disk too, and the document that it shows."""

import re
from collections.abc import Mapping
from typing import Final, get_args

import msgspec

from arena.base.harmless import harmless_values
from arena.match.projection import essentials
from arena.match.replay import SeenDeal, SeenMatch
from arena.match.wire import Dealt
from arena.reports.page_parts import MARKER, PAGE
from arena.review.solver import payments
from arena.review.verdict import Verdict
from arena.zole.rules import Contract, Rules
from arena.zole.scoring import Pools

# JSON has none of these outside its strings, so each may be written as JSON's own escape
_ESCAPED: Final = str.maketrans({each: f"\\u{ord(each):04x}" for each in "<>&\u2028\u2029"})

# What JSON has in which a text may not be harmless: more than printed ASCII and escaped quotes.
_DOUBTFUL: Final = re.compile(rb'[^ -~]|\\[^"\\]')


class Link(msgspec.Struct, frozen=True):
    """The way from a replay to the page that links to it: that page's name, and its address."""

    words: str
    address: str


def replay_document(match: SeenMatch, back: Link | None = None, review: object = None) -> bytes:
    """What the page shows, as JSON."""
    parts = {"match": essentials(match), "back": back, "review": review}
    found = msgspec.json.encode(parts)
    if not _DOUBTFUL.search(found):
        return found
    return msgspec.json.encode(harmless_values(msgspec.to_builtins(parts)))


def replay_page(match: SeenMatch, back: Link | None = None, review: object = None) -> str:
    """The whole page. No text of the match can end the element that holds it, or turn others."""
    document = replay_document(match, back, review).decode().translate(_ESCAPED)
    return PAGE.read_text(encoding="utf-8").replace(MARKER, document)


def page_review(
    match: SeenMatch, verdicts: Mapping[int, tuple[Verdict, ...]], command: str = ""
) -> dict[str, object]:
    """The review of a match's deals by the existing verdicts, as the page knows it.

    Its `command` reviews the match; it is empty where nothing more is to be reviewed. Each deal has
    its `verdicts` in order, None if it has not been reviewed; `paid` is everything that its
    contract may pay, by seat for each outcome, None if nobody declared one. `only` are the bots
    whose answers were reviewed, if not all.
    """
    deals = [
        {"paid": _paid(match.rules, deal), "verdicts": verdicts.get(deal.deal)}
        for deal in match.deals
    ]
    return {"command": command, "deals": deals, "only": _only(match, verdicts)}


def _paid(rules: Rules, deal: SeenDeal) -> tuple[tuple[int, ...], ...] | None:
    board = deal.moments[-1].board if deal.moments else deal.begin
    declarer = board.declarer
    if declarer is None or board.contract not in get_args(Contract):
        return None
    contract = msgspec.convert(board.contract, Contract)
    pools = next((each.pools for each in deal.first if isinstance(each, Dealt)), Pools())
    return payments(rules, deal.active, declarer, contract, pools).paid


# The bots whose answers alone were reviewed; empty if those of all were
def _only(match: SeenMatch, verdicts: Mapping[int, tuple[Verdict, ...]]) -> tuple[str, ...]:
    reviewed = {each.seat for found in verdicts.values() for each in found}
    deals = (deal for deal in match.deals if deal.deal in verdicts)
    played = {each.seat for deal in deals for each in deal.moments if each.ask == "play"}
    return tuple(match.bots[seat] for seat in sorted(reviewed)) if reviewed < played else ()
