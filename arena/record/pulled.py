"""Logs of matches from elsewhere: each is replayed by the rules, and kept in its own record.

Such a record does not know the league's seed: the deals and the seats' seeds are those of the logs.
"""

import gzip
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import astuple, replace

from arena.base.errors import ArenaError, Mistake
from arena.league.config import LeagueLimits, MatchConfig
from arena.league.schedule import MatchSpec
from arena.league.terms import Entrant, Terms
from arena.match.log import LogMismatch
from arena.match.logged import play_again
from arena.match.record import MatchRecord
from arena.record.export import LogHeader
from arena.record.matches import ReplayedMatch, logged_plan
from arena.record.rows import first_facts, outline_match
from arena.record.store import Store
from arena.zole.rules import contradictions

LARGEST_LOGS: Final = 256 << 20
"""The most bytes that a file of logs may have."""

_HEAD: Final = b'{"log":'

_UNKNOWN: Final = "0" * 64
"""Stands for the content of the bots: logs do not contain it."""


def read_logs(text: bytes, place: str) -> Iterator[ReplayedMatch]:
    """Yield the matches of exported logs.

    Raises `ArenaError`, which names the `place` of the logs, for a match that does not replay.
    """
    begin = 0
    while begin < len(text):
        end = text.find(b"\n" + _HEAD, begin) + 1 or len(text)
        first = text.find(b"\n", begin, end) + 1 or end
        what = "this is not the log of a match"
        try:
            head = msgspec.json.decode(text[begin:first], type=LogHeader)
            what = f"match {head.match.match} is not what was played"
            match = _replayed(head, gzip.compress(text[first:end], 1, mtime=0))
        except (ValueError, RecursionError) as error:
            line = text.count(b"\n", 0, begin) + 1
            raise ArenaError(Mistake(f"{what}: {error}", f"{place}:{line}")) from None
        yield match
        begin = end


def keep_match(record: Path, match: ReplayedMatch, site: str = "") -> bool:
    """Store a match in a record of a site's logs, which is made if there is none.

    Returns whether the match is new. Raises `ArenaError` if the record is of something else.
    """
    terms = _terms(match)
    if not record.exists():
        facts = first_facts(record, terms, "", False)
        Store.create(record, msgspec.structs.replace(facts, seeds=(), site=site)).close()
    with closing(Store.write(record)) as store, store.lock():
        known = _known_terms(store, site)
        both = _joined(known, terms)
        logs = [kept.log for _, _, kept in store.matches(match.number)]
        if both != _joined(terms, known) or logs not in ([], [match.record.log]):
            what = f"match {match.number} is of another league than those in this record"
            raise ArenaError(Mistake(what, str(record), "name another record"))
        if not logs:
            store.set_facts(terms=both)
            store.add(_spec(match), match.record, match.number)
        return not logs


def last_pulled(record: Path, site: str) -> int:
    """Return the number of the last match in a record of a site's logs, 0 if there is none."""
    if not record.exists():
        return 0
    with closing(Store.open(record)) as store:
        _known_terms(store, site)
        return max(store.numbers(), default=0)


def _known_terms(store: Store, site: str) -> Terms:
    """Return the terms of a record of a site's logs. Raises `ArenaError` if it is another."""
    found = store.facts().site
    if found != site:
        what = "this is no record of logs" if found is None else f"this is from {found or 'a file'}"
        raise ArenaError(Mistake(what, str(store.path), "name another record"))
    return store.terms()


def _replayed(head: LogHeader, log: bytes) -> ReplayedMatch:
    """Return a match replayed from its log. Raises `LogMismatch` if its header differs."""
    told, players = head.match, head.plan.rules.players
    for _, what, _ in contradictions(head.plan.rules):
        raise LogMismatch(what)
    seats = len(told.bots) == players and len(head.stderr) in (0, players)
    if not seats or not all(told.bots) or not set(head.plan.people) <= set(range(players)):
        raise LogMismatch(f"it does not have {players} seats")
    session = 1 if head.plan.session is None else head.plan.session
    numbers = (told.match, told.first, session - 1, head.plan.max_faults - 1)
    if not all(0 <= number < 1 << 53 for number in numbers):
        raise LogMismatch("its header has numbers that no match has")
    plan = logged_plan(head.plan, log)
    again = play_again(plan, log)
    results = again.match.results()
    if outline_match(told.match, told.bots, told.first, results, told.isolation) != told:
        raise LogMismatch("its header has other results than its log")
    if len(plan.deals) != head.due and not results.disqualified:
        raise LogMismatch(f"{len(plan.deals)} of {head.due} deals were played")
    match = ReplayedMatch(
        *astuple(again),
        league=head.league,
        number=told.match,
        bots=told.bots,
        first=told.first,
        record=MatchRecord(results=results, log=log, stderr=head.stderr, isolation=told.isolation),
    )
    _spec(match)
    return match


def _terms(match: ReplayedMatch) -> Terms:
    plan = match.plan
    config = MatchConfig(
        name=match.league or "",
        rules=plan.rules,
        limits=LeagueLimits(**msgspec.structs.asdict(plan.limits), max_faults=plan.max_faults),
        session=plan.session,
        people={match.bots[seat]: its for seat, its in plan.people.items()},
    )
    return Terms(config=config, bots=dict.fromkeys(match.bots, Entrant(_UNKNOWN)))


def _joined(one: Terms, other: Terms) -> Terms:
    """Return terms with the bots and people of others.

    The number of players is that of the smaller table: those of a tournament differ.
    """
    assert isinstance(one.config, MatchConfig)
    assert isinstance(other.config, MatchConfig)
    people = one.config.people | other.config.people
    players = min(one.config.rules.players, other.config.rules.players)
    rules = replace(one.config.rules, players=players)
    config = replace(one.config, rules=rules, people=people)
    return replace(one, config=config, bots=one.bots | other.bots)


def _spec(match: ReplayedMatch) -> MatchSpec:
    config, lineup = _terms(match).config, tuple(sorted(set(match.bots)))
    seats = config.seats_of(lineup) if len(lineup) in config.sizes else []
    if match.bots not in seats:
        raise LogMismatch("its bots sit in no seating of a league")
    seating, deals = seats.index(match.bots), len(match.plan.deals)
    return MatchSpec(lineup, match.first, deals, seating, match.bots)
