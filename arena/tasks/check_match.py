"""A match of the checked bot with partners of one habit, and the requests to the bot in it."""

from collections import Counter
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path

import msgspec

from arena.bots.manifest import read_bot
from arena.engine.builds import prepare
from arena.engine.program import Program
from arena.engine.worker import Job, play_match
from arena.league.schedule import league_deals, seat_seeds
from arena.match.commands import MatchPlan
from arena.match.log import read_log
from arena.match.logged import play_again, transcript
from arena.match.record import MatchRecord
from arena.match.wire import Limits, Ready
from arena.sandbox.isolation import Isolation
from arena.tasks.check_failure import CheckFailed, last_lines
from arena.zole.cards import INDEX, mask
from arena.zole.deal import Deal, Seat, active_seats
from arena.zole.rules import Rules

SEAT = 1
"""The seat of the checked bot where none is named."""

STRONG = "QC QS JC JS AD TD AC TC"
SURE_SOLO = "QC QS QH QD JC JS JH JD"
WEAK = "8D 7D KC 9C KS 9S KH 9H"
"""Hands that invite an ordinary game, a solo and a pass."""

_SPARRING = read_bot(Path(__file__).with_name("sparring"))


def plan_match(rules: Rules, deals: int, limits: Limits) -> MatchPlan:
    """A match over deals from the seed "check"; the first fault ends it."""
    names = tuple("abcde"[: rules.players])
    some = league_deals(rules, "check", names, 0, deals)
    return MatchPlan(rules, limits, 1, some, seat_seeds(rules, "check", some))


def plan_hands(rules: Rules, hands: Sequence[str], limits: Limits, seat: Seat = SEAT) -> MatchPlan:
    """A match over deals in which the bot holds these hands, in each place from the dealer."""
    players = rules.players
    dealers = cycle(each for each in range(players) if seat in active_seats(players, each))
    deals = [_deal_with(hand, seat, players, next(dealers)) for hand in hands]
    return msgspec.structs.replace(plan_match(rules, 0, limits), deals=deals)


def play_with(
    program: Program, partners: str, plan: MatchPlan, isolation: Isolation, seat: Seat = SEAT
) -> MatchRecord:
    """Play a match with partners of one habit. Raises `CheckFailed` at the bot's first fault."""
    partner = prepare(_SPARRING, isolation)
    partner = msgspec.structs.replace(partner, run=(*partner.run, partners))
    programs = [partner] * plan.rules.players
    programs[seat] = program
    record = play_match(Job(plan, tuple(programs), isolation))
    for entry in record.results.faults:
        if entry.fault.seat == seat:
            again = play_again(plan, record.log)
            asked, lines = last_lines(again.transcript(seat), again.sent(seat), entry.fault)
            kind, detail = entry.fault.kind, entry.fault.detail
            where = "" if seat == SEAT else f" in seat {seat}"
            why = f"{kind}{where} in deal {entry.deal}, asked {asked}: {detail}"
            raise CheckFailed(why, lines, record.stderr[seat], kind)
    return record


def requests_in(plan: MatchPlan, record: MatchRecord, seat: Seat = SEAT) -> Counter[str]:
    """The number of requests to the bot of each kind."""
    return Counter(
        str(line.__struct_config__.tag)
        for line, answer in transcript(plan, record.log, seat)
        if answer is not None and not isinstance(answer, Ready)
    )


def describe_requests(asked: Counter[str]) -> str:
    """The number of requests of each kind, in words."""
    return "asked " + ", ".join(f"{count} {kind}" for kind, count in asked.items())


def answer_times(record: MatchRecord) -> list[float]:
    """The seconds of each of the bot's answers."""
    _, lines = read_log(record.log)
    return [us / 1e6 for line in lines for seat, _, us in line.steps if seat == SEAT]


def _deal_with(hand: str, seat: Seat, players: int, dealer: Seat) -> Deal:
    """A deal in which the bot holds a hand, and the others the rest in the deck's order."""
    mine = mask(INDEX[card] for card in hand.split())
    rest = [card for card in range(26) if not mine >> card & 1]
    others = [each for each in active_seats(players, dealer) if each != seat]
    hands = {seat: mine, others[0]: mask(rest[:8]), others[1]: mask(rest[8:16])}
    dealt = tuple(hands.get(each, 0) for each in range(players))
    return Deal(dealer, dealt, (rest[16], rest[17]))
