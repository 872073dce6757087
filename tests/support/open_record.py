"""Records of open leagues, played by functions in place of bots, all in this process."""

import hashlib
from contextlib import closing
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec

from arena.league.config import OpenConfig
from arena.league.ledger import Benched, Committed, Entry, Joined, Ordered, order_seed, read_line
from arena.league.open_draw import OpenDraw
from arena.league.schedule import commitment
from arena.league.terms import Entrant, match_plan, order_matches
from arena.record.rows import first_facts
from arena.record.store import Store
from arena.stats.figures import Lineup
from tests.league.test_schedule import open_terms
from tests.match.test_record import record_of
from tests.support.present import present
from tests.support.scripted import drive, made_up
from tests.support.transcripts import simple_reply

SEED = "7"
AT = "2026-01-01T00:00:00+00:00"


def entries_in(store: Store) -> list[Entry]:
    """What the lines of a record's ledger say."""
    return [read_line(line.text).entry for line in store.ledger()]


class Opened:
    """The record of an open league that begins for practice. Its bots are each of an author."""

    def __init__(self, path: Path, bots: str = "abcd", logs: bool = False, **settings: Any) -> None:
        self.path, self.logs = path, logs
        self.terms = open_terms(name=path.stem, bots={}, **settings)
        self.seeds: list[str] = []
        self.store = Store.create(path, first_facts(path, self.terms, SEED, True))
        self._begin_draw()
        self.append(Committed(commitment(SEED)))
        self.join(*bots)

    def _begin_draw(self) -> None:
        assert isinstance(self.terms.config, OpenConfig)
        self.draw = OpenDraw(self.terms.config)
        self.draw.read(self.store.ledger(), self.store.outcomes())

    def configure(self, **more: object) -> None:
        """Store other settings of the league."""
        config = msgspec.structs.replace(self.terms.config, **more)
        self.terms = msgspec.structs.replace(self.terms, config=config)
        self.store.set_facts(terms=self.terms)
        self._begin_draw()

    def append(self, *entries: Entry, **facts: Any) -> None:
        """Append entries, always at the same moment, and tell the draw of them."""
        with patch("arena.record.store._now", lambda: AT):
            for line in self.store.append(entries, **facts):
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

    def order(self, lineup: Lineup | None = None) -> Ordered:
        """Write down the next order, or one of this table."""
        order = self.draw.order_of(lineup or present(self.draw.next_table()))
        self.append(order)
        self.seeds.append(order_seed(SEED, self.draw.ledger.hash))
        return order

    def play(self, order: Ordered, out: str = "") -> None:
        """Play an order's matches; a bot may be disqualified in the second deal of each."""
        for spec in order_matches(self.terms, order):
            if self.logs:
                plan = match_plan(self.terms, self.seeds, spec)
                record = record_of(plan, drive(plan, lambda _, request: simple_reply(5, request)))
            else:
                seats = tuple(seat for seat, bot in enumerate(spec.seats) if bot == out)
                record = made_up([(0, 0, 0)] * (2 if seats else 10), disqualified=seats)
            more = {"held_s": (0.5, 0.5, 1.0), "stderr": ("", "", "")}
            self.store.add(spec, msgspec.structs.replace(record, **more))
            for outcome in self.store.outcomes(after=self.draw.known):
                self.draw.stored(outcome)
            for bot, why in self.draw.to_bench().items():
                self.append(Benched(bot, why))

    def go_on(self, orders: int) -> None:
        """Order and play so many tables, one after another."""
        for _ in range(orders):
            self.play(self.order())


def open_record(path: Path, orders: int = 6, logs: bool = False, **settings: Any) -> Path:
    """A closed record of an open league, with some orders."""
    league = Opened(path, logs=logs, **settings)
    with closing(league.store):
        league.go_on(orders)
    return path
