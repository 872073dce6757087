"""An examination of how well this machine confines strangers' bots: each protection is tried."""

import errno
import os
import secrets
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter, sleep
from typing import Final

import msgspec
import trio

from arena.base.errors import MachineError
from arena.base.isolation_levels import ISOLATION_LEVELS, IsolationLevel
from arena.base.resources import Resources
from arena.bots.manifest import read_bot
from arena.engine.builds import prepare
from arena.engine.deadlines import LONGEST
from arena.engine.player import Gone, Late
from arena.engine.process import running
from arena.engine.program import Program
from arena.engine.workers import cores
from arena.sandbox import cgroup, leftovers
from arena.sandbox.box import NoBox
from arena.sandbox.core_use import kernel_tells_waits
from arena.sandbox.isolation import Isolation, choose_isolation

_PROBE: Final = Path(__file__).with_name("probe")
_LIMITS: Final = Resources(
    memory_mib=200, tasks=32, cpu_match_s=1.0, scratch_mib=16, scratch_files=1000
)
_PATIENCE_S: Final = 15.0
_LINE_BYTES: Final = 1000

_REDUCED: Final = {"end of the arena"}
"""Protections that Landlock lacks."""


class Finding(msgspec.Struct, frozen=True):
    """One protection: `held` is None if the level does not claim it."""

    name: str
    held: bool | None
    said: str


class Examination(msgspec.Struct, frozen=True):
    """The protections of a machine at the level it plays at; no level if none works here.

    `groups` says for each version of control groups whether it limits a bot's memory here.
    """

    level: IsolationLevel | None
    levels: dict[IsolationLevel, str]
    groups: dict[str, str]
    findings: tuple[Finding, ...]

    @property
    def sound(self) -> bool:
        """Whether every protection that the level claims holds."""
        return self.level is not None and all(found.held is not False for found in self.findings)


def examine(level: IsolationLevel | None) -> Examination:
    """Try a level, or the strongest that works here, with a probe for each protection."""
    levels: dict[IsolationLevel, str] = {
        name: _word(name) for name in ISOLATION_LEVELS if name != "none"
    }
    groups = dict(cgroup.findings())
    try:
        apart = choose_isolation(level)
    except MachineError:
        return Examination(None, levels, groups, ())
    return Examination(apart.level, levels, groups, tuple(_findings(apart)))


def _word(level: IsolationLevel) -> str:
    """The reason why a level does not work here, or that it works."""
    try:
        apart = choose_isolation(level)
    except MachineError as error:
        first = error.mistakes[0]
        return f"{first.what}; {first.remedy}" if first.remedy else first.what
    return f"works: {apart.bwrap}" if apart.bwrap else "works"


def _findings(apart: Isolation) -> Iterator[Finding]:
    program = msgspec.structs.replace(prepare(read_bot(_PROBE), apart), resources=_LIMITS)
    secret = secrets.token_hex(8)
    with tempfile.TemporaryDirectory() as folder, socket.create_server(("127.0.0.1", 0)) as server:
        kept = Path(folder, "secret")
        kept.write_text(secret, encoding="utf-8")
        pid = str(os.getpid())
        environment = subprocess.Popen(["sleep", "60"], env={**os.environ, "SECRET": secret})
        try:
            for name, words in (
                ("rights", ()),
                ("files", (str(kept),)),
                ("writing", ()),
                ("network", (str(server.getsockname()[1]),)),
                ("processes", (pid,)),
                ("signals", (pid,)),
                ("environment", (secret,)),
                ("calls", ()),
                ("counts", ()),
                ("core", ()),
                ("memory", ()),
                ("tasks", ()),
                ("scratch", ()),
                ("time_used", ()),
            ):
                yield _tried(apart, program, name, words)
        finally:
            environment.kill()
            environment.wait()
    yield _orphaned(apart, program)
    yield _clock(cgroup.quota(), len(cores()), kernel_tells_waits())
    yield _cost(apart, program)


