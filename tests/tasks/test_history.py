"""The versions of a bot, from all records of a folder."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.bots.manifest import content_hash
from tests.support.bots import good, write_bot, write_quick_bot
from tests.support.command import output, refusal, run_here


def history(folder: Path) -> list[dict[str, Any]]:
    shown = output("history", "bot", "--json", cwd=folder)
    found: list[dict[str, Any]] = json.loads(shown)["versions"]
    return found


def test_versions_are_told_by_their_content_and_measured_over_all_records(tmp_path: Path) -> None:
    for turn, name in enumerate("xyz"):
        write_quick_bot(tmp_path / name, turn=turn)
    contents = []
    for number, (others, deals, rules) in enumerate(
        [("xy", 12, "pagat"), ("xz", 12, "pagat"), ("yz", 2, "gamerules"), ("yz", 12, "pagat")]
    ):
        write_bot(tmp_path / "bot", good(bid=f"{number}"), more=f"# {number}\n")
        contents.append(content_hash(tmp_path / "bot"))
        words = ("--deals", str(deals), "--rules", rules, "--record", f"{number}.db")
        done = run_here("match", "bot", *others, *words, "--seed", "1", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    found = history(tmp_path)
    of_pagat = [contents[0], contents[1], contents[3]]
    assert [each["content"] for each in found] == of_pagat, "those by other rules are left out"
    assert [(each["sets"], each["now"]) for each in found] == [
        (12, False),
        (12, False),
        (12, True),
    ]
    assert all(each["pm"] > 0 for each in found)
    (tmp_path / "1.db").unlink()
    alone = history(tmp_path)
    assert alone[0]["stakes_per_deal"] != pytest.approx(found[0]["stakes_per_deal"]), (
        "others measure x and y, too"
    )
    assert f"{contents[3][:8]}" in output("history", "bot", "3.db", cwd=tmp_path)


def test_a_bot_that_has_played_nowhere_is_told_how_it_would(tmp_path: Path) -> None:
    write_quick_bot(tmp_path / "bot")
    told = refusal("history", tmp_path / "bot", cwd=tmp_path)
    assert "bot by tests has played in no record here; arena match --record FILE.db" in told
