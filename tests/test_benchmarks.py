"""What is compared is the right arena, and tables of figures add up; no time is judged."""

from pathlib import Path

import pytest

from benchmarks.figures import Run, relative, took
from benchmarks.parts import table
from benchmarks.places import ROOT, Spent, built, places


@pytest.mark.parametrize("name", ["no-such-commit", "--help", "docs"])
def test_what_is_no_arena_is_said_in_a_line(name: str, tmp_path: Path) -> None:
    with pytest.raises(SystemExit) as end:
        built(name, tmp_path)
    assert end.value.code == f"{name}: neither a commit of this project nor a folder with an arena"
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="no commits are here")
def test_a_commit_is_built_aside(tmp_path: Path) -> None:
    assert built("HEAD", tmp_path) == tmp_path
    assert (tmp_path / "arena" / "__main__.py").is_file()


def test_each_place_runs_its_own_arena_and_neither_of_two_always_comes_first(
    tmp_path: Path,
) -> None:
    said, names = tmp_path / "said", ["here", str(tmp_path)]
    (tmp_path / "arena").mkdir()
    (tmp_path / "arena" / "__init__.py").touch()
    (tmp_path / "arena" / "__main__.py").write_text(
        f"import sys, pathlib\npathlib.Path({str(said)!r}).write_text(sys.argv[1])\n"
    )
    with places(str(tmp_path)) as found:
        spent = found[1].arena("played")
        rounds = [[each.name for each in turn] for turn in Run(found, "", "", 3).in_turn()]
    assert said.read_text() == "played"
    assert spent.wall_s > 0
    assert spent.cpu_s is None or spent.cpu_s > 0
    assert rounds == [names, names[::-1], names]


def test_ratios_are_of_lower_quartiles_and_rounds_in_brackets() -> None:
    mine = [Spent(each, 1.0) for each in (1.0, 2.0, 2.0, 4.0, 5.0)]
    base = [Spent(each, 3.0) for each in (8.0, 6.0, 6.0, 6.0, 9.0)]
    unknown = [Spent(each.wall_s, None) for each in mine]
    assert [relative(mine, base), relative(unknown, base), took(mine), took(unknown)] == [
        "3.00 (1.50 to 8.00), by processor time 3.00",
        "3.00 (1.50 to 8.00)",
        "1000.0 ms of processor time, 2000.0 ms by the clock",
        "2000.0 ms by the clock",
    ]


def test_the_parts_add_up_to_a_match() -> None:
    """A long match of 100 decisions has 90 of 10 µs more than a short one of 10, and 1 ms more."""
    rows = list(table({"rules": 4.0, "log": 1.0}, (2000e-6, 100), (1100e-6, 10)))
    assert [row.what for row in rows][2:4] == [
        "the same in turn, beyond the sum",
        "start and end of a match: 1.0 ms",
    ]
    assert [tuple(cell.rstrip("%") for cell in row.figures) for row in rows] == [
        ("4.0", "20", "4"),
        ("1.0", "5", "1"),
        ("5.0", "25", "5"),
        ("10.0", "50", "91"),
        ("20.0", "100", "100"),
    ]
