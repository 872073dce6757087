"""A record whose every name, note and error is hostile: no command brings it to the terminal."""

import csv
import io
import json
import random
import re
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
from tests.support.bots import good, write_bot
from tests.support.chance import by_chance
from tests.support.command import run
from tests.support.hostile import NAMES, computes, is_harmful, long_ago
from tests.support.scripted import Answer, drive

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
    """Answers by the rules with notes, and faults of each seat."""
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
