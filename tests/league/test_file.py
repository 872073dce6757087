"""Leagues as organisers write them: what is played, what is refused, and how it goes on."""

from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from arena.base.errors import ArenaError
from arena.league.config import ROUND, OpenConfig
from arena.league.file import read_deals, read_league
from arena.record.store import Store
from arena.zole.deal import deal_text, from_deck, shuffled
from arena.zole.rules import preset
from tests.base.test_toml import mistakes_of
from tests.support.bots import OPEN, write_league
from tests.support.command import document, output, refusal, run_here, said, start


def played(league: Path) -> Any:
    """What `arena league` prints at its end."""
    return document("league", league, "--seed", "5")


def tables(league: Path) -> set[tuple[str, ...]]:
    with closing(Store.open(league.with_suffix(".db"))) as store:
        return {lineup for lineup, _, _ in store.stored()}


def write(league: Path, names: str, *lines: str) -> None:
    listed = ", ".join(f'"{name}"' for name in names)
    league.write_text("\n".join([f"bots = [{listed}]", *lines]) + f"\n{OPEN}")


def write_authors(folder: Path, authors: dict[str, str]) -> None:
    for name, author in authors.items():
        manifest = folder / name / "bot.toml"
        manifest.write_text(manifest.read_text().replace('"tests"', f'"{author}"'))


def test_in_a_mirror_league_every_pair_mirrors_unless_one_author_has_both(tmp_path: Path) -> None:
    league = write_league(tmp_path, "abcd", deals=1, more='mirror = true\napart = "author"\n')
    write_authors(tmp_path, {"a": "x", "b": "x", "c": "y", "d": "z"})
    done = played(league)
    assert tables(league) == set(combinations("abcd", 2)) - {("a", "b")}
    assert done["sets"] == done["sets_played"] == 5
    games = {line["bot"]: line["games"] for line in done["standings"]}
    assert games == {"a": 12, "b": 12, "c": 18, "d": 18}
    output("verify", league)


def test_drawn_trios_are_played_and_kept_when_bots_come(tmp_path: Path) -> None:
    league = write_league(tmp_path, "abcdef", deals=1)
    drawn = ("deals = 1", "seatings = 3", "trios = 5")
    write(league, "abcde", *drawn)
    assert played(league)["sets_played"] == 5
    before = tables(league)
    write(league, "abcdef", *drawn)
    done = played(league)
    assert done["complete"]
    assert tables(league) > before
    assert {line["bot"]: line["sets"] for line in done["standings"]}["f"] == 3


def test_a_league_is_played_until_all_intervals_are_as_narrow_as_asked_or_to_its_budget(
    tmp_path: Path,
) -> None:
    league = write_league(tmp_path)
    write(league, "abc", "width = 2.0", "max_deals = 400")
    done = played(league)
    widest = max(line["ci95"][1] - line["ci95"][0] for line in done["standings"])
    assert (done["complete"], done["sets"] % ROUND, widest <= 2.0) == (True, 0, True)
    write(league, "abc", "width = 3.0", "max_deals = 400")
    assert "width is 3.0, was 2.0" in refusal("league", league)
    budget = done["sets"] + ROUND + 5
    write(league, "abc", "width = 0.001", f"max_deals = {budget}")
    more = run_here("league", league)
    assert f"{budget} of {budget} sets, complete" in more.stdout
    assert "another round of 6 matches" in more.stderr
    assert "no more rounds" in more.stderr
    output("verify", league)


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
        output("verify", league)
    assert outcomes[0] == outcomes[1]
    assert outcomes[0]["sets_played"] == 50


@pytest.mark.parametrize(
    ("lines", "mistakes"),
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
        (
            ['format = "open"', "limits.restart = true"],
            ["F:3: bots of an open league or a tournament are never started again;"
             " leave restart out"],
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
def test_mistakes_are_reported_with_their_lines(
    tmp_path: Path, lines: list[str], mistakes: list[str]
) -> None:
    path = write_league(tmp_path, "abcd")
    text = "\n".join(['bots = ["a", "b", "c", "d"]', *lines]) + "\n"
    assert mistakes_of(path, text) == mistakes


POOLS = '[rules]\nall_pass = "pool"\n[rules.pools]\nenabled = true\n'


@pytest.mark.parametrize(
    ("lines", "settings"),
    [
        ("", (0.7, "author", 100, 3)),
        ('bots = []\nwidth = 0.5\napart = "nobody"\n', (0.5, "nobody", 100, 3)),
        ("[limits]\nmax_faults = 2\n", (0.7, "author", 100, 2)),
        (POOLS, (0.7, "author", 96, 8)),
        (f"session = 2\n{POOLS}", (0.7, "author", 100, 1)),
    ],
)
def test_an_open_league_has_settings_of_its_own_where_its_file_has_none(
    tmp_path: Path, lines: str, settings: tuple[float, str, int, int]
) -> None:
    """It needs no bots; faults in a third of a match disqualify."""
    path = tmp_path / "ladder.toml"
    path.write_text(f'format = "open"\n{lines}')
    config, bots = read_league(path, ())
    assert isinstance(config, OpenConfig)
    assert bots == ()
    assert (config.width, config.apart, config.final_deals, config.max_faults) == settings


def test_bots_that_would_meet_nobody_are_named(tmp_path: Path) -> None:
    path = write_league(tmp_path, "abcd")
    write_authors(tmp_path, {"a": "x", "b": "x", "c": "y", "d": "z"})
    text = 'bots = ["a", "b", "c", "d"]\napart = "author"\n'
    path.write_text(text)
    assert read_league(path)[0].apart == "author"
    assert mistakes_of(path, text + 'always = ["a"]\n') == [
        "F:2: the bot b meets nobody: too few others have another author;"
        " leave apart out, or leave out the bot"
    ]


DEALS = [from_deck(shuffled(f"file {number}"), preset(), number % 3) for number in range(3)]


def test_a_file_of_deals_has_one_in_each_line_that_is_not_blank(tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text("\n".join(["", *map(deal_text, DEALS[:2]), "  ", deal_text(DEALS[2]), ""]))
    assert read_deals(path, 3) == DEALS
    with pytest.raises(ArenaError, match="this is a folder"):
        read_deals(tmp_path, 3)


@pytest.mark.parametrize(
    ("content", "mistakes"),
    [
        (f"{deal_text(DEALS[0])}\nnonsense\n\nmore\n".encode(), [":2: ", ":4: "]),
        (b"\n\n", [": there are no deals"]),
        (b"\xff\n", [": this is not valid UTF-8"]),
    ],
)
def test_mistakes_in_a_file_of_deals_are_reported_with_their_lines(
    tmp_path: Path, content: bytes, mistakes: list[str]
) -> None:
    path = tmp_path / "deals.txt"
    path.write_bytes(content)
    with pytest.raises(ArenaError) as caught:
        read_deals(path, 3)
    found = [str(each).removeprefix(str(path)) for each in caught.value.mistakes]
    assert [each[: len(start)] for each, start in zip(found, mistakes, strict=True)] == mistakes
