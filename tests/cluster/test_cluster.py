"""Leagues on a cluster of real processes: losing a worker costs time and nothing else."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import pytest

from arena.base.errors import MachineError
from arena.cluster import scheduler
from tests.cli.test_league import standings
from tests.support.bots import good, open_gate, write_bot, write_gated_league, write_league
from tests.support.command import (
    PROJECT,
    Forked,
    besides_level,
    command,
    heed_interrupts,
    run,
    run_here,
)
from tests.support.dask_forks import fork_arena, fork_dask
from tests.support.ordinary import ordinary
from tests.support.patience import PATIENCE_S, until
from tests.support.records import timeless_matches

needs_dask = pytest.mark.skipif(
    find_spec("distributed") is None, reason="the extra [cluster] is not installed"
)
"""Looks without importing it, which every process of the tests would do."""

pytestmark = needs_dask

SEED = "23"


class Machines:
    """A scheduler and workers, each a machine with folders of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.all: dict[str, subprocess.Popen[str] | Forked] = {}

    def scheduler(self, *more: str, host: str = "127.0.0.1", within: Sequence[str] = ()) -> str:
        """Start a scheduler; returns its address."""
        file = self.folder / "scheduler.json"
        file.unlink(missing_ok=True)
        words = ["--host", host, "--port", "0", "--no-dashboard", "--no-show"]
        words = ["scheduler", *words, "--scheduler-file", str(file), *more]
        self._start_dask("scheduler", words, {**os.environ, "PYTHONPATH": PROJECT}, within)

        def address() -> str | None:
            assert self.all["scheduler"].poll() is None, self._log("scheduler")
            with suppress(OSError, ValueError):
                return str(json.loads(file.read_text())["address"])
            return None

        return until(address)

    def worker(
        self,
        name: str,
        address: str,
        *more: str,
        packages: str | Path = PROJECT,
        within: Sequence[str] = (),
    ) -> None:
        """Start a worker."""
        home = self.folder / name
        home.mkdir()
        environment = {**os.environ, "PYTHONPATH": str(packages), **folders(home)}
        self._start_dask(name, [*worker_words(address, home), *more], environment, within)

    def worker_of_another_user(
        self, name: str, address: str, *more: str, within: Sequence[str] = ()
    ) -> None:
        """Start a worker as an ordinary user, or as ourselves where this needs root that may."""
        if os.geteuid() != 0 or subprocess.run(("unshare", "-m", "true"), check=False).returncode:
            self.worker(name, address, *more, within=within)
            return
        home = self.folder / name
        home.mkdir()
        words, environment = ordinary(home, ["-m", "dask", *worker_words(address, home), *more])
        self.start(name, [*within, *words], {**environment, **folders(home)})

    def league(
        self, *arguments: str | Path, within: Sequence[str] = ()
    ) -> subprocess.Popen[str] | Forked:
        """Start playing a league; `told` has what it says."""
        if not within:
            told_to = self.folder / "told"
            told_to.touch()
            self.all["arena"] = fork_arena(["league", *map(str, arguments)], told_to)
            return self.all["arena"]
        with (self.folder / "told").open("a") as told:
            self.all["arena"] = subprocess.Popen(
                [*within, *command("league", *arguments)],
                stdout=subprocess.DEVNULL,
                stderr=told,
                text=True,
                start_new_session=True,
                preexec_fn=heed_interrupts,
                env={**os.environ, "PYTHONPATH": PROJECT, "NO_COLOR": "1"},
            )
        return self.all["arena"]

    def play(
        self, league: Path, address: str, *workers: str, more: Sequence[str] = ("--no-nanny",)
    ) -> subprocess.Popen[str] | Forked:
        """Start workers and a league on them; returns once that is being played."""
        for name in workers:
            self.worker(name, address, *more)
        self.registered(*workers)
        arena = self.league(league, "--seed", SEED, "--cluster", address)
        self.until("1 at a time", len(workers))
        self.until("decisions a second")
        return arena

    def told(self) -> str:
        return (self.folder / "told").read_text()

    def until(self, word: str, count: int = 1) -> None:
        """Wait until the league has said something so often, for as long as it runs."""

        def has_told() -> bool:
            over = self.all["arena"].poll() is not None
            if self.told().count(word) >= count:
                return True
            assert not over, self.told()
            return False

        until(has_told)

    def registered(self, *names: str) -> None:
        """Wait until the scheduler knows some workers: a run does not wait for ever for one."""

        def is_known(name: str) -> bool:
            assert self.all[name].poll() is None, self._log(name)
            return "Registered to:" in self._log(name)

        until(lambda: all(map(is_known, names)))

    def kill(self, name: str) -> None:
        """A machine is lost: what was started there ends at once."""
        with suppress(ProcessLookupError):
            os.killpg(self.all[name].pid, signal.SIGKILL)
        self.all.pop(name).wait()

    def vacated(self, name: str = "") -> None:
        """Wait until no process knows a machine's folder."""
        place = os.fsencode(self.folder / name)
        until(lambda: not any(lines_with(place)))

    def _log(self, name: str) -> str:
        return (self.folder / f"{name}.log").read_text()

    def _start_dask(
        self, name: str, words: list[str], environment: dict[str, str], within: Sequence[str]
    ) -> None:
        """Fork a scheduler or worker, or start it with the arena that its environment names."""
        if within or environment["PYTHONPATH"] != PROJECT:
            self.start(name, [*within, sys.executable, "-m", "dask", *words], environment)
            return
        log = self.folder / f"{name}.log"
        log.touch()
        self.all[name] = fork_dask(words, environment, log)

    def start(
        self, name: str, words: list[str], environment: dict[str, str], log_mode: str = "w"
    ) -> None:
        """Start a program that belongs to a machine, with a log of its own."""
        with (self.folder / f"{name}.log").open(log_mode) as log:
            self.all[name] = subprocess.Popen(
                words,
                cwd="/",
                stdout=log,
                stderr=log,
                text=True,
                start_new_session=True,
                env=environment,
            )


