"""Leagues of misbehaving bots: each is blamed as listed, and nobody else is touched.

An honest neighbour of bots that take what they share with others is neither blamed nor slowed.
"""

import contextlib
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from arena.base.isolation_levels import IsolationLevel
from arena.league.schedule import MatchSpec
from arena.league.terms import match_plan
from arena.match.commands import Failed, Said
from arena.match.log import read_log
from arena.match.logged import LoggedMatch, play_again
from arena.match.record import MatchRecord
from arena.record.store import Store
from arena.sandbox import limits
from tests.support.bots import isolation_at, write_bot
from tests.support.command import PROJECT, run_here
from tests.support.needs import need
from tests.support.ordinary import UID, ordinary

ZOO = Path(__file__).parents[1] / "zoo"
ANIMALS: dict[str, dict[str, Any]] = tomllib.loads((ZOO / "zoo.toml").read_text())
SAMPLE = tuple(name for name, each in ANIMALS.items() if "sample" in each)
LATE = tuple(name for name, each in ANIMALS.items() if each.get("fault") in ("timeout", "unready"))
HONEST = ("honest", "steady")
SECRET = "kept-from-bots-7c1d"

LEAGUE = """
always = ["honest", "steady"]
deals = 3
seatings = 3
seed = 7
bots = [{bots}]

[limits]
move_s = {move_s}
start_s = {start_s}
memory_mib = 256
tasks = 64
cpu_move_s = 300
cpu_match_s = 600
scratch_mib = 32
scratch_files = 2000
output_mib = 1
stderr_mib = 4

[sandbox]
level = "{level}"
"""

# Seconds for a move and for a start, in each of three leagues. In two nobody is late: their clocks
# are for the slowest machine. One has the animals in C, since all together would form too many
# tables. In the third play the animals that are late, which are so without end, and otherwise only
# bots in C that answer in no time.
CLOCKS = {"zoo": (600, 600), "compiled": (600, 600), "late": (15, 40)}

# Matches at a time: who is late keeps nobody waiting but its own table.
JOBS = {"zoo": 2, "compiled": 2, "late": len(LATE)}

COMMANDS = {
    "python": 'run = ["python3", "-S", "bot.py", "{name}"]',
    "c": 'run = ["./bot"]',
    "sh": 'run = ["sh", "bot.sh"]',
}

HONEST_PLAY = """
#include "play.h"
static const char *misdeed(const char *line)
{
    (void)line;
    return NULL;
}
"""

# The arena that leaves out all but the first seating of each table.
ONE_SEATING = """
from arena.__main__ import main
from arena.tasks.closed_league import ClosedLeague
whole = ClosedLeague.remaining
ClosedLeague.remaining = lambda season: [spec for spec in whole(season) if spec.seating == 0]
main()
"""

# Says again what an animal said; a misdeed becomes a line that is not an answer.
GHOST = """
import json, sys
with open("script.json") as file:
    scripts = json.load(file)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        script = scripts[str(message["seed"])]
        print(json.dumps(script.pop(0)), flush=True)
    elif "id" in message:
        answer = script.pop(0)
        print(json.dumps({**answer, "id": message["id"]} if answer else None), flush=True)
"""


class Way(NamedTuple):
    """As whom the league is played, in how many of its three seatings, at which level, by whom."""

    other_user: bool
    seatings: int
    level: IsolationLevel = "bubblewrap"
    only: tuple[str, ...] = tuple(ANIMALS)
    one_group: bool = False  # whether in one control group for processor time

    @property
    def words(self) -> list[str]:
        return ["-m", "arena"] if self.seatings == 3 else ["-c", ONE_SEATING]

    def of_league(self, league: str) -> list[str]:
        return [name for name in self.only if league_of(name) == league]


def league_of(name: str) -> str:
    if name in LATE:
        return "late"
    return "compiled" if ANIMALS[name]["lang"] == "c" else "zoo"


class League:
    def __init__(self, path: Path, printed: str, way: Way) -> None:
        self.path, self.way = path, way
        self.standings = json.loads(printed)
        store = Store.open(path.with_suffix(".db"))
        self.terms, self.seeds = store.terms(), store.seeds()
        self.matches = [(spec, record) for _, spec, record in store.matches()]
        store.close()

    def of(self, bot: str) -> list[tuple[MatchSpec, MatchRecord]]:
        return [(spec, record) for spec, record in self.matches if bot in spec.lineup]


Zoo = tuple[League, ...]


