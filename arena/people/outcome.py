"""What came of a deal, as messages for the person at a terminal."""

from collections.abc import Callable, Iterator
from typing import Final

from arena.match.log import YES_NO
from arena.match.wire import Result
from arena.reports.language import Phrase, Value
from arena.zole.deal import Seat
from arena.zole.rules import Rules
from arena.zole.scoring import Level

# The levels at which the declarer pays.
_LOST: Final[tuple[Level, ...]] = ("31_60", "le30", "no_tricks", "lost")

# What messages say of a seat: the values `who` and `name`.
Who = Callable[[Seat], dict[str, Value]]


def outcome(rules: Rules, result: Result, who: Who) -> Iterator[Phrase]:
    """What was played, what it came to, and by what it was decided."""
    if result.declarer is None:
        ends = {None: "result-none", "table": "result-table"}
        yield Phrase(ends.get(result.contract, "result-thrown-in"))
        if result.contract == "table" and result.fault is None:
            yield _table(rules.table.settlement, result, who)
        return
    count, points = result.tricks.declarer, result.points
    took = Phrase("tricks", {"count": count}) if count else Phrase("no-trick")
    if result.contract != "small_solo" and points.declarer is not None:
        theirs = points.defenders or 0
        took = Phrase(
            "took-points", {"count": points.declarer, "tricks": (took,), "theirs": theirs}
        )
    told = {"game": result.contract or "", "took": (took,), "end": _end(rules, result)}
    yield Phrase("result-declared", {**who(result.declarer), **told})


def _end(rules: Rules, result: Result) -> str:
    if result.level is None:
        return "none"
    lost = result.level in _LOST
    complete = sum(result.tricks.seats) + result.tricks.talon == rules.play.tricks
    failed = result.contract == "small_solo" and lost and result.tricks.declarer
    if complete or failed or result.fault is not None:
        return "lost" if lost else "won"
    return "surrendered" if lost else "conceded"


def _table(settlement: str, result: Result, who: Who) -> Phrase:
    wins = settlement == "fewest_tricks_collects"
    paid = {seat: stakes for seat, stakes in enumerate(result.payments) if stakes}
    decided = [seat for seat, stakes in paid.items() if (stakes > 0) is wins]
    if len(decided) != 1:
        return Phrase("table-tied", {"paid": ("to" if wins else "by") if decided else "none"})
    (seat,) = decided
    counted = result.points.seats if settlement == "most_points_pays" else result.tricks.seats
    tied = any(counted[other] == counted[seat] for other in paid if other != seat)
    told = {"wins": YES_NO[wins], "settlement": settlement, "tied": YES_NO[tied]}
    return Phrase("table-decided", {**who(seat), **told, "count": counted[seat]})