def worker_words(address: str, home: Path) -> list[str]:
    return ["worker", address, "--nthreads", "1", "--no-dashboard", "--local-directory", str(home)]


def folders(home: Path) -> dict[str, str]:
    """Where a machine keeps what."""
    return {"XDG_CACHE_HOME": str(home), "TMPDIR": str(home), "HOME": str(home)}


def lines_with(place: bytes) -> Iterator[str]:
    for each in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            line = (each / "cmdline").read_bytes()
            here = os.fsencode(os.readlink(each / "cwd"))
            if place in b"\0".join((line, (each / "environ").read_bytes(), here)):
                yield line.replace(b"\0", b" ").decode()


@contextmanager
def open_folder() -> Iterator[Path]:
    """A folder that other users may enter; pytest closes its own, also while tests run."""
    with tempfile.TemporaryDirectory(prefix="cluster-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@contextmanager
def machines(folder: Path) -> Iterator[Machines]:
    folder.mkdir()
    found = Machines(folder)
    try:
        yield found
    finally:
        for name in list(found.all):
            found.kill(name)
        found.vacated()


@pytest.fixture(scope="module")
def network() -> Iterator[str]:
    """The address of a scheduler whose workers come and go with the tests."""
    with open_folder() as folder, machines(folder / "machines") as there:
        yield there.scheduler()


def league_in(folder: Path) -> Path:
    """A league that cannot be over before its gate is open; one bot is built."""
    league = write_gated_league(folder, "abcd", deals=2, more="seatings = 3\n")
    with (folder / "d" / "bot.toml").open("a") as manifest:
        manifest.write('build = ["sh", "-c", "echo made > made"]\n')
    for each in folder.glob("*/bot.toml"):  # whatever Python a machine has
        each.write_text(each.read_text().replace(sys.executable, "python3"))
    return league


def same(league: Path, alone: Path) -> None:
    """Check that a league was played as on one machine."""
    assert standings(league) == standings(alone)
    assert timeless_matches(league.with_suffix(".db")) == timeless_matches(alone.with_suffix(".db"))
    assert run("verify", league).returncode == 0


def play_again(league: Path, address: str) -> str:
    """Play the rest of a league in this process; returns what it said of it."""
    open_gate(league)
    done = run_here("league", league, "--seed", SEED, "--cluster", address)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_a_lost_machine_costs_time_and_nothing_else(
    league: Path, alone: Path, network: str, there: Machines
) -> None:
    there.worker_of_another_user("first", network, "--no-nanny")
    there.worker("second", network, "--no-nanny")
    there.registered("first", "second")
    arena = there.league(league, "--seed", SEED, "--cluster", network)
    there.until("1 at a time", 2)
    there.until("decisions a second")
    there.all["first"].kill()  # that process alone: its process and its bots end by themselves
    there.all.pop("first").wait()
    there.vacated("first")
    there.until("it is gone; others play its matches")
    open_gate(league)
    assert arena.wait(PATIENCE_S) == 0, there.told()
    assert (there.folder / "second" / "zole-arena" / "bots").is_dir()
    same(league, alone)


class Place(NamedTuple):
    """A network of its own: its address there, and the words that run a command within."""

    host: str
    within: Sequence[str]


@contextmanager
def networks(*names: str) -> Iterator[list[Place]]:
    """Network namespaces joined by a bridge in the first; this machine's own where none are to be.

    The first has the address 10.77.0.1, the others follow.
    """
    full = [f"zole{os.getpid()}{name}" for name in names]
    places = [
        Place(f"10.77.0.{number}", ("ip", "netns", "exec", its))
        for number, its in enumerate(full, 1)
    ]
    hub, *others = places
    orders = [
        *(("ip", "netns", "add", its) for its in full),
        *((*place.within, "ip", "link", "set", "lo", "up") for place in places),
        (*hub.within, "ip", "link", "add", "hub0", "type", "bridge"),
        (*hub.within, "ip", "address", "add", f"{hub.host}/24", "dev", "hub0"),
        (*hub.within, "ip", "link", "set", "hub0", "up"),
    ]
    for number, (its, place) in enumerate(zip(full[1:], others, strict=True)):
        ends = ("netns", full[0], "type", "veth", "peer", "name", "eth0", "netns", its)
        orders += [
            ("ip", "link", "add", f"to{number}", *ends),
            (*hub.within, "ip", "link", "set", f"to{number}", "master", "hub0", "up"),
            (*place.within, "ip", "address", "add", f"{place.host}/24", "dev", "eth0"),
            (*place.within, "ip", "link", "set", "eth0", "up"),
        ]
    try:
        try:
            for words in orders:
                subprocess.run(words, check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError):
            places = [Place("127.0.0.1", ())] * len(names)
        yield places
    finally:
        for its in full:
            with suppress(OSError):
                subprocess.run(("ip", "netns", "delete", its), check=False, capture_output=True)


@pytest.mark.slow
def test_a_worker_and_then_the_scheduler_are_lost_and_the_record_is_the_same(
    league: Path, alone: Path, there: Machines
) -> None:
    with networks("h", "a", "b") as (h, a, b):
        address = there.scheduler(host=h.host, within=h.within)
        assert address.startswith(f"tcp://{h.host}:")
        there.worker_of_another_user("first", address, within=a.within)
        there.worker("second", address, "--no-nanny", within=b.within)
        there.registered("first", "second")
        words = (league, "--seed", SEED, "--cluster")
        arena = there.league(*words, address, within=h.within)
        there.until("1 at a time", 2)
        assert all(f"worker tcp://{its.host}:" in there.told() for its in (a, b))
        there.until("decisions a second")
        there.kill("first")
        there.vacated("first")
        there.until("it is gone; others play its matches")
        there.kill("scheduler")
        there.until("the scheduler is gone; it is tried again every 60 s")
        assert there.all.pop("second").wait(PATIENCE_S) is not None  # for a service to start anew
        there.vacated("second")
        there.until("this machine plays until one comes")
        there.scheduler("--port", address.rpartition(":")[2], host=h.host, within=h.within)
        there.worker("third", address, within=a.within)
        there.registered("third")
        there.until("1 at a time", 3)
        open_gate(league)
        assert arena.wait(PATIENCE_S) == 0, there.told()
        for name in list(there.all):
            there.kill(name)
    assert "Traceback" not in there.told()
    same(league, alone)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -9)]
)
def test_a_run_that_is_stopped_or_killed_is_continued_by_the_same_command(
    league: Path, alone: Path, network: str, there: Machines, number: signal.Signals, code: int
) -> None:
    arena = there.play(league, network, "first")
    arena.send_signal(number)
    open_gate(league)
    assert arena.wait(PATIENCE_S) == code
    told = "stopped; every finished match is stored. Run the same command to continue"
    assert (there.told().splitlines()[-1] == told) is (number != signal.SIGKILL)
    assert "Traceback" not in there.told()
    play_again(league, network)
    same(league, alone)


