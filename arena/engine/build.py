"""The build of a bot: its author's command, run in a box on the league's copy of its folder."""

import shutil
from pathlib import Path
from typing import Final

import trio

from arena.base.errors import ArenaError, Mistake
from arena.base.resources import BUILDING
from arena.bots.archive import pack
from arena.bots.intake import unpack
from arena.bots.manifest import Bot
from arena.bots.templates import how_to_get_program
from arena.bots.tree import Room
from arena.engine.process import Excerpt, Process
from arena.engine.seats import seats_for
from arena.match.commands import MatchVoid
from arena.match.wire import Limits
from arena.sandbox.box import Program, task_state
from arena.sandbox.folders import remove_folder, scratch
from arena.sandbox.isolation import Isolation

BUILT_MIB: Final = 512
BUILT_FILES: Final = 50_000  # the most MiB and files that a bot's folder may hold after its build

_LOGGED: Final = 65536
_LINES_TOLD: Final = 30

_STOPPED: Final = "a process of the build was stopped by a signal, and nothing would continue it"
_LOOK_S: Final = 0.1
_FOUND_S: Final = 60.0  # seconds for Python to find modules

_NOT_FOUND: Final = "exit code 127"  # the end of a shell that does not find a program

_IN_SCRATCH: Final = (
    'mkdir "$TMPDIR/build" && cp -R . "$TMPDIR/build" && cd "$TMPDIR/build" && "$@" >&2 &&'
    " exec tar -cf - ."
)


def build(bot: Bot, copy: Path, isolation: Isolation, log: Path, build_s: float) -> None:
    """Replace a bot's copy with the result of its build. Raises `ArenaError` with the output.

    The build runs in the scratch folder of a box, whose size is limited, and returns an archive.
    """
    command = bot.build or ()
    log.with_suffix(".tar").write_bytes(pack(copy))
    program = Program(
        bot.name, ("sh", "-c", _IN_SCRATCH, "sh", *command), str(copy.resolve()), BUILDING
    )
    with scratch(0o700) as place:
        packed, made = Path(place, "made.tar"), Path(place, "made")
        made.mkdir()
        try:
            why, said = trio.run(_run, program, isolation, packed, build_s)
            if why is None:
                unpack(packed, made, Room(BUILT_MIB, BUILT_FILES))
        except (MatchVoid, OSError) as error:
            why, said = str(error), ""
        except ArenaError as error:
            why, said = f"its result is refused: {error.mistakes[0].what}", ""
        log.write_text(said, encoding="utf-8")
        if why:
            what = f"the bot {bot.name} cannot be built: {why}"
            remedy = how_to_get_program(command[0]) if why == _NOT_FOUND else ""
            end = said.strip().splitlines()[-_LINES_TOLD:]
            if len(end) == 1:
                what, end = f"{what}: {end[0]}", []
            raise ArenaError(Mistake(what, bot.folder, remedy, tuple(end)))
        remove_folder(copy)
        shutil.move(made, copy)


_FIND: Final = (
    "import sys; from importlib.util import find_spec as find;"
    " sys.exit(', '.join(name for name in sys.argv[1:] if find(name) is None) or 0)"
)


def check_needs(bot: Bot, program: Program, isolation: Isolation) -> None:
    """Raise `ArenaError` if the bot's Python does not find the modules that its manifest names.

    It is asked within a box, where it finds what the league's machine offers bots.
    """
    first = Path(program.run[0]).name
    python = program.run[0] if first.startswith("python") else "python3"
    asked = Program(bot.name, (python, "-c", _FIND, *bot.needs), program.folder, BUILDING)
    try:
        why, missing = trio.run(_run, asked, isolation, Path("/dev/null"), _FOUND_S)
    except (MatchVoid, OSError) as error:
        why, missing = str(error), ""
    if why:
        what = f"the bot needs {missing.strip() or why}, which bots do not find on this machine"
        remedy = f"install it for the {python} on the PATH, or put it into the bot's folder"
        raise ArenaError(Mistake(what, bot.folder, remedy))


# Run a build to its end; return why it failed, if so, and the head and tail of its output.
async def _run(
    program: Program, isolation: Isolation, packed: Path, build_s: float
) -> tuple[str | None, str]:
    with packed.open("wb") as file:
        async with seats_for([program], isolation, Limits(None, None, line_bytes=0)) as seats:
            await seats.start(())
            process, lost = seats.all[0].process, seats.all[0].lost
            if lost is not None:
                return lost.detail, ""
            assert process is not None
            process.stderr = Excerpt(_LOGGED)
            process.end_input()
            code: int | None = None
            async with trio.open_nursery() as nursery:
                nursery.start_soon(process.save_stdout, file)
                with trio.move_on_after(build_s):
                    while (code := await process.exit_code(_LOOK_S)) is None:
                        if _is_stopped(process):
                            process.kill_for(_STOPPED)
                if code is None:
                    nursery.cancel_scope.cancel()
    late = f"not done after {build_s:g} s" if code is None else None
    failed = f"exit code {code}" if code else None
    return process.void or process.crossed or late or failed, process.stderr.text()


def _is_stopped(process: Process) -> bool:
    return any(task_state(f"/proc/{pid}") == "T" for pid in process.watch.pids)
