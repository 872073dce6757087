"""Bots submitted to a league: checked, entered, replaced, withdrawn, or left out entirely."""

import os
import shutil
import signal
from contextlib import closing
from pathlib import Path

import pytest

from arena.base.errors import ArenaError
from arena.league.ledger import Benched, Closed, Joined, Teamed
from arena.record.store import Store
from arena.tasks.league_request import opened_record, request_league
from arena.tasks.submissions import EntryTerms, submit
from tests.support.bots import (
    OPEN,
    needs_full_sandbox,
    open_gate,
    wait_at_gate,
    write_bot,
    write_gated_league,
    write_league,
    write_quick_bot,
)
from tests.support.command import document, output, refusal, run, run_here, said, start
from tests.support.present import present
from tests.support.whole_site import write_author_bot
from tests.tasks.test_check import every
from tests.tasks.test_open_league import rewrite
from tests.tasks.test_open_league import submit as enter

pytestmark = pytest.mark.usefixtures("brief_check")


@pytest.fixture(name="league")
def _league(tmp_path: Path) -> Path:
    """A league of three whose bots play as they would for strangers."""
    return write_league(tmp_path, deals=2, more="seatings = 3\n", sandbox="")


def entries(league: Path) -> list[tuple[str, str]]:
    return [(entry["name"], entry["state"]) for entry in document("submissions", league)]


def names(league: Path) -> set[str]:
    return {line["bot"] for line in document("standings", league)["standings"]}


def copies(league: Path) -> set[str]:
    return {path.name for path in league.with_suffix(".bots").glob("[!.]*")}


def write_built(folder: Path, build: str) -> Path:
    bot = write_quick_bot(folder, more='build = ["sh", "build.sh"]\n')
    (bot / "build.sh").write_text(build)
    return bot


def test_a_bot_or_its_archive_is_entered_replaced_and_withdrawn(tmp_path: Path) -> None:
    league = write_league(tmp_path, deals=2, more="seatings = 3\n")
    mine = write_quick_bot(tmp_path / "mine")
    archive = shutil.make_archive(str(tmp_path / "any"), "zip", tmp_path, "mine")
    shown = output("submit", archive, "--league", league.with_suffix(".db"))
    assert shown.splitlines()[-1] == " 5 ok     entered: as mine; the next arena league plays it"
    output("league", league)
    first = document("standings", league)
    (mine / "more.txt").write_text("a new version")
    output("submit", mine, "--league", league)
    output("league", league)
    second = document("standings", league)
    assert names(league) == {"a", "b", "c", "mine", "mine.2"}
    assert (second["complete"], second["earlier_seeds"]) == (True, [first["seed"]])
    assert second["seed"] != first["seed"]
    assert (first["sets"], second["sets"]) == (8, 14)
    refusal("withdraw", "mine", "--league", league)
    output("withdraw", "mine.2", "--league", league)
    assert entries(league) == [("mine", "replaced"), ("mine.2", "withdrawn")]
    assert "everything has been played" in run_here("league", league).stderr
    output("verify", league)


@pytest.mark.parametrize(
    ("source", "more", "why"),
    [
        (every(before="if t == 'play': answer['card'] = '7C'"), "", "The last lines"),
        (
            every(),
            'build = ["sh", "-c", "echo no such luck; exit 3"]\n',
            "cannot be built: exit code 3: no such luck",
        ),
        (
            every(),
            'build = ["sh", "-c", "seq 100; exit 3"]\n',
            "\n".join(["cannot be built: exit code 3", *map(str, range(71, 101))]),
        ),
    ],
    ids=["a bad bot", "a build that fails", "a long build that fails"],
)
def test_a_bot_that_fails_leaves_nothing_but_its_reason(
    league: Path, source: str, more: str, why: str
) -> None:
    done = run("submit", write_bot(league.with_name("bad"), source, more=more), "--league", league)
    assert (done.returncode, "FAILED" in done.stdout) == (1, True)
    assert why in done.stdout
    assert not league.with_suffix(".db").exists()
    assert copies(league) == set()


@pytest.mark.parametrize(
    ("name", "more", "mistake"),
    [
        ("a", "", "league.toml has its own bot called a; choose another name"),
        (
            "mine",
            "[limits]\nmemory_mib = 100000\n",
            "memory_mib is 100000, the most allowed is 512",
        ),
        ("", "", "no such folder or archive"),
    ],
)
def test_a_bot_that_cannot_be_entered_is_refused(
    league: Path, name: str, more: str, mistake: str
) -> None:
    bot = league.with_name("other")
    if name:
        write_bot(bot, every(), name=name, more=more)
    assert mistake in refusal("submit", bot, "--league", league)


