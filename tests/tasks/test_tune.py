"""Parameters of a bot are tuned over the same deals, and the best are compared by new ones."""

import re
from pathlib import Path

import pytest

from arena.bots.manifest import read_bot
from tests.support.bots import good, write_bot, write_quick_bot
from tests.support.command import refusal, run_here

pytest.importorskip("optuna")

FILE = """against = ["x", "y"]
trials = {trials}
deals = 4
[parameters.bid]
start = 0
low = 0
high = 3
[parameters.style]
start = "a"
values = ["a", "b"]
"""


def tune_file(folder: Path, trials: int) -> Path:
    write_bot(folder / "bot", good(bid='int(dict(it.split("=") for it in sys.argv[1:])["bid"])'))
    manifest = folder / "bot" / "bot.toml"
    manifest.write_text(manifest.read_text().replace('"bot.py"]', '"bot.py", "bid=0"]'))
    for turn, name in enumerate("xy"):
        write_quick_bot(folder / name, turn=turn)
    (folder / "tune.toml").write_text(FILE.format(trials=trials))
    return folder / "tune.toml"


def test_trials_go_on_where_they_were_stopped_and_the_best_becomes_a_bot(tmp_path: Path) -> None:
    lines: list[str] = []
    for trials in (2, 6):
        done = run_here("tune", "bot", tune_file(tmp_path, trials).name, cwd=tmp_path)
        assert done.returncode in (0, 1), done.stderr
        lines += [line for line in done.stdout.splitlines() if " of " in line and "bid=" in line]
    assert [line.split()[0] for line in lines] == ["1", "2", "3", "4", "5", "6"]
    assert lines[0].endswith("bid=0 style=a"), "the first trial is the bot as it is"
    made = {line.split(maxsplit=4)[4]: float(line.split()[3]) for line in lines}
    best = max(made, key=lambda each: made[each])
    assert (tmp_path / "tune.svg").read_text().count("<circle") == 6
    if best == "bid=0 style=a":
        assert "no trial made more than the bot as it is" in done.stdout
    else:
        assert read_bot(tmp_path / "bot-tuned").run[-2:] == tuple(best.split())
        assert "bot-tuned" in done.stdout.splitlines()[-1]


def test_parameters_that_the_bot_does_not_read_are_found_out_before_long(tmp_path: Path) -> None:
    path = tune_file(tmp_path, 60)
    write_bot(tmp_path / "bot", good())
    done = run_here("tune", "bot", path.name, cwd=tmp_path)
    assert done.returncode == 2
    assert re.search(
        r"bot: the parameters change nothing: 8 trials made \S+;"
        r" the bot is given arguments such as bid=\d style=[ab]; does it read them\?",
        done.stderr,
    )


def test_what_is_wrong_with_a_file_is_told_at_once(tmp_path: Path) -> None:
    path = tune_file(tmp_path, 2)
    path.write_text('against = ["x"]\n[parameters.a]\nstart = 9\nlow = 0\nhigh = 3\n')
    told = refusal("tune", tmp_path / "bot", path)
    assert "a: start is not between low and high" in told
    assert f"{path}:1: two or more bots are needed to play against" in told
    path.write_text('against = ["x", "y"]\ntrails = 3\n')
    assert "unknown key trails; did you mean trials?" in refusal("tune", tmp_path / "bot", path)
