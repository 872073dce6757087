"""Records of open leagues, played by functions in place of bots, all in this process."""

import hashlib
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec

from arena.league.config import OpenConfig
from arena.league.fold import LedgerFold
from arena.league.ledger import (
    Benched,
    Committed,
    Entry,
    Joined,
    Line,
    Ordered,
    lines_after,
    order_seed,
    read_line,
)
from arena.league.open_draw import OpenDraw
from arena.league.schedule import commitment
from arena.league.terms import Entrant, match_plan, order_matches
from arena.match.commands import Failed, MatchPlan, Question, Said
from arena.match.logged import play_again
from arena.match.record import MatchRecord
from arena.record.rows import first_facts
from arena.record.store import Store
from arena.stats.figures import Lineup
from tests.league.test_schedule import open_terms
from tests.support.alike import Step, played
from tests.support.scripted import made_up
from tests.support.transcripts import simple

SEED = "7"
AT = "2026-01-01T00:00:00+00:00"


def lines_of(*entries: Entry) -> list[Line]:
    """The lines of a ledger, each a minute after the one before."""
    lines: list[Line] = []
    for minute, entry in enumerate(entries):
        at = f"2026-01-01T00:{minute:02}:00+00:00"
        lines += lines_after(lines[-1] if lines else None, at, [entry])
    return lines


def fold_of(*entries: Entry) -> LedgerFold:
    """What the ledger of a league for three comes to."""
    found = LedgerFold(3)
    for line in lines_of(*entries):
        found.apply(line)
    return found


def entries_in(store: Store) -> list[Entry]:
    """What the lines of a record's ledger say."""
    return [read_line(line.text).entry for line in store.ledger()]


class Opened:
    """The record of an open league that begins for practice. Its bots are each of an author."""

    def __init__(self, path: Path, bots: str = "abcd", logs: bool = False) -> None:
        self.path = path
        self.logs = logs
        self.terms = open_terms(name=path.stem, bots={})
        assert isinstance(self.terms.config, OpenConfig)
        self.draw = OpenDraw(self.terms.config)
        self.seeds: list[str] = []
        self.store = Store.create(path, first_facts(path, self.terms, SEED, True))
        self.store = self.store
        self.append(Committed(commitment(SEED)))
        self.join(*bots)

    def configure(self, **more: object) -> OpenConfig:
        """Store other settings of the league, and return them all."""
        config = msgspec.structs.replace(self.terms.config, **more)
        assert isinstance(config, OpenConfig)
        self.terms = msgspec.structs.replace(self.terms, config=config)
        self.store.set_facts(terms=self.terms)
        self.draw = OpenDraw(config)
        self.draw.read(self.store.ledger(), self.store.outcomes())
        return config

    def append(self, *entries: Entry, **facts: Any) -> None:
        """Append entries, always at the same moment, and tell the draw of them."""
        with patch("arena.record.store._now", lambda: AT):
            lines = self.store.append(entries, **facts)
        for line in lines:
            self.draw.apply(line)

    def join(self, *names: str, house: bool = False) -> None:
        """Let bots come."""
        joined = [
            Joined(name, hashlib.sha256(name.encode()).hexdigest(), f"author of {name}", house)
            for name in names
        ]
        bots = self.terms.bots | {each.bot: Entrant(each.content, each.author) for each in joined}
        self.terms = msgspec.structs.replace(self.terms, bots=bots)
        self.append(*joined, terms=self.terms)

    def order(self) -> Ordered:
        """Write down the next order."""
        lineup = self.draw.next_table()
        assert lineup is not None
        return self.order_of(lineup)

    def order_of(self, lineup: Lineup) -> Ordered:
        """Write down an order of this table."""
        order = self.draw.order_of(lineup)
        self.append(order)
        self.seeds.append(order_seed(SEED, self.draw.ledger.hash))
        return order

    def play(self, order: Ordered, out: str = "") -> None:
        """Play an order's matches; a bot may be disqualified in the second deal of each."""
        for spec in order_matches(self.terms, order):
            if self.logs:
                plan = match_plan(self.terms, self.seeds, spec)
                record = play_scripted(plan)
            else:
                seats = tuple(seat for seat, bot in enumerate(spec.seats) if bot == out)
                record = made_up([(0, 0, 0)] * (2 if seats else 10), disqualified=seats)
            self.store.add(spec, msgspec.structs.replace(record, held_s=(0.5, 0.5, 1.0)))
            for outcome in self.store.outcomes(after=self.draw.known):
                self.draw.stored(outcome)
            for bot, why in self.draw.to_bench().items():
                self.append(Benched(bot, why))

    def go_on(self, orders: int) -> None:
        """Order and play so many tables, one after another."""
        for _ in range(orders):
            self.play(self.order())


def play_scripted(plan: MatchPlan) -> MatchRecord:
    """The record of a match that simple bots play."""
    answer = simple()

    def said(_: int, question: Question) -> Step:
        reply = answer(question.request)
        assert not isinstance(reply, Failed)
        return Step(question, Said(reply, 1000), False)

    _, log = played(plan, said)
    return MatchRecord(
        results=play_again(plan, log).match.results(),
        log=log,
        stderr=("", "", ""),
        isolation="none",
    )


def open_record(path: Path, orders: int = 6, logs: bool = False) -> Path:
    """A closed record of an open league, with some orders."""
    league = Opened(path, logs=logs)
    with closing(league.store):
        league.go_on(orders)
    return path
