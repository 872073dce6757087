"""A bot put through all that a match can ask of it, step by step, each with a plain word."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from time import perf_counter

import msgspec
import trio

from arena import __version__
from arena.base.errors import ArenaError
from arena.bots.manifest import Bot, read_bot
from arena.engine.builds import prepare
from arena.engine.process import Flooded, Gone, Late, Process, running
from arena.engine.program import Program
from arena.engine.worker import Job, play_match
from arena.league.file import LimitsTable, limits_for
from arena.league.schedule import league_deals, seat_seeds
from arena.match.commands import Failed, MatchPlan, MatchVoid
from arena.match.log import read_log
from arena.match.logged import Answered, transcript
from arena.match.record import MatchRecord
from arena.match.wire import (
    AnyReply,
    AnyRequest,
    Hello,
    Malformed,
    Ready,
    ToBot,
    decode,
    encode,
    reply_to,
)
from arena.sandbox.box import NoBox
from arena.sandbox.isolation import Isolation
from arena.zole.cards import INDEX, mask
from arena.zole.deal import Deal
from arena.zole.rules import Rules, Settings, preset

SEAT = 1
"""Where the bot sits: forehand of the deals made here, since seat 0 deals."""

LONG = 100
"""Deals of the long session."""

SHOWN = 6
"""Lines of a transcript shown before a failure."""


class Step(msgspec.Struct, frozen=True):
    """One thing that was checked. `why` says what is wrong, `show` the last lines before it."""

    name: str
    passed: bool
    said: str
    show: tuple[str, ...] = ()
    stderr: str = ""


class Used(msgspec.Struct, frozen=True):
    """The most that a bot has been seen to use at a time, and its processor seconds."""

    memory_mib: int
    tasks: int
    cpu_s: float


class _Failure(Exception):
    def __init__(self, why: str, show: tuple[str, ...] = (), stderr: str = "") -> None:
        super().__init__(why)
        self.why, self.show, self.stderr = why, show, stderr


def check(
    folder: Path,
    move_s: float | None,
    isolation: Isolation,
    prepared: Callable[[Bot, Isolation], Program] = prepare,
    rules: Rules | None = None,
) -> Iterator[Step]:
    """Check a bot, step by step, with so many seconds a move; the first that fails is the last.

    `prepared` makes the copy that is checked; `rules` are a league's own, to be checked as well.
    """
    checkup = _Checkup(folder, move_s, isolation, prepared, rules)
    for name, part in checkup.parts():
        try:
            said = part()
        except _Failure as failure:
            yield Step(name, False, failure.why, failure.show, failure.stderr)
            return
        except ArenaError as error:
            yield Step(name, False, "; ".join(map(str, error.mistakes)))
            return
        except (MatchVoid, NoBox) as error:
            yield Step(name, False, f"the arena itself failed, not the bot: {error}")
            return
        yield Step(name, True, said)


class _Checkup:
    def __init__(
        self,
        folder: Path,
        move_s: float | None,
        isolation: Isolation,
        prepared: Callable[[Bot, Isolation], Program],
        rules: Rules | None,
    ) -> None:
        self.folder = folder
        self.move_s = move_s
        self.isolation = isolation
        self.prepared = prepared
        self.rules = rules
        self.bot: Bot | None = None
        self.program: Program | None = None
        self.left: float | None = None
        self.seconds: list[float] = []
        self.used = Used(0, 0, 0.0)

    def parts(self) -> list[tuple[str, Callable[[], str]]]:
        """The steps in their order."""
        league = self.rules
        own = [("the league's own rules", lambda: self.under(league))] if league else []
        return [
            ("manifest", self.manifest),
            ("build", self.build),
            ("start and ready", self.start),
            ("end of input", self.end),
            ("declaring", lambda: self.deals([STRONG] * 4, "pass")),
            ("a hand for a solo", lambda: self.deals([SURE] * 4, "pass")),
            ("the table", lambda: self.deals([WEAK] * 4, "pass")),
            ("defending", lambda: self.deals([WEAK] * 4, "declare")),
            ("offers and surrender", lambda: self.deals([STRONG, SURE, WEAK], "offer")),
            ("rules of lzsf: blind, talon afterwards", lambda: self.other("lzsf", {})),
            ("ranked bids and small solo", lambda: self.other("pagat", RANKED)),
            ("pools", lambda: self.other("piedalies", POOLS)),
            ("a table of four", lambda: self.other("pagat", {"players": 4})),
            *own,
            ("fields and messages it cannot know", self.unknown),
            (f"{LONG} deals in one process", self.long),
            ("an exact tie of its copies", self.tie),
            ("what it uses", self.uses),
        ]

    def manifest(self) -> str:
        self.bot = read_bot(self.folder)
        return f"{self.bot.name} {self.bot.version} by {self.bot.author}"

    def build(self) -> str:
        bot = self._bot()
        self.program = self.prepared(bot, self.isolation)
        return "built" if bot.build else "nothing to build"

    def start(self) -> str:
        seconds, self.left = trio.run(
            _greeted, self._program(), self.isolation, self._plan(preset(), 1)
        )
        return f"ready after {seconds:.2f} s"

    def end(self) -> str:
        if self.left is None:
            raise _Failure("it does not leave when its input ends")
        return f"left after {self.left:.2f} s"

    def deals(self, hands: list[str], partners: str) -> str:
        """Deals with given hands for the bot, among partners of one habit."""
        plan = self._plan(preset(), 0)
        plan = msgspec.structs.replace(plan, deals=[_dealt(hand) for hand in hands])
        return self._asked(plan, self._play(plan, partners))

    def other(self, name: str, changes: Settings) -> str:
        return self.under(preset(name, changes))

    def under(self, rules: Rules) -> str:
        plan = self._plan(rules, 12)
        return self._asked(plan, self._play(plan, "pass"))

    def unknown(self) -> str:
        """A match again with more in every line than version 1 has today."""
        plan = self._plan(preset(), 4)
        record = self._play(plan, "declare")
        lines = transcript(plan, record.log, SEAT)
        count, self.used = trio.run(_with_more, self._program(), self.isolation, lines, plan)
        return f"{count} answers all the same"

    def long(self) -> str:
        plan = self._plan(preset(), LONG)
        record = self._play(plan, "declare")
        return f"{record.results.decisions} decisions at the table"

    def tie(self) -> str:
        if not self._bot().deterministic:
            return "not asked: the manifest does not say deterministic = true"
        plan = self._plan(preset(), 20)
        job = Job(plan, (self._program(),) * 3, self.isolation)
        if play_match(job).results.payments != play_match(job).results.payments:
            raise _Failure("two runs of the same match differ: its chance is not all of hello.seed")
        return "two runs of a match are the same"

    def uses(self) -> str:
        times, used = sorted(self.seconds), self.used
        return (
            f"{1000 * median(times):.2f} ms a move, at most {1000 * times[-1]:.1f} ms; "
            f"{used.memory_mib} MiB of memory, {used.tasks} processes and threads, "
            f"{used.cpu_s:.2f} s of processor time in four deals"
        )

    def _bot(self) -> Bot:
        assert self.bot is not None
        return self.bot

    def _program(self) -> Program:
        assert self.program is not None
        return self.program

    def _plan(self, rules: Rules, deals: int) -> MatchPlan:
        limits, _ = limits_for(rules, LimitsTable(move_s=self.move_s))
        names = tuple("abcde"[: rules.players])
        some = league_deals(rules, "check", names, 0, deals)
        return MatchPlan(rules, limits, 1, some, seat_seeds(rules, "check", some))

    def _play(self, plan: MatchPlan, partners: str) -> MatchRecord:
        """Play a match with partners of one habit. Raises `_Failure` at the bot's first fault."""
        partner = prepare(_SPARRING, self.isolation)
        partner = msgspec.structs.replace(partner, run=(*partner.run, partners))
        programs = [partner] * plan.rules.players
        programs[SEAT] = self._program()
        record = play_match(Job(plan, tuple(programs), self.isolation))
        mine = [entry for entry in record.results.faults if entry.fault.seat == SEAT]
        if mine:
            fault = mine[0].fault
            raise _Failure(
                f"{fault.kind} in deal {mine[0].deal}: {fault.detail}",
                _last_lines(transcript(plan, record.log, SEAT)),
                record.stderr[SEAT],
            )
        return record

    def _asked(self, plan: MatchPlan, record: MatchRecord) -> str:
        """Which requests the bot was asked, in words; its times are kept."""
        counts: dict[str, int] = {}
        for line, answer in transcript(plan, record.log, SEAT):
            if answer is not None and not isinstance(answer, Ready):
                kind = str(line.__struct_config__.tag)
                counts[kind] = counts.get(kind, 0) + 1
        _, lines = read_log(record.log)
        self.seconds += (us / 1e6 for line in lines for seat, _, us in line.steps if seat == SEAT)
        return "asked " + ", ".join(f"{count} {kind}" for kind, count in counts.items())