@needs_full_sandbox
def test_a_bot_is_built_inside_the_sandbox_and_its_build_is_logged(league: Path) -> None:
    build = [
        "echo building as $(id -u) in $(pwd)",
        "touch /bot/outside /usr/outside 2>&1",
        "cat /proc/net/dev | wc -l >net",
        "mv bot run; chmod 4755 run",
    ]
    bot = write_built(league.with_name("built"), "\n".join(build))
    rewrite(bot / "bot.toml", '["./bot"]', '["./run"]')
    output("submit", bot, "--league", league)
    [copy] = [path for path in league.with_suffix(".bots").iterdir() if path.is_dir()]
    log = copy.with_suffix(".log").read_text()
    assert "building as 0" not in log
    assert "in /tmp/build" in log
    assert "Read-only file system" in log
    assert (copy / "net").read_text().strip() == "3"  # two lines of heading, and loopback
    made = (copy / "run").stat()
    assert (made.st_mode & 0o7777, made.st_uid) == (0o755, os.getuid())
    assert not (bot / "run").exists()


def test_a_submission_cut_short_leaves_no_entry_and_can_be_made_again(tmp_path: Path) -> None:
    league = write_gated_league(tmp_path)
    slow = write_bot(tmp_path / "mine", every(before=wait_at_gate(league)))
    cut = start("submit", slow, "--league", league)
    assert any(line.startswith(" 3 ok") for line in present(cut.stdout))
    os.killpg(cut.pid, signal.SIGKILL)
    cut.communicate()
    assert not league.with_suffix(".db").exists()
    open_gate(league)
    output("submit", slow, "--league", league)
    assert entries(league) == [("mine", "playing")]


def test_a_bot_submitted_twice_at_once_is_entered_once_and_a_copy_that_is_gone_is_told(
    tmp_path: Path,
) -> None:
    league, mine = write_league(tmp_path, deals=2), write_quick_bot(tmp_path / "mine")
    first, second = (submit(mine, league, None, EntryTerms()) for _ in range(2))
    assert next(first).passed
    assert next(second).passed
    assert all(step.passed for step in first)
    with pytest.raises(ArenaError, match="in the field already, as mine"):
        list(second)
    assert entries(league) == [("mine", "playing")]
    output("league", league)
    shutil.rmtree(league.with_suffix(".bots"))
    assert "the copy of mine is gone; arena withdraw mine, and submit again" in refusal(
        "league", league
    )


def test_a_bot_submitted_while_the_league_is_played_waits_for_the_next_run(tmp_path: Path) -> None:
    league = write_gated_league(tmp_path, deals=1, more="seatings = 3\n")
    playing = start("league", league)
    said(playing, "the first matches")
    output("submit", write_quick_bot(tmp_path / "mine"), "--league", league)
    open_gate(league)
    playing.communicate()
    assert (playing.returncode, names(league)) == (0, {"a", "b", "c"})
    output("league", league)
    assert names(league) == {"a", "b", "c", "mine"}


REWRITE = """
[ -L bot.toml ] || cat >bot.toml <<'END'
name = "other"
version = "1"
author = "x"
run = ["python3", "evil.py"]
[limits]
memory_mib = 100000
END
echo 'print("nonsense", flush=True); input()' >evil.py
"""

BUILDS = {
    "rewritten": REWRITE,
    "removed": "rm bot.toml",
    "endless": "ln -sf /dev/zero bot.toml",
    "foreign": "ln -sf /etc/passwd bot.toml",
}


def test_a_league_of_submissions_alone_is_played_whatever_builds_make_of_manifests(
    tmp_path: Path,
) -> None:
    league = write_league(tmp_path, "", deals=1, more="seatings = 3\n", sandbox="")
    assert "here are 0" in refusal("league", league)
    for name, build in BUILDS.items():
        output("submit", write_built(tmp_path / name, build), "--league", league)
    lines = document("league", league)["standings"]
    assert {line["bot"]: line["faults"] for line in lines} == {name: {} for name in BUILDS}


