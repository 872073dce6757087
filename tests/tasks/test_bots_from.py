"""A league whose bots come from another league's submissions."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from arena.base.errors import ArenaError
from arena.bots.manifest import content_hash, read_bot
from arena.engine.builds import Copy, install
from arena.league.ledger import Benched, Joined, Teamed
from arena.record.store import Store
from arena.sandbox.isolation import choose_isolation
from arena.tasks.asked_league import ask_league, opened_record
from arena.tasks.submissions import EntryTerms, submit
from tests.support.bots import OPEN
from tests.support.command import run_here
from tests.support.whole_site import write_author_bot

AT = "2026-01-01T00:00:00+00:00"


def submitted(ladder: Path, name: str, turn: int = 0, more: str = "") -> None:
    """Enter a bot of an author into a league, as `submit` does after its checks."""
    folder = write_author_bot(ladder.parent / name, f"author of {name}", turn, more)
    bot, digest = read_bot(folder), content_hash(folder)
    install(Copy(bot, digest), ladder.with_suffix(".bots"), choose_isolation("none"))
    with opened_record(ask_league(ladder)) as store:
        store.submit(bot, digest, AT, ())


@pytest.fixture(name="ladder")
def _ladder(tmp_path: Path) -> Path:
    """An open league with bots of five authors, two of them a team; the last bot is benched."""
    ladder = tmp_path / "ladder.toml"
    ladder.write_text(f'format = "open"\n{OPEN}')
    for turn, name in enumerate("abcde"):
        submitted(ladder, name, turn)
    with closing(Store.write(ladder.with_suffix(".db"))) as store:
        joined = [
            Joined(each.name, each.digest, each.manifest.author, False)
            for each in store.submissions()
        ]
        store.append([*joined, Teamed((("author of a", "author of b"),)), Benched("e", "it fails")])
    return ladder


def cup_of(ladder: Path, more: str = "", source: str = "ladder.toml") -> Path:
    cup = ladder.with_name("cup.toml")
    cup.write_text(f'deals = 2\nseatings = 3\nbots_from = "{source}"\n{more}{OPEN}')
    return cup


def bots_of(cup: Path) -> dict[str, tuple[str, str]]:
    """The version and the author of each bot in a record."""
    with closing(Store.open(cup.with_suffix(".db"))) as store:
        return {name: (bot.digest, bot.author) for name, bot in store.terms().bots.items()}


def test_a_cup_is_played_by_the_field_of_another_league(ladder: Path) -> None:
    cup = cup_of(ladder)
    assert run_here("league", cup).returncode == 0
    found = bots_of(cup)
    team = "author of a, author of b"
    assert {name: author for name, (_, author) in found.items()} == {
        "a": team,
        "b": team,
        "c": "author of c",
        "d": "author of d",
    }
    submitted(ladder, "c", 7)
    cup_of(ladder, "name = 'Cup'\n")
    assert run_here("league", cup).returncode == 0
    assert bots_of(cup) == found
    assert run_here("verify", cup).returncode == 0


def begun(ladder: Path) -> Path:
    """A cup that has a record, and of which nothing was played."""
    cup = cup_of(ladder)
    with opened_record(ask_league(cup)):
        return cup


def test_a_cup_that_has_begun_needs_the_other_league_no_more(ladder: Path) -> None:
    cup = begun(ladder)
    for each in (ladder, ladder.with_suffix(".db")):
        each.unlink()
    shutil.rmtree(ladder.with_suffix(".bots"))
    assert run_here("league", cup).returncode == 0
    assert bots_of(cup).keys() == {*"abcd"}


def test_a_cup_that_was_killed_before_it_had_a_record_takes_what_is_missing(ladder: Path) -> None:
    cup = begun(ladder)
    cup.with_suffix(".db").unlink()
    home = cup.with_suffix(".bots")
    [first, *_] = sorted(home.glob("*.built"))
    first.unlink()
    (first.with_suffix("") / "bot").unlink()
    assert run_here("league", cup).returncode == 0


@pytest.mark.parametrize(
    ("source", "more", "mistake"),
    [
        (
            "nowhere.toml",
            "",
            r"cup.toml:3: the bots of nowhere.toml cannot play.*no bot that was subm",
        ),
        ("ladder.toml", "format = 'open'\n", "cup.toml:3: bots come to an open league"),
        ("nowhere.toml", "trios = 'x'\n", r"(?s)cup.toml:3: the bots of .*cup.toml:4: "),
    ],
)
def test_all_mistakes_about_the_other_league_are_reported_at_their_lines(
    tmp_path: Path, source: str, more: str, mistake: str
) -> None:
    with pytest.raises(ArenaError, match=mistake):
        ask_league(cup_of(tmp_path / "ladder.toml", more, source))


def test_a_copy_of_the_other_league_that_is_gone_is_named(ladder: Path) -> None:
    shutil.rmtree(ladder.with_suffix(".bots"))
    with pytest.raises(ArenaError, match=r"cup\.toml:3: .*the copy of a is gone"):
        ask_league(cup_of(ladder))


def test_a_bot_that_asks_for_more_than_the_cup_allows_is_named(ladder: Path) -> None:
    submitted(ladder, "big", 9, "[limits]\nmemory_mib = 500\n")
    cup = cup_of(ladder)
    cup.write_text(cup.read_text().replace("[limits]\n", "[limits]\nmemory_mib = 100\n"))
    with pytest.raises(ArenaError, match=r"cup\.toml:3: the bot big of ladder\.toml asks for too"):
        ask_league(cup)


def test_nothing_is_submitted_to_a_cup_itself(ladder: Path) -> None:
    with pytest.raises(ArenaError, match=r"the bots of this league are those of ladder\.toml"):
        next(submit(ladder.parent / "a", cup_of(ladder), "none", EntryTerms()))
