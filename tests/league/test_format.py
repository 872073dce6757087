"""Formats as organisers write them: what is played, what is refused, and how it goes on."""

import json
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from arena.league.config import ROUND, OpenConfig
from arena.league.file import read_league
from arena.record.store import Store
from tests.base.test_toml import mistakes_of
from tests.support.bots import OPEN, write_league
from tests.support.command import run, run_here, said, start


def played(league: Path, *arguments: str) -> dict[str, Any]:
    done = run_here("league", league, "--seed", "5", "--json", *arguments)
    assert done.returncode == 0, done.stderr
    document: dict[str, Any] = json.loads(done.stdout)
    return document


def tables(league: Path) -> set[tuple[str, ...]]:
    store = Store.open(league.with_suffix(".db"))
    try:
        return {lineup for lineup, _, _ in store.stored()}
    finally:
        store.close()


def write(league: Path, names: str, *lines: str) -> None:
    listed = ", ".join(f'"{name}"' for name in names)
    league.write_text("\n".join([f"bots = [{listed}]", *lines]) + f"\n{OPEN}")


def authored(folder: Path, name: str, author: str) -> None:
    manifest = folder / name / "bot.toml"
    manifest.write_text(manifest.read_text().replace('"tests"', f'"{author}"'))


def test_in_a_mirror_league_every_pair_mirrors(tmp_path: Path) -> None:
    league = write_league(tmp_path, "abcd", deals=1, more="mirror = true\n")
    document = played(league)
    assert tables(league) == set(combinations("abcd", 2))
    assert document["sets"] == document["sets_played"] == 6
    assert [line["games"] for line in document["standings"]] == [18] * 4
    assert run("verify", league).returncode == 0


def test_drawn_trios_are_played_and_kept_when_bots_come(tmp_path: Path) -> None:
    league = write_league(tmp_path, "abcdef", deals=1)
    write(league, "abcde", "deals = 1", "seatings = 3", "trios = 5")
    assert played(league)["sets_played"] == 5
    before = tables(league)
    assert len(before) == 5
    write(league, "abcdef", "deals = 1", "seatings = 3", "trios = 5")
    document = played(league)
    assert document["complete"]
    assert tables(league) > before
    assert {line["bot"]: line["sets"] for line in document["standings"]}["f"] == 3
    write(league, "abcdef", "deals = 1", "seatings = 3")
    assert played(league)["sets_played"] == 20


def test_bots_of_one_author_never_share_a_table(tmp_path: Path) -> None:
    league = write_league(tmp_path, "abcde", deals=1, more='apart = "author"\n')
    for name, author in zip("abcde", "xxyyz", strict=True):
        authored(tmp_path, name, author)
    played(league)
    assert tables(league) == {(one, other, "e") for one in "ab" for other in "cd"}


def test_a_league_with_a_width_is_played_until_all_intervals_are_as_narrow(tmp_path: Path) -> None:
    league = write_league(tmp_path)
    write(league, "abc", "width = 2.0", "max_deals = 400")
    document = played(league)
    widths = [line["ci95"][1] - line["ci95"][0] for line in document["standings"]]
    assert document["complete"]
    assert max(widths) <= 2.0
    assert document["sets"] % ROUND == 0
    write(league, "abc", f"width = {max(widths) * 0.8}", "max_deals = 400")
    narrower = played(league)
    assert narrower["sets"] > document["sets"]
    assert run("verify", league).returncode == 0


def test_a_budget_ends_a_league_that_is_not_precise(tmp_path: Path) -> None:
    league = write_league(tmp_path)
    write(league, "abc", "width = 0.001", "max_deals = 25")
    done = run_here("league", league, "--seed", "5")
    assert "25 of 25 sets, complete" in done.stdout
    assert "another round of 6 matches" in done.stderr
    assert "no more rounds" in done.stderr


@pytest.mark.slow
def test_killed_in_a_round_it_goes_on_to_the_same_standings(tmp_path: Path) -> None:
    outcomes = []
    for name in ("whole", "broken"):
        league = write_league(tmp_path / name, "abcd")
        write(league, "abcd", "width = 0.001", "max_deals = 25", "trios = 2", "seatings = 3")
        for word in ("decisions a second", "another round") if name == "broken" else ():
            arena = start("league", league, "--seed", "5")
            said(arena, word)
            arena.kill()
            arena.communicate()
        outcomes.append(played(league))
        assert run("verify", league).returncode == 0
    assert outcomes[0] == outcomes[1]
    assert outcomes[0]["sets_played"] == 50


