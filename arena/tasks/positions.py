"""Positions asked of a bot: each of a fresh process, which has played the deal so far."""

import hashlib
import os
from collections.abc import Iterator
from pathlib import Path

import msgspec
import trio

from arena.base.errors import MachineError, Mistake
from arena.base.files import caches, write_whole
from arena.bots.manifest import read_bot
from arena.engine.builds import prepare
from arena.engine.seats import seats_for
from arena.match.commands import MatchVoid, Outcome
from arena.record.positions import Position, read_positions
from arena.sandbox.box import Program
from arena.sandbox.isolation import Isolation
from arena.tasks.check_match import on_one_core
from arena.tasks.rerun import in_a_word


class TestedPosition(msgspec.Struct, frozen=True):
    """A position's `number` from 1, the bot's answer to it, and whether that is as expected.

    An answer is a word of the log, or the kind of a fault; `before` is that of the last test, None
    if there was none. `stderr` is what the bot wrote there meanwhile.
    """

    number: int
    place: str
    ask: str
    expect: str
    answer: str
    right: bool
    before: str | None
    stderr: str


def test_positions(folder: Path, isolation: Isolation) -> Iterator[TestedPosition]:
    """Ask a bot all of its positions, and remember the answers. Raises `ArenaError`."""
    positions = read_positions(folder)
    program = prepare(read_bot(folder), isolation)
    memory = caches() / "tests" / hashlib.sha256(os.fsencode(folder.resolve())).hexdigest()[:32]
    before: dict[str, str] = {}
    if memory.exists():
        before = msgspec.json.decode(memory.read_bytes(), type=dict[str, str])
    answers: dict[str, str] = {}
    for number, position in enumerate(positions, 1):
        key = hashlib.sha256(msgspec.json.encode(position)).hexdigest()[:16]
        ask, outcome = asked(position, program, isolation)
        answers[key] = answer = in_a_word(outcome)
        yield TestedPosition(
            number,
            position.place,
            ask,
            position.expect,
            answer,
            position.is_right(answer),
            before.get(key),
            outcome.stderr,
        )
    memory.parent.mkdir(parents=True, exist_ok=True)
    write_whole(memory, msgspec.json.encode(answers))


def asked(position: Position, program: Program, isolation: Isolation) -> tuple[str, Outcome]:
    """The kind of a position's request, and the outcome. Raises `MachineError`."""
    hellos, questions = position.questions()
    seats = range(len(hellos))

    async def play() -> Outcome:
        programs = [program if seat == position.seat else None for seat in seats]
        async with seats_for(programs, isolation, position.limits) as players:
            await players.start(hellos)
            for question in questions:
                [(_, outcome)] = await players.ask([question])
        return outcome

    try:
        with on_one_core():
            outcome = trio.run(play)
    except MatchVoid as void:
        raise MachineError(Mistake(f"the arena itself failed: {void}")) from None
    return str(questions[-1].request.__struct_config__.tag), outcome
