"""Comparisons as people make them: decided, killed, resumed, refused."""

import json
import random
import re
import signal
from collections.abc import Callable
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


def quick_two(folder: Path) -> tuple[Path, Path]:
    """Two that play apart: one declares by its hand, one in every third deal."""
    return write_quick_bot(folder / "new"), write_quick_bot(folder / "old", turn=0)


def with_thirds(folder: Path, sets: int) -> ComparisonRequest:
    thirds = tuple(write_quick_bot(folder / name, turn=1) for name in ("x", "y"))
    return ComparisonRequest(Hypotheses(), sets, *quick_two(folder), thirds, "pagat")


def compare(record: Path, *arguments: str | Path) -> tuple[int, dict[str, Any], str]:
    done = run_here("compare", *arguments, "--isolation", "none", "--record", record, "--json")
    return done.returncode, json.loads(done.stdout or "{}"), done.stderr


def shown(record: Path, *arguments: str | Path) -> str:
    return run_here("compare", *arguments, "--record", record).stdout


@pytest.fixture
def by_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody plays: what a match pays hangs on its deals and seeds alone, as with bots that do."""

    def play(job: Job) -> MatchRecord:
        dice = random.Random(repr((job.plan.deals, job.plan.seeds)))
        sides = [1 if program.name == "new" else -1 for program in job.programs]
        won = [dice.randint(-4, 5) for _ in job.plan.deals]
        return made_up([tuple(side * stakes for side in sides) for stakes in won])

    monkeypatch.setattr("arena.engine.worker.play_match", play)


@pytest.mark.usefixtures("by_seed")
def test_a_better_bot_is_found_and_what_was_played_is_kept(tmp_path: Path) -> None:
    record, asked = tmp_path / "x.db", (*quick_two(tmp_path), "--delta", "1")
    code, result, told = compare(record, *asked)
    decision = result["decision"]
    assert (code, decision["verdict"], len(result["seed"])) == (0, "better", 64), told
    assert decision["gap"] > 0.5  # half of what was asked, or it would not be "better"
    assert decision["llr"] >= result["bounds"][1]
    assert "0 of 10000 sets; nothing is decided before 100" in told
    again = run_here("compare", *asked, "--record", record, "--json")
    assert (json.loads(again.stdout), besides_level(again.stderr)) == (result, [])


def test_a_worse_bot_is_not_better_and_the_command_fails(tmp_path: Path) -> None:
    record, bots = tmp_path / "x.db", quick_two(tmp_path)
    make_up(ComparisonRequest(Hypotheses(), 100, *bots, (), "pagat"), record, sign=-1)
    code, result, _ = compare(record, *bots, "--max-sets", "100")
    assert (code, result["decision"]["verdict"]) == (1, "not better")
    assert result["decision"]["ci95"][1] < 0
    assert shown(record, *bots, "--max-sets", "100").startswith("new is worse than old\n")


def test_bots_that_play_the_same_are_identical_and_undecided(tmp_path: Path) -> None:
    record, new = tmp_path / "x.db", write_quick_bot(tmp_path / "new")
    asked = (new, write_quick_bot(tmp_path / "old", more="# another text\n"), "--max-sets", "20")
    code, result, _ = compare(record, *asked)
    decision = result["decision"]
    assert (code, decision["verdict"]) == (1, "undecided")
    assert (decision["identical"], decision["sets"]) == (True, 20)
    told = "undecided whether new is better than old: identical on 20 deals"
    assert told in shown(record, *asked)


@pytest.mark.usefixtures("by_seed")
def test_an_undecided_comparison_goes_on_with_more_sets(tmp_path: Path) -> None:
    record = tmp_path / "x.db"
    asked = (*quick_two(tmp_path), "--delta", "0.001", "--seed", "4", "--max-sets")
    code, result, _ = compare(record, *asked, "20")
    assert (code, result["decision"]["verdict"]) == (1, "undecided")
    assert result["decision"]["sets"] == result["max_sets"] == 20
    assert result["decision"]["more_sets"] > 20
    text = shown(record, *asked, "20")
    assert re.search(r"To decide it takes at least [\d,]+ sets more: raise --max-sets\n", text)
    assert "better than old: too few sets to tell how far they spread\n" in text
    longer, whole = (compare(path, *asked, "25")[1] for path in (record, tmp_path / "y.db"))
    assert longer["decision"]["sets"] == longer["max_sets"] == 30
    assert longer["decision"] == whole["decision"]


@pytest.mark.slow
def test_killed_at_any_moment_it_goes_on_to_the_same_verdict(tmp_path: Path) -> None:
    asked = (*quick_two(tmp_path), "--seed", "3", "--max-sets", "25", "--delta", "0.01")
    _, whole, _ = compare(tmp_path / "whole.db", *asked)
    broken = tmp_path / "broken.db"
    for count in (1, 2):
        arena = start("compare", *asked, "--record", broken)
        said(arena, " sets; ", count)
        arena.kill()
        arena.communicate()
    _, result, _ = compare(broken, *asked)
    assert result["decision"] == whole["decision"]
    assert run("verify", broken).returncode == 0


def test_a_stopped_comparison_keeps_what_is_finished(tmp_path: Path) -> None:
    record = tmp_path / "x.db"
    arena = start("compare", *quick_two(tmp_path), "--delta", "0.001", "--record", record)
    said(arena, " sets; ", 2)
    arena.send_signal(signal.SIGINT)
    out, told = arena.communicate()
    assert (arena.returncode, out) == (130, "")
    assert "Run the same command to continue" in told
    assert run("verify", record).returncode == 0


def test_thirds_sit_with_the_two_in_turn(tmp_path: Path) -> None:
    record, asked = tmp_path / "x.db", with_thirds(tmp_path, 20)
    make_up(asked, record)
    words = [word for third in asked.thirds for word in ("--third", str(third))]
    _, result, _ = compare(record, asked.new, asked.old, *words, "--max-sets", "20")
    assert (result["thirds"], result["decision"]["sets"]) == (["x", "y"], 20)
    table = json.loads(run("standings", record, "--json").stdout)["standings"]
    assert {line["bot"]: line["sets"] for line in table} == {"new": 20, "old": 20, "x": 10, "y": 10}


def test_two_versions_of_one_name_are_told_apart(tmp_path: Path) -> None:
    new, old = write_quick_bot(tmp_path / "1"), write_quick_bot(tmp_path / "2", turn=0)
    for bot in (new, old):
        manifest = (bot / "bot.toml").read_text()
        (bot / "bot.toml").write_text(manifest.replace(f'name = "{bot.name}"', 'name = "mine"'))
    make_up(ComparisonRequest(Hypotheses(), 20, new, old, (), "pagat"), tmp_path / "x.db")
    _, result, _ = compare(tmp_path / "x.db", new, old, "--max-sets", "20")
    assert (result["new"], result["old"]) == ("1", "2")


def test_sets_of_a_disqualified_bot_are_left_out(tmp_path: Path) -> None:
    new = write_bot(tmp_path / "new", good(before="if t == 'play': os.kill(os.getpid(), 9)"))
    (tmp_path / "strict.toml").write_text("[conduct]\nmax_faults = 2\n")
    code, result, told = compare(
        *(tmp_path / "x.db", new, write_quick_bot(tmp_path / "old"), "--max-sets", "20"),
        *("--rules", tmp_path / "strict.toml"),
    )
    assert (code, result["decision"]["verdict"], result["decision"]["sets"]) == (1, "undecided", 0)
    assert (result["void_sets"], set(result["faults"])) == (20, {"new"})
    assert "new is disqualified" in told


@pytest.mark.usefixtures("by_seed")
def test_without_a_record_named_each_question_has_its_own(tmp_path: Path) -> None:
    asked = (*quick_two(tmp_path), "--max-sets", "20", "--isolation", "none")
    for records in (1, 1, 2):
        if records == 2:
            (tmp_path / "new" / "more.txt").write_text("another version")
        assert run_here("compare", *asked, cwd=tmp_path).returncode in (0, 1)
        assert len(list(tmp_path.glob("compare-new-old-*.db"))) == records


def test_a_record_of_another_comparison_is_refused(tmp_path: Path) -> None:
    new, old = quick_two(tmp_path)
    record, most = tmp_path / "x.db", ("--max-sets", "30")
    asked = ComparisonRequest(Hypotheses(), 30, new, old, (), "pagat")
    with open_comparison(asked, record, None, "none"):
        pass
    for arguments, told in (
        ((new, old, *most, "--delta", "0.2"), "hypotheses.delta is 0.2, was 0.1"),
        ((new, old, "--max-sets", "20"), "deals is 20, was 30"),
        ((new, old, *most, "--seed", "4"), "seed is 4, was secret"),
        ((new, old, *most, "--rules", "lzsf"), "has changed since its record was begun: rules."),
        ((old, new, *most), 'new is "old", was "new"'),
    ):
        code, _, error = compare(record, *arguments)
        assert (code, told in error) == (2, True), error
    (new / "more.txt").write_text("another version")
    code, _, error = compare(record, new, old, *most)
    assert (code, "the bot new has changed" in error) == (2, True), error


@pytest.mark.parametrize(
    ("arguments", "mistake"),
    [
        (["new", "nowhere"], "nowhere: there is no such folder"),
        (["new", "new"], "new and new: the two bots are the same program"),
        (["new", "old", "--rules", "four.toml"], "tables of three, and these rules are for 4"),
        (["new", "old", "--record", "x"], "the name of a record must end in .db"),
    ],
)
def test_a_mistake_is_reported_in_one_line(
    tmp_path: Path, arguments: list[str], mistake: str
) -> None:
    quick_two(tmp_path)
    (tmp_path / "four.toml").write_text("players = 4\n")
    done = run_here("compare", *arguments, cwd=tmp_path)
    [line] = besides_level(done.stderr)
    assert (done.returncode, done.stdout) == (2, "")
    assert mistake in line


def test_sets_count_in_their_order_whichever_match_is_done_first(tmp_path: Path) -> None:
    """The same matches, stored from the last to the first, decide nothing until the first is in."""
    asked = ComparisonRequest(Hypotheses(), 120, *quick_two(tmp_path), (), "pagat")
    play = by_chance(1)
    with open_comparison(asked, tmp_path / "x.db", 1, "none") as backwards:
        first, *others = todo(backwards)
        records = {spec: play(spec) for spec in (first, *others)}
        for spec in reversed(others):
            backwards.take(Completed(spec, records[spec]))
            assert backwards.decision.sets == 0
        backwards.take(Completed(first, records[first]))
    with open_comparison(asked, tmp_path / "y.db", 1, "none") as comparison:
        for spec, record in records.items():
            comparison.take(Completed(spec, record))
        decision = comparison.decision
        assert decision == backwards.decision == decide(gaps(records), Hypotheses())
        assert (decision.verdict, comparison.result().later_sets) == ("better", 120 - decision.sets)


def test_thirds_alternate_set_by_set_and_a_void_run_is_left_out_at_all_tables(
    tmp_path: Path,
) -> None:
    """With one third the new bot wins, with the other it loses as much.

    In runs, the first would decide; and were a run void at one table alone, the other third would
    count more.
    """
    asked = with_thirds(tmp_path, 120)
    for void, sets in ((None, 120), (10, 100)):
        with open_comparison(asked, tmp_path / f"{sets}.db", 1, "none") as comparison:
            for spec in todo(comparison):
                side = 1 if "x" in spec.lineup else -1
                pays = {"new": side, "old": -side, "x": 0, "y": 0}
                out = "x" in spec.lineup and spec.first == void
                lost = (spec.seats.index("x"),) if out else ()
                paid = [tuple(pays[bot] for bot in spec.seats)] * spec.deals
                comparison.take(Completed(spec, made_up(paid, disqualified=lost)))
            decision, result = comparison.decision, comparison.result()
        assert (decision.verdict, decision.sets, decision.gap) == ("undecided", sets, 0.0)
        assert (result.void_sets, result.later_sets) == (120 - sets, 0)
    assert decision.doubt == "few runs", "ten runs, at two tables"


def todo(comparison: Comparison) -> list[MatchSpec]:
    """The matches left to play."""
    return [each[0] for jobs in comparison.runs() for each in jobs if each is not None]


def make_up(asked: ComparisonRequest, record: Path, sign: int = 1) -> None:
    """Store a whole comparison without playing it: `new` wins by chance, or loses."""
    play = by_chance(sign)
    with open_comparison(asked, record, 1, "none") as comparison:
        for spec in todo(comparison):
            comparison.take(Completed(spec, play(spec)))


def by_chance(sign: int) -> Callable[[MatchSpec], MatchRecord]:
    """Matches in which `new` wins 0 to 4 stakes a deal from each seat of `old`, or loses them."""
    chance = np.random.default_rng(8)

    def play(spec: MatchSpec) -> MatchRecord:
        sides = [sign if bot == "new" else -sign for bot in spec.seats]
        won = chance.integers(0, 5, spec.deals).tolist()
        return made_up([tuple(side * stakes for side in sides) for stakes in won])

    return play


def gaps(records: dict[MatchSpec, MatchRecord]) -> np.ndarray[Any, Any]:
    """Each set's gap on the scale of tables of three, from the payments themselves."""
    by_set: dict[int, list[list[float]]] = {}
    for spec, record in records.items():
        for number, paid in enumerate(record.results.payments):
            both = by_set.setdefault(spec.first + number, [[], []])
            for bot, stakes in zip(spec.seats, paid, strict=True):
                both[bot == "old"].append(stakes)
    return np.array(
        [(np.mean(new) - np.mean(old)) * 9 / 8 for _, (new, old) in sorted(by_set.items())]
    )
