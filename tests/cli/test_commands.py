"""Every command has help with an example; mistakes get one line and exit code 2."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from shlex import quote
from typing import IO

import click
import pytest

from arena.cli import arena
from arena.zole.rules import preset, preset_names
from arena.zole.sources import sources, values
from tests.support.bots import good, write_bot, write_league, write_quick_bot
from tests.support.command import (
    PROJECT,
    besides_level,
    command,
    document,
    output,
    refusal,
    run,
    run_here,
)
from tests.support.needs import need

DEAL = {
    "dealer": 2,
    "hands": [
        ["QC", "QS", "QH", "QD", "JC", "JS", "JH", "JD"],
        ["AD", "TD", "KD", "9D", "8D", "7D", "TC", "KC"],
        ["9C", "TS", "KS", "9S", "AH", "TH", "KH", "9H"],
    ],
    "talon": ["AC", "AS"],
}


NAMES = arena.list_commands(click.Context(arena))


@pytest.mark.parametrize("name", NAMES)
def test_every_command_has_help_and_an_example(name: str) -> None:
    command = arena.get_command(click.Context(arena), name)
    assert command is not None
    assert command.help
    assert (command.epilog or "").startswith(f"Example:  arena {name}")


@pytest.mark.parametrize("name", NAMES)
def test_the_page_of_commands_has_every_command(name: str) -> None:
    page = Path(__file__).parents[2] / "docs/commands.md"
    assert re.search(rf"^\| .*`arena {name}\b.* \|", page.read_text(), re.MULTILINE)


def rules_to(stdout: IO[bytes]) -> tuple[int, str]:
    words = command("rules", "pagat")
    done = subprocess.run(words, stdout=stdout, stderr=subprocess.PIPE, text=True, check=False)
    return done.returncode, done.stderr


def test_a_closed_pipe_gives_141_without_a_message() -> None:
    """As a shell reports a program that SIGPIPE has ended."""
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as closed:
        assert rules_to(closed) == (141, "")


def test_a_full_disk_for_the_output_is_reported_in_a_line() -> None:
    with open("/dev/full", "wb") as full:
        assert rules_to(full) == (3, "the output: no space left to write this\n")


def test_help_lists_every_command() -> None:
    listed = re.findall(r"[a-z]+", output("--help"))
    assert {*NAMES} <= {*listed}


@pytest.mark.parametrize("words", [[], ["league"], ["serve", "status"]])
def test_help_may_stand_before_a_command(words: list[str]) -> None:
    assert run("help", *words).stdout == run(*words, "--help").stdout != ""


@pytest.mark.parametrize("words", [[], ["serve"]])
def test_the_help_of_many_commands_fits_a_screen(words: list[str]) -> None:
    lines = output(*words, "--help").splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80


def test_alone_it_prints_the_five_commands_one_begins_with() -> None:
    out = output()
    named = re.findall(r"^  arena (\w+)", out, re.MULTILINE)
    assert len(named) == 5
    assert {*named} < {*NAMES}
    assert "arena --help" in out
    assert "scripts/arena" in out
    assert max(map(len, out.splitlines())) <= 100


def test_a_match_prints_its_deals_seatings_and_seed(tmp_path: Path) -> None:
    bots = [write_quick_bot(tmp_path / name) for name in "abc"]
    done = run("match", *bots, "--deals", "3", "--seed", "5")
    assert done.returncode == 0, done.stderr
    assert "3 deals in 6 seatings, seed 5" in done.stdout


def test_a_match_in_one_seating_seats_the_bots_as_named(tmp_path: Path) -> None:
    bots = [write_quick_bot(tmp_path / name) for name in "cab"]
    games = document("match", *bots, "--deals", "2", "--seatings", "one")["games"]
    assert [game["bots"] for game in games] == [["c", "a", "b"]] * 2
    assert [game["deal"] for game in games] == [0, 1]
    for game in games:
        assert game["payments"] == game["result"]["payments"]
        assert [event["event"] for event in game["events"]].count("card") == 24


def test_deals_of_a_file_are_played(tmp_path: Path) -> None:
    bots = [write_bot(tmp_path / name, good(bid="2")) for name in "abc"]
    deals = tmp_path / "deals.jsonl"
    deals.write_text(json.dumps(DEAL) + "\n")
    [game] = document("match", *bots, "--deals", deals, "--seatings", "one")["games"]
    assert game["dealer"] == 2
    assert game["payments"] == [12, -6, -6]
    assert game["result"]["talon"] == ["AC", "AS"]


def test_bad_deals_are_told_with_their_lines(tmp_path: Path) -> None:
    bots = [write_bot(tmp_path / name, good()) for name in "abc"]
    bad = [{**DEAL, "talon": ["AC", "AC"]}, {**DEAL, "dealer": 5}, {**DEAL, "talon": ["AC", "2C"]}]
    bad.append({**DEAL, "hands": DEAL["hands"][:2]})  # type: ignore[index]
    path = tmp_path / "deals.jsonl"
    path.write_text("\n".join(map(json.dumps, bad)) + "\nnonsense\n")
    done = run_here("match", *bots, "--deals", path)
    assert done.returncode == 2
    told = besides_level(done.stderr)
    assert [line.split(":")[1] for line in told] == ["1", "2", "3", "4", "5"]
    assert "each of the 26 cards must be dealt exactly once" in told[0]
    assert "2C is not a card" in told[2]


def test_copies_of_a_deterministic_bot_tie(tmp_path: Path) -> None:
    bot = write_quick_bot(tmp_path / "a")
    totals = document("match", bot, bot, bot, "--deals", "10")["totals"]
    assert [total["stakes"] for total in totals] == [0, 0, 0]


def test_two_bots_mirror_in_a_match(tmp_path: Path) -> None:
    bots = [write_quick_bot(tmp_path / name) for name in "ab"]
    totals = document("match", *bots, "--deals", "2")["totals"]
    assert [total["games"] for total in totals] == [12, 12]


def test_four_bots_play_at_a_table_of_four(tmp_path: Path) -> None:
    bots = [write_quick_bot(tmp_path / name) for name in "abcd"]
    match = document("match", *bots, "--deals", "4", "--seatings", "one")
    assert match["rules"]["players"] == 4
    assert [game["dealer"] for game in match["games"]] == [0, 1, 2, 3]
    assert all(game["result"]["hands"][game["dealer"]] == [] for game in match["games"])


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["match", "nowhere"], "nowhere: there is no such folder; a bot is a folder"),
        (["check", "nowhere"], "nowhere: there is no such folder; a bot is a folder"),
        (["match", "a", "--rules", "pagatt"], "unknown rules pagatt; did you mean pagat?"),
        (["match", "a", "a", "a", "a", "a", "a"], "a table of 3 needs 3 bots, not 6"),
        (["match", "a", "a", "a", "--deals", "0"], "there must be at least one deal"),
        (["league", "winter.toml"], "winter.toml: there is no such file"),
        (
            ["standings", "winter.toml"],
            "winter.db: there is no such record, nor a league winter.toml beside it",
        ),
        (["standings", "b.toml"], "there is no record of this league yet; arena league plays it"),
        (["standings", "a.db"], "this cannot be opened as the record of a league"),
    ],
)
def test_a_mistake_is_told_in_one_line(tmp_path: Path, arguments: list[str], told: str) -> None:
    write_bot(tmp_path / "a", good())
    for name, text in (("b.toml", "deals = 1\nbots = []\n"), ("a.db", "hello " * 1000)):
        (tmp_path / name).write_text(text)
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert told in done.stderr
    assert len(besides_level(done.stderr)) == 1
    assert done.stdout == ""


def test_rules_lists_the_presets_and_prints_one_with_its_sources() -> None:
    assert [line.split()[0] for line in output("rules").splitlines()[1:]] == list(preset_names())
    told = output("rules", "lzsf")
    assert "auction.talon_decision" in told
    assert "Lielais then picks up the talon" in told
    for key in sources().keys:
        assert key in told


def test_rules_of_a_file_say_what_the_file_changes(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text('preset = "piedalies"\n[table]\nstake = 5\n')
    told = output("rules", "mine.toml", cwd=tmp_path).splitlines()
    changed = [line.split()[0] for line in told if "changed by" in line]
    assert changed == ["table.stake"]


def test_every_key_of_the_rules_has_its_origins() -> None:
    assert list(sources().keys) == list(values(preset()))
    for key, origin in sources().keys.items():
        silent = set(preset_names()) - set(origin.said)
        assert not silent or origin.ours or not any_preset_differs(key), key


def any_preset_differs(key: str) -> bool:
    return len({str(values(preset(name))[key]) for name in preset_names()}) > 1


def test_files_and_folders_that_are_mixed_up_are_told_apart(tmp_path: Path) -> None:
    bot = write_bot(tmp_path / "mine", good())
    league = tmp_path / "league.toml"
    league.write_text('deals = 1\nbots = ["mine"]\n')
    page = tmp_path / "README.md"
    page.write_text("words")
    told = "this is a file; a bot is a folder: name "
    for words, said in {
        ("check", bot / "bot.py"): told + str(bot),
        ("submit", bot / "bot.py", "--league", league): told + str(bot),
        ("submit", bot, "--league", bot): "this is a folder; name a league's file in it",
        ("deals", page): "README.md: this is neither a league's file nor a record",
        ("league", bot / "bot.toml"): "this is a bot's file, not a league's",
    }.items():
        done = run(*words)
        assert done.returncode in (1, 2)
        assert said in done.stderr + done.stdout
        assert "Traceback" not in done.stderr
        assert len(besides_level(done.stderr)) <= 1


@pytest.mark.usefixtures("brief_check")
def test_a_bot_is_submitted_to_a_league_named_by_its_record(tmp_path: Path) -> None:
    bot = write_quick_bot(tmp_path / "mine")
    for name in "abc":
        write_quick_bot(tmp_path / name)
    (tmp_path / "league.toml").write_text('deals = 1\nbots = ["a", "b", "c"]\n')
    assert run("submit", bot, "--league", tmp_path / "league.db").returncode == 0


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("standings --jsn x", "No such option"),
        ("league l.toml --jobs x", "'x' is not a valid whole number"),
        ("check b --move-s x", "'x' is not a valid number"),
    ],
)
def test_options_that_cannot_be_parsed_are_explained(words: str, why: str) -> None:
    assert why in refusal(*words.split())


DENIED = "exited: cannot be started ./bot.py: Permission denied; chmod +x makes a file a program"
WINDOWS = "the first line of ./bot.py ends as on Windows: save it with LF, not CRLF"


@pytest.mark.parametrize(
    ("program", "line_end", "mode", "more", "why"),
    [
        ("bot.py", "\n", 0o644, "", "write ./bot.py or python3 bot.py"),
        ("bot.py", "\n", 0o644, "--isolation none", "write ./bot.py or python3 bot.py"),
        ("./bot.py", "\r\n", 0o755, "", WINDOWS),
        ("./bot.py", "\n", 0o644, "", DENIED),
        ("./bot.py", "\n", 0o644, "--isolation none", DENIED),
    ],
)
def test_a_program_that_cannot_be_started_is_explained(
    tmp_path: Path, program: str, line_end: str, mode: int, more: str, why: str
) -> None:
    bot = write_bot(tmp_path / "mine", good())
    manifest = bot / "bot.toml"
    manifest.write_text(re.sub("(?m)^run = .*$", f'run = ["{program}"]', manifest.read_text()))
    source = "#!/usr/bin/env python3\n" + (bot / "bot.py").read_text()
    (bot / "bot.py").write_bytes(source.replace("\n", line_end).encode())
    (bot / "bot.py").chmod(mode)
    shown = run("check", bot, *more.split()).stdout
    assert "FAILED" in shown
    assert why in shown


def test_ctrl_c_while_modules_are_loaded_stops_without_a_trace() -> None:
    code = (
        "import os, signal, sys\n"
        "class Interrupt:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'click': os.kill(os.getpid(), signal.SIGINT)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "sys.meta_path.insert(0, Interrupt())\n"
        "from arena.__main__ import main\n"
        "main()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=PROJECT
    )
    assert done.returncode == 130
    assert "Traceback" not in done.stderr


ASKED = {
    "bash": """eval "$(_ARENA_COMPLETE=bash_source arena)"
        COMP_WORDS=(arena stand) COMP_CWORD=1; _arena_completion arena
        printf '%s\\n' "${COMPREPLY[@]}"
        COMPREPLY=() COMP_WORDS=(arena standings --j) COMP_CWORD=2; _arena_completion arena
        printf '%s\\n' "${COMPREPLY[@]}" """,
    "zsh": """autoload() { :; }; compdef() { :; }; compadd() { print -l -- ${(P)@[-1]}; }
        _describe() { shift 2; print -l -- ${(P)1}; }
        eval "$(_ARENA_COMPLETE=zsh_source arena)"
        words=(arena stand) CURRENT=2; _arena_completion
        words=(arena standings --j) CURRENT=3; _arena_completion""",
    "fish": """_ARENA_COMPLETE=fish_source arena | source
        complete -C 'arena stand'; complete -C 'arena standings --j'""",
}
"""For each shell a script that has it complete a command and an option."""


@pytest.mark.parametrize("shell", ASKED)
def test_a_shell_completes_commands_and_options(shell: str, tmp_path: Path) -> None:
    need(shell)
    program = tmp_path / "arena"
    program.write_text(f'#!/bin/sh\nexec {quote(sys.executable)} -m arena "$@"\n')
    program.chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        (shell, "-c", ASKED[shell]), capture_output=True, text=True, check=False,
        env={"PATH": path, "HOME": str(tmp_path), "PYTHONPATH": PROJECT, "LANG": "C.UTF-8"},
    )  # fmt: skip
    found = [re.split(r"[\t:]", line)[0] for line in done.stdout.splitlines()]
    assert found == ["standings", "--json"], done


PRETEND = """
import concurrent.futures.process, json, os, resource, select, shutil, signal, subprocess, sys
import sysconfig
from pathlib import Path
from types import SimpleNamespace
import click, jinja2, multiprocessing.popen_spawn_posix, numpy, rich.live, trio
from tests.support import command  # all that asks for the system when it is imported

