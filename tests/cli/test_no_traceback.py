"""Whatever a command is given, it prints a sentence, no traceback and no harmful sign."""

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
from arena.tasks.league_request import opened_record, request_league
from tests.match.test_record import record_of
from tests.support.bots import good, write_bot, write_league
from tests.support.chance import by_chance
from tests.support.command import PROJECT, command, document, output, run, run_here
from tests.support.hostile import NAMES, computes, is_harmful, long_ago
from tests.support.scripted import Answer, drive

# Every command with something it did not expect in the place of F.
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
    output("league", write_league(folder, deals=1))
    record = (folder / "league.db").read_bytes()
    (folder / "folder.db").mkdir()
    (folder / "loop").symlink_to("loop")
    for name, data in (
        ("cut.db", record[: len(record) // 2]),
        ("zeros.db", record[:100] + bytes(4000) + record[4100:]),
        ("words.db", b"words " * 1000),
        ("empty.db", b""),
        ("not_text.toml", b"\xff\xfe\x00"),
        ("nul.toml", b'deals = 1\nbots = ["a\\u0000", "b", "c"]\n'),
    ):
        (folder / name).write_bytes(data)
    return folder


def spawned(
    words: list[str], place: Path, env: dict[str, str] | None = None
) -> "subprocess.CompletedProcess[str]":
    given = env or {**os.environ, "PYTHONPATH": PROJECT}
    return subprocess.run(words, capture_output=True, text=True, cwd=place, env=given, check=False)


@pytest.mark.parametrize("wrong", WRONG, ids=list(WRONG.values()))
def test_a_command_that_is_given_something_else_says_so(place: Path, wrong: str) -> None:
    for use in USES:
        words = [wrong if word == "F" else word for word in use.split()]
        done = run_here(*words, cwd=place)
        assert done.returncode in (0, 1, 2, 3), (words, done.stderr)
        assert done.returncode == 0 or done.stderr or done.stdout, words
        assert "Traceback" not in done.stderr, words


def test_a_record_with_random_bytes_in_it_is_called_damaged_or_read(place: Path) -> None:
    record = (place / "league.db").read_bytes()
    told = set()
    for seed in range(4):
        chance = random.Random(seed)
        at = chance.randrange(4096, len(record) - 2000)
        damaged = record[:at] + chance.randbytes(2000) + record[at + 2000 :]
        (place / "random.db").write_bytes(damaged)
        for use in ("standings", "verify", "replay", "report", "deals"):
            done = run_here(use, "random.db", cwd=place)
            assert done.returncode in (0, 1, 2), (seed, use, done.stderr)
            told.add(done.stderr)
    assert any("this record is damaged" in each for each in told)


def test_a_mistake_of_ours_is_a_line_with_the_file_of_its_trace(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**options: object) -> None:
        raise KeyError("a planted mistake")

    monkeypatch.setattr("arena.cli.bots.doctor.callback", fail)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    done = run("doctor")
    [trace] = tmp_path.iterdir()
    why = "internal error (KeyError: 'a planted mistake')"
    line = f"{why}; the traceback is in {trace}; please report it\n"
    assert (done.returncode, done.stderr) == (70, line)
    assert [part for part in ("in fail", "arena doctor") if part not in trace.read_text()] == []


# How `setpriv` has root refused what everybody else is.
WITHOUT_PRIVILEGE = "--bounding-set=-dac_override --inh-caps=-dac_override"


@pytest.mark.parametrize("use", ["league league.toml --begin", "init x"])
def test_a_folder_that_may_not_be_written_to_is_called_that(place: Path, use: str) -> None:
    prefix = ["setpriv", *WITHOUT_PRIVILEGE.split()] if os.geteuid() == 0 else []
    place.chmod(0o555)
    done = spawned([*prefix, *command(*use.split())], place)
    place.chmod(0o755)
    assert done.returncode in (2, 3)
    assert "ermission denied" in done.stderr.splitlines()[-1]
    assert "make room" not in done.stderr


@pytest.mark.parametrize("closed", ["<&- >&- 2>&-", "2>/dev/full"])
def test_streams_that_are_closed_or_full_are_no_mistake(place: Path, closed: str) -> None:
    words = shlex.join(command("replay", "league.toml", "1"))
    assert spawned(["sh", "-c", f"{words} {closed}"], place).returncode == 0


def test_a_locale_without_suits_gets_letters(place: Path) -> None:
    plain = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    if not PROJECT.isascii():  # Python itself cannot start then
        plain = {"PYTHONIOENCODING": "ascii"}
    words = command("replay", "league.toml", "1")
    done = spawned(words, place, {"PATH": os.environ["PATH"], "PYTHONPATH": PROJECT, **plain})
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.isascii()
    assert " QC" in done.stdout


EVIL: Final = "\x1b[2J\x9b1m\u202e\u200b\u2028=1+1" + "\u0301" * 9


@pytest.fixture(scope="module")
def league(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A league as an old arena may have played it: each bot faults once and writes a note."""
    folder = tmp_path_factory.mktemp("strangers")
    path, entries = folder / "league.toml", list[str]()
    for number, name in enumerate(NAMES):
        more = f"\n[limits]\nmemory_mib = {100 + number}\n"
        manifest = write_bot(folder / f"bot{number}", good(), more=more) / "bot.toml"
        manifest.write_text(re.sub('"(1|tests)"', lambda _: json.dumps(EVIL), manifest.read_text()))
        entries.append(f'{{ path = "bot{number}", name = {json.dumps(name)} }}')
    path.write_text(
        f"name = {json.dumps('League' + EVIL)}\ndeals = 2\ntrios = 3\n"
        f'bots = [{", ".join(entries)}]\n[sandbox]\nlevel = "none"\n'
    )
    with long_ago():
        asked = request_league(path, 1)
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


# Commands that read; the league's file stands behind the command's name.
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


@pytest.mark.parametrize("words", READS)
def test_no_harmful_sign_is_printed_by(words: str, league: Path) -> None:
    name, *rest = words.split()
    done = run(name, league, *rest)
    assert done.returncode in (0, 1, 2), done.stderr
    assert done.stdout or done.stderr
    assert [ascii(it) for it in (done.stdout + done.stderr).split("\n") if is_harmful(it)] == []
    if "--csv" in rest or (name == "export" and "logs" not in rest and "jsonl" not in rest):
        for row in csv.reader(io.StringIO(done.stdout)):
            assert not any(computes(cell) for cell in row), row


def test_pages_and_their_texts_have_none_and_a_name_in_full_still_finds_its_bot(
    league: Path,
) -> None:
    assert document("faults", league, "--bot", NAMES[0])[0]["bot"] == NAMES[0]
    output("report", league, "--replays", "all", "--private")
    files = [league.with_suffix(".html"), *league.with_suffix(".pages").glob("*.html")]
    assert len(files) > 30
    for file in files:
        text = file.read_text("utf-8").replace("\n", "")
        assert not is_harmful(text), file
        assert "u202e" in text
        replay = file.suffix == ".html" and file.stem.isdecimal()
        assert not replay or not _ESCAPED.search(text), "the script would read the sign itself"


_ESCAPED: Final = re.compile(r"(?<!\\)(?:\\\\)*\\u(?:202e|001b)")
