"""A failed step of a check can be repeated, and what a bot keeps of earlier deals is found."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from arena.bots.manifest import content_hash
from arena.tasks import check
from tests.support.bots import good, write_bot
from tests.support.checks import be_patient
from tests.support.command import run


def checked(*words: str | Path) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(run("check", *words, "--json").stdout)["steps"]
    return found


DECLARES = "m['type'] == 'discard'"
"""Holds once in a deal that the bot declares."""


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    be_patient(monkeypatch)
    monkeypatch.setattr(check, "LONG", 2)


def test_a_failed_step_shows_its_request_in_words_and_the_commands_that_repeat_it(
    tmp_path: Path,
) -> None:
    bot = write_bot(tmp_path / "bot", good(f"if {DECLARES}: raise ValueError('here')"))
    before = content_hash(bot)
    step = checked(bot)[-1]
    assert step["asked"].startswith(
        "asked to discard; hand: QC QS QD JC JS AD TD 7D AC TC; talon: "
    )
    resend, repeat = map(shlex.split, step["again"])
    assert repeat == ["arena", "check", str(bot), "--only", "declaring"]
    again = checked(*repeat[2:])
    assert [it["name"] for it in again] == ["manifest", "build", "start and ready", "declaring"]
    assert again[-1]["finding"] == step["finding"]
    sent = run(*resend[1:])
    assert "3 of 3 answers as logged" in sent.stdout, sent.stderr
    assert "ValueError: here" in sent.stdout
    assert content_hash(bot) == before, "the record is not part of the bot"


def test_a_bot_whose_folder_cannot_be_written_is_checked_without_a_record(tmp_path: Path) -> None:
    bot = write_bot(tmp_path / "bot", good(f"if {DECLARES}: raise ValueError"))
    (bot / "check.db").mkdir()
    again = checked(bot)[-1]["again"]
    assert again == [f"arena check {shlex.quote(str(bot))} --only declaring"]


def test_an_unknown_step_is_answered_with_all_there_are(tmp_path: Path) -> None:
    done = run("check", write_bot(tmp_path / "bot", good()), "--only", "defence")
    assert done.returncode == 2
    assert "no step is called defence; they are manifest, build, start and ready, " in done.stderr


STALE = "globals().setdefault('bids', []).append(1) or len(bids) > 4"
"""Bids otherwise once it has been asked four times, as if it never forgot."""


@pytest.mark.parametrize(
    ("bid", "more", "passed", "required", "finding"),
    [
        (STALE, "deterministic = true\n", False, True, "it keeps something of earlier deals"),
        (STALE, "", False, False, "it keeps something of earlier deals"),
        ("0", "deterministic = true\n", True, True, "answers are the same in a fresh process"),
        ("", "", True, True, "its answers depend on chance"),
    ],
    ids=["memory", "memory of one that promises nothing", "none", "chance"],
)
def test_answers_after_other_deals_are_compared_with_those_of_a_fresh_process(
    tmp_path: Path, bid: str, more: str, passed: bool, required: bool, finding: str
) -> None:
    source = good(bid=bid)
    if not bid:
        source = source.replace('m["legal"][0]', '__import__("random").choice(m["legal"])')
    bot = write_bot(tmp_path / "bot", source, more=more)
    step = checked(bot, "--only", "earlier deals")[-1]
    assert (step["passed"], step["required"]) == (passed, required), step["finding"]
    assert finding in step["finding"]
    if not passed:
        resend = shlex.split(step["again"][0])
        assert run(*resend[1:]).returncode == 1, "it answers otherwise to this deal alone"


@pytest.mark.parametrize(
    ("source", "grows"),
    [("", False), ("kept = globals().setdefault('kept', []); kept.append(bytes(9000))", True)],
)
def test_memory_that_grows_with_each_deal_is_remarked_on(
    tmp_path: Path, source: str, grows: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(check, "LONG", 60)
    bot = write_bot(tmp_path / "bot", good(source or "pass"))
    step = checked(bot, "--only", "memory")[-1]
    assert (step["passed"], step["required"]) == (not grows, not grows), step["finding"]
    assert ("KiB more after each deal" in step["finding"]) == grows


def test_modules_that_a_bot_needs_are_looked_for_where_bots_run(tmp_path: Path) -> None:
    for needs, found in (('["json", "no_such_module"]', False), ('["json"]', True)):
        bot = write_bot(tmp_path / "bot", good(), more=f"needs = {needs}\n")
        step = checked(bot, "--only", "declaring")[1]
        assert (step["name"], step["passed"]) == ("build", found)
        assert ("it finds json" if found else "the bot needs no_such_module, ") in step["finding"]
