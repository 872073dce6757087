"""Comparisons as people make them: decided, killed, resumed, refused."""

import json
import random
import re
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arena.base.run_events import Completed
from arena.engine.job import Job
from arena.league.schedule import MatchSpec
from arena.match.record import MatchRecord
from arena.stats.figures import Hypotheses
from arena.stats.sprt import decide
from arena.tasks.compare import Comparison, ComparisonRequest, open_comparison
from tests.support.bots import good, write_bot, write_quick_bot
from tests.support.command import besides_level, run, run_here, said, start
from tests.support.scripted import made_up

RASH = good(bid="1")


def two_bots(folder: Path, new: str, old: str) -> tuple[Path, Path]:
    return write_bot(folder / "new", new), write_bot(folder / "old", old)


def quick_two(folder: Path) -> tuple[Path, Path]:
    """Two that play apart: one declares by its hand, one in every third deal."""
    return write_quick_bot(folder / "new"), write_quick_bot(folder / "old", turn=0)


def compare(record: Path, *arguments: str | Path) -> tuple[int, dict[str, Any], str]:
    done = run_here("compare", *arguments, "--isolation", "none", "--record", record, "--json")
    return done.returncode, json.loads(done.stdout or "{}"), done.stderr


@pytest.fixture
def by_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody plays: what a match pays hangs on its deals and seeds alone, as with bots that do."""

    def play(job: Job) -> MatchRecord:
        dice = random.Random(repr((job.plan.deals, job.plan.seeds)))
        sides = [1 if program.name == "new" else -1 for program in job.programs]
        won = [dice.randint(-4, 5) for _ in job.plan.deals]
        return made_up([tuple(side * stakes for side in sides) for stakes in won])

    monkeypatch.setattr("arena.engine.worker.play_match", play)


def test_a_better_bot_is_found_and_the_deals_are_told(tmp_path: Path) -> None:
    asked = (*quick_two(tmp_path), "--delta", "1")
    code, result, told = compare(tmp_path / "x.db", *asked)
    assert (code, result["decision"]["verdict"]) == (0, "better"), told
    assert result["decision"]["gap"] > 0.5  # half of what was asked, or it would not be "better"
    assert result["decision"]["llr"] >= result["bounds"][1]
    assert len(result["seed"]) == 64
    assert "0 of 10000 sets; nothing is decided before 100" in told
    again = run_here("compare", *asked, "--record", tmp_path / "x.db", "--json")
    assert json.loads(again.stdout) == result
    assert besides_level(again.stderr) == []
    assert run("verify", tmp_path / "x.db").returncode == 0


def test_a_worse_bot_is_not_better_and_the_command_fails(tmp_path: Path) -> None:
    """Its matches are made up: that played ones decide is claimed of a better bot."""
    bots = quick_two(tmp_path)
    make_up(ComparisonRequest(Hypotheses(), 100, *bots, (), "pagat"), tmp_path / "x.db", -1)
    asked = (*bots, "--max-sets", "100")
    code, result, _ = compare(tmp_path / "x.db", *asked)
    assert (code, result["decision"]["verdict"]) == (1, "not better")
    said = run_here("compare", *asked, "--record", tmp_path / "x.db")
    assert result["decision"]["ci95"][1] < 0
    assert said.stdout.startswith("new is worse than old\n")


def test_bots_that_play_the_same_are_identical_and_undecided(tmp_path: Path) -> None:
    bots = (
        write_quick_bot(tmp_path / "new"),
        write_quick_bot(tmp_path / "old", more="# but for this line\n"),
    )
    code, result, _ = compare(tmp_path / "x.db", *bots, "--max-sets", "20")
    assert (code, result["decision"]["verdict"]) == (1, "undecided")
    assert (result["decision"]["identical"], result["decision"]["sets"]) == (True, 20)
    said = run_here("compare", *bots, "--max-sets", "20", "--record", tmp_path / "x.db")
    assert "undecided whether new is better than old: identical on 20 deals" in said.stdout


@pytest.mark.usefixtures("by_seed")
def test_what_is_undecided_goes_on_with_more_sets(tmp_path: Path) -> None:
    bots = quick_two(tmp_path)
    tiny = ("--delta", "0.001", "--seed", "4")
    code, result, _ = compare(tmp_path / "x.db", *bots, *tiny, "--max-sets", "20")
    assert (code, result["decision"]["verdict"]) == (1, "undecided")
    assert result["decision"]["sets"] == result["max_sets"] == 20
    assert result["decision"]["more_sets"] > 20
    said = run_here(
        "compare", *bots, *tiny, "--max-sets", "20", "--record", tmp_path / "x.db"
    ).stdout
    assert re.search(r"To decide it takes at least [\d,]+ sets more: raise --max-sets\n", said)
    assert "better than old: too few sets to tell how far they spread\n" in said
    code, result, _ = compare(tmp_path / "x.db", *bots, *tiny, "--max-sets", "25")
    assert result["decision"]["sets"] == result["max_sets"] == 30
    code, whole, _ = compare(tmp_path / "y.db", *bots, *tiny, "--max-sets", "25")
    assert whole["decision"] == result["decision"]


@pytest.mark.slow
def test_killed_at_any_moment_it_goes_on_to_the_same_verdict(tmp_path: Path) -> None:
    bots = quick_two(tmp_path)
    usual = ("--seed", "3", "--max-sets", "25", "--delta", "0.01")
    _, whole, _ = compare(tmp_path / "whole.db", *bots, *usual)
    broken = tmp_path / "broken.db"
    for count in (1, 2):
        arena = start("compare", *bots, *usual, "--record", broken)
        said(arena, " sets; ", count)
        arena.kill()
        arena.communicate()
    _, result, _ = compare(broken, *bots, *usual)
    assert result["decision"] == whole["decision"]
    assert run("verify", broken).returncode == 0


def test_a_stopped_comparison_keeps_what_is_finished(tmp_path: Path) -> None:
    bots = quick_two(tmp_path)
    arena = start("compare", *bots, "--delta", "0.001", "--record", tmp_path / "x.db")
    said(arena, " sets; ", 2)
    arena.send_signal(signal.SIGINT)
    out, told = arena.communicate()
    assert (arena.returncode, out) == (130, "")
    assert "Run the same command to continue" in told
    assert run("verify", tmp_path / "x.db").returncode == 0


def test_thirds_sit_with_the_two_in_turn(tmp_path: Path) -> None:
    bots = quick_two(tmp_path)
    thirds = [write_quick_bot(tmp_path / name, turn=1) for name in ("x", "y")]
    with_thirds = [word for third in thirds for word in ("--third", str(third))]
    asked = ComparisonRequest(Hypotheses(delta=0.001), 20, *bots, (*thirds,), "pagat")
    make_up(asked, tmp_path / "x.db")
    _, result, _ = compare(
        tmp_path / "x.db", *bots, *with_thirds, "--max-sets", "20", "--delta", "0.001"
    )
    assert result["thirds"] == ["x", "y"]
    assert (result["max_sets"], result["decision"]["sets"]) == (20, 20)
    table = json.loads(run("standings", tmp_path / "x.db", "--json").stdout)["standings"]
    assert {line["bot"]: line["sets"] for line in table} == {"new": 20, "old": 20, "x": 10, "y": 10}


def test_two_versions_of_one_name_are_told_apart(tmp_path: Path) -> None:
    new = write_quick_bot(tmp_path / "1")
    old = write_quick_bot(tmp_path / "2", turn=0)
    for bot in (new, old):
        manifest = (bot / "bot.toml").read_text()
        (bot / "bot.toml").write_text(manifest.replace(f'name = "{bot.name}"', 'name = "mine"'))
    make_up(ComparisonRequest(Hypotheses(), 20, new, old, (), "pagat"), tmp_path / "x.db")
    _, result, _ = compare(tmp_path / "x.db", new, old, "--max-sets", "20")
    assert (result["new"], result["old"]) == ("1", "2")


def test_sets_of_a_disqualified_bot_are_left_out(tmp_path: Path) -> None:
    bots = two_bots(tmp_path, good(before="if m['type'] == 'play': os.kill(os.getpid(), 9)"), RASH)
    (tmp_path / "strict.toml").write_text("[conduct]\nmax_faults = 2\n")
    code, result, told = compare(
        tmp_path / "x.db", *bots, "--max-sets", "20", "--rules", tmp_path / "strict.toml"
    )
    assert (code, result["decision"]["verdict"], result["decision"]["sets"]) == (1, "undecided", 0)
    assert result["void_sets"] == 20
    assert "new is disqualified" in told
    assert set(result["faults"]) == {"new"}


@pytest.mark.usefixtures("by_seed")
def test_without_a_record_named_each_question_has_its_own(tmp_path: Path) -> None:
    asked = (*quick_two(tmp_path), "--max-sets", "20", "--isolation", "none")
    for _ in range(2):
        assert run_here("compare", *asked, cwd=tmp_path).returncode in (0, 1)
    assert len(list(tmp_path.glob("compare-new-old-*.db"))) == 1
    (tmp_path / "new" / "more.txt").write_text("another version")
    run_here("compare", *asked, cwd=tmp_path)
    assert len(list(tmp_path.glob("compare-new-old-*.db"))) == 2


def test_a_record_of_something_else_is_refused(tmp_path: Path) -> None:
    bots = quick_two(tmp_path)
    record = tmp_path / "x.db"
    asked = ComparisonRequest(Hypotheses(), 30, *bots, (), "pagat")
    with open_comparison(asked, record, None, "none"):
        pass
    for changed, told in (
        (("--delta", "0.2"), "hypotheses.delta is 0.2, was 0.1"),
        (("--max-sets", "20"), "deals is 20, was 30"),
        (("--seed", "4"), "seed is 4, was secret"),
    ):
        code, _, said = compare(record, *bots, "--max-sets", "30", *changed)
        assert (code, len(said.splitlines())) == (2, 1), said
        assert told in said
    code, _, said = compare(record, *bots, "--max-sets", "30", "--rules", "lzsf")
    assert code == 2
    assert "has changed since its record was begun: rules." in said
    code, _, said = compare(record, bots[1], bots[0], "--max-sets", "30")
    assert code == 2
    assert 'new is "old", was "new"' in said
    (bots[0] / "more.txt").write_text("another version")
    code, _, said = compare(record, *bots, "--max-sets", "30")
    assert code == 2
    assert "the bot new has changed" in said


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["new", "nowhere"], "nowhere: there is no such folder"),
        (["new", "new"], "new and new: the two bots are the same program"),
        (["new", "old", "--rules", "four.toml"], "tables of three, and these rules are for 4"),
        (["new", "old", "--record", "x"], "the name of a record must end in .db"),
    ],
)
def test_a_mistake_is_told_in_one_line(tmp_path: Path, arguments: list[str], told: str) -> None:
    quick_two(tmp_path)
    (tmp_path / "four.toml").write_text("players = 4\n")
    done = run_here("compare", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    assert len(besides_level(done.stderr)) == 1


def test_sets_count_in_their_order_whichever_match_is_done_first(tmp_path: Path) -> None:
    """The same matches, stored from the last to the first, decide nothing until the first is in."""
    new, old = quick_two(tmp_path)
    asked = ComparisonRequest(Hypotheses(), 120, new, old, (), "pagat")
    chance = np.random.default_rng(8)
    with open_comparison(asked, tmp_path / "x.db", 1, "none") as comparison:
        specs = [spec for spec, _ in todo(comparison)]
        records = {spec: played(spec, chance) for spec in specs}
        for spec in reversed(specs[1:]):
            comparison.take(Completed(spec, records[spec]))
            assert comparison.decision.sets == 0
        comparison.take(Completed(specs[0], records[specs[0]]))
        backwards = comparison.decision
    with open_comparison(asked, tmp_path / "y.db", 1, "none") as comparison:
        for spec in specs:
            comparison.take(Completed(spec, records[spec]))
        assert comparison.decision == backwards
        assert backwards.verdict == "better"
        assert backwards == decide(gaps(specs, records), Hypotheses())
        assert comparison.result().later_sets == 120 - backwards.sets


def test_thirds_alternate_set_by_set(tmp_path: Path) -> None:
    """With one third the new bot wins, with the other it loses: in runs, the first would decide."""
    new, old = quick_two(tmp_path)
    thirds = tuple(write_quick_bot(tmp_path / name, turn=1) for name in ("x", "y"))
    asked = ComparisonRequest(Hypotheses(), 120, new, old, thirds, "pagat")
    chance = np.random.default_rng(9)
    with open_comparison(asked, tmp_path / "x.db", 1, "none") as comparison:
        for spec, _ in list(todo(comparison)):
            side = 3 if "x" in spec.lineup else -3
            paid = [
                tuple(side * won * {"new": 1, "old": -1}.get(bot, 0) for bot in spec.seats)
                for won in chance.integers(1, 3, spec.deals)
            ]
            comparison.take(Completed(spec, made_up(paid)))
        assert comparison.decision.verdict == "undecided"
        assert abs(comparison.decision.gap or 0) < 1
        assert comparison.decision.sets == 120


def test_a_void_run_is_left_out_at_all_tables(tmp_path: Path) -> None:
    """Else the third that is left would count more than the other."""
    new, old = quick_two(tmp_path)
    thirds = tuple(write_quick_bot(tmp_path / name, turn=1) for name in ("x", "y"))
    asked = ComparisonRequest(Hypotheses(), 120, new, old, thirds, "pagat")
    with open_comparison(asked, tmp_path / "x.db", 1, "none") as comparison:
        for spec, _ in list(todo(comparison)):
            void = "x" in spec.lineup and spec.first == 10
            seats = tuple(seat for seat, bot in enumerate(spec.seats) if void and bot == "x")
            side = 1 if "x" in spec.lineup else -1
            pays = {"new": side, "old": -side, "x": 0, "y": 0}
            paid = tuple(pays[bot] for bot in spec.seats)
            comparison.take(Completed(spec, made_up([paid] * spec.deals, disqualified=seats)))
        assert (comparison.decision.sets, comparison.decision.gap) == (100, 0.0)
        assert comparison.decision.doubt == "few runs", "ten runs, at two tables"
        assert (comparison.result().void_sets, comparison.result().later_sets) == (20, 0)


def todo(comparison: Comparison) -> Iterator[tuple[MatchSpec, Job]]:
    """The matches left to play."""
    return (each for jobs in comparison.runs() for each in jobs if each is not None)


def make_up(asked: ComparisonRequest, record: Path, sign: int = 1) -> None:
    """Store a whole comparison without playing it: `new` wins by chance, or loses."""
    chance = np.random.default_rng(8)
    with open_comparison(asked, record, 1, "none") as comparison:
        for spec, _ in list(todo(comparison)):
            comparison.take(Completed(spec, played(spec, chance, sign)))


def played(spec: MatchSpec, chance: np.random.Generator, sign: int = 1) -> MatchRecord:
    """A match in which `new` wins 0 to 4 stakes a deal from each seat of `old`, or loses them."""
    payments = []
    for won in sign * chance.integers(0, 5, spec.deals):
        payments.append(tuple(int(won) * (1 if bot == "new" else -1) for bot in spec.seats))
    return made_up(payments)


def gaps(specs: list[MatchSpec], records: dict[MatchSpec, MatchRecord]) -> np.ndarray[Any, Any]:
    """Each set's gap on the scale of tables of three, from the payments themselves."""
    by_set: dict[int, list[list[float]]] = {}
    for spec in specs:
        for number, paid in enumerate(records[spec].results.payments):
            both = by_set.setdefault(spec.first + number, [[], []])
            for bot, stakes in zip(spec.seats, paid, strict=True):
                both[bot == "old"].append(stakes)
    return np.array(
        [(np.mean(new) - np.mean(old)) * 9 / 8 for _, (new, old) in sorted(by_set.items())]
    )