@pytest.mark.slow
def test_the_match_of_a_killed_run_is_ended(place: Path, network: str, there: Machines) -> None:
    league = write_league(place, deals=2, sandbox="")
    write_bot(place / "a", good(before="time.sleep(10_000)"))
    there.worker("first", network, "--no-nanny")
    there.registered("first")
    there.league(league, "--cluster", network, "--no-timeout")
    there.until("the first matches")
    bots = there.folder / "first" / "zole-arena"
    until(lambda: any(lines_with(os.fsencode(bots))))
    there.kill("arena")
    there.vacated("first/zole-arena")


def test_a_worker_without_the_arena_says_so(place: Path, network: str, there: Machines) -> None:
    broken = place / "broken" / "arena" / "__init__.py"
    broken.parent.mkdir(parents=True)
    broken.write_text("raise ModuleNotFoundError(\"No module named 'arena'\")\n")
    there.worker("bare", network, "--no-nanny", packages=place / "broken")
    there.registered("bare")
    done = run_here("league", write_league(place), "--cluster", network)
    assert done.returncode == 0
    why = ": it fails to answer: No module named 'arena'; restart it"
    for words in (why, "this machine plays until one comes"):
        assert words in done.stderr, done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.slow
def test_a_cluster_of_this_machine_starts_and_ends_with_the_run(league: Path, alone: Path) -> None:
    assert play_again(league, "local:2").count("1 at a time") == 2
    same(league, alone)


