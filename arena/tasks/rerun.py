"""A bot fed its logged lines again: its answers now, beside those it gave then."""

import shlex
from collections.abc import Callable

import msgspec
import trio

from arena.base.errors import ArenaError, MachineError, Mistake
from arena.base.resources import over
from arena.bots.manifest import read_bot
from arena.engine.builds import beside, cache
from arena.engine.exchange import Exchange, exchange_with
from arena.engine.program import Program
from arena.league.config import MatchConfig
from arena.match.commands import (
    Failed,
    MatchVoid,
    Outcome,
    PlayedDeal,
    Question,
    Said,
    Tell,
)
from arena.match.log import LogWriter, answer_text
from arena.match.logged import Answered, LoggedMatch
from arena.match.wire import AnyReply, Hello, Ready, ToBot
from arena.record.matches import StoredMatch
from arena.record.store import Store
from arena.sandbox.isolation import Isolation
from arena.zole.deal import Seat


class Answers(msgspec.Struct, frozen=True):
    """A line to a bot, and its answers then and now.

    `number` counts the seat's requests of the match from 1, and is 0 for `hello`. `then` is None
    for requests that were never made before: there the match goes on from its new answers. `sent`
    is the line of the answer now, as sent.
    """

    seat: Seat
    deal: int
    number: int
    line: ToBot
    then: Answered
    now: Answered
    sent: str = ""

    @property
    def same(self) -> bool:
        """Whether the bot did now what it did then; notes and seconds make no difference."""
        return _word(self.then) == _word(self.now)


class Wanted(msgspec.Struct, frozen=True):
    """A rerun to make.

    `programs` are by seat, None if nobody need answer. The answers of `seat` are compared up to
    its request `until`, to the first difference, or, with `every`, all of them. With `play_on` the
    match goes on from there with the new answers of all, to the end of that deal.
    """

    match: StoredMatch
    seat: Seat
    programs: tuple[Program | None, ...]
    isolation: Isolation
    until: int | None = None
    play_on: bool = False
    every: bool = False
    timed: bool = True


class Rerun(msgspec.Struct, frozen=True):
    """The result: the numbers of answers compared and different, and the bot's stderr.

    `game` is the deal that was played on, if one was; `log` is that of the match up to its end.
    """

    compared: int
    different: int
    stderr: str
    game: PlayedDeal | None = None
    log: bytes = b""


def rerun(
    wanted: Wanted, told: Callable[[Answers], None], before: Callable[[Question, int], None]
) -> Rerun:
    """Feed a bot its lines, telling each answer as it comes. Raises `MachineError`.

    `before` is called with the request at which the bot was to be stopped, and the number of its
    process, before the request is sent.
    """
    return trio.run(_run, wanted, told, before)


async def _run(
    wanted: Wanted, told: Callable[[Answers], None], before: Callable[[Question, int], None]
) -> Rerun:
    limits = wanted.match.plan.limits
    if not wanted.timed:
        limits = msgspec.structs.replace(limits, start_s=None)
    try:
        async with exchange_with(wanted.programs, wanted.isolation, limits) as exchange:
            again = _Again(wanted, exchange, told, before)
            await again.run()
    except MatchVoid as void:
        raise MachineError(Mistake(f"the arena itself failed: {void}")) from None
    return msgspec.structs.replace(again.result(), stderr=exchange.seats.stderr()[wanted.seat])


def copied_program(store: Store, match: StoredMatch, seat: Seat, apart: bool = True) -> Program:
    """The league's own copy of the bot in a seat. Raises `ArenaError` if there is none.

    A record and the copies beside it may be a stranger's. Unless bots are kept `apart`, or the user
    trusts them, only copies in the user's caches are run, as these themselves say.
    """
    name, terms = match.bots[seat], store.terms()
    remedy = "name a bot for the seat with --bot"
    if not store.facts().seeds:
        what = f"a record of logs does not hold the bot {name}"
        raise ArenaError(Mistake(what, str(store.path), remedy))
    config = terms.config
    if isinstance(config, MatchConfig) and name in config.people:
        raise ArenaError(Mistake(f"{name} is not a bot: people played seat {seat}", "", remedy))
    digest = terms.bots[name].digest
    folder = beside(store.path.with_suffix(".bots"), digest)
    if not folder.is_dir():
        folder = beside(cache(), digest)  # the copies of bots that played outside a league
    if not folder.is_dir():
        raise ArenaError(Mistake(f"the copy of {name} is gone", str(folder), remedy))
    submitted = {entry.name: entry.manifest for entry in store.submissions()}
    bot = (submitted.get(name) if apart else None) or read_bot(folder, name)
    if not apart and folder.parent != cache():
        what = f"the copy of {name} beside this record would run as you: {shlex.join(bot.run)}"
        raise ArenaError(Mistake(what, str(folder), f"{remedy}, or trust the record with --trust"))
    resources = over(config.resources, bot.limits)
    return Program(name, bot.run, str(folder.resolve()), resources)


