"""The history of a folder as people ask for it."""

import json
import os
import shutil
from pathlib import Path

import pytest

from arena.bots.manifest import content_hash
from tests.support.bots import good, write_bot, write_league
from tests.support.command import run, run_here


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two leagues that share the bot `a`, in the second of which it is called `anna`."""
    folder = tmp_path_factory.mktemp("leagues")
    first = write_league(folder, "abc", deals=12)
    assert run_here("league", first, "--seed", "1").returncode == 0
    for number, name in enumerate("de"):
        write_bot(folder / name, good(bid=str(number)))
    second = folder / "second.toml"
    second.write_text('deals = 12\nbots = [{ path = "a", name = "anna" }, "d", "e"]\n')
    assert run_here("league", second, "--seed", "2").returncode == 0
    os.utime(folder / "league.db", (1, 1))
    return folder


def test_leagues_of_a_folder_are_rated_together(folder: Path) -> None:
    done = run("ratings", "--history", folder, "--anchor", "anna", "--json")
    assert done.returncode == 0, done.stderr
    document = json.loads(done.stdout)
    [table] = document["tables"]
    assert (table["rules"], table["sets"], table["parts"]) == ("pagat", 24, 1)
    lines = {line["bot"]: line for line in table["lines"]}
    assert set(lines) == {"anna", "b", "c", "d", "e"}
    assert (lines["anna"]["elo"], lines["anna"]["strength"]) == (1500, 0)
    assert (lines["anna"]["leagues"], lines["anna"]["sets"]) == (2, 24)
    assert lines["anna"]["content"] == content_hash(folder / "a") == document["anchor"]


def test_an_anchor_is_named_by_its_folder_or_its_hash_as_well(folder: Path) -> None:
    by_name = run("ratings", "--history", folder, "--anchor", "d").stdout
    assert by_name == run("ratings", "--history", folder, "--anchor", folder / "d").stdout
    content = content_hash(folder / "d")
    assert by_name == run("ratings", "--history", folder, "--anchor", content[:8]).stdout
    assert f"Relative to the anchor {content[:8]}, which has 1500 and 0" in by_name


def test_without_an_anchor_it_is_the_sample_bot_that_samples(folder: Path) -> None:
    done = run("ratings", "--history", folder)
    content = content_hash(Path(__file__).parents[2] / "sample_bots/sampler")
    assert f"The anchor {content[:8]} did not play by these rules" in done.stdout


def test_what_cannot_be_read_is_told_and_a_copy_counts_once(folder: Path, tmp_path: Path) -> None:
    for name in ("league.db", "second.db"):
        shutil.copy(folder / name, tmp_path / name)
    shutil.copy(folder / "league.db", tmp_path / "backup.db")
    (tmp_path / "x.db").write_text("hello " * 1000)
    done = run("ratings", "--history", tmp_path, "--anchor", "b", "--json")
    assert done.returncode == 0
    assert "x.db is left out: this is not the record of a league" in done.stderr
    document = json.loads(done.stdout)
    assert document["tables"][0]["sets"] == 24
    assert [each["sets"] for each in document["left_out"]] == [12]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--history", "nowhere"], "nowhere: there is no such folder"),
        (["--history", "{}/a"], "there are no records of leagues in this folder"),
        (["--history", "{}", "--anchor", "anne"], "records is anne; did you mean anna"),
    ],
)
def test_a_mistake_is_told_in_one_line(folder: Path, arguments: list[str], told: str) -> None:
    done = run("ratings", *(word.format(folder) for word in arguments))
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1
