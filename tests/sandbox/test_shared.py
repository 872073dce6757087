"""Bots that take what they share with others: an honest neighbour is neither blamed nor slowed."""

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from arena.base.errors import MachineError
from arena.base.isolation_levels import IsolationLevel
from arena.match.log import LoggedDeal, read_log
from arena.record.store import Store
from arena.sandbox.isolation import choose_isolation
from tests.sandbox.test_zoo import ONE_SEATING, ZOO, compile_in
from tests.support.command import PROJECT
from tests.support.needs import need
from tests.support.ordinary import ordinary

pytestmark = pytest.mark.slow

ANIMALS: dict[str, dict[str, Any]] = tomllib.loads((ZOO / "shared" / "shared.toml").read_text())
HONEST = ("neighbour", "beside")
ONE_GROUP = Path(f"/sys/fs/cgroup/cpu/zole-zoo-{os.getpid()}")
"""A control group for processor time: tasks in it share as tasks, whatever their sessions."""

MOVE_S = 2.0
SLOWED = 15
"""How many times as long as without others an honest move takes at most. One plain spinner makes it
two times, 60 tasks that all count make it 60 times, and other load on the machine some more."""

LEAGUE = """
always = ["neighbour", "beside"]
deals = 1
seatings = 3
seed = 7
bots = [{bots}]

[limits]
move_s = {move_s}
start_s = 600
"""


class Way(NamedTuple):
    """As whom the league is played, how bots are kept apart, and whether in one control group."""

    user: bool
    level: IsolationLevel
    one_group: bool = False

    @property
    def words(self) -> str:
        who = "an ordinary user" if self.user else "root"
        return f"{self.level} as {who}{' in one group' if self.one_group else ''}"


class Match(NamedTuple):
    """What came of an animal's match: who was blamed, and the deals by seat."""

    blamed: Sequence[tuple[str, str, str]]
    deals: Sequence[LoggedDeal]
    seats: Sequence[str]


@pytest.fixture(
    scope="module",
    params=[
        Way(True, "bubblewrap"),
        Way(True, "bubblewrap", one_group=True),
        Way(True, "landlock"),
        Way(True, "landlock", one_group=True),
        Way(False, "bubblewrap"),
        Way(False, "landlock"),
    ],
    ids=lambda way: way.words,
)
def matches(request: pytest.FixtureRequest) -> Iterator[tuple[Way, dict[str, Match]]]:
    """The league of all animals beside honest neighbours."""
    way: Way = request.param
    if os.geteuid() != 0 and not way.user:
        pytest.skip("this needs root")
    need("cc")
    try:
        choose_isolation(way.level)
    except MachineError as error:
        pytest.skip(str(error.mistakes[0]))
    with tempfile.TemporaryDirectory(prefix="shared-") as base:  # pytest's are closed to others
        Path(base).chmod(0o755)
        yield way, played(Path(base), way)
    if way.one_group:
        ONE_GROUP.rmdir()


def played(base: Path, way: Way) -> dict[str, Match]:
    for name in (*HONEST, *ANIMALS):
        home = base / name
        home.mkdir()
        source = "neighbour" if name in HONEST else name
        shutil.copy(ZOO / "play.h", home)
        shutil.copy(ZOO / "shared" / f"{source}.c", home / "bot.c")
        compile_in(home)
        manifest = f'name = "{name}"\nversion = "1"\nauthor = "zoo"\nrun = ["./bot"]\n'
        (home / "bot.toml").write_text(manifest)
        if way.level == "bubblewrap":
            (home / "namespace").touch()
    path = base / "league.toml"
    names = ", ".join(f'"{name}"' for name in (*HONEST, *ANIMALS))
    path.write_text(LEAGUE.format(bots=names, move_s=MOVE_S))
    scratch = base / "tmp"
    scratch.mkdir()
    arguments = ["-c", ONE_SEATING, "league", str(path), "--json"]
    arguments += ["--isolation", way.level]
    command, environment = [sys.executable, *arguments], {**os.environ, "PYTHONPATH": PROJECT}
    if way.user and os.geteuid() == 0:
        command, environment = ordinary(base, arguments)
    scratch.chmod(0o777)
    if way.one_group:
        command = ["sh", "-c", 'echo $$ > "$0" && exec "$@"', one_group(), *command]
    environment = {**environment, "TMPDIR": str(scratch)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    store = Store.open(path.with_suffix(".db"))
    found: dict[str, Match] = {}
    for _, spec, record in store.matches():
        blamed = [
            (spec.seats[each.fault.seat], each.fault.kind, each.fault.detail)
            for each in record.results.faults
        ]
        (animal,) = set(spec.seats) - set(HONEST)
        found[animal] = Match(blamed, list(read_log(record.log)[1]), spec.seats)
    store.close()
    return found


def one_group() -> str:
    """The file that moves a process into a control group of one share a task."""
    try:
        ONE_GROUP.mkdir(exist_ok=True)
    except OSError:
        pytest.skip("this needs a control group for processor time")
    return str(ONE_GROUP / "tasks")


@pytest.mark.parametrize("animal", ANIMALS)
def test_a_neighbour_is_neither_blamed_nor_slowed_nor_refused_anything(
    matches: tuple[Way, dict[str, Match]], animal: str
) -> None:
    match = matches[1][animal]
    expected = {(animal, ANIMALS[animal].get("fault"))}
    assert {(name, kind) for name, kind, _ in match.blamed} <= expected, match.blamed
    taken = withheld = 0
    for deal in match.deals:
        for number, (seat, answer, us) in enumerate(deal.steps):
            if match.seats[seat] in HONEST:
                assert answer is not None
                assert deal.notes.get(number) is None
                taken, withheld = taken + us, withheld + deal.withheld.get(number, 0)
            else:
                note = deal.notes.get(number, "held")
                assert note.startswith("held"), note
    assert taken + withheld <= SLOWED * taken