def write_zoo(folder: Path, target: dict[str, object], way: Way) -> list[Path]:
    """The zoo's leagues with all their bots and what they aim at."""
    for name in (*HONEST, *way.only):
        animal, home = ANIMALS.get(name, {"lang": "c"}), folder / name
        home.mkdir()
        for common in ("play.py", "play.h", "play.sh"):
            shutil.copy(ZOO / common, home)
        suffix = {"python": "py"}.get(animal["lang"], animal["lang"])
        if name in HONEST:
            (home / "bot.c").write_text(HONEST_PLAY)
        else:
            shutil.copy(ZOO / f"{animal.get('file', name)}.{suffix}", home / f"bot.{suffix}")
        (home / "target.json").write_text(json.dumps(target))
        words = (f"{key.upper()}='{value}'\n" for key, value in target.items())
        (home / "target.sh").write_text("".join(words))
        limits = (f"limits.{key} = {most}\n" for key, most in animal.get("limits", {}).items())
        manifest = f'name = "{name}"\nversion = "1"\nauthor = "zoo"\n'
        run = COMMANDS[animal["lang"]].format(name=name)
        (home / "bot.toml").write_text(f"{manifest}{run}\n{''.join(limits)}")
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(compile_in, [source.parent for source in folder.glob("*/bot.c")]))
    for league, (move_s, start_s) in CLOCKS.items():
        bots = ", ".join(f'"{name}"' for name in (*HONEST, *way.of_league(league)))
        text = LEAGUE.format(bots=bots, move_s=move_s, start_s=start_s, level=way.level)
        (folder / f"{league}.toml").write_text(text)
    return [folder / f"{league}.toml" for league in CLOCKS]


def compile_in(home: Path) -> None:
    subprocess.run(("cc", "-O0", "-o", "bot", "bot.c", "-lpthread"), cwd=home, check=True)