RANKED: Settings = {"auction": {"mode": "ranked", "contracts": ["ordinary", "solo", "small_solo"]}}
POOLS: Settings = {"all_pass": "pool", "pools": {"enabled": True}}

STRONG = "QC QS JC JS AD TD AC TC"
SURE = "QC QS QH QD JC JS JH JD"
WEAK = "8D 7D KC 9C KS 9S KH 9H"

_SPARRING = read_bot(Path(__file__).with_name("sparring"))


def _dealt(hand: str) -> Deal:
    """A deal in which the bot holds a hand, and the others what is left in the deck's order."""
    mine = mask(INDEX[card] for card in hand.split())
    rest = [card for card in range(26) if not mine >> card & 1]
    return Deal(0, (mask(rest[:8]), mine, mask(rest[8:16])), (rest[16], rest[17]))


def _last_lines(lines: Iterator[tuple[object, Answered]]) -> tuple[str, ...]:
    """The last lines up to the first failure, as `> to the bot` and `< from it`."""
    shown: list[str] = []
    for line, answer in lines:
        shown.append("> " + msgspec.json.encode(line).decode())
        if isinstance(answer, Failed):
            shown.append(f"! {answer.kind}: {answer.detail}")
            break
        if answer is not None:
            shown.append("< " + _text(answer))
    return tuple(shown[-SHOWN:])


