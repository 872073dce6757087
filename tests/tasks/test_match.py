"""Matches outside a league: what they say of bots that fault, and the record that keeps them."""

import json
import random
import re
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from arena.base.run_events import Completed
from arena.bots.manifest import Bot
from arena.engine.job import Job
from arena.league.schedule import MatchSpec, league_deals, seat_seeds
from arena.match.record import MatchRecord
from arena.sandbox.isolation import choose_isolation
from arena.stats.figures import Hypotheses
from arena.stats.sprt import decide
from arena.tasks.compare import Comparison, ComparisonRequest, open_comparison
from arena.tasks.match import MatchRequest, disambiguate, open_match
from arena.zole.deal import deal_text
from arena.zole.rules import preset
from tests.support.bots import good, write_bot, write_quick_bot
from tests.support.command import besides_level, document, output, run, run_here, said, start
from tests.support.present import present
from tests.support.scripted import made_up


def quick(folder: Path, names: str = "abc") -> list[Path]:
    return [write_quick_bot(folder / name, turn=turn) for turn, name in enumerate(names)]


def match(*arguments: str | Path) -> tuple[int, str, str]:
    done = run_here("match", *arguments, "--isolation", "none")
    return done.returncode, done.stdout, done.stderr


def test_a_match_fails_by_a_fault_which_is_reported_with_its_cause_and_what_looks_closer(
    tmp_path: Path,
) -> None:
    bad = write_bot(tmp_path / "my bot", good(before="if m['type'] == 'play': m['lgeal']"))
    asked: list[str | Path] = [*quick(tmp_path, "ab"), bad, "--deals", "1"]
    code, out, _ = match(*asked)
    why = "exit code 1: KeyError: 'lgeal'"
    assert code == 1
    assert f"my bot: 6 exited, the first in deal 1: {why}. Look closer: arena check '{bad}'" in out
    [trouble] = json.loads(match(*asked, "--json", "--rules", "gamerules")[1])["troubles"]
    told = ("my bot", "exited", 6, f"arena check '{bad}' --rules gamerules")
    assert tuple(trouble[key] for key in ("bot", "kind", "count", "look")) == told
    write_bot(bad, "import nowhere")  # it is never ready
    code, out, _ = match(*asked, "--seatings", "one")
    assert code == 1
    assert "my bot: 1 exited, the first in deal 1: " in out
    assert "exit code 1: ModuleNotFoundError: No module named 'nowhere'" in out


def test_an_answer_that_was_not_allowed_is_shown_as_it_was_sent(tmp_path: Path) -> None:
    source = good(before="if m['type'] == 'play': answer['card'] = 'ZZ'; answer['why'] = 'a\\x1b'")
    source = source.replace("print(said(", "print(__import__('json').dumps(")
    bad, record = write_bot(tmp_path / "bad", source), tmp_path / "x.db"
    usual = ("--deals", "1", "--seatings", "one", "--record", record)
    assert f"Look closer: arena faults {record} 1" in match(bad, *quick(tmp_path, "bc"), *usual)[1]
    [fault] = document("faults", record, "1")
    sent = fault["lines"][-1]["from_bot"]
    assert re.fullmatch(r'\{"type": "play", "id": .*"card": "ZZ", "why": "a\\u001b"\}', sent)
    assert sent not in output("export", record, "logs")
    assert "ZZ" in output("export", record, "logs", "--private")


def test_a_match_is_kept_as_any_record_and_is_the_same_as_without_one(tmp_path: Path) -> None:
    record = tmp_path / "x.db"
    asked: list[str | Path] = [*quick(tmp_path), "--deals", "3", "--seed", "5", "--json"]
    kept, again, alone = (
        json.loads(match(*asked, *more)[1])
        for more in (("--record", record), ("--record", record), ())
    )
    assert kept["record"] == str(record)
    assert again == kept, "there is nothing left to play"
    assert alone["games"] == kept["games"]
    table = document("standings", record)
    stakes = {each["bot"]: each["stakes_per_deal"] for each in kept["totals"]}
    stored = {line["bot"]: line["stakes_per_deal"] for line in table["standings"]}
    assert table["complete"]
    assert stored == pytest.approx(stakes)
    assert "6 of 6 matches" in output("verify", record)
    rerun = run("rerun", record, "1", "--seat", "0", "--isolation", "none")
    assert rerun.returncode == 0, rerun.stderr


@pytest.fixture
def deals(tmp_path: Path) -> Path:
    path = tmp_path / "deals.txt"
    some = league_deals(preset(), "1", ("a", "b", "c"), 0, 2)
    path.write_text("".join(f"{deal_text(each)}\n" for each in some))
    return path