def output_of(command: Sequence[str], path: Path, *words: str, **environment: str) -> str:
    """Play a league by a command; what it prints."""
    done = subprocess.run(
        [*command, "league", str(path), "--json", *words],
        env={**os.environ, "PYTHONPATH": PROJECT, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


def left_of(base: Path) -> list[int]:
    """Processes that see anything below a folder at a place of their own: bots of our league."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            mounts = (process / "mountinfo").read_text()
            if any(base.name in line and " /bot " in line for line in mounts.splitlines()):
                found.append(int(process.name))
    return found


WAYS = {
    "as an ordinary user, a sample": Way(True, 1, only=SAMPLE),
    "as an ordinary user, in every seat": Way(True, 3),
    "as root, in every seat": Way(False, 3),
    "as an ordinary user, at level landlock": Way(True, 1, "landlock"),
    "as root, at level landlock": Way(False, 1, "landlock"),
}


every_way = pytest.mark.parametrize(
    "zoo",
    [
        pytest.param(way, id=words, marks=() if way.only == SAMPLE else (pytest.mark.slow,))
        for words, way in WAYS.items()
    ],
    indirect=True,
    scope="module",
)


@pytest.fixture(scope="module")
def zoo(request: pytest.FixtureRequest) -> Iterator[Zoo]:
    wanted: Way = request.param
    if not wanted.other_user and os.geteuid() != 0:
        pytest.skip("this needs root")
    need("cc")
    way = wanted._replace(other_user=wanted.other_user and os.geteuid() == 0)
    isolation_at(way.level)
    with tempfile.TemporaryDirectory(prefix="zoo-") as base:  # pytest's are closed to others
        Path(base).chmod(0o755)
        yield played(Path(base), way)


def played(base: Path, way: Way) -> Zoo:
    """Play all leagues at a time as the command does, and see that they leave nothing behind."""
    folder, work, outside, scratch = (base / name for name in ("league", "work", "outside", "tmp"))
    for each in (folder, work, outside, scratch):
        each.mkdir()
    (outside / "secret").write_text("do not read this")
    for each in (work, scratch):
        each.chmod(0o777)
    with contextlib.ExitStack() as stack:
        tcp = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        unix = stack.enter_context(socket.socket(socket.AF_UNIX))
        unix.bind(os.path.relpath(outside / "socket"))
        unix.listen()
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind(f"\0zole-zoo-{os.getpid()}-{way.other_user}")
        abstract.listen()
        victim = stack.enter_context(
            subprocess.Popen(["sleep", "infinity"], user=UID if way.other_user else None)
        )
        stack.callback(victim.kill)
        target = {
            "secret_file": str(outside / "secret"),
            "tcp_port": tcp.getsockname()[1],
            "unix_path": str(outside / "socket"),
            "abstract": f"zole-zoo-{os.getpid()}-{way.other_user}",
            "victim_pid": victim.pid,
            "parent_secret": SECRET,
            "other_bot": str(folder / "honest"),
            "log": str(folder / "zoo.db"),
            "work": str(work),
        }
        paths = write_zoo(folder, target, way)
        command, environment = [sys.executable], {"PYTHONPATH": PROJECT}
        if way.other_user:
            command, environment = ordinary(folder, [])
        environment |= {"ARENA_SECRET": SECRET, "TMPDIR": str(scratch)}

        def play(path: Path) -> League:
            jobs = ("--jobs", str(JOBS[path.stem]))
            return League(path, output_of([*command, *way.words], path, *jobs, **environment), way)

        with ThreadPoolExecutor() as pool:
            leagues = tuple(pool.map(play, paths))
        assert left_of(base) == []
        assert [*work.iterdir(), *scratch.iterdir()] == []
        assert victim.poll() is None
    return leagues


@every_way
def test_each_animal_is_blamed_as_listed_and_nobody_else(zoo: Zoo) -> None:
    seen = {name: list(differences(zoo, name)) for name in zoo[0].way.only}
    assert {name: why for name, why in seen.items() if why} == {}


def differences(zoo: Zoo, name: str) -> Iterator[object]:
    """What an animal did, or was blamed for, otherwise than listed."""
    way = zoo[0].way
    animal = ANIMALS[name] | ANIMALS[name].get(way.level, {})
    unseen = animal.get("needs") == "cgroup" and (way.other_user or limits.homes().time is None)
    contained = animal.get("contained") or unseen
    expected = set() if contained else {(name, animal["fault"])}
    played = [each for league in zoo for each in league.of(name)]
    if len(played) != way.seatings:
        yield len(played)
    for spec, record in played:
        faults = [entry.fault for entry in record.results.faults]
        blamed = {(spec.seats[fault.seat], fault.kind) for fault in faults}
        if (blamed, record.isolation) != (expected, way.level):
            yield expected, faults, record.isolation, record.stderr
        said = [note for deal in read_log(record.log)[1] for note in deal.notes.values()]
        if animal.get("contained") and [note[:4] for note in said] != ["held"]:
            yield said


@every_way
def test_every_match_replays_to_what_is_stored(zoo: Zoo) -> None:
    for league in zoo:
        verified = run_here("verify", league.path)
        assert verified.returncode == 0, verified.stdout
        assert len(league.matches) == league.way.seatings * len(
            league.way.of_league(league.path.stem)
        )


@every_way
@pytest.mark.slow
def test_honest_bots_do_as_well_as_among_bots_that_fault_at_the_same_moments(
    zoo: Zoo, tmp_path: Path
) -> None:
    """The leagues again with ghosts for animals: payments and honest answers agree."""
    for league in zoo:
        path = tmp_path / league.path.name
        again = haunted(league, path)
        for (spec, record), (same, ghostly) in zip(league.matches, again.matches, strict=True):
            assert spec == same
            assert record.results.payments == ghostly.results.payments, spec
            for seat, bot in enumerate(spec.seats):
                if bot in HONEST:
                    assert said(league, spec, record, seat) == said(again, same, ghostly, seat)
        tables = (each.standings["standings"] for each in (league, again))
        for one, other in zip(*tables, strict=True):
            assert {**one, "faults": 0} == {**other, "faults": 0}


def haunted(league: League, path: Path) -> League:
    """A league played again, in a file of its own, with ghosts in the animals' places."""
    for name in HONEST:
        shutil.copytree(league.path.parent / name, path.parent / name, dirs_exist_ok=True)
    for name in league.way.of_league(path.stem):
        home = write_bot(path.parent / name, GHOST)
        (home / "script.json").write_text(json.dumps(scripts(league, name)))
    shutil.copy(league.path, path)
    command = [sys.executable, *league.way.words]
    return League(path, output_of(command, path, "--isolation", "none"), league.way)


def said(league: League, spec: MatchSpec, record: MatchRecord, seat: int) -> list[object]:
    """What a seat answered to each question, None for a failure."""
    plan = match_plan(league.terms, league.seeds, spec)
    steps = (step for game in play_again(plan, record.log).deals for step in game.steps)
    outcomes = (step.outcome for step in steps if step.seat == seat)
    return [each.reply if isinstance(each, Said) else None for each in outcomes]


def scripts(league: League, name: str) -> dict[str, list[object]]:
    """What an animal said in each of its matches, by the seed it was given."""
    found: dict[str, list[object]] = {}
    for spec, record in league.of(name):
        plan = match_plan(league.terms, league.seeds, spec)
        seat = spec.seats.index(name)
        greeted = not isinstance(LoggedMatch(plan, record.log).greeted[seat], Failed)
        ready = {"type": "ready", "protocol": 1} if greeted else "no"
        replies = said(league, spec, record, seat)
        answers = (None if reply is None else wire(reply) for reply in replies)
        found[str(plan.seeds[seat])] = [ready, *answers]
    assert len(found) == league.way.seatings
    return found


def wire(reply: object) -> dict[str, object]:
    """A reply as the answer that gives it, without its id and note."""
    fields = {**msgspec.to_builtins(reply), "id": None, "note": None}
    return {key: value for key, value in fields.items() if value is not None}


# --- bots that take what they share with others ---

SHARED: dict[str, dict[str, Any]] = tomllib.loads((ZOO / "shared" / "shared.toml").read_text())
NEIGHBOURS = ("neighbour", "beside")

# A control group for processor time: tasks in it share as tasks, whatever their sessions.
ONE_GROUP = Path(f"/sys/fs/cgroup/cpu/zole-zoo-{os.getpid()}")

# How many times as long as without others an honest move takes at most. One plain spinner makes it
# two times, 60 tasks that all count make it 60 times, and other load on the machine some more.
SLOWED = 15

SHARED_LEAGUE = """
always = ["neighbour", "beside"]
deals = 1
seatings = 3
seed = 7
bots = [{bots}]

[limits]
move_s = 2
start_s = 600
"""


SHARED_WAYS = {
    "bubblewrap as an ordinary user": Way(True, 1, "bubblewrap"),
    "bubblewrap as an ordinary user in one group": Way(True, 1, "bubblewrap", one_group=True),
    "landlock as an ordinary user": Way(True, 1, "landlock"),
    "landlock as an ordinary user in one group": Way(True, 1, "landlock", one_group=True),
    "bubblewrap as root": Way(False, 1, "bubblewrap"),
    "landlock as root": Way(False, 1, "landlock"),
}


@pytest.fixture(scope="module", params=list(SHARED_WAYS.values()), ids=list(SHARED_WAYS))
def shared_league(request: pytest.FixtureRequest) -> Iterator[League]:
    way: Way = request.param
    if os.geteuid() != 0 and not way.other_user:
        pytest.skip("this needs root")
    need("cc")
    isolation_at(way.level)
    with tempfile.TemporaryDirectory(prefix="shared-") as base:  # pytest's are closed to others
        Path(base).chmod(0o755)
        yield played_shared(Path(base), way)
    if way.one_group:
        ONE_GROUP.rmdir()


def played_shared(base: Path, way: Way) -> League:
    bots = (*NEIGHBOURS, *SHARED)
    for name in bots:
        home = base / name
        home.mkdir()
        source = "neighbour" if name in NEIGHBOURS else name
        shutil.copy(ZOO / "play.h", home)
        shutil.copy(ZOO / "shared" / f"{source}.c", home / "bot.c")
        compile_in(home)
        manifest = f'name = "{name}"\nversion = "1"\nauthor = "zoo"\nrun = ["./bot"]\n'
        (home / "bot.toml").write_text(manifest)
        if way.level == "bubblewrap":
            (home / "namespace").touch()
    path, scratch = base / "league.toml", base / "tmp"
    names = ", ".join(f'"{name}"' for name in bots)
    path.write_text(SHARED_LEAGUE.format(bots=names))
    scratch.mkdir()
    command, environment = [sys.executable, "-c", ONE_SEATING], {"PYTHONPATH": PROJECT}
    if way.other_user and os.geteuid() == 0:
        command, environment = ordinary(base, command[1:])
    scratch.chmod(0o777)
    if way.one_group:
        try:
            ONE_GROUP.mkdir(exist_ok=True)
        except OSError:
            pytest.skip("this needs a control group for processor time")
        join = 'echo $$ > "$0" && exec "$@"'  # each task of a group has a share of its own
        command = ["sh", "-c", join, str(ONE_GROUP / "tasks"), *command]
    environment["TMPDIR"] = str(scratch)
    said = output_of(command, path, "--isolation", way.level, **environment)
    return League(path, said, way)


@pytest.mark.slow
@pytest.mark.parametrize("animal", SHARED)
def test_a_neighbour_is_neither_blamed_nor_slowed_nor_refused_anything(
    shared_league: League, animal: str
) -> None:
    [(spec, record)] = shared_league.of(animal)
    faults = [each.fault for each in record.results.faults]
    blamed = {(spec.seats[fault.seat], fault.kind) for fault in faults}
    assert blamed <= {(animal, SHARED[animal].get("fault"))}, faults
    taken = withheld = 0
    for deal in read_log(record.log)[1]:
        for number, (seat, answer, us) in enumerate(deal.steps):
            if spec.seats[seat] in NEIGHBOURS:
                assert answer is not None
                assert deal.notes.get(number) is None
                taken, withheld = taken + us, withheld + deal.withheld.get(number, 0)
            else:
                note = deal.notes.get(number, "held")
                assert note.startswith("held"), note
    assert taken + withheld <= SLOWED * taken
