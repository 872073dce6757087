"""Positions are saved from matches, and asked of a bot again and again as it changes."""

import json
import signal
import subprocess
from pathlib import Path

import pytest

from arena.bots.manifest import content_hash
from arena.record.positions import read_positions
from tests.support.bots import good, write_bot
from tests.support.command import command, document, output, refusal, run
from tests.support.patience import PATIENCE_S, until

FIRST = 'm["legal"].sort()'
LAST = "m['legal'].sort(reverse=True)"


def player(order: str) -> str:
    """A bot that brings its legal cards into an order, and plays the first."""
    return good(bid="1").replace(
        'if t == "hello":', f'if t == "play": {order}\n    if t == "hello":'
    )


@pytest.fixture
def league(played_league: Path) -> Path:
    """A league whose bot a can be changed: it now is one in Python."""
    (played_league.parent / "a" / "bot").unlink()
    write_bot(played_league.parent / "a", player(FIRST), "a")
    return played_league


def a_play(league: Path) -> tuple[list[str], str, list[str]]:
    """The words that name a play by the bot a, the answer given, and all that were allowed."""
    match = document("replay", league, "1")
    seat = match["bots"].index("a")
    for deal in match["deals"]:
        for ply, moment in enumerate(deal["moments"], 1):
            if moment["seat"] == seat and moment["ask"] == "play":
                words = ["--deal", str(deal["deal"] + 1), "--ply", str(ply)]
                said = refusal("save", league, "1", *words, "--expect", "no")
                legal = said.partition("it may be ")[2].removesuffix(", or legal\n").split(", ")
                if len(legal) > 1:
                    return words, moment["answer"], legal
    raise AssertionError("it never had a choice")


def test_a_position_is_asked_of_each_version_and_tells_what_changed(league: Path) -> None:
    bot = league.parent / "a"
    before = content_hash(bot)
    words, given, legal = a_play(league)
    said = output("save", league, "1", *words, "--expect", max(legal))
    assert said.startswith(f"position 1: expects {max(legal)}, {given} was answered; arena test ")
    assert content_hash(bot) == before, "positions are not part of the bot"
    shown = [run("test", bot)]
    write_bot(bot, player(LAST), "a")
    shown += [run("test", bot), run("test", bot)]
    assert [(done.returncode, "before" in done.stdout) for done in shown] == [
        (1, False),
        (0, True),
        (0, False),
    ]
    assert shown[0].stdout.endswith("0 of 1 position as expected\n")
    write_bot(bot, player("sys.exit('a crash')"), "a")
    [crashed] = json.loads(run("test", bot, "--json").stdout)["positions"]
    assert (crashed["answer"], crashed["right"]) == ("exited", False)


def test_without_an_expectation_any_other_answer_is_right_and_a_later_one_replaces_it(
    league: Path,
) -> None:
    bot = league.parent / "a"
    words, given, legal = a_play(league)
    other = next(card for card in legal if card != given)
    signs = other.replace("T", "10").translate(str.maketrans("CSHD", "♣♠♥♦"))
    for expect, right in (
        ("", other), (f"not {other}", given), (signs, other), (f"{given} {other}", other)
    ):  # fmt: skip
        output("save", league, "1", *words, *(["--expect", expect] if expect else []))
        [position] = read_positions(bot)
        assert [card for card in legal if position.is_right(card)].count(right) == 1
    assert all(position.is_right(card) for card in (given, other))
    output("save", league, "1", *words, "--expect", "legal")
    [position] = read_positions(bot)
    assert [position.is_right(it) for it in (*legal, "?7X", "exited")] == [True] * len(legal) + [
        False,
        False,
    ]


def test_what_cannot_be_saved_or_asked_is_said_in_a_line(league: Path) -> None:
    words, _, legal = a_play(league)
    cases: dict[tuple[str | Path, ...], str] = {
        ("save", league, "1", "--deal", "9", "--ply", "1"): "--deal: the match has 2 deals",
        ("save", league, "1", "--deal", "1", "--ply", "99"): "--ply: the deal has ",
        ("save", league, "1", *words, "--expect", "QC 1D"): (
            f"a is asked to play: it may be {', '.join(legal)}, or legal"
        ),
        ("test", league.parent / "a"): "there are no positions yet; arena save LEAGUE MATCH ",
    }
    for asked, why in cases.items():
        assert why in refusal(*asked)
    (league.parent / "a").rename(league.parent / "elsewhere")
    assert "--bot: where is the folder of a?; name it" in refusal("save", league, "1", *words)
    elsewhere = league.parent / "elsewhere"
    said = run("save", league, "1", *words, "--bot", league.parent / "b").stderr
    assert said == "note: a was asked there, not b, which is to do better\n"
    output("save", league, "1", *words, "--bot", elsewhere)
    positions = elsewhere / "positions.jsonl"
    positions.write_text(positions.read_text().replace('"seat":', '"seat":9'))
    assert f"{positions}:1: this is no position: " in refusal("test", elsewhere)


def test_a_watched_bot_is_tested_at_each_save_until_ctrl_c(league: Path, tmp_path: Path) -> None:
    bot, shown = league.parent / "a", tmp_path / "shown"
    patient = ("--move-s", "60")
    words, _, legal = a_play(league)
    output("save", league, "1", *words, "--expect", min(legal))
    write_bot(bot, good("if m['type'] == 'discard': raise ValueError('here')"), "a")
    run("check", bot, *patient)
    with shown.open("w") as file:
        watching = subprocess.Popen(
            command("watch", bot, *patient), stdout=file, stderr=subprocess.STDOUT
        )
    try:
        until(lambda: "waiting for a change" in shown.read_text())
        assert "FAILED the last fault: exited: exit code 1: ValueError: here" in shown.read_text()
        write_bot(bot, player(FIRST), "a")
        until(lambda: "all as it should be" in shown.read_text())
    finally:
        watching.send_signal(signal.SIGINT)
        assert watching.wait(PATIENCE_S) == 130
    assert "ok     the last fault: it answers " in shown.read_text()
    assert "ok    play " in shown.read_text()