def test_a_wider_interval_than_was_begun_with_is_refused(tmp_path: Path) -> None:
    league = write_league(tmp_path)
    write(league, "abc", "width = 5.0", "max_deals = 20")
    played(league)
    write(league, "abc", "width = 6.0", "max_deals = 20")
    done = run_here("league", league)
    assert done.returncode == 2
    assert "width is 6.0, was 5.0" in done.stderr


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (
            ["width = 0.1", "deals = 5", "max_deals = 50"],
            ["F:3: width decides how many deals there are; leave deals out; max_deals bounds them"],
        ),
        (["width = 0.1"], ["F:2: width needs max_deals, the most deals of each table"]),
        (["max_deals = 5"], ["F:2: max_deals is for width; write deals instead"]),
        (["width = 0"], ["F:2: width must be a number of more than 0, not 0"]),
        (["trios = 0"], ["F:2: trios must be a whole number of at least 1, not 0"]),
        (
            ["trios = 5"],
            ["F:2: 5 trios cannot be drawn: these bots form 4; leave trios out, and all are"
             " played"],
        ),
        (
            ["mirror = true", "trios = 2"],
            ["F:3: trios are drawn from tables of three, not from pairs that mirror"],
        ),
        (
            ["mirror = true", "rules.players = 4"],
            ["F:2: mirrors are for tables of three, not of 4"],
        ),
        (
            ["mirror = true", "seatings = 3"],
            ["F:3: a mirror has its own six seatings; leave seatings out"],
        ),
        (
            ["mirror = true", 'always = ["a"]'],
            ["F:3: in a mirror league all pairs meet; leave always or mirror out"],
        ),
        (
            ["seatings = 4"],
            ["F:2: 4 seatings do not seat every bot everywhere equally often;"
             " take a multiple of 3 up to 6"],
        ),
        (['format = "opne"'], ['F:2: "opne" is not a value of format; did you mean open?']),
        (['apart = "name"'],
         ['F:2: "name" is not a value of apart; known are author, nobody']),
        (
            ["width = 0.1", "max_deals = 50", "session = 4", "rules.pools.enabled = true",
             'rules.all_pass = "pool"'],
            ["F:3: 50 deals are not a whole number of sessions of 4; make max_deals a multiple of "
             "4, or set session"],
        ),
        (["trickle = 6"], ["F:2: trickle is for open leagues; format = \"open\" makes it one"]),
        (
            ['format = "open"', "deals = 5", "max_deals = 9", "trios = 2", 'always = ["a"]',
             "seatings = 3"],
            ['F:3: deals is for closed leagues; format = "closed" makes it one',
             *(f'F:{line}: {key} is for closed leagues; format = "closed" makes it one'
               for line, key in enumerate(("max_deals", "trios", "always", "seatings"), 4))],
        ),
        (
            ['format = "open"', "rules.players = 4"],
            ["F:2: open leagues are for tables of three, not of 4"],
        ),
        (
            ['format = "open"', "final = 2", "trickle = 0", 'publish = "never"'],
            ["F:3: a final of 2 bots has no table of 3; make it 3 or more",
             "F:4: trickle must be a number of more than 0, not 0",
             'F:5: "never" is not a value of publish; known are at_once, season'],
        ),
        (
            ['format = "open"', 'teams = [["anna"], ["bert", "carl"], ["Carl", "dora"]]'],
            ["F:3: a team has two authors or more",
             "F:3: Carl is in two teams, or twice in one; it is the same as carl"],
        ),
        (['teams = [["anna", "bert"]]'],
         ['F:2: teams is for open leagues; format = "open" makes it one']),
        (
            ['format = "open"', "final_deals = 100", "rules.pools.enabled = true",
             'rules.all_pass = "pool"'],
            ["F:3: 100 deals are not a whole number of sessions of 24; make final_deals a multiple"
             " of 24, or set session"],
        ),
    ],
)  # fmt: skip
def test_mistakes_are_told_with_their_lines(
    tmp_path: Path, lines: list[str], told: list[str]
) -> None:
    path = write_league(tmp_path, "abcd")
    text = "\n".join(['bots = ["a", "b", "c", "d"]', *lines]) + "\n"
    assert mistakes_of(path, text) == told


def test_an_open_league_needs_no_bots_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "ladder.toml"
    path.write_text('format = "open"\nbots = []\nwidth = 0.5\napart = "nobody"\n')
    config, bots = read_league(path, ())
    assert isinstance(config, OpenConfig)
    assert (config.width, config.apart, bots) == (0.5, "nobody", ())
    path.write_text('format = "open"\n')
    config, _ = read_league(path, ())
    assert isinstance(config, OpenConfig)
    assert (config.width, config.apart, config.final_deals) == (0.7, "author", 100)


def test_in_an_open_league_faults_in_a_third_of_a_match_disqualify(tmp_path: Path) -> None:
    path = tmp_path / "ladder.toml"
    pools = '[rules]\nall_pass = "pool"\n[rules.pools]\nenabled = true\n'
    for lines, most in (("", 3), ("[limits]\nmax_faults = 2\n", 2), (pools, 8)):
        path.write_text(f'format = "open"\n{lines}')
        assert read_league(path, ())[0].max_faults == most
    path.write_text('format = "open"\nsession = 2\n' + pools)
    assert read_league(path, ())[0].max_faults == 1


def test_bots_that_would_meet_nobody_are_told(tmp_path: Path) -> None:
    path = write_league(tmp_path, "abcd")
    for name, author in zip("abcd", "xxyz", strict=True):
        authored(tmp_path, name, author)
    text = 'bots = ["a", "b", "c", "d"]\napart = "author"\n'
    path.write_text(text)
    assert read_league(path)[0].apart == "author"
    told = mistakes_of(path, text + 'always = ["a"]\n')
    assert told == [
        "F:2: the bot b meets nobody: too few others have another author;"
        " leave apart out, or leave out the bot"
    ]