def test_of_deals_from_a_file_no_bot_learns_more_than_its_seed(tmp_path: Path, deals: Path) -> None:
    """From a seed that all know, a bot would find the deals that make its `hello.seed`."""
    asked = MatchRequest(
        players=quick(tmp_path), rules="pagat", deals=str(deals), seed=None, all_seatings=False
    )
    seeds: set[tuple[int, ...]] = set()
    for seed in (None, None, 0, 0):
        given = msgspec.structs.replace(asked, seed=seed)
        with open_match(given, choose_isolation("none")) as opened:
            [spec], [known] = opened.remaining(), opened.seeds
            plan = opened.plan(spec)
        seeds.add(tuple(plan.seeds))
        assert re.fullmatch("[0-9a-f]{64}" if seed is None else "0", known)
        assert plan.seeds == seat_seeds(plan.rules, known, list(plan.deals))
    assert len(seeds) == 3


def test_deals_of_a_file_are_kept_and_verified_in_the_seating_that_is_given(
    tmp_path: Path, deals: Path
) -> None:
    bots, record = quick(tmp_path, "cab"), tmp_path / "x.db"
    for _ in range(2):
        assert match(*bots, "--record", record, "--deals", deals, "--seatings", "one")[0] == 0
    assert document("replay", record)["bots"] == ["c", "a", "b"]
    assert output("export", record, "deals") == deals.read_text()
    assert "1 of 1 matches" in output("verify", record)


def test_a_record_of_another_match_is_refused(tmp_path: Path, deals: Path) -> None:
    bots, record = quick(tmp_path), tmp_path / "x.db"
    asked: tuple[str | Path, ...] = ("--record", record, "--deals", "1", "--seed", "7")
    begun = (*bots, *asked)
    assert match(*begun)[0] == 0
    since = "the match has changed since its record was begun: "
    changes: tuple[tuple[tuple[str | Path, ...], str], ...] = (
        ((*begun, "--deals", "2"), f"{since}deals is 2, was 1"),
        ((*begun, "--seed", "8"), f"{since}seed is 8, was 7"),
        ((*begun, "--seatings", "one"), f'{since}seats is ["a","b","c"], was []'),
        ((*begun, "--rules", "lzsf"), f"{since}rules."),
        ((*begun, "--no-timeout"), f"{since}limits.move_s is not set, was 60.0"),
        ((*begun, "--move-s", "5"), f"{since}limits.move_s is 5.0, was 60.0"),
        ((*begun, "--deals", deals), f"{since}given is ["),
        ((*bots[:2], write_quick_bot(tmp_path / "d"), *asked), f"{since}the bot c is gone"),
        ((*bots, "--record", tmp_path / "x.sqlite"), "must end in .db"),
        *(
            ((*begun, "--deals", some), f"--deals: {some} is out of range: it must be a whole")
            for some in ("-1", "2.5")
        ),
    )
    for arguments, told in changes:
        code, out, error = match(*arguments)
        assert (code, out, told in error) == (2, "", True), error
        assert since not in error or "name another --record, or none" in error


def test_a_changed_bot_is_refused_with_the_way_to_play_the_same_deals_again(tmp_path: Path) -> None:
    bots, record, other = quick(tmp_path), tmp_path / "x.db", tmp_path / "y.db"
    asked: list[str | Path] = [*bots, "--deals", "1", "--seatings", "one"]
    assert match(*asked, "--record", record)[0] == 0
    (bots[0] / "more.txt").write_text("changed")
    error = match(*asked, "--record", record)[2]
    assert "the bot a has changed" in error
    way = "--record, or none; with (--seed) ([0-9a-f]{64}) the deals are the same"
    assert match(*asked, "--record", other, *present(re.search(way, error)).groups())[0] == 0
    assert output("export", record, "deals") == output("export", other, "deals")
    refused = "'x' is not a whole number, nor a seed that a match has printed"
    assert refused in match(*asked, "--seed", "x")[2]


@pytest.mark.parametrize(
    ("bots", "names"),
    [
        ("mine /a/mine, other /a/other", "mine other"),
        ("mine /a/mine, Mine /a/second", "mine second"),
        ("mine /a/=1, mine /a/-2, MINE /b/x", "mine mine.2 x"),
        ("mine /a/new, mine /a/mine", "new mine"),
        ("mine /a/mine, mine /a/mine-before", "mine mine-before"),
        ("mine /a/x, mine /a/x, mine /a/x", "mine mine.2 mine.3"),
        ("mine /a/x, mine /b/x, mine /b/x", "x x.2 x.3"),
        ("mine /a/x, mine /b/y, x /c/z", "x y x.2"),
    ],
)
def test_bots_of_one_name_are_called_by_their_folders_and_copies_are_numbered(
    bots: str, names: str
) -> None:
    given = [
        Bot(name=name, version="1", author="me", run=("x",), folder=folder)
        for name, folder in map(str.split, bots.split(","))
    ]
    assert [each.name for each in disambiguate(given)] == names.split()


