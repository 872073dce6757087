"""Exports a record to other programs: rows of tables, and logs as each viewer may see them."""

from collections.abc import Callable, Collection, Container, Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Final

import msgspec
from msgspec.structs import replace

from arena.base.harmless import harmless_json
from arena.league.played import MatchOutline
from arena.match.commands import Failed, MatchPlan
from arena.match.log import LoggedDeal, LoggedFailure, read_log
from arena.match.projection import exchange_without_words, plain, public
from arena.record.matches import ReplayedMatch, seen, stored_matches
from arena.record.rows import outline_match
from arena.record.store import Store
from arena.zole.deal import Seat, deal_text

Row = Mapping[str, object]
"""One line of a table: plain values by name."""

_encoder = msgspec.json.Encoder()


class LogHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of an exported log: a match without its log.

    `log` is the number of the format, `due` the number of deals that were to be played. Of the
    `plan`, the log has the deals and the seats' seeds.
    """

    log: int = 2
    league: str | None
    match: MatchOutline
    due: int
    plan: MatchPlan
    stderr: tuple[str, ...]


def viewed_log(match: ReplayedMatch, view: str | None, private: bool) -> str | None:
    """Return a match's log as JSON lines, whole or as a viewer sees it; None without such a viewer.

    The viewer is `public`, or `seat:S`, where S is a seat's number or a bot's name.
    """
    if view is None:
        return whole_log(match, private)
    if view == "public":
        return public_log(match)
    seats = {f"seat:{bot}": match.bots.index(bot) for bot in match.bots}
    seats |= {f"seat:{seat}": seat for seat in range(len(match.bots))}
    return seat_log(match, seats[view], private) if view in seats else None


def whole_log(match: ReplayedMatch, private: bool) -> str:
    """Return a match's log, with the words and times of all bots if `private`, else of none."""
    return _log(match, match.bots if private else (), match.plan.seeds)


def own_log(match: ReplayedMatch, bots: Collection[str]) -> str:
    """Return a match's log for the author of some bots in it.

    It has the words, times and seeds of their seats and of no others. It has all cards: at the end
    of a deal they were sent to every seat.
    """
    seeds = zip(match.plan.seeds, match.bots, strict=True)
    return _log(match, bots, tuple(seed if bot in bots else 0 for seed, bot in seeds))


def public_log(match: ReplayedMatch) -> str:
    """Return the events and results that all seats of a match were sent, as JSON lines."""
    lines: list[object] = [
        {
            "view": "public",
            "league": match.league,
            "match": match.number,
            "bots": match.bots,
            "rules": match.plan.rules,
            "isolation": match.record.isolation,
        }
    ]
    for game in match.deals:
        dealt, *events = msgspec.to_builtins(game.events)
        del dealt["seat"]  # each seat was sent its own
        lines.append({"deal": game.number, "events": [dealt, *events], "result": game.result})
    return _text(lines)


def seat_log(match: ReplayedMatch, seat: Seat, private: bool) -> str:
    """Return every line that a seat was sent and what it answered, as JSON lines.

    Unless `private`, words for its author alone are left out.
    """
    lines: list[object] = [
        {
            "view": "seat",
            "seat": seat,
            "bot": match.bots[seat],
            "league": match.league,
            "match": match.number,
            "isolation": match.record.isolation,
            **({"stderr": match.record.stderr[seat]} if private and match.record.stderr else {}),
        }
    ]
    for exchange in match.transcript(seat):
        line, came = exchange if private else exchange_without_words(*exchange)
        if isinstance(came, Failed):
            lines.append({"to_bot": line, "failed": {"kind": came.kind, "detail": came.detail}})
        elif came is None:
            lines.append({"to_bot": line})
        else:
            lines.append({"to_bot": line, "from_bot": came})
    return _text(lines)


def _log(match: ReplayedMatch, bots: Collection[str], seeds: tuple[int, ...]) -> str:
    """A log as `arena pull` reads it, with the words and times of some bots.

    It has a header (`LogHeader`), who was ready, and a line per deal.
    """
    own = {seat for seat, bot in enumerate(match.bots) if bot in bots}
    plan, record = match.plan, match.record
    start, lines = read_log(record.log)
    head = LogHeader(
        league=match.league,
        match=outline_match(
            match.number, match.bots, match.first, record.results, record.isolation
        ),
        due=len(plan.deals),
        plan=replace(plan, deals=(), seeds=()),
        stderr=tuple(text if seat in own else "" for seat, text in enumerate(record.stderr)),
    )
    told = replace(
        start,
        ready={
            seat: said if seat in own else replace(said, name=None, version=None)
            for seat, said in start.ready.items()
        },
        failed=_plain(start.failed, own),
        seeds=seeds,
    )
    return _text((head, told, *(_own_deal(line, own) for line in lines)))


def _text(lines: Iterable[object]) -> str:
    return "".join(harmless_json(_encoder.encode(line).decode()) + "\n" for line in lines)