class _Again:
    """The match replayed: the log answers the referee until the bots do."""

    def __init__(
        self,
        wanted: Wanted,
        exchange: Exchange,
        told: Callable[[Answers], None],
        before: Callable[[Question, int], None],
    ) -> None:
        self._wanted = wanted
        self._exchange = exchange
        self._told = told
        self._before = before
        self._logged = True
        self._over = False
        self._deal = 0
        self._number = 0
        self._compared = 0
        self._different = 0
        self._game: PlayedDeal | None = None
        self._log = LogWriter()
        self._by_log = LoggedMatch(wanted.match.plan, wanted.match.record.log)

    async def run(self) -> None:
        logged, again = self._by_log, self._by_log.match
        await self._greet(again.hellos, logged.greeted)
        commands = again.greeted(logged.greeted)
        while commands and not self._over:
            asked, outcome = commands[-1], None
            for command in commands:
                match command:
                    case Question():
                        outcome = await self._question(command)
                    case Tell():
                        self._exchange.tell(command)
                    case PlayedDeal():
                        self._finished(command)
                if self._over:
                    return
            commands = []
            if isinstance(asked, Question) and outcome is not None:
                commands = again.hear(asked.request.table, outcome)

    def result(self) -> Rerun:
        log = b"" if self._game is None else self._log.close()
        return Rerun(self._compared, self._different, "", self._game, log)

    async def _greet(self, hellos: tuple[Hello, ...], then: tuple[Ready | Failed, ...]) -> None:
        now = await self._exchange.seats.start(hellos)
        seat = self._wanted.seat
        self._compare(Answers(seat, 0, 0, hellos[seat], then[seat], now[seat]))
        self._log.start(then)

    async def _question(self, question: Question) -> Outcome:
        """The outcome of a question: from the log, or from the bot once the match is played on."""
        seat, wanted = question.seat, self._wanted
        then = self._by_log.answer(question) if self._logged else None
        mine = seat == wanted.seat
        if mine:
            self._number += 1
            if self._number == wanted.until:
                self._before(question, self._pid())
                if wanted.play_on:
                    self._logged = False
        if wanted.programs[seat] is None:
            assert then is not None
            return then
        clock_s = question.clock_s if wanted.timed else None
        now = await self._exchange.ask(msgspec.structs.replace(question, clock_s=clock_s))
        if mine:
            was = None if then is None else _answered(then)
            sent = now.line.decode(errors="replace") if isinstance(now, Said) else ""
            number, new = self._number, _answered(now)
            answers = Answers(seat, self._deal, number, question.line, was, new, sent)
            if then is None:
                self._told(answers)
            else:
                self._compare(answers)
                if self._number == wanted.until and not wanted.play_on:
                    self._over = True
                elif not answers.same:
                    self._logged = self._logged and not wanted.play_on
                    self._over = not (wanted.play_on or wanted.every)
        return then if self._logged and then is not None else now

    def _finished(self, played: PlayedDeal) -> None:
        self._deal = played.number + 1
        self._log.deal(played)
        if self._logged:
            self._by_log.finish()
        else:
            self._game, self._over = played, True

    def _compare(self, answers: Answers) -> None:
        self._compared += 1
        self._different += not answers.same
        self._told(answers)

    def _pid(self) -> int:
        process = self._exchange.seats.all[self._wanted.seat].process
        return 0 if process is None else process.box.program()


def _answered(outcome: Said | Failed) -> AnyReply | Failed:
    return outcome.reply if isinstance(outcome, Said) else outcome


def _word(answered: Answered) -> object:
    """The part of an answer that counts when two are compared."""
    match answered:
        case Failed():
            return answered.kind
        case Ready():
            return sorted(answered.asks)
        case None:
            return None
    return type(answered), answer_text(answered)
