"""Whatever a command is given, it ends with a sentence and never with a traceback."""

import csv
import io
import json
import os
import random
import re
import shlex
import subprocess
from pathlib import Path
from typing import Final

import msgspec
import pytest

from arena.bots.manifest import read_bot
from arena.league.terms import match_plan, scheduled
from arena.match.commands import Failed
from arena.match.wire import AnyReply, AnyRequest, PlayReply
from arena.record.export import TABLES
from arena.tasks.asked_league import ask_league, opened_record
from tests.match.test_record import record_of
from tests.support.bots import good, write_bot, write_league
from tests.support.chance import by_chance
from tests.support.command import PROJECT, command, output, run, run_here
from tests.support.hostile import NAMES, computes, is_harmful, long_ago
from tests.support.scripted import Answer, drive

USES = [
    *("standings F", "standings F --all", "standings F --json", "verify F", "report F"),
    *("replay F", "replay F 1", "faults F", "rerun F 1 --seat 0", "submissions F"),
    *("export F games", "export F logs", "withdraw x --league F", "league F --begin"),
    *("rules F", "check F"),
    *("match F", "match a a a --deals F", "match a --rules F", "compare F a"),
    *("compare a b --record F", "submit F --league league.toml", "submit a --league F"),
    *("report league.toml --out F", "replay league.toml 1 --html F", "protocol F", "doctor F"),
    *("deal F 1", "deals F", "deals F --worst a", "deal league.toml 1 --html F"),
    *("league league.toml --cluster F", "new F"),
    *("match a --record F --deals 1",),
]
"""Every command with something it did not expect in the place of F."""

