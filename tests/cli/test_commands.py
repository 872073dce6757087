"""Every command has help with an example; mistakes get one line and exit code 2."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

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
)
from tests.support.present import present

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
def test_every_command_has_help_an_example_and_a_line_on_the_page_of_commands(name: str) -> None:
    command = present(arena.get_command(click.Context(arena), name))
    assert command.help
    assert (command.epilog or "").startswith(f"Example:  arena {name}")
    page = Path(PROJECT, "docs/commands.md").read_text()
    assert re.search(rf"^\| .*`arena {name}\b.* \|", page, re.MULTILINE)


@pytest.mark.parametrize("words", [("rules", "pagat"), ("protocol",)], ids=["short", "long"])
def test_a_closed_pipe_gives_141_as_by_sigpipe_and_a_full_disk_a_line(
    words: tuple[str, ...],
) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    with open(writing, "wb") as closed, open("/dev/full", "wb") as full:
        for out, told in (
            (closed, (141, "")),
            (full, (3, "the output: no space left to write this\n")),
        ):
            done = subprocess.run(
                command(*words), stdout=out, stderr=subprocess.PIPE, text=True, check=False
            )
            assert (done.returncode, done.stderr) == told


@pytest.mark.parametrize("words", [[], ["league"], ["serve", "status"]])
def test_help_may_stand_before_a_command(words: list[str]) -> None:
    assert run("help", *words).stdout == run(*words, "--help").stdout != ""


@pytest.mark.parametrize("words", [[], ["serve"]])
def test_the_help_lists_every_command_and_fits_a_screen(words: list[str]) -> None:
    text = output(*words, "--help")
    assert words or {*NAMES} <= {*re.findall(r"[a-z]+", text)}
    assert len(text.splitlines()) <= 24
    assert max(map(len, text.splitlines())) <= 80


def test_alone_it_prints_the_five_commands_one_begins_with() -> None:
    out = output()
    named = re.findall(r"^  arena (\w+)", out, re.MULTILINE)
    assert len(named) == 5
    assert {*named} < {*NAMES}
    assert [part for part in ("arena --help", "scripts/arena") if part not in out] == []
    assert max(map(len, out.splitlines())) <= 100


@pytest.mark.parametrize(
    ("words", "code", "what"),
    [
        (["standings", "none.toml"], 2, "there is no such record, nor a league none.toml"),
        (["standings", "--jsen"], 2, "No such option '--jsen'"),
        (["stamdings"], 2, "there is no command stamdings; did you mean standings?"),
    ],
)
def test_with_json_what_is_wrong_is_a_document_too(
    words: list[str], code: int, what: str, tmp_path: Path
) -> None:
    done = run(*words, "--json", cwd=tmp_path)
    told = json.loads(done.stdout)
    assert (done.returncode, told["exit_code"]) == (code, code)
    assert what in told["errors"][0]["what"]
    assert what in done.stderr


def test_quiet_leaves_results_and_errors_and_verbose_adds_where_things_are_done(
    tmp_path: Path,
) -> None:
    league = write_league(tmp_path, names="abc", deals=1)
    plain, quiet, verbose = (
        subprocess.run(
            command("league", league, "--seed", "1", *option),
            capture_output=True,
            text=True,
            check=True,
        )
        for option in ([], ["-q"], ["-v"])
    )
    assert plain.stderr
    assert quiet.stderr == ""
    assert quiet.stdout == plain.stdout
    assert re.search(r"\d ms: opened .*league\.db to be written", verbose.stderr)
    for words in (["-q", "standings", "no.toml"], ["standings", "no.toml", "-q"]):
        assert run(*words, cwd=tmp_path).stderr.count("\n") == 1


def test_deals_of_a_file_are_played_by_the_bots_in_the_seats_named(tmp_path: Path) -> None:
    bots = [write_bot(tmp_path / name, good(bid="2")) for name in "cab"]
    deals = tmp_path / "deals.jsonl"
    deals.write_text(json.dumps(DEAL) + "\n")
    [game] = document("match", *bots, "--deals", deals, "--seatings", "one")["games"]
    told = {key: game[key] for key in ("bots", "deal", "dealer", "payments")}
    paid = [12, -6, -6]
    assert told == {"bots": ["c", "a", "b"], "deal": 0, "dealer": 2, "payments": paid}
    assert (game["result"]["talon"], game["result"]["payments"]) == (["AC", "AS"], paid)
    assert [event["event"] for event in game["events"]].count("card") == 24


def test_bad_deals_are_told_with_their_lines(tmp_path: Path) -> None:
    bots = [write_bot(tmp_path / name, good()) for name in "abc"]
    bad = [{**DEAL, "talon": ["AC", "AC"]}, {**DEAL, "dealer": 5}, {**DEAL, "talon": ["AC", "2C"]}]
    bad.append({**DEAL, "hands": DEAL["hands"][:2]})  # type: ignore[index]
    path = tmp_path / "deals.jsonl"
    path.write_text("\n".join(map(json.dumps, bad)) + "\nnonsense\n")
    told = besides_level(refusal("match", *bots, "--deals", path))
    assert [line.split(":")[1] for line in told] == ["1", "2", "3", "4", "5"]
    assert "each of the 26 cards must be dealt exactly once" in told[0]
    assert "2C is not a card" in told[2]


def test_a_match_prints_its_seed_copies_tie_two_bots_mirror_and_four_play_at_a_table_of_four(
    tmp_path: Path,
) -> None:
    a, b, c, d = (write_quick_bot(tmp_path / name) for name in "abcd")
    assert "3 deals in 6 seatings, seed 5" in output("match", a, b, c, "--deals=3", "--seed=5")
    copies = document("match", a, a, a, "--deals", "10")["totals"]
    assert [total["stakes"] for total in copies] == [0, 0, 0]
    mirrored = document("match", a, b, "--deals", "2")["totals"]
    assert [total["games"] for total in mirrored] == [12, 12]
    match = document("match", a, b, c, d, "--deals", "4", "--seatings", "one")
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
            "winter.db: there is no such record, nor a league winter.toml next to it",
        ),
        (["standings", "b.toml"], "there is no record of this league yet; arena league plays it"),
        (["standings", "a.db"], "this cannot be opened as the record of a league"),
        (["check", "a/bot.py"], "this is a file; a bot is a folder: name a"),
        (["submit", "a/bot.py", "--league", "b.toml"], "this is a file; a bot is a folder: name a"),
        (["submit", "a", "--league", "a"], "this is a folder; name a league's file in it"),
        (["deals", "a.md"], "a.md: this is neither a league's file nor a record"),
        (["league", "a/bot.toml"], "this is a bot's file, not a league's"),
    ],
)
def test_a_mistake_is_told_in_one_line(tmp_path: Path, arguments: list[str], told: str) -> None:
    write_bot(tmp_path / "a", good())
    for name, text in (
        ("b.toml", "deals = 1\nbots = []\n"),
        ("a.db", "hello " * 1000),
        ("a.md", ""),
    ):
        (tmp_path / name).write_text(text)
    done = run(*arguments, cwd=tmp_path)
    [line] = besides_level(done.stderr)
    assert (done.returncode, done.stdout) == (2, "")
    assert told in line


def test_rules_lists_the_presets_and_prints_one_with_its_sources_or_a_files_changes(
    tmp_path: Path,
) -> None:
    assert [line.split()[0] for line in output("rules").splitlines()[1:]] == list(preset_names())
    told = output("rules", "lzsf")
    parts = ("auction.talon_decision", "Lielais then picks up the talon", *sources().keys)
    assert [part for part in parts if part not in told] == []
    (tmp_path / "mine.toml").write_text('preset = "piedalies"\n[table]\nstake = 5\n')
    lines = output("rules", "mine.toml", cwd=tmp_path).splitlines()
    assert [line.split()[0] for line in lines if "changed by" in line] == ["table.stake"]


def test_every_key_of_the_rules_has_its_origins() -> None:
    assert list(sources().keys) == list(values(preset()))
    for key, origin in sources().keys.items():
        silent = set(preset_names()) - set(origin.said)
        differ = len({str(values(preset(name))[key]) for name in preset_names()}) > 1
        assert not silent or origin.ours or not differ, key


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
    text = f"#!/usr/bin/env python3\n{good()}".replace("\n", line_end)
    bot = write_bot(tmp_path / "mine", "")
    (bot / "bot.py").write_bytes(text.encode())
    (bot / "bot.py").chmod(mode)
    manifest = bot / "bot.toml"
    manifest.write_text(re.sub("(?m)^run = .*$", f'run = ["{program}"]', manifest.read_text()))
    shown = run("check", bot, *more.split()).stdout
    assert ("FAILED" in shown, why in shown) == (True, True), shown


INTERRUPTED = """
import os, signal, sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == 'click': os.kill(os.getpid(), signal.SIGINT)
signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupt())
from arena.__main__ import main
main()
"""


def test_ctrl_c_while_modules_are_loaded_stops_without_a_trace() -> None:
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED], capture_output=True, text=True, check=False,
        cwd=PROJECT,
    )  # fmt: skip
    assert (done.returncode, "Traceback" in done.stderr) == (130, False)


PRETEND = """
import concurrent.futures.process, json, os, resource, select, shutil, signal, subprocess, sys
import sysconfig
from pathlib import Path
from types import SimpleNamespace
import click, jinja2, multiprocessing.popen_spawn_posix, numpy, rich.live, trio, urllib.request
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

