"""Harms a running site at random for some minutes: `python -m tools.chaos --seed 1 --minutes 10`.

A site with an open league serves authors, guests, readers and strangers (`support/chaos_actors.py`)
while its processes and their children are killed and stopped, its disk is filled and freed, and its
clock stepped. Then all is let be, and it is looked whether the site becomes well by itself, whether
anything is gone that it has said was done, and whether a secret is where it must not be. What was
done is told with the seconds since the begin; the same seed chooses the same harms, though what
they meet may differ. Exit code 1 where anything is wrong, and the site's folder is left then.
"""

import argparse
import os
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Final

from arena.record.store import Store
from arena.sandbox.box import children
from arena.site.config import names_of
from arena.site.registry.accounts import Accepted
from arena.site.registry.jobs import find_job, queue
from tests.support.command import run
from tests.support.small_disk import SmallDisk, small_disk
from tests.support.whole_site import WholeSite, running, write_site
from tools.chaos_actors import Actors, Said

_DISK_MIB: Final = 2000
_MOST_S: Final = 12.0
"""The longest that anything is stopped or the disk full."""

_SITE: Final = "[quotas]\nuploads = 100000\nbots = 1000\nchallenges = 100000\n"
_LIMITS: Final = "build_minutes_a_day = 10000\nrequests_a_minute = 100000\n[guests]\ndeals = 1\n"


class Harms:
    """What is done to a site, and undone in time."""

    def __init__(
        self, site: WholeSite, disk: SmallDisk | None, clock: Path | None, seed: int
    ) -> None:
        self._site, self._disk, self._clock = site, disk, clock
        self._dice = random.Random(seed)
        self._begun = time.monotonic()
        self._undo: list[tuple[float, Callable[[], object]]] = []
        self._kinds = [self._kill, self._kill_child, self._stop, self._stop_child]
        self._kinds += [self._fill] if disk is not None else []
        self._kinds += [self._step] if clock is not None else []

    def go_on(self, seconds: float) -> None:
        """Harm it for so long, and undo the last of it."""
        until = time.monotonic() + seconds
        next_at = 0.0
        while (now := time.monotonic()) < until:
            for at, undo in [*self._undo]:
                if now >= at:
                    self._undo.remove((at, undo))
                    undo()
            if now >= next_at:
                next_at = now + self._dice.uniform(0.5, 6.0)
                self._dice.choice(self._kinds)()
            assert self._site.process.poll() is None, self._site.said()
            time.sleep(0.1)
        for _, undo in self._undo:
            undo()

    def tell(self, what: str) -> None:
        print(f"{time.monotonic() - self._begun:7.1f}  {what}", flush=True)

    def _named(self) -> tuple[str, int] | None:
        """A process of the site, with its number, if it runs just now."""
        name = self._dice.choice(names_of(self._site.site))
        pid = self._site.pid(name)
        return None if pid is None else (name, pid)

    def _child(self) -> tuple[str, int] | None:
        """A process that one of the site's has started, or one of those has."""
        found = sorted({*below(self._site.process.pid)} - {*self._site.pids()})
        if not found:
            return None
        pid = self._dice.choice(found)
        with suppress(OSError):
            words = Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ")[:90]
            return f"child {words.decode(errors='replace').strip()!r}", pid
        return None

    def _kill(self) -> None:
        found = self._named()
        if found is not None:
            self._signal(*found, signal.SIGKILL)

    def _kill_child(self) -> None:
        found = self._child()
        if found is not None:
            self._signal(*found, signal.SIGKILL)

    def _stop(self) -> None:
        self._stopped(self._named())

    def _stop_child(self) -> None:
        self._stopped(self._child())

    def _stopped(self, found: tuple[str, int] | None) -> None:
        if found is not None and self._signal(*found, signal.SIGSTOP):
            self._later(lambda: self._signal(*found, signal.SIGCONT))

    def _signal(self, name: str, pid: int, number: signal.Signals) -> bool:
        with suppress(ProcessLookupError):
            os.kill(pid, number)
            self.tell(f"{number.name} {name} ({pid})")
            return True
        return False

    def _fill(self) -> None:
        assert self._disk is not None
        left = self._dice.choice((0, 0, 4 << 10, 1 << 20, 100 << 20))
        self._disk.fill(left)
        self.tell(f"the disk has {left} bytes left")
        self._later(self._free)

    def _free(self) -> None:
        assert self._disk is not None
        self._disk.empty()
        self.tell("the disk has room")

    def _step(self) -> None:
        ahead = self._dice.choice((0.0, 3600.0, -3600.0, 20_000.0, 30.0, -30.0))
        assert self._clock is not None
        set_clock(self._clock, ahead)
        self.tell(f"the clock is {ahead:+.0f} s off")

    def _later(self, undo: Callable[[], object]) -> None:
        at = time.monotonic() + self._dice.uniform(0.2, _MOST_S)
        self._undo.append((at, undo))


def below(pid: int) -> Iterator[int]:
    """All that a process and those below it have started."""
    for child in children(pid):
        yield child
        yield from below(child)


def zombies(pid: int) -> Iterator[int]:
    """Those of them that have ended and that nobody has asked for."""
    for each in below(pid):
        with suppress(OSError):
            if Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                yield each