def test_a_match_that_is_stopped_says_that_nothing_is_kept(tmp_path: Path) -> None:
    stops = "if m['type'] == 'play': os.kill(os.getppid(), 2)"
    bots = [*quick(tmp_path, "ab"), write_bot(tmp_path / "c", good(before=stops))]
    code, _, told = match(*bots, "--deals", "1", "--seatings", "one")
    last = ["stopping …", "stopped; without a --record nothing is kept"]
    assert (code, told.splitlines()[-2:]) == (130, last)


# --- compare ---


@pytest.fixture(name="two")
def _two(tmp_path: Path) -> tuple[Path, Path]:
    """Two that play apart: one declares by its hand, one in every third deal."""
    return write_quick_bot(tmp_path / "new"), write_quick_bot(tmp_path / "old", turn=0)


def request(two: tuple[Path, Path], sets: int, thirds: tuple[Path, ...] = ()) -> ComparisonRequest:
    return ComparisonRequest(Hypotheses(), sets, *two, thirds, "pagat")


def compare(record: Path, *arguments: str | Path) -> tuple[int, dict[str, Any], str]:
    """The exit code, the document and the messages of a comparison."""
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
        won = [dice.randint(-2, 5) for _ in job.plan.deals]
        return made_up([tuple(side * stakes for side in sides) for stakes in won])

    monkeypatch.setattr("arena.engine.worker.play_match", play)


@pytest.mark.usefixtures("by_seed")
def test_a_better_bot_is_found_a_worse_one_fails_and_what_was_played_is_kept(
    tmp_path: Path, two: tuple[Path, Path]
) -> None:
    record, asked = tmp_path / "x.db", (*two, "--delta", "1")
    code, result, told = compare(record, *asked)
    decision = result["decision"]
    assert (code, decision["verdict"], len(result["seed"])) == (0, "better", 64), told
    assert decision["gap"] > 0.5  # half of what was asked, or it would not be "better"
    assert decision["llr"] >= result["bounds"][1]
    assert "0 of 10000 sets; nothing is decided before 100" in told
    again = run_here("compare", *asked, "--record", record, "--json")
    assert (json.loads(again.stdout), besides_level(again.stderr)) == (result, [])
    worse = (two[1], two[0], "--delta", "1", "--seed", "1")
    code, result, _ = compare(tmp_path / "y.db", *worse)
    assert (code, result["decision"]["verdict"]) == (1, "not better")
    assert result["decision"]["ci95"][1] < 0
    assert shown(tmp_path / "y.db", *worse).startswith("old is worse than new\n")


def test_bots_of_one_name_that_play_the_same_are_told_apart_identical_and_undecided(
    tmp_path: Path,
) -> None:
    record, new = tmp_path / "x.db", write_quick_bot(tmp_path / "1" / "mine")
    old = write_quick_bot(tmp_path / "2" / "mine", more="# another text\n")
    code, result, _ = compare(record, new, old, "--max-sets", "20")
    told = tuple(result["decision"][key] for key in ("verdict", "identical", "sets"))
    assert (code, told) == (1, ("undecided", True, 20))
    assert "undecided whether mine is better than mine.2: identical on 20 deals" in shown(
        record, new, old, "--max-sets", "20"
    )


@pytest.mark.usefixtures("by_seed")
def test_an_undecided_comparison_goes_on_with_more_sets(
    tmp_path: Path, two: tuple[Path, Path]
) -> None:
    record = tmp_path / "x.db"
    asked = (*two, "--delta", "0.001", "--seed", "4", "--max-sets")
    code, result, _ = compare(record, *asked, "20")
    decision = result["decision"]
    assert (code, decision["verdict"]) == (1, "undecided")
    assert decision["sets"] == result["max_sets"] == 20 < decision["more_sets"]
    text = shown(record, *asked, "20")
    assert re.search(r"To decide it takes at least [\d,]+ sets more: raise --max-sets\n", text)
    assert "better than old: there are too few sets to tell how much the gaps vary\n" in text
    longer, whole = (compare(path, *asked, "25")[1] for path in (record, tmp_path / "y.db"))
    assert longer["decision"]["sets"] == longer["max_sets"] == 30
    assert longer["decision"] == whole["decision"]


