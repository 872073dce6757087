"""Matches outside a league: what they say of bots that fault, and the record that keeps them."""

import json
import re
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from arena.base.errors import MachineError
from arena.base.run_events import Void
from arena.bots.manifest import Bot
from arena.engine.runner import void_error
from arena.league.schedule import MatchSpec, league_deals, seat_seeds
from arena.record.store import Store
from arena.sandbox.isolation import NO_ISOLATION, choose_isolation
from arena.tasks.league_run import LeagueRun, Roster
from arena.tasks.match import MatchRequest, disambiguate, open_match
from arena.zole.deal import deal_text
from arena.zole.rules import preset
from tests.support.bots import good, write_bot, write_quick_bot
from tests.support.command import run, run_here
from tests.support.present import present
from tests.support.records import small_record


def quick(folder: Path, names: str = "abc") -> list[Path]:
    return [write_quick_bot(folder / name, turn=turn) for turn, name in enumerate(names)]


def match(*arguments: str | Path) -> tuple[int, str, str]:
    done = run_here("match", *arguments, "--isolation", "none")
    return done.returncode, done.stdout, done.stderr


def test_a_fault_is_reported_with_its_cause_and_the_command_that_looks_closer(
    tmp_path: Path,
) -> None:
    bad = write_bot(tmp_path / "my bot", good(before="if m['type'] == 'play': m['lgeal']"))
    asked: list[str | Path] = [*quick(tmp_path, "ab"), bad, "--deals", "1"]
    code, out, _ = match(*asked)
    why = "exit code 1: KeyError: 'lgeal'"
    [trouble] = json.loads(match(*asked, "--json", "--rules", "gamerules")[1])["troubles"]
    assert code == 1
    assert f"my bot: 6 exited, the first in deal 1: {why}. Look closer: arena check '{bad}'" in out
    assert (trouble["bot"], trouble["kind"], trouble["count"]) == ("my bot", "exited", 6)
    assert trouble["look"] == f"arena check '{bad}' --rules gamerules"


def test_a_match_fails_where_a_bot_was_never_ready(tmp_path: Path) -> None:
    bad = write_bot(tmp_path / "bad", "import nowhere")
    code, out, _ = match(*quick(tmp_path, "ab"), bad, "--deals", "1", "--seatings", "one")
    assert code == 1
    assert "bad: 1 exited, the first in deal 1: " in out
    assert "exit code 1: ModuleNotFoundError: No module named 'nowhere'" in out


@pytest.mark.parametrize("deals", ["-1", "2.5"])
def test_a_number_of_deals_out_of_range_is_no_file(tmp_path: Path, deals: str) -> None:
    code, _, error = match(*quick(tmp_path), "--deals", deals)
    assert code == 2
    assert f"--deals: {deals} is out of range: it must be a whole number of 1 or more" in error


def test_an_answer_that_was_not_allowed_is_shown_as_it_was_sent(tmp_path: Path) -> None:
    source = good(before="if m['type'] == 'play': answer['card'] = 'ZZ'; answer['why'] = 'a\\x1b'")
    source = source.replace("print(said(", "print(__import__('json').dumps(")
    bad = write_bot(tmp_path / "bad", source)
    record = tmp_path / "x.db"
    usual = ("--deals", "1", "--seatings", "one", "--record", record)
    _, out, _ = match(bad, *quick(tmp_path, "bc"), *usual)
    assert f"Look closer: arena faults {record} 1" in out
    [bundle] = json.loads(run("faults", record, "1", "--json").stdout)
    sent = bundle["lines"][-1]["from_bot"]
    assert sent.startswith('{"type": "play", "id": ')
    assert sent.endswith('"card": "ZZ", "why": "a\\u001b"}')
    assert sent not in run("export", record, "logs").stdout
    assert "ZZ" in run("export", record, "logs", "--private").stdout


def test_only_a_match_with_a_record_says_that_it_is_stored(tmp_path: Path) -> None:
    spec = MatchSpec(("a", "b", "c"), 0, 1, 0, ("a", "b", "c"))
    failed = Void(spec, "its worker died", failed=True)
    assert str(void_error(failed)) == "a match failed 5 times: its worker died"
    stored = pytest.raises(MachineError, match="all finished matches are stored")
    with closing(Store.write(small_record(tmp_path))) as writer, stored:
        LeagueRun(writer, Roster(tmp_path, NO_ISOLATION)).take(failed)


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
    table = json.loads(run("standings", record, "--json").stdout)
    stakes = {each["bot"]: each["stakes_per_deal"] for each in kept["totals"]}
    stored = {line["bot"]: line["stakes_per_deal"] for line in table["standings"]}
    assert table["complete"]
    assert stored == pytest.approx(stakes)
    assert "6 of 6 matches" in run("verify", record).stdout
    assert run("replay", record, "2").returncode == 0
    assert run("faults", record).stdout == "no faults\n"
    assert len(run("export", record, "games").stdout.splitlines()) == 19
    rerun = run("rerun", record, "1", "--seat", "0", "--isolation", "none")
    assert rerun.returncode == 0, rerun.stderr


