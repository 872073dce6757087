"""What `arena doctor` says of this machine, and of one that holds nothing."""

import json

import pytest

from arena.base.errors import MachineError, Mistake
from arena.tasks import doctor
from arena.tasks.doctor import examine
from tests.support.bots import needs_full_sandbox
from tests.support.command import run


@needs_full_sandbox
def test_the_full_sandbox_holds_all_that_is_tried() -> None:
    done = run("doctor", "--json")
    document = json.loads(done.stdout)
    assert done.returncode == 0, done.stdout
    assert document["level"] == "bubblewrap"
    assert len(document["findings"]) == 17
    assert list(document["groups"]) == ["version 2", "version 1"]
    assert all(found["held"] for found in document["findings"] if found["name"] != "clock")
    [files] = [found for found in document["findings"] if found["name"] == "files"]
    assert files["said"] == "refused with: No such file or directory"


@pytest.mark.slow
def test_nothing_is_held_without_a_sandbox() -> None:
    """The probes are not for show: without a sandbox they get through."""
    done = run("doctor", "--isolation", "none")
    assert done.returncode == 3
    table = {line.split("  ")[0]: line for line in done.stdout.splitlines()}
    for name in ("files", "writing", "network", "processes", "environment"):
        assert "OPEN" in table[name], table[name]
    assert "NOT every protection holds" in done.stdout


def test_a_machine_without_any_level_is_told_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(level: object = None) -> object:
        raise MachineError(Mistake("there is nothing", "", "get something"))

    monkeypatch.setattr(doctor, "choose_isolation", none)
    examination = examine(None)
    assert examination.level is None
    assert not examination.sound
    assert examination.levels == dict.fromkeys(
        ("bubblewrap", "landlock"), "there is nothing; get something"
    )


@pytest.mark.parametrize(
    ("quota", "cores", "told", "held", "said"),
    [
        (None, 2, True, True, "a bot is not charged for waiting for its core"),
        (2.0, 2, True, True, "a bot is not charged for waiting for its core"),
        (0.25, 2, True, True, "may use 0.25 of 2 cores; a bot is not charged"),
        (0.15, 2, True, False, "may use 0.15 of 2 cores: bots wait longer than"),
        (None, 2, False, False, "this kernel does not tell"),
    ],
)
def test_a_machine_that_cannot_hold_a_clock_is_told_so(
    quota: float | None, cores: int, told: bool, held: bool, said: str
) -> None:
    found = doctor._clock(quota, cores, told)
    assert (found.name, found.held) == ("clock", held)
    assert said in found.said
