"""Harms the machines of a site's workers: `python -m tools.machines --seed 1 --faults 50`, as root.

A site of 40 bots has a scheduler and three workers, each with a disk and, where the system lets it,
a network of its own. Workers are killed, stopped, cut off, filled to the last byte of their disk,
and replaced by such that lie, and the scheduler is killed, while orders are played, uploads checked
and challenges asked for. Then all is let be, and it is looked whether all that was sent has come to
its end, whether the record is clean and every match in it is what this machine plays of it. What
was done is told with the seconds since the begin; the same seed chooses the same faults. Exit code
1 where anything is wrong.
"""

import argparse
import ctypes
import hashlib
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Final

from arena.base.refusals import OverQuota
from arena.bots.archive import pack
from arena.cluster.executor import STOPPED_S
from arena.engine.runner import results_of
from arena.engine.runner import run as play
from arena.engine.workers import Players, cores
from arena.record.paths import record_path
from arena.record.store import Store
from arena.sandbox.isolation import NO_ISOLATION
from arena.site.process import read_states
from arena.site.registry import Registry
from arena.site.registry.accounts import Account
from arena.site.registry.jobs import Archive, Challenge, ask_for, find_job, spool_file
from arena.tasks.league_request import copy_of
from arena.tasks.league_run import Roster, job_of
from tests.cluster.test_cluster import LIE, LIES
from tests.support.command import PROJECT, run
from tests.support.machines import (
    Machines,
    Place,
    dask_forks,
    folders,
    machines,
    networks,
    worker_words,
)
from tests.support.registry import account
from tests.support.small_disk import SmallDisk, small_disk
from tests.support.whole_site import WholeSite, running, write_author_bot, write_site

_WORKERS: Final = ("one", "two", "three")
_DISK_MIB: Final = 256
_COMPARED: Final = 200
"""Matches of the record that are played again at the end."""

_KEYS: Final = "[quotas]\nuploads = 100000\nbots = 1000\nchallenges = 100000\n"
_MORE: Final = "build_minutes_a_day = 10000\nrequests_a_minute = 100000\n[guests]\ntables = 0\n"


