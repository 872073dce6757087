"""`arena play` as a person's browser meets it: real bots, real pages' requests, real records."""

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest

from arena.base.installation import how_to_install
from arena.league.config import MatchConfig
from arena.match.wire import AnyRequest, message_in
from arena.record.store import Store
from arena.reports.language import languages_with
from tests.support.bots import write_quick_bot
from tests.support.command import output, refusal, run_here
from tests.support.people import by_chance
from tests.support.seat_client import Client

LOCALE = ("LC_ALL", "LC_MESSAGES", "LANG")


@contextlib.contextmanager
def playing(
    *words: str | Path, people: int = 1
) -> Iterator[tuple["subprocess.Popen[str]", list[Client]]]:
    command = [sys.executable, "-m", "arena", "play", *map(str, words)]
    more = ["--no-browser", "--isolation", "none", "--people", str(people)]
    with subprocess.Popen(
        [*command, *more], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            lines = [process.stdout.readline() for _ in range(people)]
            yield process, [Client(line.split(": ", 1)[1].strip()) for line in lines]
        finally:
            process.terminate()
            process.communicate()


def answer_all(client: Client, seed: int, most: int | None = None) -> None:
    """Answer by chance until the match is over, connecting anew at every answer; or so often.

    The old connection lasts until the new one is there: a match that is over is not served for long
    to nobody.
    """
    dice, last, given = random.Random(seed), 0, 0
    with contextlib.ExitStack() as old:
        while given != most:
            stream = client.events(last)
            old.close()
            old.enter_context(stream)
            for name, number, data in stream:
                if name == "over":
                    return
                if name != "line":
                    continue
                assert number == last + 1
                last = number
                said = message_in(msgspec.json.encode(data))
                if isinstance(said, AnyRequest):
                    reply = by_chance(said, dice)
                    assert client.post("answer", reply) == 204
                    given += 1
                    break


def quick(folder: Path, names: str) -> list[Path]:
    return [write_quick_bot(folder / name, turn=turn) for turn, name in enumerate(names)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "bots", "people"),
    [("pagat", "ab", 1), ("lzsf", "a", 2), ("piedalies", "abc", 1), ("gamerules", "ab", 1)],
)
def test_people_play_a_match_that_is_like_any_other(
    tmp_path: Path, rules: str, bots: str, people: int
) -> None:
    record = tmp_path / "games" / "evening.db"
    record.parent.mkdir()
    words: list[str | Path] = [
        *quick(tmp_path, bots),
        "--rules",
        rules,
        "--deals",
        "4",
        "--record",
        record,
    ]
    with playing(*words, people=people) as (process, clients):
        threads = [
            threading.Thread(target=answer_all, args=(client, seed))
            for seed, client in enumerate(clients)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        out, err = process.communicate()
        assert process.returncode == 0, err
    assert "person" in out
    output("verify", record)
    output("replay", record, "1")
    output("rerun", record, "1", "--seat", str(people))
    assert "there is no copy of person" in refusal("rerun", record, "1", "--seat", "0")
    output("export", record, "logs")
    store = Store.open(record)
    names = {"person"} if people == 1 else {"person 1", "person 2"}
    config = store.terms().config
    assert isinstance(config, MatchConfig)
    assert set(config.people) == names
    store.close()
    more = ["--people", str(people), "--no-browser", "--isolation", "none"]
    again = run_here("play", *words, *more)
    assert again.returncode == 2
    assert "the match of this record is over" in again.stderr
    address = "".join(client.path for client in clients)
    assert not any(address.encode() in file.read_bytes() for file in record.parent.iterdir())


@pytest.mark.slow
def test_ctrl_c_means_that_all_leave_and_the_record_is_kept(tmp_path: Path) -> None:
    record = tmp_path / "evening.db"
    words: list[str | Path] = [*quick(tmp_path, "ab"), "--deals", "3", "--record", record]
    with playing(*words) as (process, [client]):
        answer_all(client, 1, 2)
        os.kill(process.pid, signal.SIGINT)
        _, err = process.communicate()
        assert process.returncode == 130, err
    assert run_here("verify", record).stdout.startswith("1 of 1 matches")


def test_ctrl_c_ends_the_table_in_a_terminal(tmp_path: Path) -> None:
    words = ["play", *quick(tmp_path, "ab"), "--terminal", "--isolation", "none"]
    with subprocess.Popen(
        [sys.executable, "-m", "arena", *map(str, words)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("Zole for 3 players: person, ")
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        assert (process.returncode, "nothing is kept" in err) == (130, True), err
        assert "You have left." in out


def test_without_the_extra_it_is_told_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def without(name: str, package: str | None = None) -> object:
        return None if name == "uvicorn" else find_spec(name, package)

    monkeypatch.setattr(import_module("arena.cli.options"), "find_spec", without)
    done = run_here("play", *quick(tmp_path, "ab"))
    assert done.returncode == 3
    assert "uvicorn" in done.stderr
    assert f"{how_to_install('serve')}, or play with --terminal" in done.stderr


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--terminal", "--people", "2"], "one person plays in a terminal"),
        (["--plain"], "only the terminal is plain"),
        (["--terminal", "--language", "de"], "there is no language de here; choose en, lv"),
        (["--language", "xx"], "there is no language xx here; choose en, de, fr, lv, ru, tr"),
        (["--seat", "3"], "there is no such seat"),
        (["--people", "5"], "a table of 3 needs 3 bots"),
    ],
)
def test_what_cannot_be_played_is_told(tmp_path: Path, words: list[str], why: str) -> None:
    assert why in refusal(
        "play", *quick(tmp_path, "ab"), *words, "--isolation", "none", "--no-browser"
    )


@pytest.mark.parametrize(
    ("words", "variables", "said"),
    [
        ([], {"LANG": "lv_LV.UTF-8"}, "Jūs aizgājāt."),
        ([], {"LANG": "tr_TR.UTF-8"}, "You have left."),
        (["--language", "en", "--plain"], {"LANG": "lv_LV.UTF-8"}, "You have left."),
    ],
)
def test_the_terminal_speaks_the_language_that_is_asked_for(
    tmp_path: Path, words: list[str], variables: dict[str, str], said: str
) -> None:
    asked = [*quick(tmp_path, "ab"), "--terminal", "--deals", "1", "--isolation", "none", *words]
    kept = {name: value for name, value in os.environ.items() if name not in LOCALE}
    done = subprocess.run(
        [sys.executable, "-m", "arena", "play", *map(str, asked)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        env=kept | {"PYTHONUTF8": "1"} | variables,
        check=False,
    )
    assert said in done.stdout.splitlines()


def test_a_page_is_opened_in_the_language_that_is_asked_for(tmp_path: Path) -> None:
    bots = quick(tmp_path, "ab")
    with playing(*bots, "--deals", "1", "--language", "lv") as (_, [client]):
        assert client.query == "lang=lv"
        assert client.ask("GET", f"?{client.query}")[0] == 200


def test_the_languages_are_documented() -> None:
    said = " ".join(run_here("play", "--help").stdout.split())
    terminal, page = languages_with("terminal"), languages_with("table")
    assert " or ".join(terminal) in said
    assert ", ".join(sorted({*page} - {*terminal})[:-1]) in said


def test_empty_seats_are_taken_by_sample_bots() -> None:
    module = import_module("arena.cli.play")
    for given, people, names in (
        ([], 1, ["sampler", "sampler"]),
        ([Path("x")], 1, ["x", "sampler"]),
        ([Path("x"), Path("y")], 2, ["x", "y"]),
    ):
        found = module._with_samples(given, "pagat", people, "strong")
        assert [path.name for path in found] == names