def _tried(apart: Isolation, program: Program, name: str, words: tuple[str, ...]) -> Finding:
    """Run the probe of one protection."""
    program = msgspec.structs.replace(program, run=(*program.run, name, *words))
    try:
        said = trio.run(_answer, apart, program)
    except (Gone, Late, NoBox, OSError) as error:
        said = f"no answer: {str(error) or type(error).__name__}"
    held, told = said.startswith("held: "), said.partition(": ")[2]
    if held and told in map(os.strerror, errno.errorcode):
        told = f"refused with: {told}"
    return _finding(apart, name.replace("_", " "), held, told)


def _finding(apart: Isolation, name: str, held: bool, said: str) -> Finding:
    claimed = apart.level != "landlock" or name not in _REDUCED
    return Finding(name, True if held else (False if claimed else None), said)


async def _answer(apart: Isolation, program: Program) -> str:
    async with running(program, apart, _LINE_BYTES) as process:
        try:
            return (await process.read_line(trio.current_time() + _PATIENCE_S)).decode()
        except Gone:
            if process.crossed is None:
                raise
            return f"held: ended: {process.crossed}"


def _orphaned(apart: Isolation, program: Program) -> Finding:
    """Kill a worker that runs a bot; the bot must be gone at once."""
    program = msgspec.structs.replace(program, run=(*program.run, "tasks"))
    program = msgspec.structs.replace(program, resources=Resources())
    order = msgspec.json.encode((apart, program))
    worker = subprocess.Popen(
        [sys.executable, "-m", __name__], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert worker.stdin is not None
    assert worker.stdout is not None
    worker.stdin.write(order)
    worker.stdin.close()
    pids = [int(word) for word in worker.stdout.readline().split()]
    worker.kill()
    worker.wait()
    worker.stdout.close()
    began = perf_counter()
    while perf_counter() < began + 5 and any(Path(f"/proc/{pid}").exists() for pid in pids):
        sleep(0.001)
    left = sum(Path(f"/proc/{pid}").exists() for pid in pids)
    said = (
        f"{len(pids)} processes are gone {1000 * (perf_counter() - began):.0f} ms after a kill -9"
    )
    if left or not pids:
        said = f"{left} of {len(pids)} processes outlive a worker killed by kill -9"
    leftovers.sweep()
    return _finding(apart, "end of the arena", bool(pids) and not left, said)


def _clock(quota: float | None, cores: int, told: bool) -> Finding:
    """Whether a bot's clock can be kept fair here: waiting for its core must cost it nothing."""
    if not told:
        return Finding(
            "clock", False, "this kernel does not tell how long a bot waits for its core"
        )
    if quota is None or quota >= cores:
        return Finding("clock", True, "a bot is not charged for waiting for its core")
    share = f"all processes here together may use {quota:g} of {cores} cores"
    if quota * LONGEST < cores:
        what = f"{share}: bots wait longer than their clocks can be extended"
        return Finding("clock", False, what)
    return Finding("clock", True, f"{share}; a bot is not charged for waiting")


def _cost(apart: Isolation, program: Program) -> Finding:
    program = msgspec.structs.replace(program, run=("true",))
    times = []
    for _ in range(10):
        began = perf_counter()
        with_code = trio.run(_ended, apart, program)
        times.append(perf_counter() - began)
    said = f"{1000 * sorted(times)[5]:.0f} ms from start to end of an empty program"
    return Finding("start", with_code == 0, said)


async def _ended(apart: Isolation, program: Program) -> int | None:
    async with running(program, apart, _LINE_BYTES) as process:
        return await process.exit_code(_PATIENCE_S)


async def _hold(apart: Isolation, program: Program) -> None:
    """Run a program, print its processes' numbers once it has many, and wait to be killed."""
    async with running(program, apart, _LINE_BYTES) as process:
        while len(process.box.pids()) < 10 and process.box.popen.poll() is None:
            await trio.sleep(0.05)
        print(*process.box.pids(), flush=True)
        await trio.sleep_forever()


if __name__ == "__main__":
    trio.run(_hold, *msgspec.json.decode(sys.stdin.buffer.read(), type=tuple[Isolation, Program]))