def _text(answer: Ready | AnyReply) -> str:
    """An answer as its line, without what it need not say."""
    fields = {key: value for key, value in msgspec.to_builtins(answer).items() if value is not None}
    front = {key: fields.pop(key) for key in ("type", "id") if key in fields}
    return json.dumps({**front, **fields}, separators=(",", ":"))


async def _with_more(
    program: Program,
    isolation: Isolation,
    lines: Iterator[tuple[ToBot, Answered]],
    plan: MatchPlan,
) -> tuple[int, Used]:
    """Write lines with unknown things in them; returns the answers that came and what was used."""
    count = 0
    shown: list[str] = []
    async with running(program, isolation, plan.limits.line_bytes) as process:
        for line, answer in lines:
            message = msgspec.to_builtins(line) | {"weather": {"sun": [1, 2.5, None]}}
            if "events" in message:
                message["events"] = [{"event": "weather", "sky": "blue"}, *message["events"]]
            text = json.dumps(message, separators=(",", ":"))
            shown = [*shown, "> " + text][-SHOWN:]
            process.post(b'{"type":"weather","sky":"blue"}\n' if count else b"")
            process.post(text.encode() + b"\n")
            if answer is None:
                continue
            try:
                await process.flush(_soon(plan))
                said = decode(await process.read_line(_soon(plan)))
                if isinstance(line, AnyRequest):
                    reply_to(line, said)
            except (Late, Gone, Flooded, Malformed) as error:
                raise _stopped(error, tuple(shown), process) from None
            shown = [*shown, "< " + _text(said)][-SHOWN:]
            count += 1
        process.look()
        watch = process.watch
        return count, Used(watch.memory >> 20, watch.tasks, watch.cpu_s)


async def _greeted(
    program: Program, isolation: Isolation, plan: MatchPlan
) -> tuple[float, float | None]:
    """Seconds from hello to ready, and from the end of input to the exit, if it came by itself."""
    async with running(program, isolation, plan.limits.line_bytes) as process:
        hello = Hello(1, __version__, plan.rules, plan.limits, plan.rules.players, 0)
        process.post(encode(hello))
        try:
            await process.flush(_soon(plan))
            written = perf_counter()
            ready = decode(await process.read_line(_soon(plan)))
            if not isinstance(ready, Ready):
                raise Malformed("the first answer must be ready")
        except (Late, Gone, Flooded, Malformed) as error:
            raise _stopped(error, (f"> {encode(hello).decode().strip()}",), process) from None
        spent = perf_counter() - written
        began = perf_counter()
        if not await process.leaves():
            return spent, None
        left = perf_counter() - began
        try:
            extra = await process.read_line(_soon(plan))
        except (Late, Gone):
            return spent, left
        except Flooded as error:
            raise _Failure(f"it wrote what nobody asked for: {error}") from None
        raise _Failure(f"it wrote a line that nobody asked for: {extra[:80]!r}")


def _stopped(error: Exception, shown: tuple[str, ...], process: Process) -> _Failure:
    """A failure outside a match, in the words of the faults."""
    kinds = {
        Late: "no answer in time",
        Gone: "it ended",
        Flooded: "flooded",
        Malformed: "malformed",
    }
    if process.crossed is not None:
        return _Failure(f"resource: {process.crossed}", shown, process.stderr.text())
    why = ": ".join(filter(None, (kinds[type(error)], str(error))))
    return _Failure(why, shown, process.stderr.text())


def _soon(plan: MatchPlan) -> float:
    return trio.current_time() + (plan.limits.start_s or 10.0)