WRONG = {
    ".": "the folder itself",
    "nowhere/file.toml": "a file in no folder",
    "folder.db": "a folder that is named like a record",
    "cut.db": "half a record",
    "zeros.db": "a record that begins with zeros",
    "words.db": "words",
    "empty.db": "nothing at all",
    "loop": "a link to itself",
    "not_text.toml": "bytes that are not text",
    "nul.toml": "a NUL in a name",
    "x" * 300: "too long a name",
    "\udcff": "a name that is not text",
}


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a league that was played, and with much that is none."""
    folder = tmp_path_factory.mktemp("place")
    league = write_league(folder, deals=1)
    output("league", league)
    record = (folder / "league.db").read_bytes()
    (folder / "folder.db").mkdir()
    (folder / "cut.db").write_bytes(record[: len(record) // 2])
    (folder / "zeros.db").write_bytes(record[:100] + bytes(4000) + record[4100:])
    (folder / "words.db").write_text("words " * 1000)
    (folder / "empty.db").touch()
    (folder / "loop").symlink_to("loop")
    (folder / "not_text.toml").write_bytes(b"\xff\xfe\x00")
    (folder / "nul.toml").write_text('deals = 1\nbots = ["a\\u0000", "b", "c"]\n')
    return folder


@pytest.mark.parametrize("wrong", WRONG, ids=list(WRONG.values()))
def test_a_command_that_is_given_something_else_says_so(place: Path, wrong: str) -> None:
    for use in USES:
        words = [wrong if word == "F" else word for word in use.split()]
        done = run_within(words, place)
        assert done.returncode in (0, 1, 2, 3), (words, done.stderr)
        if done.returncode:
            assert done.stderr or done.stdout, words
        assert "Traceback" not in done.stderr, words


def test_a_record_with_random_bytes_in_it_is_called_damaged_or_read(place: Path) -> None:
    record = (place / "league.db").read_bytes()
    told = set()
    for seed in range(4):
        chance = random.Random(seed)
        damaged = bytearray(record)
        at = chance.randrange(4096, len(record) - 2000)
        damaged[at : at + 2000] = chance.randbytes(2000)
        (place / "random.db").write_bytes(damaged)
        for use in ("standings", "verify", "replay", "report", "deals"):
            done = run_within([use, "random.db"], place)
            assert done.returncode in (0, 1, 2), (seed, use, done.stderr)
            told.add(done.stderr)
    assert any("this record is damaged" in each for each in told)


def run_within(words: list[str], place: Path) -> "subprocess.CompletedProcess[str]":
    """A command in this process; those that would play have nothing to play with."""
    return (run_here if words[0] in ("league", "match", "compare", "rerun") else run)(
        *words, cwd=place
    )


def test_a_mistake_of_ours_is_a_line_with_the_file_of_its_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**options: object) -> None:
        raise KeyError("a planted mistake")

    monkeypatch.setattr("arena.cli.bots.doctor.callback", fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    done = run("doctor")
    assert done.returncode == 70
    [line] = done.stderr.splitlines()
    [trace] = tmp_path.iterdir()
    assert line == (
        "internal error (KeyError: 'a planted mistake');"
        f" the traceback is in {trace}; please report it"
    )
    assert "in fail" in trace.read_text()
    assert "arena doctor" in trace.read_text()


WITHOUT_PRIVILEGE = "--bounding-set=-dac_override --inh-caps=-dac_override"
"""How `setpriv` has root refused what everybody else is."""


@pytest.mark.parametrize("use", ["league league.toml --begin", "init x"])
def test_a_folder_that_may_not_be_written_to_is_called_that(place: Path, use: str) -> None:
    prefix = ["setpriv", *WITHOUT_PRIVILEGE.split()] if os.geteuid() == 0 else []
    place.chmod(0o555)
    done = subprocess.run(
        [*prefix, *command(*use.split())], capture_output=True, text=True, cwd=place, check=False,
        env={**os.environ, "PYTHONPATH": PROJECT},
    )  # fmt: skip
    place.chmod(0o755)
    assert done.returncode in (2, 3)
    assert "ermission denied" in done.stderr.splitlines()[-1]
    assert "make room" not in done.stderr


@pytest.mark.parametrize("closed", ["<&- >&- 2>&-", "2>/dev/full"])
def test_streams_that_are_closed_or_full_are_no_mistake(place: Path, closed: str) -> None:
    words = shlex.join(command("replay", "league.toml", "1"))
    code = subprocess.run(
        ["sh", "-c", f"{words} {closed}"],
        stdout=subprocess.DEVNULL, cwd=place, check=False,
        env={**os.environ, "PYTHONPATH": PROJECT},
    ).returncode  # fmt: skip
    assert code == 0


def test_a_locale_without_suits_gets_letters(place: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0", "PYTHONPATH": PROJECT}
    if not PROJECT.isascii():  # Python itself cannot start then
        plain = {"PYTHONIOENCODING": "ascii", "PYTHONPATH": PROJECT}
    done = subprocess.run(
        command("replay", "league.toml", "1"),
        capture_output=True, cwd=place, env={"PATH": os.environ["PATH"], **plain}, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert b" QC" in done.stdout.decode("ascii").encode()


EVIL: Final = "\x1b[2J\x9b1m\u202e\u200b\u2028=1+1" + "\u0301" * 9
DEALS: Final = 2


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league as an old arena may have played it: each bot faults once and writes a note."""
    folder = tmp_path_factory.mktemp("strangers")
    entries = []
    for number, name in enumerate(NAMES):
        more = f"\n[limits]\nmemory_mib = {100 + number}\n"
        bot = write_bot(folder / f"bot{number}", good(), more=more)
        manifest = (bot / "bot.toml").read_text()
        manifest = manifest.replace('"1"', json.dumps(EVIL)).replace('"tests"', json.dumps(EVIL))
        (bot / "bot.toml").write_text(manifest)
        entries.append(f'{{ path = "bot{number}", name = {json.dumps(name)} }}')
    path = folder / "league.toml"
    path.write_text(
        f"name = {json.dumps('League' + EVIL)}\ndeals = {DEALS}\ntrios = 3\n"
        f'bots = [{", ".join(entries)}]\n[sandbox]\nlevel = "none"\n'
    )
    with long_ago():
        asked = ask_league(path, 1)
        submitted = msgspec.structs.replace(read_bot(folder / "bot0"), name="=cmd" + EVIL)
    with opened_record(asked) as writer:
        tables = [tuple(sorted(NAMES))[first::3] for first in range(3)]
        terms = msgspec.structs.replace(writer.terms(), trios=tuple(tables))
        writer.set_facts(terms=terms)
        for spec in scheduled(terms):
            plan = match_plan(terms, writer.seeds(), spec)
            record = record_of(plan, drive(plan, hostile_answers()))
            writer.add(spec, msgspec.structs.replace(record, stderr=(EVIL + "\n" + EVIL,) * 3))
        writer.add_void(spec, EVIL)
        writer.submit(submitted, "0" * 64, "2026-01-01T00:00:00" + EVIL, ())
    return path


