"""Whatever comes between two orders, the draw that is made and the one that is made again agree."""

import hashlib
import random
from collections.abc import Iterator
from typing import cast

import pytest

from arena.league.config import OpenConfig
from arena.league.ledger import (
    Benched,
    Committed,
    Entry,
    Joined,
    Left,
    Line,
    Ordered,
    Resumed,
    lines_after,
)
from arena.league.open_draw import OpenDraw
from arena.league.outcomes import StoredOutcome
from arena.league.schedule import commitment, seatings
from arena.league.terms import Terms
from arena.record.audit import ledger_flaws
from arena.record.rows import Facts, first_facts
from arena.record.store import Store
from arena.zole.rules import preset
from tests.league.test_terms import open_terms
from tests.support.open_record import AT, SEED


class Chronicle:
    """An open league in memory: a draw that is told at once what its record will say."""

    def __init__(self, bots: str) -> None:
        self.draw = OpenDraw(OpenConfig(rules=preset()))
        self.lines: list[Line] = []
        self.stored: list[StoredOutcome] = []
        self.coming: list[tuple[Ordered, list[tuple[str, ...]]]] = []
        self.content: dict[str, str] = {}
        self.replaced: set[str] = set()
        self.append(Committed(commitment(SEED)))
        for bot in bots:
            self.join(bot)

    def append(self, entry: Entry) -> None:
        [line] = lines_after(self.lines[-1] if self.lines else None, AT, [entry])
        self.draw.apply(line)
        self.lines.append(line)

    def join(self, bot: str) -> None:
        self.content[bot] = hashlib.sha256(bot.encode()).hexdigest()
        self.append(Joined(bot, self.content[bot], f"author of {bot}", False))

    def order(self) -> bool:
        """Write down the next order, if there is one; whether there was."""
        self.bench()
        order = self.draw.next_order()
        if order is None:
            return False
        self.append(order)
        self.coming.append((order, list(seatings(order.lineup, 3))))
        return True

    def play(self, number: int = 0, out: str = "", seconds: float = 1.0) -> None:
        """Store a match of an order that is under way; a bot may be disqualified in it."""
        order, left = self.coming[number]
        seats = left.pop()
        lost = (seats.index(out),) if out in seats else ()
        spent = tuple(seconds if bot < "d" else 1.0 for bot in seats)
        deals = 3 if lost else 10
        match = len(self.stored) + 1
        self.stored.append(
            StoredOutcome(order.lineup, order.first, deals, match, seats, lost, spent)
        )
        self.draw.stored(self.stored[-1])
        if not left:
            del self.coming[number]
        self.bench()

    def play_all(self) -> None:
        while self.coming:
            self.play()

    def bench(self) -> None:
        for bot, why in self.draw.to_bench().items():
            self.append(Benched(bot, why))

    def resumed(self) -> OpenDraw:
        """The draw of an arena that was stopped here and begins again."""
        draw = OpenDraw(OpenConfig(rules=preset()))
        draw.read(self.lines, self.stored)
        return draw

    def flaws(self) -> list[str]:
        return list(ledger_flaws(cast(Store, _Record(self))))


class _Record:
    """What the audit reads of a record."""

    def __init__(self, league: Chronicle) -> None:
        self._league = league

    def terms(self) -> Terms:
        return open_terms(bots=self._league.content)

    def ledger(self) -> list[Line]:
        return self._league.lines

    def outcomes(self) -> Iterator[StoredOutcome]:
        return iter(self._league.stored)

    def facts(self) -> Facts:
        return first_facts(None, self.terms(), SEED, True)


def test_a_bot_that_left_and_came_again_between_two_orders_is_no_false_alarm() -> None:
    """Its matches ended before it left, after it left, or after it came again."""
    for moment in range(3):
        for seconds in (1.0, 40.0):
            league = Chronicle("abcdef")
            for _ in range(4):
                league.order()
                league.play_all()
            league.order()
            [bot, *_] = league.coming[0][0].lineup
            for turn, happen in enumerate((Left(bot, "withdrawn"), None)):
                if turn == moment:
                    while league.coming:
                        league.play(seconds=seconds)
                if happen is not None:
                    league.append(happen)
                else:
                    league.join(bot)
            league.play_all()
            for _ in range(6):
                league.order()
                league.play_all()
            assert league.flaws() == [], (moment, seconds)


def chronicle(seed: int, steps: int) -> Chronicle:
    """A league to which anything may happen at any moment."""
    dice = random.Random(seed)
    league = Chronicle("abcdef")
    weights = {"order": 30, "play": 60, "leave": 4, "come": 6, "replace": 3, "resume": 3}
    weights |= {"bench": 3, "again": 4}
    for _ in range(steps):
        [what] = dice.choices(list(weights), list(weights.values()))
        field = league.draw.ledger
        if what == "order":
            league.order()
        elif what == "play" and league.coming:
            number = dice.randrange(len(league.coming))
            out = dice.choice(league.coming[number][0].lineup) if dice.random() < 0.15 else ""
            for _ in range(dice.randint(1, 6)):
                if len(league.coming) > number:
                    league.play(number, out, dice.choice((0.2, 1.0, 30.0)))
        elif what in ("leave", "replace", "again") and len(field.playing) > 4:
            bot = dice.choice(sorted(field.bots))
            league.append(Left(bot, "replaced" if what == "replace" else "withdrawn"))
            if what == "replace":
                league.replaced.add(bot)
                league.join(f"{bot}{len(league.lines)}")
            elif what == "again":
                if dice.random() < 0.5:
                    league.play_all()
                league.join(bot)
        elif what == "come":
            gone = set("abcdefgh") - field.bots.keys() - {bot[0] for bot in field.bots if bot[1:]}
            for bot in dice.sample(sorted(gone), min(1, len(gone))):
                if bot not in league.replaced:  # its name never comes again
                    league.join(bot)
        elif what == "bench" and len(field.playing) > 3:
            league.append(Benched(dice.choice(sorted(field.playing)), "a word", True))
        elif what == "resume" and field.benched:
            bot = dice.choice(sorted(field.benched))
            if bot in field.benched_by_organiser or field.may_resume(bot):
                league.append(Resumed(bot, bot in field.benched_by_organiser))
    return league


@pytest.mark.parametrize("seed", range(5))
def test_whatever_happens_the_draws_are_the_same_when_made_again(seed: int) -> None:
    league = chronicle(seed, 120)
    assert league.flaws() == []
    drawn, again = league.draw.next_table(), league.resumed()
    assert drawn == again.next_table()
    assert league.draw.half_widths() == pytest.approx(again.half_widths())
