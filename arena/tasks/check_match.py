"""A match of the checked bot with partners that follow a script, and the requests in it."""

from collections import Counter
from collections.abc import Collection
from pathlib import Path

import msgspec

from arena.base.words import deal_on_wire
from arena.bots.manifest import read_bot
from arena.engine.builds import prepare
from arena.engine.program import Program
from arena.engine.worker import Job, play_match
from arena.match.log import read_log
from arena.match.logged import play_again
from arena.match.record import MatchRecord
from arena.match.wire import Ready
from arena.sandbox.isolation import Isolation
from arena.tasks.check_failure import CheckFailed, last_lines
from arena.tasks.check_scenes import SEAT, Script
from arena.zole.deal import Seat, active_seats

_SPARRING = read_bot(Path(__file__).with_name("sparring"))


def play_script(program: Program, script: Script, isolation: Isolation) -> MatchRecord:
    """Play a match by its script. Raises `CheckFailed` at the bot's first fault."""
    programs = programs_of(program, script, isolation)
    return play_faultless(Job(script.plan, programs, isolation), (script.seat,))


def play_faultless(job: Job, seats: Collection[Seat]) -> MatchRecord:
    """Play a match. Raises `CheckFailed` at the first fault in one of the seats."""
    record = play_match(job)
    for entry in record.results.faults:
        seat, kind = entry.fault.seat, entry.fault.kind
        if seat in seats:
            again = play_again(job.plan, record.log)
            asked, lines = last_lines(again.transcript(seat), again.sent(seat), entry)
            where = "" if seat == SEAT else f" in seat {seat}"
            what = f"{kind}{where} in {deal_on_wire(entry.deal)}"
            why = f"{what}, asked {asked}: {entry.fault.detail}"
            raise CheckFailed(why, lines, record.stderr[seat], kind)
    return record


def programs_of(program: Program, script: Script, isolation: Isolation) -> tuple[Program, ...]:
    """The program of each seat: the checked bot in its own, partners in the others."""
    partner = prepare(_SPARRING, isolation)
    programs = [
        msgspec.structs.replace(partner, run=(*partner.run, str(script.tables), *habits))
        for habits in script.habits
    ]
    programs[script.seat] = program
    return tuple(programs)


def requests_in(script: Script, record: MatchRecord) -> Counter[str]:
    """The number of requests to the bot of each kind."""
    return Counter(
        str(line.__struct_config__.tag)
        for line, answer in play_again(script.plan, record.log).transcript(script.seat)
        if answer is not None and not isinstance(answer, Ready)
    )


def describe_requests(asked: Counter[str]) -> str:
    """The number of requests of each kind, in words."""
    return "asked " + ", ".join(f"{count} {kind}" for kind, count in asked.items())


def roles_in(script: Script, record: MatchRecord) -> Counter[str]:
    """The number of deals in which the bot had each role."""
    roles: Counter[str] = Counter()
    for deal, course in zip(script.plan.deals, record.results.courses, strict=True):
        contract = course.contract or "without a contract"
        if script.seat not in active_seats(deal.players, deal.dealer):
            roles["sitting out"] += 1
        elif course.declarer == script.seat:
            roles[f"declarer of {contract}"] += 1
        else:
            roles[contract if course.declarer is None else f"against {contract}"] += 1
    return roles


def describe_roles(roles: Counter[str]) -> str:
    """The number of deals in each role, in words, in the order of the alphabet."""
    return "deals: " + ", ".join(f"{count} {role}" for role, count in sorted(roles.items()))


def answer_times(script: Script, record: MatchRecord) -> list[float]:
    """The seconds of each of the bot's answers."""
    _, lines = read_log(record.log)
    return [us / 1e6 for line in lines for seat, _, us in line.steps if seat == script.seat]