class Faults:
    """What is done to the machines, and undone in time."""

    def __init__(self, there: Machines, address: str, places: list[Place], seed: int) -> None:
        self._there, self._address = there, address
        self._places = dict(zip(_WORKERS, places[1:], strict=True))
        self._disks: dict[str, SmallDisk] = {}
        self._dice = random.Random(seed)
        self._begun = time.monotonic()
        self._starts = 0
        self._busy: dict[str, tuple[float, Callable[[], None]]] = {}
        self.done: Counter[str] = Counter()
        self._kinds = [self._kill, self._stop, self._cut_off, self._fill, self._lie]
        if not places[0].within:
            self._kinds.remove(self._cut_off)

    def tell(self, what: str) -> None:
        """Say what was done, and when."""
        print(f"{time.monotonic() - self._begun:6.1f} {what}", flush=True)

    def start(self, name: str, disk: SmallDisk) -> None:
        """Start a worker on a disk."""
        self._disks[name] = disk
        self._start(name)

    def next(self) -> None:
        """Do one thing to one machine that nothing is done to, and undo what is over."""
        self.undo(time.monotonic())
        free = [name for name in _WORKERS if name not in self._busy]
        if self._dice.random() < 0.06:
            self._kill_scheduler()
        elif free:
            fault = self._dice.choice(self._kinds)
            name = self._dice.choice(free)
            fault(name)
            self.done[fault.__name__.strip("_")] += 1

    def undo(self, now: float = float("inf")) -> None:
        """Undo what has lasted long enough; by default everything."""
        for name, (at, undo) in list(self._busy.items()):
            if now >= at:
                del self._busy[name]
                undo()

    def _for(self, name: str, seconds: float, undo: Callable[[], None]) -> None:
        self._busy[name] = time.monotonic() + seconds, undo

    def _start(self, name: str, *more: str) -> None:
        self._starts += 1
        home = self._disks[name].folder / str(self._starts)
        home.mkdir()
        dask = [*self._places[name].within, sys.executable, "-m", "dask"]
        words = [*dask, *worker_words(self._address, home), *more]
        environment = {**os.environ, "PYTHONPATH": PROJECT, **folders(home)}
        self._there.start(name, words, environment, "a")

    def _anew(self, name: str) -> None:
        self.tell(f"{name} is started")
        with suppress(KeyError):
            self._there.kill(name)
        self._start(name)

    def _kill(self, name: str) -> None:
        self.tell(f"{name} is killed")
        self._there.kill(name)
        self._for(name, self._dice.uniform(0, 10), lambda: self._anew(name))

    def _stop(self, name: str) -> None:
        seconds = self._dice.choice((5.0, STOPPED_S + 15))
        self.tell(f"{name} is stopped for {seconds:.0f} s")
        pid = self._there.all[name].pid
        os.killpg(pid, signal.SIGSTOP)

        def go_on() -> None:
            self.tell(f"{name} goes on")
            with suppress(ProcessLookupError):
                os.killpg(pid, signal.SIGCONT)
            if seconds > STOPPED_S:  # it was refused, and is used again once it is new
                self._anew(name)

        self._for(name, seconds, go_on)

    def _cut_off(self, name: str) -> None:
        seconds = self._dice.choice((5.0, STOPPED_S + 15))
        self.tell(f"{name} is cut off for {seconds:.0f} s")
        link = ("ip", "link", "set", "eth0")
        inside = self._places[name].within
        subprocess.run([*inside, *link, "down"], check=True)

        def join() -> None:
            self.tell(f"{name} is reached again")
            subprocess.run([*inside, *link, "up"], check=True)
            self._anew(name)

        self._for(name, seconds, join)

    def _fill(self, name: str) -> None:
        self.tell(f"the disk of {name} is full")
        self._disks[name].fill()

        def empty() -> None:
            self.tell(f"the disk of {name} has room")
            self._disks[name].empty()
            self._anew(name)

        self._for(name, self._dice.uniform(5, 20), empty)

    def _lie(self, name: str) -> None:
        lie = self._dice.choice(sorted(LIES))
        self.tell(f"{name} lies: {lie}")
        self._there.kill(name)
        file = self._there.folder / f"{name}.py"
        file.write_text(f"{LIE}\nworker.play_remote = {LIES[lie]}\n")
        self._start(name, "--preload", str(file))
        self._for(name, self._dice.uniform(10, 25), lambda: self._anew(name))

    def _kill_scheduler(self) -> None:
        self.tell("the scheduler is killed, and started again")
        self.done["kill_scheduler"] += 1
        self._there.kill("scheduler")
        scheduler(self._there, self._address)


def scheduler(there: Machines, address: str) -> None:
    """Start a scheduler at an address."""
    host, port = address.removeprefix("tcp://").split(":")
    there.scheduler("--port", port, host=host)


class Senders:
    """Authors who send bots and ask for challenges."""

    def __init__(self, site: WholeSite, folder: Path, seed: int) -> None:
        self._site, self._folder = site, folder
        self._dice = random.Random(f"{seed} senders")
        self._number = 0
        self._who: Account = site.comes_in("me").account
        self.uploads: dict[str, bool] = {}
        self.challenges: list[str] = []

    def turn(self) -> None:
        """Send a bot, which may be a broken one, and challenge with one that plays."""
        with closing(Registry.open(self._site.site.registry, self._site.site.quotas)) as registry:
            self._number += 1
            name, good = f"x{self._number}", self._dice.random() < 0.7
            bot = write_author_bot(self._folder / name, "me", self._dice.randrange(9))
            if not good:
                (bot / "bot").write_bytes(b"#!/bin/sh\nexit 1\n")
            data = pack(bot)
            digest = hashlib.sha256(data).hexdigest()
            (self._site.site.spool / spool_file(self._who, digest)).write_bytes(data)
            with suppress(OverQuota):  # one at a time
                self.uploads[ask_for(registry, self._who, Archive(digest))[0].id] = good
            mine = [each for each in self.uploads if self.uploads[each]]
            entered = find_job(registry, self._who, self._dice.choice(mine)) if mine else None
            if entered is not None and entered.name in self._playing():
                about = Challenge((entered.name, *self._dice.sample(_names(40), 2)))
                with suppress(OverQuota):  # too many wait already
                    self.challenges.append(ask_for(registry, self._who, about)[0].id)

    def _playing(self) -> set[str]:
        """The bots that may be challenged by what was published."""
        found = self._site.document("standings") or {"lines": ()}
        return {line["bot"] for line in found["lines"]}

    def wrong(self) -> Iterator[str]:
        """What did not come to the end that it should have."""
        with closing(Registry.open(self._site.site.registry, self._site.site.quotas)) as registry:
            me = account(registry, self._who.name)
            for id, good in self.uploads.items():
                found = find_job(registry, me, id)
                if found.state != ("done" if good else "failed"):
                    yield f"upload {id} of a {'good' if good else 'bad'} bot: {found}"
            for id in self.challenges:
                asked = find_job(registry, me, id)
                if asked.state != "done":
                    yield f"challenge {id}: {asked}"

    def waiting(self) -> bool:
        """Whether anything has not come to its end."""
        return any("waiting" in each for each in self.wrong())


