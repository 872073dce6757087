"""Facts about a record on a page beside its table: its rules, its deals, when it was played."""

import json
from datetime import datetime

from arena.base.words import count
from arena.league.format import order_deals
from arena.record.facts import read_dates
from arena.record.store import Store
from arena.record.summary import Summary
from arena.zole.sources import nearest_preset, titles


def record_facts(store: Store, found: Summary) -> tuple[tuple[str, str], ...]:
    """Facts with their names."""
    preset, changes = nearest_preset(store.terms().rules)
    rules = [f"{preset} ({titles()[preset]})"]
    rules += (f"{key} = {json.dumps(value)}" for key, value in changes.items())
    facts = [("Rules", ", ".join(rules)), ("Deals", _deals(store, found))]
    dates = read_dates(store.facts())
    if dates is not None:
        facts.append(("Played", _played(dates)))
    return tuple(facts)


def _deals(store: Store, found: Summary) -> str:
    """The deals played at each table, and the number of games."""
    terms = store.terms()
    if found.open is not None:
        orders = count(found.open.orders, "order")
        each = count(order_deals(terms.session), "deal")
        return f"{orders} so far, each a table's next {each} in 6 seatings"
    tables = len(terms.lineups)
    if not tables:
        return f"{terms.deals:,} at each table"
    seatings, every = found.seatings or (0, 0)
    games = found.sets_played * (terms.session or 1) * seatings
    at = "at one table" if tables == 1 else f"at each of {tables:,} tables"
    if terms.session:
        at += f" in {count(terms.deals // terms.session, 'session')} of {terms.session}"
    of = "" if seatings == every else f"of {every} "
    return f"{terms.deals:,} {at}, each in {seatings} {of}seatings; {games:,} games count"


def _played(dates: tuple[str, str]) -> str:
    """The moments of the first and the last match, in UTC."""
    first, last = (datetime.fromisoformat(each) for each in dates)
    begin, end = (f"{at.day} {at:%B %Y, %H:%M}" for at in (first, last))
    if first.date() == last.date():
        end = f"{last:%H:%M}"
    return f"{begin} UTC" if begin.endswith(end) else f"{begin} to {end} UTC"