@pytest.fixture
def deals(tmp_path: Path) -> Path:
    """A file of two deals."""
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
    record = tmp_path / "x.db"
    asked: list[str | Path] = [*quick(tmp_path, "cab"), "--record", record]
    asked += ["--deals", deals, "--seatings", "one"]
    for _ in range(2):
        assert match(*asked)[0] == 0
    assert json.loads(run("replay", record, "--json").stdout)["bots"] == ["c", "a", "b"]
    assert run("export", record, "deals").stdout == deals.read_text()
    assert "1 of 1 matches" in run("verify", record).stdout


def test_a_record_of_another_match_is_refused(tmp_path: Path, deals: Path) -> None:
    bots, record = quick(tmp_path), tmp_path / "x.db"
    asked: list[str | Path] = ["--record", record, "--deals", "1", "--seed", "7"]
    begun = [*bots, *asked]
    assert match(*begun)[0] == 0
    changes: tuple[tuple[tuple[str | Path, ...], str], ...] = (
        ((*begun, "--deals", "2"), "deals is 2, was 1"),
        ((*begun, "--seed", "8"), "seed is 8, was 7"),
        ((*begun, "--seatings", "one"), 'seats is ["a","b","c"], was []'),
        ((*begun, "--rules", "lzsf"), "rules."),
        ((*begun, "--no-timeout"), "limits.move_s is not set, was 60.0"),
        ((*begun, "--move-s", "5"), "limits.move_s is 5.0, was 60.0"),
        ((*begun, "--deals", deals), "given is ["),
        ((*bots[:2], write_quick_bot(tmp_path / "d"), *asked), "the bot c is gone"),
    )
    for arguments, told in changes:
        code, out, error = match(*arguments)
        assert (code, out) == (2, "")
        assert f"the match has changed since its record was begun: {told}" in error
        assert "name another --record, or none" in error
    compared = run_here("compare", *bots[:2], "--record", record, "--isolation", "none")
    assert 'format is "comparison", was "match"' in compared.stderr
    assert "must end in .db" in match(*bots, "--record", tmp_path / "x.sqlite")[2]


def test_a_changed_bot_is_refused_with_the_way_to_play_the_same_deals_again(tmp_path: Path) -> None:
    bots, record = quick(tmp_path), tmp_path / "x.db"
    asked: list[str | Path] = [*bots, "--deals", "1", "--seatings", "one"]
    assert match(*asked, "--record", record)[0] == 0
    (bots[0] / "more.txt").write_text("changed")
    error = match(*asked, "--record", record)[2]
    way = "--record, or none; with (--seed) ([0-9a-f]{64}) the deals are the same"
    words = present(re.search(way, error)).groups()
    assert "the bot a has changed" in error
    assert match(*asked, "--record", tmp_path / "y.db", *words)[0] == 0
    first, second = (run("export", tmp_path / name, "deals").stdout for name in ("x.db", "y.db"))
    assert first == second
    error = match(*asked, "--seed", "x")[2]
    assert "'x' is not a whole number, nor a seed that a match has printed" in error


def bot(name: str, folder: str) -> Bot:
    return Bot(name=name, version="1", author="me", run=("x",), folder=folder)


@pytest.mark.parametrize(
    ("bots", "names"),
    [
        (["mine /a/mine", "other /a/other"], ["mine", "other"]),
        (["mine /a/mine", "Mine /a/second"], ["mine", "second"]),
        (["mine /a/=1", "mine /a/-2", "MINE /b/x"], ["mine", "mine.2", "x"]),
        (["mine /a/new", "mine /a/mine"], ["new", "mine"]),
        (["mine /a/mine", "mine /a/mine-before"], ["mine", "mine-before"]),
        (["mine /a/x", "mine /a/x", "mine /a/x"], ["mine", "mine.2", "mine.3"]),
        (["mine /a/x", "mine /b/x", "mine /b/x"], ["x", "x.2", "x.3"]),
        (["mine /a/x", "mine /b/y", "x /c/z"], ["x", "y", "x.2"]),
    ],
)
def test_bots_of_one_name_are_called_by_their_folders_and_copies_are_numbered(
    bots: list[str], names: list[str]
) -> None:
    named = disambiguate([bot(*each.split()) for each in bots])
    assert [each.name for each in named] == names


def test_a_match_says_that_it_stops_and_how_long_that_may_take(tmp_path: Path) -> None:
    stops = "if m['type'] == 'play': os.kill(os.getppid(), 2)"
    bots = [*quick(tmp_path, "ab"), write_bot(tmp_path / "c", good(before=stops))]
    usual = ("--deals", "1", "--seatings", "one")
    code, _, told = match(*bots, *usual)
    assert (code, told.splitlines()[-2:]) == (
        130,
        ["stopping …", "stopped; without a --record nothing is kept"],
    )
    code, _, told = match(*bots, *usual, "--record", tmp_path / "x.db")
    assert "stopping … matches under way have 7 s" in told