# Modules and names of `os`, `resource`, `select` and `signal` that a system lacks.
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


@pytest.mark.parametrize("system", ["win32", "darwin"])
def test_leagues_are_read_and_bots_begun_everywhere_and_played_where_it_says(
    tmp_path: Path, system: str
) -> None:
    output("league", write_league(tmp_path, deals=1))
    reads = [
        *("--help", "new mine", "init starter", "protocol", "rules", "rules lzsf"),
        *("standings league.toml --all", "replay league.toml", "replay league.toml 1"),
        *("replay league.toml 1 --html page.html", "report league.toml --replays all"),
        *("export league.toml games", "export league.toml logs", "verify league.toml"),
        *("faults league.toml", "submissions league.toml"),
        *("deal league.toml 1", "deals league.toml --worst a"),
    ]
    plays = ["league league.toml", "match a b c", "check a", "doctor", "submit a --league x"]
    asked = json.dumps([system, *LACKING[system], [use.split() for use in (*reads, *plays)]])
    done = subprocess.run(
        [sys.executable, "-c", PRETEND, asked], capture_output=True, text=True, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": PROJECT}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    outcomes = [*map(json.loads, done.stdout.splitlines())]
    for use, (code, told) in zip((*reads, *plays), outcomes, strict=True):
        if use in reads:
            assert code == 0, (use, told)
        else:
            assert (code, len(told.splitlines())) == (3, 1), (use, told)
            assert "use WSL" in told