@pytest.mark.parametrize(
    ("build", "why"),
    [
        ("i=0; while [ $i -lt 60 ]; do mkdir d; cd d; i=$((i+1)); done", "is nested too deeply"),
        ("i=0; while [ $i -lt 120 ]; do : >$i; i=$((i+1)); done", "it holds more than 100 files"),
        ("head -c 5000000 /dev/zero >large", "its result is refused"),
        ("mkfifo pipe", "is neither a file nor a folder nor a link"),
        pytest.param("mkdir closed; chmod 0 closed", "exit code 2", marks=needs_full_sandbox),
        ("sleep 1000 & exit 3", "exit code 3"),
    ],
)
def test_a_build_that_makes_too_much_is_refused_and_leaves_nothing(
    league: Path, build: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("arena.engine.build.BUILT_FILES", 100)
    monkeypatch.setattr("arena.engine.build.BUILT_MIB", 4)
    *_, last = submit(write_built(league.with_name("mine"), build), league, None, EntryTerms())
    assert not last.passed
    assert why in last.finding
    assert copies(league) == set()


@pytest.mark.parametrize(
    ("manifest", "why"),
    [
        ('run = ["python3", "a\\u0000b"]', "run, item 2, must be"),
        (f'run = ["{"x" * 5000}"]', "run, item 1, must be"),
        (f"run = {'[' * 3000}{']' * 3000}", "cannot be read"),
        (f"run = {'1' * 5000}", "cannot be read"),
        ("\n".join(f"k{number} = 1" for number in range(3000)), "unknown key k0"),
        ("# " + "x" * 300_000, "this is larger than 256 KiB"),
        ('run = ["true"]', "this must be a file, not a link"),
    ],
)
def test_a_manifest_of_any_kind_is_answered_in_words(
    tmp_path: Path, manifest: str, why: str
) -> None:
    path = tmp_path / ("real.toml" if "link" in why else "bot.toml")
    path.write_text(f'name = "mine"\nversion = "1"\nauthor = "x"\n{manifest}\n')
    if path.name == "real.toml":
        (tmp_path / "bot.toml").symlink_to(path.name)
    done = run("check", tmp_path)
    assert done.returncode == 1
    assert why in done.stdout, done.stdout[:500]
    assert "Traceback" not in done.stderr


def test_a_closed_season_refuses_a_bot_before_it_is_checked(league: Path) -> None:
    output("league", league, "--begin")
    with closing(Store.write(league.with_suffix(".db"))) as store:
        store.append([Closed(1, ())])
    before = copies(league)
    done = run("submit", write_quick_bot(league.with_name("mine")), "--league", league)
    assert (done.returncode, done.stdout) == (2, "")
    assert "season 1 is closed: its bots neither come nor go any more" in done.stderr
    assert copies(league) == before


# --- a league with the bots of another ---


@pytest.fixture(name="ladder")
def _ladder(tmp_path: Path) -> Path:
    """An open league with bots of five authors, two of them a team; the last bot is benched."""
    ladder = tmp_path / "ladder.toml"
    ladder.write_text(f'format = "open"\n{OPEN}')
    with opened_record(request_league(ladder)) as store:
        for turn, name in enumerate("abcde"):
            enter(ladder, write_author_bot(tmp_path / name, f"author of {name}", turn))
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
    with closing(Store.open(cup.with_suffix(".db"))) as store:
        return {name: (bot.digest, bot.author) for name, bot in store.terms().bots.items()}


def test_a_cup_is_played_by_the_field_of_another_league_which_it_needs_no_more(
    ladder: Path,
) -> None:
    cup, team = cup_of(ladder), "author of a, author of b"
    output("league", cup, "--begin")
    found = bots_of(cup)
    authors = {name: author for name, (_, author) in found.items()}
    assert authors == {"a": team, "b": team, "c": "author of c", "d": "author of d"}
    enter(ladder, write_author_bot(ladder.with_name("c"), "author of c", 7))
    cup_of(ladder, "name = 'Cup'\n")
    output("league", cup, "--begin")
    assert bots_of(cup) == found
    for each in (ladder, ladder.with_suffix(".db")):
        each.unlink()
    shutil.rmtree(ladder.with_suffix(".bots"))
    output("league", cup)
    assert bots_of(cup) == found
    output("verify", cup)


def test_a_cup_that_was_killed_before_it_had_a_record_takes_what_is_missing(ladder: Path) -> None:
    cup = cup_of(ladder)
    with opened_record(request_league(cup)):
        pass
    cup.with_suffix(".db").unlink()
    first = min(cup.with_suffix(".bots").glob("*.built"))
    first.unlink()
    (first.with_suffix("") / "bot").unlink()
    output("league", cup)


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
        request_league(cup_of(tmp_path / "ladder.toml", more, source))


def test_a_cup_takes_no_submission_no_copy_that_is_gone_and_no_bot_that_asks_for_too_much(
    ladder: Path,
) -> None:
    cup = cup_of(ladder)
    with pytest.raises(ArenaError, match=r"the bots of this league are those of ladder\.toml"):
        next(submit(ladder.parent / "a", cup, "none", EntryTerms()))
    big = ladder.with_name("big")
    enter(ladder, write_author_bot(big, "author of big", 9, "[limits]\nmemory_mib = 500\n"))
    rewrite(cup, "[limits]\n", "[limits]\nmemory_mib = 100\n")
    with pytest.raises(ArenaError, match=r"cup\.toml:3: the bot big of ladder\.toml asks for too"):
        request_league(cup)
    shutil.rmtree(ladder.with_suffix(".bots"))
    with pytest.raises(ArenaError, match=r"cup\.toml:3: .*the copy of a is gone"):
        request_league(cup_of(ladder))
