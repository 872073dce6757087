"""Positions that a bot is tested with, a line each in `positions.jsonl` of its folder."""

import gzip
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec.structs import replace

from arena.base.errors import ArenaError, Mistake
from arena.base.files import read_file, writing
from arena.bots.tree import CHECKED, MANIFEST, POSITIONS
from arena.league.config import ClosedConfig
from arena.league.terms import Terms
from arena.match.commands import AskedStep, MatchPlan, Question, Said
from arena.match.log import LoggedDeal, LoggedStart, LogMismatch, answer_text, read_log
from arena.match.logged import LoggedMatch
from arena.match.match import play_through
from arena.match.wire import (
    AnyRequest,
    AskBid,
    AskBlind,
    AskDiscard,
    AskOffer,
    AskPlay,
    AskSurrender,
    AskTalon,
    Hello,
    Limits,
)
from arena.record.matches import ReplayedMatch, logged_plan
from arena.zole.deal import Seat
from arena.zole.rules import LARGEST_MAX_FAULTS, Rules

_LARGEST: Final = 64 << 20
_NOT: Final = "not "
_LEGAL: Final = "legal"
_SUITS: Final = str.maketrans("♣♠♥♦", "CSHD")


class Position(msgspec.Struct, frozen=True):
    """A request of a deal, and the answers that are right.

    `expect` has one or more words of the log, divided by spaces, behind `not` those that are wrong,
    or `legal` if any answer is right that is allowed. `place` tells people where it is from and
    `given` what was answered there. The `deal` ends with the request's step; `start` has the seeds
    of the seats, 0 where they are another's.
    """

    expect: str
    place: str
    given: str | None
    seat: Seat
    start: LoggedStart
    deal: LoggedDeal
    limits: Limits
    rules: Rules

    def is_right(self, answer: str) -> bool:
        """Whether an answer is as expected."""
        if self.expect == _LEGAL:
            return _can_be(self.questions()[1][-1].request, answer)
        words = self.expect.removeprefix(_NOT).split()
        return (answer in words) is not self.expect.startswith(_NOT)

    def questions(self) -> tuple[tuple[Hello, ...], list[Question]]:
        """The first line to each seat, and what the seat is asked in the deal, up to the request.

        Raises `LogMismatch` if the deal cannot have gone so.
        """
        text = b"".join(msgspec.json.encode(each) + b"\n" for each in (self.start, self.deal))
        log = gzip.compress(text, 1, mtime=0)
        plan = logged_plan(MatchPlan(self.rules, self.limits, LARGEST_MAX_FAULTS, (), ()), log)
        logged, asked, left = LoggedMatch(plan, log), list[Question](), len(self.deal.steps)
        with suppress(LogMismatch):  # the log ends with the request
            for command in play_through(logged.match, logged.greeted, logged.answer):
                if isinstance(command, Question):
                    left -= 1
                    if command.seat == self.seat:
                        asked.append(command)
                    if not left:
                        break
        if left or self.deal.steps[-1][0] != self.seat:
            raise LogMismatch("it is not what was played")
        return logged.match.hellos, asked


def position_of(match: ReplayedMatch, deal: int, ply: int, expect: str, place: str) -> Position:
    """The position at a moment of a deal, counted from 1. Raises `ArenaError`.

    An `expect` that is empty expects another answer than the one given. Cards may have signs as in
    a replay.
    """
    asked = match.deals[deal].asked
    if not 1 <= ply <= len(asked):
        raise ArenaError(Mistake(f"the deal has {len(asked)} plies", "--ply"))
    step, expect = asked[ply - 1], expect.replace("10", "T").translate(_SUITS)
    given = answer_text(step.outcome.reply) if isinstance(step.outcome, Said) else None
    words = [] if expect == _LEGAL else expect.removeprefix(_NOT).split()
    wrong = [word for word in words if not _can_be(step.question.request, word)]
    if wrong or not (expect or given):
        what = f"{' and '.join(wrong)} cannot be answered" if wrong else "no answer was given"
        who = f"{match.bots[step.seat]} is asked to {step.question.request.__struct_config__.tag}"
        raise ArenaError(Mistake(what, "--expect", f"{who}: {_choices(step)}, or {_LEGAL}"))
    start, lines = read_log(match.record.log)
    line = list(lines)[deal]
    places = range(ply)
    return Position(
        expect=expect or f"{_NOT}{given}",
        place=place,
        given=given,
        seat=step.seat,
        start=replace(
            start,
            seeds=tuple(
                seed if seat == step.seat else 0 for seat, seed in enumerate(match.plan.seeds)
            ),
        ),
        deal=replace(
            line,
            deal=0,
            steps=line.steps[:ply],
            notes={},
            stderr={},
            **{
                name: {at: it for at, it in getattr(line, name).items() if at in places}
                for name in ("failed", "sent", "withheld")
            },
        ),
        limits=match.plan.limits,
        rules=match.plan.rules,
    )


def folder_of(record: Path, terms: Terms, bot: str) -> Path:
    """The folder of a bot of a record, where positions are kept. Raises `ArenaError`.

    It is where the record of its check lies, where its league's file says, or here.
    """
    folders = [Path(bot)]
    if record.name == CHECKED:
        folders.insert(0, record.parent)
    if isinstance(terms.config, ClosedConfig):
        entries = terms.config.bots
        named = (each.path for each in entries if bot in (each.name, Path(each.path).name))
        folders += [record.parent / path for path in named]
    found = next((folder for folder in folders if (folder / MANIFEST).is_file()), None)
    if found is None:
        raise ArenaError(Mistake(f"where is the folder of {bot}?", "--bot", "name it"))
    return found


def read_positions(folder: Path) -> list[Position]:
    """The positions of a bot. Raises `ArenaError`."""
    path = folder / POSITIONS
    if not path.exists():
        remedy = "arena save LEAGUE MATCH --deal N --ply M --expect ANSWER adds one"
        raise ArenaError(Mistake("there are no positions yet", str(path), remedy))
    found: list[Position] = []
    for number, line in enumerate(read_file(path, _LARGEST).splitlines(), 1):
        try:
            found.append(msgspec.json.decode(line, type=Position))
            found[-1].questions()
        except (ValueError, RecursionError, LookupError) as error:
            raise ArenaError(Mistake(f"this is no position: {error}", f"{path}:{number}")) from None
    return found


def add_position(folder: Path, position: Position) -> int:
    """Add a position to those of a bot, in the place of the same one; return its number from 1.

    Raises `ArenaError`.
    """
    path = folder / POSITIONS
    kept = read_positions(folder) if path.exists() else []
    kept = [each for each in kept if replace(each, expect="") != replace(position, expect="")]
    with writing(path):
        path.write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in (*kept, position)))
    return len(kept) + 1


def _can_be(request: AnyRequest, word: str) -> bool:
    match request:
        case AskPlay() | AskBid() | AskTalon():
            offers = ("offer",) if isinstance(request, AskPlay) and request.may_offer else ()
            return word in (*request.legal, *offers)
        case AskDiscard():
            return len({*word.split(".")} & {*request.hand}) == 2 and word.count(".") == 1
        case AskBlind() | AskSurrender() | AskOffer():
            return word in ("yes", "no")


def _choices(step: AskedStep) -> str:
    request = step.question.request
    legal: Sequence[str] = getattr(request, "legal", ("yes", "no"))
    if isinstance(request, AskDiscard):
        return f"two cards of {' '.join(request.hand)}, as in {'.'.join(request.hand[:2])}"
    return f"it may be {', '.join(legal)}"