@pytest.mark.slow
def test_killed_at_any_moment_it_goes_on_to_the_same_verdict(
    tmp_path: Path, two: tuple[Path, Path]
) -> None:
    asked = (*two, "--seed", "3", "--max-sets", "25", "--delta", "0.01")
    whole, broken = tmp_path / "whole.db", tmp_path / "broken.db"
    for count in (1, 2):
        arena = start("compare", *asked, "--record", broken)
        said(arena, " sets; ", count)
        arena.kill()
        arena.communicate()
    decisions = [compare(record, *asked)[1]["decision"] for record in (whole, broken)]
    assert decisions[0] == decisions[1]
    output("verify", broken)


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
def test_without_a_record_named_each_question_has_its_own(
    tmp_path: Path, two: tuple[Path, Path]
) -> None:
    for records in (1, 1, 2):
        if records == 2:
            (tmp_path / "new" / "more.txt").write_text("another version")
        done = run_here("compare", *two, "--max-sets", "20", "--isolation", "none", cwd=tmp_path)
        assert done.returncode in (0, 1)
        assert len(list(tmp_path.glob("compare-new-old-*.db"))) == records


def test_a_record_of_another_comparison_is_refused(tmp_path: Path, two: tuple[Path, Path]) -> None:
    new, old = two
    record, most = tmp_path / "x.db", ("--max-sets", "30")
    with open_comparison(request(two, 30), record, None, "none"):
        pass
    changed = write_quick_bot(tmp_path / "again" / "new", more="# another version\n")
    [third] = quick(tmp_path, "x")
    for arguments, told in (
        ((new, old, *most, "--delta", "0.2"), "hypotheses.delta is 0.2, was 0.1"),
        ((new, old, "--max-sets", "20"), "deals is 20, was 30"),
        ((new, old, *most, "--seed", "4"), "seed is 4, was secret"),
        ((new, old, *most, "--rules", "lzsf"), "has changed since its record was begun: rules."),
        ((new, old, *most, "--third", third), 'always is ["new","old"], was []'),
        ((old, new, *most), 'new is "old", was "new"'),
        ((changed, old, *most), "the bot new has changed"),
    ):
        code, _, error = compare(record, *arguments)
        assert (code, told in error) == (2, True), error
    error = match(new, old, "--record", record)[2]
    assert 'format is "match", was "comparison"' in error


@pytest.mark.parametrize(
    ("arguments", "mistake"),
    [
        (["new", "nowhere"], "nowhere: there is no such folder"),
        (["new", "new"], "new and new: the two bots are the same program"),
        (["new", "old", "--rules", "four.toml"], "tables of three, and these rules are for 4"),
        (["new", "old", "--record", "x"], "the name of a record must end in .db"),
    ],
)
@pytest.mark.usefixtures("two")
def test_a_mistake_is_reported_in_one_line(
    tmp_path: Path, arguments: list[str], mistake: str
) -> None:
    (tmp_path / "four.toml").write_text("players = 4\n")
    done = run_here("compare", *arguments, cwd=tmp_path)
    [line] = besides_level(done.stderr)
    assert (done.returncode, done.stdout) == (2, "")
    assert mistake in line


def todo(comparison: Comparison) -> list[MatchSpec]:
    return [each[0] for jobs in comparison.runs() for each in jobs if each is not None]


def test_sets_count_in_their_order_whichever_match_is_done_first(
    tmp_path: Path, two: tuple[Path, Path]
) -> None:
    """`new` wins 0 to 4 stakes a deal from each seat of `old`; gaps are on the scale of three."""
    asked, chance = request(two, 120), np.random.default_rng(8)
    records: dict[MatchSpec, MatchRecord] = {}
    by_set: dict[int, list[list[float]]] = {}
    with open_comparison(asked, tmp_path / "x.db", 1, "none") as backwards:
        for spec in todo(backwards):
            sides = [1 if bot == "new" else -1 for bot in spec.seats]
            won = chance.integers(0, 5, spec.deals).tolist()
            paid = [tuple(side * stakes for side in sides) for stakes in won]
            records[spec] = made_up(paid)
            for number, stakes in enumerate(paid):
                both = by_set.setdefault(spec.first + number, [[], []])
                for bot, own in zip(spec.seats, stakes, strict=True):
                    both[bot == "old"].append(own)
        first, *others = records
        for spec in reversed(others):
            backwards.take(Completed(spec, records[spec]))
            assert backwards.decision.sets == 0
        backwards.take(Completed(first, records[first]))
    with open_comparison(asked, tmp_path / "y.db", 1, "none") as comparison:
        for spec, record in records.items():
            comparison.take(Completed(spec, record))
        decision, later = comparison.decision, comparison.result().later_sets
    means = [(np.mean(new) - np.mean(old)) * 9 / 8 for _, (new, old) in sorted(by_set.items())]
    assert decision == backwards.decision == decide(np.array(means), Hypotheses())
    assert (decision.verdict, later) == ("better", 120 - decision.sets)


def test_thirds_alternate_set_by_set_and_a_void_run_is_left_out_at_all_tables(
    tmp_path: Path, two: tuple[Path, Path]
) -> None:
    """With one third the new bot wins, with the other it loses as much.

    In runs, the first would decide; and were a run void at one table alone, the other third would
    count more.
    """
    asked = request(two, 120, tuple(quick(tmp_path, "xy")))
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
