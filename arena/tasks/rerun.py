"""A bot fed its logged lines again: its answers now, compared with those it gave then."""

import shlex
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import msgspec
import trio

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.resources import over
from arena.bots.manifest import read_bot
from arena.engine.builds import cache, copy_path
from arena.engine.seats import Seats, seats_for
from arena.match.commands import Failed, MatchVoid, Tell
from arena.match.log import answer_text
from arena.match.logged import Answered, Replayed
from arena.match.wire import Ready, ToBot
from arena.record.faults import Bundle, bundles
from arena.record.matches import ReplayedMatch, stored_matches
from arena.record.store import Store
from arena.sandbox.box import Program
from arena.sandbox.isolation import Isolation
from arena.zole.deal import Seat


class Answers(msgspec.Struct, frozen=True):
    """A line to a bot, and its answers then and now.

    `number` counts the seat's requests of the match from 1, and is 0 for `hello`.
    """

    seat: Seat
    deal: int
    number: int
    line: ToBot
    then: Answered
    now: Answered

    @property
    def same(self) -> bool:
        """Whether the bot did now what it did then; notes and seconds make no difference."""
        return in_a_word(self.then) == in_a_word(self.now)


class RerunRequest(msgspec.Struct, frozen=True):
    """A rerun to make: a program is fed the lines of a seat.

    Its answers are compared up to its request `until`, to the first difference, or, with `every`,
    all of them. With `deal` it is fed no lines but those of this one; with a `seed`, this is its
    `hello.seed`.
    """

    match: Replayed
    seat: Seat
    program: Program
    isolation: Isolation
    until: int | None = None
    every: bool = False
    timed: bool = True
    deal: int | None = None
    seed: int | None = None


def rerun(
    wanted: RerunRequest, on_answer: Callable[[Answers], None], before_until: Callable[[int], None]
) -> str:
    """Feed a bot its lines, calling `on_answer` with each answer; return its stderr.

    `before_until` is called with the number of the bot's process before the request `until` is
    sent. Raises `MachineError`.
    """
    try:
        return trio.run(_rerun, wanted, on_answer, before_until)
    except MatchVoid as void:
        raise MachineError(Mistake(f"the arena itself failed: {void}")) from None


async def _rerun(
    wanted: RerunRequest, on_answer: Callable[[Answers], None], before_until: Callable[[int], None]
) -> str:
    limits, seat = wanted.match.match.plan.limits, wanted.seat
    if not wanted.timed:
        limits = msgspec.structs.replace(limits, start_s=None)
    seats = range(len(wanted.match.greeted))
    programs = [wanted.program if each == seat else None for each in seats]
    async with seats_for(programs, wanted.isolation, limits) as players:
        await _feed(wanted, players, on_answer, before_until)
    return players.stderr()[seat]


async def _feed(
    wanted: RerunRequest,
    seats: Seats,
    on_answer: Callable[[Answers], None],
    before_until: Callable[[int], None],
) -> None:
    again, seat, number = wanted.match, wanted.seat, 0
    hellos = again.match.hellos
    if wanted.seed is not None:
        hellos = tuple(msgspec.structs.replace(hello, seed=wanted.seed) for hello in hellos)
    ready = await seats.start(hellos)
    on_answer(Answers(seat, 0, 0, hellos[seat], again.greeted[seat], ready[seat]))
    for deal in again.deals:
        if wanted.deal not in (None, deal.number):
            number += sum(step.seat == seat for step in deal.steps)
            continue
        for step in deal.asked:
            question = step.question
            if question.seat != seat:
                continue
            number += 1
            process = seats.all[seat].process
            if number == wanted.until and process is not None:
                before_until(process.box.program())
            clock_s = question.clock_s if wanted.timed else None
            [(_, now)] = await seats.ask([msgspec.structs.replace(question, clock_s=clock_s)])
            answers = Answers(seat, deal.number, number, question.line, step.outcome, now)
            on_answer(answers)
            if number == wanted.until or not (answers.same or wanted.every):
                return
        seats.tell(Tell(seat, deal.ends[seat]))


def last_fault(record: Path, bot: str) -> tuple[ReplayedMatch, Bundle] | None:
    """The last fault of a bot in the record of its check, and its match; None if there is none."""
    if not record.exists():
        return None
    with closing(Store.open(record)) as store:
        found = [
            (match, each)
            for match in stored_matches(store, faulty=True)
            for each in bundles(match, str(record))
            if each.bot == bot and not each.unready
        ]
    return found[-1] if found else None


def copied_program(store: Store, match: ReplayedMatch, seat: Seat, apart: bool = True) -> Program:
    """The league's own copy of the bot in a seat. Raises `ArenaError` if there is none.

    A record and the copies next to it may be untrusted. Unless bots are isolated (`apart`), or the
    user trusts them, only copies in the user's caches are run, with the manifests that are there.
    """
    name, terms = match.bots[seat], store.terms()
    remedy = "name a bot for the seat with --bot"
    digest = terms.bots[name].digest
    folder = copy_path(store.path.with_suffix(".bots"), digest)
    if not folder.is_dir():
        folder = copy_path(cache(), digest)  # the copies of bots that played outside a league
    if not folder.is_dir():
        raise ArenaError(Mistake(f"there is no copy of {name}", str(folder), remedy))
    submitted = {entry.name: entry.manifest for entry in store.submissions()}
    bot = (submitted.get(name) if apart else None) or read_bot(folder, name)
    if not apart and folder.parent != cache():
        what = f"the copy of {name} next to this record would run as you: {shlex.join(bot.run)}"
        raise ArenaError(Mistake(what, str(folder), f"{remedy}, or trust the record with --trust"))
    resources = over(terms.config.resources, bot.limits)
    return Program(name, bot.run, str(folder.resolve()), resources)


def in_a_word(answered: Answered) -> str:
    """What an answer says, as a log has it; of a failure its kind."""
    match answered:
        case Failed(kind):
            return kind
        case Ready(asks=asks):
            return " ".join(("ready", *sorted(asks)))
        case None:
            return "nothing"
    return answer_text(answered.reply)
