"""The ledger of an open league being played, with the facts that go with its entries."""

from collections import deque
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

import msgspec

from arena.league.field import Field
from arena.league.final import final_orders
from arena.league.format import order_deals
from arena.league.ledger import (
    Begun,
    Closed,
    Committed,
    Entry,
    Joined,
    Left,
    Line,
    Ordered,
    Revealed,
    Sealed,
    epoch_seed,
    field_digest,
    practice_secret,
    read_line,
)
from arena.league.open_draw import OpenDraw
from arena.league.plans import Orders
from arena.league.schedule import commitment, new_seed
from arena.league.terms import OpenTerms
from arena.record.facts import GIVEN_SEED, SECRETS, read_secrets, read_spent
from arena.record.rows import encode_json
from arena.record.writer import Writer
from arena.stats.figures import Lineup

_LONG_AGO: Final = datetime.min.replace(tzinfo=UTC)


class OpenLedger:
    """The decisions so far, and the draw that follows from them.

    `terms` and `seeds` are the record's. The draw knows every entry and every stored match.
    """

    def __init__(self, writer: Writer, terms: OpenTerms) -> None:
        self.terms = terms
        store = self._store = writer.store
        self.seeds = store.seeds()
        self._deals = order_deals(terms.session)
        self.draw = OpenDraw(terms.rules.players, self.terms.open.apart, self._deals)
        self.writer = writer
        self._spent = read_spent(store.facts())
        with store.reading():
            self._read()

    @property
    def field(self) -> Field:
        """The bots in play, by the ledger."""
        return self.draw.field

    @property
    def orders(self) -> Orders:
        """All orders, by lineup and first deal."""
        return self.draw.ledger.orders

    @property
    def epoch_ends(self) -> datetime:
        """The moment at which the epoch under way is old enough to end, in UTC."""
        return _utc(self.draw.ledger.begun) + timedelta(hours=self.terms.open.epoch_hours)

    @property
    def spent(self) -> bool:
        """Whether the secret of the epoch under way may be known: the record is a backup's."""
        return 0 < self.field.epoch <= self._spent

    @property
    def next_trickle(self) -> datetime:
        """The moment of the next order once orders only trickle, in UTC."""
        return _utc(self.draw.ledger.ordered) + timedelta(hours=1 / self.terms.open.trickle)

    @property
    def narrow(self) -> bool:
        """Whether every bot that is drawn has met enough others for the width that is wanted."""
        widths = self.draw.half_widths()
        return bool(widths) and 2 * max(widths.values()) <= self.terms.open.width

    def change_field(self, entries: Sequence[Entry], facts: dict[str, str]) -> None:
        """Append entries of bots that come, leave or play again, with facts."""
        joined = {each.bot: each.content for each in entries if isinstance(each, Joined)}
        bots = dict(sorted({**self.terms.bots, **joined}.items()))
        left = {each.bot for each in entries if isinstance(each, Left)}
        field = (self.field.bots.keys() - left) | joined.keys()
        retired = tuple(name for name in bots if name not in field)
        terms = msgspec.structs.replace(self.terms, bots=bots, retired=retired)
        self.append(entries, {**facts, "terms": encode_json(terms)})
        self.terms = terms

    def append(self, entries: Sequence[Entry], facts: dict[str, str] | None = None) -> None:
        """Append entries, together with facts. Raises `ValueError` for one that cannot follow."""
        self.writer.append(entries, facts, self._apply)

    def note_stored(self) -> None:
        """Tell the draw of the matches that have been stored since it was told last."""
        for outcome in self._store.outcomes(after=self.draw.known):
            self.draw.stored(outcome)

    def begin_epoch(self, more: Iterable[Entry] = ()) -> None:
        """Reveal the epoch under way, if there is one, begin the next and commit to its successor.

        All orders of the epoch must be stored. The entries `more` follow in the same transaction.
        """
        facts = self._store.facts()
        secrets, given, number = read_secrets(facts), facts.get(GIVEN_SEED), self.field.epoch
        entries: list[Entry] = [Revealed(number, secrets.pop(number))] if number else []
        after = new_seed() if given is None else practice_secret(given, number + 2)
        field = field_digest(self.field.contents)
        entries += [Begun(number + 1, field), Committed(number + 2, commitment(after)), *more]
        seeds = (*self.seeds, epoch_seed(secrets[number + 1], field))
        secrets[number + 2] = after
        self.append(entries, {"seeds": encode_json(seeds), SECRETS: encode_json(secrets)})
        self.seeds = seeds

    def close(self, season: int, final: tuple[str, ...]) -> None:
        """Close a season: its whole final is ordered, in an epoch that begins for it."""
        while self.field.epoch < self._spent:
            self.begin_epoch()
        epoch, known = self.field.epoch + 1, self.draw.known
        orders = final_orders(self.terms, self.field, final, epoch, known, self._deals)
        self.begin_epoch((Closed(season, final), *orders))

    def seal(self) -> None:
        """End a closed season whose matches are all stored: its last secret is shown.

        The secret of an epoch that never began is forgotten.
        """
        season, epoch = self.field.season, self.field.epoch
        assert season is not None
        secret = read_secrets(self._store.facts())[epoch]
        self.append((Revealed(epoch, secret), Sealed(season)), {SECRETS: "{}"})

    def order(self, lineup: Lineup) -> Ordered:
        """Write an order for a table into the ledger."""
        first = self.field.deals_of(lineup)
        number, epoch = self.field.orders + 1, self.field.epoch
        order = Ordered(number, lineup, first, self._deals, epoch, self.draw.known, "table")
        self.append([order])
        return order

    def _read(self) -> None:
        """Read the ledger, telling the draw each match before the first order that knew it."""
        outcomes = deque(self._store.outcomes())
        for line in self._store.ledger():
            dated = read_line(line.text)
            if isinstance(dated.entry, Ordered):
                while outcomes and outcomes[0].number <= dated.entry.known:
                    self.draw.stored(outcomes.popleft())
            self.draw.apply(line, dated)
        while outcomes:
            self.draw.stored(outcomes.popleft())

    def _apply(self, line: Line) -> None:
        self.draw.apply(line, read_line(line.text))


def _utc(moment: float | None) -> datetime:
    """A moment of the ledger; long ago if there is none."""
    return _LONG_AGO if moment is None else datetime.fromtimestamp(moment, UTC)
