"""Bots that take what they share with others: an honest neighbour is neither blamed nor slowed."""

import os
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from arena.base.isolation_levels import IsolationLevel
from arena.match.log import read_log
from tests.sandbox import test_zoo as zoo
from tests.support.bots import isolation_at
from tests.support.command import PROJECT
from tests.support.needs import need
from tests.support.ordinary import ordinary

pytestmark = pytest.mark.slow

ANIMALS: dict[str, dict[str, Any]] = tomllib.loads((zoo.ZOO / "shared" / "shared.toml").read_text())
HONEST = ("neighbour", "beside")

# A control group for processor time: tasks in it share as tasks, whatever their sessions.
ONE_GROUP = Path(f"/sys/fs/cgroup/cpu/zole-zoo-{os.getpid()}")

MOVE_S = 2.0

# How many times as long as without others an honest move takes at most. One plain spinner makes it
# two times, 60 tasks that all count make it 60 times, and other load on the machine some more.
SLOWED = 15

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


WAYS = {
    "bubblewrap as an ordinary user": Way(True, "bubblewrap"),
    "bubblewrap as an ordinary user in one group": Way(True, "bubblewrap", one_group=True),
    "landlock as an ordinary user": Way(True, "landlock"),
    "landlock as an ordinary user in one group": Way(True, "landlock", one_group=True),
    "bubblewrap as root": Way(False, "bubblewrap"),
    "landlock as root": Way(False, "landlock"),
}


@pytest.fixture(scope="module", params=list(WAYS.values()), ids=list(WAYS))
def league(request: pytest.FixtureRequest) -> Iterator[zoo.League]:
    """The league of all animals and their honest neighbours."""
    way: Way = request.param
    if os.geteuid() != 0 and not way.user:
        pytest.skip("this needs root")
    need("cc")
    isolation_at(way.level)
    with tempfile.TemporaryDirectory(prefix="shared-") as base:  # pytest's are closed to others
        Path(base).chmod(0o755)
        yield played(Path(base), way)
    if way.one_group:
        ONE_GROUP.rmdir()


def played(base: Path, way: Way) -> zoo.League:
    bots = (*HONEST, *ANIMALS)
    for name in bots:
        home = base / name
        home.mkdir()
        source = "neighbour" if name in HONEST else name
        shutil.copy(zoo.ZOO / "play.h", home)
        shutil.copy(zoo.ZOO / "shared" / f"{source}.c", home / "bot.c")
        zoo.compile_in(home)
        manifest = f'name = "{name}"\nversion = "1"\nauthor = "zoo"\nrun = ["./bot"]\n'
        (home / "bot.toml").write_text(manifest)
        if way.level == "bubblewrap":
            (home / "namespace").touch()
    path, scratch = base / "league.toml", base / "tmp"
    names = ", ".join(f'"{name}"' for name in bots)
    path.write_text(LEAGUE.format(bots=names, move_s=MOVE_S))
    scratch.mkdir()
    command, environment = [sys.executable, "-c", zoo.ONE_SEATING], {"PYTHONPATH": PROJECT}
    if way.user and os.geteuid() == 0:
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
    said = zoo.output_of(command, path, "--isolation", way.level, **environment)
    return zoo.League(path, said, zoo.Way(way.user, 1, way.level))


@pytest.mark.parametrize("animal", ANIMALS)
def test_a_neighbour_is_neither_blamed_nor_slowed_nor_refused_anything(
    league: zoo.League, animal: str
) -> None:
    [(spec, record)] = league.of(animal)
    faults = [each.fault for each in record.results.faults]
    blamed = {(spec.seats[fault.seat], fault.kind) for fault in faults}
    assert blamed <= {(animal, ANIMALS[animal].get("fault"))}, faults
    taken = withheld = 0
    for deal in read_log(record.log)[1]:
        for number, (seat, answer, us) in enumerate(deal.steps):
            if spec.seats[seat] in HONEST:
                assert answer is not None
                assert deal.notes.get(number) is None
                taken, withheld = taken + us, withheld + deal.withheld.get(number, 0)
            else:
                note = deal.notes.get(number, "held")
                assert note.startswith("held"), note
    assert taken + withheld <= SLOWED * taken