def stepped_clock(folder: Path) -> Path | None:
    """A file that moves the clock of whatever is started from now on; None without a compiler."""
    source, library = Path(__file__).with_name("stepped.c"), folder / "stepped.so"
    if shutil.which("cc") is None:
        return None
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, source, "-ldl", "-lm"], check=True)
    ahead = folder / "ahead"
    ahead.write_bytes(struct.pack("d", 0.0))
    os.environ.update(LD_PRELOAD=str(library), STEPPED_CLOCK=str(ahead))
    return ahead


def set_clock(file: Path, ahead: float) -> None:
    with file.open("r+b") as open_file:
        open_file.write(struct.pack("d", ahead))


def wrong(site: WholeSite, said: Said, author: Accepted) -> Iterator[str]:
    """What is not as it should be, once nothing is harmed any more."""
    entered: set[str] = set()
    uploads = site.registry(
        lambda registry: [find_job(registry, author.account, id) for id in said.uploads]
    )
    for ended in uploads:
        id, name = ended.id, said.uploads[ended.id]
        if ended.state not in ("done", "failed") or (ended.state == "failed" and not ended.answer):
            yield f"the upload {id} is {ended.state}"
        if ended.state == "done":
            entered.add(name)
    with closing(Store.open(site.site.league.with_suffix(".db"))) as store:
        there = {each.name for each in store.submissions()}
        stored = {number for number, *_ in store.matches()}
        secrets = [*store.facts().seeds]
    if entered - there:
        yield f"{entered - there} were entered and are not there"
    if len(stored) < said.matches:
        yield f"{said.matches} matches were published and {len(stored)} are stored"
    asked = site.registry(
        lambda registry: [find_job(registry, author.account, id) for id in said.challenges]
    )
    for each in asked:
        if each.state == "failed" and not each.answer:
            yield f"the challenge {each.id} failed without a word"
    secrets += [author.token, author.session]
    told = {f"the answer of {path}": data for path, data in said.pages.items()}
    for path in (site.log, *site.site.logs.iterdir(), *site.site.state.glob("*.json")):
        told[str(path)] = path.read_bytes()
    told[str(site.site.published)] = site.site.published.read_bytes()
    for where, data in told.items():
        if any(each.encode() in data for each in secrets):
            yield f"a secret is in {where}"
    if "Traceback" in site.said():
        yield f"a process failed: {site.said().partition('Traceback')[2][:2000]}"


def chaos(seed: int, minutes: float, folder: Path) -> list[str]:
    """Harm a site below a folder, and say what was wrong in the end."""
    with ExitStack() as stack:
        disk = None
        if os.geteuid() == 0:
            disk = stack.enter_context(small_disk(folder / "disk", _DISK_MIB))
        home = folder / "disk"
        home.mkdir(exist_ok=True)
        clock = stepped_clock(folder)
        for harm, can in (
            ("fills no disk: that needs root", disk),
            ("steps no clock: no cc", clock),
        ):
            if can is None:
                print(harm, flush=True)
        os.environ["TMPDIR"] = str(folder)
        path = write_site(home, "abc", league="trickle = 3600\n", site=_SITE + _LIMITS)
        site = stack.enter_context(running(path))
        for name in ("LD_PRELOAD", "STEPPED_CLOCK"):
            os.environ.pop(name, None)
        site.wait_for(lambda: site.document("standings"))
        author = site.comes_in("Anna")
        actors = Actors(site, author, folder / "bots", seed)
        harms = Harms(site, disk, clock, seed)
        actors.start()
        try:
            harms.go_on(60 * minutes)
        finally:
            actors.stop()
            if clock is not None:
                set_clock(clock, 0.0)
            if disk is not None:
                disk.empty()
        harms.tell("all is let be")
        site.wait_for(lambda: len(site.pids()) == len(names_of(site.site)))
        site.wait_for(lambda: site.get("/health"))
        harms.tell("it is well")
        site.wait_for(lambda: site.registry(queue) == 0)
        site.wait_for(lambda: not [*zombies(site.process.pid)])
        harms.tell("nothing waits")
        said = actors.said
        found = [*wrong(site, said, author)]
        for log, data in said.logs.items():
            if actors.ask("GET", log) != (200, data):
                found.append(f"the log {log} is another or gone")
        if site.end() != 0:
            found.append("it did not end well")
        done = run("verify", site.site.league)
        if done.returncode != 0:
            found.append(f"verify: {done.stdout}{done.stderr}")
        counts = len(said.uploads), len(said.challenges), len(said.logs), said.matches, said.answers
        print("{} uploads, {} challenges, {} guests' logs, {} matches, {} answers".format(*counts))
        if found:
            shutil.copytree(
                home, folder / "left", ignore=shutil.ignore_patterns("fills", "*.sock", "tables")
            )
        return found


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=10.0)
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="chaos-"))
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    found = chaos(asked.seed, asked.minutes, folder)
    for each in found:
        print(f"wrong: {each}")
    if found:
        sys.exit(f"the site is left in {folder}")
    shutil.rmtree(folder, ignore_errors=True)  # where something of the site's ends just now


if __name__ == "__main__":
    main()
