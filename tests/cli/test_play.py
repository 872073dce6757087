"""`arena play` as a person's browser meets it: real bots, real pages' requests, real records."""

import contextlib
import os
import random
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest

from arena.base.installation import how_to_install
from arena.league.config import MatchConfig
from arena.match.wire import AnyRequest, message_in
from arena.record.store import Store
from tests.support.bots import write_quick_bot
from tests.support.command import command, output, refusal, run_here, start
from tests.support.people import by_chance
from tests.support.present import present
from tests.support.seat_client import Client


@pytest.fixture(name="bots")
def _bots(tmp_path: Path) -> list[Path]:
    return [write_quick_bot(tmp_path / name, turn=turn) for turn, name in enumerate("abc")]


@contextlib.contextmanager
def playing(
    *words: str | Path, people: int = 1
) -> Iterator[tuple["subprocess.Popen[str]", list[Client]]]:
    more = ["--no-browser", "--isolation", "none", "--people", str(people)]
    with subprocess.Popen(
        command("play", *words, *more), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            lines = [present(process.stdout).readline() for _ in range(people)]
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
                if name == "line":
                    assert number == last + 1
                    last = number
                    said = message_in(msgspec.json.encode(data))
                    if isinstance(said, AnyRequest):
                        assert client.post("answer", by_chance(said, dice)) == 204
                        given += 1
                        break


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rules", "count", "people"),
    [("pagat", 2, 1), ("lzsf", 1, 2), ("piedalies", 3, 1), ("gamerules", 2, 1)],
)
def test_people_play_a_match_that_is_like_any_other(
    tmp_path: Path, bots: list[Path], rules: str, count: int, people: int
) -> None:
    record = tmp_path / "games" / "evening.db"
    record.parent.mkdir()
    words: list[str | Path] = [*bots[:count], "--rules", rules, "--deals", "4", "--record", record]
    with playing(*words, people=people) as (process, clients):
        with ThreadPoolExecutor(people) as pool:
            list(pool.map(answer_all, clients, range(people)))
        out, err = process.communicate()
        assert process.returncode == 0, err
    assert "person" in out
    output("verify", record)
    output("rerun", record, "1", "--seat", str(people))
    assert "there is no copy of person" in refusal("rerun", record, "1", "--seat", "0")
    with contextlib.closing(Store.open(record)) as store:
        config = store.terms().config
    assert isinstance(config, MatchConfig)
    assert {*config.people} == ({"person"} if people == 1 else {"person 1", "person 2"})
    assert "the match of this record is over" in refusal(
        "play", *words, f"--people={people}", "--no-browser", "--isolation=none"
    )
    address = "".join(client.path for client in clients).encode()
    assert not any(address in file.read_bytes() for file in record.parent.iterdir())


@pytest.mark.slow
def test_ctrl_c_means_that_all_leave_and_the_record_is_kept(
    tmp_path: Path, bots: list[Path]
) -> None:
    record = tmp_path / "evening.db"
    with playing(*bots[:2], "--deals", "3", "--record", record) as (process, [client]):
        answer_all(client, 1, 2)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate()
        assert process.returncode == 130, err
    assert output("verify", record).startswith("1 of 1 matches")


def test_ctrl_c_ends_the_table_in_a_terminal(bots: list[Path]) -> None:
    words = ("--terminal", "--isolation", "none")
    process = start("play", *bots[:2], *words, stdin=subprocess.PIPE)
    assert present(process.stdout).readline().startswith("Zole for 3 players: person, ")
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (process.returncode, "nothing is kept" in err) == (130, True), err
    assert "You have left." in out


def test_without_the_extra_it_is_told_how_to_get_it(
    bots: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def without(name: str, package: str | None = None) -> object:
        return None if name == "uvicorn" else find_spec(name, package)

    monkeypatch.setattr(import_module("arena.cli.options"), "find_spec", without)
    done = run_here("play", *bots[:2])
    assert (done.returncode, "uvicorn" in done.stderr) == (3, True)
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
def test_what_cannot_be_played_is_told(bots: list[Path], words: list[str], why: str) -> None:
    assert why in refusal("play", *bots[:2], *words, "--isolation", "none", "--no-browser")


@pytest.mark.parametrize(
    ("words", "variables", "said"),
    [
        ([], {"LANG": "lv_LV.UTF-8"}, "Jūs aizgājāt."),
        ([], {"LANG": "tr_TR.UTF-8"}, "You have left."),
        (["--language", "en", "--plain"], {"LANG": "lv_LV.UTF-8"}, "You have left."),
    ],
)
def test_the_terminal_speaks_the_language_that_is_asked_for(
    bots: list[Path], words: list[str], variables: dict[str, str], said: str
) -> None:
    done = subprocess.run(
        command("play", *bots[:2], "--terminal", "--deals=1", "--isolation=none", *words),
        stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", check=False,
        env={**os.environ, "LC_ALL": "", "LC_MESSAGES": "", "PYTHONUTF8": "1", **variables},
    )  # fmt: skip
    assert said in done.stdout.splitlines()


def test_a_page_is_opened_in_the_language_that_is_asked_for(bots: list[Path]) -> None:
    with playing(*bots[:2], "--deals", "1", "--language", "lv") as (_, [client]):
        assert client.query == "lang=lv"
        assert client.ask("GET", f"?{client.query}")[0] == 200


@pytest.mark.parametrize(
    ("given", "people", "names"),
    [("", 1, "Vilma Valdis"), ("x", 1, "x Vilma"), ("x y", 2, "x y")],
)
def test_empty_seats_are_taken_by_bots_of_the_level_under_names_of_people(
    given: str, people: int, names: str
) -> None:
    with_house = import_module("arena.cli.play")._with_house
    found = with_house([*map(Path, given.split())], "pagat", people, "strong")
    assert [player.name for player in found] == names.split()
    samples = {Path(player.folder).name for player in found[len(given.split()) :]}
    assert samples <= {"sampler"}
