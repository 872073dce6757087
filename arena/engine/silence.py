"""Why a bot has not answered in time, and how it ended, as far as its pipes and processes show it.

It is for the bot's author: it never goes over the wire, where it would be a channel between bots.
"""

import array
import contextlib
import fcntl
import os
import platform
import re
import signal
import termios
from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from arena.engine.players import LEFT, Person
from arena.engine.process import Lost, Pipes, Process
from arena.match.commands import Failed, MatchVoid
from arena.match.unreadable import quoted
from arena.sandbox.box import task_state, tasks, text_of, usage

# The words for a bot that will not answer, however long its clock: it waits for more, its output
# has no newline, or it runs on after a thread or a child of it has ended.
WAITS: Final = "and is waiting for more input; perhaps it does not flush its output"
UNENDED: Final = "without the end of a line"
ERRED: Final = "its standard error names an error"

SHOWN: Final = 200  # characters of a line of stderr
_TELLING: Final = re.compile(r"error|exception|panic|abort|fault|fatal|cannot|not found", re.I)

# The beginnings of a sandbox's reports that a program is missing.
_NOT_STARTED: Final = ("bwrap: execvp", "setpriv: failed to execute")

_TOLD_S: Final = 0.05  # extra time below this is not mentioned


def with_diagnosis(failed: Failed, process: Process | Person | None) -> Failed:
    """The failure with its cause, if that can be seen, added to its detail; a person's has none.

    The detail ends with the time that was added to the bot's clock because others used its
    core. Raises `MatchVoid` if the machine cannot watch the process.
    """
    if not isinstance(process, Process):
        return failed
    try:
        why = explain_silence(process)
    except (OSError, ValueError, LookupError):  # it has ended meanwhile, or hides
        why = ""
    if process.void is not None:
        raise MatchVoid(process.void)
    detail = f"{failed.detail}: {why}" if why else failed.detail
    extra = failed.withheld_us / 1e6
    if extra >= _TOLD_S:
        detail += f"; it was given {extra:.1f} s more, since others used its core"
    return msgspec.structs.replace(failed, detail=detail)


def explain_silence(process: Process) -> str:
    """The visible activity of a bot that should have written a line; "" if nothing can be seen."""
    pipes = process.pipes
    began = "" if pipes.received else "it has written nothing since its start; "
    if pipes.half_line:
        size = len(pipes.half_line)
        return f"it wrote {size} bytes {UNENDED}: {quoted(pipes.half_line)}"
    size = unread(pipes)
    asked = "the request" if pipes.answers else "hello"
    read = f"it has not read {size} bytes of its input" if size else f"it has read {asked}"
    process.look()
    match look_at(usage(process.box.roots()).pids, pipes.stdin):
        case "computing":
            did = f"and is computing ({process.watch.cpu_s:.1f} s of processor time so far)"
        case "reading" if not size:
            did = f"{WAITS}, or not know this request" if pipes.answers else WAITS
        case "idle" | "reading":
            did = "and is idle: it waits for input, a timer, a lock or an event, or sleeps"
        case None:
            did = ""
    error = last_error(process.stderr.text())
    return f"{began}{read} {did}".strip() + (f"; {ERRED}: {error}" if error else "")


def unread(pipes: Pipes) -> int:
    """The number of bytes of its input that a bot has not read. Raises OSError, ValueError."""
    size = array.array("i", [0])
    fcntl.ioctl(pipes.stdin, termios.FIONREAD, size)
    return size[0] + len(pipes.unwritten)


def is_at_rest(process: Process) -> bool:
    """Whether a bot has read all its input and does nothing; False where that cannot be seen."""
    try:
        activity = look_at(usage(process.box.roots()).pids, process.pipes.stdin)
        return not unread(process.pipes) and activity in ("reading", "idle")
    except (OSError, ValueError, LookupError):  # it has ended meanwhile, or hides
        return False


async def blame(process: Process | Person, lost: Lost) -> Failed:
    """The failure to blame a lost player for: a flood, a crossed limit, or its end.

    Raises `MatchVoid` if it was lost because the machine could not watch it.
    """
    if isinstance(process, Person):
        return Failed(lost.kind, LEFT if lost.kind == "exited" else lost.why)
    if process.void is not None:
        raise MatchVoid(process.void)
    how = lost.why
    if lost.kind == "flooded":
        return Failed("flooded", how)
    if lost.kind == "resource":
        process.kill_for(how)
    else:
        how = await explain_end(process, how)
    return Failed("exited", how) if process.crossed is None else Failed("resource", process.crossed)


async def explain_end(process: Process, default: str) -> str:
    """How a bot ended, for a fault's detail; `otherwise` if it does not exit soon."""
    end = await process.end()
    if end is None:
        return default
    code, said = end
    for words in _NOT_STARTED:
        if said.startswith(words):
            return not_started(said.removeprefix(words).split("\n")[0])
    how = _in_words(code) if code else "exit code 0; a bot reads on until its input ends"
    last = last_words(said)
    return f"{how}: {last}" if last else how


def not_started(why: str) -> str:
    """The message that a program cannot be started for a reason `why`, with a remedy."""
    remedy = "; chmod +x makes a file a program" if why.endswith("Permission denied") else ""
    return f"cannot be started{why}{remedy}"


def last_words(stderr: str) -> str:
    """The last line that names an error, else the last that is not blank; "" if there is none.

    Indented lines of a stack come after the message in some languages and before it in others.
    """
    lines = [line for line in stderr.splitlines() if line.strip()]
    return last_error(stderr) or (lines or [""])[-1].strip()[:SHOWN]


def last_error(stderr: str) -> str:
    """The last line that names an error; "" if there is none."""
    said = [line for line in stderr.splitlines() if line[:1].strip() and _TELLING.search(line)]
    return (said or [""])[-1].strip()[:SHOWN]


# An exit code in words; bubblewrap reports a signal as shells do, by a code above 128.
def _in_words(code: int) -> str:
    number = -code if code < 0 else code - 128
    try:
        name = signal.Signals(number).name
    except ValueError:
        return f"exit code {code}"
    return f"signal {name}" if code < 0 else f"exit code {code} ({name})"


Activity = Literal["computing", "reading", "idle"]

# the numbers of the system calls `read` and `readv`, by machine
_READS: Final = {"x86_64": ("0", "19"), "aarch64": ("63", "65")}


def look_at(pids: Sequence[int], pipe: int | None = None) -> Activity | None:
    """The activity of processes, None if it cannot be known.

    They are computing if any thread runs, and reading if one waits for more from the pipe, their
    input, whose other end we hold.
    """
    all_tasks = [task for pid in pids for task in tasks(pid)]
    states = {found for task in all_tasks if (found := task_state(task)) is not None}
    if not states:
        return None
    if states & {"R", "D"}:
        return "computing"
    if pipe is None:
        return "idle"
    inode = os.fstat(pipe).st_ino
    waits = [_reads(task, inode) for task in all_tasks]
    if any(waits):
        return "reading"
    return None if None in waits else "idle"


# Whether a thread waits in a read from a pipe, None if that cannot be known.
def _reads(task: str, inode: int) -> bool | None:
    call = (text_of(f"{task}/syscall") or "").split()
    if len(call) > 1 and call[0] not in _READS[platform.machine()]:
        return False
    with contextlib.suppress(OSError, IndexError):
        return os.stat(f"{task}/fd/{int(call[1], 16)}").st_ino == inode
    return None