@pytest.mark.slow
def test_a_scheduler_behind_tls_is_reached_with_its_certificates_alone(
    place: Path, league: Path, alone: Path, there: Machines
) -> None:
    def refusal(address: str) -> str:
        done = run_here("league", league, "--seed", SEED, "--cluster", address)
        assert done.returncode == 3
        [_, refused] = besides_level(done.stderr)
        return refused

    own, other = certificates(place / "own"), certificates(place / "other")
    words = [f"--tls-{option}={file}" for option, file in own.items()]
    address = there.scheduler("--protocol", "tls", *words)
    assert address.startswith("tls://")
    there.worker("first", address, "--no-nanny", *words)
    there.registered("first")
    assert "this address needs certificates" in refusal(address)
    plain = address.replace("tls:", "tcp:")
    refused = refusal(plain)
    assert refused.startswith(f"{plain}: no scheduler answers: ")
    assert refused.endswith(f"or is it behind {address}?")
    with configured({**other, "ca-file": own["ca-file"]}):
        assert "no scheduler answers: " in refusal(address)
    with configured(own):
        play_again(league, address)
    same(league, alone)


def certificates(folder: Path) -> dict[str, str]:
    """The files of new certificates, by Dask's options."""
    from distributed.security import Security

    new = Security.temporary()
    folder.mkdir()
    texts = {"ca-file": new.tls_ca_file, "cert": new.tls_client_cert, "key": new.tls_client_key}
    for option, text in texts.items():
        (folder / option).write_text(text)
    return {option: str(folder / option) for option in texts}


@contextmanager
def configured(files: dict[str, str]) -> Iterator[None]:
    """Dask's configuration with these certificates."""
    import dask.config

    names = {"ca-file": "ca-file", "cert": "client.cert", "key": "client.key"}
    keys = {f"distributed.comm.tls.{names[option]}": file for option, file in files.items()}
    with dask.config.set(keys):
        yield


@contextmanager
def port(talk: Callable[[socket.socket], object]) -> Iterator[str]:
    """The address of something that talks in its own way to each client."""

    def answer(client: socket.socket) -> None:
        with suppress(OSError), client:
            talk(client)

    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            with suppress(OSError):
                while True:
                    threading.Thread(target=answer, args=server.accept()[:1], daemon=True).start()

        threading.Thread(target=serve, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)


def speak_http(client: socket.socket) -> None:
    client.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
    client.recv(1 << 16)


def be_silent(client: socket.socket) -> None:
    while client.recv(1 << 16):
        pass


def test_another_server_is_not_taken_for_a_scheduler(place: Path) -> None:
    with port(speak_http) as address:
        done = run_here("league", write_league(place), "--cluster", address)
    assert done.returncode == 3
    assert done.stderr.splitlines()[-1].startswith(f"{address}: no scheduler answers: ")
    assert "Traceback" not in done.stderr


def test_a_silent_server_is_not_taken_for_a_scheduler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduler, "REACH_S", 0.5)
    with (
        port(be_silent) as address,
        pytest.raises(MachineError, match=r"nothing that a scheduler says in 0\.5 s"),
    ):
        asyncio.run(scheduler.connect(address))


@pytest.mark.parametrize(
    ("arguments", "code", "told"),
    [
        (("--cluster", "here"), 2, "here is not a cluster"),
        (("--cluster", "local:0"), 2, "local:0 is not a cluster"),
        (("--cluster", "local:2", "--jobs", "2"), 2, "--jobs is for this machine"),
        (("--cluster", "tcp://127.0.0.1:1"), 3, "no scheduler answers"),
        (("--cluster", "tcp://nowhere"), 2, "is not a cluster"),
        (("--cluster", "tls://127.0.0.1:1"), 3, "this address needs certificates"),
    ],
)
def test_mistakes_are_reported_in_one_line(
    place: Path, arguments: tuple[str, ...], code: int, told: str
) -> None:
    league = write_league(place)
    done = run_here("league", league, *arguments)
    assert done.returncode == code
    assert told in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr
    assert league.with_suffix(".db").exists() is (code == 3)  # a mistake of words begins nothing
