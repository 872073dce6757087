"""What `arena doctor` says of this machine, and of one that lacks something."""

import json

import pytest

from arena.base.errors import MachineError, Mistake
from arena.tasks import doctor
from arena.tasks.doctor import examine
from tests.support.bots import needs_full_sandbox
from tests.support.command import run


@needs_full_sandbox
def test_a_machine_with_the_full_sandbox_says_how_it_works() -> None:
    document = json.loads(run("doctor", "--json").stdout)
    assert document["level"] == "bubblewrap"
    assert document["levels"]["bubblewrap"].startswith("works: ")
    assert document["groups"]
    said = run("doctor").stdout
    assert "bots play at: bubblewrap (namespaces" in said.replace("\n", " ")


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


def test_a_kernel_that_tells_no_waits_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "text_of", lambda path: None)
    examination = examine("none")
    assert examination.clock == "this kernel does not tell how long a bot waits for its core"
    assert not examination.sound
