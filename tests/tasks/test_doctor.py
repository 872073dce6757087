"""What `arena doctor` says of this machine, and of one that lacks something."""

import json

import pytest

from arena.base.errors import MachineError, Mistake
from arena.tasks import doctor
from arena.tasks.doctor import clock_trouble, examine
from tests.support.bots import needs_full_sandbox
from tests.support.command import run


@needs_full_sandbox
def test_a_machine_with_the_full_sandbox_says_how_it_works() -> None:
    document = json.loads(run("doctor", "--json").stdout)
    assert document["level"] == "bubblewrap"
    assert document["levels"]["bubblewrap"].startswith("works: ")
    assert list(document["groups"]) == ["version 2", "version 1"]
    said = run("doctor").stdout
    assert "Bots play at the level bubblewrap (namespaces" in said.replace("\n", " ")


def test_a_machine_without_any_level_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
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
    ("quota", "cores", "told", "said"),
    [
        (None, 2, True, ""),
        (2.0, 2, True, ""),
        (0.25, 2, True, ""),
        (0.15, 2, True, "may use 0.15 of 2 cores: bots wait longer than"),
        (None, 2, False, "this kernel does not tell"),
    ],
)
def test_a_machine_on_which_clocks_are_unfair_says_why(
    quota: float | None, cores: int, told: bool, said: str
) -> None:
    found = clock_trouble(quota, cores, told)
    assert said in found
    assert bool(said) == bool(found)