def _names(count: int) -> list[str]:
    return [f"b{number}" for number in range(count)]


def differing(league: Path, seed: int) -> Iterator[str]:
    """Matches of a record, some of them by lot, that this machine plays otherwise."""
    with closing(Store.open(record_path(league))) as store:
        terms, seeds, entries = store.terms(), store.seeds(), store.submissions()
        stored = [(spec, record) for _, spec, record in store.matches()]
        chosen = random.Random(seed).sample(stored, min(_COMPARED, len(stored)))
        roster = Roster(league.with_suffix(".bots"), NO_ISOLATION)
        for name in sorted({bot for spec, _ in chosen for bot in spec.lineup}):
            roster.add(copy_of(roster.home, name, terms, entries))
    jobs = [(spec, job_of(terms, seeds, roster, spec)) for spec, _ in chosen]
    with closing(Players(len(cores()))) as players:
        played = dict(results_of(play(jobs, players)))
    for spec, record in chosen:
        if played[spec].results != record.results:
            yield f"{spec}: {record.results} is stored, and {played[spec]} comes of it"


def harmed(folder: Path, seed: int, faults: int) -> bool:
    """Harm a site's machines; return whether all is well at the end."""
    with ExitStack() as stack:
        places = stack.enter_context(networks("hub", *_WORKERS))
        if places[0].within:
            _enter_network(places[0].within[-1])
        stack.enter_context(dask_forks())
        there = stack.enter_context(machines(folder / "machines"))
        address = f"tcp://{places[0].host}:{18786}"
        scheduler(there, address)
        done = Faults(there, address, places, seed)
        for name in _WORKERS:
            done.start(name, stack.enter_context(small_disk(folder / name, _DISK_MIB)))
        cluster = f'cluster = "{address}"\n'
        path = write_site(folder / "site", _names(40), "width = 0.01\n", f"{cluster}{_KEYS}{_MORE}")
        site = stack.enter_context(running(path))
        site.wait_for(lambda: site.document("league"))
        senders = Senders(site, folder / "sent", seed)
        dice = random.Random(f"{seed} pauses")
        while done.done.total() < faults:
            done.next()
            if dice.random() < 0.4:
                senders.turn()
            time.sleep(dice.uniform(1, 8))
        done.undo()
        waiting = sum("waiting" in each for each in senders.wrong())
        done.tell(f"all is let be: {dict(done.done)}; {waiting} things asked for are waiting")
        site.wait_for(lambda: not senders.waiting())
        done.tell("none waits any more")
        states = read_states(site.site)
        done.tell("; ".join(f"{each.name}: {each.doing}" for each in states.values()))
        code = site.end()
        wrong = [*senders.wrong(), *([f"the site ended with {code}"] if code else [])]
        checked = run("verify", site.site.league)
        wrong += [] if checked.returncode == 0 else [checked.stdout + checked.stderr]
        wrong += differing(site.site.league, seed)
        said = [
            line for line in site.said().splitlines() if "worker" in line or "by itself" in line
        ]
        with closing(Store.open(record_path(site.site.league))) as store:
            count = len(store.stored())
        print(f"{len(said)} lines about workers, the last of them:", *said[-5:], sep="\n")
        print(
            f"{count} matches, {len(senders.uploads)} uploads, {len(senders.challenges)} challenges"
        )
        print(*wrong or ["all is well"], sep="\n")
        return not wrong


def _enter_network(name: str) -> None:
    with Path("/run/netns", name).open() as file:
        if ctypes.CDLL(None, use_errno=True).setns(file.fileno(), 0x40000000):
            raise OSError(ctypes.get_errno(), "setns")


def main() -> int:
    """Do as the options say."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--faults", type=int, default=50)
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="machines-") as folder:
        Path(folder).chmod(0o755)
        return 0 if harmed(Path(folder), chosen.seed, chosen.faults) else 1


if __name__ == "__main__":
    sys.exit(main())
