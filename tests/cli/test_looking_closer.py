"""What an author reads who looks closer at a bot: faults folded, seats by their bots."""

import json
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from arena.record.store import Store
from tests.support.bots import good, write_bot
from tests.support.command import run, run_here


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A match of `a`, `b` that is never ready, and `c` whose answers lack a type."""
    folder = tmp_path_factory.mktemp("closer")
    write_bot(folder / "a", good())
    write_bot(folder / "b", "import sys\nprint('got hello', flush=True)\nsys.stdin.read()\n")
    write_bot(
        folder / "c", good(before="if m['type'] != 'hello': (answer.clear(), answer.update(id=99))")
    )
    played = run_here(
        *("match", folder / "a", folder / "b", folder / "c", "--deals", "6", "--seatings", "one"),
        *("--seed", "1"),
        *("--isolation", "none", "--record", folder / "it.db"),
    )
    assert (folder / "it.db").exists(), played.stderr
    return folder / "it.db"


def test_the_first_faults_of_a_match_are_shown_in_full(record: Path) -> None:
    out = run("faults", record, "1").stdout
    listed = json.loads(run("faults", record, "1", "--json").stdout)
    [one] = [each for each in listed if each["bot"] == "b"]
    assert (one["unready"], one["forfeited"]) == (True, 3), "then c is disqualified"
    assert out.count("b: malformed in match 1") == 1
    assert "(3 more deals forfeited)" in out
    assert out.count("malformed in match 1") == min(5, len(listed))


def test_a_record_counts_faults_as_its_matches_do(record: Path) -> None:
    """`b` is never ready, which is one fault a match; `c` goes on after each of its faults."""
    with closing(Store.open(record)) as store:
        counted: dict[str, Counter[str]] = {}
        for _, spec, played in store.matches():
            for entry, _ in played.results.counted_faults():
                bot = spec.seats[entry.fault.seat]
                counted.setdefault(bot, Counter())[entry.fault.kind] += 1
        assert store.faults() == counted
        assert counted["b"] == {"malformed": 1}


def test_a_bot_that_was_never_ready_is_shown_its_hello_alone(record: Path) -> None:
    out = run("faults", record, "1", "--bot", "b").stdout
    sent = [line for line in out.splitlines() if line.startswith("  → ")]
    assert len(sent) == 1
    assert '"type":"hello"' in sent[0]
    assert "it was never ready, so it was asked nothing" in out
    assert "--until" not in out


def test_a_rerun_says_whose_lines_another_bot_is_fed(record: Path) -> None:
    told = run_here("rerun", record, "1", "--seat", "2", "--bot", record.parent / "a")
    assert "a is fed the lines of seat 2 (c)" in told.stderr


def test_stderr_of_a_rerun_is_that_of_the_bot_that_ran(record: Path, tmp_path: Path) -> None:
    write_bot(tmp_path / "mine", good(before="raise KeyError('lgeal')"))
    out = run_here("rerun", record, "1", "--seat", "0", "--bot", tmp_path / "mine").stdout
    assert "stderr of mine:" in out
    assert "stderr of a:" not in out


def test_a_seat_is_named_by_its_bot(record: Path) -> None:
    by_name, by_number = (run("replay", record, "1", "--seat", it) for it in ("a", "0"))
    assert by_name.stdout == by_number.stdout
    again = run_here("rerun", record, "1", "--seat", "a")
    assert again.returncode == 0, again.stderr
    wrong = run("replay", record, "1", "--seat", "nobody")
    assert wrong.returncode == 2
    assert "--seat: there is no seat nobody; seats are 0 (a), 1 (b), 2 (c)" in wrong.stderr