def _own_deal(line: LoggedDeal, own: Container[int]) -> LoggedDeal:
    """A deal with private text and times of some seats."""
    mine = {step for step, (who, _, _) in enumerate(line.steps) if who in own}
    return replace(
        line,
        steps=tuple((who, text, us if who in own else 0) for who, text, us in line.steps),
        notes={step: note for step, note in line.notes.items() if step in mine},
        failed=_plain(line.failed, mine),
        sent={step: text for step, text in line.sent.items() if step in mine},
        withheld={step: us for step, us in line.withheld.items() if step in mine},
        stderr={step: text for step, text in line.stderr.items() if step in mine},
    )


def _plain(failed: Mapping[int, LoggedFailure], but: Container[int]) -> dict[int, LoggedFailure]:
    return {key: it if key in but else plain(it.kind) for key, it in failed.items()}


def _matches(store: Store, number: int | None, private: bool) -> Iterator[Row]:
    outlines = list(store.outlines())
    seats = _seats(outlines)
    for each in outlines:
        if number in (None, each.match):
            yield {
                "match": each.match,
                **_by_seat("bot", each.bots, seats),
                "first": each.first,
                "deals": each.deals,
                **_by_seat("stakes", each.stakes, seats),
                "faults": each.faults,
                "disqualified": " ".join(map(str, each.disqualified)),
                "decisions": each.decisions,
                "isolation": each.isolation,
            }


def _games(store: Store, number: int | None, private: bool) -> Iterator[Row]:
    seats = _seats(store.outlines())
    for match in stored_matches(store, number):
        for game in match.deals:
            result = game.result
            yield {
                "match": match.number,
                "deal": game.number,
                "league_deal": match.first + game.number,
                **_by_seat("bot", match.bots, seats),
                "dealer": game.deal.dealer,
                "contract": result.contract,
                "declarer": result.declarer,
                "declarer_points": result.points.declarer,
                "declarer_tricks": result.tricks.declarer,
                "level": result.level,
                **_by_seat("stakes", result.payments, seats),
                "fault_seat": None if result.fault is None else result.fault.seat,
                "fault": None if result.fault is None else result.fault.fault,
            }


def _moves(store: Store, number: int | None, private: bool) -> Iterator[Row]:
    for match in stored_matches(store, number):
        found = seen(match)
        for deal in (found if private else public(found)).deals:
            for ply, moment in enumerate(deal.moments, 1):
                yield {
                    "match": match.number,
                    "deal": deal.deal,
                    "ply": ply,
                    "seat": moment.seat,
                    "bot": match.bots[moment.seat],
                    "ask": moment.ask,
                    "answer": moment.answer,
                    "seconds": moment.seconds,
                    "fault": None if moment.fault is None else moment.fault.kind,
                    **({"note": moment.note, "stderr": moment.stderr} if private else {}),
                }


def _faults(store: Store, number: int | None, private: bool) -> Iterator[Row]:
    for match in stored_matches(store, number, faulty=True):
        for entry in match.record.results.faults:
            yield {
                "match": match.number,
                "deal": entry.deal,
                "seat": entry.fault.seat,
                "bot": match.bots[entry.fault.seat],
                "kind": entry.fault.kind,
                **({"detail": entry.fault.detail} if private else {}),
            }


def _deals(store: Store, number: int | None, private: bool) -> Iterator[Row]:
    played = (game.deal for match in stored_matches(store, number) for game in match.deals)
    for text in dict.fromkeys(map(deal_text, played)):
        yield {"text": text}


def _sets(store: Store, number: int | None, private: bool) -> Iterator[Row]:
    session = store.terms().session
    for block in store.blocks():
        stakes = () if block.stakes is None else block.stakes.stakes.tolist()
        for number_of_set, of_set in enumerate(stakes, block.first // session):
            for bot, mean in zip(block.lineup, of_set, strict=True):
                yield {
                    "lineup": ", ".join(block.lineup),
                    "set": number_of_set,
                    "bot": bot,
                    "stakes_per_deal": mean,
                }


def _reviews(store: Store, number: int | None, private: bool) -> Iterator[Row]:
    from arena.record.reviews import review_rows  # no other export needs them

    yield from review_rows(store, number)


def _seats(outlines: Iterable[MatchOutline]) -> int:
    return max((len(each.bots) for each in outlines), default=0)


def _by_seat(name: str, values: Sequence[object], seats: int) -> Row:
    return {f"{name}_{seat}": value for seat, value in zip_longest(range(seats), values)}


TABLES: Final[dict[str, Callable[[Store, int | None, bool], Iterator[Row]]]] = {
    "sets": _sets,
    "matches": _matches,
    "games": _games,
    "moves": _moves,
    "faults": _faults,
    "deals": _deals,
    "reviews": _reviews,
}
"""The tables by name, with the functions that make their rows."""
