"""Covert channels by timing and counting between two bots: bits per second, by level of isolation.

Run it from the project's folder: `.venv/bin/python -m benchmarks.whispers`. It needs a C compiler.
Two programs (`whisper.c`) sit at a table on one core, as bots do. One says random bits without any
means that is meant for it; the other listens, and knows how many it got wrong.
"""

import argparse
import os
import secrets
import tempfile
from contextlib import AsyncExitStack
from math import log2
from pathlib import Path
from time import monotonic_ns
from typing import Final, NamedTuple

import trio
from trio.lowlevel import wait_readable

from arena.engine.process import Process
from arena.engine.seats import seats_for
from arena.match.wire import Limits
from arena.sandbox.box import Program
from arena.sandbox.isolation import Isolation, choose_isolation
from benchmarks.sandbox import available
from benchmarks.speed import build

PATIENCE_S: Final = 60.0
LEAD_NS: Final = 50_000_000
KNOWN_PAGES: Final = 200
PAGE: Final = 4096


class Channel(NamedTuple):
    """What carries the bits, how many are said, and the lengths of a slot to try, in microseconds.

    A memory is what one bot leaves and the other finds later; the others are both at it at once, in
    slots or, without these, in turns.
    """

    name: str
    carrier: str
    bits: int
    slots_us: tuple[int, ...] = ()
    memory: bool = False


CHANNELS: Final = (
    Channel("core", "one spins, and the other gets less of the core", 140, (50_000,)),
    Channel("tasks", "how many processes the machine has (sysinfo)", 440, (4_000,)),
    Channel("inodes", "the next inode number of a pipe (fstat)", 4_000),
    Channel("numbers", "the next number of a process (fork)", 640, (1_000, 2_000)),
    Channel("names", "which missing names were looked for (access)", 20_000, memory=True),
    Channel("pages", "which pages of a file were read (mmap)", 4_000, memory=True),
)


class Heard(NamedTuple):
    """How fast bits were said, and the share that was heard wrongly."""

    bits_s: float
    wrong: float

    @property
    def capacity(self) -> float:
        """Bits per second that a good code gets through: those of a binary symmetric channel."""
        wrong = min(self.wrong, 0.5)
        if wrong in (0, 0.5):
            return self.bits_s * (1 - 2 * wrong)
        return self.bits_s * (1 + wrong * log2(wrong) + (1 - wrong) * log2(1 - wrong))


def main() -> None:
    """Measure each channel at each level, and print what its best slots carry."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=3, help="times each is measured")
    chosen = options.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    print("level        channel    bits/s said    wrong    bits/s got through   carried by")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        program = build("whisper", folder)
        for level, apart in available():
            shown = apart if level == "none" else choose_isolation(level, (folder,))
            for channel in CHANNELS:
                heard = best(channel, program, folder, shown, chosen.rounds)
                print(
                    f"{level:10s}   {channel.name:8s} {heard.bits_s:13,.0f}   {heard.wrong:6.1%}"
                    f" {heard.capacity:20,.0f}   {channel.carrier}",
                    flush=True,
                )


def best(channel: Channel, program: str, folder: str, apart: Isolation, rounds: int) -> Heard:
    """The slots that carry most, each by its median round."""
    return max(
        (
            sorted(
                (heard(channel, slot, program, folder, apart) for _ in range(rounds)),
                key=lambda each: each.capacity,
            )[rounds // 2]
            for slot in channel.slots_us or (0,)
        ),
        key=lambda each: each.capacity,
    )


def heard(channel: Channel, slot_us: int, program: str, folder: str, apart: Isolation) -> Heard:
    """Say and hear all bits once."""
    pages = Path(folder, "pages")
    if channel.name == "pages":
        write_cold(pages, (channel.bits + KNOWN_PAGES) * PAGE)
    words = (channel.name, secrets.token_hex(8), str(channel.bits), str(1000 * slot_us), str(pages))
    bits, errors, nanoseconds = trio.run(talk, program, words, folder, apart, channel.memory)
    return Heard(1e9 * bits / nanoseconds, errors / bits)


async def talk(
    program: str, words: tuple[str, ...], folder: str, apart: Isolation, memory: bool
) -> tuple[int, int, int]:
    """Have one whisper to the other: bits, errors among them, and nanoseconds of both."""
    async with AsyncExitStack() as stack:
        ends: list[Process] = []
        for role in ("speak", "listen"):
            end = Program(role, (program, role, *words), folder)
            seats = seats_for([end], apart, Limits(None, None, PAGE))
            started = await stack.enter_async_context(seats)
            await started.start(())
            process = started.all[0].process
            assert process is not None
            ends.append(process)
            await line(process)
        began = f"{monotonic_ns() + LEAD_NS}\n".encode()
        speaker, listener = ends
        os.write(speaker.pipes.stdin, began)
        if not memory:
            os.write(listener.pipes.stdin, began)
        left = await line(speaker)
        if memory:
            os.write(listener.pipes.stdin, began)
        bits, errors, nanoseconds = map(int, (await line(listener)).split())
        return bits, errors, nanoseconds + (int(left) if memory else 0)


async def line(process: Process) -> str:
    """The next line that a program writes."""
    with trio.fail_after(PATIENCE_S):
        while not (lines := process.pipes.take()):
            await wait_readable(process.pipes.stdout)
    return lines[0].decode()


def write_cold(path: Path, size: int) -> None:
    """A file of which no page is in memory, as most of a system's are."""
    with path.open("wb") as file:
        file.write(os.urandom(size))
        file.flush()
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)
    path.chmod(0o644)


if __name__ == "__main__":
    main()
