"""A match of the checked bot with partners that follow a script: its requests, or its failure."""

from collections import Counter
from collections.abc import Collection, Iterator

import msgspec

from arena.base.words import deal_on_wire
from arena.engine.process import Program
from arena.engine.silence import ERRED, UNENDED, WAITS
from arena.engine.worker import Job, play_match
from arena.match.commands import Failed
from arena.match.log import answer_line, read_log
from arena.match.logged import Answered, play_again
from arena.match.record import DealFault, MatchRecord
from arena.match.wire import AnyRequest, FaultKind, Ready, ToBot, encode
from arena.sandbox.isolation import Isolation
from arena.tasks.check_scenes import SEAT, Script, partner_of
from arena.zole.deal import Seat

LINES_SHOWN = 6
"""Lines of a transcript shown before a failure."""


class CheckFailed(Exception):
    """The bot failed a step: the reason, the last lines before that, and the bot's stderr.

    `late` says that the clock alone was against it.
    """

    def __init__(
        self,
        why: str,
        show: tuple[str, ...] = (),
        stderr: str = "",
        kind: FaultKind | None = None,
    ) -> None:
        super().__init__(why)
        self.why, self.show, self.stderr, self.kind = why, show, stderr, kind
        for_ever = any(words in why for words in (WAITS, UNENDED, ERRED))
        self.late = kind in ("timeout", "unready") and not for_ever


class ScriptedMatch(msgspec.Struct, frozen=True):
    """A match that the bot survived, and its script."""

    script: Script
    record: MatchRecord

    def requests(self) -> Counter[str]:
        """The number of requests to the bot of each kind."""
        lines = play_again(self.script.plan, self.record.log).transcript(self.script.seat)
        return Counter(
            str(line.__struct_config__.tag)
            for line, answer in lines
            if answer is not None and not isinstance(answer, Ready)
        )

    def seconds(self) -> list[float]:
        """The seconds of each of the bot's answers."""
        _, lines = read_log(self.record.log)
        seat = self.script.seat
        return [us / 1e6 for line in lines for each, _, us in line.steps if each == seat]


def play_script(program: Program, script: Script, isolation: Isolation) -> ScriptedMatch:
    """Play a match by its script. Raises `CheckFailed` at the bot's first fault."""
    players = tuple(
        program if seat == script.seat else partner_of(script, seat)
        for seat in range(len(script.habits))
    )
    job = Job(script.plan, players, isolation)
    return ScriptedMatch(script, play_faultless(job, (script.seat,)))


def play_faultless(job: Job, seats: Collection[Seat]) -> MatchRecord:
    """Play a match. Raises `CheckFailed` at the first fault in one of the seats."""
    record = play_match(job)
    for entry in record.results.faults:
        seat, kind = entry.fault.seat, entry.fault.kind
        if seat in seats:
            again = play_again(job.plan, record.log)
            asked, lines = _last_lines(again.transcript(seat), entry)
            where = "" if seat == SEAT else f" in seat {seat}"
            what = f"{kind}{where} in {deal_on_wire(entry.deal)}"
            why = f"{what}, asked {asked}: {entry.fault.detail}"
            raise CheckFailed(why, lines, record.stderr[seat], kind)
    return record


def _last_lines(
    lines: Iterator[tuple[ToBot, Answered]], entry: DealFault
) -> tuple[str, tuple[str, ...]]:
    """The last request to the bot in the deal of its fault, and the last lines up to that.

    The lines are `> to the bot`, `< from it`, and `! the fault`.
    """
    shown: list[str] = []
    asked, upto, of_deal = "hello", 0, True
    for line, answer in lines:
        shown.append("> " + encode(line).decode().rstrip("\n"))
        if answer is None:
            continue
        if isinstance(line, AnyRequest):
            of_deal = line.deal == entry.deal
            asked = str(line.__struct_config__.tag) if of_deal else asked
        if not isinstance(answer, Failed):
            shown.append("< " + answer_line(answer))
        upto = len(shown) if of_deal else upto
    fault = entry.fault
    return asked, (*shown[:upto][-LINES_SHOWN:], f"! {fault.kind}: {fault.detail}")
