"""Facts about a record on a page beside its table: its rules, its deals, when it was played."""

import json
from collections.abc import Iterator
from datetime import datetime

from arena.base.language import Language, Saying
from arena.league.format import order_deals
from arena.record.facts import read_dates
from arena.record.store import Store
from arena.record.summary import Summary
from arena.zole.sources import nearest_preset, titles


def record_facts(
    store: Store, found: Summary, language: Language
) -> Iterator[tuple[Saying, Saying]]:
    """Facts with their names; days are written as in a language."""
    preset, changes = nearest_preset(store.terms().rules)
    changed = "".join(f", {key} = {json.dumps(value)}" for key, value in changes.items())
    rules = {"preset": preset, "title": titles()[preset], "changes": changed}
    yield Saying("fact", {"fact": "rules"}), Saying("rules-by", {**rules})
    yield Saying("fact", {"fact": "deals"}), _deals(store, found)
    dates = read_dates(store.facts())
    if dates is not None:
        yield Saying("fact", {"fact": "played"}), _played(dates, language)


def _deals(store: Store, found: Summary) -> Saying:
    """The deals played at each table, and the number of games."""
    terms = store.terms()
    if found.open is not None:
        orders = {"count": found.open.orders, "deals": order_deals(terms.session)}
        return Saying("orders-so-far", {**orders})
    if found.tournament is not None:
        rounds = {"count": found.tournament.rounds, "deals": found.tournament.deals}
        return Saying("deals-in-rounds", {**rounds})
    if not terms.lineups:
        return Saying("deals-at-each-table", {"deals": terms.deals})
    seatings, every = found.seatings or (0, 0)
    session = terms.session or 0
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


def _played(dates: tuple[str, str], language: Language) -> Saying:
    """The moments of the first and the last match, in UTC."""
    first, last = (datetime.fromisoformat(each) for each in dates)
    begin = {"day": language.date(first), "time": f"{first:%H:%M}"}
    end = {"endday": language.date(last), "endtime": f"{last:%H:%M}"}
    if first.date() != last.date():
        return Saying("from-to-days", {**begin, **end})
    same = begin["time"] == end["endtime"]
    return Saying("day-and-time" if same else "from-to-times", {**begin, **end})