sysconfig.get_config_vars()  # kept, since there is no such file of another system
system, modules, names, uses = json.loads(sys.argv[1])
sys.platform = system
shutil._winapi = SimpleNamespace(NeedCurrentDirectoryForExePath=lambda name: True)
for module in modules:
    sys.modules[module] = None
for module in (os, resource, select, signal):
    for name in names:
        if hasattr(module, name):
            delattr(module, name)
for words in uses:
    done = command.within(words, Path())
    print(json.dumps([done.returncode, done.stderr]))
"""

LACKING: dict[str, tuple[list[str], list[str]]] = {
    "win32": (
        "fcntl resource termios tty pwd grp pty".split(),
        "geteuid getuid getppid killpg sched_getaffinity sched_setaffinity sched_yield statvfs fork"
        " setsid O_PATH ST_RDONLY SIGKILL SIGHUP SIGALRM setitimer pidfd_open".split(),
    ),
    "darwin": (
        [],
        "sched_getaffinity sched_setaffinity pidfd_open pidfd_send_signal O_PATH eventfd prlimit"
        " RLIMIT_MSGQUEUE waitid epoll".split(),
    ),
}
"""Modules and names of `os`, `resource`, `select` and `signal` that a system lacks."""


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("place")
    output("league", write_league(folder, deals=1))
    return folder


def outcomes(place: Path, system: str, uses: list[str]) -> list[tuple[int, str]]:
    asked = json.dumps([system, *LACKING[system], [use.split() for use in uses]])
    done = subprocess.run(
        [sys.executable, "-c", PRETEND, asked], capture_output=True, text=True, cwd=place,
        env={**os.environ, "PYTHONPATH": PROJECT}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return [(code, told) for code, told in map(json.loads, done.stdout.splitlines())]


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_leagues_are_read_and_bots_begun_everywhere_and_played_where_it_says(
    place: Path, system: str
) -> None:
    (place / system).mkdir()
    reads = [
        *(
            "--help",
            f"new {system}/mine",
            f"init {system}/starter",
            "protocol",
            "rules",
            "rules lzsf",
        ),
        *("standings league.toml --all", "replay league.toml", "replay league.toml 1"),
        *("replay league.toml 1 --html page.html", "report league.toml --replays all"),
        *("export league.toml games", "export league.toml logs", "verify league.toml"),
        *("faults league.toml", "submissions league.toml"),
        *("deal league.toml 1", "deals league.toml --worst a"),
    ]
    plays = ["league league.toml", "match a b c", "check a", "doctor", "submit a --league x"]
    outcome = dict(zip(reads + plays, outcomes(place, system, reads + plays), strict=True))
    for use in reads:
        assert outcome[use][0] == 0, (use, outcome[use])
    for use in plays:
        code, told = outcome[use]
        assert (code, len(told.splitlines())) == (3, 1), (use, told)
        assert "use WSL" in told
