"""Facts about a record on a page beside its table: its rules and its deals."""

import json
from collections.abc import Iterator

from arena.league.config import OpenConfig
from arena.record.store import Store
from arena.record.summary import Summary
from arena.reports.language import Saying
from arena.zole.sources import nearest_preset, sources


def record_facts(store: Store, found: Summary) -> Iterator[tuple[Saying, Saying]]:
    """Facts with their names."""
    preset, changes = nearest_preset(store.terms().config.rules)
    changed = "".join(f", {key} = {json.dumps(value)}" for key, value in changes.items())
    rules = {"preset": preset, "title": sources().titles[preset], "changes": changed}
    yield Saying("fact", {"fact": "rules"}), Saying("rules-by", {**rules})
    yield Saying("fact", {"fact": "deals"}), _deals(store, found)


def _deals(store: Store, found: Summary) -> Saying:
    """The deals played at each table, and the number of games."""
    terms = store.terms()
    if found.open is not None and isinstance(terms.config, OpenConfig):
        orders = {"count": found.open.orders, "deals": terms.config.order_deals}
        return Saying("orders-so-far", {**orders})
    if found.tournament is not None:
        rounds = {"count": found.tournament.rounds, "deals": found.tournament.deals}
        return Saying("deals-in-rounds", {**rounds})
    if not terms.lineups:
        return Saying("deals-at-each-table", {"deals": terms.deals})
    seatings, every = found.seatings or (0, 0)
    session = terms.config.session or 0
    values = {
        "deals": terms.deals,
        "tables": len(terms.lineups),
        "sessions": terms.deals // session if session else 0,
        "session": session,
        "seatings": seatings,
        "every": 0 if seatings == every else every,
        "games": found.sets_played * (session or 1) * seatings,
    }
    return Saying("deals-at-tables", {**values})
