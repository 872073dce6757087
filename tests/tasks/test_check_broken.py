"""A check catches bots that are broken in the ways in which authors break theirs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena.bots.templates import KITS, missing_programs
from arena.engine import process
from arena.sandbox.isolation import Isolation, choose_isolation
from arena.tasks.check import Conditions, check, check_limits
from arena.zole.rules import preset
from tests.support.bots import APART
from tests.support.broken import BROKEN, broken_source, source_of, write_broken
from tests.support.checks import WIDE_S, be_patient
from tests.support.needs import need

TELLING = (
    "careful: ends in seat 2",
    "careful: plays any card as defender",
    "careful: forgets the talon",
    "careful: knows its hand from its bid",
    "careful: discards plain cards alone",
    "careful: expects a declarer",
    "careful: expects eight tricks",
    "careful: expects no faults",
)
"""Bots whose checks are over soon, each broken in another way."""

LATE = ("timeout", "unready")
"""Faults of bots that never answer, so that their clock may be short."""


def said_of(name: str, folder: Path, apart: Isolation, other_rules: bool) -> Iterator[str]:
    """What a check says of a broken bot, failures and remarks alike, as it goes on."""
    late = any(word in BROKEN[name].says for word in LATE)
    limits = check_limits(2.0 if late else WIDE_S)
    conditions = Conditions(preset(), limits, apart, other_rules)
    for step in check(write_broken(name, folder / "bot"), conditions):
        if not step.passed:
            yield f"{step.name}: {step.said}"


def test_each_broken_bot_is_its_sample_but_for_some_texts() -> None:
    for name, broken in BROKEN.items():
        assert broken_source(name) != source_of(name).read_text(encoding="utf-8")
        assert bool(broken.says) != bool(broken.passes), name


@pytest.mark.parametrize("name", TELLING)
def test_a_broken_bot_is_caught(tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    be_patient(monkeypatch)
    said = list(said_of(name, tmp_path, choose_isolation("none"), other_rules=False))
    assert [BROKEN[name].says in each for each in said] == [True], said


@pytest.mark.slow
def test_a_refused_answer_is_asked_about_by_rules_that_have_corrections(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    be_patient(monkeypatch)
    bot = write_broken("careful: ends on a refused answer", tmp_path / "bot")
    limits, apart = check_limits(WIDE_S), choose_isolation("none")
    steps = check(bot, Conditions(preset("piedalies"), limits, apart, other_rules=False))
    assert [step.name for step in steps if not step.passed] == ["unusual lines"]


@pytest.mark.slow
@pytest.mark.parametrize("name", BROKEN)
def test_every_broken_bot_is_caught_and_what_is_no_fault_is_not(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = name.split(":")[0]
    need(*(missing_programs(bot) if bot in KITS else ()))
    says = BROKEN[name].says
    if not any(word in says for word in LATE):
        be_patient(monkeypatch)
    if "does not exit" in says:
        monkeypatch.setattr(process, "GRACE_S", 0.5)
    reported: list[str] = []
    for said in said_of(name, tmp_path, APART, other_rules=True):
        reported.append(said)
        if says and says in said:
            return
    assert BROKEN[name].passes, f"a check says {reported}, not {says}"
    assert reported == []