def hostile_answers() -> Answer:
    asked, dice = [0, 0, 0], random.Random(1)

    def answer(seat: int, request: AnyRequest) -> AnyReply | Failed:
        asked[seat] += 1
        if asked[seat] == 7:
            return Failed("malformed", EVIL, 5)
        said = msgspec.structs.replace(by_chance(dice, request), note=EVIL)
        wild = isinstance(said, PlayReply) and asked[seat] > 7
        return msgspec.structs.replace(said, card=EVIL) if wild else said

    return answer


READS = (
    *("standings", "standings --all", "standings --json", "verify", "verify --json"),
    *(
        f"standings --csv {each}"
        for each in ("", "--crosstable", "--roles", "--seats", "--company")
    ),
    *("replay", "replay --json", "replay 1", "replay 1 --json --private"),
    *("deals", "deals --json", "deal 1", "deal 1 --json"),
    *("faults", "faults 1", "faults --json", "submissions", "submissions --json"),
    *("replay --bot nobody", "faults --bot nobody", "export logs --view seat:nobody"),
    *("rerun 1 --seat nobody", "rerun 1 --seat 0", "report --replays all --private"),
    *(f"export {table} --private" for table in TABLES),
    *(f"export {table} --private --format jsonl" for table in TABLES),
    *("export logs --private", "export logs --view public"),
)
"""Commands that read; the league's file stands behind the command's name."""


@pytest.mark.parametrize("words", READS)
def test_no_harmful_sign_is_printed_by(words: str, league: Path) -> None:
    name, *rest = words.split()
    done = run(name, league, *rest)
    assert done.returncode in (0, 1, 2), done.stderr
    assert done.stdout or done.stderr
    for line in (done.stdout + done.stderr).split("\n"):
        assert not is_harmful(line), ascii(line)
    if "--csv" in rest or (name == "export" and "logs" not in rest and "jsonl" not in rest):
        for row in csv.reader(io.StringIO(done.stdout)):
            assert not any(computes(cell) for cell in row), row


def test_pages_and_their_texts_have_none(league: Path) -> None:
    done = run("report", league, "--replays", "all", "--private")
    assert done.returncode == 0, done.stderr
    folder = league.with_suffix(".pages")
    files = [league.with_suffix(".html"), *folder.glob("*.html")]
    assert len(files) > 30
    for file in files:
        text = file.read_text("utf-8").replace("\n", "")
        assert not is_harmful(text), file
        assert "u202e" in text
        if file.suffix == ".html" and file.stem.isdecimal():
            assert not _ESCAPED.search(text), "the script would read the sign itself"


_ESCAPED: Final = re.compile(r"(?<!\\)(?:\\\\)*\\u(?:202e|001b)")


def test_a_name_in_full_still_finds_its_bot(league: Path) -> None:
    name = NAMES[0]
    assert json.loads(run("faults", league, "--bot", name, "--json").stdout)[0]["bot"] == name
